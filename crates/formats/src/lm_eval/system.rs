//! Registers lm-eval as a system.

use super::harness_figures::HarnessFigures;
use super::harness_recognition::{assumed, file_shape, recognise};
use super::rules::{self, HarnessProfile, validate};
use crate::checking::{FixedRules, FormatRule, RecordRules};
use crate::evaluation_figures::{RunResultFigures, SampleResultFigures};
use crate::named_figures::RecordTally;
use crate::records::{FileShape, RecognisedRecords, RecordName};
use crate::rewriting::IndexedGraph;
use crate::source_system::SourceSystem;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// Samples and results of the harness.
pub(crate) struct LmEvalSystem;

impl SourceSystem for LmEvalSystem {
    fn files(&self) -> &'static str {
        "lm-eval"
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
        let has_records = document.items(root).next().is_some()
            || document.is_object(root) && document.get(root, "results").is_some();
        Ok(has_records.then(|| assumed(document)))
    }

    fn file_shape(&self, graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
        file_shape(graph, root)
    }

    fn tally(&self, recognised: &RecognisedRecords) -> Option<Box<dyn RecordTally>> {
        Some(Box::new(match &*recognised.kind {
            "results" => HarnessFigures::Results(RunResultFigures::default()),
            _ => HarnessFigures::Samples(SampleResultFigures::default()),
        }))
    }

    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        Some(Box::new(FixedRules(|file, profile| {
            let profile = HarnessProfile::from_name(profile.unwrap_or(HarnessProfile::Seed.name()))?;
            Some(validate(file.document, profile))
        })))
    }

    fn explanations(&self) -> &'static [&'static str] {
        rules::EXPLANATIONS
    }

    fn profiles(&self) -> Vec<(&'static str, Vec<FormatRule>)> {
        HarnessProfile::ALL.map(|profile| (profile.name(), profile.rules())).to_vec()
    }
}
