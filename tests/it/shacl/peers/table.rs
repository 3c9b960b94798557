//! The table of decided differences: for each class and peer an example, what each side finds, and the sentence that decides.

use super::case::Case;
use super::classes::classes;
use super::comparison::outcome;
use super::programs::peers;
use evalgraph::rdf::{self, QuadBuffer, RdfFormat, ReadOptions};
use std::collections::BTreeSet;

/// What an example may abbreviate.
const PREFIXES: &str =
    "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . ";

/// A row.
struct Decided {
    peer: String,
    class: String,
    case: Case,
    ours: usize,
    /// How many violations the peer finds; none where it refuses the case.
    theirs: Option<usize>,
    decides: String,
}

fn rows() -> Vec<Decided> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers/differences.tsv");
    let table = std::fs::read_to_string(path).expect("the table can be read");
    table.lines().skip(1).map(row).collect()
}

fn row(line: &str) -> Decided {
    let cells: Vec<&str> = line.split('\t').collect();
    let [peer, class, data, shapes, ours, theirs, _right, decides] = cells[..] else {
        panic!("eight cells: {line}")
    };
    Decided {
        peer: peer.to_owned(),
        class: class.to_owned(),
        case: Case { data: lines(data), shapes: lines(shapes) },
        ours: ours.parse().expect("a number of violations"),
        theirs: theirs.parse().ok(),
        decides: decides.to_owned(),
    }
}

/// Turtle as lines of N-Triples.
fn lines(turtle: &str) -> Vec<String> {
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::Turtle, base: None };
    rdf::read("example.ttl", format!("{PREFIXES}{turtle}").as_bytes(), options, &mut quads)
        .unwrap_or_else(|faults| panic!("{turtle}: {faults:?}"));
    let mut text = Vec::new();
    rdf::write::write(&quads, RdfFormat::NTriples, &mut text).expect("memory takes it");
    String::from_utf8(text).expect("the text is UTF-8").lines().map(str::to_owned).collect()
}

#[test]
fn each_class_of_differences_has_an_example_and_a_sentence_that_decides() {
    let rows = rows();
    let found: BTreeSet<(&str, &str)> =
        rows.iter().map(|row| (row.class.as_str(), row.peer.as_str())).collect();
    let known: BTreeSet<(&str, &str)> = classes().collect();
    assert_eq!(found, known, "the table and the classes name the same");
    for row in rows {
        assert!(row.decides.contains(": \""), "no sentence is cited: {}", row.decides);
    }
}

/// The peers are pinned: an example on which one no longer differs is a row that can go.
#[test]
#[ignore = "needs the peers that tests/peers/install installs"]
fn each_class_of_differences_still_occurs() {
    let rows = rows();
    let mut complaints = Vec::new();
    for mut peer in peers() {
        let name = peer.name;
        for row in rows.iter().filter(|row| row.peer == name) {
            let outcome =
                outcome(&mut peer, &row.case).unwrap_or_else(|error| panic!("{}: {error}", row.class));
            let found = (outcome.ours.len(), outcome.theirs.as_ref().ok().map(BTreeSet::len));
            if outcome.classes != [Some(row.class.as_str())] || found != (row.ours, row.theirs) {
                let Decided { class, .. } = row;
                complaints.push(format!(
                    "{class} with {name}: {found:?}, {:?}, {:?}",
                    outcome.classes, outcome.theirs
                ));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
