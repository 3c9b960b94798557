//! The places of the graphs and the text of a document: in separate files, or in files shared with other documents.
//!
//! In a store of few documents each has its own files, so damage affects only one document. Since the system takes some
//! twenty microseconds to open a file, small documents share files if there are many.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::sections::FileFacts;

/// How many documents, the first of a store, have their own files and are listed in the manifest.
pub(super) const WITH_OWN_FILES: usize = 256;

/// Graphs or texts with at least this many bytes have their own file in any document.
pub(super) const SHARED: u64 = 1 << 20;

/// A shared file has at least this many bytes before the next one is begun.
pub(super) const FULL: u64 = 64 << 20;

/// A file of a store. It may still be in the making.
#[derive(Debug, Clone)]
pub(super) struct FileRef(Arc<(String, OnceLock<FileFacts>)>);

impl FileRef {
    /// A file that is being written.
    pub(super) fn coming(name: String) -> Self {
        Self(Arc::new((name, OnceLock::new())))
    }

    /// A file that is written.
    pub(super) fn from_facts(facts: FileFacts) -> Self {
        let file = Self::coming(facts.name.clone());
        file.arrived(facts);
        file
    }

    /// Records that the file is written.
    pub(super) fn arrived(&self, facts: FileFacts) {
        // Each file is written only once.
        let _ = self.0.1.set(facts);
    }

    pub(super) fn name(&self) -> &str {
        &self.0.0
    }

    /// The facts of the file. A file that is still being written has the length 0, which no complete file has.
    pub(super) fn facts(&self) -> FileFacts {
        let unwritten = || FileFacts { name: self.0.0.clone(), length: 0, checksum: 0 };
        self.0.1.get().cloned().unwrap_or_else(unwritten)
    }

    fn length(&self) -> u64 {
        self.0.1.get().map_or(0, |facts| facts.length)
    }
}

impl PartialEq for FileRef {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.0.1 == other.0.1
    }
}

impl Eq for FileRef {}

/// A place in the files of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoreLocation {
    pub(super) file: FileRef,
    /// The part of the file; none for the whole file.
    pub(super) part: Option<PartOfFile>,
}

/// A part of a file: a range of bytes for a text, a range of the file's graphs for graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PartOfFile {
    pub(super) first: u64,
    pub(super) count: u64,
    /// How many bytes it takes.
    pub(super) bytes: u64,
}

impl StoreLocation {
    /// A whole file.
    pub(super) fn whole(facts: FileFacts) -> Self {
        Self { file: FileRef::from_facts(facts), part: None }
    }
}

/// Returns the shared files whose content moves into the next shared file: the last ones, while none is twice as large
/// as the files after it, and files more than half of which no longer belongs to a document. So there are never more
/// than a few small files, and at least half of each is in use. A small file of one document counts as shared if the
/// document comes after those that have their own files: earlier versions wrote such files.
pub(super) fn to_be_joined<'d>(
    places: impl Iterator<Item = (usize, &'d StoreLocation)>,
    coming: &[&str],
) -> Vec<String> {
    let mut files: HashMap<&str, (u64, u64)> = HashMap::new();
    let mut order: Vec<&str> = Vec::new();
    let mut new = 0;
    for (at, place) in places {
        let is_alone = at >= WITH_OWN_FILES && place.file.length() < SHARED;
        let alone = PartOfFile { first: 0, count: 0, bytes: place.file.length() };
        let Some(part) = place.part.or(is_alone.then_some(alone)) else { continue };
        if coming.contains(&place.file.name()) {
            new += part.bytes;
            continue;
        }
        let (length, used) = files.entry(place.file.name()).or_insert_with(|| {
            order.push(place.file.name());
            (place.file.length(), 0)
        });
        *length = (*length).max(1);
        *used += part.bytes;
    }
    // Numbers in names grow with time.
    order.sort_by_key(|name| number_of(name));
    let mut joined = Vec::new();
    let mut together = new;
    let mut is_last = new > 0;
    for name in order.into_iter().rev() {
        let (length, used) = files[name];
        is_last &= length < FULL && used < 2 * together;
        // The fixed parts of every file are not counted.
        let is_mostly_unused = 2 * used + (64 << 10) < length;
        if is_last || is_mostly_unused {
            joined.push(name.to_owned());
        }
        if is_last {
            together += used;
        }
    }
    joined
}

/// The number in the name of a file.
pub(super) fn number_of(name: &str) -> u64 {
    name.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(file: &FileRef, bytes: u64) -> StoreLocation {
        StoreLocation { file: file.clone(), part: Some(PartOfFile { first: 0, count: 1, bytes }) }
    }

    fn file(number: u64, length: u64) -> FileRef {
        FileRef::from_facts(FileFacts { name: format!("graphs-{number}"), length, checksum: 0 })
    }

    fn numbered(places: &[StoreLocation]) -> impl Iterator<Item = (usize, &StoreLocation)> {
        places.iter().enumerate()
    }

    #[test]
    fn small_files_are_joined_and_large_ones_stay() {
        let (large, small, new) = (file(1, 100_000), file(9, 900), FileRef::coming("graphs-12".to_owned()));
        let places = [place(&large, 99_000), place(&small, 800), place(&new, 500)];
        assert_eq!(to_be_joined(numbered(&places), &["graphs-12"]), ["graphs-9"]);
        // Without new content no file is rewritten.
        assert_eq!(to_be_joined(numbered(&places[..2]), &[]), [""; 0]);
    }

    #[test]
    fn as_many_changes_as_one_likes_leave_few_files() {
        let mut files: Vec<(FileRef, u64)> = Vec::new();
        let mut moved = 0;
        for number in 0..4096 {
            let new = FileRef::coming(format!("graphs-{number}"));
            let mut places: Vec<StoreLocation> =
                files.iter().map(|(file, used)| place(file, *used)).collect();
            places.push(place(&new, 1000));
            let joined = to_be_joined(numbered(&places), &[new.name()]);
            let is_joined = |file: &FileRef| joined.iter().any(|name| name == file.name());
            let used: u64 = files.iter().filter(|(file, _)| is_joined(file)).map(|(_, used)| used).sum();
            files.retain(|(file, _)| !is_joined(file));
            moved += used;
            new.arrived(FileFacts { name: new.name().to_owned(), length: used + 1500, checksum: 0 });
            files.push((new, used + 1000));
            assert!(files.len() <= 16, "{} files", files.len());
        }
        assert!(moved < 4096 * 1000 * 16, "{moved} bytes were written again");
    }

    #[test]
    fn a_file_that_is_mostly_unused_is_written_anew() {
        let (old, other) = (file(1, 1 << 20), file(2, 1 << 20));
        let places = [place(&old, 10_000), place(&other, 900_000)];
        assert_eq!(to_be_joined(numbered(&places), &[]), ["graphs-1"]);
    }
}
