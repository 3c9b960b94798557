//! The manifest of a store: the file that names all others. A change takes effect when a new manifest replaces the old
//! one.
//!
//! It has one line with a magic word, the version and a checksum, followed by JSON, so a person can read it. If there
//! are many documents, all except the first are listed in a separate file (`document_list`), which need not be read
//! completely to open a store.
//!
//! The version is that of the store. In stores of version 1 each document has its own files; in versions 1 and 2 a
//! checksum covers 64 KiB of a file; up to version 3 the texts of all properties share blocks. Each file states its
//! version, so a change can update a store to the latest version without rewriting existing files.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

use super::damage::{StoreDamage, damaged};
use super::document_list::{self, DocumentList};
use super::medium::StoreMedium;
use super::sections::FileFacts;
use super::store_location::{FileRef, PartOfFile, StoreLocation, WITH_OWN_FILES};
use super::stored_document::files_of;
pub use super::stored_document::{DocumentEntry, DocumentSource, ReadingConditions, StoredDocument};
pub(super) use super::stored_document::{entry_from_json, entry_to_json, places};
use evalgraph_diagnostics::{Diagnostic, codes};

/// The name of the manifest.
pub(super) const MANIFEST: &str = "manifest";

/// The name of a manifest that is not in place yet.
pub(super) const NEXT_MANIFEST: &str = "manifest.next";

/// The prefix of the names of files that list documents.
pub(super) const LIST_PREFIX: &str = "documents-";

const MAGIC: &str = "evalgraph-store";

/// The version of the stores that are written. Earlier versions can be read.
const VERSION: u32 = 4;

/// The files of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoreManifest {
    /// How many changes the store has had.
    pub(super) generation: u64,
    /// The seed of the hashes of terms.
    pub(super) seed: u64,
    /// The number of the next file. No number is used twice.
    pub(super) next_file: u64,
    /// The files of terms, in the order of their terms.
    pub(super) terms: Vec<FileFacts>,
    /// The documents.
    pub(super) documents: Vec<StoredDocument>,
    /// The file of the documents that do not fit into the manifest.
    pub(super) list: Option<FileFacts>,
}

/// A manifest as it is on disk: without the documents that are listed in a separate file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ManifestHead {
    /// The files, and the documents that are listed in the manifest.
    pub(super) manifest: StoreManifest,
    /// The files that contain the listed documents, in the numbering of the list.
    pub(super) files: Vec<FileRef>,
}

impl StoreManifest {
    pub(super) fn new(seed: u64) -> Self {
        Self { generation: 0, seed, next_file: 1, terms: Vec::new(), documents: Vec::new(), list: None }
    }

    /// Writes the documents that do not fit into the manifest to a new file.
    ///
    /// # Errors
    ///
    /// An error of the system.
    pub(super) fn write_list(&mut self, medium: &dyn StoreMedium) -> io::Result<()> {
        self.list = None;
        let Some((_, behind)) = self.documents.split_at_checked(WITH_OWN_FILES) else { return Ok(()) };
        if behind.is_empty() {
            return Ok(());
        }
        let name = format!("{LIST_PREFIX}{}", self.next_file);
        self.next_file += 1;
        self.list = Some(document_list::write(medium, &name, behind, &files_of(behind.iter()))?);
        Ok(())
    }

    /// The text of the file.
    pub(super) fn to_text(&self) -> String {
        let (here, behind) = match self.list {
            Some(_) => self.documents.split_at(WITH_OWN_FILES.min(self.documents.len())),
            None => (self.documents.as_slice(), &[][..]),
        };
        let mut value = json!({
            "generation": self.generation,
            "seed": self.seed,
            "nextFile": self.next_file,
            "terms": self.terms.iter().map(file_to_json).collect::<Vec<_>>(),
            "documents": here.iter().map(document_to_json).collect::<Vec<_>>(),
        });
        if let Some(list) = &self.list {
            // In the order of `write_list`, since the list refers to its files by their places here.
            let files =
                files_of(behind.iter()).iter().map(|file| file_to_json(&file.facts())).collect::<Vec<_>>();
            value["moreDocuments"] = json!({"list": file_to_json(list), "files": files});
        }
        let body = format!("{value:#}\n");
        format!("{MAGIC} {VERSION} {:08x}\n{body}", crc32fast::hash(body.as_bytes()))
    }

    /// The names of all files that the store consists of.
    pub(super) fn file_names(&self) -> impl Iterator<Item = &str> {
        let of_documents = self.documents.iter().flat_map(places).map(|place| place.file.name());
        self.terms.iter().chain(&self.list).map(|file| file.name.as_str()).chain(of_documents)
    }
}

impl ManifestHead {
    /// The files that the store consists of, each once: those of terms, the list of documents, and the files of
    /// documents.
    pub(super) fn all_files(&self) -> Vec<FileFacts> {
        let Self { manifest, files } = self;
        let of_documents = manifest.documents.iter().flat_map(places).map(|place| &place.file).chain(files);
        let of_documents = of_documents.map(FileRef::facts);
        let mut seen = HashSet::new();
        let all = manifest.terms.iter().chain(&manifest.list).cloned().chain(of_documents);
        all.filter(|file| seen.insert(file.name.clone())).collect()
    }

    /// The names of all files that the store consists of.
    pub(super) fn file_names(&self) -> impl Iterator<Item = &str> {
        self.manifest.file_names().chain(self.files.iter().map(FileRef::name))
    }

    /// All documents.
    ///
    /// # Errors
    ///
    /// A file of documents that is damaged.
    pub(super) fn complete(self, medium: &dyn StoreMedium) -> Result<StoreManifest, Box<Diagnostic>> {
        let Self { mut manifest, files } = self;
        if let Some(list) = &manifest.list {
            let list = DocumentList::open(medium, list, files, &StoreDamage::default())?;
            manifest.documents.extend(list.documents()?);
        }
        Ok(manifest)
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    ///
    /// A file that is damaged, has a newer version, or is not a manifest.
    pub(super) fn read(medium: &dyn StoreMedium, bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
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
            Some(1..=VERSION) => {}
            Some(newer) if newer > VERSION => {
                return Err(Box::new(too_new(medium.folder(), newer)));
            }
            _ => return Err(wrong("it has no version")),
        }
        let value: Value = serde_json::from_str(body).map_err(|error| wrong(&error.to_string()))?;
        Self::from_json(&value).ok_or_else(|| wrong("something is missing in it"))
    }

    fn from_json(value: &Value) -> Option<Self> {
        let list = |key: &str| value.get(key)?.as_array();
        let more = value.get("moreDocuments");
        let of_more = |more: &Value| {
            let files = more.get("files")?.as_array()?.iter();
            let files = files
                .map(|file| file_from_json(file).map(FileRef::from_facts))
                .collect::<Option<Vec<_>>>()?;
            Some((Some(file_from_json(more.get("list")?)?), files))
        };
        let (more, files) = match more {
            Some(more) => of_more(more)?,
            None => (None, Vec::new()),
        };
        let manifest = StoreManifest {
            generation: value.get("generation")?.as_u64()?,
            seed: value.get("seed")?.as_u64()?,
            next_file: value.get("nextFile")?.as_u64()?,
            terms: list("terms")?.iter().map(file_from_json).collect::<Option<_>>()?,
            documents: list("documents")?.iter().map(document_from_json).collect::<Option<_>>()?,
            list: more,
        };
        Some(Self { manifest, files })
    }
}

/// The finding for a store with a version that this program does not support.
fn too_new(folder: &Path, version: u32) -> Diagnostic {
    let folder = folder.display();
    let message =
        format!("the store `{folder}` has version {version}, and this program knows version {VERSION}");
    Diagnostic::error(codes::STORE_VERSION, message).with_help("use a newer evalgraph")
}

/// The finding for a store with an unusable manifest: nothing else names its files.
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
    // The check prevents a name in a manifest from pointing out of the folder.
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.');
    (is_plain && !name.starts_with('.')).then_some(())?;
    Some(FileFacts {
        name: name.to_owned(),
        length: value.get("length")?.as_u64()?,
        checksum: u32::try_from(value.get("checksum")?.as_u64()?).ok()?,
    })
}

fn place_to_json(place: &StoreLocation) -> Value {
    let mut value = file_to_json(&place.file.facts());
    if let Some(PartOfFile { first, count, bytes }) = place.part {
        value["part"] = json!({"first": first, "count": count, "bytes": bytes});
    }
    value
}

fn place_from_json(value: &Value) -> Option<StoreLocation> {
    let part = match value.get("part") {
        Some(part) => Some(PartOfFile {
            first: part.get("first")?.as_u64()?,
            count: part.get("count")?.as_u64()?,
            bytes: part.get("bytes")?.as_u64()?,
        }),
        None => None,
    };
    Some(StoreLocation { file: FileRef::from_facts(file_from_json(value)?), part })
}

fn document_to_json(document: &StoredDocument) -> Value {
    let mut value = entry_to_json(&document.entry);
    value["file"] = place_to_json(&document.graphs);
    if let Some(kept) = &document.kept {
        value["kept"] = place_to_json(kept);
    }
    value
}

fn document_from_json(value: &Value) -> Option<StoredDocument> {
    Some(StoredDocument {
        graphs: place_from_json(value.get("file")?)?,
        kept: match value.get("kept") {
            Some(kept) => Some(place_from_json(kept)?),
            None => None,
        },
        entry: entry_from_json(value)?,
    })
}
