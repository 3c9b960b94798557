//! What graphs become as files of a system: names, texts, and what is told of losses.

pub(crate) mod arrival;
pub(crate) mod document_graphs;
mod file_names;
pub(crate) mod losses;
pub(crate) mod rdf_patch;
pub(crate) mod same;
