//! Matches the blank nodes of two datasets.
//!
//! In each round, each node gets a colour: a hash of the quads within that many steps of it. Nodes with equal and rare
//! colours are matched first, starting with the colours that reach farthest. Each matched pair then leads to pairs of
//! neighbours at the same place in a quad. Nodes whose own quads changed are matched by the quads that they share with
//! a candidate.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;

/// Marks a number in a quad as the number of a blank node.
pub(super) const BLANK: u32 = 1 << 31;

/// How many steps colours reach. Changes farther away do not affect a match.
const ROUNDS: usize = 8;
/// The most candidates that are compared with one another. Among more, a comparison says too little.
const MOST_CANDIDATES: usize = 32;
/// The most passes that look for changed nodes. In each pass, more neighbours are matched than in the one before.
const MOST_PASSES: usize = 8;

/// No partner.
const NONE: u32 = u32::MAX;
/// In a quad seen from a node, the node itself.
const ITSELF: u32 = u32::MAX;
/// A blank node without a partner.
const UNKNOWN: u32 = u32::MAX - 1;
/// In a quad seen from a node, the neighbour to be matched.
const HOLE: u32 = u32::MAX - 2;
/// Marks blank nodes of the second dataset that have no partner.
const SECOND: u32 = 1 << 30;

/// The quads of a dataset as numbers.
pub(super) struct ColouredDataset {
    pub(super) quads: Vec<[u32; 4]>,
    mentions: Vec<Vec<u32>>,
    /// The colours of the nodes, by round.
    colours: Vec<Vec<u64>>,
}

impl ColouredDataset {
    pub(super) fn new(quads: Vec<[u32; 4]>, nodes: usize) -> Self {
        let mut mentions = vec![Vec::new(); nodes];
        for (at, quad) in quads.iter().enumerate() {
            for number in blank_nodes(*quad) {
                let mentions = &mut mentions[number as usize];
                if mentions.last() != Some(&(at as u32)) {
                    mentions.push(at as u32);
                }
            }
        }
        let mut side = Self { quads, mentions, colours: vec![vec![0; nodes]] };
        for _ in 0..ROUNDS {
            side.colour();
        }
        side
    }

    /// Adds a round: computes the colour of each node from its quads and the colours of its neighbours.
    fn colour(&mut self) {
        let hasher = FixedState::default();
        let before = &self.colours[self.colours.len() - 1];
        let mut around: Vec<u64> = Vec::new();
        let colours = (0..self.mentions.len() as u32).map(|number| {
            around.clear();
            around.extend(self.quads_of(number).map(|quad| {
                let places = quad.map(|place| match place & BLANK {
                    0 => (0, u64::from(place)),
                    _ if place & !BLANK == number => (1, 0),
                    _ => (2, before[(place & !BLANK) as usize]),
                });
                hasher.hash_one(places)
            }));
            around.sort_unstable();
            hasher.hash_one(&around)
        });
        let colours = colours.collect();
        self.colours.push(colours);
    }

    fn quads_of(&self, number: u32) -> impl Iterator<Item = [u32; 4]> + '_ {
        self.mentions[number as usize].iter().map(|&at| self.quads[at as usize])
    }

    /// The nodes that a quad mentions.
    fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.mentions.len() as u32).filter(|&number| !self.mentions[number as usize].is_empty())
    }
}

fn blank_nodes(quad: [u32; 4]) -> impl Iterator<Item = u32> {
    quad.into_iter().filter(|place| place & BLANK != 0).map(|place| place & !BLANK)
}

/// The pairs of matched nodes.
pub(super) struct BlankNodeMatching {
    /// The partners of the nodes, by side.
    partners: [Vec<u32>; 2],
    looks_isomorphic: bool,
}

impl BlankNodeMatching {
    pub(super) fn new(sides: &[ColouredDataset; 2]) -> Self {
        let partners = [0, 1].map(|side: usize| vec![NONE; sides[side].mentions.len()]);
        let last = |side: usize| {
            let mut colours: Vec<u64> =
                sides[side].nodes().map(|number| sides[side].colours[ROUNDS][number as usize]).collect();
            colours.sort_unstable();
            colours
        };
        let mut matching = Self { partners, looks_isomorphic: last(0) == last(1) };
        let mut matcher = BlankNodeMatcher { sides, matching: &mut matching, queue: VecDeque::new() };
        // Unique colours come first in all rounds. A pair of a shared colour is a guess that its neighbours follow.
        for round in (1..=ROUNDS).rev() {
            matcher.pair_by_colour(round, 1);
        }
        for round in (1..=ROUNDS).rev() {
            matcher.pair_by_colour(round, usize::MAX);
        }
        for _ in 0..MOST_PASSES {
            if !matcher.pair_by_shared_quads() {
                break;
            }
        }
        matching
    }

    /// Returns whether both sides have the same colours, as isomorphic datasets do.
    pub(super) fn looks_isomorphic(&self) -> bool {
        self.looks_isomorphic
    }

    /// The partner of a node of a side.
    pub(super) fn partner(&self, side: usize, number: u32) -> Option<u32> {
        Some(self.partners[side][number as usize]).filter(|&partner| partner != NONE)
    }

    /// Returns a quad in which each matched blank node has its number in the first dataset.
    pub(super) fn shared(&self, side: usize, quad: [u32; 4]) -> [u32; 4] {
        quad.map(|place| match (place & BLANK, side) {
            (BLANK, 1) => match self.partner(1, place & !BLANK) {
                Some(partner) => BLANK | partner,
                None => place | SECOND,
            },
            _ => place,
        })
    }

    /// Returns a quad as seen from one of its nodes, in numbers that both sides share.
    fn seen_from(&self, side: usize, quad: [u32; 4], itself: u32, hole: Option<u32>) -> [u32; 4] {
        quad.map(|place| match place & BLANK {
            0 => place,
            _ if place & !BLANK == itself => ITSELF,
            _ if Some(place & !BLANK) == hole => HOLE,
            _ => match self.partner(side, place & !BLANK) {
                Some(partner) if side == 1 => BLANK | partner,
                Some(_) => place,
                None => UNKNOWN,
            },
        })
    }
}

struct BlankNodeMatcher<'m> {
    sides: &'m [ColouredDataset; 2],
    matching: &'m mut BlankNodeMatching,
    /// Pairs whose neighbours have not been matched yet.
    queue: VecDeque<(u32, u32)>,
}

/// The unmatched nodes of both sides by key, in the order in which the keys came.
#[derive(Default)]
struct MatchCandidates<Key> {
    by_key: HashMap<Key, usize, FixedState>,
    nodes: Vec<[Vec<u32>; 2]>,
}

impl<Key: Eq + Hash> MatchCandidates<Key> {
    fn add(&mut self, key: Key, side: usize, number: u32) {
        let at = *self.by_key.entry(key).or_insert(self.nodes.len());
        if at == self.nodes.len() {
            self.nodes.push(Default::default());
        }
        self.nodes[at][side].push(number);
    }
}

impl BlankNodeMatcher<'_> {
    fn is_free(&self, side: usize, number: u32) -> bool {
        self.matching.partner(side, number).is_none()
    }

    fn pair(&mut self, left: u32, right: u32) {
        if self.is_free(0, left) && self.is_free(1, right) {
            self.matching.partners[0][left as usize] = right;
            self.matching.partners[1][right as usize] = left;
            self.queue.push_back((left, right));
        }
    }

    /// Pairs the nodes of a colour if neither side has more than `most` of them.
    fn pair_by_colour(&mut self, round: usize, most: usize) {
        let mut candidates = MatchCandidates::default();
        for (side, nodes) in self.sides.iter().enumerate() {
            for number in nodes.nodes().filter(|&number| self.is_free(side, number)) {
                candidates.add(nodes.colours[round][number as usize], side, number);
            }
        }
        for [left, right] in &candidates.nodes {
            if left.len().max(right.len()) > most {
                continue;
            }
            let mut right = right.iter().copied();
            for &left in left {
                // An earlier pair may have led to a partner for `left` or `right`.
                if !self.is_free(0, left) {
                    continue;
                }
                let Some(right) = right.find(|&right| self.is_free(1, right)) else { break };
                self.pair(left, right);
                self.follow();
            }
        }
        self.follow();
    }

    /// Pairs neighbours of paired nodes that are at the same place in a quad.
    fn follow(&mut self) {
        while let Some((left, right)) = self.queue.pop_front() {
            let mut candidates = MatchCandidates::default();
            for (side, itself) in [(0, left), (1, right)] {
                for quad in self.sides[side].quads_of(itself) {
                    for neighbour in
                        blank_nodes(quad).filter(|&other| other != itself && self.is_free(side, other))
                    {
                        let key = self.matching.seen_from(side, quad, itself, Some(neighbour));
                        candidates.add(key, side, neighbour);
                    }
                }
            }
            for [left, right] in &candidates.nodes {
                self.pair_neighbours(left, right);
            }
        }
    }

    /// Pairs neighbours of equal colours, then the last two if each side has one left.
    fn pair_neighbours(&mut self, left: &[u32], right: &[u32]) {
        if left.len().max(right.len()) > MOST_CANDIDATES {
            return;
        }
        for round in (1..=ROUNDS).rev() {
            let [left_colours, right_colours] = [0, 1].map(|side: usize| &self.sides[side].colours[round]);
            for &left in left {
                let same = |right: &u32| {
                    self.is_free(1, *right) && left_colours[left as usize] == right_colours[*right as usize]
                };
                if self.is_free(0, left)
                    && let Some(&right) = right.iter().find(|right| same(right))
                {
                    self.pair(left, right);
                }
            }
        }
        let free = |side: usize, nodes: &[u32]| -> HashSet<u32> {
            nodes.iter().copied().filter(|&number| self.is_free(side, number)).collect()
        };
        let (left, right) = (free(0, left), free(1, right));
        if left.len() == 1 && right.len() == 1 {
            for (&left, &right) in left.iter().zip(&right) {
                self.pair(left, right);
            }
        }
    }

    /// Pairs nodes by how many quads they share, the most first; returns whether any nodes share one.
    fn pair_by_shared_quads(&mut self) -> bool {
        let mut candidates = MatchCandidates::default();
        for (side, nodes) in self.sides.iter().enumerate() {
            for number in nodes.nodes().filter(|&number| self.is_free(side, number)) {
                for quad in nodes.quads_of(number) {
                    let key = self.matching.seen_from(side, quad, number, None);
                    if !key.contains(&UNKNOWN) {
                        candidates.add(key, side, number);
                    }
                }
            }
        }
        let mut shared: HashMap<(u32, u32), u32, FixedState> = HashMap::default();
        let few =
            candidates.nodes.iter().filter(|[left, right]| left.len().max(right.len()) <= MOST_CANDIDATES);
        for [left, right] in few {
            // At most 32 × 32 pairs for each key, since keys with more candidates are left out.
            for &left in left {
                for &right in right {
                    *shared.entry((left, right)).or_default() += 1;
                }
            }
        }
        let mut pairs: Vec<(u32, (u32, u32))> =
            shared.into_iter().map(|(pair, count)| (count, pair)).collect();
        // The map has no order, so the pair itself decides between equal counts.
        pairs.sort_unstable_by_key(|&(count, pair)| (std::cmp::Reverse(count), pair));
        for &(_, (left, right)) in &pairs {
            self.pair(left, right);
            self.follow();
        }
        !pairs.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_depend_on_what_is_said_and_not_on_numbers() {
        let blank = |number: u32| BLANK | number;
        let left = ColouredDataset::new(vec![[blank(0), 1, blank(1), 0], [blank(1), 1, 2, 0]], 2);
        let right = ColouredDataset::new(vec![[blank(0), 1, 2, 0], [blank(1), 1, blank(0), 0]], 2);
        let matching = BlankNodeMatching::new(&[left, right]);
        assert!(matching.looks_isomorphic());
        assert_eq!((matching.partner(0, 0), matching.partner(0, 1)), (Some(1), Some(0)));
    }
}
