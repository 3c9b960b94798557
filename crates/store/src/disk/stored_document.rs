//! A document of a store, its facts, and its files.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::store_location::{FileRef, StoreLocation, number_of};
use std::collections::BTreeMap;

/// A document of a store: its facts, and the places of its graphs and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    pub(super) graphs: StoreLocation,
    /// The text that the document was read from.
    pub(super) kept: Option<StoreLocation>,
    /// The facts about it.
    pub entry: DocumentEntry,
}

/// The facts about a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentEntry {
    /// The IRI of its graph.
    pub graph: String,
    /// The name of its dataset.
    pub dataset: String,
    /// How many distinct quads it has, without those of its sidecar and of the catalog.
    pub quads: u64,
    /// The file that it was read from; none for a document made by an update.
    pub source: Option<DocumentSource>,
    /// `true` if an update has changed its graphs since it was loaded.
    pub is_edited: bool,
}

impl DocumentEntry {
    /// The facts as JSON.
    pub fn to_json(&self) -> Value {
        entry_to_json(self)
    }

    /// Reads the facts; none if something is missing.
    pub fn from_json(value: &Value) -> Option<Self> {
        entry_from_json(value)
    }
}

/// The file that a document was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentSource {
    /// Its path, absolute, or its URL.
    pub path: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// When it was read, as an `xsd:dateTime`.
    pub loaded: String,
    /// The system and the dialect of the file, or its format.
    pub kind: String,
    /// How it was read; none in stores of versions that did not record it.
    pub reading: Option<ReadingConditions>,
}

/// The conditions that the graph of a file depends on, in addition to its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadingConditions {
    /// A digest of the options.
    pub options: String,
    /// Digests of the documents read beside the file, by URL or name.
    pub beside: BTreeMap<String, String>,
}

/// The places of the graphs and the text of a document.
pub(super) fn places(document: &StoredDocument) -> impl Iterator<Item = &StoreLocation> {
    std::iter::once(&document.graphs).chain(&document.kept)
}

/// The files of documents, each once, in the order of their numbers.
pub(super) fn files_of<'d>(documents: impl Iterator<Item = &'d StoredDocument>) -> Vec<FileRef> {
    let mut files: HashMap<&str, &FileRef> = HashMap::new();
    for place in documents.flat_map(places) {
        files.entry(place.file.name()).or_insert(&place.file);
    }
    let mut files: Vec<FileRef> = files.into_values().cloned().collect();
    files.sort_by_key(|file| number_of(file.name()));
    files
}

/// The facts about a document as JSON, without its files.
pub(super) fn entry_to_json(entry: &DocumentEntry) -> Value {
    let DocumentEntry { graph, dataset, quads, source, is_edited } = entry;
    let mut object = json!({"graph": graph, "dataset": dataset, "quads": quads, "edited": is_edited});
    if let Some(source) = source {
        let DocumentSource { path, sha256, bytes, loaded, kind, reading } = source;
        let mut source =
            json!({"path": path, "sha256": sha256, "bytes": bytes, "loaded": loaded, "kind": kind});
        if let Some(ReadingConditions { options, beside }) = reading {
            source["reading"] = json!({"options": options, "beside": beside});
        }
        object["source"] = source;
    }
    object
}

/// Reads the facts about a document.
pub(super) fn entry_from_json(value: &Value) -> Option<DocumentEntry> {
    let text = |value: &Value, key: &str| Some(value.get(key)?.as_str()?.to_owned());
    let source = match value.get("source") {
        Some(source) => Some(DocumentSource {
            path: text(source, "path")?,
            sha256: text(source, "sha256")?,
            bytes: source.get("bytes")?.as_u64()?,
            loaded: text(source, "loaded")?,
            kind: text(source, "kind")?,
            reading: source.get("reading").and_then(reading_from_json),
        }),
        None => None,
    };
    Some(DocumentEntry {
        graph: text(value, "graph")?,
        dataset: text(value, "dataset")?,
        quads: value.get("quads")?.as_u64()?,
        source,
        is_edited: value.get("edited")?.as_bool()?,
    })
}

/// Reads how a file was read; none for the form of another version.
fn reading_from_json(value: &Value) -> Option<ReadingConditions> {
    let beside = value.get("beside")?.as_object()?.iter();
    Some(ReadingConditions {
        options: value.get("options")?.as_str()?.to_owned(),
        beside: beside
            .map(|(name, digest)| Some((name.clone(), digest.as_str()?.to_owned())))
            .collect::<Option<_>>()?,
    })
}
