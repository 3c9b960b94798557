//! What a dump of a store needs beside its quads, so that loading the dump gives the same documents: the sidecars that
//! the store does not contain, and the facts about each document.

use serde_json::{Value, json};

use super::revision_editor::kept_sidecar;
use crate::convert::same::in_its_version;
use crate::load::document_loading::DocumentLoading;
use evalgraph_diagnostics::help::{command, help};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport, thousands};
use evalgraph_formats::catalog::sha256;
use evalgraph_formats::rewriting::QuadsByGraph;
use evalgraph_formats::sidecar::{DocumentSidecars, graph_digests};
use evalgraph_rdf::minted::{CATALOG_GRAPH, DOCUMENTS_GRAPH, sidecar_graph};
use evalgraph_rdf::vocabulary::{evalgraph, rdf};
use evalgraph_rdf::{QuadBuffer, QuadSink};
use evalgraph_store::{
    DocumentGraph, EncodedQuad, RdfTermKind, StoreEdits, StoreFolder, StoreSnapshot, StoredDocument,
    TermDictionary, TermId,
};

/// The key of the position of a document in the store.
pub(super) const POSITION: &str = "position";

/// The key of the SHA-256 of the text that the sidecar of a document gives.
pub(super) const RESTORED: &str = "restored";

/// The key of the text that a document was read from, if no sidecar gives exactly this text.
pub(super) const TEXT: &str = "text";

/// The key of the digest of the graph that was read from that text.
pub(super) const DIGEST: &str = "digest";

/// The key of the named graphs that a document has, except its sidecar and the catalog.
pub(super) const GRAPHS: &str = "graphs";

/// The quads that a dump has beside those of the store.
pub struct DumpCompanions {
    edits: StoreEdits,
    graphs: Vec<DocumentGraph>,
}

impl DumpCompanions {
    /// Makes the companions of documents. Reports how many texts of files a dump does not contain.
    ///
    /// # Errors
    ///
    /// Files that are damaged or cannot be read.
    pub fn new(
        loader: &DocumentLoading<'_>,
        store: &StoreFolder,
        snapshot: &StoreSnapshot,
        documents: &[&StoredDocument],
        report: &mut RunReport,
    ) -> Result<Self, RunFailure> {
        let mut companions = Self { edits: StoreEdits::none_of(snapshot.dataset()), graphs: Vec::new() };
        let (mut facts, mut texts_lost) = (QuadBuffer::new(), 0);
        let (predicate, datatype) = (facts.iri(evalgraph::DOCUMENT), facts.iri(rdf::JSON));
        for (position, document) in documents.iter().enumerate() {
            let mut value = facts_of(store, snapshot, document)?;
            value[POSITION] = json!(position);
            if document.entry.source.is_some() && !document.entry.is_edited {
                let has_text = companions.add_text(loader, store, document, &mut value, report)?;
                texts_lost += usize::from(!has_text);
            }
            let subject = facts.iri(&document.entry.graph);
            let object = facts.typed_literal(&value.to_string(), datatype);
            facts.quad(subject, predicate, object, None);
        }
        let triples = companions.edits.triples(&facts, facts.quads().iter(), |_| None);
        let name = companions.edits.iri(DOCUMENTS_GRAPH);
        companions.graphs.push(DocumentGraph { name, is_default: false, triples });
        report.add_all(&lost(texts_lost));
        Ok(companions)
    }

    /// Adds the sidecar of an unchanged document. If the sidecar does not give exactly the text of the file, the facts
    /// get the text itself. Returns whether the dump has the text in one of these ways.
    fn add_text(
        &mut self,
        loader: &DocumentLoading<'_>,
        store: &StoreFolder,
        document: &StoredDocument,
        facts: &mut Value,
        report: &mut RunReport,
    ) -> Result<bool, RunFailure> {
        let graph = &document.entry.graph;
        // The facts can replace a sidecar, so a missing one is not reported.
        let mut part = report.part();
        let sidecar = kept_sidecar(loader, store, document, &mut self.edits, &mut part)?;
        let Some(text) = store.source(document)? else { return Ok(false) };
        let mut graphs = store.graphs_of(document)?;
        graphs.extend(sidecar.clone());
        let mut quads = QuadBuffer::new();
        self.edits.dictionary().copy_into(graphs.iter().flat_map(DocumentGraph::quads), &mut quads);
        if let Some(mut sidecar) = sidecar {
            sidecar.triples.sort_unstable();
            sidecar.triples.dedup();
            self.graphs.push(sidecar);
        }
        let restored = restored_text(&DocumentSidecars::new(&quads), graph, report);
        if restored.is_some_and(|restored| restored.as_bytes() == text) {
            facts[RESTORED] = json!(sha256(&text));
            return Ok(true);
        }
        let Ok(text) = String::from_utf8(text) else { return Ok(false) };
        facts[TEXT] = json!(text);
        facts[DIGEST] = json!(digest_of(&quads, graph));
        Ok(true)
    }

    /// The terms of the store, and those of the companions.
    pub fn dictionary(&self) -> &TermDictionary {
        self.edits.dictionary()
    }

    /// The quads.
    pub fn quads(&self) -> impl Iterator<Item = EncodedQuad> + '_ {
        self.graphs.iter().flat_map(DocumentGraph::quads)
    }
}

/// Returns the text of the file that a document graph was read from, if its sidecar is there.
pub(super) fn restored_text(
    sidecars: &DocumentSidecars<'_>,
    graph: &str,
    report: &RunReport,
) -> Option<String> {
    if !sidecars.names().any(|name| name == graph) {
        return None;
    }
    // A text that differs is not used, so findings about it are of no interest.
    let mut part = report.part();
    let restored = sidecars.restore(graph).ok()?;
    in_its_version(&restored, graph, &mut part).ok().map(|(text, _)| text)
}

/// Returns the digest of a document graph.
pub(super) fn digest_of(quads: &QuadBuffer, graph: &str) -> Option<String> {
    let name = quads.find_iri(graph)?;
    Some(graph_digests(&QuadsByGraph::new(quads).graph(Some(name))))
}

/// Returns the facts that the store has about a document.
fn facts_of(
    store: &StoreFolder,
    snapshot: &StoreSnapshot,
    document: &StoredDocument,
) -> Result<Value, RunFailure> {
    let terms = snapshot.dataset().dictionary();
    let own = &document.entry.graph;
    let sidecar = sidecar_graph(own);
    let named = store.graph_names_of(document)?.into_iter().map(|name| shown(name, terms));
    let is_other = |name: &String| name != own && name != CATALOG_GRAPH && Some(name) != sidecar.as_ref();
    let named: Vec<String> = named.filter(is_other).collect();
    let mut value = document.entry.to_json();
    if !named.is_empty() {
        value[GRAPHS] = Value::from(named);
    }
    Ok(value)
}

/// The name of a graph: an IRI, or a blank node with its label.
fn shown(name: TermId, terms: &TermDictionary) -> String {
    match terms.kind(name) {
        RdfTermKind::BlankNode => {
            let mut label = Vec::new();
            terms.write_n_triples(name, &mut label);
            String::from_utf8_lossy(&label).into_owned()
        }
        _ => terms.lexical(name).to_owned(),
    }
}

fn lost(texts: usize) -> Option<Diagnostic> {
    let subject = match texts {
        0 => return None,
        1 => "the text of one file".to_owned(),
        _ => format!("the texts of {} files", thousands(texts as u64)),
    };
    let message = format!(
        "{subject} cannot be in a dump, so a store that loads it has only their graphs, without lines for findings"
    );
    let note = Diagnostic::new(FindingSeverity::Note, "dump::texts", message);
    Some(note.with_help(help![command("backup"), " keeps everything"]))
}
