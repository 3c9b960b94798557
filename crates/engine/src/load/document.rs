//! A document that was read and recognised: where it comes from, and what it contains.
//!
//! Other methods of `Document` are in `document_reading.rs` and `document_quads.rs`.

use std::sync::Arc;

use md5::{Digest, Md5};

use super::large_checkpoint::LargeCheckpoint;
use super::large_records::LargeRecords;
use crate::input::origin::DocumentOrigin;
use crate::input::source::RawInput;
use evalgraph_formats::checkpoint::{CheckpointSurvey, DialectDetection};
use evalgraph_formats::records::RecognisedRecords;
use evalgraph_formats::rows::is_evaluation_data;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::RdfFormat;

/// A document that was read but not yet converted. [`Document::read`] reads one, and [`Document::quads_into`] converts
/// it.
pub struct Document {
    /// Where it comes from.
    pub origin: DocumentOrigin,
    pub(crate) format: RdfFormat,
    pub(crate) root_id: Option<String>,
    /// Its content.
    pub content: DocumentContent,
    /// The SHA-256 of the file, if requested and if the text is byte for byte that of the file.
    pub sha256: Option<String>,
}

impl Document {
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

    /// Returns whether the catalog has entries about such a file.
    pub(super) fn is_in_catalog(&self) -> bool {
        matches!(self, Self::Json { .. } | Self::Records { .. })
    }

    pub(crate) fn is_evaluation(&self) -> bool {
        self.recognised().is_some_and(is_evaluation_data)
    }

    /// Returns whether the content is an evaluation that is not kept in memory.
    pub(crate) fn is_measured_once(&self) -> bool {
        matches!(self, Self::Large(_)) && self.is_evaluation()
    }
}
