//! Canonical forms and differences: large graphs, poison graphs, what a person sees.

use crate::cli::input::run;
use evalgraph::rdf::canonicalization::{CanonicalizationError, CanonicalizationOptions, canonicalize};
use evalgraph::rdf::difference::{DatasetDifference, difference};
use evalgraph::rdf::{self, QuadBuffer, QuadSink, RdfFormat, ReadOptions};
use proptest::prelude::*;
use std::fmt::Write as _;

fn read(n_quads: &str) -> QuadBuffer {
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::NQuads, base: None };
    rdf::read("quads.nq", n_quads.as_bytes(), options, &mut quads).expect("the quads are well formed");
    quads
}

fn canonical(quads: &QuadBuffer) -> String {
    let mut text = Vec::new();
    let canonical = canonicalize(quads, CanonicalizationOptions::default()).expect("the graph is small");
    canonical.write(&mut text).expect("memory takes all");
    String::from_utf8(text).expect("N-Quads are UTF-8")
}

fn diff(left: &str, right: &str) -> DatasetDifference {
    difference(&read(left), &read(right), CanonicalizationOptions::default()).expect("the graphs are small")
}

/// Each of some nodes is related to each other one.
fn clique(nodes: usize) -> String {
    let mut text = String::new();
    for left in 0..nodes {
        for right in 0..nodes {
            let _ = writeln!(text, "_:e{left} <ex:p> _:e{right} .");
        }
    }
    text
}

#[test]
fn a_hundred_thousand_blank_nodes_take_a_step_each() {
    let mut quads = QuadBuffer::new();
    let (property, part) = (quads.iri("http://example.org/p"), quads.iri("http://example.org/part"));
    for number in 0..100_000 {
        let (node, subject) = (quads.blank_node(), quads.iri(&format!("http://example.org/{number}")));
        let value = quads.string("x");
        quads.quad(subject, part, node, None);
        quads.quad(node, property, value, None);
    }
    let options = CanonicalizationOptions { work_limit: 0, ..CanonicalizationOptions::default() };
    let canonical = canonicalize(&quads, options).expect("no node needs its neighbours");
    assert_eq!(canonical.issued_identifiers().count(), 100_000);
}

#[test]
fn many_equal_parts_of_one_node_are_not_permuted() {
    let mut text = "_:whole <ex:name> \"w\" .\n".to_owned();
    for number in 0..2000 {
        let _ = writeln!(text, "_:whole <ex:part> _:n{number} .\n_:n{number} <ex:name> \"x\" .");
    }
    assert_eq!(canonical(&read(&text)).lines().count(), 4001);
}

#[test]
fn a_chain_of_equal_nodes_ends_at_the_limit_and_not_in_the_stack() {
    let mut quads = QuadBuffer::new();
    let next = quads.iri("http://example.org/next");
    let nodes: Vec<_> = (0..200_000).map(|_| quads.blank_node()).collect();
    for pair in nodes.windows(2) {
        quads.quad(pair[0], next, pair[1], None);
    }
    let options = CanonicalizationOptions { work_limit: 500_000, ..CanonicalizationOptions::default() };
    let error = canonicalize(&quads, options).expect_err("each node would walk the whole chain");
    assert_eq!(error, CanonicalizationError::WorkLimit(500_000));
}

#[test]
fn a_poison_graph_is_refused_with_the_way_out() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("clique.nq"), clique(10)).expect("the folder is ours");
    for arguments in [
        &["canon", "clique.nq", "--max-work", "20000"][..],
        &["canon", "--hash", "clique.nq", "--max-work", "20000"],
    ] {
        let (status, stdout, stderr) = run(folder.path(), arguments);
        assert_eq!((status, stdout.as_str()), (2, ""));
        insta::allow_duplicates! {
            insta::assert_snapshot!(stderr, @r"
            error[canon::work-limit]: `clique.nq` cannot be canonicalized: its blank nodes cannot be told apart within 20000 steps
             = help: such a graph is rare, or built as an attack; `--max-work STEPS` allows more
            ");
        }
    }
}

#[test]
fn hashes_and_maps_are_those_of_the_canonical_form() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("the folder is ours");
    write("a.nq", "_:x <http://example.org/p> \"1\" .\n");
    write("b.ttl", "[] <http://example.org/p> '1' .\n");
    let (status, stdout, stderr) = run(folder.path(), &["canon", "--hash", "a.nq", "b.ttl"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let hashes: Vec<(&str, &str)> = stdout.lines().filter_map(|line| line.split_once("  ")).collect();
    assert_eq!(hashes.len(), 2, "{stdout}");
    assert_eq!((hashes[0].0, hashes[0].1, hashes[1].1), (hashes[1].0, "a.nq", "b.ttl"));
    assert_eq!(hashes[0].0.len(), 64);
    let (status, stdout, _) = run(folder.path(), &["canon", "a.nq", "--map-out", "map.json"]);
    assert_eq!((status, stdout.as_str()), (0, "_:c14n0 <http://example.org/p> \"1\" .\n"));
    let map = std::fs::read_to_string(folder.path().join("map.json")).expect("the map is written");
    assert_eq!(map, "{\n  \"x\": \"c14n0\"\n}\n");
}

#[test]
fn one_bad_file_among_hashes_leaves_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("the folder is ours");
    write("good.nq", "<ex:s> <ex:p> \"1\" .\n");
    write("bad.nq", "<ex:s> <ex:p> .\n");
    let (status, stdout, _) = run(folder.path(), &["canon", "--hash", "good.nq", "bad.nq"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    let (status, stdout, _) = run(folder.path(), &["canon", "--hash", "good.nq", "bad.nq", "--keep-going"]);
    assert_eq!((status, stdout.lines().count()), (2, 1));
}

#[test]
fn a_difference_is_two_signs_and_an_exit_status() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("the folder is ours");
    write("a.ttl", "<ex:s> <ex:p> [ <ex:q> 1 ; <ex:r> 'same' ] .\n");
    write(
        "b.nq",
        "_:n <ex:r> \"same\" .\n<ex:s> <ex:p> _:n .\n_:n <ex:q> \"2\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n",
    );
    write("c.ttl", "[] <ex:q> 1 ; <ex:r> 'same' .\n");
    let (status, stdout, stderr) = run(folder.path(), &["diff", "--by", "triple", "a.ttl", "b.nq"]);
    assert_eq!((status, stderr.as_str()), (1, ""));
    insta::assert_snapshot!(stdout, @r#"
    - _:b0 <ex:q> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .
    + _:b0 <ex:q> "2"^^<http://www.w3.org/2001/XMLSchema#integer> .
    "#);
    let (status, stdout, _) = run(folder.path(), &["diff", "--by", "triple", "a.ttl", "c.ttl"]);
    assert_eq!((status, stdout.as_str()), (1, "- <ex:s> <ex:p> _:b0 .\n"));
    let (status, stdout, _) = run(folder.path(), &["diff", "--by", "triple", "a.ttl", "a.ttl"]);
    assert_eq!((status, stdout.as_str()), (0, ""));
    let (status, stdout, _) =
        run(folder.path(), &["diff", "--by", "triple", "a.ttl", "a.ttl", "--format", "json"]);
    insta::assert_snapshot!(stdout, @r#"
    {
      "a": "a.ttl",
      "b": "a.ttl",
      "equal": true,
      "removed": [],
      "added": []
    }
    "#);
    assert_eq!(status, 0);
    let (status, stdout, stderr) = run(folder.path(), &["diff", "--by", "triple", "a.ttl", "missing.ttl"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("input::not-found"), "{stderr}");
}

#[test]
fn one_change_in_a_long_list_is_one_change() {
    let list = |items: &[&str]| {
        let mut text = "<ex:s> <ex:p> _:l0 .\n".to_owned();
        for (at, item) in items.iter().enumerate() {
            let _ = writeln!(text, "_:l{at} <ex:first> \"{item}\" .");
            if at + 1 < items.len() {
                let _ = writeln!(text, "_:l{at} <ex:rest> _:l{} .", at + 1);
            }
        }
        text
    };
    let mut items = vec!["x"; 40];
    let before = list(&items);
    items[20] = "y";
    let difference = diff(&before, &list(&items));
    assert_eq!(difference.removed, ["_:l20 <ex:first> \"x\" ."]);
    assert_eq!(difference.added, ["_:l20 <ex:first> \"y\" ."]);
}

#[test]
fn a_node_that_is_new_gets_a_label_of_its_own() {
    let before = "<ex:s> <ex:p> _:a .\n_:a <ex:q> \"1\" .\n";
    let after = "<ex:s> <ex:p> _:b .\n_:b <ex:q> \"1\" .\n<ex:t> <ex:p> _:a .\n_:a <ex:r> \"2\" .\n";
    let difference = diff(before, after);
    assert!(difference.removed.is_empty(), "{difference:?}");
    assert_eq!(difference.added, ["<ex:t> <ex:p> _:ar .", "_:ar <ex:r> \"2\" ."]);
}

#[test]
fn graphs_that_only_their_cycles_tell_apart_differ() {
    let cycle = |prefix: &str, length: usize| -> String {
        (0..length).map(|at| format!("_:{prefix}{at} <ex:p> _:{prefix}{} .\n", (at + 1) % length)).collect()
    };
    let six = cycle("a", 6);
    assert!(!diff(&six, &(cycle("b", 3) + &cycle("c", 3))).is_empty());
    assert!(diff(&six, &cycle("z", 6)).is_empty());
    assert!(diff(&clique(10), &clique(10).replace("_:e", "_:f")).is_empty());
}

/// Quads over few blank nodes.
fn any_quads() -> impl Strategy<Value = Vec<(u8, u8, u8, u8)>> {
    prop::collection::vec((0..6_u8, 0..2_u8, 0..8_u8, 0..4_u8), 0..14)
}

fn n_quads(quads: &[(u8, u8, u8, u8)], label: impl Fn(u8) -> u8) -> String {
    let graph = |graph: u8| if graph < 2 { String::new() } else { format!("_:n{}", label(graph)) };
    let object =
        |object: u8| if object < 6 { format!("_:n{}", label(object)) } else { format!("\"{object}\"") };
    quads
        .iter()
        .map(|&(s, p, o, g)| format!("_:n{} <ex:p{p}> {} {} .\n", label(s), object(o), graph(g)))
        .collect()
}

proptest! {
    #![proptest_config(crate::generated::cases(400))]

    #[test]
    fn renamed_and_shuffled_quads_have_one_canonical_form(mut quads in any_quads(), turn in 0..6_u8) {
        let before = n_quads(&quads, |number| number);
        quads.reverse();
        let after = n_quads(&quads, |number| (5 * number + turn) % 6);
        prop_assert_eq!(canonical(&read(&before)), canonical(&read(&after)));
        prop_assert!(diff(&before, &after).is_empty());
        // "For each blank node that is a component of Q, add a reference to Q" (step 2.1): one
        // reference, where sophia adds one for each component.
        if quads.iter().all(|&(s, _, o, g)| s != o && (g < 2 || (g != s && g != o))) {
            prop_assert_eq!(canonical(&read(&before)), sophia(&read(&before)));
        }
    }

    #[test]
    fn a_difference_is_empty_where_canonical_forms_are_equal(left in any_quads(), right in any_quads()) {
        let (left, right) = (n_quads(&left, |number| number), n_quads(&right, |number| number));
        let are_equal = canonical(&read(&left)) == canonical(&read(&right));
        prop_assert_eq!(diff(&left, &right).is_empty(), are_equal);
    }
}

fn sophia(quads: &QuadBuffer) -> String {
    let dataset: std::collections::HashSet<_> = crate::rdf::sophia::to_sophia(quads).into_iter().collect();
    let mut text = Vec::new();
    sophia::c14n::rdfc10::normalize(&dataset, &mut text).expect("the graph is small");
    String::from_utf8(text).expect("N-Quads are UTF-8")
}
