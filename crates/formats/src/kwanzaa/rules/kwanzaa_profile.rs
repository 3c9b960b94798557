//! The profiles of rules that check a file of Kwanzaa.

use crate::named_enum::named_enum;

named_enum! {
    /// A profile of rules, by the name on the command line.
    pub enum KwanzaaProfile {
        /// The documents: the schema of datasets and the texts beside it.
        Seed = "seed",
        /// The shipped code that loads a dataset.
        Code = "code",
        /// The contract of answers.
        Contract = "contract",
    }
}
