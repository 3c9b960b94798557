//! The terms of an active context by what they stand for, as compaction asks for them.

use crate::jsonld::context::TermDefinition;
use crate::jsonld::names::{NameId, Names};
use rpds::{RedBlackTreeMap, RedBlackTreeSet};
use std::ops::Bound;
use std::rc::Rc;

/// Terms by their IRIs. A copy shares what it has with its original.
#[derive(Debug, Clone, Default)]
pub(super) struct TermsByIri {
    /// IRIs, each with a term.
    terms: RedBlackTreeSet<(NameId, NameId)>,
    /// The IRIs of terms that may be prefixes, or were before they were defined anew.
    prefixes: RedBlackTreeMap<Rc<str>, NameId>,
}

impl TermsByIri {
    pub(super) fn insert(&mut self, term: NameId, definition: &TermDefinition, names: &Names) {
        let Some(iri) = definition.iri else { return };
        self.terms.insert_mut((iri, term));
        if definition.prefix && !self.prefixes.contains_key(names.text(iri)) {
            self.prefixes.insert_mut(names.text(iri).into(), iri);
        }
    }

    pub(super) fn remove(&mut self, term: NameId, definition: &TermDefinition) {
        if let Some(iri) = definition.iri {
            self.terms.remove_mut(&(iri, term));
        }
    }

    /// The terms that stand for an IRI.
    pub(super) fn terms(&self, iri: NameId) -> impl Iterator<Item = NameId> {
        self.terms.range((iri, NameId::FIRST)..=(iri, NameId::LAST)).map(|&(_, term)| term)
    }

    pub(super) fn has_prefixes(&self) -> bool {
        !self.prefixes.is_empty()
    }

    /// The IRIs of prefixes that are beginnings of an IRI, the longest first.
    ///
    /// All beginnings of a text that come before another text, and that text before it, are beginnings of the other
    /// one, too. So what is longer than what the last one has in common with the text need not be looked at.
    pub(super) fn beginnings(&self, whole: &str) -> impl Iterator<Item = NameId> {
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

/// Tells how long the beginning is that two texts have in common, in bytes.
fn common(left: &str, right: &str) -> usize {
    let chars = left.chars().zip(right.chars());
    chars.take_while(|(left, right)| left == right).map(|(left, _)| left.len_utf8()).sum()
}
