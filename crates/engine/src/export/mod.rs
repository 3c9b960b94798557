//! The way out to other stores: the graphs of a store or of loaded files, streamed into files for their bulk loaders or into
//! servers.
//!
//! Memory is bounded whatever the size of a store: quads are read from its files one after the other, and the texts of
//! their terms are freed again.

pub mod choice;
pub mod data;
#[cfg(feature = "net")]
mod digest;
pub mod files;
mod folder;
pub mod form;
#[cfg(feature = "net")]
mod hashed_triple;
pub mod place;
mod series;
#[cfg(feature = "net")]
pub mod server;
mod shared_nodes;
mod statements;
#[cfg(feature = "net")]
mod verification;
