//! RDF Dataset Canonicalization 1.0 (W3C Recommendation, 21 May 2024), and the difference of two datasets.

mod blank_node_matching;
mod canonical_n_quads;
mod canonicalization;
mod canonicalization_state;
pub mod difference;
mod hash_n_degree_quads;

pub use canonicalization::*;
