//! Checkpoints as graphs, loaded with the four changes, for the tests of the way back.

use evalgraph::json::{Document, Limits, parse};
use evalgraph::jsonld::{BuiltIn, Chain, JsonLdOptions, JsonLdProcessor, KareninaSampleContext};
use evalgraph::rdf::QuadBuffer;
use evalgraph::rdf::canonicalization::{CanonicalizationOptions, canonicalize};
use evalgraph::source::karenina::adapt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A text as a document.
pub(crate) fn parsed(name: &str, text: &str) -> Arc<Document> {
    Arc::new(parse(name, text.to_owned(), Limits::default()).expect("well-formed JSON"))
}

/// Appends what a checkpoint says in the default graph.
pub(crate) fn load_into(document: &Arc<Document>, quads: &mut QuadBuffer) {
    let adaptation = adapt(document, "d");
    let options =
        JsonLdOptions { context_base: Some("file:///somewhere/".to_owned()), ..JsonLdOptions::default() };
    let loader = Chain::default().and(&BuiltIn).and(&KareninaSampleContext);
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
    let mut files = Vec::new();
    for folder in ["fixtures/karenina", "fixtures/revisions", "../shared/karenina"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
            eprintln!("SKIPPED: no real checkpoints in {folder}");
            continue;
        };
        let paths = entries.map(|entry| entry.expect("the folder can be read").path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|extension| extension == "jsonld")));
    }
    files.sort();
    files
}
