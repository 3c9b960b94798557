//! The store in a folder `.evalgraph`: finds it, reads its documents as files, and changes documents together with
//! their sidecars and catalog entries. Also remote stores: the endpoints that people and projects name.

mod change_settlement;
pub mod chosen_store;
pub mod command_sources;
pub mod damage;
pub mod data_expectation;
mod dumped_documents;
#[cfg(feature = "net")]
pub mod endpoints;
pub mod expected_threshold;
pub mod folder_scope;
pub mod import;
pub mod new_documents;
pub mod oversight;
pub mod preferences;
pub mod quads_change;
pub mod question_change;
pub mod question_rows;
pub mod repair;
mod restored_text;
pub mod revision_editor;
pub mod revision_quads;
pub mod rule_switch;
mod server_sources;
pub mod statements_change;
pub mod store_backup;
pub mod store_dump;
pub mod stored_document;
pub mod update_run;
pub mod updated_files;
