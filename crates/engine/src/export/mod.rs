//! Export to other stores: streams the graphs of a store or of loaded files into files for bulk loaders, or to servers.
//!
//! Memory is bounded for stores of any size: quads are read from the store's files one by one, and the texts of their
//! terms are freed again.

pub mod choice;
#[cfg(feature = "net")]
mod content_digest;
pub mod export_data;
mod export_folder;
pub mod files_export_form;
pub mod files_export_run;
#[cfg(feature = "net")]
mod hashed_triple;
#[cfg(feature = "tables")]
pub mod quad_files;
mod series;
#[cfg(feature = "net")]
pub mod server;
pub mod server_place;
mod shared_nodes;
mod statement_serializer;
#[cfg(feature = "net")]
mod verification;
