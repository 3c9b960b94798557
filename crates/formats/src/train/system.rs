//! train.json and its evaluator as one of the systems.

use std::path::Path;

use super::figures::{EvaluationTally, RowTally};
use super::judgement_figures::JudgementFigures;
use super::recognise::{assumed, file_shape, is_evaluation_data, is_rows, recognise};
use super::rules::{Directory, Profile, Settings, TrainFile, validate};
use crate::checking::{CheckedFile, RecordRules};
use crate::facts::RecordTally;
use crate::records::{FileShape, Recognised};
use crate::registry::SourceSystem;
use crate::rewriting::Graph;
use crate::rlcf::RecordName;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::validation::ValidationReport;
use evalgraph_json::Document;
use evalgraph_rdf::quad_buffer::TermId;

/// Datasets of a retrieval evaluator.
pub(crate) struct Train;

impl SourceSystem for Train {
    fn files(&self) -> &'static str {
        "train.json"
    }

    fn file_name(&self) -> Option<&'static str> {
        Some("train.json")
    }

    fn has_rows(&self) -> bool {
        true
    }

    fn recognise(&self, document: &Document) -> Result<Option<Recognised>, Box<Diagnostic>> {
        Ok(recognise(document))
    }

    fn recognise_named(
        &self,
        document: &Document,
        _record: Option<RecordName>,
    ) -> Result<Option<Recognised>, Box<Diagnostic>> {
        let is_list = document.items(document.root()).next().is_some();
        Ok(recognise(document).or_else(|| is_list.then(assumed)))
    }

    // The rules report the faults of a file that the user calls rows.
    fn recognise_for_rules(&self, document: &Document) -> Option<Recognised> {
        Some(recognise(document).unwrap_or_else(assumed))
    }

    fn file_shape(&self, graph: &Graph<'_>, root: TermId) -> Option<FileShape> {
        file_shape(graph, root)
    }

    fn tally(&self, recognised: &Recognised) -> Option<Box<dyn RecordTally>> {
        match () {
            () if is_rows(recognised) => Some(Box::<RowTally>::default()),
            () if is_evaluation_data(recognised) => Some(Box::<EvaluationTally>::default()),
            () if recognised.kind == "evaluation results" => Some(Box::<JudgementFigures>::default()),
            () => None,
        }
    }

    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        Some(Box::<Settings>::default())
    }
}

impl RecordRules for Settings {
    fn read_settings(&mut self, document: &Document) -> Result<(), Box<Diagnostic>> {
        *self = Self::read(document)?;
        Ok(())
    }

    fn check(
        &mut self,
        file: &CheckedFile<'_>,
        profile: Option<&str>,
    ) -> Result<Option<ValidationReport>, Box<Diagnostic>> {
        let profile = profile.unwrap_or(Profile::Seed.name());
        let Some(profile) = Profile::from_name(profile) else { return Ok(None) };
        let path = file.path.and_then(Path::parent).unwrap_or(Path::new("")).display().to_string();
        let directory = Directory { path: &path, corpus: file.corpus };
        let directory = Some(directory).filter(|_| file.corpus.is_some() || file.is_of_directory);
        let file = TrainFile { document: file.document, encoding: file.encoding, directory };
        Ok(Some(validate(&file, profile, self)))
    }
}
