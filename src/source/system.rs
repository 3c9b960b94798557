//! The systems by their names.

use std::fmt;

/// A system whose files are read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum System {
    /// Karenina checkpoints.
    Karenina,
    /// The train.json sets of a retrieval evaluator.
    Train,
    /// Kwanzaa training samples.
    Kwanzaa,
    /// RLCF legal-feedback records.
    Rlcf,
}

impl System {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Karenina, Self::Train, Self::Kwanzaa, Self::Rlcf];

    /// The system whose files are JSON-LD; those of the others are records.
    pub const JSON_LD: Self = Self::Karenina;

    /// The name that people give it, in IRIs and in the catalog as well.
    pub fn name(self) -> &'static str {
        match self {
            Self::Karenina => "karenina",
            Self::Train => "train",
            Self::Kwanzaa => "kwanzaa",
            Self::Rlcf => "rlcf",
        }
    }

    /// The system of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|system| system.name() == name)
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
