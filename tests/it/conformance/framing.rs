//! The W3C suites of flattening and framing, in process and through the binary.

use crate::beside::suites;
use crate::conformance::binary::{judge, program};
use crate::conformance::json::equal_as_bags;
use crate::conformance::jsonld::{compare_json, judge_error, loader, options, read};
use crate::conformance::suite::{Algorithm, Suite, SuiteTest, run};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, Layout};
use serde_json::Value;
use std::path::{Path, PathBuf};

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn flattens_as_the_suite_expects() {
    let suites = suites();
    let suite = Suite::read(&suites, Algorithm::Flatten);
    run(&suite, Algorithm::Flatten, |test| flatten(&suite, test));
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn frames_as_the_suite_expects() {
    let suites = suites();
    let suite = Suite::read(&suites, Algorithm::Frame);
    run(&suite, Algorithm::Frame, |test| frame(&suite, test));
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn flattens_through_the_binary_as_the_suite_expects() {
    let suites = suites();
    let suite = Suite::read(&suites, Algorithm::Flatten);
    run(&suite, Algorithm::Flatten, |test| {
        judge(test, &program(&suite, test, "flatten").output().expect("the program starts"), compare_json)
    });
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn frames_through_the_binary_as_the_suite_expects() {
    let suites = suites();
    let suite = Suite::read(&suites, Algorithm::Frame);
    run(&suite, Algorithm::Frame, |test| {
        let (path, url) = frame_of(&suite, test)?;
        let mut program = program(&suite, test, "frame");
        program.arg("--frame").arg(path).args(["--frame-url", &url]);
        if let Some(omit_graph) = omit_graph(test) {
            program.args(["--omit-graph", &omit_graph.to_string()]);
        }
        if is_ordered(test) {
            program.arg("--ordered");
        }
        judge(test, &program.output().expect("the program starts"), compare_framed)
    });
}

fn flatten(suite: &Suite, test: &SuiteTest) -> Result<(), String> {
    let document = read(&test.input)?;
    let context = test.context.as_deref().map(read).transpose()?;
    let loader = loader(suite);
    let mut processor = JsonLdProcessor::new(options(test)?, &loader);
    let answer =
        processor.flatten(&document, context.as_ref()).map(|flattened| flattened.to_json(Layout::Indented));
    match judge_error(answer.map_err(|error| error.code.as_str()), &test.expectation)? {
        Some((text, expected)) => compare_json(&text, expected),
        None => Ok(()),
    }
}

fn frame(suite: &Suite, test: &SuiteTest) -> Result<(), String> {
    let document = read(&test.input)?;
    let (path, url) = frame_of(suite, test)?;
    let frame = read(&path)?;
    let loader = loader(suite);
    let mut options = JsonLdOptions { argument_url: Some(url), ordered: is_ordered(test), ..options(test)? };
    options.framing.omit_graph = omit_graph(test);
    let mut processor = JsonLdProcessor::new(options, &loader);
    let answer = processor.frame(&document, &frame).map(|framed| framed.to_json(Layout::Indented));
    match judge_error(answer.map_err(|error| error.code.as_str()), &test.expectation)? {
        Some((text, expected)) => compare_framed(&text, expected),
        None => Ok(()),
    }
}

/// The file of a test's frame, and its URL.
fn frame_of(suite: &Suite, test: &SuiteTest) -> Result<(PathBuf, String), String> {
    let frame = test.entry["frame"].as_str().ok_or("a test has a frame")?;
    Ok((suite.folder.join(frame), format!("{}{frame}", suite.base_iri)))
}

fn omit_graph(test: &SuiteTest) -> Option<bool> {
    test.entry["option"]["omitGraph"].as_bool()
}

fn is_ordered(test: &SuiteTest) -> bool {
    test.entry["option"]["ordered"] == true
}

/// Compares a framed document with the one in a file. Some of the suite's results have language
/// tags in lower case, which is how they are compared.
fn compare_framed(text: &str, expected: &Path) -> Result<(), String> {
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
