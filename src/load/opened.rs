//! A document that was read, and what it was found to be.

use std::sync::Arc;

use md5::{Digest, Md5};

use super::large_checkpoint::LargeCheckpoint;
use super::large_records::LargeRecords;
use crate::input::origin::Origin;
use crate::input::source::Input;
use crate::input::syntax::Syntax;
use crate::json::Document;
use crate::rdf::RdfFormat;
use crate::source::karenina::{Detection, Survey};
use crate::source::records::Recognised;
use crate::source::train::is_evaluation_data;

/// A document that was read, not yet converted.
pub(crate) struct Opened {
    pub(crate) name: String,
    pub(crate) origin: Origin,
    pub(crate) format: RdfFormat,
    pub(crate) root_id: Option<String>,
    pub(crate) content: Content,
    /// The SHA-256 of the file, where it was asked for and the text is as it stands in the file.
    pub(crate) sha256: Option<String>,
}

impl Opened {
    /// Tells datasets of one name apart, whatever folder they were read in.
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

/// How many bytes at either end of a long input go into its digest: it only tells names apart, and
/// inputs that agree in both ends and in length get numbers.
pub(crate) const DIGESTED: usize = 32 << 10;

pub(crate) enum Content {
    /// JSON-LD, and the file with what it was found to be: not the same where it is of version 2.0.
    Json {
        document: Arc<Document>,
        survey: Survey,
        file: Arc<Document>,
        detection: Detection,
    },
    /// A file of a system that is no JSON-LD.
    Records {
        file: Arc<Document>,
        recognised: Recognised,
        syntax: Syntax,
    },
    /// Such a file that is read in pieces, of which figures are wanted and no quads.
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

    /// Tells whether it is an evaluation that is not held whole.
    pub(crate) fn is_measured_once(&self) -> bool {
        matches!(self, Self::Large(_)) && self.is_evaluation()
    }
}
