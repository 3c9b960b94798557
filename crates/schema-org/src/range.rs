//! The range of a property, sorted by what its rules ask.

use std::cell::OnceCell;

use super::lexical::LexicalForm;
use super::spelling::Spelling;
use super::term_kind::TermKind;
use super::vocabulary::{NameId, Vocabulary, VocabularyTerm};

/// The classes and datatypes of a property's values.
#[derive(Debug)]
pub(super) struct Range<'v> {
    vocabulary: &'v Vocabulary,
    /// All of them.
    pub(super) all: &'v [NameId],
    datatypes: Vec<(NameId, LexicalForm)>,
    /// The enumerations among the classes.
    pub(super) enumerations: Vec<NameId>,
    has_other_classes: bool,
    /// Whether a term of the vocabulary itself is expected: a member, a class or a property.
    pub(super) expects_term: bool,
    /// The kinds of terms that are expected.
    pub(super) expected_kinds: Vec<TermKind>,
    /// The names of the members of the enumerations.
    members: OnceCell<Spelling>,
}

impl<'v> Range<'v> {
    pub(super) fn of(vocabulary: &'v Vocabulary, all: &'v [NameId]) -> Self {
        let enumeration = vocabulary.id("Enumeration");
        let (mut datatypes, mut enumerations, mut expected_kinds) = (Vec::new(), Vec::new(), Vec::new());
        let (mut has_other_classes, mut expects_term) = (false, false);
        for id in all {
            let (name, closure) = (vocabulary.name(*id), vocabulary.closure(&[*id]));
            if vocabulary.term_of(*id, TermKind::Datatype).is_some() {
                let above = closure.iter().map(|above| vocabulary.name(*above));
                datatypes.push((*id, LexicalForm::of(name, above)));
                continue;
            }
            let is_enumeration = enumeration.is_some_and(|root| closure.contains(&root));
            match is_enumeration {
                true => enumerations.push(*id),
                false => has_other_classes = true,
            }
            expects_term |= is_enumeration || matches!(name, "Thing" | "Class" | "Property");
            expected_kinds.extend(match name {
                "Class" => &[TermKind::Class][..],
                "Property" => &[TermKind::Property],
                // A class stands for its instances.
                "Thing" => &[TermKind::Member, TermKind::Class],
                _ => &[TermKind::Member],
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

    /// Tells whether nothing but datatypes is expected.
    pub(super) fn has_only_datatypes(&self) -> bool {
        self.enumerations.is_empty() && !self.has_other_classes
    }

    /// Tells whether a datatype is expected that nodes have, too.
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

    /// Tells whether one of the datatypes other than `Text` admits a lexical form.
    pub(super) fn admits(&self, lexical: &str) -> bool {
        self.datatypes.iter().any(|(_, form)| *form != LexicalForm::Text && form.admits(lexical))
    }

    /// The names of the members of the enumerations.
    pub(super) fn members(&self) -> &Spelling {
        self.members.get_or_init(|| {
            let is_member =
                |term: &VocabularyTerm<'_>| term.kind() == TermKind::Member && self.has_member(*term);
            Spelling::of(
                self.vocabulary.terms().filter(is_member).map(|term| (term.name(), TermKind::Member)),
            )
        })
    }

    pub(super) fn has_member(&self, member: VocabularyTerm<'_>) -> bool {
        let classes = self.vocabulary.closure(&member.facts.up);
        self.enumerations.iter().any(|class| classes.binary_search(class).is_ok())
    }

    /// The expected classes and datatypes as messages name them.
    pub(super) fn names(&self) -> Vec<&'v str> {
        self.all.iter().map(|id| self.vocabulary.name(*id)).collect()
    }
}
