//! An array of numbers, in memory or in a file of a store.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::AnyBitPattern;

use super::disk::SectionedFile;

/// An array that does not change.
#[derive(Debug)]
pub(super) enum ImmutableColumn<T> {
    /// In memory.
    Owned(Box<[T]>),
    /// A section of a file.
    Stored(StoredColumn),
}

/// A section of a file as an array.
#[derive(Debug)]
pub(super) struct StoredColumn {
    file: Arc<SectionedFile>,
    section: usize,
    /// The bytes of the section that hold the array.
    part: Range<usize>,
    /// `true` if every block of the array was found to be whole, so that none is left to check.
    is_whole: AtomicBool,
}

impl<T> Default for ImmutableColumn<T> {
    fn default() -> Self {
        Self::Owned(Box::default())
    }
}

impl<T> From<Vec<T>> for ImmutableColumn<T> {
    fn from(items: Vec<T>) -> Self {
        Self::Owned(items.into_boxed_slice())
    }
}

impl<T: AnyBitPattern> ImmutableColumn<T> {
    /// The array that fills a whole section.
    pub(super) fn stored(file: &Arc<SectionedFile>, section: usize) -> Self {
        Self::stored_part(file, section, 0..file.length(section))
    }

    /// The array in a range of bytes of a section. The range begins at a multiple of eight.
    pub(super) fn stored_part(file: &Arc<SectionedFile>, section: usize, part: Range<usize>) -> Self {
        Self::Stored(StoredColumn { file: Arc::clone(file), section, part, is_whole: AtomicBool::new(false) })
    }

    /// Returns whether the array is in a file, so that each part is checked when it is first read.
    #[inline]
    pub(super) fn is_stored(&self) -> bool {
        matches!(self, Self::Stored(_))
    }

    /// Returns how many items there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Owned(items) => items.len(),
            Self::Stored(column) => column.part.len() / size_of::<T>(),
        }
    }

    /// Returns a range of items; nothing if the file cannot be read. The dataset keeps the fault.
    #[inline]
    pub(super) fn slice(&self, range: Range<usize>) -> &[T] {
        match self {
            Self::Owned(items) => &items[range],
            Self::Stored(column) => column.slice(range),
        }
    }

    /// All items.
    #[inline]
    pub(super) fn all(&self) -> &[T] {
        match self {
            Self::Owned(items) => items,
            Self::Stored(column) => column.all(),
        }
    }

    /// Returns an item and its successor, if both exist.
    #[inline]
    pub(super) fn two(&self, at: usize) -> Option<[T; 2]> {
        match self {
            Self::Owned(items) => items.get(at..)?.first_chunk().copied(),
            Self::Stored(column) => {
                let end = at.checked_add(2).filter(|end| *end <= self.len())?;
                column.slice::<T>(at..end).first_chunk().copied()
            }
        }
    }
}

impl StoredColumn {
    #[inline]
    fn slice<T: AnyBitPattern>(&self, range: Range<usize>) -> &[T] {
        let size = size_of::<T>();
        let start = self.part.start;
        let part = start + range.start * size..start + range.end * size;
        // The bytes behind the array belong to another array: a range beyond the end must fail.
        let part = if part.end > self.part.end { start..self.file.length(self.section) + 1 } else { part };
        let bytes = if self.is_whole.load(Ordering::Relaxed) {
            self.file.checked_bytes(self.section, part)
        } else {
            self.file.bytes(self.section, part)
        };
        let bytes = bytes.unwrap_or_default();
        // Sections begin at multiples of eight bytes.
        bytemuck::try_cast_slice(bytes).unwrap_or_default()
    }

    fn all<T: AnyBitPattern>(&self) -> &[T] {
        let bytes = if self.is_whole.load(Ordering::Relaxed) {
            self.file.checked_bytes(self.section, self.part.clone())
        } else {
            let bytes = self.file.bytes(self.section, self.part.clone());
            self.is_whole.store(bytes.is_some(), Ordering::Relaxed);
            bytes
        };
        bytemuck::try_cast_slice(bytes.unwrap_or_default()).unwrap_or_default()
    }
}
