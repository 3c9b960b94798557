//! `evalgraph validate` for files of systems that are no JSON-LD.

use std::path::Path;

use super::profile::ProfileName;
use crate::diagnostic::help::{command, help, setting};
use crate::diagnostic::validation::ValidationReport;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::input::corpus::corpus_beside;
use crate::json::{Composer, Document, Encoding, TokenId};
use crate::source::kwanzaa::{FileKind, Settings, rules as kwanzaa};
use crate::source::records::Recognised;
use crate::source::rlcf::{RecordName, rules as rlcf, tell};
use crate::source::system::System;
use crate::source::train::rules as train;

/// Where a file comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileOrigin<'f> {
    /// Its path, where it is one.
    pub(crate) path: Option<&'f Path>,
    /// Whether the directory that it lies in was named, not the file.
    pub(crate) is_of_directory: bool,
    /// The encoding that it was in.
    pub(crate) encoding: Encoding,
}

impl<'f> FileOrigin<'f> {
    pub(crate) fn of(path: Option<&'f Path>, encoding: Encoding, inputs: &[String]) -> Self {
        let parent = path.and_then(Path::parent);
        let is_of_directory = inputs.iter().any(|input| parent == Some(Path::new(input)));
        Self { path, is_of_directory, encoding }
    }
}

/// What rules remember of the files before: ids have to be unique in all of them.
pub(crate) struct AcrossFiles {
    is_one_file: bool,
    thresholds: Thresholds,
    record: Option<RecordName>,
    kwanzaa: Option<kwanzaa::Validator>,
    /// The ids of RLCF's records in all files, which references may lead to.
    rlcf: rlcf::Register,
}

/// What the rules of the systems measure by; by default the numbers of the documents.
#[derive(Debug, Clone, Default)]
pub(crate) struct Thresholds {
    train: train::Settings,
    kwanzaa: Settings,
    rlcf: rlcf::Settings,
}

impl Thresholds {
    /// Reads them from an object with an object for each system.
    ///
    /// # Errors
    ///
    /// `validate::config` for what is no object and for a key that is no system with thresholds, and what the systems
    /// say of theirs.
    pub(crate) fn read(document: &Document) -> Result<Self, Box<Diagnostic>> {
        const SYSTEMS: &str = "there are `train`, `kwanzaa` and `rlcf`";
        let mut thresholds = Self::default();
        let root = document.root();
        if !document.is_object(root) {
            let message = "thresholds are an object with an object for each system";
            let fault = Diagnostic::error("validate::config", message).at(document.place(root));
            return Err(Box::new(fault.with_help(SYSTEMS)));
        }
        for member in document.members(root) {
            let part = || part_of(document, member.value);
            match document.symbol_text(member.symbol) {
                "train" => thresholds.train = train::Settings::read(&part()?)?,
                "kwanzaa" => thresholds.kwanzaa = Settings::read(&part()?)?,
                "rlcf" => thresholds.rlcf = rlcf::Settings::read(&part()?)?,
                key => {
                    let message = format!("`{key}` is no system with thresholds");
                    let fault = Diagnostic::error("validate::config", message).at(document.place(member.key));
                    return Err(Box::new(fault.with_help(SYSTEMS)));
                }
            }
        }
        Ok(thresholds)
    }
}

/// A value of a document as a document, with its places.
fn part_of(document: &Document, value: TokenId) -> Result<Document, Box<Diagnostic>> {
    let mut composer = Composer::over(document);
    composer.value(document, value);
    composer.finish()
}

impl AcrossFiles {
    pub(crate) fn new(files: usize, thresholds: Thresholds, record: Option<RecordName>) -> Self {
        let rlcf = rlcf::Register::default();
        Self { is_one_file: files == 1, thresholds, record, kwanzaa: None, rlcf }
    }

    /// Takes notice of a file before any is checked.
    ///
    /// # Errors
    ///
    /// Where the kinds of its records are not clear.
    pub(crate) fn notice(
        &mut self,
        (document, recognised): (&Document, &Recognised),
    ) -> Result<(), Box<Diagnostic>> {
        if recognised.system == System::Rlcf {
            self.rlcf.add(document, &tell(document, document.name(), self.record)?);
        }
        Ok(())
    }

    /// What the rules about all files together say; nothing where one file is all.
    pub(crate) fn finish(self) -> Option<(String, ValidationReport)> {
        let report = self.kwanzaa?.finish();
        (!report.rules.is_empty()).then(|| ("kwanzaa/dataset".to_owned(), report))
    }

    fn check_kwanzaa(&mut self, document: &Document, profile: kwanzaa::Profile) -> ValidationReport {
        let settings = self.thresholds.kwanzaa;
        if self.is_one_file {
            return kwanzaa::validate(document, profile, &settings);
        }
        self.kwanzaa.get_or_insert_with(|| kwanzaa::Validator::new(profile, settings)).validate(document)
    }
}

/// Checks a file by the rules of its system.
///
/// # Errors
///
/// `validate::profile` where the system has no rules of that name, `input::unreadable` where a corpus
/// cannot be looked through.
pub(crate) fn check_records(
    (document, recognised): (&Document, &Recognised),
    profile: Option<ProfileName>,
    origin: FileOrigin<'_>,
    across: &mut AcrossFiles,
) -> Result<ValidationReport, Box<Diagnostic>> {
    let is_answer = recognised.system == System::Kwanzaa
        && FileKind::from_name(&recognised.kind) == Some(FileKind::Answer);
    // An answer without a sample is what the contract is about.
    let own = if is_answer { ProfileName::Contract } else { ProfileName::Seed };
    let profile = profile.unwrap_or(own);
    let none = || Box::new(no_such_rules(document, recognised.system, profile));
    match recognised.system {
        System::Train => {
            let profile = profile.for_train().ok_or_else(none)?;
            let corpus = origin.path.map_or(Ok(None), corpus_beside)?;
            let path = origin.path.and_then(Path::parent).unwrap_or(Path::new("")).display().to_string();
            let directory = train::Directory { path: &path, corpus: corpus.as_ref() };
            let directory = Some(directory).filter(|_| corpus.is_some() || origin.is_of_directory);
            let file = train::TrainFile { document, encoding: origin.encoding, directory };
            Ok(train::validate(&file, profile, &across.thresholds.train))
        }
        System::Kwanzaa => {
            let profile = profile.for_kwanzaa().ok_or_else(none)?;
            match FileKind::from_name(&recognised.kind) {
                Some(FileKind::Dataset) => Ok(across.check_kwanzaa(document, profile)),
                Some(FileKind::Answer) => Ok(kwanzaa::validate_answer(document, profile)),
                _ => Err(Box::new(no_dataset(document, recognised))),
            }
        }
        System::Rlcf => {
            let profile = profile.for_rlcf().ok_or_else(none)?;
            let told = tell(document, document.name(), across.record)?;
            Ok(rlcf::validate(document, &told, profile, (&across.thresholds.rlcf, &across.rlcf)))
        }
        System::Karenina => Err(none()),
    }
}

fn no_dataset(document: &Document, recognised: &Recognised) -> Diagnostic {
    let message = format!("the rules are about datasets and answers, and this is {}", recognised.dialect());
    Diagnostic::error("validate::profile", message)
        .at(SourceText::new(document.name().as_ref(), b"").place(0..0))
        .with_help(help![
            command("convert").with("FILE").with(setting("to").to("kwanzaa")),
            " makes a dataset of conversations"
        ])
}

fn no_such_rules(document: &Document, system: System, profile: ProfileName) -> Diagnostic {
    let message = format!("{system} has no rules of the name `{}`", profile.name());
    Diagnostic::error("validate::profile", message)
        .at(SourceText::new(document.name().as_ref(), b"").place(0..0))
}
