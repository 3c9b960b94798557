//! Our own vocabulary: well-formed Turtle in which every term is labelled and explained.

use crate::karenina::fixtures::path;
use crate::karenina::graphs::{kept, n_quads};
use oxttl::TurtleParser;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn every_term_of_the_vocabulary_has_a_label_and_a_comment() {
    let text = std::fs::read(path("../shapes/vocabulary.ttl")).expect("the vocabulary is there");
    let mut said: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for triple in TurtleParser::new().for_slice(&text) {
        let triple = triple.expect("the vocabulary is Turtle");
        said.entry(triple.subject.to_string()).or_default().insert(triple.predicate.into_string());
    }
    assert!(said.len() >= 25, "{}", said.len());
    for (term, predicates) in said {
        for name in ["label", "comment"] {
            let predicate = format!("http://www.w3.org/2000/01/rdf-schema#{name}");
            assert!(predicates.contains(&predicate), "{term} has no {name}");
        }
    }
}

#[test]
fn every_term_that_is_written_is_described() {
    let text = std::fs::read_to_string(path("../shapes/vocabulary.ttl")).expect("the vocabulary is there");
    let quads = n_quads(&kept(
        "p2",
        &std::fs::read_to_string(path("karenina/p2-genomics.jsonld")).expect("the fixture is there"),
    ));
    let terms = quads.split("<urn:evalgraph:vocab:").skip(1).filter_map(|rest| rest.split('>').next());
    let terms: BTreeSet<&str> = terms.collect();
    assert!(terms.len() >= 5, "{terms:?}");
    for term in terms {
        assert!(text.contains(&format!("\neg:{term}\n")), "eg:{term} is not described");
    }
}
