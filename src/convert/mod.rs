//! Makes the files of a system from graphs: their names, their texts, and the report of losses.

pub(crate) mod arrival;
pub(crate) mod checkpoint;
mod checkpoints;
pub(crate) mod conversion;
mod corpora;
pub(crate) mod document_graphs;
mod file_names;
mod items;
pub(crate) mod json_ld;
pub(crate) mod kwanzaa;
mod losses;
pub(crate) mod output_form;
pub(crate) mod rdf;
pub(crate) mod rlcf;
pub(crate) mod rlcf_records;
pub(crate) mod same;
pub(crate) mod train;
pub(crate) mod training;
pub(crate) mod written;
