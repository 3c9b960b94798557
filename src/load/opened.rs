//! A document that was read and recognised.

use std::sync::Arc;

use md5::{Digest, Md5};
use twox_hash::XxHash3_64;

use super::large_records::LargeRecords;
use crate::input::origin::Origin;
use crate::input::source::{Input, InputSource};
use crate::json::{Document, ListFrame, ListHead, ListPiece};
use crate::rdf::RdfFormat;
use crate::source::karenina::{Detection, Survey};
use crate::source::records::Recognised;
use crate::source::train::is_evaluation_data;

/// A document that was read, not yet converted.
pub(crate) struct Opened {
    pub(crate) origin: Origin,
    pub(crate) format: RdfFormat,
    pub(crate) root_id: Option<String>,
    pub(crate) content: Content,
    /// The SHA-256 of the file, where it is wanted and the text is byte for byte that of the file.
    pub(crate) sha256: Option<String>,
}

impl Opened {
    /// A document whose root has no id.
    pub(crate) fn new(origin: Origin, format: RdfFormat, content: Content) -> Self {
        Self { origin, format, root_id: None, content, sha256: None }
    }

    /// A digest of the content, which distinguishes datasets of one name and does not depend on the folder.
    pub(crate) fn digest(&self) -> String {
        let bytes = match &self.content {
            Content::Json { document, .. } => document.text().as_bytes(),
            Content::Records { file, .. } => file.written_text().as_bytes(),
            Content::Large(large) => &large.beginning,
            Content::LargeCheckpoint(large) => return large.digest.clone(),
            Content::Other(input) => &input.bytes,
        };
        let mut digest = Md5::new();
        if bytes.len() <= 2 * DIGESTED {
            digest.update(bytes);
        } else {
            digest.update(&bytes[..DIGESTED]);
            digest.update(&bytes[bytes.len() - DIGESTED..]);
            digest.update(bytes.len().to_le_bytes());
        }
        digest.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// How many bytes at either end of a long input go into its digest. The digest only distinguishes names, and
/// inputs that agree in both ends and in length get numbers.
pub(crate) const DIGESTED: usize = 32 << 10;

pub(crate) enum Content {
    /// JSON-LD, with the file and its dialect. Document and file differ for a checkpoint of version 2.0.
    Json {
        document: Arc<Document>,
        survey: Survey,
        file: Arc<Document>,
        detection: Detection,
    },
    /// A file of records, which is no JSON-LD.
    Records {
        file: Arc<Document>,
        recognised: Recognised,
    },
    /// A file of records that is read in pieces: for figures, not for quads.
    Large(Box<LargeRecords>),
    /// A checkpoint that is read in pieces.
    LargeCheckpoint(Box<LargeCheckpoint>),
    Other(Input),
}

impl Content {
    pub(crate) fn recognised(&self) -> Option<&Recognised> {
        match self {
            Self::Records { recognised, .. } => Some(recognised),
            Self::Large(large) => Some(&large.found.recognised),
            Self::Json { .. } | Self::LargeCheckpoint(_) | Self::Other(_) => None,
        }
    }

    pub(crate) fn is_evaluation(&self) -> bool {
        self.recognised().is_some_and(is_evaluation_data)
    }

    /// Tells whether the content is an evaluation that is not held whole.
    pub(crate) fn is_measured_once(&self) -> bool {
        matches!(self, Self::Large(_)) && self.is_evaluation()
    }
}

/// Tells which checkpoints are read in pieces, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CheckpointPieces {
    /// Checkpoints with more bytes than this are read in pieces.
    pub(crate) from: u64,
    /// How many bytes a piece has at least.
    pub(crate) bytes: usize,
}

impl Default for CheckpointPieces {
    /// 64 MiB and 4 MiB: a smaller file fits into memory many times over, and a piece is large beside the cost of
    /// beginning one, but small beside the memory for each core.
    fn default() -> Self {
        Self { from: 64 << 20, bytes: 4 << 20 }
    }
}

/// A checkpoint that is to be read in pieces.
pub(crate) struct LargeCheckpoint {
    /// The dialect of the whole file.
    pub(crate) detection: Detection,
    /// How many bytes the file has.
    pub(crate) size: u64,
    /// The digest that distinguishes datasets of one name.
    pub(crate) digest: String,
    /// The object without the items of its list.
    pub(crate) frame: ListFrame,
    /// The members that every piece has beside its items.
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
    /// Whether a value in the piece stays JSON.
    pub(crate) keeps_json: bool,
}

/// The hash by which a piece is recognised when it is read again.
pub(crate) fn hash_of(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}
