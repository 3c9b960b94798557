//! From bytes to quads: opens a file, recognises it, names its dataset, and hands on its quads and its entries in the
//! catalog, whole or in pieces.

pub mod catalog;
pub mod checkpoint_file;
pub mod checkpoint_pieces;
#[cfg(test)]
mod checkpoint_pieces_tests;
mod contexts_read;
mod counting;
pub mod dataset_names;
mod dividing;
pub mod json_ld;
pub mod large_records;
pub mod loaded;
pub mod loader;
pub mod loading;
pub mod named;
pub mod opened;
pub mod opening;
pub mod operation;
pub mod parsing;
pub mod places;
pub mod quads;
pub mod reading_digest;
pub mod records;
mod server_format;
