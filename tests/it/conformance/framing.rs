//! The W3C suites of flattening and framing, through the binary.

use crate::beside::suites;
use crate::conformance::binary::{judge, program};
use crate::conformance::jsonld::{compare_framed, compare_json, frame_of, is_ordered, omit_graph};
use crate::conformance::suite::{JsonLdAlgorithm, JsonLdSuite, run};

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn flattens_through_the_binary_as_the_suite_expects() {
    let suites = suites();
    let suite = JsonLdSuite::read(&suites, JsonLdAlgorithm::Flatten);
    run(&suite, JsonLdAlgorithm::Flatten, |test| {
        judge(test, &program(&suite, test, "flatten").output().expect("the program starts"), compare_json)
    });
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn frames_through_the_binary_as_the_suite_expects() {
    let suites = suites();
    let suite = JsonLdSuite::read(&suites, JsonLdAlgorithm::Frame);
    run(&suite, JsonLdAlgorithm::Frame, |test| {
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
