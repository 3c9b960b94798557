//! Queries and updates for other servers: their text, without what only this program knows, and their answers.

pub(super) mod server;
pub(super) mod server_functions;
pub(super) mod server_request;
pub(super) mod server_template;
pub(super) mod services;
pub(super) mod standard;
