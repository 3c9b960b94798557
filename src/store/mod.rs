//! The embedded RDF dataset: dictionary-encoded terms, immutable sorted graphs.
//!
//! Documents are read into a [`DocumentBuilder`] each, merged into a [`Dataset`], and queried through
//! a [`DatasetView`], which is the dataset that the SPARQL evaluator knows.

mod dataset;
mod dictionary;
mod directory;
mod document;
mod graph;
mod n_quads;
mod triples;
mod view;

pub use dataset::{Dataset, DefaultGraph, NamedDocument};
pub use dictionary::{Dictionary, Kind, TermId};
pub use document::{DocumentBuilder, EncodedQuad};
pub use view::{DatasetView, DefaultTriples};
