//! Registers `train.json` and its evaluator as a system.

use std::path::Path;

use super::judgement_figures::JudgementFigures;
use super::judgement_scores::JudgementScores;
use super::new_row::row;
use super::retrieval_figures::{EvaluationTally, RowTally};
use super::rules::{
    self, DatasetDirectory, TrainFile, TrainProfile, TrainRuleSettings, validate, without_rows,
};
use super::train_files::FORMS;
use super::train_recognition::{
    EVALUATION_DATA_KIND, EVALUATION_RESULTS_KIND, assumed, file_shape, recognise,
};
use crate::checking::{CheckedFile, FormatRule, ProfileName, RecordRules};
use crate::corpus::Corpus;
use crate::named_figures::RecordTally;
use crate::new_question::{AddedQuestion, NewQuestion, QuestionGraph};
use crate::records::{FileShape, RecognisedRecords, RecordName};
use crate::rewriting::IndexedGraph;
use crate::runs::RunReader;
use crate::source_system::SourceSystem;
use crate::writing::SystemForm;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_json::JsonDocument;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// The system and the dialect of a file of rows.
const ROWS_FILE: &str = "train train/rows";

/// Datasets of a retrieval evaluator.
pub(crate) struct TrainSystem;

impl SourceSystem for TrainSystem {
    fn files(&self) -> &'static str {
        "train.json"
    }

    fn file_name(&self) -> Option<&'static str> {
        Some("train.json")
    }

    fn has_rows(&self) -> bool {
        true
    }

    fn recognise(&self, document: &JsonDocument) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        Ok(recognise(document))
    }

    fn recognise_named(
        &self,
        document: &JsonDocument,
        _record: Option<RecordName>,
    ) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        let is_list = document.items(document.root()).next().is_some();
        Ok(recognise(document).or_else(|| is_list.then(assumed)))
    }

    // If the user says that a file has rows, the rules report its faults.
    fn recognise_for_rules(&self, document: &JsonDocument) -> Option<RecognisedRecords> {
        Some(recognise(document).unwrap_or_else(assumed))
    }

    fn file_shape(&self, graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
        file_shape(graph, root)
    }

    fn tally(&self, recognised: &RecognisedRecords) -> Option<Box<dyn RecordTally>> {
        match &*recognised.kind {
            "rows" => Some(Box::<RowTally>::default()),
            EVALUATION_DATA_KIND => Some(Box::<EvaluationTally>::default()),
            EVALUATION_RESULTS_KIND => Some(Box::<JudgementFigures>::default()),
            _ => None,
        }
    }

    fn run_reader(&self, recognised: &RecognisedRecords) -> Option<Box<dyn RunReader>> {
        Some(Box::new(JudgementScores::from_recognised(recognised)?))
    }

    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        Some(Box::<TrainRuleSettings>::default())
    }

    fn check_without_rows(
        &self,
        path: &str,
        corpus: Option<&Corpus>,
        profile: Option<ProfileName>,
    ) -> Option<RuleReport> {
        let profile = profile.and_then(|profile| TrainProfile::from_name(profile.name()));
        Some(without_rows(DatasetDirectory { path, corpus }, profile.unwrap_or(TrainProfile::Seed)))
    }

    fn add_question(
        &self,
        kind: &str,
        question: &NewQuestion<'_>,
        graph: &dyn QuestionGraph,
    ) -> Result<Option<AddedQuestion>, RunFailure> {
        if kind != ROWS_FILE {
            return Ok(None);
        }
        Ok(Some(AddedQuestion::Node(row(question, graph)?)))
    }

    fn written_forms(&self) -> &'static [SystemForm] {
        &FORMS
    }

    fn explanations(&self) -> &'static [&'static str] {
        rules::EXPLANATIONS
    }

    fn profiles(&self) -> Vec<(&'static str, Vec<FormatRule>)> {
        TrainProfile::ALL.map(|profile| (profile.name(), profile.rules())).to_vec()
    }
}

impl RecordRules for TrainRuleSettings {
    fn read_settings(&mut self, document: &JsonDocument) -> Result<(), Box<Diagnostic>> {
        *self = Self::read(document)?;
        Ok(())
    }

    fn check(
        &mut self,
        file: &CheckedFile<'_>,
        profile: Option<&str>,
    ) -> Result<Option<RuleReport>, Box<Diagnostic>> {
        let profile = profile.unwrap_or(TrainProfile::Seed.name());
        let Some(profile) = TrainProfile::from_name(profile) else { return Ok(None) };
        let path = file.path.and_then(Path::parent).unwrap_or(Path::new("")).display().to_string();
        let directory = DatasetDirectory { path: &path, corpus: file.corpus };
        let directory = Some(directory).filter(|_| file.corpus.is_some() || file.is_of_directory);
        let file = TrainFile { document: file.document, encoding: file.encoding, directory };
        Ok(Some(validate(&file, profile, self)))
    }
}
