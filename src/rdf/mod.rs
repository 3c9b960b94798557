//! RDF terms and quads as they pass between the modules: vocabularies, IRIs, formats, sinks.

pub mod iri;
pub mod sink;
pub mod vocabulary;

pub use sink::QuadSink;
