//! Registers HELM as a system.

use super::rules::{self, StatisticProfile, validate};
use super::statistics_figures::StatisticsFigures;
use super::statistics_recognition::{file_shape, recognise};
use crate::checking::{FixedRules, FormatRule, RecordRules};
use crate::named_figures::RecordTally;
use crate::records::{FileShape, RecognisedRecords};
use crate::rewriting::IndexedGraph;
use crate::source_system::SourceSystem;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// The files of runs.
pub(crate) struct HelmSystem;

impl SourceSystem for HelmSystem {
    fn files(&self) -> &'static str {
        "HELM"
    }

    fn recognise(&self, document: &JsonDocument) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        Ok(recognise(document))
    }

    fn file_shape(&self, graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
        file_shape(graph, root)
    }

    fn tally(&self, recognised: &RecognisedRecords) -> Option<Box<dyn RecordTally>> {
        Some(Box::new(StatisticsFigures::new(recognised.kind.clone())))
    }

    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        Some(Box::new(FixedRules(|file, profile| {
            let profile = StatisticProfile::from_name(profile.unwrap_or(StatisticProfile::Seed.name()))?;
            Some(validate(file.document, profile))
        })))
    }

    fn explanations(&self) -> &'static [&'static str] {
        rules::EXPLANATIONS
    }

    fn profiles(&self) -> Vec<(&'static str, Vec<FormatRule>)> {
        StatisticProfile::ALL.map(|profile| (profile.name(), profile.rules())).to_vec()
    }
}
