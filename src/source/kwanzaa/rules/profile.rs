//! Whose rules a file of Kwanzaa is held against.

use crate::source::named_enum::named_enum;

named_enum! {
    /// Whose rules, by the name on the command line.
    pub enum Profile {
        /// The documents: the schema of datasets and what is written beside it.
        Seed = "seed",
        /// The shipped code that loads a dataset.
        Code = "code",
        /// The contract of answers.
        Contract = "contract",
    }
}
