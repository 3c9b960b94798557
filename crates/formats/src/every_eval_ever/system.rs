//! Registers Every Eval Ever as a system.

use super::instance_figures::InstanceFigures;
use super::result_recognition::{EvaluationFileKind, assumed, file_shape, recognise};
use super::results_writer::FORMS;
use super::rules::{self, EvaluationProfile, validate};
use crate::checking::{FixedRules, FormatRule, RecordRules};
use crate::named_figures::RecordTally;
use crate::records::{FileShape, RecognisedRecords, RecordName};
use crate::rewriting::IndexedGraph;
use crate::source_system::SourceSystem;
use crate::writing::SystemForm;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// Results of evaluations in the common form.
pub(crate) struct EveryEvalEverSystem;

impl SourceSystem for EveryEvalEverSystem {
    fn files(&self) -> &'static str {
        "Every Eval Ever"
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
        let keys = ["evaluation_id", "sample_id", "evaluation_results"];
        let has_records = document.items(root).next().is_some()
            || document.is_object(root) && keys.iter().any(|key| document.get(root, key).is_some());
        Ok(recognise(document).or_else(|| has_records.then(|| assumed(document))))
    }

    fn recognise_for_rules(&self, document: &JsonDocument) -> Option<RecognisedRecords> {
        Some(recognise(document).unwrap_or_else(|| assumed(document)))
    }

    fn file_shape(&self, graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
        file_shape(graph, root)
    }

    fn tally(&self, recognised: &RecognisedRecords) -> Option<Box<dyn RecordTally>> {
        let kind = EvaluationFileKind::from_recognised(recognised);
        Some(Box::new(InstanceFigures::new(kind)))
    }

    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        Some(Box::new(FixedRules(|file, profile| {
            let profile = EvaluationProfile::from_name(profile.unwrap_or(EvaluationProfile::Seed.name()))?;
            Some(validate(file.document, file.recognised, profile))
        })))
    }

    fn written_forms(&self) -> &'static [SystemForm] {
        &FORMS
    }

    fn explanations(&self) -> &'static [&'static str] {
        rules::EXPLANATIONS
    }

    fn profiles(&self) -> Vec<(&'static str, Vec<FormatRule>)> {
        EvaluationProfile::ALL.map(|profile| (profile.name(), profile.rules())).to_vec()
    }
}
