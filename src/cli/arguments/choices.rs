//! Names and help of choices that the library knows as enumerations.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::load::quads::With;

impl ValueEnum for With {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Sidecar, Self::Catalog]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Sidecar => Some(
                PossibleValue::new("sidecar")
                    .help("What RDF cannot hold of each file: order, spelling, what has no meaning"),
            ),
            Self::Catalog => Some(
                PossibleValue::new("catalog")
                    .help("The keys of every question, and where each file came from"),
            ),
            Self::SidecarAtOnce => None,
        }
    }
}
