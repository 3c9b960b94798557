//! Terms as hashes, for sinks that compare terms and do not keep their texts.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::RandomState;

use super::sink::QuadSink;
use super::vocabulary::xsd;

/// A term as the hash of its content, computed with a seed that no document can know. Keeping the texts instead would
/// take as much room as the whole document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HashedTerm(u64);

impl HashedTerm {
    /// The bit that is set for blank nodes only.
    const BLANK: u64 = 1;

    pub(super) fn is_blank_node(self) -> bool {
        self.0 & Self::BLANK != 0
    }
}

/// Makes the hashes of terms. Two hashers give equal hashes for equal terms if one is a clone of the other.
#[derive(Debug, Clone)]
pub(super) struct TermHasher {
    state: RandomState,
    string: HashedTerm,
    blank_nodes: u64,
}

impl TermHasher {
    pub(super) fn new() -> Self {
        let mut hasher = Self { state: RandomState::default(), string: HashedTerm(0), blank_nodes: 0 };
        hasher.string = hasher.iri(xsd::STRING);
        hasher
    }

    pub(super) fn hash(&self, term: impl Hash) -> HashedTerm {
        HashedTerm(self.state.hash_one(term) & !HashedTerm::BLANK)
    }

    /// The blank node that has this many others before it in the document.
    pub(super) fn numbered(&self, blank_node: u64) -> HashedTerm {
        HashedTerm(self.state.hash_one(("blank node", blank_node)) | HashedTerm::BLANK)
    }

    /// The next blank node of the document.
    pub(super) fn blank_node(&mut self) -> HashedTerm {
        self.blank_nodes += 1;
        self.numbered(self.blank_nodes - 1)
    }

    pub(super) fn iri(&self, iri: &str) -> HashedTerm {
        self.hash(("iri", iri))
    }

    pub(super) fn string(&self, value: &str) -> HashedTerm {
        self.hash(("string", value))
    }

    pub(super) fn typed_literal(&self, lexical: &str, datatype: HashedTerm) -> HashedTerm {
        if datatype == self.string {
            return self.string(lexical);
        }
        self.hash(("literal", lexical, datatype))
    }

    pub(super) fn language_string(&self, value: &str, language: &str) -> HashedTerm {
        self.hash(("language", value, language.to_ascii_lowercase()))
    }
}

/// The hashes of the quads of a document that contain blank nodes. Two documents that number their blank nodes in the
/// same way have the same hashes.
#[derive(Debug)]
pub(super) struct QuadHashes(Vec<u64>);

impl QuadHashes {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    #[inline]
    pub(super) fn add(&mut self, hasher: &TermHasher, triple: [HashedTerm; 3], graph: Option<HashedTerm>) {
        if triple.into_iter().chain(graph).any(HashedTerm::is_blank_node) {
            self.0.push(hasher.hash((triple, graph)).0);
        }
    }

    /// Returns whether both have the same quads, each counted once.
    pub(super) fn are_those_of(mut self, mut other: Self) -> bool {
        for hashes in [&mut self.0, &mut other.0] {
            hashes.sort_unstable();
            hashes.dedup();
        }
        self.0 == other.0
    }
}

/// Receives quads whose blank nodes are numbered by their labels.
pub struct LabelledQuads<N> {
    pub(super) hasher: TermHasher,
    pub(super) number: N,
    pub(super) hashes: QuadHashes,
}

impl<N: Fn(&str) -> Option<u64>> QuadSink for LabelledQuads<N> {
    type Term = HashedTerm;

    fn iri(&mut self, iri: &str) -> HashedTerm {
        self.hasher.iri(iri)
    }

    fn blank_node(&mut self) -> HashedTerm {
        // A blank node without a label does not occur in the other document.
        self.hasher.numbered(u64::MAX)
    }

    fn labelled_blank_node(&mut self, label: &str) -> HashedTerm {
        self.hasher.numbered((self.number)(label).unwrap_or(u64::MAX))
    }

    fn string(&mut self, value: &str) -> HashedTerm {
        self.hasher.string(value)
    }

    fn typed_literal(&mut self, lexical: &str, datatype: HashedTerm) -> HashedTerm {
        self.hasher.typed_literal(lexical, datatype)
    }

    fn language_string(&mut self, value: &str, language: &str) -> HashedTerm {
        self.hasher.language_string(value, language)
    }

    fn quad(
        &mut self,
        subject: HashedTerm,
        predicate: HashedTerm,
        object: HashedTerm,
        graph: Option<HashedTerm>,
    ) {
        self.hashes.add(&self.hasher, [subject, predicate, object], graph);
    }
}
