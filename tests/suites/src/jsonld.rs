//! What the suites of JSON-LD have in common: reading a test, and judging its answer.

use crate::isomorphism::{Quad, isomorphic, read_n_quads, show};
use crate::json::equal_as_bags;
use crate::suite::{JsonLdSuite, SuiteExpectation, SuiteTest};
use evalgraph_json::{self as json, JsonDocument, Limits};
use evalgraph_jsonld::{FileMapLoader, JsonLdOptions, ProcessingMode, RdfDirection};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads a file of the suite; it has to be JSON.
pub fn read(path: &Path) -> Result<Arc<JsonDocument>, String> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    let text = json::decode(&name, bytes).map_err(|error| error.to_string())?;
    json::parse(name, text, Limits::default()).map(Arc::new).map_err(|error| error.to_string())
}

/// The suite's own documents under their URLs.
pub fn loader(suite: &JsonLdSuite) -> FileMapLoader {
    let mut loader = FileMapLoader::new(Limits::default());
    loader.add(suite.base_iri.clone(), suite.folder.clone());
    loader
}

/// The options that a test asks for.
pub fn options(test: &SuiteTest) -> Result<JsonLdOptions, String> {
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

/// Judges a test by its error; a result that is to be compared is handed back with the file.
pub fn judge_error<'t, R>(
    answer: Result<R, &str>,
    expectation: &'t SuiteExpectation,
) -> Result<Option<(R, &'t Path)>, String> {
    match (answer, expectation) {
        (Ok(result), SuiteExpectation::Document(path)) => Ok(Some((result, path))),
        (Ok(_), SuiteExpectation::Success) => Ok(None),
        (Ok(_), SuiteExpectation::ErrorCode(code)) => Err(format!("no error, expected `{code}`")),
        (Err(code), SuiteExpectation::ErrorCode(expected)) if code == expected => Ok(None),
        (Err(code), SuiteExpectation::ErrorCode(expected)) => Err(format!("`{code}`, expected `{expected}`")),
        (Err(code), _) => Err(format!("`{code}`, expected no error")),
    }
}

/// Compares an expanded document with the one in a file.
pub fn compare_json(text: &str, expected: &Path) -> Result<(), String> {
    let ours = serde_json::from_str(text).map_err(|error| format!("not JSON ({error}): {text}"))?;
    let expected = std::fs::read_to_string(expected).map_err(|error| error.to_string())?;
    let theirs = serde_json::from_str(&expected).map_err(|error| error.to_string())?;
    if equal_as_bags(&ours, &theirs) { Ok(()) } else { Err(format!("{ours}\n expected {theirs}")) }
}

/// Compares a compacted document with the one in a file: order counts in arrays, for an array may
/// be a list.
pub fn compare_compacted(text: &str, expected: &Path) -> Result<(), String> {
    let ours: Value = serde_json::from_str(text).map_err(|error| format!("not JSON ({error}): {text}"))?;
    let expected = std::fs::read_to_string(expected).map_err(|error| error.to_string())?;
    let theirs: Value = serde_json::from_str(&expected).map_err(|error| error.to_string())?;
    if ours == theirs { Ok(()) } else { Err(format!("{ours}\n expected {theirs}")) }
}

/// Compares quads with those in a file.
pub fn compare_rdf(quads: &BTreeSet<Quad>, expected: &Path) -> Result<(), String> {
    let expected = read_n_quads(&std::fs::read_to_string(expected).map_err(|error| error.to_string())?);
    if isomorphic(quads, &expected) {
        Ok(())
    } else {
        Err(format!("\n{} expected\n{}", show(quads), show(&expected)))
    }
}

/// The file of a test's frame, and its URL.
pub fn frame_of(suite: &JsonLdSuite, test: &SuiteTest) -> Result<(PathBuf, String), String> {
    let frame = test.entry["frame"].as_str().ok_or("a test has a frame")?;
    Ok((suite.folder.join(frame), format!("{}{frame}", suite.base_iri)))
}

/// Returns whether a test wants the graph left out.
pub fn omit_graph(test: &SuiteTest) -> Option<bool> {
    test.entry["option"]["omitGraph"].as_bool()
}

/// Returns whether a test wants its keys in order.
pub fn is_ordered(test: &SuiteTest) -> bool {
    test.entry["option"]["ordered"] == true
}

/// Compares a framed document with the one in a file. Some of the suite's results have language
/// tags in lower case, which is how they are compared.
pub fn compare_framed(text: &str, expected: &Path) -> Result<(), String> {
    let read = |text: &str| -> Result<Value, String> {
        let mut json = serde_json::from_str(text).map_err(|error| format!("not JSON ({error}): {text}"))?;
        lower_languages(&mut json);
        Ok(json)
    };
    let ours = read(text)?;
    let theirs = read(&std::fs::read_to_string(expected).map_err(|error| error.to_string())?)?;
    if equal_as_bags(&ours, &theirs) { Ok(()) } else { Err(format!("{ours}\n expected {theirs}")) }
}

fn lower_languages(json: &mut Value) {
    match json {
        Value::Array(items) => items.iter_mut().for_each(lower_languages),
        Value::Object(members) => {
            for (key, value) in members {
                match value {
                    Value::String(language) if key == "@language" => *language = language.to_lowercase(),
                    value => lower_languages(value),
                }
            }
        }
        _ => {}
    }
}
