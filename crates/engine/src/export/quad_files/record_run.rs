//! A run of records in their order: in memory, or read from a file.

use std::io::{self, Read};

/// The key of a record, by which records are sorted.
pub(super) type RecordKey = [i64; 4];

/// A record in memory: its key, and where its bytes are.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeldRecord {
    pub(super) key: RecordKey,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Records in their order.
pub(super) struct RecordRun {
    source: RunSource,
    /// The key of the current record.
    key: RecordKey,
    /// The bytes of the current record, if they were read from a file.
    bytes: Vec<u8>,
}

enum RunSource {
    Held {
        records: Vec<HeldRecord>,
        bytes: Vec<u8>,
        /// How many records were taken.
        taken: usize,
    },
    Read(Box<dyn Read + Send>),
}

impl RecordRun {
    /// The records in memory, which are sorted.
    pub(super) fn from_held(records: Vec<HeldRecord>, bytes: Vec<u8>) -> Self {
        let source = RunSource::Held { records, bytes, taken: 0 };
        Self { source, key: RecordKey::default(), bytes: Vec::new() }
    }

    /// The records of a file, which are sorted.
    pub(super) fn from_reader(reader: impl Read + Send + 'static) -> Self {
        Self { source: RunSource::Read(Box::new(reader)), key: RecordKey::default(), bytes: Vec::new() }
    }

    /// Goes to the next record. Returns its key, or `None` after the last one.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or ends in the middle of a record.
    pub(super) fn advance(&mut self) -> io::Result<Option<RecordKey>> {
        match &mut self.source {
            RunSource::Held { records, taken, .. } => {
                let record = records.get(*taken).copied();
                *taken += 1;
                Ok(record.map(|record| record.key))
            }
            RunSource::Read(reader) => {
                if !read_numbers(reader, &mut self.key)? {
                    return Ok(None);
                }
                let mut length = [0; 4];
                reader.read_exact(&mut length)?;
                self.bytes.resize(u32::from_le_bytes(length) as usize, 0);
                reader.read_exact(&mut self.bytes)?;
                Ok(Some(self.key))
            }
        }
    }

    /// The bytes of the current record.
    pub(super) fn bytes(&self) -> &[u8] {
        match &self.source {
            RunSource::Held { records, bytes, taken } => {
                let record = taken.checked_sub(1).and_then(|taken| records.get(taken));
                record.and_then(|record| bytes.get(record.start..record.end)).unwrap_or_default()
            }
            RunSource::Read(_) => &self.bytes,
        }
    }
}

/// Reads a key. Returns `false` if there is nothing more.
fn read_numbers(reader: &mut impl Read, key: &mut RecordKey) -> io::Result<bool> {
    let mut bytes = [0; size_of::<RecordKey>()];
    let mut filled = 0;
    while filled < bytes.len() {
        match reader.read(&mut bytes[filled..]) {
            Ok(0) if filled == 0 => return Ok(false),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    for (number, bytes) in key.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *number = i64::from_le_bytes(*bytes);
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_ends_in_the_middle_is_damaged() {
        for length in [1, 31, 32, 35, 36, 37] {
            let mut bytes = vec![0; 32];
            bytes.extend(2_u32.to_le_bytes());
            bytes.extend(b"ab");
            bytes.truncate(length);
            let mut run = RecordRun::from_reader(io::Cursor::new(bytes));
            let error = run.advance().expect_err("it is not whole");
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{length}");
        }
        let mut run = RecordRun::from_reader(io::empty());
        assert_eq!(run.advance().expect("it is whole"), None);
    }
}
