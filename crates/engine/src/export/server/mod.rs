//! The way of graphs into a server, the same for all servers: pieces go into a *staging graph* beside each graph, are counted
//! and compared there, and only then take its place. A failure before that leaves what the server had.

mod account;
mod batch;
pub mod export;
pub mod form;
mod pieces;
mod placing;
mod register;
mod remote;
mod requests;
mod source_graph;
