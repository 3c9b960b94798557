//! A checkpoint that is too large to keep in memory, and how such files are read.

use twox_hash::XxHash3_64;

use crate::input::source::InputSource;
use evalgraph_formats::checkpoint::DialectDetection;
use evalgraph_json::{ListFrame, ListHead, ListPiece};

/// Which checkpoints are read in pieces, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckpointPieces {
    /// Checkpoints with more bytes than this are read in pieces.
    pub from: u64,
    /// The minimum size of a piece in bytes.
    pub bytes: usize,
}

impl Default for CheckpointPieces {
    /// 64 MiB and 4 MiB. A smaller file fits into memory many times over. A piece is large compared with the cost of
    /// beginning one, but small compared with the memory for each core.
    fn default() -> Self {
        Self { from: 64 << 20, bytes: 4 << 20 }
    }
}

/// A checkpoint to be read in pieces.
pub struct LargeCheckpoint {
    /// The dialect of the whole file.
    pub detection: DialectDetection,
    /// How many bytes the file has.
    pub size: u64,
    /// The digest that distinguishes datasets of one name.
    pub digest: String,
    /// The object without the items of its list.
    pub frame: ListFrame,
    /// The members that every piece has beside its items.
    pub head: ListHead,
    pub(crate) pieces: Vec<KnownPiece>,
    pub(crate) source: InputSource,
}

/// A piece that was examined.
#[derive(Debug, Clone, Copy)]
pub struct KnownPiece {
    pub(crate) piece: ListPiece,
    /// The hash of its bytes.
    pub hash: u64,
    /// `true` if a value in the piece stays JSON.
    pub keeps_json: bool,
}

/// Returns the hash by which a piece is recognised when it is read again.
pub fn hash_of(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}
