//! The names that users know Karenina by: of the system, of the forms of checkpoints, and of the profiles of its readers.

use std::fmt;

use crate::checking::ProfileName;
use crate::checkpoint::CheckpointProfile;
use crate::checkpoint::writer::CheckpointForm;
use crate::system_name::SystemName;

impl SystemName {
    /// The system whose files are JSON-LD. The files of all others are records.
    pub const JSON_LD: Self = Self::new("karenina");
}

/// The names of sets of rules, each with what the set requires.
pub(super) const PROFILES: [(ProfileName, &str); 3] = [
    (SPECIFICATION, "What the specification of Karenina, 3.0.0-jsonld, asks for"),
    (LIBRARY, "What the loader of Karenina's Python library asks for"),
    (INTERFACE, "What the validator of Karenina's user interface asks for"),
];

const SPECIFICATION: ProfileName = ProfileName::new("karenina-spec");
const LIBRARY: ProfileName = ProfileName::new("karenina");
const INTERFACE: ProfileName = ProfileName::new("karenina-gui");

impl CheckpointForm {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Library => LIBRARY.name(),
            Self::Specification => SPECIFICATION.name(),
            Self::Interface => INTERFACE.name(),
            Self::Version2(_) => "karenina-v2",
        }
    }

    /// Returns the form with the given name; for version 2.0, in its latest shape.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }
}

impl fmt::Display for CheckpointForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl CheckpointProfile {
    /// Returns the name on the command line, which is also the name of the form that is written for the reader, and of
    /// its built-in context.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spec => SPECIFICATION.name(),
            Self::Library => LIBRARY.name(),
            Self::Interface => INTERFACE.name(),
        }
    }

    /// Returns the profile of a set of rules, or `None` if checkpoints have no rules of that name.
    pub fn from_rules(name: ProfileName) -> Option<Self> {
        match name {
            ProfileName::SEED | SPECIFICATION => Some(Self::Spec),
            ProfileName::CODE | LIBRARY => Some(Self::Library),
            INTERFACE => Some(Self::Interface),
            _ => None,
        }
    }
}

impl fmt::Display for CheckpointProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
