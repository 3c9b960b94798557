//! Serves data over HTTP: the SPARQL 1.1 Protocol, the Graph Store Protocol, and a description of the service.
//!
//! One thread handles the sockets, with hyper over tokio. Queries are evaluated on a bounded number of other threads,
//! from which answers stream to the sockets. A request sees one state of the data.

mod access_token;
mod api;
mod bodies;
mod body;
mod brief;
mod browse;
mod channel;
mod connection;
mod connections;
mod description;
mod documents;
mod file_states;
mod file_watch;
mod findings_cache;
mod findings_search;
mod graph_store;
mod guard;
mod head;
mod http_server;
mod kept;
mod lengths;
mod metrics;
mod moments;
mod named_query;
mod negotiation;
mod observer;
mod page;
mod pieces;
mod problem;
mod query_answer;
mod query_operation;
mod question_places;
mod received_request;
mod request_conditions;
mod request_parameters;
mod resource;
mod respond;
mod route;
mod served_data;
mod server_context;
mod server_options;
mod states;
mod undos;
mod update_operation;

pub use access_token::AccessToken;
pub use http_server::Server;
pub use observer::{AnsweredRequest, ServerObserver};
pub use server_options::{ServerOptions, WriteAccess};
