//! The profiles of rules for Kwanzaa files.

use crate::named_enum::named_enum;

named_enum! {
    /// A profile of rules, with its name on the command line.
    pub enum KwanzaaProfile {
        /// The documents: the schema of datasets and the descriptions that come with it.
        Seed = "seed",
        /// The shipped code that loads a dataset.
        Code = "code",
        /// The contract of answers.
        Contract = "contract",
    }
}

/// The profiles in tables of fields.
pub(in crate::kwanzaa) const SEED: usize = 1;
pub(in crate::kwanzaa) const CODE: usize = 2;
pub(in crate::kwanzaa) const CONTRACT: usize = 4;
