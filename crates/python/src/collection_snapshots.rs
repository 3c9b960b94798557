//! The quads of a collection at one moment, as queries and updates read them.

use std::collections::HashMap;

use evalgraph::rdf::QuadSink;
use evalgraph::rdf::minted::UNNAMED_GRAPH;
use evalgraph::sparql::SparqlDataset;
use evalgraph::store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument, TermId};
use foldhash::fast::RandomState;
use oxrdf::{BlankNode, NamedNodeRef, Term};

use crate::collected_terms::{CollectedKey, CollectedNumber, CollectedTerm, CollectedTerms};
use crate::quad_orders::QuadOrders;

/// A number that no term has.
const NONE: CollectedNumber = CollectedNumber::MAX;

/// A dataset with the numbers of its terms in the collection.
pub(crate) struct CollectionSnapshot {
    pub(crate) dataset: Dataset,
    /// The graph without a name for `GRAPH`.
    pub(crate) default_graph: CollectedNumber,
    /// The name of the default graph in the dataset.
    pub(crate) default_name: String,
    /// The other graphs, including those without quads.
    pub(crate) named_graphs: Vec<CollectedNumber>,
    /// The terms of the collection by those of the dataset.
    numbers: Vec<CollectedNumber>,
    /// The terms of the dataset by those of the collection.
    ids: HashMap<CollectedNumber, TermId, RandomState>,
}

/// The default graph of a query.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum CollectionScope {
    /// The union of all graphs; the graph named here has no name for `GRAPH`.
    Union(CollectedKey),
    /// One graph.
    Graph(CollectedKey),
}

/// A term of an answer.
pub(crate) enum CollectedValue {
    /// A term of the collection.
    Known(CollectedNumber),
    /// A term that the query has computed.
    Computed(CollectedKey),
}

/// Terms of the dataset that stand for blank nodes that it does not have.
pub(crate) type ForeignNodes = HashMap<String, CollectedKey>;

impl CollectionScope {
    /// The graph without a name for `GRAPH`.
    pub(crate) fn graph(&self) -> &CollectedKey {
        let (Self::Union(graph) | Self::Graph(graph)) = self;
        graph
    }
}

impl CollectionSnapshot {
    /// The quads at this moment. `default_graph` is the graph without a name.
    pub(crate) fn new(terms: &CollectedTerms, quads: &QuadOrders, default_graph: CollectedNumber) -> Self {
        let mut builder = DocumentBuilder::new();
        let mut ids: HashMap<CollectedNumber, TermId, RandomState> = HashMap::default();
        let mut id = |builder: &mut DocumentBuilder, number: CollectedNumber| {
            *ids.entry(number).or_insert_with(|| terms.key(number).term().add_to(builder))
        };
        for [subject, predicate, object, graph] in quads.by_graph() {
            let [subject, predicate, object] =
                [subject, predicate, object].map(|number| id(&mut builder, number));
            let graph = (graph != default_graph).then(|| id(&mut builder, graph));
            builder.quad(subject, predicate, object, graph);
        }
        let default_name = match terms.key(default_graph).term() {
            CollectedTerm::Iri(iri) => iri,
            _ => UNNAMED_GRAPH,
        };
        let default_name = default_name.to_owned();
        let document = NamedDocument { graph: default_name.clone(), builder };
        // The terms of the only document keep their numbers.
        let dataset = Dataset::from_documents(vec![document]);
        let mut numbers = vec![NONE; dataset.dictionary().len() + 1];
        for (number, id) in &ids {
            numbers[id.index()] = *number;
        }
        let name = dataset.dictionary().find(NamedNodeRef::new_unchecked(&default_name).into());
        if let Some(name) = name {
            numbers[name.index()] = default_graph;
            ids.insert(default_graph, name);
        }
        let named_graphs = quads.graphs().filter(|graph| *graph != default_graph).collect();
        Self { dataset, default_graph, default_name, named_graphs, numbers, ids }
    }

    /// Returns the dataset as a query sees it.
    pub(crate) fn view(&self, graph: Option<CollectedNumber>) -> SparqlDataset<'_> {
        let view = self.dataset.view(DefaultGraph::Unnamed).with_all_graphs();
        let graphs: Vec<TermId> = match graph {
            None => self.dataset.graphs().collect(),
            Some(graph) => self.ids.get(&graph).copied().into_iter().collect(),
        };
        view.of_graphs(&graphs).into()
    }

    /// Returns the term of the dataset for one of the collection.
    pub(crate) fn id(&self, number: CollectedNumber) -> Option<TermId> {
        self.ids.get(&number).copied()
    }

    /// Returns the term of the collection for one of the dataset.
    pub(crate) fn number(&self, id: TermId) -> Option<CollectedNumber> {
        self.numbers.get(id.index()).copied().filter(|number| *number != NONE)
    }

    /// Returns a term of the collection as the dataset has it.
    pub(crate) fn term_in_dataset(
        &self,
        key: &CollectedKey,
        number: Option<CollectedNumber>,
        foreign: &mut ForeignNodes,
    ) -> Term {
        if !matches!(key.term(), CollectedTerm::BlankNode(_)) {
            return key.term().to_term();
        }
        if let Some(id) = number.and_then(|number| self.id(number)) {
            return self.dataset.dictionary().term(id);
        }
        let stand_in = BlankNode::default();
        foreign.insert(stand_in.as_str().to_owned(), key.clone());
        stand_in.into()
    }

    /// Returns a term of an answer.
    pub(crate) fn value(
        &self,
        term: &Term,
        terms: &CollectedTerms,
        foreign: &ForeignNodes,
    ) -> CollectedValue {
        let key = match term {
            Term::BlankNode(node) => {
                let label = node.as_str();
                let known = self.dataset.dictionary().find_blank_node(label);
                if let Some(number) = known.and_then(|id| self.number(id)) {
                    return CollectedValue::Known(number);
                }
                foreign
                    .get(label)
                    .cloned()
                    .unwrap_or_else(|| CollectedKey::new(CollectedTerm::BlankNode(label)))
            }
            other => CollectedKey::new(CollectedTerm::from_term(other)),
        };
        terms.find(&key).map_or(CollectedValue::Computed(key), CollectedValue::Known)
    }
}
