//! A store in its folder `.evalgraph`: found, read back as the files that it was made of, and changed together with what
//! belongs to a document beside its quads.

pub(crate) mod damage;
pub(crate) mod editing;
pub(crate) mod import;
pub(crate) mod new_documents;
pub(crate) mod oversight;
pub(crate) mod question_change;
pub(crate) mod repair;
pub(crate) mod revision_quads;
mod settling;
pub(crate) mod sources;
pub(crate) mod store;
pub(crate) mod stored_document;
pub(crate) mod update;
pub(crate) mod updated_files;
