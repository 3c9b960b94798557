//! The W3C suites through the binary: flags, streams, exit codes, and the error codes on stderr.

use crate::beside::suites;
use crate::conformance::jsonld::{compare_compacted, compare_json, compare_rdf, judge_error};
use crate::conformance::suite::{JsonLdAlgorithm, JsonLdSuite, SuiteExpectation, SuiteTest, run};
use crate::rdf::isomorphism::read_n_quads;
use std::process::{Command, Output};

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn expands_through_the_binary_as_the_suite_expects() {
    let suites = suites();
    let suite = JsonLdSuite::read(&suites, JsonLdAlgorithm::Expand);
    run(&suite, JsonLdAlgorithm::Expand, |test| judge(test, &output(&suite, test, "expand"), compare_json));
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn compacts_through_the_binary_as_the_suite_expects() {
    let suites = suites();
    let suite = JsonLdSuite::read(&suites, JsonLdAlgorithm::Compact);
    run(&suite, JsonLdAlgorithm::Compact, |test| {
        judge(test, &output(&suite, test, "compact"), compare_compacted)
    });
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn converts_to_rdf_through_the_binary_as_the_suite_expects() {
    let suites = suites();
    let suite = JsonLdSuite::read(&suites, JsonLdAlgorithm::ToRdf);
    run(&suite, JsonLdAlgorithm::ToRdf, |test| {
        judge(test, &output(&suite, test, "to-rdf"), |text, expected| {
            compare_rdf(&read_n_quads(text), expected)
        })
    });
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn converts_from_rdf_through_the_binary_as_the_suite_expects() {
    let suites = suites();
    let suite = JsonLdSuite::read(&suites, JsonLdAlgorithm::FromRdf);
    run(&suite, JsonLdAlgorithm::FromRdf, |test| {
        judge(test, &output(&suite, test, "from-rdf"), compare_json)
    });
}

fn output(suite: &JsonLdSuite, test: &SuiteTest, command: &str) -> Output {
    program(suite, test, command).output().expect("the program starts")
}

/// The program with the flags of a test.
pub(crate) fn program(suite: &JsonLdSuite, test: &SuiteTest, command: &str) -> Command {
    let mut program = crate::program::program();
    program.arg(command).arg(&test.input).args(["--document-url", &test.document_url]);
    program.arg("--map").arg(format!("{}={}/", suite.base_iri, suite.folder.display()));
    if let Some(base) = &test.base {
        program.args(["--base", base]);
    }
    if let Some(context) = &test.expand_context {
        program.arg("--expand-context").arg(context);
    }
    if let Some(mode) = &test.processing_mode {
        program.args(["--processing-mode", mode]);
    }
    if let Some(direction) = &test.rdf_direction {
        program.args(["--rdf-direction", direction]);
    }
    if let Some(context) = &test.context {
        program.arg("--context").arg(context).args(["--context-url", &test.document_url]);
    }
    for (flag, value) in
        [("--compact-arrays", test.compact_arrays), ("--compact-to-relative", test.compact_to_relative)]
    {
        if let Some(value) = value {
            program.arg(flag).arg(value.to_string());
        }
    }
    if test.produce_generalized_rdf {
        program.arg("--generalized-rdf");
    }
    if test.use_native_types {
        program.args(["--use-native-types", "true"]);
    }
    if test.use_rdf_type {
        program.args(["--use-rdf-type", "true"]);
    }
    program
}

pub(crate) fn judge(
    test: &SuiteTest,
    output: &Output,
    compare: impl FnOnce(&str, &std::path::Path) -> Result<(), String>,
) -> Result<(), String> {
    std::fs::read(&test.input).map_err(|error| format!("cannot read the input: {error}"))?;
    let stdout = std::str::from_utf8(&output.stdout).map_err(|error| error.to_string())?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let answer = match output.status.code() {
        Some(0) => Ok(stdout),
        Some(2) if !stdout.is_empty() => return Err(format!("an error, and yet on stdout: {stdout}")),
        // The code stands verbatim on stderr, among the rest of the message.
        Some(2) => Err(match &test.expectation {
            SuiteExpectation::ErrorCode(code) if stderr.contains(code.as_str()) => code.as_str(),
            _ => stderr.as_ref(),
        }),
        status => return Err(format!("exit {status:?}: {stderr}")),
    };
    match judge_error(answer, &test.expectation)? {
        Some((text, expected)) => compare(text, expected),
        None => Ok(()),
    }
}
