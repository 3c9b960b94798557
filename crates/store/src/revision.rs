//! A dataset with changes: the added and the removed quads are kept beside the dataset, which stays
//! as it is.
//!
//! An update works on a revision: later operations see the changes of earlier ones, and a failed operation leaves the
//! dataset untouched. The extra cost of a lookup grows only with the number of changes. New terms get numbers after
//! those of the dataset.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;
use std::rc::Rc;

use foldhash::fast::RandomState;
use oxrdf::{GraphNameRef, NamedOrBlankNode, QuadRef, Term};

use super::dataset::{Dataset, DefaultGraph, NamedDocument};
use super::dictionary::TermId;
use super::disk::StoreDamage;
use super::document_builder::{DocumentBuilder, EncodedTriple};
use super::triples::EncodedTriplePattern;
use super::view::{DatasetView, ViewQuads};
use evalgraph_rdf::minted::is_beside_documents;
use evalgraph_rdf::vocabulary::evaluator;

/// A quad in one of three orders of its triple, its graph last: equal triples are neighbours.
type PermutedQuad = [TermId; 4];

/// A dataset and the changes that were made to it.
#[derive(Debug)]
pub struct DatasetRevision<'d> {
    base: &'d Dataset,
    /// The terms of the dataset, new terms, and the dataset's own quads.
    view: DatasetView<'d>,
    default_graph: DefaultGraph,
    /// The graphs of documents, which make up the default graph unless it is the union of all.
    documents: HashSet<TermId, RandomState>,
    by_subject: BTreeSet<PermutedQuad>,
    by_predicate: BTreeSet<PermutedQuad>,
    by_object: BTreeSet<PermutedQuad>,
    /// The added quads, by graph: a change may create very many graphs.
    by_graph: BTreeSet<PermutedQuad>,
    /// The removed quads of the dataset, by subject.
    removed: BTreeSet<PermutedQuad>,
    counts: HashMap<TermId, GraphChangeCounts, RandomState>,
    created: BTreeSet<TermId>,
    dropped: BTreeSet<TermId>,
}

/// How many quads were added to a graph, and how many were removed.
#[derive(Debug, Default, Clone, Copy)]
struct GraphChangeCounts {
    added: usize,
    removed: usize,
}

/// The changes of one graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphChange {
    /// The name of the graph.
    pub graph: TermId,
    /// The triples that it has now and did not have before.
    pub added: Vec<[TermId; 3]>,
    /// The triples that it had before and no longer has.
    pub removed: Vec<[TermId; 3]>,
}

impl<'d> DatasetRevision<'d> {
    /// The dataset without changes.
    pub fn new(base: &'d Dataset, default_graph: DefaultGraph) -> Self {
        let documents = base.parts().iter().filter(|part| part.is_default).map(|part| part.name).collect();
        Self {
            base,
            view: base.view(default_graph),
            default_graph,
            documents,
            by_subject: BTreeSet::new(),
            by_predicate: BTreeSet::new(),
            by_object: BTreeSet::new(),
            by_graph: BTreeSet::new(),
            removed: BTreeSet::new(),
            counts: HashMap::default(),
            created: BTreeSet::new(),
            dropped: BTreeSet::new(),
        }
    }

    /// Adds a graph to those of documents, which make up the strict default graph.
    pub fn add_document(&mut self, graph: TermId) {
        self.documents.insert(graph);
    }

    /// The collector of faults in the dataset's files, if the dataset has files.
    pub fn damage(&self) -> Option<StoreDamage> {
        self.view.damage()
    }

    /// Returns the view of one operation, in which nothing changes.
    pub fn view(&self) -> RevisionView<'_> {
        RevisionView { revision: self }
    }

    /// The number of a term; a new one if the term is unknown.
    pub fn intern(&self, term: Term) -> TermId {
        self.view.intern(term)
    }

    /// The term of a number.
    pub fn term(&self, id: TermId) -> Term {
        self.view.term(id)
    }

    /// Adds a triple to a graph; returns whether it is new there.
    pub fn insert(&mut self, [subject, predicate, object]: [TermId; 3], graph: TermId) -> bool {
        let row = [subject, predicate, object, graph];
        self.dropped.remove(&graph);
        let counts = self.counts.entry(graph).or_default();
        // A triple of the dataset is only put back; the added quads never repeat one of the dataset.
        if self.removed.remove(&row) {
            counts.removed -= 1;
            return true;
        }
        if self.by_subject.contains(&row) || in_base(&self.view, row) {
            return false;
        }
        counts.added += 1;
        self.by_subject.insert(row);
        self.by_predicate.insert([predicate, object, subject, graph]);
        self.by_object.insert([object, subject, predicate, graph]);
        self.by_graph.insert([graph, subject, predicate, object]);
        true
    }

    /// Removes a triple from a graph; returns whether it was there.
    pub fn remove(&mut self, [subject, predicate, object]: [TermId; 3], graph: TermId) -> bool {
        let row = [subject, predicate, object, graph];
        let counts = self.counts.entry(graph).or_default();
        if self.by_subject.remove(&row) {
            counts.added -= 1;
            self.by_predicate.remove(&[predicate, object, subject, graph]);
            self.by_object.remove(&[object, subject, predicate, graph]);
            self.by_graph.remove(&[graph, subject, predicate, object]);
            return true;
        }
        if !in_base(&self.view, row) || !self.removed.insert(row) {
            return false;
        }
        counts.removed += 1;
        true
    }

    /// The graphs of the default graph that contain a triple.
    pub fn default_graphs_of(&self, triple: [TermId; 3]) -> Vec<TermId> {
        let added = self.by_subject.range(range(triple.map(Some))).map(|row| row[3]);
        let mut graphs: Vec<TermId> =
            added.filter(|graph| self.is_in_default(*graph)).chain(self.base_graphs_of(triple)).collect();
        graphs.sort_unstable();
        graphs
    }

    /// The names of all existing graphs except sidecars and the catalog.
    pub fn graphs(&self) -> Vec<TermId> {
        let mut graphs: Vec<TermId> = self.base.graphs_of_data().collect();
        graphs.extend(self.counts.iter().filter(|(_, counts)| counts.added > 0).map(|(graph, _)| *graph));
        graphs.extend(&self.created);
        graphs.retain(|graph| self.contains_graph(*graph) && !self.is_by_name_only(*graph));
        graphs.sort_unstable();
        graphs.dedup();
        graphs
    }

    /// The graphs that `GRAPH ?g` ranges over.
    pub fn named_graphs(&self) -> Vec<TermId> {
        let mut graphs = self.graphs();
        graphs.retain(|graph| self.is_named(*graph));
        graphs
    }

    /// Returns whether there is a graph of that name: one that contains triples or was created by the request, and was
    /// not dropped by it.
    pub fn contains_graph(&self, graph: TermId) -> bool {
        let has_added = self.counts.get(&graph).is_some_and(|counts| counts.added > 0);
        let was_there = self.base.graph_quad_count(graph) > 0 && !self.dropped.contains(&graph);
        has_added || was_there || self.created.contains(&graph)
    }

    /// Creates an empty graph, which exists until the end of the request: a dataset has no empty graphs.
    pub fn create_graph(&mut self, graph: TermId) {
        self.dropped.remove(&graph);
        self.created.insert(graph);
    }

    /// Removes all triples of a graph, and with `and_name` the graph itself.
    pub fn clear_graph(&mut self, graph: TermId, and_name: bool) {
        for triple in self.graph_triples(graph) {
            self.remove(triple, graph);
        }
        if and_name {
            self.created.remove(&graph);
            self.dropped.insert(graph);
        }
    }

    /// The triples of a graph.
    pub fn graph_triples(&self, graph: TermId) -> Vec<[TermId; 3]> {
        let rows = self.view().rows(EncodedTriplePattern::default(), Some(graph));
        rows.map(|[subject, predicate, object, _]| [subject, predicate, object]).collect()
    }

    /// Returns the changes, graph by graph, without unchanged graphs.
    pub fn changes(&self) -> Vec<GraphChange> {
        let mut graphs: Vec<TermId> = self.counts.keys().copied().collect();
        graphs.sort_unstable();
        let mut changes: Vec<GraphChange> = graphs
            .into_iter()
            .map(|graph| GraphChange { graph, added: Vec::new(), removed: Vec::new() })
            .collect();
        let place = |changes: &[GraphChange], graph: TermId| {
            changes.binary_search_by_key(&graph, |change| change.graph).ok()
        };
        for [subject, predicate, object, graph] in &self.by_subject {
            if let Some(place) = place(&changes, *graph) {
                changes[place].added.push([*subject, *predicate, *object]);
            }
        }
        for [subject, predicate, object, graph] in &self.removed {
            if let Some(place) = place(&changes, *graph) {
                changes[place].removed.push([*subject, *predicate, *object]);
            }
        }
        changes.retain(|change| !change.added.is_empty() || !change.removed.is_empty());
        changes
    }

    /// Makes a new dataset with the changes applied. A blank node that was copied from one document into another
    /// becomes two nodes.
    pub fn to_dataset(&self) -> Dataset {
        let mut documents: Vec<NamedDocument> = Vec::new();
        // Graphs that belong to no document go into the first document, so that they may share blank nodes.
        let mut first = DocumentBuilder::new();
        let mut first_name = None;
        let mut graphs: Vec<TermId> = self.base.graphs().chain(self.counts.keys().copied()).collect();
        graphs.sort_unstable();
        graphs.dedup();
        for graph in graphs {
            let name = self.term(graph);
            let triples = self.graph_triples(graph);
            match (&name, self.documents.contains(&graph)) {
                (Term::NamedNode(node), true) if first_name.is_none() => {
                    self.fill(&mut first, &triples, GraphNameRef::DefaultGraph);
                    first_name = Some(node.as_str().to_owned());
                }
                (Term::NamedNode(node), true) => {
                    let mut builder = DocumentBuilder::new();
                    self.fill(&mut builder, &triples, GraphNameRef::DefaultGraph);
                    documents.push(NamedDocument { graph: node.as_str().to_owned(), builder });
                }
                (Term::NamedNode(node), false) => self.fill(&mut first, &triples, node.as_ref().into()),
                (Term::BlankNode(node), _) => self.fill(&mut first, &triples, node.as_ref().into()),
                (Term::Literal(_), _) => {}
            }
        }
        let graph = first_name.unwrap_or_else(|| evaluator::NO_DOCUMENT.to_owned());
        documents.insert(0, NamedDocument { graph, builder: first });
        Dataset::from_documents(documents)
    }

    fn fill(&self, builder: &mut DocumentBuilder, triples: &[EncodedTriple], graph: GraphNameRef<'_>) {
        for triple in triples {
            let [subject, predicate, object] = triple.map(|id| self.term(id));
            if let (Ok(subject), Term::NamedNode(predicate)) =
                (NamedOrBlankNode::try_from(subject), &predicate)
            {
                builder.add_quad(QuadRef::new(&subject, predicate, &object, graph));
            }
        }
    }

    fn is_by_name_only(&self, graph: TermId) -> bool {
        matches!(self.term(graph), Term::NamedNode(node) if is_beside_documents(node.as_str()))
    }

    /// Returns whether the triples of a graph are in the default graph.
    pub fn is_in_default(&self, graph: TermId) -> bool {
        match self.default_graph {
            DefaultGraph::Union => !self.is_by_name_only(graph),
            DefaultGraph::Strict | DefaultGraph::Unnamed => self.documents.contains(&graph),
        }
    }

    fn is_named(&self, graph: TermId) -> bool {
        let is_hidden = self.default_graph == DefaultGraph::Unnamed && self.documents.contains(&graph);
        !is_hidden && !self.is_by_name_only(graph)
    }

    /// The graphs of the default graph in which the dataset has a triple that is not removed.
    fn base_graphs_of(&self, [subject, predicate, object]: EncodedTriple) -> impl Iterator<Item = TermId> {
        let is_there = |graph: &TermId| {
            let row = [subject, predicate, object, *graph];
            !self.removed.contains(&row) && in_base(&self.view, row)
        };
        let graphs: Vec<TermId> = match self.default_graph {
            DefaultGraph::Strict | DefaultGraph::Unnamed => {
                self.documents.iter().copied().filter(is_there).collect()
            }
            DefaultGraph::Union => {
                let quads = self.view.quads([Some(subject), Some(predicate), Some(object)], Some(None));
                quads.filter_map(|(_, graph)| graph).filter(is_there).collect()
            }
        };
        graphs.into_iter()
    }

    /// Returns whether a triple of the dataset's default graph is still in one of its graphs.
    fn is_left_in_default(&self, triple: EncodedTriple) -> bool {
        // Only a triple that was removed from some graph can have left the default graph.
        let is_touched = self.removed.range(range(triple.map(Some))).next().is_some();
        !is_touched || self.base_graphs_of(triple).next().is_some()
    }

    /// The added quads that match a pattern, in one graph or in all named graphs.
    fn added_to(
        &self,
        pattern: EncodedTriplePattern,
        graph: Option<TermId>,
    ) -> Box<dyn Iterator<Item = PermutedQuad> + '_> {
        match (pattern, graph) {
            (EncodedTriplePattern { subject: None, predicate: None, object: None }, Some(graph)) => Box::new(
                self.by_graph
                    .range(range([Some(graph), None, None]))
                    .map(|[graph, subject, predicate, object]| [*subject, *predicate, *object, *graph]),
            ),
            (_, Some(graph)) => Box::new(self.added(pattern).filter(move |row| row[3] == graph)),
            (_, None) => Box::new(self.added(pattern).filter(|row| self.is_named(row[3]))),
        }
    }

    /// The added quads that match a pattern, equal triples side by side.
    fn added(&self, pattern: EncodedTriplePattern) -> Box<dyn Iterator<Item = PermutedQuad> + '_> {
        let EncodedTriplePattern { subject, predicate, object } = pattern;
        match (subject, predicate, object) {
            (_, None, Some(_)) => Box::new(
                self.by_object
                    .range(range([object, subject, None]))
                    .map(|[object, subject, predicate, graph]| [*subject, *predicate, *object, *graph]),
            ),
            (Some(_), ..) => Box::new(self.by_subject.range(range([subject, predicate, object])).copied()),
            (None, Some(_), _) => Box::new(
                self.by_predicate
                    .range(range([predicate, object, None]))
                    .map(|[predicate, object, subject, graph]| [*subject, *predicate, *object, *graph]),
            ),
            (None, None, None) => Box::new(self.by_subject.iter().copied()),
        }
    }
}

fn last() -> TermId {
    TermId::from_index(u32::MAX as usize)
}

/// The range of rows that begin with the given terms, which come before all missing ones.
fn range(prefix: [Option<TermId>; 3]) -> RangeInclusive<PermutedQuad> {
    let [first, second, third] = prefix.map(|term| term.unwrap_or(TermId::FIRST));
    let [first_end, second_end, third_end] = prefix.map(|term| term.unwrap_or_else(last));
    [first, second, third, TermId::FIRST]..=[first_end, second_end, third_end, last()]
}

fn in_base(view: &DatasetView<'_>, [subject, predicate, object, graph]: PermutedQuad) -> bool {
    view.quads([Some(subject), Some(predicate), Some(object)], Some(Some(graph))).next().is_some()
}

/// A revision as one operation sees it.
#[derive(Debug, Clone, Copy)]
pub struct RevisionView<'r> {
    revision: &'r DatasetRevision<'r>,
}

impl<'r> RevisionView<'r> {
    /// The dataset and its terms, including those that the changes have added.
    pub fn terms(self) -> DatasetView<'r> {
        self.revision.view.clone()
    }

    /// Returns whether the revision differs from the dataset.
    pub fn is_changed(self) -> bool {
        let DatasetRevision { by_subject, removed, created, dropped, .. } = self.revision;
        !(by_subject.is_empty() && removed.is_empty() && created.is_empty() && dropped.is_empty())
    }

    /// How many triples with these terms were added to any graph.
    pub fn added_at_most(self, [subject, predicate, object]: [Option<TermId>; 3]) -> usize {
        self.revision.added(EncodedTriplePattern { subject, predicate, object }).count()
    }

    /// The triples with these terms: of the default graph, of a named graph, or of all named graphs (then with the name
    /// of the graph).
    pub fn quads(
        self,
        [subject, predicate, object]: [Option<TermId>; 3],
        graph: Option<Option<TermId>>,
    ) -> impl Iterator<Item = (EncodedTriple, Option<TermId>)> + 'r {
        let quad =
            |[subject, predicate, object, graph]: PermutedQuad| ([subject, predicate, object], Some(graph));
        let pattern = EncodedTriplePattern { subject, predicate, object };
        let found: Box<dyn Iterator<Item = (EncodedTriple, Option<TermId>)> + 'r> = match graph {
            None => Box::new(self.default_rows(pattern).map(|triple| (triple, None))),
            Some(Some(graph)) => match self.revision.view.union_of(graph) {
                Some(graphs) => Box::new(self.rows_of_union(pattern, graphs, graph).map(quad)),
                None => Box::new(self.rows(pattern, Some(graph)).map(quad)),
            },
            Some(None) => Box::new(self.rows(pattern, None).map(quad)),
        };
        found
    }

    /// The names of the named graphs.
    pub fn named_graphs(self) -> Vec<TermId> {
        self.revision.named_graphs()
    }

    /// Returns whether the revision has a graph of that name.
    pub fn contains_graph(self, name: TermId) -> bool {
        self.revision.contains_graph(name)
    }

    /// The dataset's own quads that match.
    fn base(self, pattern: EncodedTriplePattern, graph: Option<Option<TermId>>) -> ViewQuads<'r> {
        let EncodedTriplePattern { subject, predicate, object } = pattern;
        self.revision.view.quads([subject, predicate, object], graph)
    }

    fn default_rows(self, pattern: EncodedTriplePattern) -> impl Iterator<Item = EncodedTriple> + 'r {
        let revision = self.revision;
        let base = self.base(pattern, None).map(|(triple, _)| triple);
        let left =
            base.filter(move |triple| revision.removed.is_empty() || revision.is_left_in_default(*triple));
        let mut last: Option<EncodedTriple> = None;
        let added = revision.added(pattern).filter(|row| revision.is_in_default(row[3]));
        let added = added.map(|[subject, predicate, object, _]| [subject, predicate, object]);
        let is_new = move |triple: &EncodedTriple| {
            let is_repeated = last.replace(*triple) == Some(*triple);
            !is_repeated && revision.base_graphs_of(*triple).next().is_none()
        };
        left.chain(added.filter(is_new))
    }

    /// The triples of several graphs, each once, as those of one graph.
    fn rows_of_union(
        self,
        pattern: EncodedTriplePattern,
        graphs: Rc<[TermId]>,
        name: TermId,
    ) -> impl Iterator<Item = PermutedQuad> + 'r {
        let rows = (0..graphs.len()).flat_map(move |place| {
            let (graph, graphs) = (graphs[place], Rc::clone(&graphs));
            let is_new = move |[subject, predicate, object, _]: &PermutedQuad| {
                let pattern = EncodedTriplePattern {
                    subject: Some(*subject),
                    predicate: Some(*predicate),
                    object: Some(*object),
                };
                !graphs[..place].iter().any(|earlier| self.rows(pattern, Some(*earlier)).next().is_some())
            };
            self.rows(pattern, Some(graph)).filter(is_new)
        });
        rows.map(move |[subject, predicate, object, _]| [subject, predicate, object, name])
    }

    /// The quads of one graph, or of all named graphs.
    fn rows(
        self,
        pattern: EncodedTriplePattern,
        graph: Option<TermId>,
    ) -> impl Iterator<Item = PermutedQuad> + 'r {
        let revision = self.revision;
        let base = self
            .base(pattern, Some(graph))
            .filter_map(|([subject, predicate, object], graph)| Some([subject, predicate, object, graph?]));
        let base = base.filter(|row| revision.removed.is_empty() || !revision.removed.contains(row));
        base.chain(revision.added_to(pattern, graph))
    }
}
