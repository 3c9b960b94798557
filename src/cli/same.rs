//! Writes files as they were read, with what was changed: one to stdout or a file, several into a folder.

use super::output::write_text;
use super::output_folder::Destination;
use super::{Stop, output_form};
use crate::convert::same::{Changed, names_in_folder, same_files};
use crate::diagnostic::{Failure, Report};

/// Writes the files of all datasets.
///
/// # Errors
///
/// As [`same_files`], and those of the output.
pub(super) fn write_same(
    changed: &Changed,
    destination: Destination<'_>,
    report: &mut Report,
) -> Result<(), Stop> {
    let folder = destination.folder();
    let files = same_files(changed, folder.is_some(), report)?;
    if let (Some(path), None) = (destination.path, &folder) {
        files.iter().for_each(|file| report.add_all(&output_form::other_form(path, file.extensions)));
    }
    if report.has_failed() {
        return Err(Failure::Reported.into());
    }
    let Some(mut folder) = folder else {
        return files.iter().try_for_each(|file| write_text(&file.text, destination.path));
    };
    for (name, file) in names_in_folder(&changed.quads, &files).into_iter().zip(files) {
        folder.add(&name, file.text)?;
    }
    folder.write()
}
