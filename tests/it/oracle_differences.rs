//! Where the peers are known to differ, each with the sentence of the specification that decides.

use crate::isomorphism::{Quad, Term};
use crate::oracle_peers::Peer;
use std::collections::BTreeSet;

/// Inputs of the suites on which a peer answers something else.
pub(crate) struct SuiteDifference {
    pub(crate) peer: Peer,
    pub(crate) tests: &'static [&'static str],
    /// What the peer does, and the sentence that decides.
    #[expect(dead_code, reason = "it is written for the reader")]
    pub(crate) sentence: &'static str,
}

/// All of them.
pub(crate) const SUITE_DIFFERENCES: &[SuiteDifference] = &[];

/// Brings doubles that a peer made from numbers into the form of the specification.
///
/// JSON-LD API 8.6: "the mantissa is rounded to 15 digits after the decimal point". oxjsonld keeps
/// all digits of the text, the json-ld crate the shortest digits that read back as the same value.
pub(crate) fn with_canonical_doubles(quads: &BTreeSet<Quad>) -> BTreeSet<Quad> {
    const DOUBLE: &str = "\"^^<http://www.w3.org/2001/XMLSchema#double>";
    let canonical = |term: Term| match &term {
        Term::Ground(text) => text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix(DOUBLE))
            .filter(|lexical| lexical.contains(['e', 'E']))
            .and_then(|lexical| lexical.parse::<f64>().ok())
            .map_or(term.clone(), |value| Term::Ground(format!("\"{}{DOUBLE}", canonical_double(value)))),
        Term::Blank(_) => term,
    };
    quads.iter().cloned().map(|quad| quad.map(canonical)).collect()
}

/// `%1.15E` without needless zeros, as section 8.6 describes it.
fn canonical_double(value: f64) -> String {
    let text = format!("{value:.15E}");
    let (mantissa, exponent) = text.split_once('E').expect("it was written with an exponent");
    let mantissa = mantissa.trim_end_matches('0');
    let zero = if mantissa.ends_with('.') { "0" } else { "" };
    format!("{mantissa}{zero}E{exponent}")
}

/// Whether a generated document has something on which a peer is known to differ.
pub(crate) fn excused(peer: Peer, text: &str) -> bool {
    GENERATED_DIFFERENCES.iter().any(|difference| {
        difference.peer == peer && difference.texts.iter().any(|known| text.contains(known))
    })
}

/// A text in a generated document on which a peer answers something else.
struct GeneratedDifference {
    peer: Peer,
    texts: &'static [&'static str],
    /// What the peer does, and the sentence that decides.
    #[expect(dead_code, reason = "it is written for the reader")]
    sentence: &'static str,
}

const GENERATED_DIFFERENCES: &[GeneratedDifference] = &[];
