//! Whose rules a file of Kwanzaa is held against.

use std::fmt;

/// Whose rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The documents: the schema of datasets and what is written beside it.
    Seed,
    /// The shipped code that loads a dataset.
    Code,
    /// The contract of answers.
    Contract,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Seed, Self::Code, Self::Contract];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Code => "code",
            Self::Contract => "contract",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
