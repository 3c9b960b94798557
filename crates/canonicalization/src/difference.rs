//! The difference of two datasets, quad by quad, with blank nodes matched by their quads.
//!
//! Canonical identifiers would not do: one changed quad renumbers most of them. `blank_node_matching` pairs the nodes;
//! if the remaining difference may be due to the pairing only, the canonical forms decide.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use foldhash::fast::RandomState;
use md5::{Digest, Md5};

use super::blank_node_matching::{BLANK, BlankNodeMatching, ColouredDataset};
use super::canonical_n_quads::{write_canonical_quad, write_term};
use super::canonicalization::{CanonicalizationError, CanonicalizationOptions, canonicalize};
use evalgraph_diagnostics::visible::escaped;
use evalgraph_rdf::blank_node_labels::BlankNodeLabels;
use evalgraph_rdf::quad_buffer::{BufferQuad, BufferTermId, QuadBuffer};

/// The number of the default graph in a quad.
const DEFAULT_GRAPH: u32 = 0;

/// The quads that two datasets do not share, as sorted lines of N-Quads without line ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatasetDifference {
    /// Quads that only the first dataset has.
    pub removed: Vec<String>,
    /// Quads that only the second dataset has.
    pub added: Vec<String>,
}

impl DatasetDifference {
    /// Returns whether the datasets are isomorphic.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty()
    }

    /// Returns the difference as one transaction of [RDF Patch](https://afs.github.io/rdf-patch/). The id of the patch
    /// is a UUID of version 3 computed from its changes, so equal patches have equal ids.
    pub fn to_rdf_patch(&self) -> String {
        let mut changes = String::new();
        let removed = self.removed.iter().map(|line| ('D', line));
        for (change, line) in removed.chain(self.added.iter().map(|line| ('A', line))) {
            let _ = writeln!(changes, "{change} {}", escaped(line));
        }
        let digits = format!("{:032x}", u128::from_be_bytes(Md5::digest(&changes).into()));
        let [a, b, c, d, e] = [0..8, 8..12, 13..16, 17..20, 20..32].map(|range| &digits[range]);
        format!("H id <uuid:{a}-{b}-3{c}-8{d}-{e}> .\nTX .\n{changes}TC .\n")
    }
}

/// Compares two datasets up to the labels of their blank nodes.
///
/// Blank nodes are matched by their surroundings, else by the number of quads they share, so a change at one node does
/// not affect the others. A node of the first dataset keeps its label. A node that only the second dataset has keeps
/// its label there, followed by `r` if the first dataset uses that label. The difference is correct, but may not be the
/// smallest.
///
/// # Errors
///
/// [`CanonicalizationError`] if the datasets must be canonicalized to find out whether they differ, and that fails.
pub fn difference(
    left: &QuadBuffer,
    right: &QuadBuffer,
    options: CanonicalizationOptions,
) -> Result<DatasetDifference, CanonicalizationError> {
    let mut terms = ComparedTerms::default();
    let sides = [left, right].map(|quads| ColouredDataset::new(terms.quads(quads), quads.blank_node_count()));
    let matching = BlankNodeMatching::new(&sides);
    let (removed, added) = compare(&sides, &matching);
    if removed.is_empty() && added.is_empty() {
        return Ok(DatasetDifference::default());
    }
    let all =
        || removed.iter().map(|&at| &sides[0].quads[at]).chain(added.iter().map(|&at| &sides[1].quads[at]));
    let is_ground = |quad: &[u32; 4]| quad.iter().all(|place| place & BLANK == 0);
    // Only datasets that may be isomorphic can differ because of an unlucky pairing.
    if removed.len() == added.len()
        && !all().any(is_ground)
        && matching.looks_isomorphic()
        && canonicalize(left, options)?.is_same_as(&canonicalize(right, options)?)
    {
        return Ok(DatasetDifference::default());
    }
    Ok(describe(left, right, &matching, &removed, &added))
}

/// Returns, for each blank node of the first dataset by its number, the same blank node of the second dataset. It is
/// `None` if the second dataset lacks any of the statements about the node.
pub fn same_blank_nodes(left: &QuadBuffer, right: &QuadBuffer) -> Vec<Option<u32>> {
    let mut terms = ComparedTerms::default();
    let has_blank_node = |quad: &[u32; 4]| quad.iter().any(|place| place & BLANK != 0);
    let sides = [left, right].map(|quads| {
        let mut own = terms.quads(quads);
        own.retain(has_blank_node);
        ColouredDataset::new(own, quads.blank_node_count())
    });
    let matching = BlankNodeMatching::new(&sides);
    let mut partners: Vec<Option<u32>> =
        (0..left.blank_node_count() as u32).map(|number| matching.partner(0, number)).collect();
    for at in compare(&sides, &matching).0 {
        for place in sides[0].quads[at].into_iter().filter(|place| place & BLANK != 0) {
            partners[(place & !BLANK) as usize] = None;
        }
    }
    partners
}

/// Numbers for the terms of both datasets, except blank nodes.
#[derive(Default)]
struct ComparedTerms {
    numbers: HashMap<String, u32, RandomState>,
}

impl ComparedTerms {
    fn quads(&mut self, quads: &QuadBuffer) -> Vec<[u32; 4]> {
        let mut known: Vec<Option<u32>> = vec![None; quads.term_count()];
        let mut place = |term: BufferTermId| match quads.blank_node_number(term) {
            Some(number) => BLANK | number,
            None => *known[term.index()].get_or_insert_with(|| self.number(quads, term)),
        };
        let each = quads.quads().iter().map(|quad| {
            let graph = quad.graph.map_or(DEFAULT_GRAPH, &mut place);
            [place(quad.subject), place(quad.predicate), place(quad.object), graph]
        });
        each.collect()
    }

    fn number(&mut self, quads: &QuadBuffer, term: BufferTermId) -> u32 {
        let mut text = String::new();
        write_term(quads, term, &mut |_, _| {}, &mut text);
        let next = self.numbers.len() as u32 + 1;
        *self.numbers.entry(text).or_insert(next)
    }
}

/// The positions of the quads that only one side has, in order.
fn compare(sides: &[ColouredDataset; 2], matching: &BlankNodeMatching) -> (Vec<usize>, Vec<usize>) {
    // Sorted, not hashed: the cost per quad hardly grows with the number of quads.
    let sorted = [0, 1].map(|side: usize| {
        let quads = sides[side].quads.iter().enumerate();
        let mut quads: Vec<([u32; 4], usize)> =
            quads.map(|(at, &quad)| (matching.shared(side, quad), at)).collect();
        quads.sort_unstable();
        quads
    });
    let only = |side: usize| {
        let mut others = sorted[1 - side].iter().peekable();
        let is_alone = |(quad, _): &&([u32; 4], usize)| {
            while others.next_if(|(other, _)| other < quad).is_some() {}
            others.peek().is_none_or(|(other, _)| other != quad)
        };
        let mut alone: Vec<usize> = sorted[side].iter().filter(is_alone).map(|(_, at)| *at).collect();
        alone.sort_unstable();
        alone
    };
    (only(0), only(1))
}

fn describe(
    left: &QuadBuffer,
    right: &QuadBuffer,
    matching: &BlankNodeMatching,
    removed: &[usize],
    added: &[usize],
) -> DatasetDifference {
    let labels = BlankNodeLabels::from_quads(left);
    let right_labels = BlankNodeLabels::from_quads(right);
    let mut taken: HashSet<String> =
        (0..left.blank_node_count() as u32).map(|number| labels.label(number)).collect();
    let mut names: HashMap<u32, String> = HashMap::new();
    for number in (0..right.blank_node_count() as u32).filter(|&number| matching.partner(1, number).is_none())
    {
        let mut name = right_labels.label(number);
        while !taken.insert(name.clone()) {
            name.push('r');
        }
        names.insert(number, name);
    }
    let mut difference = DatasetDifference {
        removed: lines(left, removed, |number, text| labels.write(number, text)),
        added: lines(right, added, |number, text| match matching.partner(1, number) {
            Some(partner) => labels.write(partner, text),
            None => text.push_str(names.get(&number).map_or("", String::as_str)),
        }),
    };
    difference.removed.sort_unstable();
    difference.added.sort_unstable();
    difference
}

fn lines(quads: &QuadBuffer, positions: &[usize], name: impl Fn(u32, &mut String)) -> Vec<String> {
    let line = |quad: &BufferQuad| {
        let mut text = String::new();
        write_canonical_quad(quads, quad, &name, &mut text);
        text.pop();
        text
    };
    positions.iter().map(|&at| line(&quads.quads()[at])).collect()
}
