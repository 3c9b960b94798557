//! The way of graphs into a server, the same for all servers: pieces go into a *staging graph* beside each graph, are counted
//! and compared there, and only then take its place. A failure before that leaves what the server had.

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
