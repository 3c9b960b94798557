//! Converts inputs into quads or files: checkpoints, files as they were, and the forms that systems contribute.

pub mod checkpoint;
mod checkpoints;
pub mod conversion;
mod corpora;
pub mod gathered_records;
pub mod json_ld_shape;
pub mod output_form;
pub mod rdf;
pub mod same;
pub mod write_failure;
