//! The W3C suite of RDF Dataset Canonicalization, in process.

use evalgraph_canonicalization::{
    CanonicalizationError, CanonicalizationOptions, HashAlgorithm, canonicalize,
};
use evalgraph_rdf::{self as rdf, QuadBuffer, RdfFormat, ReadOptions};
use evalgraph_suites::canonicalization::{CanonicalizationAnswer, STEPS, run};
use serde_json::Value;

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn canonicalizes_as_the_suite_expects() {
    run("in process", |test| {
        let bytes = std::fs::read(&test.input).map_err(|error| error.to_string())?;
        let mut quads = QuadBuffer::new();
        let options = ReadOptions { format: RdfFormat::NQuads, base: None };
        rdf::read("input.nq", &bytes, options, &mut quads).map_err(|errors| format!("{errors:?}"))?;
        let algorithm = if test.is_sha_384 { HashAlgorithm::Sha384 } else { HashAlgorithm::Sha256 };
        let options = CanonicalizationOptions { algorithm, work_limit: STEPS };
        let canonical = match canonicalize(&quads, options) {
            Ok(canonical) => canonical,
            Err(CanonicalizationError::WorkLimit(STEPS)) => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let mut text = Vec::new();
        canonical.write(&mut text).map_err(|error| error.to_string())?;
        let map = canonical.issued_identifiers().map(|(label, issued)| (label, issued.into())).collect();
        let n_quads = String::from_utf8(text).map_err(|error| error.to_string())?;
        Ok(Some(CanonicalizationAnswer { n_quads, map: Value::Object(map) }))
    });
}
