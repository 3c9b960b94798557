//! The range of a property, sorted by how the rules use it.

use std::cell::OnceCell;

use super::lexical::LexicalForm;
use super::spelling_index::SpellingIndex;
use super::term_kind::VocabularyTermKind;
use super::vocabulary_terms::{SchemaOrgVocabulary, VocabularyNameId, VocabularyTerm};

/// The classes and datatypes of a property's values.
#[derive(Debug)]
pub(super) struct PropertyRange<'v> {
    vocabulary: &'v SchemaOrgVocabulary,
    /// All of them.
    pub(super) all: &'v [VocabularyNameId],
    datatypes: Vec<(VocabularyNameId, LexicalForm)>,
    /// The enumerations among the classes.
    pub(super) enumerations: Vec<VocabularyNameId>,
    has_other_classes: bool,
    /// `true` if a term of the vocabulary itself is expected: a member, a class or a property.
    pub(super) expects_term: bool,
    /// The kinds of terms that are expected.
    pub(super) expected_kinds: Vec<VocabularyTermKind>,
    /// The names of the members of the enumerations.
    members: OnceCell<SpellingIndex>,
}

impl<'v> PropertyRange<'v> {
    pub(super) fn new(vocabulary: &'v SchemaOrgVocabulary, all: &'v [VocabularyNameId]) -> Self {
        let enumeration = vocabulary.id("Enumeration");
        let (mut datatypes, mut enumerations, mut expected_kinds) = (Vec::new(), Vec::new(), Vec::new());
        let (mut has_other_classes, mut expects_term) = (false, false);
        for id in all {
            let (name, closure) = (vocabulary.name(*id), vocabulary.closure(&[*id]));
            if vocabulary.term_of(*id, VocabularyTermKind::Datatype).is_some() {
                let above = closure.iter().map(|above| vocabulary.name(*above));
                datatypes.push((*id, LexicalForm::from_datatype(name, above)));
                continue;
            }
            let is_enumeration = enumeration.is_some_and(|root| closure.contains(&root));
            match is_enumeration {
                true => enumerations.push(*id),
                false => has_other_classes = true,
            }
            expects_term |= is_enumeration || matches!(name, "Thing" | "Class" | "Property");
            expected_kinds.extend(match name {
                "Class" => &[VocabularyTermKind::Class][..],
                "Property" => &[VocabularyTermKind::Property],
                // A class is accepted in place of its instances.
                "Thing" => &[VocabularyTermKind::Member, VocabularyTermKind::Class],
                _ => &[VocabularyTermKind::Member],
            });
        }
        let members = OnceCell::new();
        Self {
            vocabulary,
            all,
            datatypes,
            enumerations,
            has_other_classes,
            expects_term,
            expected_kinds,
            members,
        }
    }

    /// Returns whether only datatypes are expected.
    pub(super) fn has_only_datatypes(&self) -> bool {
        self.enumerations.is_empty() && !self.has_other_classes
    }

    /// Returns whether a datatype is expected that nodes can have, too.
    pub(super) fn has_quantity(&self) -> bool {
        self.datatypes.iter().any(|(id, form)| {
            *form == LexicalForm::Any
                || *form == LexicalForm::Duration && self.vocabulary.closure(&[*id]).len() > 1
        })
    }

    pub(super) fn has_no_datatype(&self) -> bool {
        self.datatypes.is_empty()
    }

    pub(super) fn has_only_enumerations(&self) -> bool {
        !self.has_other_classes && self.datatypes.is_empty()
    }

    pub(super) fn has(&self, form: LexicalForm) -> bool {
        self.datatypes.iter().any(|(_, known)| *known == form)
    }

    /// Returns whether one of the datatypes other than `Text` accepts a lexical form.
    pub(super) fn admits(&self, lexical: &str) -> bool {
        self.datatypes.iter().any(|(_, form)| *form != LexicalForm::Text && form.admits(lexical))
    }

    /// The names of the members of the enumerations.
    pub(super) fn members(&self) -> &SpellingIndex {
        self.members.get_or_init(|| {
            let is_member = |term: &VocabularyTerm<'_>| {
                term.kind() == VocabularyTermKind::Member && self.has_member(*term)
            };
            SpellingIndex::from_names(
                self.vocabulary
                    .terms()
                    .filter(is_member)
                    .map(|term| (term.name(), VocabularyTermKind::Member)),
            )
        })
    }

    pub(super) fn has_member(&self, member: VocabularyTerm<'_>) -> bool {
        let classes = self.vocabulary.closure(&member.facts.up);
        self.enumerations.iter().any(|class| classes.binary_search(class).is_ok())
    }

    /// The expected classes and datatypes, as messages name them.
    pub(super) fn names(&self) -> Vec<&'v str> {
        self.all.iter().map(|id| self.vocabulary.name(*id)).collect()
    }
}
