//! evalgraph: an RDF and linked-data engine for evaluation datasets.
//!
//! One module per step of the data's way, in this order; a module uses only those above it.

pub mod cli;
pub mod diagnostic;
pub mod json;
pub mod jsonld;
pub mod rdf;
pub mod source;
pub mod sparql;
pub mod store;
