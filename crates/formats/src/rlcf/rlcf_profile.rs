//! The choice between the numbers and rules of the documents, and those of the program.

use std::fmt;

/// The source of the numbers and rules that apply.
///
/// Other methods are in `rlcf/rules/rlcf_rule_table.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RlcfProfile {
    /// The documents.
    Seed,
    /// The program as shipped.
    Shipped,
}

impl RlcfProfile {
    /// Both profiles.
    pub const ALL: [Self; 2] = [Self::Seed, Self::Shipped];

    /// Returns the name on the command line.
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
