//! Kwanzaa as one of the systems.

use super::completion::edited;
use super::conversation_figures::ConversationFigures;
use super::recognise::{FileKind, assumed, file_shape, recognise};
use super::rules::{Profile, Validator, validate, validate_answer};
use super::settings::Settings;
use super::statistics::Statistics;
use crate::checking::{CheckedFile, RecordRules};
use crate::facts::RecordTally;
use crate::records::{FileShape, Recognised};
use crate::registry::SourceSystem;
use crate::rewriting::Graph;
use crate::rlcf::RecordName;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::validation::ValidationReport;
use evalgraph_diagnostics::{Diagnostic, SourceText};
use evalgraph_json::Document;
use evalgraph_rdf::quad_buffer::TermId;

/// Training samples of a retrieval assistant.
pub(crate) struct Kwanzaa;

impl SourceSystem for Kwanzaa {
    fn files(&self) -> &'static str {
        "Kwanzaa"
    }

    fn recognise(&self, document: &Document) -> Result<Option<Recognised>, Box<Diagnostic>> {
        Ok(recognise(document))
    }

    fn recognise_named(
        &self,
        document: &Document,
        _record: Option<RecordName>,
    ) -> Result<Option<Recognised>, Box<Diagnostic>> {
        Ok(recognise(document).or_else(|| assumed(document)))
    }

    fn file_shape(&self, graph: &Graph<'_>, root: TermId) -> Option<FileShape> {
        file_shape(graph, root)
    }

    fn edited(&self, before: &Document, after: &Document) -> Option<String> {
        edited(before, after)
    }

    fn tally(&self, recognised: &Recognised) -> Option<Box<dyn RecordTally>> {
        match FileKind::from_name(&recognised.kind)? {
            FileKind::Dataset => Some(Box::new(Statistics::new(Settings::default()))),
            FileKind::Chat => Some(Box::<ConversationFigures>::default()),
            FileKind::Answer => None,
        }
    }

    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        Some(Box::<OverFiles>::default())
    }
}

/// The rules over files: ids have to be unique in all of them.
#[derive(Default)]
struct OverFiles {
    settings: Settings,
    of_several: Option<Validator>,
}

impl RecordRules for OverFiles {
    fn read_settings(&mut self, document: &Document) -> Result<(), Box<Diagnostic>> {
        self.settings = Settings::read(document)?;
        Ok(())
    }

    fn check(
        &mut self,
        file: &CheckedFile<'_>,
        profile: Option<&str>,
    ) -> Result<Option<ValidationReport>, Box<Diagnostic>> {
        let kind = FileKind::from_name(&file.recognised.kind);
        // The contract describes an answer without a sample.
        let own = if kind == Some(FileKind::Answer) { Profile::Contract } else { Profile::Seed };
        let Some(profile) = Profile::from_name(profile.unwrap_or(own.name())) else { return Ok(None) };
        let settings = self.settings;
        match kind {
            Some(FileKind::Answer) => Ok(Some(validate_answer(file.document, profile))),
            Some(FileKind::Dataset) if file.is_one_of_several => {
                let validator = self.of_several.get_or_insert_with(|| Validator::new(profile, settings));
                Ok(Some(validator.validate(file.document)))
            }
            Some(FileKind::Dataset) => Ok(Some(validate(file.document, profile, &settings))),
            _ => Err(Box::new(no_dataset(file))),
        }
    }

    fn finish(&mut self) -> Option<(String, ValidationReport)> {
        let report = self.of_several.take()?.finish();
        (!report.rules.is_empty()).then(|| ("kwanzaa/dataset".to_owned(), report))
    }
}

fn no_dataset(file: &CheckedFile<'_>) -> Diagnostic {
    let what = file.recognised.dialect();
    let message = format!("the rules are about datasets and answers, and this is {what}");
    Diagnostic::error("validate::profile", message)
        .at(SourceText::new(file.document.name().as_ref(), b"").place(0..0))
        .with_help(help![
            command("convert").with("FILE").with(setting("to").to("kwanzaa")),
            " makes a dataset of conversations"
        ])
}
