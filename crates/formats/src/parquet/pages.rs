//! Pages under limits: the size of a page is checked before it is decompressed, and the number of values in a row
//! before they are in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytes::Bytes;
use parquet::bloom_filter::Sbbf;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::RowGroupReader;
use parquet::record::reader::RowIter;
use parquet::schema::types::Type;

use super::page_header::PageHeader;

/// A page of up to this size is read whatever the limit: writers make pages of 1 MiB.
const SMALL_PAGE: u64 = 16 << 20;
/// The maximum number of values of one column that are in memory at once. A row with more cannot be read.
const MOST_VALUES: u64 = 16 << 20;
/// The maximum number of bytes that values can expand to if they are stored as differences to earlier values.
const MOST_OF_DIFFERENCES: u64 = 1 << 30;
/// The number of the encoding that stores strings as differences.
const DELTA_BYTE_ARRAY: i64 = 7;

/// The limits of a file.
#[derive(Debug)]
pub(super) struct PageBounds {
    /// The maximum size of the resulting text in bytes.
    most: u64,
    /// The number of values that were read into memory for a column with lists since the last row.
    values: AtomicU64,
    is_exceeded: AtomicBool,
}

impl PageBounds {
    /// Returns limits for rows whose text has at most `most` bytes.
    pub(super) fn new(most: u64) -> Arc<Self> {
        Arc::new(Self { most, values: AtomicU64::default(), is_exceeded: AtomicBool::default() })
    }

    /// Notes that a row has been written.
    pub(super) fn row(&self) {
        self.values.store(0, Ordering::Relaxed);
    }

    /// Returns whether the rows exceed the limit.
    pub(super) fn is_exceeded(&self) -> bool {
        self.is_exceeded.load(Ordering::Relaxed)
    }

    fn exceed(&self) -> ParquetError {
        self.is_exceeded.store(true, Ordering::Relaxed);
        ParquetError::General("the rows are larger than the limit".to_owned())
    }
}

/// A row group whose pages are read under limits.
pub(super) struct BoundedGroup<'r> {
    pub(super) group: Box<dyn RowGroupReader + 'r>,
    /// The whole file.
    pub(super) bytes: Bytes,
    pub(super) bounds: Arc<PageBounds>,
}

impl RowGroupReader for BoundedGroup<'_> {
    fn metadata(&self) -> &RowGroupMetaData {
        self.group.metadata()
    }

    fn num_columns(&self) -> usize {
        self.group.num_columns()
    }

    fn get_column_page_reader(&self, at: usize) -> Result<Box<dyn PageReader>> {
        let column = self.metadata().column(at);
        let (start, length) = column.byte_range();
        let end = start.checked_add(length).and_then(|end| usize::try_from(end).ok());
        let range = usize::try_from(start).ok().zip(end).filter(|(_, end)| *end <= self.bytes.len());
        let (start, end) = range.ok_or_else(|| damaged("a column is outside of the file"))?;
        Ok(Box::new(BoundedPages {
            pages: self.group.get_column_page_reader(at)?,
            rest: self.bytes.slice(start..end),
            has_lists: column.column_descr().max_rep_level() > 0,
            values: 0,
            bounds: Arc::clone(&self.bounds),
        }))
    }

    fn get_column_bloom_filter(&self, _: usize) -> Option<&Sbbf> {
        None
    }

    fn get_row_iter(&self, projection: Option<Type>) -> Result<RowIter<'_>> {
        RowIter::from_row_group(projection, self)
    }
}

/// The pages of a column of a row group.
struct BoundedPages {
    pages: Box<dyn PageReader>,
    /// The bytes from the header of the next page on.
    rest: Bytes,
    has_lists: bool,
    /// The number of values in the pages so far.
    values: u64,
    bounds: Arc<PageBounds>,
}

impl BoundedPages {
    /// Checks the header of the next page.
    fn look(&mut self) -> Result<()> {
        while !self.rest.is_empty() {
            let header =
                PageHeader::read(&self.rest).ok_or_else(|| damaged("the header of a page is damaged"))?;
            let length = (header.length as u64).saturating_add(header.compressed as u64);
            let length = usize::try_from(length).ok().filter(|length| *length <= self.rest.len());
            let length = length.ok_or_else(|| damaged("a page is longer than its column"))?;
            self.rest = self.rest.slice(length..);
            if !header.is_index() {
                return self.check(header);
            }
        }
        Ok(())
    }

    fn check(&mut self, header: PageHeader) -> Result<()> {
        let (size, values) = (header.uncompressed as u64, header.values as u64);
        if size > self.bounds.most.max(SMALL_PAGE) {
            return Err(self.bounds.exceed());
        }
        if header.is_dictionary() {
            return match values <= size {
                true => Ok(()),
                false => Err(damaged("a dictionary has more values than bytes")),
            };
        }
        // Each value adds at least a character to the text, or a row without it.
        self.values = self.values.saturating_add(values);
        if self.values > self.bounds.most {
            return Err(self.bounds.exceed());
        }
        if !self.has_lists {
            return Ok(());
        }
        if self.bounds.values.fetch_add(values, Ordering::Relaxed).saturating_add(values) > MOST_VALUES {
            return Err(damaged(&format!("a row has more than {MOST_VALUES} values in lists")));
        }
        let of_differences = size.saturating_mul(values);
        if header.encoding == DELTA_BYTE_ARRAY && of_differences > MOST_OF_DIFFERENCES {
            return Err(damaged("long lists of strings in the encoding DELTA_BYTE_ARRAY cannot be read"));
        }
        Ok(())
    }
}

impl Iterator for BoundedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

impl PageReader for BoundedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.look()?;
        self.pages.get_next_page()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.look()?;
        self.pages.skip_next_page()
    }
}

fn damaged(message: &str) -> ParquetError {
    ParquetError::General(message.to_owned())
}
