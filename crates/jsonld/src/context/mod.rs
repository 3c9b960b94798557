//! Active contexts and term definitions (section 4.1), as context processing leaves them.

mod definition;
pub(super) mod inverse_context;
pub(super) mod local_entries;
pub(super) mod processing;
pub(super) mod relative;
pub(super) mod term_creation;
pub(super) mod term_definition;
mod terms_by_iri;

use crate::names::{Keyword, NameId, Names};
use archery::RcK;
pub(crate) use definition::{Container, Direction, LocalContext, TermDefinition, TypeMapping, same_json};
use evalgraph_json::Symbol;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use rpds::{HashTrieMap, Vector};
use std::cell::RefCell;
use std::rc::Rc;
use terms_by_iri::TermsByIri;

/// The number of a term definition in its context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DefinitionId(u32);

/// The meaning of a key of the document under a context.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Meaning {
    /// Not looked up yet.
    Unknown,
    Keyword(Keyword),
    /// A property, with the definition of its term if there is one.
    Property(NameId, Option<DefinitionId>),
    /// A key without an IRI, whose value is dropped. The definition may be explicit (null).
    Dropped(Option<DefinitionId>),
}

/// The meanings of the keys of one document: an array index in place of a lookup by text. A context with few of
/// many keys has them in a map, so that contexts take no more room than the keys that are looked up in them.
#[derive(Debug, Default)]
struct Meanings {
    document: u64,
    by_symbol: Vec<Meaning>,
    known: usize,
    far: HashMap<usize, Meaning, FixedState>,
}

/// How many places of the array a key may take.
const MOST_PLACES_A_KEY: usize = 16;

impl Meanings {
    #[inline]
    fn of(&self, symbol: usize) -> Meaning {
        match self.by_symbol.get(symbol) {
            Some(&meaning) => meaning,
            None if self.far.is_empty() => Meaning::Unknown,
            None => self.far.get(&symbol).copied().unwrap_or(Meaning::Unknown),
        }
    }

    fn set(&mut self, symbol: usize, meaning: Meaning) {
        self.known += 1;
        if symbol >= MOST_PLACES_A_KEY * (self.known + 3) {
            self.far.insert(symbol, meaning);
            return;
        }
        if self.by_symbol.len() <= symbol {
            // Keys of the map are looked up once more.
            self.by_symbol.resize(symbol + 1, Meaning::Unknown);
        }
        self.by_symbol[symbol] = meaning;
    }
}

/// An active context. It shares data with the context that it was derived from: a context within a term of a
/// long context takes only the room of its own entries.
#[derive(Debug)]
pub(crate) struct ActiveContext {
    /// Unique among the contexts of a processor; names the context in the cache.
    pub(crate) serial: u64,
    terms: HashTrieMap<NameId, DefinitionId, RcK, FixedState>,
    /// The current definitions, and those that they replaced.
    definitions: Vector<Rc<TermDefinition>>,
    /// Present in contexts for compaction.
    by_iri: Option<TermsByIri>,
    /// `None` if the base was nulled or never known.
    pub(crate) base_iri: Option<Rc<str>>,
    pub(crate) original_base_url: Option<Rc<str>>,
    pub(crate) vocab: Option<NameId>,
    pub(crate) language: Option<NameId>,
    pub(crate) direction: Option<Direction>,
    pub(crate) previous: Option<Rc<ActiveContext>>,
    /// Whether any term has a context of its own.
    pub(crate) has_scoped_contexts: bool,
    /// Whether any term is an alias of a keyword.
    pub(crate) has_aliases: bool,
    meanings: RefCell<Meanings>,
    /// The texts of `@type` values, with their expanded names.
    types: RefCell<HashMap<NameId, NameId, FixedState>>,
}

impl ActiveContext {
    pub(crate) fn initial(serial: u64, base: Option<Rc<str>>) -> Self {
        Self {
            serial,
            terms: HashTrieMap::new_with_hasher_and_ptr_kind(FixedState::default()),
            definitions: Vector::new(),
            by_iri: None,
            base_iri: base.clone(),
            original_base_url: base,
            vocab: None,
            language: None,
            direction: None,
            previous: None,
            has_scoped_contexts: false,
            has_aliases: false,
            meanings: RefCell::default(),
            types: RefCell::default(),
        }
    }

    /// Returns the same context for compaction, which looks up the terms of an IRI.
    pub(crate) fn for_compaction(self) -> Self {
        Self { by_iri: Some(TermsByIri::default()), ..self }
    }

    /// Returns the initial context for the purpose of this context.
    pub(crate) fn anew(&self, serial: u64) -> Self {
        let initial = Self::initial(serial, self.original_base_url.clone());
        if self.by_iri.is_some() { initial.for_compaction() } else { initial }
    }

    /// Returns a copy to be changed, with a serial of its own.
    pub(crate) fn derive(&self, serial: u64) -> Self {
        Self {
            serial,
            terms: self.terms.clone(),
            definitions: self.definitions.clone(),
            by_iri: self.by_iri.clone(),
            base_iri: self.base_iri.clone(),
            original_base_url: self.original_base_url.clone(),
            vocab: self.vocab,
            language: self.language,
            direction: self.direction,
            previous: self.previous.clone(),
            has_scoped_contexts: self.has_scoped_contexts,
            has_aliases: self.has_aliases,
            meanings: RefCell::default(),
            types: RefCell::default(),
        }
    }

    #[inline]
    pub(crate) fn meaning(&self, document: u64, symbol: Symbol) -> Meaning {
        let meanings = self.meanings.borrow();
        if meanings.document != document {
            return Meaning::Unknown;
        }
        meanings.of(symbol.index())
    }

    pub(crate) fn definition_id(&self, term: NameId) -> Option<DefinitionId> {
        self.terms.get(&term).copied()
    }

    #[inline]
    pub(crate) fn definition(&self, id: DefinitionId) -> &Rc<TermDefinition> {
        &self.definitions[id.0 as usize]
    }

    /// The definition of a term.
    pub(crate) fn term(&self, term: NameId) -> Option<&Rc<TermDefinition>> {
        self.definition_id(term).map(|id| self.definition(id))
    }

    pub(crate) fn terms(&self) -> impl Iterator<Item = (NameId, &TermDefinition)> {
        self.terms.iter().map(|(&name, &id)| (name, self.definition(id).as_ref()))
    }

    pub(crate) fn define(&mut self, term: NameId, definition: TermDefinition, names: &Names) {
        self.remove(term);
        if let Some(by_iri) = &mut self.by_iri {
            by_iri.insert(term, &definition, names);
        }
        // A context has fewer terms than its document has bytes, which are below 4 GiB.
        let id = DefinitionId(self.definitions.len() as u32);
        self.definitions.push_back_mut(Rc::new(definition));
        self.terms.insert_mut(term, id);
    }

    pub(crate) fn remove(&mut self, term: NameId) {
        if let Some(&id) = self.terms.get(&term) {
            if let Some(by_iri) = &mut self.by_iri {
                by_iri.remove(term, &self.definitions[id.0 as usize]);
            }
            self.terms.remove_mut(&term);
        }
    }

    /// Returns the terms of an IRI, in a context for compaction.
    pub(crate) fn terms_of(&self, iri: NameId) -> impl Iterator<Item = (NameId, &TermDefinition)> {
        let terms = self.by_iri.iter().flat_map(move |by_iri| by_iri.terms(iri));
        terms.filter_map(|term| Some((term, self.term(term)?.as_ref())))
    }

    /// Tells whether any term may be a prefix, in a context for compaction.
    pub(crate) fn has_prefixes(&self) -> bool {
        self.by_iri.as_ref().is_some_and(TermsByIri::has_prefixes)
    }

    /// Returns the terms that may be prefixes and whose IRI is a beginning of an IRI, the longest first, in a
    /// context for compaction.
    pub(crate) fn prefixes_of<'c>(
        &'c self,
        whole: &'c str,
    ) -> impl Iterator<Item = (NameId, &'c TermDefinition)> {
        let iris = self.by_iri.iter().flat_map(move |by_iri| by_iri.beginnings(whole));
        iris.flat_map(|iri| self.terms_of(iri)).filter(|(_, definition)| definition.prefix)
    }

    pub(crate) fn set_meaning(&self, document: u64, symbol: Symbol, meaning: Meaning) {
        let mut meanings = self.meanings.borrow_mut();
        if meanings.document != document {
            meanings.document = document;
            meanings.by_symbol.clear();
            meanings.far.clear();
            meanings.known = 0;
        }
        meanings.set(symbol.index(), meaning);
    }

    #[inline]
    pub(crate) fn expanded_type(&self, text: NameId) -> Option<NameId> {
        self.types.borrow().get(&text).copied()
    }

    pub(crate) fn set_expanded_type(&self, text: NameId, iri: NameId) {
        self.types.borrow_mut().insert(text, iri);
    }
}

#[cfg(test)]
mod tests {
    use super::{Meaning, Meanings};
    use crate::names::Keyword;

    #[test]
    fn a_context_takes_room_for_the_keys_that_it_is_asked_for() {
        let mut few = Meanings::default();
        few.set(1_000_000, Meaning::Keyword(Keyword::Id));
        few.set(3, Meaning::Keyword(Keyword::Type));
        assert!(few.by_symbol.len() + few.far.len() < 100);
        assert!(matches!(few.of(1_000_000), Meaning::Keyword(Keyword::Id)));
        assert!(matches!(few.of(3), Meaning::Keyword(Keyword::Type)));
        assert!(matches!(few.of(4), Meaning::Unknown) && matches!(few.of(999_999), Meaning::Unknown));
        let mut many = Meanings::default();
        for symbol in (0..1000).rev() {
            many.set(symbol, Meaning::Keyword(Keyword::Id));
        }
        assert!((900..=1000).contains(&many.by_symbol.len()) && many.far.len() < 100);
        for symbol in 0..1000 {
            // A key that the array has overtaken is unknown once more, never wrong.
            assert!(matches!(many.of(symbol), Meaning::Keyword(Keyword::Id) | Meaning::Unknown));
        }
    }
}
