//! Serves data over HTTP: the SPARQL 1.1 Protocol, the Graph Store Protocol, and a description of the service.
//!
//! Sockets are attended to by one thread, with hyper over tokio; queries are evaluated on a bounded number of other
//! threads, from which answers stream to the sockets. A request sees one state of the data.

mod api;
mod asked;
mod bodies;
mod body;
mod brief;
mod browse;
mod channel;
mod conditions;
mod connection;
mod connections;
mod context;
mod data;
mod description;
mod documents;
mod files;
mod findings;
mod graph_store;
mod guard;
mod head;
mod kept;
mod lengths;
mod looking;
mod metrics;
mod moments;
mod named;
mod negotiation;
mod observer;
mod options;
mod page;
mod parameters;
mod pieces;
mod places;
mod problem;
mod query;
mod resource;
mod respond;
mod results;
mod route;
mod server;
mod states;
mod token;
mod undos;
mod watching;
mod writing;

pub use observer::{Access, Observer};
pub use options::{ServerOptions, Writes};
pub use server::Server;
pub use token::Token;
