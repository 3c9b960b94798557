//! The graphs of an export.

use crate::load::quads::CompanionGraph;

/// The graphs that are exported.
#[derive(Debug, Clone, Default)]
pub struct GraphChoice {
    /// Graphs by their IRIs or their datasets, and documents of a store by their files, too; without names, all graphs.
    pub names: Vec<String>,
    /// Which graphs beside those of documents are exported, too.
    pub with: Vec<CompanionGraph>,
}
