//! The W3C suites in process: expansion and conversion to RDF, results and error codes.

use crate::beside::suites;
use crate::conformance::json::equal_as_bags;
use crate::conformance::suite::{Algorithm, Expectation, Suite, SuiteTest, run};
use crate::jsonld::collecting_sink::CollectingSink;
use crate::rdf::isomorphism::{isomorphic, read_n_quads, show};
use evalgraph::json::{self, Document, Limits};
use evalgraph::jsonld::{
    FromRdfError, JsonLdOptions, JsonLdProcessor, Layout, Mapped, NoLoader, ProcessingMode, RdfDirection,
};
use evalgraph::rdf::{self, QuadBuffer, RdfFormat, ReadOptions};
use std::path::Path;
use std::sync::Arc;

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn expands_as_the_suite_expects() {
    let suites = suites();
    let suite = Suite::read(&suites, Algorithm::Expand);
    run(&suite, Algorithm::Expand, |test| expand(&suite, test));
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn compacts_as_the_suite_expects() {
    let suites = suites();
    let suite = Suite::read(&suites, Algorithm::Compact);
    run(&suite, Algorithm::Compact, |test| compact(&suite, test));
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn converts_to_rdf_as_the_suite_expects() {
    let suites = suites();
    let suite = Suite::read(&suites, Algorithm::ToRdf);
    run(&suite, Algorithm::ToRdf, |test| to_rdf(&suite, test));
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn converts_from_rdf_as_the_suite_expects() {
    let suites = suites();
    let suite = Suite::read(&suites, Algorithm::FromRdf);
    run(&suite, Algorithm::FromRdf, from_rdf);
}

/// Reads a file of the suite; it has to be JSON.
pub(crate) fn read(path: &Path) -> Result<Arc<Document>, String> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    let text = json::decode(&name, bytes).map_err(|error| error.to_string())?;
    json::parse(name, text, Limits::default()).map(Arc::new).map_err(|error| error.to_string())
}

/// The suite's own documents under their URLs.
pub(crate) fn loader(suite: &Suite) -> Mapped {
    let mut loader = Mapped::new(Limits::default());
    loader.add(suite.base_iri.clone(), suite.folder.clone());
    loader
}

/// The options that a test asks for.
pub(crate) fn options(test: &SuiteTest) -> Result<JsonLdOptions, String> {
    Ok(JsonLdOptions {
        base: test.base.clone(),
        document_url: Some(test.document_url.clone()),
        expand_context: test.expand_context.as_deref().map(read).transpose()?,
        processing_mode: match test.processing_mode.as_deref() {
            Some("json-ld-1.0") => ProcessingMode::JsonLd1_0,
            _ => ProcessingMode::JsonLd1_1,
        },
        rdf_direction: test.rdf_direction.as_deref().map(|direction| match direction {
            "i18n-datatype" => RdfDirection::I18nDatatype,
            _ => RdfDirection::CompoundLiteral,
        }),
        produce_generalized_rdf: test.produce_generalized_rdf,
        compact_arrays: test.compact_arrays.unwrap_or(true),
        compact_to_relative: test.compact_to_relative.unwrap_or(true),
        use_native_types: test.use_native_types,
        use_rdf_type: test.use_rdf_type,
        ..JsonLdOptions::default()
    })
}

fn expand(suite: &Suite, test: &SuiteTest) -> Result<(), String> {
    let document = read(&test.input)?;
    let loader = loader(suite);
    let mut processor = JsonLdProcessor::new(options(test)?, &loader);
    let answer = processor.expand(&document).map(|expanded| {
        let mut text = String::new();
        expanded.write_json(Layout::Compact, &mut text);
        text
    });
    match judge_error(answer.map_err(|error| error.code.as_str()), &test.expectation)? {
        Some((text, expected)) => compare_json(&text, expected),
        None => Ok(()),
    }
}

fn compact(suite: &Suite, test: &SuiteTest) -> Result<(), String> {
    let document = read(&test.input)?;
    let context = read(test.context.as_deref().ok_or("no context")?)?;
    let loader = loader(suite);
    let mut processor = JsonLdProcessor::new(options(test)?, &loader);
    let answer = processor.compact(&document, &context).map(|compacted| compacted.to_json(Layout::Indented));
    match judge_error(answer.map_err(|error| error.code.as_str()), &test.expectation)? {
        Some((text, expected)) => compare_compacted(&text, expected),
        None => Ok(()),
    }
}

fn to_rdf(suite: &Suite, test: &SuiteTest) -> Result<(), String> {
    let document = read(&test.input)?;
    let loader = loader(suite);
    let mut processor = JsonLdProcessor::new(options(test)?, &loader);
    let mut sink = CollectingSink::default();
    let answer = processor.to_rdf(&document, &mut sink).map(|_| ());
    let Some(((), expected)) = judge_error(answer.map_err(|error| error.code.as_str()), &test.expectation)?
    else {
        return Ok(());
    };
    compare_rdf(&sink.quads(), expected)
}

fn from_rdf(test: &SuiteTest) -> Result<(), String> {
    let bytes = std::fs::read(&test.input).map_err(|error| error.to_string())?;
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::NQuads, base: None };
    rdf::read("input.nq", &bytes, options, &mut quads).map_err(|errors| format!("{errors:?}"))?;
    let processor = JsonLdProcessor::new(self::options(test)?, &NoLoader);
    let mut json = Vec::new();
    let answer = match processor.from_rdf(&quads, Layout::Compact, &mut json) {
        Ok(()) => Ok(String::from_utf8(json).map_err(|error| error.to_string())?),
        Err(FromRdfError::JsonLd(error)) => Err(error.code.as_str()),
        Err(FromRdfError::Io(error)) => return Err(error.to_string()),
    };
    match judge_error(answer, &test.expectation)? {
        Some((text, expected)) => compare_json(&text, expected),
        None => Ok(()),
    }
}

/// Judges a test by its error; a result that is to be compared is handed back with the file.
pub(crate) fn judge_error<'t, R>(
    answer: Result<R, &str>,
    expectation: &'t Expectation,
) -> Result<Option<(R, &'t Path)>, String> {
    match (answer, expectation) {
        (Ok(result), Expectation::Document(path)) => Ok(Some((result, path))),
        (Ok(_), Expectation::Success) => Ok(None),
        (Ok(_), Expectation::ErrorCode(code)) => Err(format!("no error, expected `{code}`")),
        (Err(code), Expectation::ErrorCode(expected)) if code == expected => Ok(None),
        (Err(code), Expectation::ErrorCode(expected)) => Err(format!("`{code}`, expected `{expected}`")),
        (Err(code), _) => Err(format!("`{code}`, expected no error")),
    }
}

/// Compares an expanded document with the one in a file.
pub(crate) fn compare_json(text: &str, expected: &Path) -> Result<(), String> {
    let ours = serde_json::from_str(text).map_err(|error| format!("not JSON ({error}): {text}"))?;
    let expected = std::fs::read_to_string(expected).map_err(|error| error.to_string())?;
    let theirs = serde_json::from_str(&expected).map_err(|error| error.to_string())?;
    if equal_as_bags(&ours, &theirs) { Ok(()) } else { Err(format!("{ours}\n expected {theirs}")) }
}

/// Compares a compacted document with the one in a file: order counts in arrays, for an array may
/// be a list.
pub(crate) fn compare_compacted(text: &str, expected: &Path) -> Result<(), String> {
    let ours: serde_json::Value =
        serde_json::from_str(text).map_err(|error| format!("not JSON ({error}): {text}"))?;
    let expected = std::fs::read_to_string(expected).map_err(|error| error.to_string())?;
    let theirs: serde_json::Value = serde_json::from_str(&expected).map_err(|error| error.to_string())?;
    if ours == theirs { Ok(()) } else { Err(format!("{ours}\n expected {theirs}")) }
}

/// Compares quads with those in a file.
pub(crate) fn compare_rdf(
    quads: &std::collections::BTreeSet<crate::rdf::isomorphism::Quad>,
    expected: &Path,
) -> Result<(), String> {
    let expected = read_n_quads(&std::fs::read_to_string(expected).map_err(|error| error.to_string())?);
    if isomorphic(quads, &expected) {
        Ok(())
    } else {
        Err(format!("\n{} expected\n{}", show(quads), show(&expected)))
    }
}
