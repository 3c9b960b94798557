//! Checks files against the rules of their systems, against shapes and against schema.org.

mod blank_nodes;
mod data;
pub mod files;
pub mod named_nodes;
pub mod places;
pub mod reading_shapes;
pub mod records;
pub mod rules;
pub mod schema_org;
mod server_run;
pub mod shapes;
mod shapes_read;
pub mod shapes_run;
mod unchecked;
mod unmatched;
