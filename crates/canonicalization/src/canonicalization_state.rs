//! The shared state of the canonicalization algorithms: hashes, issuers of identifiers, and mentions of blank nodes.

use std::fmt;

use sha2::{Digest, Sha256, Sha384};

use evalgraph_rdf::blank_node_labels::write_number;
use evalgraph_rdf::quad_buffer::{BufferQuad, QuadBuffer};

/// No identifier was issued.
pub(super) const NONE: u32 = u32::MAX;

/// The hash algorithm, SHA-256 by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HashAlgorithm {
    /// SHA-256.
    #[default]
    Sha256,
    /// SHA-384.
    Sha384,
}

/// A hash; the order is that of its hexadecimal form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct HashDigest([u8; 48]);

impl HashAlgorithm {
    /// The hash of some texts one after the other.
    pub(super) fn hash<'t>(self, texts: impl IntoIterator<Item = &'t str>) -> HashDigest {
        let mut hash = [0; 48];
        match self {
            Self::Sha256 => hash[..32].copy_from_slice(&digest::<Sha256>(texts)),
            Self::Sha384 => hash.copy_from_slice(&digest::<Sha384>(texts)),
        }
        HashDigest(hash)
    }

    /// Appends a hash in lower-case hexadecimal digits.
    pub(super) fn write_hex(self, hash: &HashDigest, text: &mut String) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let length = match self {
            Self::Sha256 => 32,
            Self::Sha384 => 48,
        };
        for &byte in &hash.0[..length] {
            text.push(char::from(DIGITS[usize::from(byte >> 4)]));
            text.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
}

fn digest<'t, D: Digest>(texts: impl IntoIterator<Item = &'t str>) -> sha2::digest::Output<D> {
    let mut hasher = D::new();
    for text in texts {
        hasher.update(text);
    }
    hasher.finalize()
}

/// Options for canonicalizing a dataset.
#[derive(Debug, Clone, Copy)]
pub struct CanonicalizationOptions {
    /// The hash algorithm.
    pub algorithm: HashAlgorithm,
    /// The most steps that Hash N-Degree Quads may take for the whole dataset. Each hash and each node in a permutation
    /// is a step. Nodes that their own quads tell apart take none.
    pub work_limit: u64,
}

impl CanonicalizationOptions {
    /// A few seconds of work. A node whose neighbours tell it apart takes about ten steps; the hardest graph that the
    /// test suite requires to be solved takes fewer than ten thousand.
    pub const WORK_LIMIT: u64 = 10_000_000;
}

impl Default for CanonicalizationOptions {
    fn default() -> Self {
        Self { algorithm: HashAlgorithm::default(), work_limit: Self::WORK_LIMIT }
    }
}

/// The reason why a dataset has no canonical form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CanonicalizationError {
    /// The limit was reached. The graph may have been built to exhaust the program.
    WorkLimit(u64),
    /// A blank node is a predicate, which RDF does not allow.
    BlankNodePredicate,
}

impl fmt::Display for CanonicalizationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WorkLimit(limit) => {
                write!(f, "its blank nodes cannot be told apart within {limit} steps")
            }
            Self::BlankNodePredicate => f.write_str("a blank node is a predicate, which RDF does not allow"),
        }
    }
}

impl std::error::Error for CanonicalizationError {}

/// The blank node to quads map.
#[derive(Debug)]
pub(super) struct BlankNodeQuads {
    starts: Vec<u32>,
    quads: Vec<u32>,
}

impl BlankNodeQuads {
    pub(super) fn from_quads(quads: &QuadBuffer) -> Self {
        let mut starts = vec![0; quads.blank_node_count() + 1];
        for quad in quads.quads() {
            each_blank_node(quads, quad, |number, _| starts[number as usize + 1] += 1);
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut next = starts.clone();
        let mut positions = vec![0; total as usize];
        for (at, quad) in quads.quads().iter().enumerate() {
            each_blank_node(quads, quad, |number, _| {
                positions[next[number as usize] as usize] = at as u32;
                next[number as usize] += 1;
            });
        }
        Self { starts, quads: positions }
    }

    /// The positions of the quads that mention a blank node, each once.
    pub(super) fn quads_of(&self, number: u32) -> &[u32] {
        &self.quads[self.starts[number as usize] as usize..self.starts[number as usize + 1] as usize]
    }
}

/// Calls `take` once for each blank node of a quad, with its first position.
fn each_blank_node(quads: &QuadBuffer, quad: &BufferQuad, mut take: impl FnMut(u32, char)) {
    let mut seen = [NONE; 3];
    for (at, (number, position)) in blank_components(quads, quad).enumerate() {
        if !seen.contains(&number) {
            seen[at] = number;
            take(number, position);
        }
    }
}

/// The blank nodes of a quad with their positions as the algorithm names them.
pub(super) fn blank_components<'q>(
    quads: &'q QuadBuffer,
    quad: &BufferQuad,
) -> impl Iterator<Item = (u32, char)> + use<'q> {
    [(Some(quad.subject), 's'), (Some(quad.object), 'o'), (quad.graph, 'g')]
        .into_iter()
        .filter_map(|(term, position)| Some((quads.blank_node_number(term?)?, position)))
}

/// The canonical issuer (section 4.5).
#[derive(Debug)]
pub(super) struct IdentifierIssuer {
    issued: Vec<u32>,
    pub(super) order: Vec<u32>,
}

impl IdentifierIssuer {
    pub(super) fn new(nodes: usize) -> Self {
        Self { issued: vec![NONE; nodes], order: Vec::new() }
    }

    pub(super) fn issue(&mut self, number: u32) {
        let issued = &mut self.issued[number as usize];
        if *issued == NONE {
            *issued = self.order.len() as u32;
            self.order.push(number);
        }
    }

    /// The number of the canonical identifier of a blank node.
    pub(super) fn issued(&self, number: u32) -> Option<u32> {
        Some(self.issued[number as usize]).filter(|&issued| issued != NONE)
    }

    pub(super) fn write(&self, number: u32, text: &mut String) {
        text.push_str("c14n");
        write_number(self.issued[number as usize], text);
    }
}
