//! Whose rules `validate` checks by: names that mean a set of rules of one system, or in each system that
//! has it its own.

use crate::source::karenina::rules::Profile as KareninaProfile;

/// A name of a set of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProfileName {
    /// What the specification of Karenina, 3.0.0-jsonld, asks for.
    KareninaSpec,
    /// What the loader of Karenina's Python library asks for.
    Karenina,
    /// What the validator of Karenina's user interface asks for.
    KareninaGui,
    /// The words of each system's documents.
    Seed,
    /// What each system's shipped code takes; `shipped` is the same.
    Code,
    /// What Kwanzaa's contract asks of the expected answers.
    Contract,
}

impl ProfileName {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::KareninaSpec, Self::Karenina, Self::KareninaGui, Self::Seed, Self::Code, Self::Contract];

    /// The name that people give it.
    pub fn name(self) -> &'static str {
        match self {
            Self::KareninaSpec => "karenina-spec",
            Self::Karenina => "karenina",
            Self::KareninaGui => "karenina-gui",
            Self::Seed => "seed",
            Self::Code => "code",
            Self::Contract => "contract",
        }
    }

    /// The rules of this name for checkpoints.
    pub(crate) fn for_karenina(self) -> Option<KareninaProfile> {
        match self {
            Self::KareninaSpec | Self::Seed => Some(KareninaProfile::Spec),
            Self::Karenina | Self::Code => Some(KareninaProfile::Library),
            Self::KareninaGui => Some(KareninaProfile::Interface),
            Self::Contract => None,
        }
    }
}
