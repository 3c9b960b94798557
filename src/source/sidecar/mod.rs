//! What RDF cannot hold of a file, as a graph beside the graph of the file: order of arrays,
//! duplicates, empty arrays, nulls, keys that mean nothing, spelling of numbers, indentation.
//!
//! A sidecar is the difference between the file and what [`rewriting`](super::rewriting) makes of its
//! graph, so that it never holds what the graph holds, and writing a file is rewriting its graph with
//! the difference put in. What most objects of a place have in common is said once for the document
//! ([`Layout::places`](super::rewriting::Layout::places)); only exceptions are said of nodes.
//!
//! Blank nodes are terms here, never text, so that neither new labels nor another order of the quads
//! does any harm. An entry whose node is gone, or whose hash does not fit what the graph says now, is
//! left aside and counted.
//!
//! A digest of the graph tells whether it was changed since. The file of a graph that was is read again, and
//! what has not arrived in it is told ([`arrival`]).
//!
//! A file that is no JSON-LD is written back by a writer of its own. Its sidecar has the difference of
//! two JSON values instead ([`json_difference`]), and of YAML and CSV what stands around the values
//! ([`file_form`]).

mod arrival;
mod decode;
mod difference;
mod digest;
mod encode;
pub mod file_form;
mod file_layout;
pub mod json_difference;
mod learn;
mod members;
mod merged_order;
mod positions;
mod reading_again;
pub mod records;
mod restore;
mod signatures;
pub mod version_2;

pub use arrival::{Arrival, Unwritten, arrival};
pub use decode::{Sidecar, decode};
pub use difference::{Source, difference};
pub use digest::{UNCHANGED, graph_digests};
pub use encode::encode;
pub use file_layout::FileLayout;
pub use reading_again::ReadingAgain;
pub use restore::{Datasets, Restored};
