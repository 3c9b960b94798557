//! Makes the files of a system from graphs: their names, their texts, and the report of losses.

pub mod arrival;
pub mod checkpoint;
mod checkpoints;
pub mod conversion;
mod corpora;
pub mod document_graphs;
mod file_names;
mod items;
pub mod json_ld_shape;
pub mod kwanzaa;
mod losses;
pub mod output_form;
pub mod rdf;
pub mod rlcf;
pub mod rlcf_records;
pub mod same;
pub mod train;
pub mod training_lines;
pub mod written_files;
