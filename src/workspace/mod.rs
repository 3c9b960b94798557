//! The store in a folder `.evalgraph`: finds it, reads its documents as files, and changes documents together with
//! their sidecars and catalog entries. Stores elsewhere: the endpoints that people and projects give names to.

pub(crate) mod damage;
pub(crate) mod editing;
#[cfg(feature = "net")]
#[cfg_attr(not(any(feature = "cli", test)), expect(dead_code, reason = "the command line alone asks for it"))]
pub(crate) mod endpoints;
pub(crate) mod import;
pub(crate) mod new_documents;
pub(crate) mod oversight;
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "the command line alone asks for it"))]
pub(crate) mod preferences;
pub(crate) mod question_change;
pub(crate) mod repair;
mod restoring;
pub(crate) mod revision_quads;
mod server_sources;
mod settling;
pub(crate) mod sources;
#[cfg(feature = "serve")]
pub(crate) mod statements_change;
pub(crate) mod store;
pub(crate) mod stored_document;
pub(crate) mod update;
pub(crate) mod updated_files;
