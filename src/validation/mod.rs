//! Checks files against the rules of their systems, against shapes and against schema.org.

mod blank_nodes;
mod data;
pub(crate) mod files;
pub(crate) mod named_nodes;
pub(crate) mod places;
pub(crate) mod reading_shapes;
pub(crate) mod records;
pub(crate) mod rules;
pub(crate) mod schema_org;
mod server_run;
pub(crate) mod shapes;
mod shapes_read;
pub(crate) mod shapes_run;
mod unchecked;
mod unmatched;
