//! The way out to other stores: the graphs of a store or of loaded files, streamed into files for their bulk loaders or into
//! servers.
//!
//! Memory is bounded whatever the size of a store: quads are read from its files one after the other, and the texts of
//! their terms are freed again.

pub mod choice;
#[cfg(feature = "net")]
mod content_digest;
pub mod export_data;
mod export_folder;
pub mod files_export_form;
pub mod files_export_run;
#[cfg(feature = "net")]
mod hashed_triple;
mod series;
#[cfg(feature = "net")]
pub mod server;
pub mod server_place;
mod shared_nodes;
mod statement_serializer;
#[cfg(feature = "net")]
mod verification;
