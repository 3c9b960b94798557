//! Writes files back in their own form with all changes: one file to stdout or a file, several into a folder.

use super::output_folder::OutputDestination;
use super::{CommandStop, output_form, unless_failed};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::convert::same::{ChangedGraphs, SameFile, names_in_folder, same_files};
use evalgraph_formats::writing::WrittenFile;

/// Writes the files of all datasets.
///
/// # Errors
///
/// The errors of [`same_files`], and errors of the output.
pub(super) fn write_same(
    changed: &ChangedGraphs,
    destination: OutputDestination<'_>,
    report: &mut RunReport,
) -> Result<(), CommandStop> {
    let folder = destination.folder();
    let files = same_files(changed, folder.is_some(), report)?;
    if let (Some(path), None) = (destination.path, &folder) {
        files.iter().for_each(|file| report.add_all(&output_form::other_form(path, file.extensions)));
    }
    unless_failed(report)?;
    let names = folder.map_or(Vec::new(), |_| names_in_folder(&changed.quads, &files));
    let names = names.into_iter().chain(std::iter::repeat(String::new()));
    let written =
        files.into_iter().zip(names).map(|(SameFile { text, .. }, path)| WrittenFile { path, text });
    destination.write(written.collect())
}
