//! The way out to other stores: the graphs of a store or of loaded files, streamed into files for their bulk loaders.
//!
//! Memory is bounded whatever the size of a store: quads are read from its files one after the other, and the texts of
//! their terms are freed again.

pub(crate) mod choice;
pub(crate) mod data;
#[cfg_attr(not(test), expect(dead_code, reason = "exports to servers will name their graphs by it"))]
mod digest;
pub(crate) mod files;
mod folder;
pub(crate) mod form;
mod hashed_triple;
mod series;
mod shared_nodes;
mod statements;
#[cfg_attr(not(test), expect(dead_code, reason = "exports to servers will be verified by it"))]
mod verification;
