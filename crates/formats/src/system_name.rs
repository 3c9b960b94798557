//! The names of the systems.

use super::named_enum::named_enum;

named_enum! {
    /// A system whose files are read and written. Its name is used on the command line, in IRIs and in the catalog.
    ///
    /// Its method `entry` is in `registry.rs`.
    pub enum SystemName {
        /// Karenina checkpoints.
        Karenina = "karenina",
        /// The train.json sets of a retrieval evaluator.
        Train = "train",
        /// Kwanzaa training samples.
        Kwanzaa = "kwanzaa",
        /// RLCF legal-feedback records.
        Rlcf = "rlcf",
    }
}

impl SystemName {
    /// The system whose files are JSON-LD. The files of all others are records.
    pub const JSON_LD: Self = Self::Karenina;
}
