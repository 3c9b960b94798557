//! The profiles whose rules a checkpoint is checked against, and the collector of the findings.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::checking;
use crate::karenina::dialect::Dialect;
use crate::karenina::keys::{Key, Keyed};
use evalgraph_json::{Document, TokenId};

/// The reader whose rules apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The specification, 3.0.0-jsonld.
    Spec,
    /// The loader of the Python library.
    Library,
    /// The validator of the user interface.
    Interface,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 3] = [Self::Spec, Self::Library, Self::Interface];

    /// The name on the command line, which is also the name of the form that is written for the reader.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spec => "karenina-spec",
            Self::Library => "karenina",
            Self::Interface => "karenina-gui",
        }
    }

    /// Returns the profile of the program that writes the dialect; none for files that are not checkpoints in
    /// JSON-LD. A hybrid counts as a file of the Python library.
    pub fn of(dialect: Dialect) -> Option<Self> {
        match dialect {
            Dialect::S0 | Dialect::S0b | Dialect::S0c | Dialect::S1 => Some(Self::Spec),
            Dialect::P0 | Dialect::P1 | Dialect::P2 | Dialect::X | Dialect::Hybrid => Some(Self::Library),
            Dialect::G | Dialect::GDev | Dialect::M | Dialect::T => Some(Self::Interface),
            Dialect::V2a | Dialect::V2b | Dialect::V2c | Dialect::ResultsExport | Dialect::None => None,
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Collects the findings, and answers the questions that only the rules of a checkpoint ask.
pub(super) struct Checker<'d> {
    pub(super) keyed: &'d Keyed<'d>,
    pub(super) document: &'d Document,
    pub(super) profile: Profile,
    pub(super) findings: checking::Checker<'d>,
}

impl<'d> Checker<'d> {
    pub(super) fn new(keyed: &'d Keyed<'d>, profile: Profile) -> Self {
        let document = keyed.document;
        let findings = checking::Checker::new(document, profile.name(), profile.rules());
        Self { keyed, document, profile, findings }
    }

    /// Returns the value that the rules are about: the root, or the first node of an array.
    pub(super) fn root(&self) -> TokenId {
        let root = self.document.root();
        self.keyed.each(root).next().filter(|&node| self.document.is_object(node)).unwrap_or(root)
    }

    /// Tells whether `@type` of an object is exactly the string `class`, as readers compare it.
    pub(super) fn has_type(&self, object: TokenId, class: &str) -> bool {
        self.keyed.get(object, Key::Type).is_some_and(|found| self.keyed.is_text(found, class))
    }
}

impl<'d> Deref for Checker<'d> {
    type Target = checking::Checker<'d>;

    fn deref(&self) -> &Self::Target {
        &self.findings
    }
}

impl DerefMut for Checker<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.findings
    }
}
