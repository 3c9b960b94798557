//! The systems by their names.

use super::named_enum::named_enum;

named_enum! {
    /// A system whose files are read and written, by the name that users give it, which IRIs and the catalog
    /// use as well.
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
    /// The system whose files are JSON-LD; those of the others are records.
    pub const JSON_LD: Self = Self::Karenina;
}
