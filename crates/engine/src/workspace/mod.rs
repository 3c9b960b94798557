//! The store in a folder `.evalgraph`: finds it, reads its documents as files, and changes documents together with
//! their sidecars and catalog entries. Stores elsewhere: the endpoints that people and projects give names to.

pub mod damage;
pub mod editing;
#[cfg(feature = "net")]
pub mod endpoints;
pub mod import;
pub mod new_documents;
pub mod oversight;
pub mod preferences;
pub mod question_change;
pub mod repair;
mod restoring;
pub mod revision_quads;
mod server_sources;
mod settling;
pub mod sources;
pub mod statements_change;
pub mod store;
pub mod stored_document;
pub mod update;
pub mod updated_files;
