//! Reads the documents of a store from a dump, with their names, their origins and, if a sidecar allows it, the texts
//! of their files.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::store_dump::{DIGEST, GRAPHS, POSITION, RESTORED, TEXT, digest_of, restored_text};
use crate::load::dataset_document::DatasetDocument;
use crate::load::document::DocumentContent;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_formats::catalog::{graph_of_file, sha256};
use evalgraph_formats::sidecar::DocumentSidecars;
use evalgraph_rdf::minted::{CATALOG_GRAPH, DOCUMENTS_GRAPH, sidecar_graph};
use evalgraph_rdf::quad_buffer::{BufferLiteralKind, BufferQuad, BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::evalgraph;
use evalgraph_rdf::{QuadBuffer, QuadSink};
use evalgraph_store::{CompressedText, DocumentBuilder, DocumentEntry, NewDocument, TermId};

/// Returns whether a document may be a dump of a store with facts about its documents. Reading its quads decides.
pub(super) fn may_be_dump(named: &DatasetDocument) -> bool {
    match &named.opened.content {
        DocumentContent::Other(input) => {
            memchr::memmem::find(&input.bytes, DOCUMENTS_GRAPH.as_bytes()).is_some()
        }
        _ => false,
    }
}

/// A document in a dump.
struct DumpedDocument {
    entry: DocumentEntry,
    position: u64,
    /// The names of its graphs, without its sidecar and the catalog. The first is that of the document.
    graphs: Vec<String>,
    text: DumpedText,
}

/// The text of the file that a document was read from, in a dump.
enum DumpedText {
    /// The dump does not have it.
    None,
    /// Its sidecar gives it. The text has this SHA-256.
    OfSidecar(String),
    /// The facts contain it, with the digest of the graph that was read from it.
    Whole(String, Option<String>),
}

/// Returns the documents of a dump, in the order that they had in the store; none if the quads are not such a dump.
///
/// # Errors
///
/// `dump::damaged` for facts that are not those of a document.
pub(super) fn documents_of(
    quads: &QuadBuffer,
    name: &str,
    report: &RunReport,
) -> Result<Vec<NewDocument>, RunFailure> {
    let Some(register) = quads.find_iri(DOCUMENTS_GRAPH) else { return Ok(Vec::new()) };
    let predicate = quads.find_iri(evalgraph::DOCUMENT);
    let is_fact = |quad: &&BufferQuad| quad.graph == Some(register) && Some(quad.predicate) == predicate;
    let mut documents = Vec::new();
    for quad in quads.quads().iter().filter(is_fact) {
        documents.push(decoded(quads, quad).ok_or_else(|| damaged(quads, quad, name))?);
    }
    documents.sort_by_key(|document| document.position);
    let shares = shares_of(quads, &documents);
    let sidecars = DocumentSidecars::new(quads);
    let mut new = Vec::with_capacity(documents.len());
    for (mut document, share) in documents.into_iter().zip(shares) {
        let text = text_of(quads, &sidecars, &document, report);
        let source = text.and_then(|text| CompressedText::from_text(text.as_bytes()).ok());
        if source.is_none() && !matches!(document.text, DumpedText::None) {
            // The dump was changed, so the graph counts, not the file.
            document.entry.is_edited = document.entry.source.is_some();
        }
        new.push(new_document(quads, document.entry, share, source));
    }
    Ok(new)
}

fn decoded(quads: &QuadBuffer, quad: &BufferQuad) -> Option<DumpedDocument> {
    let (TermRef::Iri(graph), TermRef::Literal { lexical, .. }) =
        (quads.term(quad.subject), quads.term(quad.object))
    else {
        return None;
    };
    let value: serde_json::Value = serde_json::from_str(lexical).ok()?;
    let entry = DocumentEntry::from_json(&value).filter(|entry| entry.graph == graph)?;
    let mut graphs = vec![graph.to_owned()];
    if let Some(named) = value.get(GRAPHS) {
        for name in named.as_array()? {
            graphs.push(name.as_str()?.to_owned());
        }
    }
    let text = |key: &str| value.get(key).and_then(|text| text.as_str()).map(str::to_owned);
    let text = match (text(RESTORED), text(TEXT)) {
        (Some(sha256), _) => DumpedText::OfSidecar(sha256),
        (None, Some(whole)) => DumpedText::Whole(whole, text(DIGEST)),
        (None, None) => DumpedText::None,
    };
    Some(DumpedDocument { entry, position: value.get(POSITION)?.as_u64()?, graphs, text })
}

fn damaged(quads: &QuadBuffer, quad: &BufferQuad, name: &str) -> Diagnostic {
    let graph = match quads.term(quad.subject) {
        TermRef::Iri(iri) => iri,
        _ => "a blank node",
    };
    let message =
        format!("`{name}` is a dump of a store, but its facts about `{graph}` are not those of a document");
    let help = format!(
        "make the dump again, or remove the graph `{DOCUMENTS_GRAPH}` to load its quads as one document"
    );
    Diagnostic::error("dump::damaged", message).with_help(help)
}

/// The quads of a document in a dump.
#[derive(Default)]
struct DocumentShare {
    data: Vec<BufferQuad>,
    sidecar: Vec<BufferQuad>,
    catalog: Vec<BufferQuad>,
}

/// Returns the quads of each document. Statements of the catalog belong to the documents that have their subject.
fn shares_of(quads: &QuadBuffer, documents: &[DumpedDocument]) -> Vec<DocumentShare> {
    let mut shares: Vec<DocumentShare> = documents.iter().map(|_| DocumentShare::default()).collect();
    let mut of_graph: HashMap<BufferTermId, Vec<usize>> = HashMap::new();
    let mut of_sidecar: HashMap<BufferTermId, usize> = HashMap::new();
    let blank: HashMap<String, BufferTermId> = blank_graphs(quads);
    for (at, document) in documents.iter().enumerate() {
        for name in &document.graphs {
            let graph = name
                .strip_prefix("_:")
                .map_or_else(|| quads.find_iri(name), |label| blank.get(label).copied());
            if let Some(graph) = graph {
                of_graph.entry(graph).or_default().push(at);
            }
        }
        let sidecar = sidecar_graph(&document.entry.graph).and_then(|sidecar| quads.find_iri(&sidecar));
        of_sidecar.extend(sidecar.map(|sidecar| (sidecar, at)));
    }
    let mut of_subject: HashMap<BufferTermId, Vec<usize>> = HashMap::new();
    let mut of_object: HashMap<BufferTermId, Vec<usize>> = HashMap::new();
    for quad in quads.quads() {
        let Some(graph) = quad.graph else { continue };
        if let Some(at) = of_sidecar.get(&graph) {
            shares[*at].sidecar.push(*quad);
        }
        for &at in of_graph.get(&graph).into_iter().flatten() {
            let is_own = quads.term(graph) == TermRef::Iri(&documents[at].entry.graph);
            shares[at].data.push(BufferQuad { graph: (!is_own).then_some(graph), ..*quad });
            for (of_node, node) in [(&mut of_subject, quad.subject), (&mut of_object, quad.object)] {
                let having = of_node.entry(node).or_default();
                if having.last() != Some(&at) {
                    having.push(at);
                }
            }
        }
    }
    let Some(catalog) = quads.find_iri(CATALOG_GRAPH) else { return shares };
    for quad in quads.quads().iter().filter(|quad| quad.graph == Some(catalog)) {
        let of_file = match quads.term(quad.subject) {
            TermRef::Iri(iri) => quads.find_iri(graph_of_file(iri)).and_then(|graph| of_graph.get(&graph)),
            _ => None,
        };
        let having =
            of_file.or_else(|| of_subject.get(&quad.subject)).or_else(|| of_object.get(&quad.subject));
        for at in having.into_iter().flatten().copied().collect::<BTreeSet<usize>>() {
            shares[at].catalog.push(*quad);
        }
    }
    shares
}

/// The blank nodes that name graphs, by their labels.
fn blank_graphs(quads: &QuadBuffer) -> HashMap<String, BufferTermId> {
    let graphs: HashSet<BufferTermId> = quads.quads().iter().filter_map(|quad| quad.graph).collect();
    let label = |graph| {
        let label = quads.blank_node_label(quads.blank_node_number(graph)?)?;
        Some((label.to_owned(), graph))
    };
    graphs.into_iter().filter_map(label).collect()
}

/// Returns the text of the file that a document was read from, if the graph is still the one that was read from it.
fn text_of(
    quads: &QuadBuffer,
    sidecars: &DocumentSidecars<'_>,
    document: &DumpedDocument,
    report: &RunReport,
) -> Option<String> {
    let graph = &document.entry.graph;
    match &document.text {
        DumpedText::None => None,
        DumpedText::OfSidecar(expected) => {
            let text = restored_text(sidecars, graph, report)?;
            (sha256(text.as_bytes()) == *expected).then_some(text)
        }
        DumpedText::Whole(text, digest) => (digest_of(quads, graph) == *digest).then(|| text.clone()),
    }
}

fn new_document(
    quads: &QuadBuffer,
    entry: DocumentEntry,
    DocumentShare { data, sidecar, catalog }: DocumentShare,
    source: Option<CompressedText>,
) -> NewDocument {
    // With its text, the store needs no sidecar.
    let sidecar = if source.is_some() { Vec::new() } else { sidecar };
    let mut copy = OrderedCopy { quads, builder: DocumentBuilder::new(), terms: HashMap::new() };
    copy.blank_nodes(data.iter().chain(&sidecar));
    for quad in data.iter().chain(&sidecar).chain(&catalog) {
        let [subject, predicate, object] =
            [quad.subject, quad.predicate, quad.object].map(|term| copy.term(term));
        let graph = quad.graph.map(|graph| copy.term(graph));
        copy.builder.quad(subject, predicate, object, graph);
    }
    NewDocument { entry, builder: copy.builder, source }
}

/// Copies the quads of a document. Its blank nodes arrive in the order in which a store has labelled them, which is
/// that of the file: a later change makes the sidecar again in this order.
struct OrderedCopy<'q> {
    quads: &'q QuadBuffer,
    builder: DocumentBuilder,
    terms: HashMap<BufferTermId, TermId>,
}

impl OrderedCopy<'_> {
    fn blank_nodes<'b>(&mut self, of: impl Iterator<Item = &'b BufferQuad>) {
        let nodes = of.flat_map(|quad| [Some(quad.subject), Some(quad.object), quad.graph]).flatten();
        let numbered = nodes.filter_map(|node| Some((self.quads.blank_node_number(node)?, node)));
        let labelled = numbered.map(|(number, node)| {
            let label = self.quads.blank_node_label(number).unwrap_or_default();
            ((label.len(), label, number), node)
        });
        let sorted: BTreeMap<(usize, &str, u32), BufferTermId> = labelled.collect();
        for node in sorted.into_values() {
            self.term(node);
        }
    }

    fn term(&mut self, id: BufferTermId) -> TermId {
        if let Some(term) = self.terms.get(&id) {
            return *term;
        }
        let builder = &mut self.builder;
        let term = match self.quads.term(id) {
            TermRef::Iri(iri) => builder.iri(iri),
            TermRef::BlankNode => builder.blank_node(),
            TermRef::Literal { lexical, kind } => match kind {
                BufferLiteralKind::String => builder.string(lexical),
                BufferLiteralKind::Language(language) => builder.language_string(lexical, language),
                BufferLiteralKind::Datatype(_, datatype) => {
                    let datatype = builder.iri(datatype);
                    builder.typed_literal(lexical, datatype)
                }
            },
        };
        self.terms.insert(id, term);
        term
    }
}
