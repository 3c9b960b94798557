//! RDF terms and quads as they pass between the modules: vocabularies, IRIs, formats, sinks.

mod bases;
pub mod blank_node_labels;
mod blank_node_nesting;
pub mod detect;
pub mod format;
pub mod grouping;
pub mod in_graph;
#[cfg(feature = "sophia")]
mod interop;
pub mod iri;
pub mod minted;
mod node_places;
pub mod one_namespace;
pub mod place_finder;
pub mod prefixes;
pub mod quad_buffer;
mod rdf_xml;
mod rdf_xml_parser;
pub mod read;
pub mod short_forms;
pub mod sink;
mod syntax_error;
mod term_hasher;
mod term_text;
pub mod triple_span;
pub mod triple_spans;
mod turtle_pretty;
mod turtle_tokens;
mod turtle_walk;
pub mod vocabulary;
pub mod write;
mod xml;

pub use blank_node_labels::BlankNodeLabels;
pub use detect::{RdfDetection, detect};
pub use format::RdfFormat;
pub use in_graph::InGraph;
pub use quad_buffer::QuadBuffer;
pub use read::{ReadOptions, read, read_within};
pub use sink::QuadSink;
pub use syntax_error::RDF_1_2;
pub use triple_span::TripleSpan;
pub use triple_spans::each_triple_span;
pub use write::write;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
