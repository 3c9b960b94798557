//! RDF and its formats.

pub(crate) mod canonicalization;
pub(crate) mod formats;
pub(crate) use evalgraph_suites::isomorphism;
mod minted;
pub(crate) mod rdf_xml;
pub(crate) mod sophia;
mod triple_spans;
pub(crate) mod version_1_2;
