//! A document of the store as an input: its text, and its name in messages.

use crate::input::origin::StoredName;
use crate::input::path_text::{path_of, shown};
use crate::input::source::StoredText;
use evalgraph_formats::system_name::SystemName;
use evalgraph_rdf::minted::{dataset_and_part, document_name};
use evalgraph_store::DocumentEntry;

/// Returns the text that a document of the store was read from, compressed or not.
pub fn kept_text(entry: &DocumentEntry, text: Vec<u8>) -> StoredText {
    let (name, dataset) = (name_of(entry), stored_name(entry));
    StoredText { name, bytes: text.into(), dataset, is_graph: false, is_elsewhere: false }
}

/// Returns the dataset, part and system of a document. Graphs whose names have another form belong to no file.
pub fn stored_name(entry: &DocumentEntry) -> Option<StoredName> {
    document_name(&entry.graph)?;
    let kind = entry.source.as_ref().map(|source| source.kind.as_str());
    // Checkpoints are recognised by their content.
    let system = kind.and_then(|kind| SystemName::from_name(kind.split(' ').next()?));
    let system = system.filter(|system| *system != SystemName::JSON_LD);
    Some(StoredName { dataset: entry.dataset.clone(), part: part_of(entry), system })
}

/// Returns the part of its dataset that a document is, if the dataset has several.
pub fn part_of(entry: &DocumentEntry) -> Option<String> {
    dataset_and_part(&entry.graph)?.1
}

/// Returns the name of a document in messages: its file, or its dataset if it has no file.
pub fn name_of(entry: &DocumentEntry) -> String {
    entry.source.as_ref().map_or_else(|| entry.dataset.clone(), |source| relative(&source.path))
}

/// Returns the address of a document, relative to the current folder if it is inside.
fn relative(address: &str) -> String {
    let here = std::env::current_dir().and_then(std::fs::canonicalize).unwrap_or_default();
    path_of(address).strip_prefix(here).map_or_else(|_| address.to_owned(), shown)
}
