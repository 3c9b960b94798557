//! The profiles whose rules a checkpoint is checked against, and the collector of the findings.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::checking;
use crate::karenina::dialect::KareninaDialect;
use crate::karenina::karenina_keys::{KareninaKey, KeyedDocument};
use evalgraph_json::{JsonDocument, TokenId};

/// The reader whose rules apply.
///
/// Other methods are in `rules/mod.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckpointProfile {
    /// The specification, 3.0.0-jsonld.
    Spec,
    /// The loader of the Python library.
    Library,
    /// The validator of the user interface.
    Interface,
}

impl CheckpointProfile {
    /// All profiles.
    pub const ALL: [Self; 3] = [Self::Spec, Self::Library, Self::Interface];

    /// Returns the name on the command line, which is also the name of the form that is written for the reader.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spec => "karenina-spec",
            Self::Library => "karenina",
            Self::Interface => "karenina-gui",
        }
    }

    /// Returns the profile of the program that writes the dialect, or `None` for files that are not JSON-LD
    /// checkpoints. A hybrid is treated as a file of the Python library.
    pub fn from_dialect(dialect: KareninaDialect) -> Option<Self> {
        match dialect {
            KareninaDialect::S0 | KareninaDialect::S0b | KareninaDialect::S0c | KareninaDialect::S1 => {
                Some(Self::Spec)
            }
            KareninaDialect::P0
            | KareninaDialect::P1
            | KareninaDialect::P2
            | KareninaDialect::X
            | KareninaDialect::Hybrid => Some(Self::Library),
            KareninaDialect::G | KareninaDialect::GDev | KareninaDialect::M | KareninaDialect::T => {
                Some(Self::Interface)
            }
            KareninaDialect::V2a
            | KareninaDialect::V2b
            | KareninaDialect::V2c
            | KareninaDialect::ResultsExport
            | KareninaDialect::None => None,
        }
    }
}

impl fmt::Display for CheckpointProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Collects the findings, and has helpers that only the rules for checkpoints need.
pub(super) struct CheckpointChecker<'d> {
    pub(super) keyed: &'d KeyedDocument<'d>,
    pub(super) document: &'d JsonDocument,
    pub(super) profile: CheckpointProfile,
    pub(super) findings: checking::FindingCollector<'d>,
}

impl<'d> CheckpointChecker<'d> {
    pub(super) fn new(keyed: &'d KeyedDocument<'d>, profile: CheckpointProfile) -> Self {
        let document = keyed.document;
        let findings = checking::FindingCollector::new(document, profile.name(), profile.rules());
        Self { keyed, document, profile, findings }
    }

    /// Returns the value that the rules apply to: the root, or the first node of an array.
    pub(super) fn root(&self) -> TokenId {
        let root = self.document.root();
        self.keyed.each(root).next().filter(|&node| self.document.is_object(node)).unwrap_or(root)
    }

    /// Returns whether `@type` of an object is exactly the string `class`, which is how readers compare it.
    pub(super) fn has_type(&self, object: TokenId, class: &str) -> bool {
        self.keyed.get(object, KareninaKey::Type).is_some_and(|found| self.keyed.is_text(found, class))
    }
}

impl<'d> Deref for CheckpointChecker<'d> {
    type Target = checking::FindingCollector<'d>;

    fn deref(&self) -> &Self::Target {
        &self.findings
    }
}

impl DerefMut for CheckpointChecker<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.findings
    }
}
