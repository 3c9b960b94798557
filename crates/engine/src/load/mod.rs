//! From bytes to quads: opens a file, recognises it, names its dataset, and passes on its quads and its catalog
//! entries, as a whole or in pieces.

pub mod catalog;
mod checkpoint_division;
pub mod checkpoint_file;
pub mod checkpoint_pieces;
#[cfg(test)]
mod checkpoint_pieces_tests;
mod contexts_read;
pub mod dataset_document;
pub mod dataset_names;
pub mod document;
pub mod document_loading;
pub mod document_quads;
pub mod document_reading;
pub mod json_ld_operation;
pub mod large_checkpoint;
pub mod large_records;
pub mod load_purpose;
pub mod loaded_document_facts;
pub mod parsed_input;
pub mod places_in_document;
pub mod quads;
pub mod read_session;
pub mod reading_digest;
mod record_file_counts;
pub mod record_recognition;
mod server_format;
