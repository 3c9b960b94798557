//! Predicates, and what a vocabulary knows about each.

use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::RandomState;

use super::croissant;
use super::namespace::{SchemaIri, undeclared_prefix};
use super::range::PropertyRange;
use super::term_kind::VocabularyTermKind;
use super::vocabulary_terms::{SchemaOrgVocabulary, VocabularyTerm};
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_store::{TermDictionary, TermId};

/// The suffixes that the name of a property gets when an action describes its input or output: `query-input`.
const ANNOTATIONS: [&str; 2] = ["-input", "-output"];

/// A predicate.
#[derive(Debug)]
pub(super) enum PredicateMeaning<'v> {
    /// `rdf:type`.
    Type,
    /// It belongs to another vocabulary; with the prefix, if it was meant for schema.org.
    Foreign(Option<&'static str>),
    /// It is in schema.org's namespace, which has no such property; with the property that was probably meant.
    Unknown(Option<MeantProperty<'v>>),
    Property(Box<SchemaProperty<'v>>),
}

/// The property that was probably meant.
#[derive(Debug)]
pub(super) struct MeantProperty<'v> {
    pub(super) name: &'v str,
    /// The suffix that the name needs.
    pub(super) suffix: &'static str,
}

/// A property.
#[derive(Debug)]
pub(super) struct SchemaProperty<'v> {
    pub(super) term: VocabularyTerm<'v>,
    /// `true` if the predicate describes which values of the property an action takes or returns.
    pub(super) is_annotation: bool,
    pub(super) range: PropertyRange<'v>,
}

/// The predicates seen so far.
pub(super) struct PredicateLookup<'c> {
    vocabulary: &'c SchemaOrgVocabulary,
    dictionary: &'c TermDictionary,
    /// `true` if terms of Croissant in schema.org's namespace are left to its rules.
    is_croissant: bool,
    known: HashMap<TermId, Rc<PredicateMeaning<'c>>, RandomState>,
}

impl<'c> PredicateLookup<'c> {
    pub(super) fn new(
        vocabulary: &'c SchemaOrgVocabulary,
        dictionary: &'c TermDictionary,
        is_croissant: bool,
    ) -> Self {
        Self { vocabulary, dictionary, is_croissant, known: HashMap::default() }
    }

    pub(super) fn meaning(&mut self, predicate: TermId) -> Rc<PredicateMeaning<'c>> {
        let (vocabulary, iri) = (self.vocabulary, self.dictionary.lexical(predicate));
        let is_moved = || self.is_croissant && croissant::is_moved(vocabulary, iri);
        let look_up =
            || Rc::new(if is_moved() { PredicateMeaning::Foreign(None) } else { meaning(vocabulary, iri) });
        Rc::clone(self.known.entry(predicate).or_insert_with(look_up))
    }
}

fn meaning<'v>(vocabulary: &'v SchemaOrgVocabulary, iri: &str) -> PredicateMeaning<'v> {
    if iri == rdf::TYPE {
        return PredicateMeaning::Type;
    }
    let Some(SchemaIri { local, .. }) = SchemaIri::from_iri(iri) else {
        return PredicateMeaning::Foreign(undeclared_prefix(iri));
    };
    let annotated = ANNOTATIONS.into_iter().find_map(|suffix| Some((local.strip_suffix(suffix)?, suffix)));
    let property = vocabulary.property(local).map(|term| (term, false));
    let property = property.or_else(|| Some((vocabulary.property(annotated?.0)?, true)));
    let Some((term, is_annotation)) = property else {
        let (base, suffix) = annotated.unwrap_or((local, ""));
        let meant = vocabulary.nearest(base, &[VocabularyTermKind::Property]);
        return PredicateMeaning::Unknown(meant.map(|name| MeantProperty { name, suffix }));
    };
    let range = PropertyRange::new(vocabulary, &term.facts.range);
    PredicateMeaning::Property(Box::new(SchemaProperty { term, is_annotation, range }))
}

/// A predicate, and the same property in the other namespace of schema.org if the data have it.
pub(super) fn spellings(dictionary: &TermDictionary, predicate: TermId) -> impl Iterator<Item = TermId> {
    let other = match dictionary.lexical(predicate).split_once("://") {
        Some(("http", rest)) => format!("https://{rest}"),
        Some((_, rest)) => format!("http://{rest}"),
        None => String::new(),
    };
    let other = dictionary.find(oxrdf::NamedNodeRef::new_unchecked(&other).into());
    std::iter::once(predicate).chain(other)
}
