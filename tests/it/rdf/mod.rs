//! RDF and its formats.

pub(crate) mod canonicalization;
pub(crate) mod formats;
pub(crate) mod isomorphism;
pub(crate) mod rdf_xml;
pub(crate) mod version_1_2;
