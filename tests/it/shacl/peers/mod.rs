//! Generated data and shapes, and the program's own shapes over changed fixtures, checked against other engines of SHACL: the same
//! violations, or a difference of a class that `tests/peers/differences.tsv` decides.

pub(crate) mod case;
pub(crate) mod classes;
pub(crate) mod comparison;
pub(crate) mod fixtures;
pub(crate) mod graphs;
pub(crate) mod literals;
pub(crate) mod programs;
pub(crate) mod table;
pub(crate) mod violations;

use crate::generated::numbers;
use case::Case;
use comparison::{Counts, compared};
use programs::{Peer, peers};

#[test]
#[ignore = "needs the peers that tests/peers/install installs"]
fn peers_find_the_violations_of_generated_graphs() {
    each_peer("generated graphs", |peer| {
        compared(peer, numbers(600).map(|number| (format!("case {number}"), Case::of(number))))
    });
}

#[test]
#[ignore = "needs the peers that tests/peers/install installs"]
fn peers_find_the_violations_of_changed_fixtures() {
    each_peer("changed fixtures", |peer| compared(peer, fixtures::cases()));
}

/// Compares with all peers at once.
fn each_peer(what: &str, compare: impl Fn(&mut Peer) -> Counts + Sync) {
    let compared: Vec<(&str, Counts)> = std::thread::scope(|scope| {
        let compare = &compare;
        let running = peers().into_iter().map(|mut peer| {
            scope.spawn(move || {
                let counts = compare(&mut peer);
                (peer.name, counts)
            })
        });
        let running: Vec<_> = running.collect();
        running.into_iter().map(|peer| peer.join().expect("a comparison ends")).collect()
    });
    let unknown: Vec<&str> =
        compared.iter().flat_map(|(peer, counts)| counts.judge(what, peer)).map(String::as_str).collect();
    assert!(unknown.is_empty(), "{} differences of no class:\n{}", unknown.len(), unknown.join("\n"));
}
