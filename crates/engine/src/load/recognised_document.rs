//! A document that was read and recognised.

use std::sync::Arc;

use md5::{Digest, Md5};
use twox_hash::XxHash3_64;

use super::large_records::LargeRecords;
use crate::input::origin::DocumentOrigin;
use crate::input::source::{InputSource, RawInput};
use evalgraph_formats::karenina::{CheckpointSurvey, DialectDetection};
use evalgraph_formats::records::RecognisedRecords;
use evalgraph_formats::train::is_evaluation_data;
use evalgraph_json::{JsonDocument, ListFrame, ListHead, ListPiece};
use evalgraph_rdf::RdfFormat;

/// A document that was read but not yet converted.
pub struct RecognisedDocument {
    /// Where it comes from.
    pub origin: DocumentOrigin,
    pub(crate) format: RdfFormat,
    pub(crate) root_id: Option<String>,
    /// Its content.
    pub content: DocumentContent,
    /// The SHA-256 of the file, if requested and if the text is byte for byte that of the file.
    pub sha256: Option<String>,
}

impl RecognisedDocument {
    /// Creates a document whose root has no id.
    pub fn new(origin: DocumentOrigin, format: RdfFormat, content: DocumentContent) -> Self {
        Self { origin, format, root_id: None, content, sha256: None }
    }

    /// Returns a digest of the content. It distinguishes datasets with the same name and does not depend on the folder.
    pub fn digest(&self) -> String {
        let bytes = match &self.content {
            DocumentContent::Json { document, .. } => document.text().as_bytes(),
            DocumentContent::Records { file, .. } => file.written_text().as_bytes(),
            DocumentContent::Large(large) => &large.beginning,
            DocumentContent::LargeCheckpoint(large) => return large.digest.clone(),
            DocumentContent::Other(input) => &input.bytes,
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

/// How many bytes at either end of a long input go into its digest. The digest only has to distinguish names; inputs
/// with equal ends and equal length get numbers.
pub const DIGESTED: usize = 32 << 10;

/// The content of a document.
pub enum DocumentContent {
    /// JSON-LD, with the file and its dialect. Document and file differ for a checkpoint of version 2.0.
    Json {
        /// The document to convert.
        document: Arc<JsonDocument>,
        /// A survey of the checkpoint's content.
        survey: CheckpointSurvey,
        /// The file as it was read.
        file: Arc<JsonDocument>,
        /// The dialect.
        detection: DialectDetection,
    },
    /// A records file, which is not JSON-LD.
    Records {
        /// The file as it was read.
        file: Arc<JsonDocument>,
        /// The system that the file belongs to.
        recognised: RecognisedRecords,
    },
    /// A records file that is read in pieces: for figures, not for quads.
    Large(Box<LargeRecords>),
    /// A checkpoint that is read in pieces.
    LargeCheckpoint(Box<LargeCheckpoint>),
    /// Anything else.
    Other(RawInput),
}

impl DocumentContent {
    pub(crate) fn recognised(&self) -> Option<&RecognisedRecords> {
        match self {
            Self::Records { recognised, .. } => Some(recognised),
            Self::Large(large) => Some(&large.found.recognised),
            Self::Json { .. } | Self::LargeCheckpoint(_) | Self::Other(_) => None,
        }
    }

    pub(crate) fn is_evaluation(&self) -> bool {
        self.recognised().is_some_and(is_evaluation_data)
    }

    /// Returns whether the content is an evaluation that is not kept in memory.
    pub(crate) fn is_measured_once(&self) -> bool {
        matches!(self, Self::Large(_)) && self.is_evaluation()
    }
}

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
