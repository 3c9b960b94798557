//! Repairs a store: reads damaged documents again, from their kept texts or from their files, and reports the outcome
//! for each.

use std::collections::HashSet;

use super::damage::{SourceFile, dropping, tell};
use super::new_documents::load_group;
use super::oversight::WritingProcess;
use super::stored_document::{kept_text, part_of};
use crate::input::clock::RunClock;
use crate::input::files_read::FilesRead;
use crate::input::input_options::{IriOptions, ReadingOptions, RunInputs, StoreChoice};
use crate::input::path_text::path_of;
use crate::input::source::InputSource;
use crate::load::dataset_document::in_datasets;
use crate::load::document_loading::DocumentLoading;
use crate::load::read_session::{JsonLdSettings, ReadSession};
use evalgraph_diagnostics::help::{command, help};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport};
use evalgraph_json::Limits;
use evalgraph_store::{DocumentEntry, NewDocument, StoreFolder, StoreRepair, StoredDocument};

/// The settings for repairing a store.
#[derive(Debug, Clone, Copy)]
pub struct StoreRepairOptions<'m> {
    /// `true` to write all graphs again, without unused terms.
    pub compacts: bool,
    /// The store, as the user named it.
    pub store: &'m StoreChoice,
    /// The time of the run.
    pub clock: RunClock,
    /// How IRIs are resolved and contexts are found.
    pub iris: &'m IriOptions,
    /// The options of the JSON-LD API.
    pub json_ld: &'m JsonLdSettings,
}

/// Repairs a store with a repair that has begun. Returns whether the store is now intact.
///
/// # Errors
///
/// `store::lost-graph` if all graphs have to be written again and one cannot be read; and errors of the store.
pub fn mend(
    store: &StoreFolder,
    mut repair: StoreRepair,
    mending: StoreRepairOptions<'_>,
    writer: &WritingProcess<'_>,
    report: &mut RunReport,
) -> Result<bool, RunFailure> {
    tell(repair.examination(), |_| Vec::new(), report);
    for document in read_again(mending, store, &repair, report)? {
        repair.put(document);
    }
    let left: Vec<&DocumentEntry> = repair.left().map(|damaged| &damaged.document.entry).collect();
    let is_anew = mending.compacts || !repair.examination().terms.is_empty();
    if is_anew && !left.is_empty() {
        return Err(not_anew(&left, mending.store).into());
    }
    for entry in &left {
        let message = format!(
            "the graph `{}` cannot be read from the store or from its file, and stays as it is",
            entry.graph
        );
        let drop = dropping([entry.graph.as_str()], mending.store);
        report.add(&Diagnostic::warning("store::lost-graph", message).with_help(help![drop, " gives it up"]));
    }
    let has_texts = repair.lost_texts().next().is_some();
    for graph in repair.lost_texts() {
        let message =
            format!("the text that was kept of `{graph}` is lost, and its file has changed or is gone");
        let help = help![command("dump"), " writes the graph; drop it, then load what was written"];
        report.add(&Diagnostic::warning("store::lost-text", message).with_help(help));
    }
    for damaged in repair.examination().damaged.iter().filter(|damaged| damaged.is_readable()) {
        let graph = &damaged.document.entry.graph;
        let message = format!("the graph `{graph}` is written again: nothing is lost");
        report.add(&Diagnostic::new(FindingSeverity::Note, "store::repaired", message));
    }
    let is_whole = left.is_empty() && !has_texts;
    if repair.has_work() || mending.compacts {
        repair.commit_unless(mending.compacts, || writer.oversight.settle())?;
    }
    let message = if is_whole { "the store is whole" } else { "the rest of the store is whole" };
    report.add(&Diagnostic::new(FindingSeverity::Note, "store::whole", message));
    Ok(is_whole)
}

/// Returns the error if all graphs have to be written again, and some cannot be read.
fn not_anew(left: &[&DocumentEntry], store: &StoreChoice) -> Diagnostic {
    let names: Vec<String> = left.iter().map(|entry| format!("`{}`", entry.graph)).collect();
    let names = names.join(", ");
    let message = format!(
        "all graphs have to be written again, but the content of {names} is lost; nothing was changed"
    );
    let drop = dropping(left.iter().map(|entry| entry.graph.as_str()), store);
    Diagnostic::error("store::lost-graph", message)
        .with_help(help![drop, " drops the lost graphs; then this works"])
}

/// Reads documents again that are damaged in all orders, or whose kept text is lost.
fn read_again(
    mending: StoreRepairOptions<'_>,
    store: &StoreFolder,
    repair: &StoreRepair,
    report: &mut RunReport,
) -> Result<Vec<NewDocument>, RunFailure> {
    let reading = ReadingOptions {
        limits: Limits { size: u64::MAX, ..Limits::default() },
        ..ReadingOptions::default()
    };
    let session = ReadSession::new(mending.iris, mending.json_ld, &reading)?;
    let session = ReadSession { is_hashed: true, ..session };
    let input = RunInputs {
        store: mending.store.clone(),
        reading,
        clock: mending.clock,
        keep_going: true,
        ..RunInputs::default()
    };
    let loader = DocumentLoading::new(&input, &session, false, false);
    let wanted = wanted(repair);
    let is_wanted = |document: &&StoredDocument| wanted.contains(document.entry.graph.as_str());
    let source = |document: &StoredDocument| {
        Some(InputSource::Stored(kept_text(&document.entry, text_of(store, document)?)))
    };
    let sources = repair.documents().iter().filter(is_wanted).filter_map(source).collect();
    // A document that cannot be read again is reported in one finding.
    let mut part = report.part();
    let (named, _) = loader.open_sources(sources, None, &Default::default(), &mut part);
    let groups = in_datasets(named).into_iter();
    let loaded = groups.filter_map(|group| load_group(&loader, None, group, &mut part).ok()).flatten();
    let mut documents = Vec::new();
    for (_, document) in loaded {
        let entry = &document.entry;
        let Some(before) = repair.documents().iter().find(|known| known.entry.graph == entry.graph) else {
            continue;
        };
        let edits = if before.entry.is_edited { "; the changes that updates made are lost" } else { "" };
        let message = format!("the graph `{}` is read again from the text of its file{edits}", entry.graph);
        report.add(&Diagnostic::new(FindingSeverity::Note, "store::read-again", message));
        let entry = DocumentEntry { quads: entry.quads, is_edited: false, ..before.entry.clone() };
        documents.push(NewDocument { entry, ..document });
    }
    Ok(documents)
}

/// Returns the graphs to read again.
fn wanted(repair: &StoreRepair) -> HashSet<&str> {
    let examination = repair.examination();
    let mut wanted: HashSet<&str> =
        repair.left().map(|damaged| damaged.document.entry.graph.as_str()).collect();
    let is_unchanged = |graph: &str| {
        let known = repair.documents().iter().find(|known| known.entry.graph == graph);
        known.is_some_and(|known| {
            !known.entry.is_edited && SourceFile::from_document(known) == SourceFile::Same
        })
    };
    let texts = examination.texts.iter().map(|(graph, _)| graph.as_str());
    wanted.extend(texts.filter(|graph| is_unchanged(graph)));
    // The catalog entries about a task depend on all parts of a dataset.
    let datasets: HashSet<&str> = repair
        .documents()
        .iter()
        .filter(|document| {
            wanted.contains(document.entry.graph.as_str()) && part_of(&document.entry).is_some()
        })
        .map(|document| document.entry.dataset.as_str())
        .collect();
    let parts = repair.documents().iter().map(|document| &document.entry).filter(|entry| {
        part_of(entry).is_some() && !entry.is_edited && datasets.contains(entry.dataset.as_str())
    });
    wanted.extend(parts.map(|entry| entry.graph.as_str()));
    wanted
}

/// Returns the text that a document was read from: the kept text, or else its file if it has not changed.
fn text_of(store: &StoreFolder, document: &StoredDocument) -> Option<Vec<u8>> {
    if let Ok(Some(text)) = store.source(document) {
        return Some(text);
    }
    let source = document.entry.source.as_ref()?;
    if SourceFile::from_document(document) != SourceFile::Same {
        return None;
    }
    Some(InputSource::File(path_of(&source.path)).read(u64::MAX, &FilesRead::default()).ok()?.bytes)
}
