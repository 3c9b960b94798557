//! The graphs of an export.

use crate::load::quads::CompanionGraph;

/// The graphs that are exported.
#[derive(Debug, Clone, Default)]
pub struct GraphChoice {
    /// Graphs by IRI or by dataset; for documents of a store, also by file. If empty, all graphs are meant.
    pub names: Vec<String>,
    /// The graphs that are exported in addition to those of documents.
    pub with: Vec<CompanionGraph>,
}
