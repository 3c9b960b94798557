//! From bytes to quads: opens a file, recognises it, names its dataset, and hands on its quads and its entries in the
//! catalog, whole or in pieces.

pub(crate) mod catalog;
pub(crate) mod checkpoint_file;
pub(crate) mod checkpoint_pieces;
#[cfg(test)]
mod checkpoint_pieces_tests;
mod contexts_read;
mod counting;
pub(crate) mod dataset_names;
mod dividing;
pub(crate) mod json_ld;
pub(crate) mod large_records;
pub(crate) mod loaded;
pub(crate) mod loader;
pub(crate) mod loading;
pub(crate) mod named;
pub(crate) mod opened;
pub(crate) mod opening;
pub(crate) mod operation;
pub(crate) mod parsing;
pub(crate) mod places;
pub(crate) mod quads;
pub(crate) mod reading_digest;
pub(crate) mod records;
mod server_format;
