//! schema.org: the vocabulary as data.

mod built_in;
mod namespace;
mod release;
mod spelling;
mod table;
mod term_kind;
mod vocabulary;

pub use term_kind::TermKind;
pub use vocabulary::{Vocabulary, VocabularyTerm};
