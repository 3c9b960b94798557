//! The terms of an active context by IRI, for compaction.

use crate::context::TermDefinition;
use crate::name_interner::{InternedName, NameInterner};
use rpds::{RedBlackTreeMap, RedBlackTreeSet};
use std::ops::Bound;
use std::rc::Rc;

/// The terms by IRI. A copy shares its data with the original.
#[derive(Debug, Clone, Default)]
pub(super) struct TermsByIri {
    /// Pairs of an IRI and a term.
    terms: RedBlackTreeSet<(InternedName, InternedName)>,
    /// The IRIs of terms that may be prefixes, or were before they were redefined.
    prefixes: RedBlackTreeMap<Rc<str>, InternedName>,
}

impl TermsByIri {
    pub(super) fn insert(&mut self, term: InternedName, definition: &TermDefinition, names: &NameInterner) {
        let Some(iri) = definition.iri else { return };
        self.terms.insert_mut((iri, term));
        if definition.prefix && !self.prefixes.contains_key(names.text(iri)) {
            self.prefixes.insert_mut(names.text(iri).into(), iri);
        }
    }

    pub(super) fn remove(&mut self, term: InternedName, definition: &TermDefinition) {
        if let Some(iri) = definition.iri {
            self.terms.remove_mut(&(iri, term));
        }
    }

    /// Returns the terms of an IRI.
    pub(super) fn terms(&self, iri: InternedName) -> impl Iterator<Item = InternedName> {
        self.terms.range((iri, InternedName::FIRST)..=(iri, InternedName::LAST)).map(|&(_, term)| term)
    }

    pub(super) fn has_prefixes(&self) -> bool {
        !self.prefixes.is_empty()
    }

    /// Returns the IRIs of prefixes that are beginnings of an IRI, the longest first.
    ///
    /// The search goes backwards in sorted order. If a beginning of the IRI sorts before a prefix, it is a beginning of
    /// that prefix, too. So texts that are longer than the common beginning of both are skipped.
    pub(super) fn beginnings(&self, whole: &str) -> impl Iterator<Item = InternedName> {
        let last = move |end: Bound<&str>| self.prefixes.range::<str, _>((Bound::Unbounded, end)).next_back();
        let mut end = Bound::Included(whole);
        std::iter::from_fn(move || {
            loop {
                let (iri, &name) = last(end)?;
                if whole.starts_with(&**iri) {
                    end = Bound::Excluded(&whole[..iri.len()]);
                    return Some(name);
                }
                end = Bound::Included(&whole[..common(whole, iri)]);
            }
        })
    }
}

/// Returns the length of the common beginning of two texts, in bytes.
fn common(left: &str, right: &str) -> usize {
    let chars = left.chars().zip(right.chars());
    chars.take_while(|(left, right)| left == right).map(|(left, _)| left.len_utf8()).sum()
}
