//! `evalgraph validate` for files of systems that are no JSON-LD.

use std::path::Path;

use super::corpus::corpus_beside;
use super::profile::ProfileName;
use crate::diagnostic::validation::ValidationReport;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::json::{Document, Encoding};
use crate::source::records::Recognised;
use crate::source::system::System;
use crate::source::train::rules as train;

/// Where a file comes from.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileOrigin<'f> {
    /// Its path, where it is one.
    pub(super) path: Option<&'f Path>,
    /// Whether the directory that it lies in was named, not the file.
    pub(super) is_of_directory: bool,
    /// The encoding that it was in.
    pub(super) encoding: Encoding,
}

impl<'f> FileOrigin<'f> {
    pub(super) fn of(path: Option<&'f Path>, encoding: Encoding, inputs: &[String]) -> Self {
        let parent = path.and_then(Path::parent);
        let is_of_directory = inputs.iter().any(|input| parent == Some(Path::new(input)));
        Self { path, is_of_directory, encoding }
    }
}

/// Checks a file by the rules of its system.
///
/// # Errors
///
/// `validate::profile` where the system has no rules of that name, `input::unreadable` where a corpus
/// cannot be looked through.
pub(super) fn check_records(
    (document, recognised): (&Document, &Recognised),
    profile: Option<ProfileName>,
    origin: FileOrigin<'_>,
) -> Result<ValidationReport, Box<Diagnostic>> {
    let profile = profile.unwrap_or(ProfileName::Seed);
    let none = || Box::new(no_such_rules(document, recognised.system, profile));
    match recognised.system {
        System::Train => {
            let profile = profile.for_train().ok_or_else(none)?;
            let corpus = origin.path.map_or(Ok(None), corpus_beside)?;
            let path = origin.path.and_then(Path::parent).unwrap_or(Path::new("")).display().to_string();
            let directory = train::Directory { path: &path, corpus: corpus.as_ref() };
            let directory = Some(directory).filter(|_| corpus.is_some() || origin.is_of_directory);
            let file = train::TrainFile { document, encoding: origin.encoding, directory };
            Ok(train::validate(&file, profile, &train::Settings::default()))
        }
        System::Karenina | System::Kwanzaa | System::Rlcf => Err(none()),
    }
}

fn no_such_rules(document: &Document, system: System, profile: ProfileName) -> Diagnostic {
    let message = format!("{system} has no rules of the name `{}`", profile.name());
    Diagnostic::error("validate::profile", message)
        .at(SourceText::new(document.name().as_ref(), b"").place(0..0))
}
