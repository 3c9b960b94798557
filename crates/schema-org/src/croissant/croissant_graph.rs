//! The nodes of a Croissant document: their classes, their values by the names of properties, and their ids.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use foldhash::fast::RandomState;

use super::croissant_iri::{CroissantIri, schema_spellings, spellings};
use super::croissant_terms::{CroissantClass, term};
use crate::losses::DocumentLosses;
use crate::namespace::SchemaIri;
use crate::spelling_index::SpellingIndex;
use crate::teller::StatementPart;
use crate::term_kind::VocabularyTermKind;
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_store::{DatasetView, RdfTermKind, TermDictionary, TermId};

/// An unknown id is compared with at most this many others, which bounds the cost of a long document with many such
/// ids.
const MOST_OFFERED: usize = 10_000;

pub(super) struct CroissantGraph<'c> {
    pub(super) view: &'c DatasetView<'c>,
    pub(super) dictionary: &'c TermDictionary,
    rdf_type: Option<TermId>,
    /// The subjects and predicates of statements that are lost.
    lost: HashSet<(TermId, TermId), RandomState>,
    /// The predicates of each name that was looked up.
    predicates: RefCell<HashMap<&'static str, Rc<[TermId]>, RandomState>>,
    ids: OnceCell<CroissantPartIds>,
}

/// The ids of the parts of a document.
#[derive(Debug)]
struct CroissantPartIds {
    /// The number of bytes that they share at the beginning: the base of short ids.
    common: usize,
    names: SpellingIndex,
}

impl<'c> CroissantGraph<'c> {
    pub(super) fn new(
        view: &'c DatasetView<'c>,
        dictionary: &'c TermDictionary,
        losses: Option<&DocumentLosses>,
    ) -> Self {
        let lost = losses.map(|losses| &losses.statements[..]).unwrap_or_default().iter();
        let lost = lost.map(|quad| (quad.subject, quad.predicate)).collect();
        let rdf_type = dictionary.find(oxrdf::NamedNodeRef::new_unchecked(rdf::TYPE).into());
        Self { view, dictionary, rdf_type, lost, predicates: RefCell::default(), ids: OnceCell::new() }
    }

    /// The values of a property of a node. Croissant's own properties also count in the namespace of schema.org if
    /// contexts move them there.
    pub(super) fn values(&self, node: TermId, name: &'static str) -> Vec<StatementPart> {
        let predicates = self.predicates(name);
        let values = predicates
            .iter()
            .flat_map(|predicate| self.view.default_triples(Some(node), Some(*predicate), None));
        values.map(at).collect()
    }

    /// Returns whether a node has a property, even if its values are lost: that is reported separately.
    pub(super) fn has(&self, node: TermId, name: &'static str) -> bool {
        self.predicates(name).iter().any(|predicate| {
            self.view.default_triples(Some(node), Some(*predicate), None).next().is_some()
                || self.lost.contains(&(node, *predicate))
        })
    }

    /// The statements with a property.
    pub(super) fn statements(&self, name: &'static str) -> Vec<StatementPart> {
        let predicates = self.predicates(name);
        predicates
            .iter()
            .flat_map(|predicate| self.view.default_triples(None, Some(*predicate), None))
            .map(at)
            .collect()
    }

    /// The nodes that have a node as a part, through one of these properties.
    pub(super) fn owners(&self, node: TermId, names: &[&'static str]) -> impl Iterator<Item = TermId> {
        let predicates = names.iter().flat_map(|name| self.predicates(name).to_vec());
        let owners = predicates
            .flat_map(move |predicate| self.view.default_triples(None, Some(predicate), Some(node)));
        owners.map(|[owner, ..]| owner).filter(|owner| self.has_parts(*owner))
    }

    /// Returns whether a node can have parts. A data source refers to record sets and fields with the same properties,
    /// and mostly has no type.
    pub(super) fn has_parts(&self, node: TermId) -> bool {
        let types = self.types(node);
        let is_source = |at: &StatementPart| {
            let iri = at.value.and_then(|class| self.iri(class)).and_then(CroissantIri::from_iri);
            iri.is_some_and(|iri| iri.local == "DataSource")
        };
        !types.is_empty() && !types.iter().any(is_source)
    }

    /// The statements of the types of a node.
    pub(super) fn types(&self, node: TermId) -> Vec<StatementPart> {
        let types = self.rdf_type.map(|rdf_type| self.view.default_triples(Some(node), Some(rdf_type), None));
        types.into_iter().flatten().map(at).collect()
    }

    /// The classes of a node that have rules.
    pub(super) fn classes(&self, node: TermId) -> Vec<CroissantClass> {
        let mut classes: Vec<CroissantClass> =
            self.types(node).iter().filter_map(|at| self.class(at.value?)).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    fn class(&self, class: TermId) -> Option<CroissantClass> {
        let iri = self.iri(class)?;
        let of_croissant = |iri: CroissantIri<'_>| {
            CroissantClass::CROISSANT.into_iter().find(|class| class.name() == iri.local)
        };
        let dataset =
            || SchemaIri::from_iri(iri).filter(|iri| iri.local == "Dataset").map(|_| CroissantClass::Dataset);
        CroissantIri::from_iri(iri).and_then(of_croissant).or_else(dataset)
    }

    pub(super) fn is_field(&self, node: TermId) -> bool {
        self.classes(node).contains(&CroissantClass::Field)
    }

    /// The part of the dataset that a source is or names.
    pub(super) fn origin(&self, source: TermId) -> Option<TermId> {
        if !self.classes(source).is_empty() {
            return Some(source);
        }
        let named = ["field", "fileObject", "fileSet", "recordSet"]
            .iter()
            .find_map(|name| self.values(source, name).first().and_then(|at| at.value));
        named.filter(|origin| self.is_node(*origin))
    }

    /// The record set of a field, found through the fields around it; it is never the field itself.
    pub(super) fn record_set(&self, field: TermId) -> Option<TermId> {
        let (mut next, mut seen) = (field, HashSet::new());
        // Fields may contain each other, so each is visited once.
        while seen.insert(next) && self.is_field(next) {
            next = self.owners(next, &["field", "subField"]).next()?;
        }
        (!self.is_field(next)).then_some(next)
    }

    /// Returns whether the document contains statements about a node.
    pub(super) fn is_described(&self, node: TermId) -> bool {
        self.view.default_triples(Some(node), None, None).next().is_some()
    }

    pub(super) fn is_node(&self, value: TermId) -> bool {
        matches!(self.dictionary.kind(value), RdfTermKind::Iri | RdfTermKind::BlankNode)
    }

    pub(super) fn iri(&self, value: TermId) -> Option<&'c str> {
        (self.dictionary.kind(value) == RdfTermKind::Iri).then(|| self.dictionary.lexical(value))
    }

    /// An id as the document probably writes it.
    pub(super) fn short_id(&self, iri: &'c str) -> &'c str {
        iri.get(self.ids().common..).filter(|id| !id.is_empty()).unwrap_or(iri)
    }

    /// The short id of a part that was probably meant.
    pub(super) fn nearest_id(&self, short_id: &str) -> Option<String> {
        self.ids().names.nearest(short_id, &[VocabularyTermKind::Member]).map(str::to_owned)
    }

    fn predicates(&self, name: &'static str) -> Rc<[TermId]> {
        let find = |iri: &String| self.dictionary.find(oxrdf::NamedNodeRef::new_unchecked(iri).into());
        let look_up = || {
            let own = term(name).map(|term| spellings(term.name));
            own.iter().flatten().chain(&schema_spellings(name)).filter_map(find).collect()
        };
        Rc::clone(self.predicates.borrow_mut().entry(name).or_insert_with(look_up))
    }

    fn ids(&self) -> &CroissantPartIds {
        self.ids.get_or_init(|| {
            let classes = CroissantClass::CROISSANT.iter().flat_map(|class| spellings(class.name()));
            let classes = classes
                .filter_map(|iri| self.dictionary.find(oxrdf::NamedNodeRef::new_unchecked(&iri).into()));
            let parts = classes.flat_map(|class| self.view.default_triples(None, self.rdf_type, Some(class)));
            let iris: Vec<&str> = parts.filter_map(|[part, ..]| self.iri(part)).take(MOST_OFFERED).collect();
            let common = common_base(&iris);
            CroissantPartIds {
                common,
                names: SpellingIndex::from_names(
                    iris.iter().map(|iri| (&iri[common..], VocabularyTermKind::Member)),
                ),
            }
        })
    }
}

fn at([node, predicate, value]: [TermId; 3]) -> StatementPart {
    StatementPart { node, predicate: Some(predicate), value: Some(value) }
}

/// The length of the common beginning of IRIs, up to the last slash and including at least an authority.
fn common_base(iris: &[&str]) -> usize {
    let Some((first, others)) = iris.split_first() else { return 0 };
    let shared =
        |other: &&str| first.bytes().zip(other.bytes()).take_while(|(left, right)| left == right).count();
    let common = others.iter().map(shared).min().unwrap_or(first.len());
    let base = first.as_bytes()[..common].iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
    let slashes = first.as_bytes()[..base].iter().filter(|byte| **byte == b'/').count();
    if slashes < 3 { 0 } else { base }
}
