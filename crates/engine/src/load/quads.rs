//! Loads documents into one buffer of quads, each into its document graph, as `query` does. Adds sidecars and the
//! catalog if wanted.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::dataset_document::{DatasetDocument, links_of};
use super::dataset_names::StoredNames;
use super::document::{Document, DocumentContent};
use super::document_loading::DocumentLoading;
use super::document_quads::{QuadChanges, QuadChangesMade, QuadRules};
use super::loaded_document_facts::{LoadingChanges, all_changes};
use super::read_session::ReadSession;
use super::record_recognition::base;
use crate::input::input_options::RunInputs;
use crate::input::source::InputSource;
use evalgraph_diagnostics::{Diagnostic, ReportedResult, RunFailure, RunReport, SourceText};
use evalgraph_formats::catalog;
use evalgraph_formats::checkpoint::writer::Version2Shape;
use evalgraph_formats::corpus::EvaluationLink;
use evalgraph_formats::records::RecognisedRecords;
use evalgraph_formats::rewriting::{DocumentLayout, IndexedGraph, QuadsByGraph};
use evalgraph_formats::sidecar::{self, FileLayout, TracedDocument, version_2_sidecar};
use evalgraph_json::JsonDocument;
use evalgraph_jsonld::ReplacedIds;
use evalgraph_rdf::quad_buffer::{BufferTermId, NodeTokens};
use evalgraph_rdf::{InGraph, QuadBuffer};

/// A graph that is written beside the document graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompanionGraph {
    /// The properties of each file that RDF cannot express: order, spelling, meaningless keys.
    Sidecar,
    /// The keys of every question, and the origin of each file.
    Catalog,
    /// Sidecars for immediate use, before anything is changed.
    SidecarAtOnce,
}

/// Loads sources into a buffer.
///
/// # Errors
///
/// An input that is at fault, unless `keep_going` is set. All inputs are checked first.
pub fn load_quads(
    loader: &DocumentLoading<'_>,
    sources: Vec<InputSource>,
    dataset: Option<&str>,
    with: &[CompanionGraph],
    report: &mut RunReport,
) -> Result<QuadBuffer, RunFailure> {
    let (named, _progress) = loader.open_sources(sources, dataset, &StoredNames::default(), report);
    load_named(loader, &named, with, report)
}

/// Loads opened documents into a buffer.
///
/// # Errors
///
/// The errors of [`load_quads`].
pub fn load_named(
    loader: &DocumentLoading<'_>,
    named: &[DatasetDocument],
    with: &[CompanionGraph],
    report: &mut RunReport,
) -> Result<QuadBuffer, RunFailure> {
    let mut quads = QuadBuffer::new();
    if loader.tells_places {
        quads.keep_places();
    }
    let mut changes = Vec::with_capacity(named.len());
    let time = loader.input.clock.now()?;
    for document in named {
        let before = quads.len();
        match load_one(loader, document, with, time, &mut quads, report) {
            Ok(changed) => changes.push(changed),
            Err(_) => quads.truncate(before),
        }
    }
    if with.contains(&CompanionGraph::Catalog) {
        add_parts_to_catalog(loader, named, time, &mut quads, report);
        add_links_to_catalog(named, &mut quads);
    }
    loader.input.check(report)?;
    if !loader.tells_changes {
        report.add_all(&all_changes(changes.into_iter()));
    }
    Ok(quads)
}

/// Adds the catalog entries of documents that are parts of one dataset, after all parts are in the buffer.
fn add_parts_to_catalog(
    loader: &DocumentLoading<'_>,
    named: &[DatasetDocument],
    time: DateTime<Utc>,
    quads: &mut QuadBuffer,
    report: &mut RunReport,
) {
    let mut parts: Vec<&DatasetDocument> = named.iter().filter(|named| named.part.is_some()).collect();
    parts.sort_by(|a, b| a.dataset.cmp(&b.dataset));
    let mut found = Vec::new();
    let all = QuadsByGraph::new(quads);
    for parts in parts.chunk_by(|a, b| a.dataset == b.dataset) {
        let graphs = || parts.iter().filter_map(|part| Some((part, quads.find_iri(&part.graph())?)));
        let of_parts = graphs().flat_map(|(_, graph)| all.quads_of(Some(graph))).copied().collect::<Vec<_>>();
        let whole = loader.tasks_of(&IndexedGraph::with_quads(quads, of_parts.iter()), report);
        for (part, graph) in graphs() {
            let graph = all.graph(Some(graph));
            let triples = graph.statement_count() as u64;
            let entries = loader.entries_of(&graph, Some(&whole), report);
            found.extend(entries.map(|entries| (*part, entries, triples)));
        }
    }
    for (part, entries, triples) in found {
        part.catalog_entries(&entries, time, triples, quads, |node| node);
    }
}

/// Adds to the catalog the statements that follow from several evaluation files.
fn add_links_to_catalog(named: &[DatasetDocument], quads: &mut QuadBuffer) {
    if !named.iter().any(DatasetDocument::is_evaluation) {
        return;
    }
    let of_evaluations = named.iter().filter(|named| named.rows_kind().is_some());
    let of_evaluations: Vec<(&DatasetDocument, Option<BufferTermId>)> =
        of_evaluations.map(|named| (named, quads.find_iri(&named.graph()))).collect();
    let all = QuadsByGraph::new(quads);
    let graphs: Vec<IndexedGraph<'_>> = of_evaluations.iter().map(|(_, graph)| all.graph(*graph)).collect();
    let links = links_of(of_evaluations.iter().zip(&graphs).map(|((named, _), graph)| (*named, graph)));
    drop(graphs);
    for EvaluationLink { subject, property, object, .. } in &links {
        catalog::encode_link(subject, property, object, quads);
    }
}

/// Loads one document into a buffer as its own graph, with the wanted companion graphs.
///
/// # Errors
///
/// If the document is at fault, which is reported.
pub fn load_one(
    loader: &DocumentLoading<'_>,
    named: &DatasetDocument,
    with: &[CompanionGraph],
    time: DateTime<Utc>,
    quads: &mut QuadBuffer,
    report: &mut RunReport,
) -> ReportedResult<LoadingChanges> {
    let (name, content) = (named.graph(), &named.opened.content);
    let has_sidecar =
        with.iter().any(|with| matches!(with, CompanionGraph::Sidecar | CompanionGraph::SidecarAtOnce));
    if has_sidecar && matches!(content, DocumentContent::Json { .. }) {
        quads.keep_node_tokens();
    }
    let before = quads.len();
    let made = loader.fill(named, &mut InGraph::new(quads, &name), report);
    // The tokens are taken even after a fault, or the next document would add to them.
    let nodes = quads.take_node_tokens().unwrap_or_default();
    let QuadChangesMade { counts, replaced_ids } = made?;
    // The sidecar and the catalog go into the same buffer, so the triples are counted before.
    let triples = (quads.len() - before) as u64;
    let term = quads.find_iri(&name);
    let of_document = quads.quads()[before..].iter().filter(move |quad| quad.graph == term);
    let graph = IndexedGraph::with_quads(quads, of_document);
    // The catalog entries of a part follow from all parts of its dataset.
    let has_entries =
        with.contains(&CompanionGraph::Catalog) && named.part.is_none() && content.is_in_catalog();
    let entries = has_entries.then(|| loader.entries_of(&graph, None, report)).transpose()?;
    let sidecar = match content {
        DocumentContent::Json { document, .. } if has_sidecar => {
            let sidecar = json_ld_sidecar(loader, named, document, &nodes, &replaced_ids, &graph);
            if sidecar.is_none() {
                report.add(&not_kept(&named.opened.origin.name));
            }
            sidecar
        }
        DocumentContent::Records { file, recognised } if has_sidecar => {
            record_sidecar(loader, named, file, recognised, &graph, report)?
        }
        _ => None,
    };
    if let Some(mut sidecar) = sidecar {
        let is_at_once = with.contains(&CompanionGraph::SidecarAtOnce);
        sidecar.layout.digest = Some(match is_at_once {
            true => sidecar::UNCHANGED.to_owned(),
            false => sidecar::graph_digests(&graph),
        });
        sidecar::encode(&sidecar.layout, sidecar.root, &name, &sidecar.dialect, quads);
        if let Some(file) = sidecar.file {
            file.encode(&name, quads);
        }
    }
    if let Some(entries) = entries {
        named.catalog_entries(&entries, time, triples, quads, |node| node);
    }
    Ok(counts)
}

/// The sidecar of a document, before it is written beside the document's graph.
struct DocumentSidecar {
    root: BufferTermId,
    layout: DocumentLayout,
    dialect: String,
    /// The layout of a file that is not JSON-LD.
    file: Option<FileLayout>,
}

/// Returns the sidecar of a JSON-LD document, or `None` if no sidecar can restore it. `nodes` are its nodes by their
/// tokens, and the new ids by the tokens whose ids were replaced.
fn json_ld_sidecar(
    loader: &DocumentLoading<'_>,
    named: &DatasetDocument,
    document: &Arc<JsonDocument>,
    nodes: &NodeTokens,
    replaced_ids: &ReplacedIds,
    graph: &IndexedGraph<'_>,
) -> Option<DocumentSidecar> {
    let Document { origin, content: DocumentContent::Json { file, detection, .. }, .. } = &named.opened
    else {
        return None;
    };
    let (root, layout) = loader.session.with_loader(origin, |contexts, options| {
        let bases = [&options.context_base, &options.document_url, &options.base];
        let base = bases.into_iter().flatten().next().map(String::as_str);
        sidecar::difference(graph, TracedDocument { document, nodes, replaced_ids, loader: contexts, base })
    })?;
    let dialect = if loader.is_plain { "" } else { detection.dialect.id() }.to_owned();
    let shape = Version2Shape::from_dialect(detection.dialect);
    let file = shape.and_then(|shape| version_2_sidecar::file_layout(file, document, shape));
    Some(DocumentSidecar { root, layout, dialect, file })
}

/// Returns the sidecar of a file of records, or `None` if the file has no node in its graph.
fn record_sidecar(
    loader: &DocumentLoading<'_>,
    named: &DatasetDocument,
    file: &JsonDocument,
    recognised: &RecognisedRecords,
    graph: &IndexedGraph<'_>,
    report: &mut RunReport,
) -> ReportedResult<Option<DocumentSidecar>> {
    let base = base(recognised, &named.dataset);
    let Some(root) = graph.quads().find_iri(base.trim_end_matches(':')) else { return Ok(None) };
    let notation = named.opened.origin.syntax.notation(&loader.session.reading.rows);
    let layout = sidecar::record_sidecar::file_layout(file, graph, root, &recognised.shape, notation);
    let file = Some(report.ok_or_report(layout)?);
    let dialect = recognised.dialect();
    Ok(Some(DocumentSidecar { root, layout: DocumentLayout::default(), dialect, file }))
}

fn not_kept(name: &str) -> Diagnostic {
    let message = "the document is not a tree of nodes under its own context, so no sidecar can restore it";
    Diagnostic::warning("sidecar::not-kept", message).at(SourceText::new(name, b"").place(0..0))
}

/// Reads sources into one buffer, with these changes in each document. A source that is at fault leaves nothing in the
/// buffer.
///
/// # Errors
///
/// An input that is at fault, unless `keep_going` is set. All inputs are read first.
pub fn read_all(
    sources: &[InputSource],
    input: &RunInputs,
    session: &ReadSession,
    changes: QuadChanges,
    report: &mut RunReport,
) -> Result<QuadBuffer, RunFailure> {
    let progress = input.reading.watch.begin("reading", sources.iter().map(InputSource::size).sum());
    let mut quads = QuadBuffer::new();
    for source in sources {
        progress.at(&source.name());
        let before = quads.len();
        let read = Document::read(source, session, report)
            .and_then(|document| document.quads_into(QuadRules::new(changes), session, &mut quads, report));
        if read.is_err() {
            quads.truncate(before);
        }
        progress.advance(source.size());
    }
    input.check(report)?;
    Ok(quads)
}
