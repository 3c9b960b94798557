//! Exports into files: everything arrives, blank nodes included, the folder is whole at any moment, and nothing of others is
//! removed. Exports to servers: a graph that the server does not keep is told.

mod folder;
mod parquet;
mod read_back;
mod sidecars;
mod verified;
