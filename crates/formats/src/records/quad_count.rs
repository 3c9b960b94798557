//! Counts the distinct quads of a file of records that is read in parts, without keeping the quads.
//!
//! Statements about a record can recur only in the part that contains the record, because no other record has its
//! IRI. So the quads of a part are remembered until it ends. Only quads about nodes that records share are remembered
//! for the entire file: the file itself, and nodes that a value names, such as a document. Quads are remembered as
//! hashes of 64 bits.

use evalgraph_rdf::QuadSink;
use evalgraph_rdf::sink::HandleQuad;
use foldhash::quality::FixedState;
use hashbrown::HashSet;
use std::collections::BTreeMap;
use std::hash::BuildHasher as _;

/// Receives the quads of a file part by part, and counts them.
#[derive(Debug)]
pub struct QuadCount {
    /// The beginning of the IRIs of the file's nodes.
    base: String,
    /// The kinds of shared nodes, as the IRIs continue after `base`.
    common: Vec<String>,
    blank_nodes: u64,
    of_part: HashSet<u64>,
    of_file: HashSet<u64>,
    lost: Vec<(u64, u32)>,
    count: u64,
}

/// A term, represented by its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CountedTerm {
    hash: u64,
    reach: TermReach,
}

/// Where a term can recur.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum TermReach {
    /// In one document: a blank node.
    Document,
    /// In one part, as a subject: a node of a record.
    Record,
    /// Everywhere: the node of the file, to which each record is attached.
    File,
    /// Everywhere.
    All,
}

impl QuadCount {
    /// Creates a count of 0. `base` is the beginning of the IRIs of the file's nodes, `shared` are the kinds of nodes
    /// that records share.
    pub fn new(base: &str, shared: &[&str]) -> Self {
        Self {
            base: base.to_owned(),
            common: shared.iter().map(|kind| format!("{kind}/")).collect(),
            blank_nodes: 0,
            of_part: HashSet::new(),
            of_file: HashSet::new(),
            lost: Vec::new(),
            count: 0,
        }
    }

    /// Returns the number of distinct quads.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Ends a part: its records cannot recur.
    pub fn end_part(&mut self) {
        self.of_part.clear();
    }

    fn reach(&self, iri: &str) -> TermReach {
        let Some(rest) = iri.strip_prefix(self.base.trim_end_matches(':')) else { return TermReach::All };
        match rest.strip_prefix(':') {
            None if rest.is_empty() => TermReach::File,
            None => TermReach::All,
            // Records inside other records may share the index that distinguishes them.
            Some(rest) if rest.contains("~~") => TermReach::All,
            Some(rest) if self.common.iter().any(|kind| rest.starts_with(kind.as_str())) => TermReach::All,
            Some(_) => TermReach::Record,
        }
    }
}

fn hash(of: impl std::hash::Hash) -> u64 {
    FixedState::default().hash_one(of)
}

fn literal(of: impl std::hash::Hash) -> CountedTerm {
    CountedTerm { hash: hash(of), reach: TermReach::All }
}

fn hash_of_quad([subject, predicate, object]: [CountedTerm; 3], graph: Option<CountedTerm>) -> u64 {
    hash((subject.hash, predicate.hash, object.hash, graph.map(|graph| graph.hash)))
}

impl QuadSink for QuadCount {
    type Term = CountedTerm;

    fn iri(&mut self, iri: &str) -> CountedTerm {
        CountedTerm { hash: hash(("iri", iri)), reach: self.reach(iri) }
    }

    fn blank_node(&mut self) -> CountedTerm {
        self.blank_nodes += 1;
        CountedTerm { hash: hash(("blank node", self.blank_nodes)), reach: TermReach::Document }
    }

    fn string(&mut self, value: &str) -> CountedTerm {
        literal(("string", value))
    }

    fn typed_literal(&mut self, lexical: &str, datatype: CountedTerm) -> CountedTerm {
        literal(("typed", lexical, datatype.hash))
    }

    fn language_string(&mut self, value: &str, language: &str) -> CountedTerm {
        literal(("language", value, language.to_ascii_lowercase()))
    }

    fn quad(
        &mut self,
        subject: CountedTerm,
        predicate: CountedTerm,
        object: CountedTerm,
        graph: Option<CountedTerm>,
    ) {
        let quad = hash_of_quad([subject, predicate, object], graph);
        let is_of_part = match (subject.reach, object.reach) {
            (TermReach::Document | TermReach::Record, _) | (_, TermReach::Document) => true,
            // Each record is attached to the file once.
            (TermReach::File, TermReach::Record) => true,
            _ => false,
        };
        let seen = if is_of_part { &mut self.of_part } else { &mut self.of_file };
        self.count += u64::from(seen.insert(quad));
    }

    fn lost_quad(&mut self, quad: HandleQuad<CountedTerm>, cause: u32) {
        self.lost.push((hash_of_quad([quad.subject, quad.predicate, quad.object], quad.graph), cause));
    }

    /// Returns the number of distinct quads lost to each cause since the last call.
    fn take_lost_costs(&mut self) -> BTreeMap<u32, u64> {
        let (mut seen, mut costs) = (HashSet::new(), BTreeMap::new());
        for (quad, cause) in std::mem::take(&mut self.lost) {
            let cost = costs.entry(cause).or_insert(0);
            let is_there = self.of_part.contains(&quad) || self.of_file.contains(&quad);
            *cost += u64::from(seen.insert(quad) && !is_there);
        }
        costs
    }
}
