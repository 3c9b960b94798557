//! Exports into files: everything arrives, blank nodes included, the folder is whole at any moment, and nothing of others is
//! removed. Engines of SQL answer over exported folders. Exports to servers: a graph that the server does not keep is reported.

mod additions;
mod closures;
mod folder;
mod parquet;
mod parts;
mod property_tables;
mod read_back;
mod sidecars;
mod sql;
mod sql_cases;
mod values;
mod verified;
