//! Registers HELM as a system.

use super::rules::{self, StatisticProfile, validate};
use super::statistics_figures::StatisticsFigures;
use super::statistics_recognition::{file_shape, recognise};
use crate::checking::{CheckedFile, FormatRule, RecordRules};
use crate::named_figures::RecordTally;
use crate::records::{FileShape, RecognisedRecords};
use crate::rewriting::IndexedGraph;
use crate::source_system::SourceSystem;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::validation::RuleReport;
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
        Some(Box::new(StatisticRules))
    }

    fn explanations(&self) -> &'static [&'static str] {
        rules::EXPLANATIONS
    }

    fn profiles(&self) -> Vec<(&'static str, Vec<FormatRule>)> {
        StatisticProfile::ALL.map(|profile| (profile.name(), profile.rules())).to_vec()
    }
}

/// The rules over files, which have no thresholds.
struct StatisticRules;

impl RecordRules for StatisticRules {
    fn has_settings(&self) -> bool {
        false
    }

    fn read_settings(&mut self, _document: &JsonDocument) -> Result<(), Box<Diagnostic>> {
        Ok(())
    }

    fn check(
        &mut self,
        file: &CheckedFile<'_>,
        profile: Option<&str>,
    ) -> Result<Option<RuleReport>, Box<Diagnostic>> {
        let profile = StatisticProfile::from_name(profile.unwrap_or(StatisticProfile::Seed.name()));
        Ok(profile.map(|profile| validate(file.document, profile)))
    }
}
