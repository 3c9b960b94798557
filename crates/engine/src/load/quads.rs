//! Loads documents into one buffer of quads, each into its document graph, as `query` does. Adds sidecars and the
//! catalog if wanted.

use chrono::{DateTime, Utc};

use super::dataset_document::{DatasetDocument, links_of};
use super::dataset_names::StoredNames;
use super::document_loading::{DocumentLoading, how};
use super::document_opening::FaultyIds;
use super::loaded_document_facts::{LoadingChanges, all_changes};
use super::read_session::JsonLd;
use super::recognised_document::DocumentContent;
use super::record_recognition::base;
use crate::input::input_options::RunInputs;
use crate::input::source::InputSource;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport, SourceText};
use evalgraph_formats::catalog;
use evalgraph_formats::karenina::writer::Version2Shape;
use evalgraph_formats::rewriting::{DocumentLayout, IndexedGraph, QuadsByGraph};
use evalgraph_formats::sidecar::{self, TracedDocument, version_2_sidecar};
use evalgraph_formats::train::EvaluationLink;
use evalgraph_rdf::quad_buffer::BufferTermId;
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
            Some(changed) => changes.push(changed),
            None => quads.truncate(before),
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
    let of_evaluations = named.iter().filter(|named| named.train_kind().is_some());
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

/// Loads one document into a buffer as its own graph, with the wanted companion graphs. `None` if the document is at
/// fault, which is reported.
pub fn load_one(
    loader: &DocumentLoading<'_>,
    named: &DatasetDocument,
    with: &[CompanionGraph],
    time: DateTime<Utc>,
    quads: &mut QuadBuffer,
    report: &mut RunReport,
) -> Option<LoadingChanges> {
    let name = named.graph();
    if let DocumentContent::Records { .. } = &named.opened.content {
        return load_records(loader, named, with, time, quads, report);
    }
    let DocumentContent::Json { document, survey, file, detection } = &named.opened.content else {
        return loader.fill(named, &mut InGraph::new(quads, &name), report);
    };
    if has_sidecar(with) {
        quads.keep_node_tokens();
    }
    let before = quads.len();
    let adaptation = loader.adapt(document, survey, &named.dataset, report);
    let replaced_ids = adaptation.as_ref().map(|adaptation| adaptation.load_mode.replaced_ids.clone());
    let dialect = adaptation.as_ref().map(|_| detection.dialect);
    let mut sink = InGraph::new(quads, &name);
    let origin = &named.opened.origin;
    let (mode, ids) = how(adaptation);
    let converted = loader.convert(document, origin, mode, &mut sink, report);
    // The tokens are taken even after a fault, or the next document would add to them.
    let nodes = quads.take_node_tokens();
    converted?;
    let triples = (quads.len() - before) as u64;
    let term = quads.find_iri(&name);
    let graph = IndexedGraph::with_quads(
        quads,
        quads.quads()[before..].iter().filter(move |quad| quad.graph == term),
    );
    let entries = match with.contains(&CompanionGraph::Catalog) {
        true => Some(loader.entries_of(&graph, None, report)?),
        false => None,
    };
    let digest_of_graph = nodes.is_some().then(|| digest(&graph, with));
    let kept = nodes.map(|nodes| {
        loader.json_ld.with_loader(origin, |contexts, options| {
            let bases = [&options.context_base, &options.document_url, &options.base];
            let base = bases.into_iter().flatten().next().map(String::as_str);
            let replaced_ids = replaced_ids.unwrap_or_default();
            let source = TracedDocument {
                document,
                nodes: &nodes,
                replaced_ids: &replaced_ids,
                loader: contexts,
                base,
            };
            sidecar::difference(&graph, source)
        })
    });
    match kept {
        Some(Some((root, mut layout))) => {
            layout.digest = digest_of_graph;
            let dialect = dialect.map_or("", |dialect| dialect.id());
            sidecar::encode(&layout, root, &name, dialect, quads);
            let shape = Version2Shape::from_dialect(detection.dialect);
            if let Some(file) = shape.and_then(|shape| version_2_sidecar::file_layout(file, document, shape))
            {
                file.encode(&name, quads);
            }
        }
        Some(None) => report.add(&not_kept(&named.opened.origin.name)),
        None => {}
    }
    if let Some(entries) = entries {
        named.catalog_entries(&entries, time, triples, quads, |node| node);
    }
    Some(LoadingChanges { ids })
}

/// Loads a records file: its graph, its sidecar and its catalog entries.
fn load_records(
    loader: &DocumentLoading<'_>,
    named: &DatasetDocument,
    with: &[CompanionGraph],
    time: DateTime<Utc>,
    quads: &mut QuadBuffer,
    report: &mut RunReport,
) -> Option<LoadingChanges> {
    let DocumentContent::Records { file, recognised } = &named.opened.content else { return None };
    let name = named.graph();
    let before = quads.len();
    let changes = loader.fill(named, &mut InGraph::new(quads, &name), report)?;
    // The sidecar and the catalog go into the same buffer, so the triples are counted before.
    let triples = (quads.len() - before) as u64;
    let term = quads.find_iri(&name);
    let graph = IndexedGraph::with_quads(
        quads,
        quads.quads()[before..].iter().filter(move |quad| quad.graph == term),
    );
    let base = base(recognised, &named.dataset);
    let root = quads.find_iri(base.trim_end_matches(':'))?;
    // The catalog entries of a part follow from all parts of its dataset.
    let entries = match with.contains(&CompanionGraph::Catalog) && named.part.is_none() {
        true => Some(loader.entries_of(&graph, None, report)?),
        false => None,
    };
    let notation = named.opened.origin.syntax.notation(&loader.json_ld.reading.rows);
    let layout = || sidecar::record_sidecar::file_layout(file, &graph, root, &recognised.shape, notation);
    let layout = has_sidecar(with).then(layout);
    let layout = report.told(layout.transpose())?;
    let digest = layout.is_some().then(|| digest(&graph, with));
    let dialect = recognised.dialect();
    if let Some(layout) = layout {
        let of_graph = DocumentLayout { digest, ..DocumentLayout::default() };
        sidecar::encode(&of_graph, root, &name, &dialect, quads);
        layout.encode(&name, quads);
    }
    if let Some(entries) = entries {
        named.catalog_entries(&entries, time, triples, quads, |node| node);
    }
    Some(changes)
}

/// Returns whether sidecars are wanted.
fn has_sidecar(with: &[CompanionGraph]) -> bool {
    with.iter().any(|with| matches!(with, CompanionGraph::Sidecar | CompanionGraph::SidecarAtOnce))
}

/// Returns the digest by which the sidecar recognises its graph.
fn digest(graph: &IndexedGraph<'_>, with: &[CompanionGraph]) -> String {
    match with.contains(&CompanionGraph::SidecarAtOnce) {
        true => sidecar::UNCHANGED.to_owned(),
        false => sidecar::graph_digests(graph),
    }
}

fn not_kept(name: &str) -> Diagnostic {
    let message = "the document is not a tree of nodes under its own context, so no sidecar can restore it";
    Diagnostic::warning("sidecar::not-kept", message).at(SourceText::new(name, b"").place(0..0))
}

/// Reads sources into one buffer. A source that is at fault leaves nothing in the buffer.
pub fn read_all(
    sources: &[InputSource],
    input: &RunInputs,
    json_ld: &JsonLd,
    ids: FaultyIds,
    report: &mut RunReport,
) -> Result<QuadBuffer, RunFailure> {
    let progress = input.reading.watch.begin("reading", sources.iter().map(InputSource::size).sum());
    let mut quads = QuadBuffer::new();
    for source in sources {
        let before = quads.len();
        if let Some((document, format)) = json_ld.input_of(source, report)
            && !json_ld.read_into(document, format, ids, &mut quads, report)
        {
            quads.truncate(before);
        }
        progress.advance(source.size());
    }
    input.check(report)?;
    Ok(quads)
}
