//! An active context with the results of compacting under it, and compacted properties.

use std::cell::RefCell;
use std::rc::Rc;

use hashbrown::HashMap;

use super::term_selection::ValueShape;
use crate::context::inverse_context::InverseEntry;
use crate::context::inverse_context::InverseKeys;
use crate::context::{ActiveContext, ContainerMapping, TermDefinition};
use crate::name_interner::{InternedName, Keyword, NameInterner, has_form_of_keyword};
use evalgraph_rdf::iri;

/// A compacted property, with the definition of its term if it has one.
#[derive(Debug, Clone)]
pub(crate) struct CompactedProperty {
    pub(crate) name: InternedName,
    pub(crate) definition: Option<Rc<TermDefinition>>,
    pub(crate) container: ContainerMapping,
}

impl CompactedProperty {
    pub(crate) fn new(name: InternedName, active: &ActiveContext) -> Self {
        let definition = active.term(name).cloned();
        let container = definition.as_ref().map(|definition| definition.container).unwrap_or_default();
        Self { name, definition, container }
    }

    /// Returns the null property, for the top of the document.
    pub(crate) fn null() -> Self {
        Self { name: Keyword::Graph.name(), definition: None, container: ContainerMapping::default() }
    }
}

type SelectedProperties =
    HashMap<(InternedName, ValueShape), Rc<CompactedProperty>, foldhash::fast::FixedState>;

/// An active context with its inverse context, and the results of compacting under it.
#[derive(Debug)]
pub(crate) struct CompactionContext {
    pub(crate) active: Rc<ActiveContext>,
    pub(crate) inverse: RefCell<HashMap<InternedName, Rc<InverseEntry>, foldhash::fast::FixedState>>,
    pub(crate) selected: RefCell<SelectedProperties>,
}

impl CompactionContext {
    pub(crate) fn new(active: Rc<ActiveContext>) -> Self {
        Self { active, inverse: RefCell::default(), selected: RefCell::default() }
    }

    /// Returns whether any term maps to an IRI.
    #[inline]
    pub(crate) fn has_term_for(&self, iri: InternedName) -> bool {
        self.active.terms_of(iri).next().is_some()
    }

    /// Returns the entry of the inverse context for an IRI that has terms.
    pub(crate) fn inverse(
        &self,
        iri: InternedName,
        keys: InverseKeys,
        names: &mut NameInterner,
    ) -> Rc<InverseEntry> {
        let mut inverse = self.inverse.borrow_mut();
        let made = || Rc::new(InverseEntry::new(&self.active, iri, keys, names));
        Rc::clone(inverse.entry(iri).or_insert_with(made))
    }

    /// Returns the IRI of a term in the inner `Option`; `None` if the text is not a term.
    pub(crate) fn term(&self, names: &NameInterner, text: &str) -> Option<Option<InternedName>> {
        names.find(text).and_then(|name| self.active.term(name)).map(|definition| definition.iri)
    }

    /// IRI Compaction 5: returns the part of an IRI after the vocabulary mapping.
    pub(crate) fn suffix<'n>(&self, names: &'n NameInterner, whole: &'n str) -> Option<&'n str> {
        let vocab = names.text(self.active.vocab?);
        let suffix = whole.strip_prefix(vocab).filter(|suffix| !suffix.is_empty())?;
        // A suffix that looks like a keyword or an IRI would not be expanded with the vocabulary mapping.
        let is_mistaken = has_form_of_keyword(suffix) || self.is_read_as_iri(names, suffix);
        (self.term(names, suffix).is_none() && !is_mistaken).then_some(suffix)
    }

    /// Returns whether IRI Expansion 6 reads a text as a compact or an absolute IRI, or as a blank node.
    pub(crate) fn is_read_as_iri(&self, names: &NameInterner, text: &str) -> bool {
        let Some(colon) = text.bytes().skip(1).position(|byte| byte == b':').map(|at| at + 1) else {
            return false;
        };
        let (prefix, rest) = (&text[..colon], &text[colon + 1..]);
        let term = names.find(prefix).and_then(|name| self.active.term(name));
        prefix == "_"
            || rest.starts_with("//")
            || term.is_some_and(|definition| definition.prefix)
            || iri::scheme_length(text.as_bytes()) == Some(colon)
    }

    /// IRI Compaction 6 to 8: returns the shortest compact IRI; of equally short ones, the first in code point order.
    pub(crate) fn compact_iri(
        &self,
        names: &NameInterner,
        name: InternedName,
        is_without_value: bool,
    ) -> Option<String> {
        let whole = names.text(name);
        let mut best: Option<String> = None;
        for (term, definition) in self.active.prefixes_of(whole) {
            let iri = definition.iri.map(|iri| names.text(iri)).unwrap_or_default();
            let (prefix, suffix) = (names.text(term), &whole[iri.len()..]);
            // These results would not be read as compact IRIs (IRI Expansion 6.2).
            if suffix.is_empty() || suffix.starts_with("//") || prefix == "_" {
                continue;
            }
            let candidate = format!("{prefix}:{suffix}");
            let is_better = best
                .as_ref()
                .is_none_or(|best| (candidate.chars().count(), &candidate) < (best.chars().count(), best));
            let is_usable = match self.term(names, &candidate) {
                None => true,
                Some(mapping) => mapping == Some(name) && is_without_value,
            };
            if is_better && is_usable {
                best = Some(candidate);
            }
        }
        best
    }
}

/// The active context and the active property, which the algorithm passes on together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompactionScope<'c> {
    pub(crate) context: &'c Rc<CompactionContext>,
    pub(crate) property: &'c Rc<CompactedProperty>,
}
