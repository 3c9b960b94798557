//! The suites of the W3C, and labelled documents for the check against schema.org.

pub(crate) mod binary;
pub(crate) mod canonicalization;
pub(crate) mod earl;
pub(crate) mod framing;
pub(crate) mod json;
pub(crate) mod jsonld;
pub(crate) mod rdf;
#[cfg(feature = "net")]
pub(crate) mod remote;
pub(crate) mod schema_org;
pub(crate) mod shacl;
mod shacl_queries;
pub(crate) mod sparql;
pub(crate) mod sparql_manifest;
pub(crate) mod sparql_results;
pub(crate) mod suite;
