//! The three readers of checkpoints, and which of them reads a dialect.

use super::dialect::CheckpointDialect;

/// A reader of checkpoints, whose rules apply.
///
/// Its names are in `karenina/karenina_names.rs`, its rules in `karenina/rules`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckpointProfile {
    /// The specification, 3.0.0-jsonld.
    Spec,
    /// The loader of the Python library.
    Library,
    /// The validator of the user interface.
    Interface,
}

impl CheckpointProfile {
    /// All profiles.
    pub const ALL: [Self; 3] = [Self::Spec, Self::Library, Self::Interface];

    /// Returns the profile of the program that writes the dialect, or `None` for files that are not JSON-LD
    /// checkpoints. A hybrid is treated as a file of the Python library.
    pub fn from_dialect(dialect: CheckpointDialect) -> Option<Self> {
        match dialect {
            CheckpointDialect::S0
            | CheckpointDialect::S0b
            | CheckpointDialect::S0c
            | CheckpointDialect::S1 => Some(Self::Spec),
            CheckpointDialect::P0
            | CheckpointDialect::P1
            | CheckpointDialect::P2
            | CheckpointDialect::X
            | CheckpointDialect::Hybrid => Some(Self::Library),
            CheckpointDialect::G | CheckpointDialect::GDev | CheckpointDialect::M | CheckpointDialect::T => {
                Some(Self::Interface)
            }
            CheckpointDialect::V2a
            | CheckpointDialect::V2b
            | CheckpointDialect::V2c
            | CheckpointDialect::ResultsExport
            | CheckpointDialect::None => None,
        }
    }
}
