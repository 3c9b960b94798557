//! What tests compare with is tested itself.

use evalgraph_suites::earl;
use evalgraph_suites::isomorphism::{isomorphic, read_n_quads};
use evalgraph_suites::json::equal_as_bags;

#[test]
fn a_report_says_of_each_test_whether_it_passed() {
    let report = earl::report("http://example.org/expand-manifest", [("#t0001", true), ("#t0002", false)]);
    let triples: Vec<_> = oxttl::TurtleParser::new()
        .for_slice(&report)
        .collect::<Result<_, _>>()
        .expect("the report is Turtle");
    let count = |object: &str| triples.iter().filter(|triple| triple.object.to_string() == object).count();
    assert_eq!(count("<http://www.w3.org/ns/earl#Assertion>"), 2);
    assert_eq!(count("<http://www.w3.org/ns/earl#passed>"), 1);
    assert_eq!(count("<http://example.org/expand-manifest#t0002>"), 1);
}

#[test]
fn arrays_are_bags_but_lists_and_json_literals_keep_their_order() {
    let equal = |left: &str, right: &str| {
        equal_as_bags(&serde_json::from_str(left).unwrap(), &serde_json::from_str(right).unwrap())
    };
    assert!(equal(r#"[1, {"a": [2, 3]}]"#, r#"[{"a": [3, 2]}, 1]"#));
    assert!(!equal("[1, 1, 2]", "[1, 2, 2]"));
    assert!(!equal(r#"{"@list": [1, 2]}"#, r#"{"@list": [2, 1]}"#));
    assert!(!equal(r#"{"@type": "@json", "@value": [1, 2]}"#, r#"{"@type": "@json", "@value": [2, 1]}"#));
}

#[test]
fn datasets_are_equal_up_to_labels_and_no_further() {
    let left = "_:a <p:p> _:b .\n_:b <p:p> _:c .\n_:c <p:p> _:a .\n_:d _:d \"x\" _:g .\n";
    let renamed = "_:z _:z \"x\" _:a .\n_:1 <p:p> _:2 .\n_:2 <p:p> _:3 .\n_:3 <p:p> _:1 .\n";
    let two_cycles = "_:a <p:p> _:b .\n_:b <p:p> _:a .\n_:c <p:p> _:c .\n_:d _:d \"x\" _:g .\n";
    assert!(isomorphic(&read_n_quads(left), &read_n_quads(renamed)));
    assert!(!isomorphic(&read_n_quads(left), &read_n_quads(two_cycles)));
}

#[test]
fn cycles_of_one_length_differ_from_cycles_of_another() {
    let cycle = |prefix: &str, length: usize| -> String {
        (0..length).map(|at| format!("_:{prefix}{at} <p:p> _:{prefix}{} .\n", (at + 1) % length)).collect()
    };
    let six = read_n_quads(&cycle("a", 6));
    let twice_three = read_n_quads(&(cycle("a", 3) + &cycle("b", 3)));
    assert!(!isomorphic(&six, &twice_three));
    assert!(isomorphic(&six, &read_n_quads(&cycle("z", 6))));
}

#[test]
fn many_nodes_that_are_alike_are_no_work() {
    let nodes = |prefix: &str, count: usize| -> String {
        (0..count)
            .map(|at| format!("_:{prefix}{at} <p:p> <o:o> .\n_:{prefix}{at} <p:q> _:centre .\n"))
            .collect()
    };
    let pair = "_:one <p:p> _:other .\n_:other <p:p> _:one .\n";
    let many = read_n_quads(&(nodes("a", 3_000) + pair));
    assert!(isomorphic(&many, &read_n_quads(&(nodes("z", 3_000) + pair))));
    assert!(!isomorphic(
        &many,
        &read_n_quads(&(nodes("z", 3_000) + "_:one <p:p> _:one .\n_:other <p:p> _:other .\n"))
    ));
}
