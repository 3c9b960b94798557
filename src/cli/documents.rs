//! The way of every command from its arguments to documents: finds the inputs, reads them,
//! recognises their formats, and reports every fault of every one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::PathBuf;

use super::edited_text::edited_text;
use super::json_ld::JsonLd;
use super::store::StoreChoice;
use super::stored_document::kept_text;
use crate::diagnostic::{Diagnostic, Failure, Report, Severity, SourceText};
use crate::input::find::{find_parts, find_sources};
use crate::input::options::ReadingOptions;
use crate::input::source::{Begun, Input, InputSource};
use crate::input::syntax::Syntax;
use crate::jsonld::MediaType;
use crate::rdf::{self, RdfFormat};

/// What is read, and what happens when it is at fault.
#[derive(Debug, Clone, Default)]
pub(super) struct Inputs {
    /// Files, directories, glob patterns, URLs, or `-` for stdin; without any the documents of the store.
    pub(super) inputs: Vec<String>,
    pub(super) store: StoreChoice,
    pub(super) reading: ReadingOptions,
    /// Whether what can be done is done without the inputs that are at fault.
    pub(super) keep_going: bool,
}

/// Finds all sources: the files that are named, else the documents of the store. Faults are reported.
///
/// # Errors
///
/// Stops where a source is missing and the rest is not wanted, where there is no rest, and where files
/// and a store are named.
pub(super) fn sources(arguments: &Inputs, report: &mut Report) -> Result<Vec<InputSource>, Failure> {
    report.set_strictness(arguments.reading.strictness);
    if arguments.inputs.is_empty() {
        return stored_sources(arguments, report);
    }
    if arguments.store.store.is_some() {
        let message = "files and a store are named, and this reads one or the other";
        let fault = Diagnostic::error("input::store", message);
        let help =
            "leave `--store` out, or load the files into the store first: `evalgraph load FILES --store DIR`";
        return Err(fault.with_help(help).into());
    }
    file_sources(arguments, report)
}

/// Finds all files that are named. Faults are reported.
///
/// # Errors
///
/// As [`sources`].
pub(super) fn file_sources(arguments: &Inputs, report: &mut Report) -> Result<Vec<InputSource>, Failure> {
    let (sources, faults) = find_sources(&arguments.inputs);
    let mut sources = each_once(sources, report);
    find_parts(&mut sources);
    report.add_all(&faults);
    if sources.is_empty() && !faults.is_empty() {
        return Err(Failure::Reported);
    }
    Ok(sources)
}

/// Leaves out what was named before, be it by another path or by a link, with a note.
fn each_once(sources: Vec<InputSource>, report: &mut Report) -> Vec<InputSource> {
    let mut known: HashMap<PathBuf, String> = HashMap::new();
    let mut is_new = |source: &InputSource| {
        let file = match source {
            InputSource::File(path) | InputSource::Part(path, _) => path.canonicalize().ok(),
            InputSource::Url(url) => Some(PathBuf::from(url)),
            InputSource::Stdin | InputSource::Stored(_) => None,
        };
        let name = source.name();
        let Some(first) = file.and_then(|file| match known.entry(file) {
            Entry::Occupied(first) => Some(first.get().clone()),
            Entry::Vacant(free) => {
                free.insert(name.clone());
                None
            }
        }) else {
            return true;
        };
        let message = match name == first {
            true => "the file is named twice, and read once".to_owned(),
            false => format!("the file is `{first}` again, and read once"),
        };
        let note = Diagnostic::new(Severity::Note, "input::twice", message);
        report.add(&note.at(SourceText::new(name.as_str(), b"").place(0..0)));
        false
    };
    sources.into_iter().filter(|source| is_new(source)).collect()
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
            None => edited_text((&store, &snapshot), document, report)?,
        };
        sources.push(InputSource::Stored(text));
    }
    Ok(sources)
}

/// Reads a source and recognises its format; none where it is at fault, which is reported.
pub(super) fn open(
    source: &InputSource,
    json_ld: &JsonLd,
    arguments: &ReadingOptions,
    report: &mut Report,
) -> Option<(Input, RdfFormat)> {
    let begun = json_ld.begin(source).map_err(|fault| report.add(&fault)).ok()?;
    open_begun(begun, json_ld, arguments, report)
}

/// As [`open`], of an input of which the beginning was read.
pub(super) fn open_begun(
    begun: Begun,
    json_ld: &JsonLd,
    arguments: &ReadingOptions,
    report: &mut Report,
) -> Option<(Input, RdfFormat)> {
    let mut input = match json_ld.read_rest(begun) {
        Ok(input) => input,
        Err(fault) => {
            report.add(&fault);
            return None;
        }
    };
    if let Some(format) = arguments.named_format() {
        return Some((input, format));
    }
    if input.syntax != Syntax::Json {
        return Some((input, RdfFormat::JsonLd));
    }
    if let Some(syntax) = Syntax::of(&input.name, &input.bytes) {
        input.syntax = syntax;
        return Some((input, RdfFormat::JsonLd));
    }
    if arguments.named_system().is_some() {
        return Some((input, RdfFormat::JsonLd));
    }
    if let Some(format) = format_of_server(&input) {
        return Some((input, format));
    }
    if let Some(arrival) = &mut input.arrival {
        // What says nothing of the content must not overrule it.
        arrival.media_type = None;
    }
    match rdf::detect(&input.name, &input.bytes) {
        Ok(detection) => {
            report.add_all(&detection.note);
            Some((input, detection.format))
        }
        Err(fault) => {
            report.add(&fault);
            None
        }
    }
}

/// The format that the server of an input gave, if it says one.
pub(super) fn format_of_server(input: &Input) -> Option<RdfFormat> {
    format_of(input.arrival.as_ref()?.media_type.as_ref()?)
}

/// The format of a media type that a server gave; none where servers give it to anything.
fn format_of(media_type: &MediaType) -> Option<RdfFormat> {
    match media_type.essence() {
        "text/plain" | "application/xml" | "text/xml" => None,
        _ if media_type.is_html() => Some(RdfFormat::JsonLd),
        essence => RdfFormat::from_media_type(essence),
    }
}

/// Ends the run where something failed, unless the rest is wanted in spite of it.
///
/// # Errors
///
/// [`Failure::Reported`].
pub(super) fn check(arguments: &Inputs, report: &Report) -> Result<(), Failure> {
    if report.has_failed() && !arguments.keep_going { Err(Failure::Reported) } else { Ok(()) }
}
