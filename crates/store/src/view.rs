//! The view of a dataset for one query: with the default graph that the query chose, and with the terms that it
//! computes, which get numbers after those of the dataset. `Dataset` is defined in `dataset.rs`.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use oxrdf::{BlankNode, NamedNode, NamedNodeRef, Term, TermRef};

use super::StoreDamage;
use super::computed_terms::ComputedTerms;
use super::dataset::{Dataset, DefaultGraph};
use super::dictionary::{RdfTermKind, TermDictionary, TermId, blank_node, lexical_of, split_language_string};
use super::directory::CandidateParts;
use super::disk::RecentBlocks;
use super::document_builder::EncodedTriple;
use super::part::GraphPart;
use super::subject_run::SubjectRun;
use super::triples::{EncodedTriplePattern, PatternTriples, run_length};
use evalgraph_rdf::minted::CATALOG_GRAPH;
use evalgraph_rdf::vocabulary::evaluator;

/// A dataset as one query sees it. Clones share the terms that the query computes.
#[derive(Clone)]
pub struct DatasetView<'d> {
    dataset: &'d Dataset,
    default_graph: DefaultGraph,
    /// `true` if a variable graph name also matches sidecars and the catalog.
    has_all_graphs: bool,
    /// The graphs whose union is the default graph, sorted, if they were chosen one by one.
    chosen: Option<Rc<[TermId]>>,
    /// A graph that belongs to the default graph in addition to the documents.
    added: Option<TermId>,
    /// The only graph of the dataset, if it has just one: it is the default graph, whichever kind was chosen.
    single: Option<&'d GraphPart>,
    computed: Rc<RefCell<ComputedTerms>>,
    /// The blocks of text that were last read from files.
    recent: Rc<RefCell<RecentBlocks>>,
    /// The union graphs ([`evaluator::UNION_OF`]) with their members: one for each list of FROM or USING.
    unions: Rc<RefCell<Vec<UnionGraph>>>,
}

/// A graph that is a union, and the graphs that it unites.
type UnionGraph = (TermId, Rc<[TermId]>);

impl fmt::Debug for DatasetView<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("DatasetView");
        debug.field("default_graph", &self.default_graph).finish_non_exhaustive()
    }
}

impl Dataset {
    /// Returns the view of one query.
    pub fn view(&self, default_graph: DefaultGraph) -> DatasetView<'_> {
        DatasetView::new(self, default_graph)
    }
}

impl<'d> DatasetView<'d> {
    pub(super) fn new(dataset: &'d Dataset, default_graph: DefaultGraph) -> Self {
        let single = match dataset.parts() {
            [part] if part.is_default => Some(part),
            [part] if default_graph == DefaultGraph::Union && !part.by_name_only => Some(part),
            _ => None,
        };
        Self {
            dataset,
            default_graph,
            has_all_graphs: false,
            chosen: None,
            added: None,
            single,
            computed: Rc::default(),
            recent: Rc::default(),
            unions: Rc::default(),
        }
    }

    /// Lets a variable graph name also match sidecars and the catalog. The default graph still excludes them.
    pub fn with_all_graphs(mut self) -> Self {
        self.has_all_graphs = true;
        self
    }

    /// Adds the catalog to the default graph.
    pub fn with_catalog(mut self) -> Self {
        self.added = self.dictionary().find(NamedNodeRef::new_unchecked(CATALOG_GRAPH).into());
        self.single = self.single.filter(|_| self.added.is_none());
        self
    }

    /// Makes the union of these graphs the default graph. It includes the catalog and sidecars only if they are named.
    pub fn of_graphs(mut self, graphs: &[TermId]) -> Self {
        let mut graphs = graphs.to_vec();
        // Sorted for the binary searches in `chosen`.
        graphs.sort_unstable();
        let mut parts = graphs.iter().flat_map(|graph| self.dataset.parts_of(*graph));
        self.single = parts.next().filter(|_| parts.next().is_none());
        self.chosen = Some(graphs.into());
        self
    }

    /// The triples of the default graph that match a pattern, each once.
    pub fn default_triples(
        &self,
        subject: Option<TermId>,
        predicate: Option<TermId>,
        object: Option<TermId>,
    ) -> PatternTriples<'d> {
        self.triples(EncodedTriplePattern { subject, predicate, object })
    }

    /// The triples with these terms, each once, of the default graph or of a named one.
    #[inline]
    pub fn triples_of(&self, triple: [Option<TermId>; 3], graph: Option<TermId>) -> PatternTriples<'d> {
        let [subject, predicate, object] = triple;
        let pattern = EncodedTriplePattern { subject, predicate, object };
        let Some(name) = graph else { return self.triples(pattern) };
        match self.union_of(name) {
            Some(graphs) => {
                let parts: Vec<&GraphPart> =
                    graphs.iter().flat_map(|graph| self.dataset.parts_of(*graph)).collect();
                triples_of_parts(parts.into_iter(), pattern)
            }
            None => triples_of_parts(self.dataset.candidates_of(name, pattern), pattern),
        }
    }

    /// The quads with these terms in the named graphs.
    pub fn named_quads(
        &self,
        triple: [Option<TermId>; 3],
    ) -> impl Iterator<Item = ([TermId; 3], TermId)> + use<'d> {
        let [subject, predicate, object] = triple;
        let quads = self.all_named(EncodedTriplePattern { subject, predicate, object });
        quads.filter_map(|(triple, graph)| Some((triple, graph?)))
    }

    /// How many triples have these terms, or more: a triple in several graphs may be counted more than once. They are
    /// counted in the default graph, in a named graph, or in all named graphs.
    pub fn count_at_most(&self, triple: [Option<TermId>; 3], graph: Option<Option<TermId>>) -> usize {
        let [subject, predicate, object] = triple;
        let pattern = EncodedTriplePattern { subject, predicate, object };
        let count = |part: &GraphPart| run_length(part.graph.get(), pattern);
        match (graph, self.single) {
            (None, Some(part)) => count(part),
            (None, None) => self.parts_of_default_graph(pattern).map(count).sum(),
            (Some(Some(name)), _) if self.union_of(name).is_none() => {
                self.dataset.candidates_of(name, pattern).map(count).sum()
            }
            _ => self.dataset.candidates(pattern).map(count).sum(),
        }
    }

    /// How many triples have these terms. The number is exact: none if two graphs may have the same triple.
    pub fn count_exactly(&self, triple: [Option<TermId>; 3], graph: Option<Option<TermId>>) -> Option<usize> {
        let [subject, predicate, object] = triple;
        let pattern = EncodedTriplePattern { subject, predicate, object };
        let is_between = subject.is_some() && predicate.is_none() && object.is_some();
        let count = |part: &GraphPart| run_length(part.graph.get(), pattern);
        let mut counts: Box<dyn Iterator<Item = usize>> = match (graph, self.single) {
            _ if is_between => return None,
            (None, Some(part)) => return Some(count(part)),
            (None, None) => Box::new(self.parts_of_default_graph(pattern).map(count)),
            (Some(Some(name)), _) if self.union_of(name).is_none() => {
                Box::new(self.dataset.candidates_of(name, pattern).map(count))
            }
            _ => return None,
        };
        // A triple in two graphs counts once, so only one graph with matches gives an exact number.
        let mut counts = counts.by_ref().filter(|count| *count > 0);
        let first = counts.next().unwrap_or(0);
        counts.next().is_none().then_some(first)
    }

    /// Passes the IRI of a term or its lexical form, as written, to `take`; none for a term that the query has
    /// computed. Text that is read from files for the first time does not stay in memory.
    #[inline]
    pub fn with_text<R>(&self, id: TermId, take: impl FnOnce(&str) -> R) -> Option<R> {
        if self.is_computed(id) {
            return None;
        }
        self.with_stored(id, |stored| take(self.dictionary().lexical_of_stored(id, stored)))
    }

    /// Like [`Self::with_text`], but also passes the kind of the term.
    #[inline]
    pub fn with_kind_and_text<R>(&self, id: TermId, take: impl FnOnce(RdfTermKind, &str) -> R) -> Option<R> {
        let kind = self.kind(id)?;
        self.with_text_of(id, kind, |text| take(kind, text))
    }

    /// Like [`Self::with_text`], for a term whose kind is known.
    #[inline]
    pub fn with_text_of<R>(&self, id: TermId, kind: RdfTermKind, take: impl FnOnce(&str) -> R) -> Option<R> {
        if self.is_computed(id) {
            return None;
        }
        self.with_stored(id, |stored| take(lexical_of(kind, stored)))
    }

    /// Like [`Self::with_text`], but passes bytes, which need not be checked to be UTF-8.
    #[inline]
    pub fn with_bytes<R>(&self, id: TermId, take: impl FnOnce(&[u8]) -> R) -> Option<R> {
        if self.is_computed(id) {
            return None;
        }
        self.with_stored_bytes(id, |stored| take(self.dictionary().lexical_bytes(id, stored)))
    }

    /// Passes the stored text of a term of the dataset to `take`.
    #[inline]
    fn with_stored<R>(&self, id: TermId, take: impl FnOnce(&str) -> R) -> Option<R> {
        match self.dictionary().own_stored(id) {
            Some(own) => Some(take(own)),
            None => self.with_stored_bytes(id, |stored| Some(take(str::from_utf8(stored).ok()?)))?,
        }
    }

    #[inline]
    fn with_stored_bytes<R>(&self, id: TermId, take: impl FnOnce(&[u8]) -> R) -> Option<R> {
        if let Some(own) = self.dictionary().own_stored(id) {
            return Some(take(own.as_bytes()));
        }
        // `take` may itself read other texts.
        let mut recent = self.recent.take();
        let taken = self.dictionary().stored_terms()?.with_bytes(id, &mut recent, take);
        self.recent.replace(recent);
        taken
    }

    /// The IRI of a term or its lexical form, as written; none for a term that the query has computed.
    pub fn text(&self, id: TermId) -> Option<&'d str> {
        (!self.is_computed(id)).then(|| self.dictionary().lexical(id))
    }

    /// The language of a literal; none for a term that the query has computed.
    pub fn language(&self, id: TermId) -> Option<&'d str> {
        if self.is_computed(id) { None } else { self.dictionary().language(id) }
    }

    /// Passes the language of a literal to `take`, as [`Self::with_text`] passes the text.
    pub fn with_language<R>(&self, id: TermId, take: impl FnOnce(&str) -> R) -> Option<R> {
        if self.is_computed(id) || self.dictionary().kind(id) != RdfTermKind::LangString {
            return None;
        }
        self.with_stored(id, |stored| take(split_language_string(stored).0))
    }

    /// Prepares for lookups of about that many terms.
    pub fn expect(&self, terms: usize) {
        if let Some(stored) = self.dictionary().stored_terms() {
            stored.expect(terms);
        }
    }

    /// Prefetches some terms (a number may be 0), so that those in memory are in the cache when they are read. They are
    /// scattered, and waiting for many at once takes hardly longer than for one.
    pub fn approach(&self, numbers: impl Iterator<Item = u32>) {
        let terms = numbers.filter_map(TermId::of_number);
        let own = terms.filter_map(|id| self.dictionary().own_stored(id));
        std::hint::black_box(own.fold(0, |seen, text| seen ^ text.as_bytes().first().copied().unwrap_or(0)));
    }

    /// The kind of a term.
    #[inline]
    pub fn kind_of(&self, id: TermId) -> RdfTermKind {
        // A number without a term can only come from a damaged file, and is treated as a blank node.
        let kind = self.kind(id).or_else(|| self.of_computed(id, ComputedTerms::kind));
        kind.unwrap_or(RdfTermKind::BlankNode)
    }

    /// The triples of a subject in the default graph.
    #[inline]
    pub fn subject_run(&self, subject: TermId) -> SubjectRun<'d> {
        if let Some(part) = self.single {
            return SubjectRun::of_graph(part.graph.get().of_subject(subject));
        }
        let parts = self.parts_of_default_graph(EncodedTriplePattern {
            subject: Some(subject),
            ..EncodedTriplePattern::default()
        });
        SubjectRun::of_graphs(parts.map(|part| part.graph.get().of_subject(subject)))
    }

    /// The names of the graphs that have a triple that matches a pattern, among the graphs of data or the chosen ones.
    pub fn graphs_with(
        &self,
        subject: Option<&Term>,
        predicate: Option<&NamedNode>,
        object: Option<&Term>,
    ) -> Vec<String> {
        let terms = [subject.cloned(), predicate.cloned().map(Term::from), object.cloned()];
        let [subject, predicate, object] = terms.map(|term| term.map(|term| self.intern(term)));
        if [subject, predicate, object].into_iter().flatten().any(|term| self.is_computed(term)) {
            return Vec::new();
        }
        let pattern = EncodedTriplePattern { subject, predicate, object };
        let is_seen = |part: &&GraphPart| match &self.chosen {
            Some(chosen) => chosen.binary_search(&part.name).is_ok(),
            None => !part.by_name_only,
        };
        let parts = self.dataset.candidates(pattern).filter(is_seen);
        let has = |part: &&GraphPart| PatternTriples::of_graph(part.graph.get(), pattern).next().is_some();
        parts.filter(has).map(|part| self.dictionary().iri(part.name).to_owned()).collect()
    }

    /// The collector of faults in the dataset's files, if the dataset has files.
    pub fn damage(&self) -> Option<StoreDamage> {
        self.dataset.damage().cloned()
    }

    fn triples(&self, pattern: EncodedTriplePattern) -> PatternTriples<'d> {
        if let Some(part) = self.single {
            return PatternTriples::of_graph(part.graph.get(), pattern);
        }
        PatternTriples::of_graphs(self.parts_of_default_graph(pattern).map(|part| part.graph.get()), pattern)
    }

    /// The parts of the default graph that may have triples that match a pattern.
    fn parts_of_default_graph(
        &self,
        pattern: EncodedTriplePattern,
    ) -> impl Iterator<Item = &'d GraphPart> + Clone + use<'d> {
        let is_union = self.default_graph == DefaultGraph::Union;
        let (parts, added, chosen) = (self.dataset.candidates(pattern), self.added, self.chosen.clone());
        parts.filter(move |part| {
            if let Some(chosen) = &chosen {
                return chosen.binary_search(&part.name).is_ok();
            }
            part.is_default || (is_union && !part.by_name_only) || added.is_some_and(|name| name == part.name)
        })
    }

    /// The quads that match a pattern in the named graphs.
    fn all_named(&self, pattern: EncodedTriplePattern) -> ViewQuads<'d> {
        let candidates = self.dataset.candidates(pattern);
        let hides_documents = self.default_graph == DefaultGraph::Unnamed;
        let has_all_graphs = self.has_all_graphs;
        let rest = RestOfGraphs { candidates, pattern, has_all_graphs, hides_documents };
        ViewQuads { triples: PatternTriples::none(), graph: None, rest: Some(Box::new(rest)) }
    }

    fn dictionary(&self) -> &'d TermDictionary {
        self.dataset.dictionary()
    }

    /// A fact about a term that the query has computed.
    fn of_computed<T>(&self, id: TermId, known: impl Fn(&ComputedTerms, usize) -> Option<T>) -> Option<T> {
        let place = id.index().checked_sub(self.dictionary().len() + 1)?;
        known(&self.computed.borrow(), place)
    }

    fn is_computed(&self, id: TermId) -> bool {
        id.index() > self.dictionary().len()
    }

    fn intern_computed(&self, term: &Term) -> TermId {
        let place = self.computed.borrow_mut().place(term.as_ref());
        TermId::from_index(self.dictionary().len() + 1 + place)
    }

    /// Returns whether a term is a blank node.
    pub fn is_blank_node(&self, id: TermId) -> bool {
        self.kind(id).map_or_else(|| self.term(id).is_blank_node(), |kind| kind == RdfTermKind::BlankNode)
    }

    /// The kind of a term of the dataset; none for a computed term.
    fn kind(&self, id: TermId) -> Option<RdfTermKind> {
        (!self.is_computed(id)).then(|| self.dictionary().kind(id))
    }

    /// The term as an oxrdf term.
    pub fn term(&self, id: TermId) -> Term {
        if self.is_computed(id) {
            // A number without a term can only come from a damaged file. The dataset keeps that fault.
            return self.of_computed(id, ComputedTerms::term).unwrap_or_else(|| blank_node(id).into());
        }
        let term = self.with_stored(id, |stored| self.dictionary().term_of_stored(id, stored));
        term.unwrap_or_else(|| self.dictionary().term(id))
    }

    /// The number of a term; a new one if neither the dataset nor the query has the term.
    #[expect(clippy::needless_pass_by_value, reason = "the term is made for the call")]
    pub fn intern(&self, term: Term) -> TermId {
        let known = match term.as_ref() {
            TermRef::BlankNode(node) => self.dictionary().find_blank_node(node.as_str()),
            other => self.dictionary().find(other),
        };
        if let Term::NamedNode(node) = &term
            && let Some(names) = node.as_str().strip_prefix(evaluator::UNION_OF)
        {
            let graph = |name| self.intern(NamedNode::new_unchecked(name).into());
            let graphs = names.split_whitespace().map(graph).collect();
            let id = known.unwrap_or_else(|| self.intern_computed(&term));
            self.unions.borrow_mut().push((id, graphs));
            return id;
        }
        known.unwrap_or_else(|| self.intern_computed(&term))
    }

    /// The members of a union graph; none for any other graph.
    pub(super) fn union_of(&self, graph: TermId) -> Option<Rc<[TermId]>> {
        let unions = self.unions.borrow();
        unions.iter().find(|(name, _)| *name == graph).map(|(_, graphs)| Rc::clone(graphs))
    }
}

/// Quads that match a pattern, in one graph or in one graph after another.
#[derive(Debug)]
pub(super) struct ViewQuads<'d> {
    triples: PatternTriples<'d>,
    graph: Option<TermId>,
    rest: Option<Box<RestOfGraphs<'d>>>,
}

#[derive(Debug)]
struct RestOfGraphs<'d> {
    candidates: CandidateParts<'d>,
    pattern: EncodedTriplePattern,
    has_all_graphs: bool,
    /// `true` if the default graphs of documents are left out of the named graphs.
    hides_documents: bool,
}

impl Iterator for ViewQuads<'_> {
    type Item = (EncodedTriple, Option<TermId>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(triple) = self.triples.next() {
                return Some((triple, self.graph));
            }
            let rest = self.rest.as_mut()?;
            let mut parts = rest.candidates.next_graph()?;
            if rest.hides_documents {
                parts.retain(|part| !part.is_default);
            }
            let Some(first) = parts.first() else { continue };
            if first.by_name_only && !rest.has_all_graphs {
                continue;
            }
            self.graph = Some(first.name);
            self.triples = triples_of_parts(parts.iter().copied(), rest.pattern);
        }
    }
}

fn triples_of_parts<'d>(
    parts: impl Iterator<Item = &'d GraphPart> + Clone,
    pattern: EncodedTriplePattern,
) -> PatternTriples<'d> {
    PatternTriples::of_graphs(parts.map(|part| part.graph.get()), pattern)
}

impl<'d> DatasetView<'d> {
    /// The triples with these terms: of the default graph, of a named graph, or of all named graphs; with the name of
    /// the graph.
    pub(super) fn quads(
        &self,
        [subject, predicate, object]: [Option<TermId>; 3],
        graph: Option<Option<TermId>>,
    ) -> ViewQuads<'d> {
        let pattern = EncodedTriplePattern { subject, predicate, object };
        let (triples, graph) = match graph {
            None => (self.triples(pattern), None),
            Some(Some(name)) => (self.triples_of([subject, predicate, object], Some(name)), Some(name)),
            Some(None) => return self.all_named(pattern),
        };
        ViewQuads { triples, graph, rest: None }
    }

    /// The number of a term of a query. An IRI `_:label` is a blank node here: a query has no other way to name one.
    pub fn intern_named(&self, term: Term) -> TermId {
        let label = match &term {
            Term::NamedNode(name) => name.as_str().strip_prefix("_:"),
            _ => None,
        };
        match label {
            Some(label) => self.intern(BlankNode::new_unchecked(label).into()),
            None => self.intern(term),
        }
    }

    /// The names of the named graphs.
    pub fn named_graphs(&self) -> impl Iterator<Item = TermId> + use<'d> {
        let (dataset, hides_documents) = (self.dataset, self.default_graph == DefaultGraph::Unnamed);
        let all = self.has_all_graphs.then(|| dataset.graphs());
        let of_data = (!self.has_all_graphs).then(|| dataset.graphs_of_data());
        let is_named = move |name: &TermId| {
            !hides_documents || dataset.parts_of(*name).iter().any(|part| !part.is_default)
        };
        all.into_iter().flatten().chain(of_data.into_iter().flatten()).filter(is_named)
    }

    /// Returns whether the dataset has a graph of that name.
    pub fn contains_graph(&self, name: TermId) -> bool {
        !self.dataset.parts_of(name).is_empty()
    }
}
