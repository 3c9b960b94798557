//! Queries and updates for other servers: their text in standard SPARQL, and their answers.

pub(super) mod dataset_services;
pub(super) mod server_functions;
pub(super) mod server_request;
pub(super) mod server_template;
pub(super) mod sparql_server;
pub(super) mod standard;
