//! What a command reads: the files that are named, else the documents of the store.

use super::edited_text::edited_text;
use super::stored_document::kept_text;
use crate::diagnostic::help::{command, help, setting};
use crate::diagnostic::{Diagnostic, Failure, Report};
use crate::input::find::file_sources;
use crate::input::options::Inputs;
use crate::input::source::InputSource;

/// Finds all sources: the files that are named, else the documents of the store. Faults are reported.
///
/// # Errors
///
/// Stops where a source is missing and the rest is not wanted, where there is no rest, and where files
/// and a store are named.
pub(crate) fn sources(arguments: &Inputs, report: &mut Report) -> Result<Vec<InputSource>, Failure> {
    report.set_strictness(arguments.reading.strictness);
    if arguments.inputs.is_empty() {
        return stored_sources(arguments, report);
    }
    if arguments.store.store.is_some() {
        let message = "files and a store are named, and this reads one or the other";
        let fault = Diagnostic::error("input::store", message);
        let help = help![
            "leave ",
            setting("store"),
            " out, or load the files into the store first: ",
            command("load").with("FILES").with(setting("store").to("DIR"))
        ];
        return Err(fault.with_help(help).into());
    }
    file_sources(&arguments.inputs, report)
}

/// The documents of the store, each as the file that it was read from, with what was changed since.
fn stored_sources(arguments: &Inputs, report: &mut Report) -> Result<Vec<InputSource>, Failure> {
    let store = arguments.store.open()?;
    let most = arguments.reading.limits.size;
    let snapshot = store.snapshot()?;
    let mut sources = Vec::new();
    for document in snapshot.documents()? {
        let kept = if document.entry.is_edited { None } else { store.source_within(document, most)? };
        let text = match kept {
            Some(bytes) => kept_text(&document.entry, bytes),
            None => edited_text(&store, &snapshot, document, report)?,
        };
        sources.push(InputSource::Stored(text));
    }
    Ok(sources)
}
