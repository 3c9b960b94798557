//! The W3C suites of JSON-LD 1.1, in process: results and error codes.

use evalgraph_jsonld::{FromRdfError, JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader};
use evalgraph_rdf::{self as rdf, QuadBuffer, RdfFormat, ReadOptions};
use evalgraph_suites::beside::suites;
use evalgraph_suites::collecting_sink::CollectingSink;
use evalgraph_suites::jsonld::{
    compare_compacted, compare_framed, compare_json, compare_rdf, frame_of, is_ordered, judge_error, loader,
    omit_graph, options, read,
};
use evalgraph_suites::suite::{JsonLdAlgorithm, JsonLdSuite, SuiteTest, run};

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn expands_as_the_suite_expects() {
    let suites = suites();
    let suite = JsonLdSuite::read(&suites, JsonLdAlgorithm::Expand);
    run(&suite, JsonLdAlgorithm::Expand, |test| expand(&suite, test));
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn compacts_as_the_suite_expects() {
    let suites = suites();
    let suite = JsonLdSuite::read(&suites, JsonLdAlgorithm::Compact);
    run(&suite, JsonLdAlgorithm::Compact, |test| compact(&suite, test));
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn converts_to_rdf_as_the_suite_expects() {
    let suites = suites();
    let suite = JsonLdSuite::read(&suites, JsonLdAlgorithm::ToRdf);
    run(&suite, JsonLdAlgorithm::ToRdf, |test| to_rdf(&suite, test));
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn converts_from_rdf_as_the_suite_expects() {
    let suites = suites();
    let suite = JsonLdSuite::read(&suites, JsonLdAlgorithm::FromRdf);
    run(&suite, JsonLdAlgorithm::FromRdf, from_rdf);
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn flattens_as_the_suite_expects() {
    let suites = suites();
    let suite = JsonLdSuite::read(&suites, JsonLdAlgorithm::Flatten);
    run(&suite, JsonLdAlgorithm::Flatten, |test| flatten(&suite, test));
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn frames_as_the_suite_expects() {
    let suites = suites();
    let suite = JsonLdSuite::read(&suites, JsonLdAlgorithm::Frame);
    run(&suite, JsonLdAlgorithm::Frame, |test| frame(&suite, test));
}

fn expand(suite: &JsonLdSuite, test: &SuiteTest) -> Result<(), String> {
    let document = read(&test.input)?;
    let loader = loader(suite);
    let mut processor = JsonLdProcessor::new(options(test)?, &loader);
    let answer = processor.expand(&document).map(|expanded| {
        let mut text = String::new();
        expanded.write_json(JsonLdLayout::Compact, &mut text);
        text
    });
    match judge_error(answer.map_err(|error| error.code.as_str()), &test.expectation)? {
        Some((text, expected)) => compare_json(&text, expected),
        None => Ok(()),
    }
}

fn compact(suite: &JsonLdSuite, test: &SuiteTest) -> Result<(), String> {
    let document = read(&test.input)?;
    let context = read(test.context.as_deref().ok_or("no context")?)?;
    let loader = loader(suite);
    let mut processor = JsonLdProcessor::new(options(test)?, &loader);
    let answer =
        processor.compact(&document, &context).map(|compacted| compacted.to_json(JsonLdLayout::Indented));
    match judge_error(answer.map_err(|error| error.code.as_str()), &test.expectation)? {
        Some((text, expected)) => compare_compacted(&text, expected),
        None => Ok(()),
    }
}

fn to_rdf(suite: &JsonLdSuite, test: &SuiteTest) -> Result<(), String> {
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
    let answer = match processor.from_rdf(&quads, JsonLdLayout::Compact, &mut json) {
        Ok(()) => Ok(String::from_utf8(json).map_err(|error| error.to_string())?),
        Err(FromRdfError::JsonLd(error)) => Err(error.code.as_str()),
        Err(FromRdfError::Io(error)) => return Err(error.to_string()),
    };
    match judge_error(answer, &test.expectation)? {
        Some((text, expected)) => compare_json(&text, expected),
        None => Ok(()),
    }
}

fn flatten(suite: &JsonLdSuite, test: &SuiteTest) -> Result<(), String> {
    let document = read(&test.input)?;
    let context = test.context.as_deref().map(read).transpose()?;
    let loader = loader(suite);
    let mut processor = JsonLdProcessor::new(options(test)?, &loader);
    let answer = processor
        .flatten(&document, context.as_ref())
        .map(|flattened| flattened.to_json(JsonLdLayout::Indented));
    match judge_error(answer.map_err(|error| error.code.as_str()), &test.expectation)? {
        Some((text, expected)) => compare_json(&text, expected),
        None => Ok(()),
    }
}

fn frame(suite: &JsonLdSuite, test: &SuiteTest) -> Result<(), String> {
    let document = read(&test.input)?;
    let (path, url) = frame_of(suite, test)?;
    let frame = read(&path)?;
    let loader = loader(suite);
    let mut options = JsonLdOptions { argument_url: Some(url), ordered: is_ordered(test), ..options(test)? };
    options.framing.omit_graph = omit_graph(test);
    let mut processor = JsonLdProcessor::new(options, &loader);
    let answer = processor.frame(&document, &frame).map(|framed| framed.to_json(JsonLdLayout::Indented));
    match judge_error(answer.map_err(|error| error.code.as_str()), &test.expectation)? {
        Some((text, expected)) => compare_framed(&text, expected),
        None => Ok(()),
    }
}
