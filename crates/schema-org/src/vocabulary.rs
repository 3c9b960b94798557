//! The vocabulary of schema.org as data: its terms with their kinds, superclasses, domains, ranges and successors.
//!
//! Facts alone, no sentence of schema.org's. [`table`](super::table) reads and writes them, [`release`](super::release)
//! takes them from the RDF of a release.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::spelling::Spelling;
use super::term_kind::TermKind;

/// The number of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NameId(u32);

impl NameId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The facts of a term.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    pub(super) kind: TermKind,
    /// The superclasses of a class or datatype, the classes of a member, the superproperties of a property.
    pub(super) up: Box<[NameId]>,
    pub(super) domain: Box<[NameId]>,
    pub(super) range: Box<[NameId]>,
    pub(super) superseded_by: Box<[NameId]>,
    pub(super) inverse_of: Box<[NameId]>,
    pub(super) layer: NameId,
}

#[derive(Debug)]
struct Entry {
    name: Box<str>,
    terms: Vec<Facts>,
}

/// A vocabulary: the terms of schema.org, of a release of it or an extension.
///
/// ```
/// use evalgraph_schema_org::Vocabulary;
///
/// let vocabulary = Vocabulary::built_in();
/// let question = vocabulary.class("Question").expect("schema.org has questions");
/// assert!(question.is_below("CreativeWork"));
/// let seasons = vocabulary.property("seasons").expect("schema.org still knows seasons");
/// assert_eq!(seasons.successor().expect("they have another name").name(), "containsSeason");
/// ```
#[derive(Debug, Default)]
pub struct Vocabulary {
    entries: Vec<Entry>,
    ids: HashMap<Box<str>, NameId>,
    spelling: OnceLock<Spelling>,
}

/// A term of a vocabulary.
#[derive(Debug, Clone, Copy)]
pub struct VocabularyTerm<'v> {
    vocabulary: &'v Vocabulary,
    pub(super) id: NameId,
    pub(super) facts: &'v Facts,
}

impl Vocabulary {
    /// The class of a name.
    pub fn class(&self, name: &str) -> Option<VocabularyTerm<'_>> {
        self.term(name, TermKind::Class)
    }

    /// The datatype of a name.
    pub fn datatype(&self, name: &str) -> Option<VocabularyTerm<'_>> {
        self.term(name, TermKind::Datatype)
    }

    /// The member of a name, of an enumeration or `Boolean`.
    pub fn member(&self, name: &str) -> Option<VocabularyTerm<'_>> {
        self.term(name, TermKind::Member)
    }

    /// The property of a name.
    pub fn property(&self, name: &str) -> Option<VocabularyTerm<'_>> {
        self.term(name, TermKind::Property)
    }

    /// The term of a name and kind.
    pub fn term(&self, name: &str, kind: TermKind) -> Option<VocabularyTerm<'_>> {
        self.term_of(self.id(name)?, kind)
    }

    /// All terms, in the order of the table.
    pub fn terms(&self) -> impl Iterator<Item = VocabularyTerm<'_>> {
        let entries = (0..).map(NameId).zip(&self.entries);
        entries.flat_map(move |(id, entry)| {
            entry.terms.iter().map(move |facts| VocabularyTerm { vocabulary: self, id, facts })
        })
    }

    /// The name of a term of one of these kinds that was probably meant: letter case costs nothing, and one edit is
    /// allowed, in words of eight letters and more two. A term that is current comes before one that is not.
    pub fn nearest(&self, wrong: &str, kinds: &[TermKind]) -> Option<&str> {
        self.spelling.get_or_init(|| self.spelling()).nearest(wrong, kinds)
    }

    fn spelling(&self) -> Spelling {
        let mut terms: Vec<VocabularyTerm<'_>> = self.terms().collect();
        let is_old = |term: &VocabularyTerm<'_>| term.is_retired() || term.successor().is_some();
        terms.sort_by_key(|term| (is_old(term), term.is_pending()));
        Spelling::of(terms.iter().map(|term| (term.name(), term.kind())))
    }

    pub(super) fn id(&self, name: &str) -> Option<NameId> {
        self.ids.get(name).copied()
    }

    pub(super) fn name(&self, id: NameId) -> &str {
        &self.entries[id.index()].name
    }

    pub(super) fn term_of(&self, id: NameId, kind: TermKind) -> Option<VocabularyTerm<'_>> {
        let facts = self.entries[id.index()].terms.iter().find(|facts| facts.kind == kind)?;
        Some(VocabularyTerm { vocabulary: self, id, facts })
    }

    /// The class or datatype of a name.
    pub(super) fn type_of(&self, id: NameId) -> Option<VocabularyTerm<'_>> {
        self.term_of(id, TermKind::Class).or_else(|| self.term_of(id, TermKind::Datatype))
    }

    /// Classes or datatypes with all that is above them, sorted.
    pub(super) fn closure(&self, types: &[NameId]) -> Vec<NameId> {
        let mut found = types.to_vec();
        let mut seen: HashSet<NameId> = found.iter().copied().collect();
        let mut next = 0;
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
    pub(super) fn intern(&mut self, name: &str) -> NameId {
        if let Some(id) = self.id(name) {
            return id;
        }
        let id = NameId(u32::try_from(self.entries.len()).expect("a table has fewer than 2^32 names"));
        self.entries.push(Entry { name: name.into(), terms: Vec::new() });
        self.ids.insert(name.into(), id);
        id
    }

    /// Adds a term, unless there is one of that name and kind; tells whether it was added.
    pub(super) fn add(&mut self, name: &str, facts: Facts) -> bool {
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
    pub fn kind(&self) -> TermKind {
        self.facts.kind
    }

    /// The superclasses of a class or datatype, the classes of a member, the superproperties of a property.
    pub fn up(&self) -> impl Iterator<Item = &'v str> {
        self.names(&self.facts.up)
    }

    /// The classes whose nodes have a property.
    pub fn domain(&self) -> impl Iterator<Item = &'v str> {
        self.names(&self.facts.domain)
    }

    /// The classes and datatypes of a property's values.
    pub fn range(&self) -> impl Iterator<Item = &'v str> {
        self.names(&self.facts.range)
    }

    /// The properties that say the same the other way round.
    pub fn inverse_of(&self) -> impl Iterator<Item = &'v str> {
        self.names(&self.facts.inverse_of)
    }

    /// The terms that have taken its place, each of which may be superseded in turn.
    pub fn superseded_by(&self) -> impl Iterator<Item = &'v str> {
        self.names(&self.facts.superseded_by)
    }

    /// The part of schema.org that defines it: `core`, `pending`, `attic` and others.
    pub fn layer(&self) -> &'v str {
        self.vocabulary.name(self.facts.layer)
    }

    /// Tells whether a class or datatype is below another one, or that one itself.
    pub fn is_below(&self, name: &str) -> bool {
        let above = self.vocabulary.id(name);
        above.is_some_and(|above| self.vocabulary.closure(&[self.id]).binary_search(&above).is_ok())
    }

    /// The term that has taken its place, at the end of the chain; none where it is not superseded. A chain that comes
    /// back to itself ends where it would.
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

    /// Tells whether it is in the attic: schema.org has given it up.
    pub fn is_retired(&self) -> bool {
        self.layer() == "attic"
    }

    /// Tells whether it is pending: it is proposed, and may still change.
    pub fn is_pending(&self) -> bool {
        self.layer() == "pending"
    }

    /// The term that supersedes it; of several the first.
    fn next(&self) -> Option<VocabularyTerm<'v>> {
        let id = *self.facts.superseded_by.first()?;
        let mut kinds = std::iter::once(self.facts.kind).chain(TermKind::ALL);
        kinds.find_map(|kind| self.vocabulary.term_of(id, kind))
    }

    fn names(&self, ids: &'v [NameId]) -> impl Iterator<Item = &'v str> + use<'v> {
        let vocabulary = self.vocabulary;
        ids.iter().map(move |id| vocabulary.name(*id))
    }
}
