//! The vocabulary of schema.org as data: its terms with their kinds, superclasses, domains, ranges and successors.
//!
//! It contains only facts, no sentence of schema.org's. `vocabulary_table.rs` reads and writes them, `release.rs`
//! extracts them from the RDF of a release.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::spelling_index::SpellingIndex;
use super::term_kind::VocabularyTermKind;

/// The number of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct VocabularyNameId(u32);

impl VocabularyNameId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The facts of a term.
#[derive(Debug, Clone)]
pub(super) struct VocabularyTermFacts {
    pub(super) kind: VocabularyTermKind,
    /// The superclasses of a class or datatype, the classes of a member, the superproperties of a property.
    pub(super) up: Box<[VocabularyNameId]>,
    pub(super) domain: Box<[VocabularyNameId]>,
    pub(super) range: Box<[VocabularyNameId]>,
    pub(super) superseded_by: Box<[VocabularyNameId]>,
    pub(super) inverse_of: Box<[VocabularyNameId]>,
    pub(super) layer: VocabularyNameId,
}

#[derive(Debug)]
struct VocabularyEntry {
    name: Box<str>,
    terms: Vec<VocabularyTermFacts>,
}

/// A vocabulary: the terms of schema.org, from a release or an extension.
///
/// ```
/// use evalgraph_schema_org::SchemaOrgVocabulary;
///
/// let vocabulary = SchemaOrgVocabulary::built_in();
/// let question = vocabulary.class("Question").expect("schema.org has questions");
/// assert!(question.is_below("CreativeWork"));
/// let seasons = vocabulary.property("seasons").expect("schema.org still knows seasons");
/// assert_eq!(seasons.successor().expect("they have another name").name(), "containsSeason");
/// ```
///
/// Other methods are in `built_in.rs`, `release.rs` and `vocabulary_table.rs`.
#[derive(Debug, Default)]
pub struct SchemaOrgVocabulary {
    entries: Vec<VocabularyEntry>,
    ids: HashMap<Box<str>, VocabularyNameId>,
    spelling: OnceLock<SpellingIndex>,
}

/// A term of a vocabulary.
#[derive(Debug, Clone, Copy)]
pub struct VocabularyTerm<'v> {
    vocabulary: &'v SchemaOrgVocabulary,
    pub(super) id: VocabularyNameId,
    pub(super) facts: &'v VocabularyTermFacts,
}

impl SchemaOrgVocabulary {
    /// The class with a name.
    pub fn class(&self, name: &str) -> Option<VocabularyTerm<'_>> {
        self.term(name, VocabularyTermKind::Class)
    }

    /// The datatype with a name.
    pub fn datatype(&self, name: &str) -> Option<VocabularyTerm<'_>> {
        self.term(name, VocabularyTermKind::Datatype)
    }

    /// The member with a name, of an enumeration or `Boolean`.
    pub fn member(&self, name: &str) -> Option<VocabularyTerm<'_>> {
        self.term(name, VocabularyTermKind::Member)
    }

    /// The property with a name.
    pub fn property(&self, name: &str) -> Option<VocabularyTerm<'_>> {
        self.term(name, VocabularyTermKind::Property)
    }

    /// The term with a name and kind.
    pub fn term(&self, name: &str, kind: VocabularyTermKind) -> Option<VocabularyTerm<'_>> {
        self.term_of(self.id(name)?, kind)
    }

    /// All terms, in the order of the table.
    pub fn terms(&self) -> impl Iterator<Item = VocabularyTerm<'_>> {
        let entries = (0..).map(VocabularyNameId).zip(&self.entries);
        entries.flat_map(move |(id, entry)| {
            entry.terms.iter().map(move |facts| VocabularyTerm { vocabulary: self, id, facts })
        })
    }

    /// The name of a term of one of these kinds that was probably meant. Letter case is ignored; one edit is allowed,
    /// and two in words of eight letters or more. Current terms are preferred.
    pub fn nearest(&self, wrong: &str, kinds: &[VocabularyTermKind]) -> Option<&str> {
        self.spelling.get_or_init(|| self.spelling()).nearest(wrong, kinds)
    }

    fn spelling(&self) -> SpellingIndex {
        let mut terms: Vec<VocabularyTerm<'_>> = self.terms().collect();
        let is_old = |term: &VocabularyTerm<'_>| term.is_retired() || term.successor().is_some();
        // The index takes the first of equally near names, so current terms come first.
        terms.sort_by_key(|term| (is_old(term), term.is_pending()));
        SpellingIndex::from_names(terms.iter().map(|term| (term.name(), term.kind())))
    }

    pub(super) fn id(&self, name: &str) -> Option<VocabularyNameId> {
        self.ids.get(name).copied()
    }

    pub(super) fn name(&self, id: VocabularyNameId) -> &str {
        &self.entries[id.index()].name
    }

    pub(super) fn term_of(
        &self,
        id: VocabularyNameId,
        kind: VocabularyTermKind,
    ) -> Option<VocabularyTerm<'_>> {
        let facts = self.entries[id.index()].terms.iter().find(|facts| facts.kind == kind)?;
        Some(VocabularyTerm { vocabulary: self, id, facts })
    }

    /// The class or datatype with a name.
    pub(super) fn type_of(&self, id: VocabularyNameId) -> Option<VocabularyTerm<'_>> {
        self.term_of(id, VocabularyTermKind::Class).or_else(|| self.term_of(id, VocabularyTermKind::Datatype))
    }

    /// Classes or datatypes with all their supertypes, sorted.
    pub(super) fn closure(&self, types: &[VocabularyNameId]) -> Vec<VocabularyNameId> {
        let mut found = types.to_vec();
        let mut seen: HashSet<VocabularyNameId> = found.iter().copied().collect();
        let mut next = 0;
        // Superclasses may form a cycle, so each is added once.
        while let Some(id) = found.get(next).copied() {
            next += 1;
            let up = self.type_of(id).map_or(&[][..], |term| &term.facts.up);
            found.extend(up.iter().filter(|above| seen.insert(**above)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The number of a name, which may be new.
    pub(super) fn intern(&mut self, name: &str) -> VocabularyNameId {
        if let Some(id) = self.id(name) {
            return id;
        }
        let id =
            VocabularyNameId(u32::try_from(self.entries.len()).expect("a table has fewer than 2^32 names"));
        self.entries.push(VocabularyEntry { name: name.into(), terms: Vec::new() });
        self.ids.insert(name.into(), id);
        id
    }

    /// Adds a term, unless there is one with that name and kind; returns whether it was added.
    pub(super) fn add(&mut self, name: &str, facts: VocabularyTermFacts) -> bool {
        let id = self.intern(name);
        let terms = &mut self.entries[id.index()].terms;
        let is_new = terms.iter().all(|known| known.kind != facts.kind);
        if is_new {
            terms.push(facts);
        }
        is_new
    }
}

impl<'v> VocabularyTerm<'v> {
    /// Its name, without the namespace.
    pub fn name(&self) -> &'v str {
        self.vocabulary.name(self.id)
    }

    /// Its kind.
    pub fn kind(&self) -> VocabularyTermKind {
        self.facts.kind
    }

    /// The superclasses of a class or datatype, the classes of a member, the superproperties of a property.
    pub fn up(&self) -> impl Iterator<Item = &'v str> {
        self.names(&self.facts.up)
    }

    /// The classes whose nodes can have the property.
    pub fn domain(&self) -> impl Iterator<Item = &'v str> {
        self.names(&self.facts.domain)
    }

    /// The classes and datatypes of a property's values.
    pub fn range(&self) -> impl Iterator<Item = &'v str> {
        self.names(&self.facts.range)
    }

    /// The inverse properties, which express the same statement in the other direction.
    pub fn inverse_of(&self) -> impl Iterator<Item = &'v str> {
        self.names(&self.facts.inverse_of)
    }

    /// The terms that have replaced it, each of which may be superseded in turn.
    pub fn superseded_by(&self) -> impl Iterator<Item = &'v str> {
        self.names(&self.facts.superseded_by)
    }

    /// The part of schema.org that defines it: `core`, `pending`, `attic` and others.
    pub fn layer(&self) -> &'v str {
        self.vocabulary.name(self.facts.layer)
    }

    /// Returns whether a class or datatype is a subtype of another one, or that one itself.
    pub fn is_below(&self, name: &str) -> bool {
        let above = self.vocabulary.id(name);
        above.is_some_and(|above| self.vocabulary.closure(&[self.id]).binary_search(&above).is_ok())
    }

    /// The term that has finally replaced it, at the end of the chain; none if it is not superseded. A circular chain
    /// ends before it would repeat.
    pub fn successor(&self) -> Option<VocabularyTerm<'v>> {
        if self.facts.superseded_by.is_empty() {
            return None;
        }
        let mut chain = vec![*self];
        while let Some(next) = chain.last().and_then(VocabularyTerm::next) {
            if chain.iter().any(|known| known.id == next.id) {
                break;
            }
            chain.push(next);
        }
        chain.pop().filter(|last| last.id != self.id)
    }

    /// Returns whether it is in the attic: schema.org has retired it.
    pub fn is_retired(&self) -> bool {
        self.layer() == "attic"
    }

    /// Returns whether it is pending: it is proposed, and may still change.
    pub fn is_pending(&self) -> bool {
        self.layer() == "pending"
    }

    /// The term that supersedes it; the first if there are several.
    fn next(&self) -> Option<VocabularyTerm<'v>> {
        let id = *self.facts.superseded_by.first()?;
        let mut kinds = std::iter::once(self.facts.kind).chain(VocabularyTermKind::ALL);
        kinds.find_map(|kind| self.vocabulary.term_of(id, kind))
    }

    fn names(&self, ids: &'v [VocabularyNameId]) -> impl Iterator<Item = &'v str> + use<'v> {
        let vocabulary = self.vocabulary;
        ids.iter().map(move |id| vocabulary.name(*id))
    }
}
