//! How graphs get into a server, the same for all servers: pieces go into a *staging graph* for each graph, are counted
//! and compared there, and only then is it put in place. A failure before that leaves the server's data unchanged.

mod account;
mod batch_transfer;
pub mod export;
mod graph_placement;
mod pieces;
mod place_addresses;
mod register;
mod requests;
pub mod server_export_form;
mod source_graph;
