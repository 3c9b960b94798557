//! Registers Inspect as a system.

use super::log_figures::LogFigures;
use super::log_recognition::{assumed, file_shape, recognise};
use super::rules::{self, LogProfile, validate};
use crate::checking::{FixedRules, FormatRule, RecordRules};
use crate::named_figures::RecordTally;
use crate::records::{FileShape, RecognisedRecords, RecordName};
use crate::rewriting::IndexedGraph;
use crate::source_system::SourceSystem;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// Logs of runs.
pub(crate) struct InspectSystem;

impl SourceSystem for InspectSystem {
    fn files(&self) -> &'static str {
        "Inspect"
    }

    fn recognise(&self, document: &JsonDocument) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        Ok(recognise(document))
    }

    fn recognise_named(
        &self,
        document: &JsonDocument,
        _record: Option<RecordName>,
    ) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        let root = document.root();
        let keys = ["eval", "samples", "results"];
        let is_log = document.is_object(root) && keys.iter().any(|key| document.get(root, key).is_some());
        Ok(is_log.then(assumed))
    }

    fn file_shape(&self, graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
        file_shape(graph, root)
    }

    fn tally(&self, _recognised: &RecognisedRecords) -> Option<Box<dyn RecordTally>> {
        Some(Box::<LogFigures>::default())
    }

    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        Some(Box::new(FixedRules(|file, profile| {
            let profile = LogProfile::from_name(profile.unwrap_or(LogProfile::Seed.name()))?;
            Some(validate(file.document, profile))
        })))
    }

    fn explanations(&self) -> &'static [&'static str] {
        rules::EXPLANATIONS
    }

    fn profiles(&self) -> Vec<(&'static str, Vec<FormatRule>)> {
        LogProfile::ALL.map(|profile| (profile.name(), profile.rules())).to_vec()
    }
}
