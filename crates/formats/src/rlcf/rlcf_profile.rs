//! The choice between the numbers and rules of the documents and those of the program.

use std::fmt;

/// Tells whose numbers and rules apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RlcfProfile {
    /// Those of the documents.
    Seed,
    /// Those of the program as it is shipped.
    Shipped,
}

impl RlcfProfile {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Seed, Self::Shipped];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Shipped => "shipped",
        }
    }
}

impl fmt::Display for RlcfProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
