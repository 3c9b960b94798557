//! schema.org: the vocabulary.

pub(crate) mod vocabulary;
