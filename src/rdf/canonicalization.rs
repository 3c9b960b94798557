//! RDF Dataset Canonicalization, RDFC-1.0 (W3C Recommendation 21 May 2024): every isomorphic
//! dataset becomes the same text.
//!
//! Nodes that their own quads tell apart cost one hash each (section 4.6). The others are left to
//! `hash_n_degree_quads`, whose work is limited, for there are small
//! graphs on which it would not end.

use std::fmt;
use std::io::{self, Write};
use std::ops::Range;

use sha2::{Digest, Sha256, Sha384};

use super::blank_node_labels::{BlankNodeLabels, write_number};
use super::canonical_n_quads::write_canonical_quad;
use super::hash_n_degree_quads::HashNDegreeQuads;
use super::quad_buffer::{Quad, QuadBuffer, TermId, TermRef};

/// Nothing was issued.
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
pub(super) struct Hash([u8; 48]);

impl HashAlgorithm {
    /// The hash of some texts one after the other.
    pub(super) fn hash<'t>(self, texts: impl IntoIterator<Item = &'t str>) -> Hash {
        let mut hash = [0; 48];
        match self {
            Self::Sha256 => hash[..32].copy_from_slice(&digest::<Sha256>(texts)),
            Self::Sha384 => hash.copy_from_slice(&digest::<Sha384>(texts)),
        }
        Hash(hash)
    }

    /// Appends a hash in lower-case hexadecimal digits.
    pub(super) fn write_hex(self, hash: &Hash, text: &mut String) {
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

/// How a dataset is canonicalized.
#[derive(Debug, Clone, Copy)]
pub struct CanonicalizationOptions {
    /// The hash algorithm.
    pub algorithm: HashAlgorithm,
    /// The most steps that Hash N-Degree Quads may take for the whole dataset: a hash is one, and a
    /// node in a permutation. Nodes that their own quads tell apart take none.
    pub work_limit: u64,
}

impl CanonicalizationOptions {
    /// A few seconds of work. A node whose neighbours tell it apart takes about ten steps; the
    /// hardest graph that the test suite wants solved takes fewer than ten thousand.
    pub const WORK_LIMIT: u64 = 10_000_000;
}

impl Default for CanonicalizationOptions {
    fn default() -> Self {
        Self { algorithm: HashAlgorithm::default(), work_limit: Self::WORK_LIMIT }
    }
}

/// Why a dataset has no canonical form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CanonicalizationError {
    /// The limit was reached. The graph may be made to exhaust who canonicalizes it.
    WorkLimit(u64),
    /// A blank node is a predicate, which RDF does not have.
    BlankNodePredicate,
}

impl fmt::Display for CanonicalizationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WorkLimit(limit) => {
                write!(f, "its blank nodes cannot be told apart within {limit} steps")
            }
            Self::BlankNodePredicate => f.write_str("a blank node is a predicate, which RDF does not have"),
        }
    }
}

impl std::error::Error for CanonicalizationError {}

/// A canonicalized dataset: the quads, and the canonical identifiers of their blank nodes.
#[derive(Debug)]
pub struct CanonicalDataset<'q> {
    quads: &'q QuadBuffer,
    algorithm: HashAlgorithm,
    issuer: Issuer,
}

/// Canonicalizes quads.
///
/// ```
/// use evalgraph::rdf::canonicalization::{CanonicalizationOptions, canonicalize};
/// use evalgraph::rdf::{QuadBuffer, QuadSink};
///
/// let mut quads = QuadBuffer::new();
/// let (node, name) = (quads.blank_node(), quads.iri("http://schema.org/name"));
/// let ada = quads.string("Ada");
/// quads.quad(node, name, ada, None);
/// let mut text = Vec::new();
/// canonicalize(&quads, CanonicalizationOptions::default())?.write(&mut text)?;
/// assert_eq!(text, b"_:c14n0 <http://schema.org/name> \"Ada\" .\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`CanonicalizationError`].
pub fn canonicalize(
    quads: &QuadBuffer,
    options: CanonicalizationOptions,
) -> Result<CanonicalDataset<'_>, CanonicalizationError> {
    let is_blank = |id: TermId| matches!(quads.term(id), TermRef::BlankNode);
    if quads.quads().iter().any(|quad| is_blank(quad.predicate)) {
        return Err(CanonicalizationError::BlankNodePredicate);
    }
    let algorithm = options.algorithm;
    let mentions = Mentions::of(quads);
    // Step 3.
    let mut first_degree = FirstDegree::new(quads, &mentions, algorithm);
    let hashes: Vec<Hash> =
        (0..quads.blank_node_count() as u32).map(|number| first_degree.hash(number)).collect();
    let mut nodes: Vec<u32> = (0..quads.blank_node_count() as u32)
        .filter(|&number| !mentions.quads_of(number).is_empty())
        .collect();
    nodes.sort_by_key(|&number| hashes[number as usize]);
    let classes = || nodes.chunk_by(|&left, &right| hashes[left as usize] == hashes[right as usize]);
    // Step 4: unique hashes.
    let mut issuer = Issuer::new(quads.blank_node_count());
    for class in classes().filter(|class| class.len() == 1) {
        issuer.issue(class[0]);
    }
    // Step 5: the others.
    let mut n_degree = HashNDegreeQuads::new(quads, &mentions, &hashes, options);
    for class in classes().filter(|class| class.len() > 1) {
        let mut paths = Vec::new();
        for &number in class {
            if issuer.issued(number).is_none() {
                paths.push(n_degree.hash(number, &issuer)?);
            }
        }
        paths.sort_by_key(|(hash, _)| *hash);
        for number in paths.iter().flat_map(|(_, issued)| issued) {
            issuer.issue(*number);
        }
    }
    Ok(CanonicalDataset { quads, algorithm, issuer })
}

impl CanonicalDataset<'_> {
    /// The serialized canonical form: sorted lines of N-Quads.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        for line in self.lines().iter() {
            out.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    /// Whether another dataset has the same canonical form.
    pub(super) fn is_same_as(&self, other: &Self) -> bool {
        self.lines().iter().eq(other.lines().iter())
    }

    /// The hash of the serialized canonical form, in hexadecimal digits.
    pub fn hash(&self) -> String {
        let mut text = String::new();
        self.algorithm.write_hex(&self.algorithm.hash(self.lines().iter()), &mut text);
        text
    }

    /// The issued identifiers map in the order of issue: the identifier that a blank node has in
    /// its document (see [`BlankNodeLabels`]), and the canonical one.
    pub fn issued_identifiers(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let labels = BlankNodeLabels::of(self.quads);
        self.issuer
            .order
            .iter()
            .enumerate()
            .map(move |(at, &number)| (labels.label(number), format!("c14n{at}")))
    }

    fn lines(&self) -> Lines {
        let name = |number: u32, text: &mut String| self.issuer.write(number, text);
        Lines::sorted(self.quads.quads().iter(), |quad, text| {
            write_canonical_quad(self.quads, quad, name, text);
        })
    }
}

/// Lines in code point order.
pub(super) struct Lines {
    text: String,
    ranges: Vec<Range<usize>>,
}

impl Lines {
    pub(super) fn sorted<'q>(
        quads: impl Iterator<Item = &'q Quad>,
        mut write: impl FnMut(&Quad, &mut String),
    ) -> Self {
        let mut lines = Self { text: String::new(), ranges: Vec::new() };
        lines.take(quads, &mut write);
        lines
    }

    fn take<'q>(
        &mut self,
        quads: impl Iterator<Item = &'q Quad>,
        write: &mut impl FnMut(&Quad, &mut String),
    ) {
        self.text.clear();
        self.ranges.clear();
        for quad in quads {
            let start = self.text.len();
            write(quad, &mut self.text);
            self.ranges.push(start..self.text.len());
        }
        let bytes = self.text.as_bytes();
        self.ranges.sort_unstable_by(|left, right| bytes[left.clone()].cmp(&bytes[right.clone()]));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.ranges.iter().map(|range| &self.text[range.clone()])
    }
}

/// The blank node to quads map.
#[derive(Debug)]
pub(super) struct Mentions {
    starts: Vec<u32>,
    quads: Vec<u32>,
}

impl Mentions {
    pub(super) fn of(quads: &QuadBuffer) -> Self {
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

/// Names each blank node of a quad once, with the first position it stands in.
fn each_blank_node(quads: &QuadBuffer, quad: &Quad, mut take: impl FnMut(u32, char)) {
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
    quad: &Quad,
) -> impl Iterator<Item = (u32, char)> + use<'q> {
    [(Some(quad.subject), 's'), (Some(quad.object), 'o'), (quad.graph, 'g')]
        .into_iter()
        .filter_map(|(term, position)| Some((quads.blank_node_number(term?)?, position)))
}

/// Hash First Degree Quads (section 4.6).
struct FirstDegree<'s> {
    quads: &'s QuadBuffer,
    mentions: &'s Mentions,
    algorithm: HashAlgorithm,
    lines: Lines,
}

impl<'s> FirstDegree<'s> {
    fn new(quads: &'s QuadBuffer, mentions: &'s Mentions, algorithm: HashAlgorithm) -> Self {
        let lines = Lines { text: String::new(), ranges: Vec::new() };
        Self { quads, mentions, algorithm, lines }
    }

    fn hash(&mut self, number: u32) -> Hash {
        let quads = self.quads;
        let name = |other: u32, text: &mut String| text.push(if other == number { 'a' } else { 'z' });
        let own = self.mentions.quads_of(number).iter().map(|&at| &quads.quads()[at as usize]);
        self.lines.take(own, &mut |quad, text| write_canonical_quad(quads, quad, name, text));
        self.algorithm.hash(self.lines.iter())
    }
}

/// The canonical issuer (section 4.5).
#[derive(Debug)]
pub(super) struct Issuer {
    issued: Vec<u32>,
    order: Vec<u32>,
}

impl Issuer {
    fn new(nodes: usize) -> Self {
        Self { issued: vec![NONE; nodes], order: Vec::new() }
    }

    fn issue(&mut self, number: u32) {
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

    fn write(&self, number: u32, text: &mut String) {
        text.push_str("c14n");
        write_number(self.issued[number as usize], text);
    }
}
