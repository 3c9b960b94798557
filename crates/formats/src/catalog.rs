//! The catalog: the few keys by which questions of all systems are joined, the key of every document,
//! the experts' findings on a task, and the origin of every file.
//!
//! It is a separate graph, next to the graphs of the documents.
//! [`catalog_entries`](super::catalog_entries) finds the entries of a graph.

use crate::catalog_entries::CatalogEntries;
use crate::items::QuestionItem;
use chrono::{DateTime, SecondsFormat, Utc};
use evalgraph_rdf::QuadSink;
use evalgraph_rdf::minted::CATALOG_GRAPH;
use evalgraph_rdf::quad_buffer::BufferTermId;
use evalgraph_rdf::vocabulary::{SCHEMA_ORG, dcat, dcterms, evalgraph, prov, rdf, xsd};
pub use evalgraph_text_keys::{document_key, hexadecimal, loose_key, sha256, text_key};
use evalgraph_text_keys::{folded, loose_key_of_folded};
use md5::Md5;
use sha2::Digest;

/// A file.
#[derive(Debug, Clone)]
pub struct CatalogFile<'f> {
    /// The name of its document graph.
    pub graph: &'f str,
    /// The system whose file it is.
    pub system: &'f str,
    /// The name of its dataset.
    pub dataset: &'f str,
    /// Its path as given.
    pub path: &'f str,
    /// The SHA-256 of its decompressed content, in hexadecimal digits.
    pub sha256: &'f str,
    /// The number of bytes of the decompressed content.
    pub size: u64,
    /// Its dialect, if the system has dialects.
    pub dialect: Option<&'f str>,
    /// When it was read.
    pub time: DateTime<Utc>,
    /// The number of triples in its document graph.
    pub triples: u64,
}

/// The end of the IRI of a file's content, after the name of its document graph.
const CONTENT: &str = "#file";

/// Appends the facts about a file to the catalog, with its number of questions.
pub fn encode_file<S: QuadSink>(file: &CatalogFile<'_>, questions: u64, sink: &mut S) {
    let mut catalog = CatalogWriter::to(sink);
    let document = catalog.sink.iri(file.graph);
    catalog.class(document, dcat::DATASET);
    catalog.class(document, prov::ENTITY);
    catalog.text(document, dcterms::TITLE, file.dataset);
    catalog.text(document, evalgraph::SYSTEM, file.system);
    catalog.text(document, evalgraph::DATASET, file.dataset);
    catalog.text(document, evalgraph::PATH, file.path);
    if let Some(dialect) = file.dialect {
        catalog.text(document, evalgraph::DIALECT, dialect);
    }
    let time = file.time.to_rfc3339_opts(SecondsFormat::Secs, true);
    catalog.typed(document, prov::GENERATED_AT_TIME, &time, xsd::DATE_TIME);
    catalog.counts(document, questions, file.triples);
    let distribution = catalog.sink.iri(&format!("{}{CONTENT}", file.graph));
    let predicate = catalog.sink.iri(dcat::DISTRIBUTION_OF);
    catalog.sink.quad(document, predicate, distribution, Some(catalog.graph));
    catalog.class(distribution, dcat::DISTRIBUTION);
    catalog.class(distribution, &format!("{SCHEMA_ORG}DataDownload"));
    catalog.text(distribution, &format!("{SCHEMA_ORG}sha256"), file.sha256);
    catalog.typed(distribution, dcat::BYTE_SIZE, &file.size.to_string(), xsd::NON_NEGATIVE_INTEGER);
}

/// Appends the numbers of questions and triples of a graph to the catalog, when the graph has changed since its file
/// was read.
pub fn encode_counts<S: QuadSink>(graph: &str, questions: u64, triples: u64, sink: &mut S) {
    let mut catalog = CatalogWriter::to(sink);
    let document = catalog.sink.iri(graph);
    catalog.counts(document, questions, triples);
}

/// Appends the content of a graph of a system's dataset to the catalog; `node` maps a node of the graph to
/// its node in the sink.
pub fn encode_content<S: QuadSink>(
    entries: &CatalogEntries,
    system: &str,
    dataset: &str,
    sink: &mut S,
    node: impl Fn(BufferTermId) -> S::Term,
) {
    let mut catalog = CatalogWriter::to(sink);
    for question in &entries.questions {
        let node = node(question.node);
        catalog.text(node, evalgraph::SYSTEM, system);
        catalog.text(node, evalgraph::DATASET, dataset);
        catalog.question(node, question);
    }
    for (document, key) in &entries.documents {
        catalog.text(node(*document), evalgraph::DOCUMENT_KEY, key);
    }
    for task in entries.tasks.iter().filter(|task| task.disagreement.is_finite()) {
        let mut disagreement = task.disagreement.to_string();
        if !disagreement.contains('.') {
            disagreement.push_str(".0");
        }
        let node = node(task.node);
        catalog.typed(node, evalgraph::DISAGREEMENT, &disagreement, xsd::DECIMAL);
        catalog.truth(node, evalgraph::CONTESTED, task.is_contested);
    }
}

/// Returns whether a statement of the catalog is about a file or follows from several files. Such a statement stays
/// when the graph of the file has changed.
pub fn is_of_file(graph: &str, subject: &str, predicate: &str) -> bool {
    let is_count = [evalgraph::QUESTION_COUNT, evalgraph::TRIPLE_COUNT].contains(&predicate);
    let is_file = subject.strip_prefix(graph).is_some_and(|rest| rest.is_empty() || rest == CONTENT);
    is_file && !is_count || predicate.starts_with(SCHEMA_ORG)
}

/// Returns the document graph of a node in the catalog that is a file or the content of a file.
pub fn graph_of_file(node: &str) -> &str {
    node.strip_suffix(CONTENT).unwrap_or(node)
}

/// Appends a statement that follows from several files, with a property named as in schema.org.
pub fn encode_link<S: QuadSink>(subject: &str, property: &str, object: &str, sink: &mut S) {
    let CatalogWriter { graph, sink } = CatalogWriter::to(sink);
    let predicate = sink.iri(&format!("{SCHEMA_ORG}{property}"));
    let (subject, object) = (sink.iri(subject), sink.iri(object));
    sink.quad(subject, predicate, object, Some(graph));
}

/// Writes statements into the catalog.
struct CatalogWriter<'s, S: QuadSink> {
    graph: S::Term,
    sink: &'s mut S,
}

impl<'s, S: QuadSink> CatalogWriter<'s, S> {
    fn to(sink: &'s mut S) -> Self {
        Self { graph: sink.iri(CATALOG_GRAPH), sink }
    }

    fn counts(&mut self, document: S::Term, questions: u64, triples: u64) {
        self.typed(document, evalgraph::QUESTION_COUNT, &questions.to_string(), xsd::INTEGER);
        self.typed(document, evalgraph::TRIPLE_COUNT, &triples.to_string(), xsd::INTEGER);
    }

    fn question(&mut self, node: S::Term, question: &QuestionItem) {
        if !question.local_id.is_empty() {
            self.text(node, evalgraph::LOCAL_ID, &question.local_id);
        }
        if !question.question.is_empty() {
            let folded = folded(&question.question);
            self.text(node, evalgraph::TEXT_KEY, &hexadecimal(&Md5::digest(&folded)));
            self.text(node, evalgraph::LOOSE_KEY, &loose_key_of_folded(&folded));
        }
        let answer = question.given_answer();
        if let Some(answer) = answer {
            self.text(node, evalgraph::ANSWER, answer);
        }
        if let Some(is_impossible) = question.is_impossible {
            self.truth(node, evalgraph::IS_IMPOSSIBLE, is_impossible);
        }
        let is_answerable = answer.is_some() && question.is_impossible != Some(true);
        self.truth(node, evalgraph::ANSWERABLE, is_answerable);
    }

    fn class(&mut self, node: S::Term, class: &str) {
        let (rdf_type, class) = (self.sink.iri(rdf::TYPE), self.sink.iri(class));
        self.sink.quad(node, rdf_type, class, Some(self.graph));
    }

    fn text(&mut self, node: S::Term, predicate: &str, text: &str) {
        let (predicate, text) = (self.sink.iri(predicate), self.sink.string(text));
        self.sink.quad(node, predicate, text, Some(self.graph));
    }

    fn truth(&mut self, node: S::Term, predicate: &str, value: bool) {
        self.typed(node, predicate, if value { "true" } else { "false" }, xsd::BOOLEAN);
    }

    fn typed(&mut self, node: S::Term, predicate: &str, value: &str, datatype: &str) {
        let (predicate, datatype) = (self.sink.iri(predicate), self.sink.iri(datatype));
        let value = self.sink.typed_literal(value, datatype);
        self.sink.quad(node, predicate, value, Some(self.graph));
    }
}
