//! Checkpoints as graphs, loaded with the four changes, for the tests of the way back.

use crate::beside::karenina_files;
use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::jsonld::{BuiltIn, CheckpointSampleContext, JsonLdOptions, JsonLdProcessor, LoaderChain};
use evalgraph::rdf::canonicalization::{CanonicalizationOptions, canonicalize};
use evalgraph::rdf::{InGraph, QuadBuffer, RdfFormat, ReadOptions, read, write};
use evalgraph::source::checkpoint::{CheckpointSurvey, adapt};
use evalgraph::source::rewriting::IndexedGraph;
use evalgraph::source::sidecar::{TracedDocument, difference, encode};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A text as a document.
pub(crate) fn parsed(name: &str, text: &str) -> Arc<JsonDocument> {
    Arc::new(parse(name, text.to_owned(), Limits::default()).expect("well-formed JSON"))
}

/// Appends what a checkpoint says in the default graph.
pub(crate) fn load_into(document: &Arc<JsonDocument>, quads: &mut QuadBuffer) {
    let adaptation = adapt(document, "d");
    let options =
        JsonLdOptions { context_base: Some("file:///somewhere/".to_owned()), ..JsonLdOptions::default() };
    let loader = LoaderChain::default().and(&BuiltIn).and(&CheckpointSampleContext);
    let processor = JsonLdProcessor::new(options, &loader);
    processor
        .with_load_mode(adaptation.load_mode)
        .to_rdf(document, quads)
        .unwrap_or_else(|error| panic!("{}: {}", document.name(), error.diagnostic()));
}

/// What a checkpoint says.
pub(crate) fn loaded(name: &str, text: &str) -> QuadBuffer {
    let mut quads = QuadBuffer::new();
    load_into(&parsed(name, text), &mut quads);
    quads
}

/// The canonical N-Quads of a graph.
pub(crate) fn canonical(quads: &QuadBuffer) -> Vec<String> {
    let mut text = Vec::new();
    let canonical = canonicalize(quads, CanonicalizationOptions::default()).expect("an ordinary graph");
    canonical.write(&mut text).expect("a buffer takes everything");
    String::from_utf8(text).expect("N-Quads are UTF-8").lines().map(str::to_owned).collect()
}

/// The checkpoints in JSON-LD: our fixtures, and the real files where they lie beside the project.
pub(crate) fn checkpoints() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = karenina_files();
    for folder in ["fixtures/karenina", "fixtures/revisions", "fixtures/hostile"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("fixtures are there");
        files.extend(entries.map(|entry| entry.expect("the folder can be read").path()));
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonld"));
    files.sort();
    files
}

/// A checkpoint in its document graph, with its sidecar.
pub(crate) fn kept(name: &str, text: &str) -> QuadBuffer {
    try_kept(name, text).unwrap_or_else(|| panic!("{name}: no tree"))
}

/// The same; none where the document is not a tree.
pub(crate) fn try_kept(name: &str, text: &str) -> Option<QuadBuffer> {
    let document = parsed(name, text);
    let survey = CheckpointSurvey::from_document(&document);
    let adaptation = survey.adapt(&document, "d");
    let loader = LoaderChain::default().and(&BuiltIn).and(&CheckpointSampleContext);
    let base = "file:///somewhere/".to_owned();
    let options = JsonLdOptions { context_base: Some(base.clone()), ..JsonLdOptions::default() };
    let mut quads = QuadBuffer::new();
    quads.keep_node_tokens();
    let replaced_ids = adaptation.load_mode.replaced_ids.clone();
    JsonLdProcessor::new(options, &loader)
        .with_load_mode(adaptation.load_mode)
        .to_rdf(&document, &mut InGraph::new(&mut quads, GRAPH))
        .unwrap_or_else(|error| panic!("{name}: {}", error.diagnostic()));
    let nodes = quads.take_node_tokens().expect("they were to be kept");
    let source = TracedDocument {
        document: &document,
        nodes: &nodes,
        replaced_ids: &replaced_ids,
        loader: &loader,
        base: Some(&base),
    };
    let graph = IndexedGraph::new(&quads, quads.find_iri(GRAPH));
    let (root, layout) = difference(&graph, source)?;
    encode(&layout, root, GRAPH, adaptation.detection.dialect.id(), &mut quads);
    Some(quads)
}

const GRAPH: &str = "urn:evalgraph:graph:d";

/// Quads as N-Quads.
pub(crate) fn n_quads(quads: &QuadBuffer) -> String {
    let mut text = Vec::new();
    write(quads, RdfFormat::NQuads, &mut text).expect("a buffer takes everything");
    String::from_utf8(text).expect("N-Quads are UTF-8")
}

/// Quads from N-Quads.
pub(crate) fn read_n_quads(text: &str) -> QuadBuffer {
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::NQuads, base: None };
    read("test.nq", text.as_bytes(), options, &mut quads).expect("well-formed N-Quads");
    quads
}

/// The lines in another order, every blank node under another label.
pub(crate) fn shuffled(n_quads: &str, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut labels: HashMap<String, u64> = HashMap::new();
    let mut lines: Vec<(u64, String)> = Vec::new();
    for line in n_quads.lines() {
        let mut renamed = |term: &str| match term.strip_prefix("_:") {
            Some(label) => format!("_:x{:x}", *labels.entry(label.to_owned()).or_insert_with(&mut random)),
            None => term.to_owned(),
        };
        // Subject and predicate have no blanks in them; an object that is a blank node ends the line
        // before the graph.
        let (subject, rest) = line.split_once(' ').expect("a quad has terms");
        let (predicate, rest) = rest.split_once(' ').expect("a quad has terms");
        let object = match rest.strip_prefix("_:") {
            Some(_) => {
                let (object, rest) = rest.split_once(' ').expect("a quad ends with a full stop");
                format!("{} {rest}", renamed(object))
            }
            None => rest.to_owned(),
        };
        lines.push((0, format!("{} {predicate} {object}", renamed(subject))));
    }
    let mut seed = seed.wrapping_add(99).wrapping_mul(0x2545_f491_4f6c_dd1d) | 1;
    for line in &mut lines {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        line.0 = seed;
    }
    lines.sort();
    lines.into_iter().map(|(_, line)| line + "\n").collect()
}
