//! Other processors as oracles: the same quads for every input of the suites that they take.

use crate::beside::suites;
use crate::conformance::jsonld::{loader, options, read};
use crate::conformance::suite::{JsonLdAlgorithm, JsonLdSuite, SuiteExpectation, SuiteTest};
use crate::jsonld::collecting_sink::CollectingSink;
use crate::jsonld::oracle_differences::{SUITE_DIFFERENCES, with_canonical_doubles};
use crate::jsonld::oracle_peers::{Peer, Question};
use crate::rdf::isomorphism::{Quad, isomorphic, show};
use evalgraph::jsonld::JsonLdProcessor;
use std::collections::BTreeSet;
use std::io::Write as _;

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn peers_agree_on_every_positive_input_of_the_suites() {
    let suites = suites();
    // The json-ld crate recurses deeply in debug builds.
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || {
        let mut complaints = Vec::new();
        for algorithm in [JsonLdAlgorithm::Expand, JsonLdAlgorithm::ToRdf] {
            compare_suite(&JsonLdSuite::read(&suites, algorithm), algorithm, &mut complaints);
        }
        complaints
    });
    let complaints = worker.expect("a thread starts").join().expect("no panic");
    assert!(complaints.is_empty(), "{}:\n{}", complaints.len(), complaints.join("\n"));
}

fn compare_suite(suite: &JsonLdSuite, algorithm: JsonLdAlgorithm, complaints: &mut Vec<String>) {
    for peer in Peer::ALL {
        let mut compared = 0;
        for test in
            suite.tests.iter().filter(|test| !matches!(test.expectation, SuiteExpectation::ErrorCode(_)))
        {
            let name = format!("{}{}", algorithm.name(), test.id);
            let listed = SUITE_DIFFERENCES
                .iter()
                .find(|difference| difference.peer == peer && difference.tests.contains(&name.as_str()));
            match (difference(suite, test, peer), listed) {
                (Some(text), None) => complaints.push(format!("{name}: {} differs\n{text}", peer.name())),
                (None, Some(_)) => {
                    complaints.push(format!("{name}: {} agrees, and is listed", peer.name()));
                }
                _ => compared += 1,
            }
        }
        let _ = writeln!(std::io::stderr(), "{}: {compared} inputs like {}", algorithm.name(), peer.name());
    }
}

/// How a peer's answer differs from ours; `None` where it equals ours or the peer has none.
fn difference(suite: &JsonLdSuite, test: &SuiteTest, peer: Peer) -> Option<String> {
    let theirs = peer.quads(&question(suite, test)).ok()?;
    let loader = loader(suite);
    let document = read(&test.input).expect("a positive input is JSON");
    let mut processor = JsonLdProcessor::new(options(test).expect("the options are readable"), &loader);
    let mut sink = CollectingSink::default();
    match processor.to_rdf(&document, &mut sink) {
        Ok(_) => unlike(&sink.quads(), &theirs),
        Err(error) => Some(format!("ours: {error}\n theirs:\n{}", show(&theirs))),
    }
}

/// Both sides in words, where they are not equal up to isomorphism.
pub(crate) fn unlike(ours: &BTreeSet<Quad>, theirs: &BTreeSet<Quad>) -> Option<String> {
    let theirs = with_canonical_doubles(theirs);
    (!isomorphic(ours, &theirs)).then(|| format!("ours:\n{} theirs:\n{}", show(ours), show(&theirs)))
}

fn question(suite: &JsonLdSuite, test: &SuiteTest) -> Question {
    let relative = |path: &std::path::Path| {
        let rest = path.strip_prefix(&suite.folder).expect("it lies in the suite").display().to_string();
        format!("{}{rest}", suite.base_iri)
    };
    Question {
        text: std::fs::read_to_string(&test.input).expect("a positive input is text"),
        base: test.base.clone(),
        document_url: Some(test.document_url.clone()),
        expand_context: test.expand_context.as_deref().map(relative),
        is_1_0: test.processing_mode.as_deref() == Some("json-ld-1.0"),
        rdf_direction: test.rdf_direction.clone(),
        produce_generalized_rdf: test.produce_generalized_rdf,
        mapped: Some((suite.base_iri.clone(), suite.folder.clone())),
    }
}
