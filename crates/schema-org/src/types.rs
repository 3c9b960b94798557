//! The types of nodes: what a vocabulary knows about each, and about all types of a node together.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::RandomState;

use super::namespace::SchemaIri;
use super::term_kind::VocabularyTermKind;
use super::vocabulary_terms::{SchemaOrgVocabulary, VocabularyNameId, VocabularyTerm};
use evalgraph_store::{DatasetView, RdfTermKind, TermDictionary, TermId};

/// The datatype that nodes can have, too, with all its subtypes: until release 30.0 they were classes.
const QUANTITY: &str = "Quantity";

/// A type.
#[derive(Debug, Clone, Copy)]
pub(super) enum TypeMeaning<'v> {
    /// It belongs to another vocabulary.
    Foreign,
    /// It is in schema.org's namespace, which has no such class.
    Unknown,
    /// A class, or a datatype that is treated as one.
    Class(VocabularyTerm<'v>),
    /// A datatype, which is not a type of nodes.
    Datatype(VocabularyTerm<'v>),
}

/// How much the types of a node reveal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeKnowledge {
    /// It has no type.
    Untyped,
    /// All are from other vocabularies.
    Foreign,
    /// One is unknown or a datatype; rules about classes would only repeat that.
    Unclear,
    /// At least one is known.
    Known,
}

/// All types of a node.
#[derive(Debug)]
pub(super) struct NodeTypes {
    pub(super) typing: TypeKnowledge,
    /// The known classes and their superclasses, sorted.
    closure: Vec<VocabularyNameId>,
    /// The known classes as the node has them.
    named: Vec<VocabularyNameId>,
}

impl NodeTypes {
    pub(super) fn is_any_of(&self, classes: &[VocabularyNameId]) -> bool {
        classes.iter().any(|class| self.closure.binary_search(class).is_ok())
    }

    pub(super) fn is(&self, class: Option<VocabularyNameId>) -> bool {
        class.is_some_and(|class| self.is_any_of(&[class]))
    }

    /// The classes as messages name them.
    pub(super) fn names<'v>(&self, vocabulary: &'v SchemaOrgVocabulary) -> Vec<&'v str> {
        self.named.iter().map(|id| vocabulary.name(*id)).collect()
    }
}

/// Looks up the types of nodes. Nodes with the same types share the result.
pub(super) struct NodeTypeLookup<'c> {
    vocabulary: &'c SchemaOrgVocabulary,
    view: &'c DatasetView<'c>,
    dictionary: &'c TermDictionary,
    rdf_type: Option<TermId>,
    quantity: Option<VocabularyNameId>,
    thing: Option<VocabularyNameId>,
    sets: RefCell<HashMap<Box<[TermId]>, Rc<NodeTypes>, RandomState>>,
    /// The names that were probably meant by unknown types.
    meant: RefCell<HashMap<TermId, Option<&'c str>, RandomState>>,
}

impl<'c> NodeTypeLookup<'c> {
    pub(super) fn new(
        vocabulary: &'c SchemaOrgVocabulary,
        view: &'c DatasetView<'c>,
        dictionary: &'c TermDictionary,
        rdf_type: Option<TermId>,
    ) -> Self {
        let [quantity, thing] = [QUANTITY, "Thing"].map(|name| vocabulary.id(name));
        let (sets, meant) = (RefCell::default(), RefCell::default());
        Self { vocabulary, view, dictionary, rdf_type, quantity, thing, sets, meant }
    }

    /// The types of a node of the data.
    pub(super) fn of_node(&self, node: TermId) -> Rc<NodeTypes> {
        let Some(rdf_type) = self.rdf_type else { return self.of_types(&[]) };
        let types = self.view.default_triples(Some(node), Some(rdf_type), None);
        let types: Vec<TermId> = types.map(|[_, _, class]| class).collect();
        self.of_types(&types)
    }

    /// The types among the statements of a node, which are sorted.
    pub(super) fn of_statements(&self, statements: &[(TermId, TermId)]) -> Rc<NodeTypes> {
        let types = statements.iter().filter(|(predicate, _)| Some(*predicate) == self.rdf_type);
        self.of_types(&types.map(|(_, class)| *class).collect::<Vec<_>>())
    }

    /// The facts about nodes with these types.
    pub(super) fn of_types(&self, types: &[TermId]) -> Rc<NodeTypes> {
        if let Some(known) = self.sets.borrow().get(types) {
            return Rc::clone(known);
        }
        let found = Rc::new(self.look_up(types));
        self.sets.borrow_mut().insert(types.into(), Rc::clone(&found));
        found
    }

    pub(super) fn meaning(&self, class: TermId) -> TypeMeaning<'c> {
        if self.dictionary.kind(class) != RdfTermKind::Iri {
            return TypeMeaning::Foreign;
        }
        let Some(iri) = SchemaIri::from_iri(self.dictionary.lexical(class)) else {
            return TypeMeaning::Foreign;
        };
        let term = self.vocabulary.id(iri.local).and_then(|id| self.vocabulary.type_of(id));
        match term {
            None => TypeMeaning::Unknown,
            Some(term) if term.kind() == VocabularyTermKind::Class || self.is_of_nodes(term) => {
                TypeMeaning::Class(term)
            }
            Some(term) => TypeMeaning::Datatype(term),
        }
    }

    /// The name that was probably meant by an unknown type, of the first kind that has one.
    pub(super) fn meant(&self, class: TermId, kinds: &[VocabularyTermKind]) -> Option<&'c str> {
        *self.meant.borrow_mut().entry(class).or_insert_with(|| {
            let local = SchemaIri::from_iri(self.dictionary.lexical(class))?.local;
            kinds.iter().find_map(|kind| self.vocabulary.nearest(local, &[*kind]))
        })
    }

    /// Returns whether nodes may have a datatype as their type: a quantity, or the class of datatypes.
    fn is_of_nodes(&self, datatype: VocabularyTerm<'_>) -> bool {
        datatype.name() == "DataType" || self.is_quantity(datatype.id)
    }

    fn is_quantity(&self, datatype: VocabularyNameId) -> bool {
        self.quantity.is_some_and(|quantity| self.vocabulary.closure(&[datatype]).contains(&quantity))
    }

    fn look_up(&self, types: &[TermId]) -> NodeTypes {
        let mut named = Vec::new();
        let mut is_unclear = false;
        for class in types {
            match self.meaning(*class) {
                TypeMeaning::Foreign => {}
                TypeMeaning::Unknown | TypeMeaning::Datatype(_) => is_unclear = true,
                TypeMeaning::Class(term) => named.push(term.id),
            }
        }
        let typing = match (types, &named[..]) {
            ([], _) => TypeKnowledge::Untyped,
            _ if is_unclear => TypeKnowledge::Unclear,
            (_, []) => TypeKnowledge::Foreign,
            _ => TypeKnowledge::Known,
        };
        // A quantity keeps the properties of `Thing`, which used to be its superclass.
        let is_datatype =
            |class: &VocabularyNameId| self.vocabulary.term_of(*class, VocabularyTermKind::Class).is_none();
        let thing = self.thing.filter(|_| named.iter().any(is_datatype));
        let roots = named.iter().copied().chain(thing);
        let closure = self.vocabulary.closure(&roots.collect::<Vec<_>>());
        NodeTypes { typing, closure, named }
    }
}
