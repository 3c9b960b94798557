//! The documents given to a command, after they were opened, recognised and named.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use chrono::{DateTime, Utc};

use super::document::{Document, DocumentContent};
use evalgraph_formats::catalog::{self, CatalogFile};
use evalgraph_formats::catalog_entries::CatalogEntries;
use evalgraph_formats::checkpoint::DialectDetection;
use evalgraph_formats::corpus::{EvaluationFile, EvaluationLink, evaluation_links};
use evalgraph_formats::rewriting::IndexedGraph;
use evalgraph_formats::rows::kind_of_rows;
use evalgraph_formats::secrets::{self, readable};
use evalgraph_formats::system_name::SystemName;
use evalgraph_rdf::QuadSink;
use evalgraph_rdf::minted::document_graph;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// Returns the classes and properties, by IRI, that the catalog does not use: some for a checkpoint, none for other
/// files.
pub fn beside_questions(detection: &DialectDetection) -> (&'static [&'static str], &'static [&'static str]) {
    if detection.dialect.is_checkpoint() { (&CLASSES_BESIDE, &PROPERTIES_BESIDE) } else { (&[], &[]) }
}

/// The classes of most nodes of a checkpoint.
const CLASSES_BESIDE: [&str; 3] =
    ["http://schema.org/PropertyValue", "http://schema.org/Rating", "http://schema.org/SoftwareSourceCode"];

/// The properties that lead to nodes of these classes, and the dates.
const PROPERTIES_BESIDE: [&str; 5] = [
    "http://schema.org/additionalProperty",
    "http://schema.org/dateCreated",
    "http://schema.org/dateModified",
    "http://schema.org/hasPart",
    "http://schema.org/rating",
];

/// A document whose dataset has a name.
pub struct DatasetDocument {
    /// The document.
    pub opened: Document,
    /// The path or URL that identifies the document in a store.
    pub address: String,
    /// The name of its dataset.
    pub dataset: String,
    /// The part of the dataset that the document is, if the dataset has several.
    pub part: Option<String>,
    /// The size of the input, for the progress display.
    pub size: u64,
}

impl DatasetDocument {
    /// Returns the name of the document graph.
    pub fn graph(&self) -> String {
        document_graph(&self.dataset, self.part.as_deref())
    }

    /// Returns the kind of a file if it has rows or belongs to an evaluation.
    pub fn rows_kind(&self) -> Option<&str> {
        match &self.opened.content {
            DocumentContent::Records { recognised, .. } => kind_of_rows(recognised),
            _ => None,
        }
    }

    /// Returns whether the document is a file of an evaluation.
    pub fn is_evaluation(&self) -> bool {
        self.rows_kind().is_some_and(|kind| kind.starts_with("evaluation"))
    }

    /// Returns the system of the file, and its dialect. `None` for a file of no system; the catalog says nothing about
    /// such files.
    fn system_and_dialect(&self) -> Option<(SystemName, String)> {
        match &self.opened.content {
            DocumentContent::Json { detection, .. } => {
                Some((SystemName::JSON_LD, detection.dialect.id().to_owned()))
            }
            DocumentContent::LargeCheckpoint(large) => {
                Some((SystemName::JSON_LD, large.detection.dialect.id().to_owned()))
            }
            DocumentContent::Records { recognised, .. } => Some((recognised.system, recognised.dialect())),
            DocumentContent::Large(_) | DocumentContent::Other(_) => None,
        }
    }

    /// Returns the classes and properties of the document that the catalog does not use, by IRI.
    pub fn beside_questions(&self) -> (&'static [&'static str], &'static [&'static str]) {
        match &self.opened.content {
            DocumentContent::Json { detection, .. } => beside_questions(detection),
            _ => (&[], &[]),
        }
    }

    /// Appends the catalog entries about the document and about its questions. `node` maps a node of the entries to a
    /// node of the sink.
    pub fn catalog_entries<S: QuadSink>(
        &self,
        entries: &CatalogEntries,
        time: DateTime<Utc>,
        triples: u64,
        sink: &mut S,
        node: impl Fn(BufferTermId) -> S::Term,
    ) {
        if let Some((system, _)) = self.system_and_dialect() {
            catalog::encode_content(entries, system.name(), &self.dataset, sink, node);
        }
        self.catalog_file(entries.questions.len() as u64, time, triples, sink);
    }

    /// Appends the catalog entry about the file of the document. `questions` is how many questions it has.
    pub fn catalog_file<S: QuadSink>(&self, questions: u64, time: DateTime<Utc>, triples: u64, sink: &mut S) {
        let Some((system, dialect)) = self.system_and_dialect() else { return };
        let file = match &self.opened.content {
            DocumentContent::Json { file, .. } | DocumentContent::Records { file, .. } => Some(file),
            _ => None,
        };
        let text = file.map_or(&[][..], |file| file.written_text().as_bytes());
        let digest = || catalog::sha256(text);
        let described = CatalogFile {
            graph: &self.graph(),
            system: system.name(),
            dataset: &self.dataset,
            path: &self.opened.origin.name,
            sha256: &self.opened.sha256.clone().unwrap_or_else(digest),
            size: file.map_or_else(|| self.bytes(), |_| text.len() as u64),
            dialect: Some(&dialect),
            time,
            triples,
        };
        catalog::encode_file(&described, questions, sink);
    }

    /// Returns the text of the file as it was written, except for secrets.
    pub fn text(&self) -> Cow<'_, [u8]> {
        let file = match &self.opened.content {
            DocumentContent::Json { file, .. } | DocumentContent::Records { file, .. } => file,
            DocumentContent::Other(input) => return Cow::Borrowed(&input.bytes),
            // The text of a file that is read in pieces is not kept in memory.
            DocumentContent::Large(_) | DocumentContent::LargeCheckpoint(_) => return Cow::Borrowed(&[]),
        };
        let text = file.written_text();
        let is_json = text.len() == file.text().len();
        match !is_json && secrets::are_possible(text.as_bytes()) {
            true => Cow::Owned(readable(text).into_bytes()),
            false => Cow::Borrowed(text.as_bytes()),
        }
    }

    /// Returns the length of the text in bytes.
    pub fn bytes(&self) -> u64 {
        match &self.opened.content {
            DocumentContent::LargeCheckpoint(large) => large.size,
            _ => self.text().len() as u64,
        }
    }

    /// Returns the kind of the file: a system and its dialect, or a format.
    pub fn kind(&self) -> String {
        match self.system_and_dialect() {
            Some((system, dialect)) => format!("{} {dialect}", system.name()),
            None => self.opened.format.name().to_owned(),
        }
    }
}

/// Groups the documents: parts of one dataset go together, and so do evaluation files and the rows that were evaluated.
pub fn in_datasets(named: Vec<DatasetDocument>) -> Vec<Vec<DatasetDocument>> {
    let has_evaluation = named.iter().any(DatasetDocument::is_evaluation);
    let mut places: HashMap<Option<String>, usize> = HashMap::new();
    let mut datasets: Vec<Vec<DatasetDocument>> = Vec::new();
    for named in named {
        // All documents of a group have the same key: the dataset of parts, or none for evaluations.
        let key = match named.part {
            Some(_) => Some(Some(named.dataset.clone())),
            None => (has_evaluation && named.rows_kind().is_some()).then_some(None),
        };
        let place = key.map_or(datasets.len(), |key| *places.entry(key).or_insert(datasets.len()));
        match datasets.get_mut(place) {
            Some(dataset) => dataset.push(named),
            None => datasets.push(vec![named]),
        }
    }
    datasets
}

/// Returns the statements that follow from several evaluation files, each with the index of its file.
pub fn links_of<'n>(
    files: impl Iterator<Item = (&'n DatasetDocument, &'n IndexedGraph<'n>)>,
) -> Vec<EvaluationLink> {
    let file = |(named, graph): (&'n DatasetDocument, &'n IndexedGraph<'n>)| EvaluationFile {
        kind: named.rows_kind().unwrap_or_default(),
        path: named.opened.origin.named_path().unwrap_or(Path::new("")),
        graph,
    };
    evaluation_links(&files.map(file).collect::<Vec<_>>())
}
