//! Checks files against the rules of their systems, against shapes, and against schema.org.

mod document_blank_nodes;
pub mod document_places;
pub mod expectation_report;
pub mod named_nodes;
pub mod reading_shapes;
pub mod record_validation;
pub mod rule_texts;
pub mod rules;
pub mod schema_org;
mod server_run;
mod shapes_read;
pub mod shapes_report;
pub mod shapes_run;
mod shapes_run_data;
pub mod switched_rules;
mod unchecked_inputs;
mod unmatched_shapes;
pub mod validated_files;
