//! `evalgraph validate` for files of systems that are no JSON-LD.

use std::path::Path;

use super::profile::ProfileName;
use crate::diagnostic::validation::ValidationReport;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::json::{Document, Encoding};
use crate::source::records::Recognised;
use crate::source::system::System;
use crate::source::train::rules as train;

/// Checks a file by the rules of its system.
///
/// # Errors
///
/// `validate::profile` where the system has no rules of that name.
pub(super) fn check_records(
    (document, recognised): (&Document, &Recognised),
    profile: Option<ProfileName>,
    _path: Option<&Path>,
) -> Result<ValidationReport, Box<Diagnostic>> {
    let profile = profile.unwrap_or(ProfileName::Seed);
    let none = || Box::new(no_such_rules(document, recognised.system, profile));
    match recognised.system {
        System::Train => {
            let profile = profile.for_train().ok_or_else(none)?;
            let file = train::TrainFile { document, encoding: Encoding::Utf8, directory: None };
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
