//! The file of the documents that do not fit into the manifest. The places of graphs are apart from the entries, so
//! opening a store need not read the whole file.
//!
//! | section | content |
//! |---|---|
//! | 0 | for each document nine numbers of 8 bytes: the file of its graphs, the first graph, the number of graphs, their bytes; the file of its text, the start of the text, its bytes; the start of its entry in section 1, and its length. Files have the numbers of the manifest's list. All bits are set in the file of a missing text, and in the number of graphs or the bytes of the text for a whole file |
//! | 1 | the entries, each as JSON |

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use super::damage::{StoreDamage, damaged};
use super::medium::StoreMedium;
use super::sections::{FileFacts, SectionedFile, StoreFileKind};
use super::sections_writer::SectionsWriter;
use super::store_location::{FileRef, PartOfFile, StoreLocation};
use super::stored_document::{DocumentEntry, StoredDocument, entry_from_json, entry_to_json};
use crate::column::ImmutableColumn;
use evalgraph_diagnostics::Diagnostic;

const NONE: u64 = u64::MAX;

type DocumentRow = [u64; 9];

/// The place of graphs in a row of the list.
type PlaceInFile<'l> = (&'l FileRef, Option<PartOfFile>);

/// A value read from a file, unless the file is damaged.
type DocumentListResult<T> = Result<T, Box<Diagnostic>>;

/// Writes documents; `files` are the files that contain them.
///
/// # Errors
///
/// An error of the system.
pub(super) fn write(
    medium: &dyn StoreMedium,
    name: &str,
    documents: &[StoredDocument],
    files: &[FileRef],
) -> io::Result<FileFacts> {
    let numbers: HashMap<&str, u64> = files.iter().map(FileRef::name).zip(0..).collect();
    // An aborted change may have left a file with this name.
    let _ = medium.remove(name);
    let mut file = SectionsWriter::create(medium, name, StoreFileKind::Documents)?;
    let entries: Vec<String> =
        documents.iter().map(|document| entry_to_json(&document.entry).to_string()).collect();
    file.section()?;
    let mut at = 0;
    for (document, entry) in documents.iter().zip(&entries) {
        let number = |place: &StoreLocation| numbers.get(place.file.name()).copied().unwrap_or(NONE);
        let [first, count, bytes] = numbers_of(&document.graphs);
        let (text_file, [text_first, text_bytes, _]) = match &document.kept {
            Some(kept) => (number(kept), numbers_of(kept)),
            None => (NONE, [0, NONE, 0]),
        };
        let graphs_file = number(&document.graphs);
        let length = entry.len() as u64;
        let row: DocumentRow =
            [graphs_file, first, count, bytes, text_file, text_first, text_bytes, at, length];
        file.bytes(bytemuck::bytes_of(&row))?;
        at += length;
    }
    file.section()?;
    entries.iter().try_for_each(|entry| file.bytes(entry.as_bytes()))?;
    file.finish()
}

fn numbers_of(place: &StoreLocation) -> [u64; 3] {
    place.part.map_or([0, NONE, 0], |PartOfFile { first, count, bytes }| [first, count, bytes])
}

/// The file, open.
#[derive(Debug)]
pub(super) struct DocumentList {
    file: Arc<SectionedFile>,
    files: Vec<FileRef>,
    rows: ImmutableColumn<DocumentRow>,
    wrong: Box<Diagnostic>,
}

impl DocumentList {
    /// Opens the file; `files` are the files that contain its documents.
    ///
    /// # Errors
    ///
    /// A file that is damaged.
    pub(super) fn open(
        medium: &dyn StoreMedium,
        facts: &FileFacts,
        files: Vec<FileRef>,
        damage: &StoreDamage,
    ) -> Result<Self, Box<Diagnostic>> {
        let file = Arc::new(SectionedFile::open(medium, facts, StoreFileKind::Documents, damage)?);
        let rows = ImmutableColumn::stored(&file, 0);
        let mut wrong = damaged(medium.folder(), &facts.name, "its documents are not what was written");
        wrong.help.clear();
        let wrong = wrong.with_help(
            "it names files of the store: put it back from a copy of the folder, or load the files into a new store",
        );
        Ok(Self { file, files, rows, wrong: Box::new(wrong) })
    }

    /// The places of the graphs of the documents.
    ///
    /// # Errors
    ///
    /// A file that is damaged.
    pub(super) fn graphs(
        &self,
    ) -> DocumentListResult<impl Iterator<Item = DocumentListResult<PlaceInFile<'_>>>> {
        let rows = self.rows();
        let graphs = |row: &DocumentRow| {
            self.place([row[0], row[1], row[2], row[3]]).ok_or_else(|| self.wrong.clone())
        };
        rows.map(|rows| rows.iter().map(graphs))
    }

    /// The documents.
    ///
    /// # Errors
    ///
    /// A file that is damaged.
    pub(super) fn documents(&self) -> Result<Vec<StoredDocument>, Box<Diagnostic>> {
        let document = |row: &DocumentRow| self.document(row).ok_or_else(|| self.wrong.clone());
        self.rows()?.iter().map(document).collect()
    }

    fn rows(&self) -> Result<&[DocumentRow], Box<Diagnostic>> {
        let rows = self.rows.all();
        if rows.len() == self.rows.len() { Ok(rows) } else { Err(self.wrong.clone()) }
    }

    fn document(&self, row: &DocumentRow) -> Option<StoredDocument> {
        let place = |(file, part): (&FileRef, Option<PartOfFile>)| StoreLocation { file: file.clone(), part };
        let kept = match row[4] {
            NONE => None,
            _ => Some(place(self.place([row[4], row[5], row[6], row[6]])?)),
        };
        let graphs = place(self.place([row[0], row[1], row[2], row[3]])?);
        Some(StoredDocument { graphs, kept, entry: self.entry(row)? })
    }

    fn entry(&self, row: &DocumentRow) -> Option<DocumentEntry> {
        let (start, length) = (usize::try_from(row[7]).ok()?, usize::try_from(row[8]).ok()?);
        let text = self.file.bytes(1, start..start.checked_add(length)?)?;
        entry_from_json(&serde_json::from_slice(text).ok()?)
    }

    fn place(&self, [file, first, count, bytes]: [u64; 4]) -> Option<(&FileRef, Option<PartOfFile>)> {
        let file = self.files.get(usize::try_from(file).ok()?)?;
        Some((file, (count != NONE).then_some(PartOfFile { first, count, bytes })))
    }
}
