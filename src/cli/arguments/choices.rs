//! Names and help of choices that the library knows as enumerations.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::load::quads::With;
use crate::source::karenina::merging::Prefer;
use crate::validation::records::ProfileName;

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

impl ValueEnum for ProfileName {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::KareninaSpec => "What the specification of Karenina, 3.0.0-jsonld, asks for",
            Self::Karenina => "What the loader of Karenina's Python library asks for",
            Self::KareninaGui => "What the validator of Karenina's user interface asks for",
            Self::Seed => "The words of each system's documents",
            Self::Code => "What each system's shipped code takes; `shipped` is the same",
            Self::Contract => "What Kwanzaa's contract asks of the expected answers",
        };
        let value = PossibleValue::new(self.name()).help(help);
        Some(if *self == Self::Code { value.alias("shipped") } else { value })
    }
}

impl ValueEnum for Prefer {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::First, Self::Last, Self::Newest]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Self::First => ("first", "The earlier file"),
            Self::Last => ("last", "The later file"),
            Self::Newest => (
                "newest",
                "The question with the later dateModified, a conflict where both are of one time; and what the \
                 latest file says of itself",
            ),
        };
        Some(PossibleValue::new(name).help(help))
    }
}
