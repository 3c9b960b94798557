//! Finds short names for IRIs, first by the prefixes that the documents declared, then by well-known ones. Only
//! prefixes that are used are written.

use std::collections::{HashMap, HashSet};

use super::blank_node_nesting::BlankNodeNesting;
use super::quad_buffer::{BufferLiteralKind, BufferTermId, QuadBuffer, TermRef};
use super::short_forms::has_short_form;
use super::vocabulary;

/// Prefixes for documents that declare none for these namespaces.
const WELL_KNOWN: [(&str, &str); 14] = [
    ("dcat", "http://www.w3.org/ns/dcat#"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("eg", vocabulary::EVALGRAPH),
    ("egf", vocabulary::EVALGRAPH_FUNCTION),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    (vocabulary::CHECKPOINT_PREFIX, vocabulary::CHECKPOINT),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("prov", "http://www.w3.org/ns/prov#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("schema", vocabulary::SCHEMA_ORG),
    ("sh", "http://www.w3.org/ns/shacl#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
];

/// The short name of an IRI with a well-known prefix, if it has one that is valid in Turtle.
pub fn short_name(iri: &str) -> Option<String> {
    let is_plain = |name: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.bytes().all(is_part)
    };
    WELL_KNOWN.iter().find_map(|(prefix, namespace)| {
        let name = iri.strip_prefix(namespace).filter(|name| is_plain(name))?;
        Some(format!("{prefix}:{name}"))
    })
}

/// The prefixes of a document to be written.
#[derive(Debug)]
pub(super) struct DocumentPrefixes {
    /// By name.
    candidates: Vec<PrefixCandidate>,
    /// The candidate of each namespace.
    by_namespace: HashMap<String, usize>,
    /// The lengths of the namespaces that end with `_`: such a namespace can end inside a local name.
    inner_lengths: HashSet<usize>,
    /// For each term the candidate that shortens it, by the candidate's number.
    of_term: Vec<Option<u16>>,
}

#[derive(Debug)]
struct PrefixCandidate {
    name: String,
    namespace: String,
    is_used: bool,
}

impl DocumentPrefixes {
    /// Examines every IRI that will be written out.
    pub(super) fn from_quads(quads: &QuadBuffer, nesting: &BlankNodeNesting) -> Self {
        let candidates = candidates(quads.prefixes());
        let namespaces = candidates.iter().map(|candidate| candidate.namespace.clone());
        let inner = candidates.iter().filter(|candidate| candidate.namespace.ends_with('_'));
        let mut prefixes = Self {
            by_namespace: namespaces.zip(0..).collect(),
            inner_lengths: inner.map(|candidate| candidate.namespace.len()).collect(),
            candidates,
            of_term: vec![None; quads.term_count()],
        };
        let mut is_seen = vec![false; quads.term_count()];
        for quad in quads.quads() {
            let is_cell = nesting.is_collection(quads, quad.subject);
            let predicate = (!nesting.is_type(quad.predicate) && !is_cell).then_some(quad.predicate);
            let object = (!nesting.is_nil(quad.object)).then_some(quad.object);
            for id in [Some(quad.subject), predicate, object, quad.graph].into_iter().flatten() {
                prefixes.see(quads, id, &mut is_seen);
            }
        }
        prefixes
    }

    /// The prefixes that are used, by name.
    pub(super) fn used(&self) -> impl Iterator<Item = (&str, &str)> {
        let used = self.candidates.iter().filter(|candidate| candidate.is_used);
        used.map(|candidate| (candidate.name.as_str(), candidate.namespace.as_str()))
    }

    /// The prefix and local name of an IRI.
    pub(super) fn short_name<'s>(
        &'s self,
        quads: &'s QuadBuffer,
        id: BufferTermId,
    ) -> Option<(&'s str, &'s str)> {
        let candidate = &self.candidates[usize::from(self.of_term[id.index()]?)];
        let TermRef::Iri(iri) = quads.term(id) else {
            return None;
        };
        Some((&candidate.name, iri.strip_prefix(candidate.namespace.as_str())?))
    }

    /// The candidate with the longest namespace that shortens an IRI. A namespace ends before the characters of a local
    /// name, or with a `_` among them.
    fn candidate(&self, iri: &str) -> Option<usize> {
        let local = iri.bytes().rev().take_while(|byte| is_in_local_name(*byte)).count();
        let outer = iri.len() - local;
        let mut lengths: Vec<usize> = match self.inner_lengths.is_empty() {
            true => Vec::new(),
            false => (outer + 1..=iri.len()).filter(|length| self.inner_lengths.contains(length)).collect(),
        };
        lengths.insert(0, outer);
        let shortens = |length: usize| {
            let (namespace, local) = iri.split_at(length);
            self.by_namespace.get(namespace).copied().filter(|_| is_local_name(local))
        };
        lengths.into_iter().rev().find_map(shortens)
    }

    fn see(&mut self, quads: &QuadBuffer, id: BufferTermId, is_seen: &mut [bool]) {
        if std::mem::replace(&mut is_seen[id.index()], true) {
            return;
        }
        match quads.term(id) {
            TermRef::Iri(iri) => {
                if let Some(at) = self.candidate(iri) {
                    self.candidates[at].is_used = true;
                    self.of_term[id.index()] = u16::try_from(at).ok();
                }
            }
            TermRef::Literal { lexical, kind: BufferLiteralKind::Datatype(datatype, iri) }
                if !has_short_form(lexical, iri) =>
            {
                self.see(quads, datatype, is_seen);
            }
            TermRef::Literal { .. } | TermRef::BlankNode => {}
        }
    }
}

/// Declared prefixes win over well-known ones, by name and by namespace.
fn candidates(declared: &[(String, String)]) -> Vec<PrefixCandidate> {
    // An empty namespace, or one that ends in the middle of a name, would shorten anything.
    let is_useful = |namespace: &str| namespace.ends_with(['/', '#', ':', '?', '=', '_']);
    let mut candidates: Vec<PrefixCandidate> = Vec::new();
    let (mut names, mut namespaces) = (HashSet::new(), HashSet::new());
    let known = WELL_KNOWN.iter().map(|&(name, namespace)| (name, namespace));
    let declared = declared.iter().map(|(name, namespace)| (name.as_str(), namespace.as_str()));
    for (name, namespace) in declared.filter(|(_, namespace)| is_useful(namespace)).chain(known) {
        let is_taken = names.contains(name) || namespaces.contains(namespace);
        if is_prefix_name(name) && !is_taken {
            names.insert(name);
            namespaces.insert(namespace);
            candidates.push(PrefixCandidate {
                name: name.to_owned(),
                namespace: namespace.to_owned(),
                is_used: false,
            });
        }
    }
    // Numbers are 16 bits wide; no document declares that many prefixes.
    candidates.truncate(usize::from(u16::MAX));
    candidates.sort_by(|left, right| left.name.cmp(&right.name));
    candidates
}

fn is_prefix_name(name: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    name.is_empty() || (name.as_bytes()[0].is_ascii_alphabetic() && name.bytes().all(is_name))
}

/// Returns whether a string can follow the colon without escapes. Stricter than the grammar, since a name that only an
/// expert can read is better written in full.
fn is_local_name(local: &str) -> bool {
    let bytes = local.as_bytes();
    match bytes {
        [] => true,
        [first, .., last] if *last != b'.' => {
            (first.is_ascii_alphanumeric() || *first == b'_')
                && bytes.iter().all(|byte| is_in_local_name(*byte))
        }
        [only] => only.is_ascii_alphanumeric() || *only == b'_',
        _ => false,
    }
}

fn is_in_local_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// The prefix of each namespace: the one that a document declared first, else the well-known one.
pub(super) fn names(declared: &[(String, String)]) -> HashMap<&str, &str> {
    // Names that start with `xml` belong to XML itself.
    let is_usable = |name: &str| !name.is_empty() && is_prefix_name(name) && !name.starts_with("xml");
    let mut names: HashMap<&str, &str> = HashMap::with_capacity(declared.len() + WELL_KNOWN.len());
    let declared = declared.iter().map(|(name, namespace)| (name.as_str(), namespace.as_str()));
    for (name, namespace) in declared.filter(|(name, _)| is_usable(name)).chain(WELL_KNOWN) {
        names.entry(namespace).or_insert(name);
    }
    names
}
