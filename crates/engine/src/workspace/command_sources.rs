//! The sources of a command: the named files, the graphs of a server, or else the documents of the store, each as its
//! current file.

use std::collections::HashSet;

use super::restored_text::{as_n_quads, restored_text, with_what_is_asked};
use super::server_sources::server_sources;
use super::stored_document::{kept_text, name_of};
use crate::input::find::{file_sources, leave_out};
use crate::input::input_options::RunInputs;
use crate::input::source::{InputSource, StoredText};
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport, SourceText};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::minted::{document_name, is_beside_documents};
use evalgraph_store::{DocumentGraph, EncodedQuad, StoreFolder, StoreSnapshot, StoredDocument};

/// Finds all sources: the named files, or else the documents of the store. Faults are reported.
///
/// # Errors
///
/// A missing source, if `keep_going` is not set or no source is left; and files named together with a store.
pub fn sources(arguments: &RunInputs, report: &mut RunReport) -> Result<Vec<InputSource>, RunFailure> {
    report.set_strictness(arguments.reading.strictness);
    if let Some(server) = &arguments.endpoint {
        return server_sources(&**server, report);
    }
    let mut sources = first_sources(arguments, report)?;
    if !arguments.further.is_empty() {
        let further = file_sources(&arguments.further, report)?;
        arguments.reading.found.note(&further, &arguments.further);
        let known: HashSet<String> = sources.iter().map(InputSource::name).collect();
        sources.extend(further.into_iter().filter(|source| !known.contains(&source.name())));
    }
    Ok(sources)
}

/// Finds the named files, or else the documents of the store.
fn first_sources(arguments: &RunInputs, report: &mut RunReport) -> Result<Vec<InputSource>, RunFailure> {
    if arguments.inputs.is_empty() {
        return stored_sources(arguments, report);
    }
    if arguments.store.store.is_some() {
        let message = "files and a store are named, but only one of them can be read";
        let fault = Diagnostic::error("input::store", message);
        let help = help![
            "leave ",
            setting("store"),
            " out, or load the files into the store first: ",
            command("load").with("FILES").with(setting("store").to("DIR"))
        ];
        return Err(fault.with_help(help).into());
    }
    let mut sources = named_sources(arguments, report)?;
    report.add_all(&leave_out(&arguments.beside, &arguments.inputs, &mut sources));
    Ok(sources)
}

/// Returns the files and URLs that the arguments name or find.
///
/// # Errors
///
/// If none of them exists.
pub fn named_sources(arguments: &RunInputs, report: &mut RunReport) -> Result<Vec<InputSource>, RunFailure> {
    let sources = file_sources(&arguments.inputs, report)?;
    arguments.reading.found.note(&sources, &arguments.inputs);
    Ok(sources)
}

/// Returns the documents of the store, each as the file that it was read from, with later changes. If `keep_going` is
/// set, a document at fault does not prevent the others from being read.
fn stored_sources(arguments: &RunInputs, report: &mut RunReport) -> Result<Vec<InputSource>, RunFailure> {
    let store = arguments.store.open()?;
    let snapshot = store.snapshot()?;
    let mut sources = Vec::new();
    for document in snapshot.documents()? {
        match stored_source(&store, &snapshot, document, report) {
            Ok(source) => sources.push(source),
            Err(RunFailure::Fault(fault)) => {
                let whole = SourceText::new(name_of(&document.entry), b"").place(0..0);
                report.add(&if fault.place.is_some() { *fault } else { fault.at(whole) });
                arguments.check(report)?;
            }
            Err(failure) => return Err(failure),
        }
    }
    match sources.is_empty() {
        true if report.has_failed() => Err(RunFailure::Reported),
        _ => Ok(sources),
    }
}

/// Returns a document of the store as the file that it was read from, with later changes.
///
/// # Errors
///
/// A store that is damaged, and a file that can no longer be written.
pub fn stored_source(
    store: &StoreFolder,
    snapshot: &StoreSnapshot,
    document: &StoredDocument,
    report: &mut RunReport,
) -> Result<InputSource, RunFailure> {
    let kept = if document.entry.is_edited { None } else { store.compressed_source(document)? };
    Ok(InputSource::Stored(match kept {
        Some(text) => kept_text(&document.entry, text.into_bytes()),
        None => edited_text(store, snapshot, document, report)?,
    }))
}

/// Returns the text of a document that an update has changed or created: its file if it has a sidecar, otherwise
/// N-Quads.
///
/// # Errors
///
/// A store that is damaged, and a file that can no longer be written.
fn edited_text(
    store: &StoreFolder,
    snapshot: &StoreSnapshot,
    document: &StoredDocument,
    report: &mut RunReport,
) -> Result<StoredText, RunFailure> {
    let graphs = store.graphs_of(document)?;
    let terms = snapshot.dataset().dictionary();
    let mut quads = QuadBuffer::new();
    terms.copy_into(graphs.iter().flat_map(DocumentGraph::quads), &mut quads);
    check(snapshot)?;
    let (entry, name) = (&document.entry, name_of(&document.entry));
    if let Some(restored) = restored_text(&quads, &entry.graph, &name, report)? {
        let before = store.source(document)?;
        let before = before.as_deref().and_then(|before| str::from_utf8(before).ok()).unwrap_or_default();
        let text = with_what_is_asked(restored.system, before, restored.text);
        return Ok(kept_text(entry, text.into_bytes()));
    }
    // Quads that are outside of named graphs in a file go to a graph that is named after the file.
    let is_named_after_file = document_name(&entry.graph).is_some();
    let mut bytes = Vec::new();
    for graph in graphs.iter().filter(|graph| !is_beside_documents(terms.lexical(graph.name))) {
        let name = (!graph.is_default || !is_named_after_file).then_some(graph.name);
        for quad in graph.quads() {
            terms.write_n_quad(EncodedQuad { graph: name, ..quad }, &mut bytes);
        }
    }
    check(snapshot)?;
    Ok(StoredText { name: as_n_quads(&name), is_graph: true, ..kept_text(entry, bytes) })
}

fn check(snapshot: &StoreSnapshot) -> Result<(), RunFailure> {
    match snapshot.dataset().fault() {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(()),
    }
}
