//! Active contexts and term definitions (section 4.1), the results of context processing.

pub(super) mod context_processor;
mod definition;
pub(super) mod inverse_context;
pub(super) mod local_entries;
pub(super) mod relative;
pub(super) mod term_creation;
pub(super) mod term_definition;
mod terms_by_iri;

use crate::name_interner::{InternedName, Keyword, NameInterner};
use archery::RcK;
pub(crate) use definition::{
    BaseDirection, ContainerMapping, LocalContext, TermDefinition, TypeMapping, same_json,
};
use evalgraph_json::KeySymbol;
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
pub(crate) enum KeyMeaning {
    /// Not looked up yet.
    Unknown,
    Keyword(Keyword),
    /// A property, with the definition of its term if it has one.
    Property(InternedName, Option<DefinitionId>),
    /// A key without an IRI, whose value is dropped. The definition may be explicit (null).
    Dropped(Option<DefinitionId>),
}

/// The meanings of the keys of one document. An array index replaces a lookup by text. A context that uses few of many
/// keys has a map instead, so contexts take no more room than the keys that are looked up in them.
#[derive(Debug, Default)]
struct MeaningTable {
    document: u64,
    by_symbol: Vec<KeyMeaning>,
    known: usize,
    far: HashMap<usize, KeyMeaning, FixedState>,
}

/// How many places of the array there may be for each key.
const MOST_PLACES_A_KEY: usize = 16;

impl MeaningTable {
    #[inline]
    fn meaning_of(&self, symbol: usize) -> KeyMeaning {
        match self.by_symbol.get(symbol) {
            Some(&meaning) => meaning,
            None if self.far.is_empty() => KeyMeaning::Unknown,
            None => self.far.get(&symbol).copied().unwrap_or(KeyMeaning::Unknown),
        }
    }

    fn set(&mut self, symbol: usize, meaning: KeyMeaning) {
        self.known += 1;
        if symbol >= MOST_PLACES_A_KEY * (self.known + 3) {
            self.far.insert(symbol, meaning);
            return;
        }
        if self.by_symbol.len() <= symbol {
            // The keys of the map are looked up again.
            self.by_symbol.resize(symbol + 1, KeyMeaning::Unknown);
        }
        self.by_symbol[symbol] = meaning;
    }
}

/// An active context. It shares data with the context that it was derived from: a context within a term of a long
/// context takes only the room of its own entries.
#[derive(Debug)]
pub(crate) struct ActiveContext {
    /// Unique among the contexts of a processor; identifies the context in the cache.
    pub(crate) serial: u64,
    terms: HashTrieMap<InternedName, DefinitionId, RcK, FixedState>,
    /// The current definitions, and those that were replaced.
    definitions: Vector<Rc<TermDefinition>>,
    /// Present in contexts for compaction.
    by_iri: Option<TermsByIri>,
    /// `None` if the base was set to null or is unknown.
    pub(crate) base_iri: Option<Rc<str>>,
    pub(crate) original_base_url: Option<Rc<str>>,
    pub(crate) vocab: Option<InternedName>,
    pub(crate) language: Option<InternedName>,
    pub(crate) direction: Option<BaseDirection>,
    pub(crate) previous: Option<Rc<ActiveContext>>,
    /// `true` if any term has a scoped context.
    pub(crate) has_scoped_contexts: bool,
    /// `true` if any term is an alias of a keyword.
    pub(crate) has_aliases: bool,
    meanings: RefCell<MeaningTable>,
    /// The strings of `@type` values, with their expanded names.
    types: RefCell<HashMap<InternedName, InternedName, FixedState>>,
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

    /// Returns the initial context for this context.
    pub(crate) fn anew(&self, serial: u64) -> Self {
        let initial = Self::initial(serial, self.original_base_url.clone());
        if self.by_iri.is_some() { initial.for_compaction() } else { initial }
    }

    /// Returns a copy that can be changed, with its own serial.
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
    pub(crate) fn meaning(&self, document: u64, symbol: KeySymbol) -> KeyMeaning {
        let meanings = self.meanings.borrow();
        if meanings.document != document {
            return KeyMeaning::Unknown;
        }
        meanings.meaning_of(symbol.index())
    }

    pub(crate) fn definition_id(&self, term: InternedName) -> Option<DefinitionId> {
        self.terms.get(&term).copied()
    }

    #[inline]
    pub(crate) fn definition(&self, id: DefinitionId) -> &Rc<TermDefinition> {
        &self.definitions[id.0 as usize]
    }

    /// Returns the definition of a term.
    pub(crate) fn term(&self, term: InternedName) -> Option<&Rc<TermDefinition>> {
        self.definition_id(term).map(|id| self.definition(id))
    }

    pub(crate) fn terms(&self) -> impl Iterator<Item = (InternedName, &TermDefinition)> {
        self.terms.iter().map(|(&name, &id)| (name, self.definition(id).as_ref()))
    }

    pub(crate) fn define(&mut self, term: InternedName, definition: TermDefinition, names: &NameInterner) {
        self.remove(term);
        if let Some(by_iri) = &mut self.by_iri {
            by_iri.insert(term, &definition, names);
        }
        // A context has fewer terms than its document has bytes, which are below 4 GiB.
        let id = DefinitionId(self.definitions.len() as u32);
        self.definitions.push_back_mut(Rc::new(definition));
        self.terms.insert_mut(term, id);
    }

    pub(crate) fn remove(&mut self, term: InternedName) {
        if let Some(&id) = self.terms.get(&term) {
            if let Some(by_iri) = &mut self.by_iri {
                by_iri.remove(term, &self.definitions[id.0 as usize]);
            }
            self.terms.remove_mut(&term);
        }
    }

    /// Returns the terms of an IRI, in a context for compaction.
    pub(crate) fn terms_of(
        &self,
        iri: InternedName,
    ) -> impl Iterator<Item = (InternedName, &TermDefinition)> {
        let terms = self.by_iri.iter().flat_map(move |by_iri| by_iri.terms(iri));
        terms.filter_map(|term| Some((term, self.term(term)?.as_ref())))
    }

    /// Returns whether any term may be a prefix, in a context for compaction.
    pub(crate) fn has_prefixes(&self) -> bool {
        self.by_iri.as_ref().is_some_and(TermsByIri::has_prefixes)
    }

    /// Returns the terms that may be prefixes and whose IRI is the beginning of an IRI, longest first, in a context for
    /// compaction.
    pub(crate) fn prefixes_of<'c>(
        &'c self,
        whole: &'c str,
    ) -> impl Iterator<Item = (InternedName, &'c TermDefinition)> {
        let iris = self.by_iri.iter().flat_map(move |by_iri| by_iri.beginnings(whole));
        iris.flat_map(|iri| self.terms_of(iri)).filter(|(_, definition)| definition.prefix)
    }

    pub(crate) fn set_meaning(&self, document: u64, symbol: KeySymbol, meaning: KeyMeaning) {
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
    pub(crate) fn expanded_type(&self, text: InternedName) -> Option<InternedName> {
        self.types.borrow().get(&text).copied()
    }

    pub(crate) fn set_expanded_type(&self, text: InternedName, iri: InternedName) {
        self.types.borrow_mut().insert(text, iri);
    }
}

#[cfg(test)]
mod tests {
    use super::{KeyMeaning, MeaningTable};
    use crate::name_interner::Keyword;

    #[test]
    fn a_context_takes_room_for_the_keys_that_it_is_asked_for() {
        let mut few = MeaningTable::default();
        few.set(1_000_000, KeyMeaning::Keyword(Keyword::Id));
        few.set(3, KeyMeaning::Keyword(Keyword::Type));
        assert!(few.by_symbol.len() + few.far.len() < 100);
        assert!(matches!(few.meaning_of(1_000_000), KeyMeaning::Keyword(Keyword::Id)));
        assert!(matches!(few.meaning_of(3), KeyMeaning::Keyword(Keyword::Type)));
        assert!(
            matches!(few.meaning_of(4), KeyMeaning::Unknown)
                && matches!(few.meaning_of(999_999), KeyMeaning::Unknown)
        );
        let mut many = MeaningTable::default();
        for symbol in (0..1000).rev() {
            many.set(symbol, KeyMeaning::Keyword(Keyword::Id));
        }
        assert!((900..=1000).contains(&many.by_symbol.len()) && many.far.len() < 100);
        for symbol in 0..1000 {
            // A key beyond the array is looked up again; its meaning is never wrong.
            assert!(matches!(
                many.meaning_of(symbol),
                KeyMeaning::Keyword(Keyword::Id) | KeyMeaning::Unknown
            ));
        }
    }
}
