//! Cases checked against a peer: what differs is looked up among the classes, and what is of none is made small and shown.

use super::case::Case;
use super::classes::{Difference, Side, class_of};
use super::graphs::Graphs;
use super::programs::Peer;
use super::violations::{Violations, answered};
use crate::generated::smaller::made_small;
use std::collections::BTreeMap;
use std::io::Write as _;

/// After so many differences of no class a run ends: most are one.
const MOST: usize = 10;

/// What came of a case.
pub(crate) struct Outcome {
    pub(crate) ours: Violations,
    /// The violations of the peer, or its reason for none.
    pub(crate) theirs: Result<Violations, String>,
    /// The classes of the differences; none for a difference of no class.
    pub(crate) classes: Vec<Option<&'static str>>,
}

/// Asks a peer a case, or tells why it is none.
pub(crate) fn outcome(peer: &mut Peer, case: &Case) -> Result<Outcome, String> {
    let case = if peer.has_sparql { case.clone() } else { case.without_sparql() };
    let ours = answered(&case)?;
    let theirs = peer.violations(&ours.question);
    let graphs = Graphs::of(&ours.question);
    let of = |difference| class_of(peer.name, &graphs, &difference).map(|class| class.name);
    let mut classes: Vec<_> = match &theirs {
        Err(reason) => vec![of(Difference::Refusal(reason))],
        Ok(theirs) => {
            let only = |one: &Violations, other: &Violations| one.difference(other).cloned().collect();
            let only_ours: Violations = only(&ours.violations, theirs);
            let only_theirs: Violations = only(theirs, &ours.violations);
            let first = only_ours.iter().map(|one| of(Difference::Violation(Side::Ours, one, &only_theirs)));
            let second =
                only_theirs.iter().map(|one| of(Difference::Violation(Side::Theirs, one, &only_ours)));
            first.chain(second).collect()
        }
    };
    classes.sort_unstable();
    classes.dedup();
    Ok(Outcome { ours: ours.violations, theirs, classes })
}

/// How many cases came to what, with one peer.
#[derive(Default)]
pub(crate) struct Counts {
    asked: usize,
    alike: usize,
    /// Cases with a violation.
    with_result: usize,
    by_class: BTreeMap<&'static str, usize>,
    /// Differences of no class, made small.
    unknown: Vec<String>,
}

/// Checks cases against a peer.
pub(crate) fn compared(peer: &mut Peer, cases: impl Iterator<Item = (String, Case)>) -> Counts {
    let mut counts = Counts::default();
    for (name, case) in cases {
        let outcome = outcome(peer, &case).unwrap_or_else(|error| panic!("{name} is not a case: {error}"));
        counts.asked += 1;
        counts.alike += usize::from(outcome.classes.is_empty());
        counts.with_result += usize::from(!outcome.ours.is_empty());
        if outcome.classes.contains(&None) {
            let difference = smallest(peer, &name, case);
            let _ = writeln!(std::io::stderr(), "{difference}");
            counts.unknown.push(difference);
        }
        for class in outcome.classes.into_iter().flatten() {
            *counts.by_class.entry(class).or_default() += 1;
        }
        if counts.unknown.len() >= MOST {
            break;
        }
    }
    counts
}

/// The difference of no class, with as little as it needs.
fn smallest(peer: &mut Peer, name: &str, case: Case) -> String {
    // A smaller case may be refused for a reason of its own.
    let kind = |outcome: &Outcome| {
        let reason = outcome.theirs.as_ref().err().map(|reason| reason.chars().take(20).collect::<String>());
        (reason, outcome.classes.contains(&None))
    };
    let wanted = outcome(peer, &case).map(|outcome| kind(&outcome));
    let small = made_small(case, |case| outcome(peer, case).map(|outcome| kind(&outcome)) == wanted);
    let Ok(outcome) = outcome(peer, &small) else { return format!("{name} differs at times") };
    let lines = |only: Vec<String>| only.join("\n    ");
    let (ours, theirs) = match &outcome.theirs {
        Err(reason) => (vec!["answers".to_owned()], vec![reason.clone()]),
        Ok(theirs) => (
            outcome.ours.difference(theirs).map(ToString::to_string).collect(),
            theirs.difference(&outcome.ours).map(ToString::to_string).collect(),
        ),
    };
    format!(
        "{name}: {} differs, and no class has it\n{}\nonly evalgraph\n    {}\nonly {}\n    {}\n",
        peer.name,
        small.shown(),
        lines(ours),
        peer.name,
        lines(theirs)
    )
}

impl Counts {
    /// Says what came of a comparison, and returns the differences of no class.
    pub(crate) fn judge(&self, what: &str, peer: &str) -> &[String] {
        let Self { asked, alike, with_result, .. } = self;
        let mut text =
            format!("{what}: {alike} of {asked} alike with {peer}, {with_result} with violations\n");
        for (class, count) in &self.by_class {
            text.push_str(&format!("  {count} {class}\n"));
        }
        let _ = write!(std::io::stderr(), "{text}");
        assert!(with_result * 3 > *asked, "too few cases have a violation");
        &self.unknown
    }
}
