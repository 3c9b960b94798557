//! The suites of the W3C, and labelled documents for the check against schema.org.

pub(crate) mod binary;
pub(crate) mod canonicalization;
pub(crate) mod framing;
pub(crate) mod rdf;
#[cfg(feature = "net")]
pub(crate) mod remote;
pub(crate) mod schema_org;
pub(crate) mod shacl;
mod shacl_queries;

pub(crate) use evalgraph_suites::{earl, json, jsonld, sparql_manifest, suite};
