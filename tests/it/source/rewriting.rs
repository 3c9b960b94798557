//! From a graph back to a checkpoint without a sidecar: everything that RDF holds is still right.

use crate::karenina::graphs::{canonical, checkpoints, loaded};
use evalgraph::diagnostic::Diagnostic;
use evalgraph::rdf::{QuadBuffer, RdfFormat, ReadOptions, read};
use evalgraph::source::rewriting::{IndexedGraph, RewrittenDocument, checkpoint};

fn rewritten(turtle: &str) -> Result<RewrittenDocument, Box<Diagnostic>> {
    let mut quads = QuadBuffer::new();
    let prefixed = format!("@prefix s: <http://schema.org/> . {turtle}");
    let options = ReadOptions { format: RdfFormat::Turtle, base: None };
    read("test.ttl", prefixed.as_bytes(), options, &mut quads).expect("it is Turtle");
    checkpoint(&IndexedGraph::new(&quads, None))
}

fn codes(rewritten: &RewrittenDocument) -> Vec<&str> {
    rewritten.findings.iter().map(|finding| finding.code.as_ref()).collect()
}

#[test]
fn every_checkpoint_says_the_same_after_the_way_through_a_graph() {
    for path in checkpoints() {
        let name = path.display().to_string();
        if name.ends_with("p2-hostile.jsonld") {
            // It has nodes in members that mean nothing, so that they hang on nothing.
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let quads = loaded(&name, &text);
        let rewritten =
            checkpoint(&IndexedGraph::new(&quads, None)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(codes(&rewritten).is_empty(), "{name}: {:?}", rewritten.findings);
        let again = loaded(&name, &rewritten.text);
        let (left, right) = (canonical(&quads), canonical(&again));
        let first = left.iter().zip(&right).find(|(left, right)| left != right);
        assert_eq!(left.len(), right.len(), "{name}: {first:?}\n{}", rewritten.text);
        assert_eq!(first, None, "{name}\n{}", rewritten.text);
    }
}

#[test]
fn a_graph_that_is_no_checkpoint_is_refused_with_what_it_has() {
    let error = rewritten("[] a s:Person . [] a s:Person . [] a s:Organization . <urn:x> s:name 'n' .").err();
    assert_eq!(
        error.map(|error| error.to_string()).as_deref(),
        Some(
            "karenina::no-checkpoint: the graph is not a checkpoint: it lacks a `DataFeed` or `Dataset`; its \
             nodes are 2 `Person`, 1 `Organization`, 1 without a class"
        )
    );
    let error = rewritten("").err();
    let message = "the graph is not a checkpoint: it lacks a `DataFeed` or `Dataset`; it has no nodes at all";
    assert_eq!(error.map(|error| error.message.clone()).as_deref(), Some(message));
    let error = rewritten("<urn:a> a s:DataFeed . <urn:b> a s:Dataset .").err();
    let message = "the graph contains 2 checkpoints: `urn:a`, `urn:b`";
    assert_eq!(error.map(|error| error.message.clone()).as_deref(), Some(message));
}

#[test]
fn a_cycle_of_has_part_ends_in_a_reference_and_a_warning() {
    let rewritten = rewritten("<urn:a> a s:DataFeed ; s:hasPart <urn:b> . <urn:b> s:hasPart <urn:b> .");
    let rewritten = rewritten.expect("it has a root");
    assert_eq!(codes(&rewritten), ["rewriting::cycle"]);
    assert!(rewritten.findings[0].message.starts_with("`urn:b` is a part of itself"));
    let again = loaded("again", &rewritten.text);
    assert_eq!(canonical(&again).len(), 3);
}

#[test]
fn a_rating_of_two_questions_is_written_for_each_under_one_id() {
    let turtle = "<urn:a> a s:DataFeed ; s:dataFeedElement <urn:1>, <urn:2> .
        <urn:1> s:item [ a s:Question ; s:contentRating _:r ] .
        <urn:2> s:item [ a s:Question ; s:contentRating _:r ] .
        _:r a s:Rating ; s:name 'Shared' .";
    let rewritten = rewritten(turtle).expect("it has a root");
    assert_eq!(codes(&rewritten), ["rewriting::shared-node"]);
    assert_eq!(rewritten.text.matches("\"@id\": \"_:b0\"").count(), 2);
    assert_eq!(rewritten.text.matches("\"name\": \"Shared\"").count(), 2);
    let ratings = canonical(&loaded("again", &rewritten.text));
    assert_eq!(ratings.iter().filter(|line| line.contains("Shared")).count(), 1);
}

#[test]
fn what_hangs_on_nothing_is_left_out_and_counted() {
    let rewritten =
        rewritten("<urn:a> a s:DataFeed . [] a s:Rating . [] a s:Rating .").expect("it has a root");
    assert_eq!(codes(&rewritten), ["rewriting::left-out"]);
    assert!(rewritten.findings[0].message.starts_with("2 nodes are not connected to anything"));
}

#[test]
fn a_value_that_is_no_json_any_more_stays_a_literal() {
    let turtle = "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        <urn:a> a s:DataFeed ; s:additionalProperty [ s:name 'x' ; s:value '[1,'^^rdf:JSON ] .";
    let rewritten = rewritten(turtle).expect("it has a root");
    assert_eq!(codes(&rewritten), ["rewriting::invalid-json"]);
    assert!(rewritten.text.contains("\"@value\": \"[1,\""), "{}", rewritten.text);
}

#[test]
fn a_chain_of_any_length_ends_in_references() {
    let mut turtle = String::from("<urn:0> a s:DataFeed .");
    for number in 0..5000 {
        turtle += &format!("<urn:{number}> s:hasPart <urn:{}> .\n", number + 1);
    }
    let rewritten = rewritten(&turtle).expect("it has a root");
    assert_eq!(codes(&rewritten), ["rewriting::too-deep", "rewriting::left-out"]);
    assert!(rewritten.into_document("again").is_ok());
}
