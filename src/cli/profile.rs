//! Whose rules `validate` checks by: names that mean a set of rules of one system, or in each system that
//! has it its own.

use clap::ValueEnum;

use crate::source::karenina::rules::Profile as KareninaProfile;
use crate::source::train::rules::Profile as TrainProfile;

/// A name of a set of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ProfileName {
    /// What the specification of Karenina, 3.0.0-jsonld, asks for
    KareninaSpec,
    /// What the loader of Karenina's Python library asks for
    Karenina,
    /// What the validator of Karenina's user interface asks for
    KareninaGui,
    /// The words of each system's documents
    Seed,
    /// What each system's shipped code takes
    Code,
}

impl ProfileName {
    /// The name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::KareninaSpec => "karenina-spec",
            Self::Karenina => "karenina",
            Self::KareninaGui => "karenina-gui",
            Self::Seed => "seed",
            Self::Code => "code",
        }
    }

    /// The rules of this name for checkpoints.
    pub(super) fn for_karenina(self) -> Option<KareninaProfile> {
        match self {
            Self::KareninaSpec | Self::Seed => Some(KareninaProfile::Spec),
            Self::Karenina | Self::Code => Some(KareninaProfile::Library),
            Self::KareninaGui => Some(KareninaProfile::Interface),
        }
    }

    /// The rules of this name for rows of train.json.
    pub(super) fn for_train(self) -> Option<TrainProfile> {
        match self {
            Self::Seed => Some(TrainProfile::Seed),
            Self::Code => Some(TrainProfile::Code),
            _ => None,
        }
    }
}
