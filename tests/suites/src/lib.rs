//! What the tests of several crates have in common: the suites of the W3C as data, and equality of what they expect.
#![expect(missing_docs, reason = "tests alone use it, and fields are those of the manifests")]

pub mod beside;
pub mod canonicalization;
pub mod collecting_sink;
pub mod earl;
pub mod isomorphism;
pub mod json;
pub mod jsonld;
pub mod shacl;
pub mod sparql_manifest;
pub mod suite;
