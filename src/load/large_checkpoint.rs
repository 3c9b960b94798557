//! A checkpoint that is too large to be held whole: where it can be cut, and what every piece has.

use twox_hash::XxHash3_64;

use crate::input::source::InputSource;
use crate::json::{ListFrame, ListHead, ListPiece};
use crate::source::karenina::Detection;

/// Tells which checkpoints are read in pieces, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CheckpointPieces {
    /// Those that have more bytes than this.
    pub(crate) from: u64,
    /// How many bytes a piece has at least.
    pub(crate) bytes: usize,
}

impl Default for CheckpointPieces {
    /// Returns what is smaller fits into memory many times over; a piece is large beside what it costs to
    /// begin one, and small beside what a core has.
    fn default() -> Self {
        Self { from: 64 << 20, bytes: 4 << 20 }
    }
}

/// A checkpoint that is to be read in pieces.
pub(crate) struct LargeCheckpoint {
    /// What the whole file was found to be.
    pub(crate) detection: Detection,
    /// How many bytes the file has.
    pub(crate) size: u64,
    /// Tells datasets of one name apart.
    pub(crate) digest: String,
    /// The object without the items of its list.
    pub(crate) frame: ListFrame,
    /// What every piece has beside its items.
    pub(crate) head: ListHead,
    pub(crate) pieces: Vec<KnownPiece>,
    pub(crate) source: InputSource,
}

/// A piece that was looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownPiece {
    pub(crate) piece: ListPiece,
    /// The hash of its bytes.
    pub(crate) hash: u64,
    /// Whether something in it stays JSON.
    pub(crate) keeps_json: bool,
}

/// The hash by which a piece is known again.
pub(crate) fn hash_of(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}
