//! Karenina as a source system, for its files that are not JSON-LD: its exports of results.

use super::results_export::{file_shape, recognise};
use super::results_figures::ResultsFigures;
use crate::facts::RecordTally;
use crate::records::{FileShape, Recognised};
use crate::registry::SourceSystem;
use crate::rewriting::Graph;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::Document;
use evalgraph_rdf::quad_buffer::TermId;

/// Karenina's checkpoints and the results of running them.
pub(crate) struct Karenina;

impl SourceSystem for Karenina {
    fn files(&self) -> &'static str {
        "Karenina"
    }

    fn recognise(&self, document: &Document) -> Result<Option<Recognised>, Box<Diagnostic>> {
        Ok(recognise(document))
    }

    fn file_shape(&self, graph: &Graph<'_>, root: TermId) -> Option<FileShape> {
        file_shape(graph, root)
    }

    fn tally(&self, _recognised: &Recognised) -> Option<Box<dyn RecordTally>> {
        Some(Box::<ResultsFigures>::default())
    }
}
