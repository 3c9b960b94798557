//! What a store consists of: the file that names all others. A change is done when a new manifest has
//! taken the place of the old one.
//!
//! One line with magic word, version and checksum, and below it JSON, so that a person can read it.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::damage::damaged;
use super::medium::Medium;
use super::sections::{FileFacts, VERSION};
use crate::diagnostic::Diagnostic;

/// The name of the manifest.
pub(super) const MANIFEST: &str = "manifest";

/// The name of a manifest that is not in place yet.
pub(super) const NEXT_MANIFEST: &str = "manifest.next";

const MAGIC: &str = "evalgraph-store";

/// The files of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    /// How many changes there were.
    pub(super) generation: u64,
    /// What the hashes of terms begin with.
    pub(super) seed: u64,
    /// The number of the next file. No number is given twice.
    pub(super) next_file: u64,
    /// The files of terms, in the order of their terms.
    pub(super) terms: Vec<FileFacts>,
    /// The documents.
    pub(super) documents: Vec<StoredDocument>,
}

/// A document of a store: a graph, and what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    pub(super) file: FileFacts,
    /// The text that it was read from.
    pub(super) kept: Option<FileFacts>,
    /// What is known of it.
    pub entry: DocumentEntry,
}

/// What is known of a document beside its graphs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentEntry {
    /// The IRI of its graph.
    pub graph: String,
    /// The name of its dataset.
    pub dataset: String,
    /// How many distinct quads it has, but for those that stand beside it: of its sidecar and of the catalog.
    pub quads: u64,
    /// What it was read from; none where an update made it.
    pub source: Option<DocumentSource>,
    /// Whether an update has changed its graphs since it was loaded.
    pub is_edited: bool,
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
    /// How it was read; none where a version of the program wrote it that did not note that.
    pub reading: Option<Reading>,
}

/// What the graph of a file depends on besides its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// A digest of the options.
    pub options: String,
    /// Digests of what was read beside the file, by its URL or name.
    pub beside: BTreeMap<String, String>,
}

impl Manifest {
    pub(super) fn new(seed: u64) -> Self {
        Self { generation: 0, seed, next_file: 1, terms: Vec::new(), documents: Vec::new() }
    }

    /// The text of the file.
    pub(super) fn to_text(&self) -> String {
        let value = json!({
            "generation": self.generation,
            "seed": self.seed,
            "nextFile": self.next_file,
            "terms": self.terms.iter().map(file_to_json).collect::<Vec<_>>(),
            "documents": self.documents.iter().map(document_to_json).collect::<Vec<_>>(),
        });
        let body = format!("{value:#}\n");
        format!("{MAGIC} {VERSION} {:08x}\n{body}", crc32fast::hash(body.as_bytes()))
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    ///
    /// A file that is damaged, of a newer version, or none of a store.
    pub(super) fn read(medium: &dyn Medium, bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        let wrong = |what: &str| Box::new(damaged_manifest(medium.folder(), what));
        let text = std::str::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8"))?;
        let (head, body) = text.split_once('\n').ok_or_else(|| wrong("it has no first line"))?;
        let mut words = head.split(' ');
        if words.next() != Some(MAGIC) {
            return Err(wrong("it does not begin as the manifest of a store does"));
        }
        let version = words.next().and_then(|version| version.parse::<u32>().ok());
        let checksum = words.next().filter(|_| words.next().is_none());
        if checksum != Some(&format!("{:08x}", crc32fast::hash(body.as_bytes()))) {
            return Err(wrong("its checksum is wrong"));
        }
        match version {
            Some(VERSION) => {}
            Some(newer) if newer > VERSION => {
                return Err(Box::new(super::newer(&medium.folder().join(MANIFEST), newer)));
            }
            _ => return Err(wrong("it has no version")),
        }
        let value: Value = serde_json::from_str(body).map_err(|error| wrong(&error.to_string()))?;
        Self::from_json(&value).ok_or_else(|| wrong("something is missing in it"))
    }

    fn from_json(value: &Value) -> Option<Self> {
        let list = |key: &str| value.get(key)?.as_array();
        Some(Self {
            generation: value.get("generation")?.as_u64()?,
            seed: value.get("seed")?.as_u64()?,
            next_file: value.get("nextFile")?.as_u64()?,
            terms: list("terms")?.iter().map(file_from_json).collect::<Option<_>>()?,
            documents: list("documents")?.iter().map(document_from_json).collect::<Option<_>>()?,
        })
    }

    /// The names of all files that the store consists of.
    pub(super) fn file_names(&self) -> impl Iterator<Item = &str> {
        let of_documents =
            self.documents.iter().flat_map(|document| std::iter::once(&document.file).chain(&document.kept));
        self.terms.iter().chain(of_documents).map(|file| file.name.as_str())
    }
}

/// What is said of a store whose files nothing names.
pub(super) fn damaged_manifest(folder: &Path, what: &str) -> Diagnostic {
    let mut fault = damaged(folder, MANIFEST, what);
    fault.help.clear();
    fault.with_help(
        "it names all other files: put it back from a copy of the folder, or load the files into a new store",
    )
}

fn file_to_json(file: &FileFacts) -> Value {
    json!({"name": file.name, "length": file.length, "checksum": file.checksum})
}

fn file_from_json(value: &Value) -> Option<FileFacts> {
    let name = value.get("name")?.as_str()?;
    // A name from a manifest leads nowhere else.
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.');
    (is_plain && !name.starts_with('.')).then_some(())?;
    Some(FileFacts {
        name: name.to_owned(),
        length: value.get("length")?.as_u64()?,
        checksum: u32::try_from(value.get("checksum")?.as_u64()?).ok()?,
    })
}

fn document_to_json(document: &StoredDocument) -> Value {
    let DocumentEntry { graph, dataset, quads, source, is_edited } = &document.entry;
    let mut object = Map::new();
    object.insert("graph".to_owned(), json!(graph));
    object.insert("dataset".to_owned(), json!(dataset));
    object.insert("quads".to_owned(), json!(quads));
    object.insert("edited".to_owned(), json!(is_edited));
    object.insert("file".to_owned(), file_to_json(&document.file));
    if let Some(kept) = &document.kept {
        object.insert("kept".to_owned(), file_to_json(kept));
    }
    if let Some(source) = source {
        let DocumentSource { path, sha256, bytes, loaded, kind, reading } = source;
        let mut source =
            json!({"path": path, "sha256": sha256, "bytes": bytes, "loaded": loaded, "kind": kind});
        if let Some(Reading { options, beside }) = reading {
            source["reading"] = json!({"options": options, "beside": beside});
        }
        object.insert("source".to_owned(), source);
    }
    Value::Object(object)
}

fn document_from_json(value: &Value) -> Option<StoredDocument> {
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
    Some(StoredDocument {
        file: file_from_json(value.get("file")?)?,
        kept: match value.get("kept") {
            Some(kept) => Some(file_from_json(kept)?),
            None => None,
        },
        entry: DocumentEntry {
            graph: text(value, "graph")?,
            dataset: text(value, "dataset")?,
            quads: value.get("quads")?.as_u64()?,
            source,
            is_edited: value.get("edited")?.as_bool()?,
        },
    })
}

/// What is not as it is written now counts as not known.
fn reading_from_json(value: &Value) -> Option<Reading> {
    let beside = value.get("beside")?.as_object()?.iter();
    Some(Reading {
        options: value.get("options")?.as_str()?.to_owned(),
        beside: beside
            .map(|(name, digest)| Some((name.clone(), digest.as_str()?.to_owned())))
            .collect::<Option<_>>()?,
    })
}
