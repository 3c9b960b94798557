//! Writes the files that a conversion makes: into a folder, a file, or to stdout.

use super::Stop;
use super::output::write_text;
use super::output_folder::Destination;
use crate::convert::written::Written;

/// Writes files into a folder, all or none where one has no place; else one behind the other.
///
/// # Errors
///
/// Those of the output.
pub(super) fn write_files(files: Vec<Written>, destination: Destination<'_>) -> Result<(), Stop> {
    let Some(mut folder) = destination.folder() else {
        return files.iter().try_for_each(|file| write_text(&file.text, destination.path));
    };
    for Written { path, text } in files {
        folder.add(&path, text)?;
    }
    folder.write()
}
