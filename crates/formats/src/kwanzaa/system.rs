//! Registers Kwanzaa as a system.

use super::completion::edited;
use super::conversation_figures::ConversationFigures;
use super::kwanzaa_file_kind::{KwanzaaFileKind, assumed, file_shape, recognise};
use super::kwanzaa_files::FORMS;
use super::kwanzaa_report::KwanzaaReport;
use super::kwanzaa_settings::KwanzaaSettings;
use super::new_sample::sample;
use super::rules::{self, KwanzaaProfile, KwanzaaValidator, validate, validate_answer};
use super::statistics::SampleStatistics;
use crate::checking::{CheckedFile, FormatRule, ProfileName, RecordRules};
use crate::counted_list::{CountedList, DatasetReport};
use crate::named_figures::RecordTally;
use crate::new_question::{AddedQuestion, NewQuestion, QuestionGraph};
use crate::records::{FileShape, RecognisedRecords, RecordName};
use crate::rewriting::IndexedGraph;
use crate::source_system::SourceSystem;
use crate::writing::SystemForm;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_diagnostics::{Diagnostic, RunFailure, SourceText};
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::quad_buffer::BufferTermId;

/// The set of rules that only Kwanzaa has, with what it requires.
const OWN_PROFILES: [(ProfileName, &str); 1] =
    [(ProfileName::new("contract"), "What Kwanzaa's contract asks of the expected answers")];

/// The system and the dialect of a file of samples.
const DATASET_FILE: &str = "kwanzaa kwanzaa/dataset";

/// Training samples of a retrieval assistant.
pub(crate) struct KwanzaaSystem;

impl SourceSystem for KwanzaaSystem {
    fn files(&self) -> &'static str {
        "Kwanzaa"
    }

    fn recognise(&self, document: &JsonDocument) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        Ok(recognise(document))
    }

    fn recognise_named(
        &self,
        document: &JsonDocument,
        _record: Option<RecordName>,
    ) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        Ok(recognise(document).or_else(|| assumed(document)))
    }

    fn file_shape(&self, graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
        file_shape(graph, root)
    }

    fn edited(&self, before: &JsonDocument, after: &JsonDocument) -> Option<String> {
        edited(before, after)
    }

    fn tally(&self, recognised: &RecognisedRecords) -> Option<Box<dyn RecordTally>> {
        match KwanzaaFileKind::from_name(&recognised.kind)? {
            KwanzaaFileKind::Dataset => Some(Box::new(SampleStatistics::new(KwanzaaSettings::default()))),
            KwanzaaFileKind::Chat => Some(Box::<ConversationFigures>::default()),
            KwanzaaFileKind::Answer => None,
        }
    }

    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        Some(Box::<KwanzaaFileRules>::default())
    }

    fn own_profiles(&self) -> &'static [(ProfileName, &'static str)] {
        &OWN_PROFILES
    }

    fn add_question(
        &self,
        kind: &str,
        question: &NewQuestion<'_>,
        graph: &dyn QuestionGraph,
    ) -> Result<Option<AddedQuestion>, RunFailure> {
        if kind != DATASET_FILE {
            return Ok(None);
        }
        sample(question, graph).map(Some)
    }

    fn counts_questions(&self, kind: &str) -> bool {
        kind == DATASET_FILE
    }

    fn counted_list(&self, document: &JsonDocument) -> Option<CountedList> {
        let count = |document: &JsonDocument, samples: &[TokenId]| {
            let mut statistics = SampleStatistics::new(KwanzaaSettings::default());
            statistics.add_samples(document, samples);
            statistics.to_json()
        };
        let is_dataset = KwanzaaFileKind::from_document(document) == Some(KwanzaaFileKind::Dataset);
        is_dataset.then_some(CountedList { records: "samples", statistics: "statistics", count })
    }

    fn dataset_report(&self) -> Option<Box<dyn DatasetReport>> {
        Some(Box::new(KwanzaaReport::new(KwanzaaSettings::default())))
    }

    fn written_forms(&self) -> &'static [SystemForm] {
        &FORMS
    }

    fn explanations(&self) -> &'static [&'static str] {
        rules::EXPLANATIONS
    }

    fn profiles(&self) -> Vec<(&'static str, Vec<FormatRule>)> {
        let rules = |profile: KwanzaaProfile| [profile.rules(), profile.answer_rules()].concat();
        KwanzaaProfile::ALL.map(|profile| (profile.name(), rules(profile))).to_vec()
    }
}

/// The rules for several files. They share state, since ids must be unique across all files.
#[derive(Default)]
struct KwanzaaFileRules {
    settings: KwanzaaSettings,
    of_several: Option<KwanzaaValidator>,
}

impl RecordRules for KwanzaaFileRules {
    fn read_settings(&mut self, document: &JsonDocument) -> Result<(), Box<Diagnostic>> {
        self.settings = KwanzaaSettings::read(document)?;
        Ok(())
    }

    fn check(
        &mut self,
        file: &CheckedFile<'_>,
        profile: Option<&str>,
    ) -> Result<Option<RuleReport>, Box<Diagnostic>> {
        let kind = KwanzaaFileKind::from_name(&file.recognised.kind);
        // The contract describes answers without a sample, so it has rules for such a file.
        let own = if kind == Some(KwanzaaFileKind::Answer) {
            KwanzaaProfile::Contract
        } else {
            KwanzaaProfile::Seed
        };
        let Some(profile) = KwanzaaProfile::from_name(profile.unwrap_or(own.name())) else { return Ok(None) };
        let settings = self.settings;
        match kind {
            Some(KwanzaaFileKind::Answer) => Ok(Some(validate_answer(file.document, profile))),
            Some(KwanzaaFileKind::Dataset) if file.is_one_of_several => {
                let validator =
                    self.of_several.get_or_insert_with(|| KwanzaaValidator::new(profile, settings));
                Ok(Some(validator.validate(file.document)))
            }
            Some(KwanzaaFileKind::Dataset) => Ok(Some(validate(file.document, profile, &settings))),
            _ => Err(Box::new(no_dataset(file))),
        }
    }

    fn finish(&mut self) -> Option<(String, RuleReport)> {
        let report = self.of_several.take()?.finish();
        (!report.rules.is_empty()).then(|| ("kwanzaa/dataset".to_owned(), report))
    }
}

fn no_dataset(file: &CheckedFile<'_>) -> Diagnostic {
    let what = file.recognised.dialect();
    let message = format!("the rules apply to datasets and answers, but this is {what}");
    Diagnostic::error("validate::profile", message)
        .at(SourceText::new(file.document.name().as_ref(), b"").place(0..0))
        .with_help(help![
            command("convert").with("FILE").with(setting("to").to("kwanzaa")),
            " makes a dataset of conversations"
        ])
}
