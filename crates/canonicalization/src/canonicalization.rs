//! RDF Dataset Canonicalization, RDFC-1.0 (W3C Recommendation 21 May 2024): isomorphic datasets
//! become the same text.
//!
//! Nodes that their own quads tell apart cost one hash each (section 4.6). `hash_n_degree_quads`
//! handles the others; its work is limited, since it would not end on some small graphs.

use std::io::{self, Write};
use std::ops::Range;

use super::canonical_n_quads::write_canonical_quad;
use super::canonicalization_state::{BlankNodeQuads, HashDigest, IdentifierIssuer};
pub use super::canonicalization_state::{CanonicalizationError, CanonicalizationOptions, HashAlgorithm};
use super::hash_n_degree_quads::HashNDegreeQuads;
use evalgraph_rdf::blank_node_labels::BlankNodeLabels;
use evalgraph_rdf::quad_buffer::{BufferQuad, BufferTermId, QuadBuffer, TermRef};

/// A canonicalized dataset: the quads, and the canonical identifiers of their blank nodes.
#[derive(Debug)]
pub struct CanonicalDataset<'q> {
    quads: &'q QuadBuffer,
    algorithm: HashAlgorithm,
    issuer: IdentifierIssuer,
}

/// Canonicalizes quads.
///
/// ```
/// use evalgraph_canonicalization::{CanonicalizationOptions, canonicalize};
/// use evalgraph_rdf::{QuadBuffer, QuadSink};
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
    let is_blank = |id: BufferTermId| matches!(quads.term(id), TermRef::BlankNode);
    if quads.quads().iter().any(|quad| is_blank(quad.predicate)) {
        return Err(CanonicalizationError::BlankNodePredicate);
    }
    let algorithm = options.algorithm;
    let mentions = BlankNodeQuads::from_quads(quads);
    // Step 3.
    let mut first_degree = FirstDegree::new(quads, &mentions, algorithm);
    let hashes: Vec<HashDigest> =
        (0..quads.blank_node_count() as u32).map(|number| first_degree.hash(number)).collect();
    let mut nodes: Vec<u32> = (0..quads.blank_node_count() as u32)
        .filter(|&number| !mentions.quads_of(number).is_empty())
        .collect();
    nodes.sort_by_key(|&number| hashes[number as usize]);
    let classes = || nodes.chunk_by(|&left, &right| hashes[left as usize] == hashes[right as usize]);
    // Step 4: unique hashes.
    let mut issuer = IdentifierIssuer::new(quads.blank_node_count());
    for class in classes().filter(|class| class.len() == 1) {
        issuer.issue(class[0]);
    }
    // Step 5: the others.
    let mut n_degree = HashNDegreeQuads::new(quads, &mentions, &hashes, options);
    for class in classes().filter(|class| class.len() > 1) {
        let mut paths = Vec::new();
        for &number in class {
            // An earlier class may have given the node its identifier (step 5.2.1).
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
    /// The errors of the output.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        for line in self.lines().iter() {
            out.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    /// Returns whether another dataset has the same canonical form.
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.lines().iter().eq(other.lines().iter())
    }

    /// The hash of the serialized canonical form, in hexadecimal digits.
    pub fn hash(&self) -> String {
        let mut text = String::new();
        self.algorithm.write_hex(&self.algorithm.hash(self.lines().iter()), &mut text);
        text
    }

    /// The issued identifiers map in the order of issue: the label of a blank node in its document
    /// (see [`BlankNodeLabels`]), and its canonical identifier.
    pub fn issued_identifiers(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let labels = BlankNodeLabels::from_quads(self.quads);
        self.issuer
            .order
            .iter()
            .enumerate()
            .map(move |(at, &number)| (labels.label(number), format!("c14n{at}")))
    }

    fn lines(&self) -> SortedQuadLines {
        let name = |number: u32, text: &mut String| self.issuer.write(number, text);
        SortedQuadLines::sorted(self.quads.quads().iter(), |quad, text| {
            write_canonical_quad(self.quads, quad, name, text);
        })
    }
}

/// Lines in code point order.
pub(super) struct SortedQuadLines {
    text: String,
    ranges: Vec<Range<usize>>,
}

impl SortedQuadLines {
    pub(super) fn sorted<'q>(
        quads: impl Iterator<Item = &'q BufferQuad>,
        mut write: impl FnMut(&BufferQuad, &mut String),
    ) -> Self {
        let mut lines = Self { text: String::new(), ranges: Vec::new() };
        lines.take(quads, &mut write);
        lines
    }

    fn take<'q>(
        &mut self,
        quads: impl Iterator<Item = &'q BufferQuad>,
        write: &mut impl FnMut(&BufferQuad, &mut String),
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

/// Hash First Degree Quads (section 4.6).
struct FirstDegree<'s> {
    quads: &'s QuadBuffer,
    mentions: &'s BlankNodeQuads,
    algorithm: HashAlgorithm,
    lines: SortedQuadLines,
}

impl<'s> FirstDegree<'s> {
    fn new(quads: &'s QuadBuffer, mentions: &'s BlankNodeQuads, algorithm: HashAlgorithm) -> Self {
        let lines = SortedQuadLines { text: String::new(), ranges: Vec::new() };
        Self { quads, mentions, algorithm, lines }
    }

    fn hash(&mut self, number: u32) -> HashDigest {
        let quads = self.quads;
        let name = |other: u32, text: &mut String| text.push(if other == number { 'a' } else { 'z' });
        let own = self.mentions.quads_of(number).iter().map(|&at| &quads.quads()[at as usize]);
        self.lines.take(own, &mut |quad, text| write_canonical_quad(quads, quad, name, text));
        self.algorithm.hash(self.lines.iter())
    }
}
