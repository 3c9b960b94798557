//! Where what shapes have found stands in the files of the data, and what is wrong with shapes in theirs.

use std::collections::{BTreeMap, HashMap};

use oxrdf::{NamedNode, Term};

use crate::diagnostic::{Place, Report, Shown};
use crate::input::options::Inputs;
use crate::input::source::InputSource;
use crate::load::json_ld::{JsonLd, LoadOptions};
use crate::load::loaded::Loaded;
use crate::load::loader::Loader;
use crate::rdf::place_finder::{DocumentTerm, WantedPlace};
use crate::store::{Dataset, DatasetView, Kind, NamedDocument, TermId};

/// The documents that a dataset was made of, in its order, with what it takes to find their nodes again.
#[derive(Default)]
pub(crate) struct ReadDocuments {
    documents: Vec<ReadDocument>,
}

struct ReadDocument {
    /// The source, if it can be read again.
    source: Option<InputSource>,
    /// The names of its graphs.
    graphs: Vec<String>,
    dataset: Option<String>,
    /// How many blank nodes the document has.
    blank_nodes: usize,
}

/// A node of a dataset, or a value of it, whose place is wanted.
pub(crate) struct WantedTerm {
    pub(crate) node: Term,
    pub(crate) predicate: Option<NamedNode>,
    pub(crate) value: Option<Term>,
}

impl ReadDocuments {
    /// Notes documents before a dataset is made of them.
    pub(crate) fn add(&mut self, sources: &[InputSource], loaded: &[(Loaded, NamedDocument)]) {
        let by_name: HashMap<String, &InputSource> =
            sources.iter().map(|source| (source.name(), source)).collect();
        for (file, document) in loaded {
            let source = by_name.get(&file.name).copied();
            self.push(
                document,
                source.filter(|source| **source != InputSource::Stdin).cloned(),
                Some(file.dataset.clone()),
            );
        }
    }

    /// Notes a graph of a file, which brings all blank nodes of the file.
    pub(crate) fn add_graph(&mut self, source: &InputSource, dataset: &str, graph: &NamedDocument) {
        let source = Some(source).filter(|source| **source != InputSource::Stdin);
        self.push(graph, source.cloned(), Some(dataset.to_owned()));
    }

    /// Notes a document that has no file.
    pub(crate) fn add_text(&mut self, document: &NamedDocument) {
        self.push(document, None, None);
    }

    fn push(&mut self, document: &NamedDocument, source: Option<InputSource>, dataset: Option<String>) {
        let dictionary = document.builder.dictionary();
        let blank_nodes = dictionary.ids().filter(|id| dictionary.kind(*id) == Kind::BlankNode).count();
        let named = document.builder.graph_names().map(|name| dictionary.lexical(name).to_owned());
        let graphs = std::iter::once(document.graph.clone()).chain(named).collect();
        self.documents.push(ReadDocument { source, graphs, dataset, blank_nodes });
    }

    /// The place of each wanted node or value: that of the value, else of the property, else of the node. Files are
    /// loaded again, each once.
    pub(crate) fn places(
        &self,
        dataset: &Dataset,
        view: &DatasetView<'_>,
        input: &Inputs,
        loading: &LoadOptions,
        wanted: &[WantedTerm],
    ) -> Vec<Option<Place>> {
        let mut places = vec![None; wanted.len()];
        let Ok(json_ld) = JsonLd::new(&loading.iris, &loading.json_ld, &input.reading) else { return places };
        let mut graphs: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, document) in self.documents.iter().enumerate() {
            document.graphs.iter().for_each(|graph| graphs.entry(graph).or_default().push(at));
        }
        let terms = self.terms(dataset);
        let mut by_document: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, wanted) in wanted.iter().enumerate() {
            let names = view.graphs_of(&wanted.node);
            // Several documents may have a graph of one name; the first that has the node has its place.
            let documents = names.iter().find_map(|name| graphs.get(name.as_str()));
            for document in documents.into_iter().flatten() {
                by_document.entry(*document).or_default().push(at);
            }
        }
        for (document, wanted_here) in by_document {
            let Some(source) = &self.documents[document].source else { continue };
            let mut asked = Vec::with_capacity(3 * wanted_here.len());
            let mut owners = Vec::with_capacity(asked.capacity());
            for at in wanted_here {
                for place in terms.wanted(document, &wanted[at]) {
                    asked.push(place);
                    owners.push(at);
                }
            }
            let loader = Loader::new(input, &json_ld, loading.plain, false);
            // All that reading says was said before.
            let mut unheard = Report::new(Shown::All);
            let name = self.documents[document].dataset.as_deref();
            let found = loader.places_in(source, name, &asked, &mut unheard).unwrap_or_default();
            for (at, place) in owners.into_iter().zip(found) {
                if places[at].is_none() {
                    places[at] = place;
                }
            }
        }
        places
    }

    fn terms<'t>(&'t self, dataset: &'t Dataset) -> DocumentTerms<'t> {
        let dictionary = dataset.dictionary();
        let blank_nodes = dictionary.ids().filter(|id| dictionary.kind(*id) == Kind::BlankNode).collect();
        let mut firsts = Vec::with_capacity(self.documents.len());
        let mut next = 0;
        for document in &self.documents {
            firsts.push(next..next + document.blank_nodes);
            next += document.blank_nodes;
        }
        DocumentTerms { dataset, blank_nodes, firsts }
    }
}

/// The terms of a dataset as its documents have them.
struct DocumentTerms<'t> {
    dataset: &'t Dataset,
    /// All blank nodes, in the order of the documents that brought them.
    blank_nodes: Vec<TermId>,
    /// The ranks of the blank nodes of each document.
    firsts: Vec<std::ops::Range<usize>>,
}

impl DocumentTerms<'_> {
    /// The places to ask for, the best first.
    fn wanted(&self, document: usize, wanted: &WantedTerm) -> Vec<WantedPlace> {
        let Some(node) = self.term(document, &wanted.node) else { return Vec::new() };
        let predicate = wanted.predicate.as_ref().map(|predicate| predicate.as_str().to_owned());
        let value = wanted.value.as_ref().and_then(|value| self.term(document, value));
        let mut places = Vec::new();
        if value.is_some() {
            places.push(WantedPlace { node: node.clone(), predicate: predicate.clone(), value });
        }
        if predicate.is_some() {
            places.push(WantedPlace { node: node.clone(), predicate, value: None });
        }
        places.push(WantedPlace { node, predicate: None, value: None });
        places
    }

    fn term(&self, document: usize, term: &Term) -> Option<DocumentTerm> {
        Some(match term {
            Term::NamedNode(node) => DocumentTerm::Iri(node.as_str().to_owned()),
            Term::Literal(literal) => DocumentTerm::Literal(literal.clone()),
            Term::BlankNode(node) => {
                let id = self.dataset.dictionary().find_blank_node(node.as_str())?;
                let rank = self.blank_nodes.binary_search(&id).ok()?;
                let range = self.firsts.get(document)?;
                let rank = rank.checked_sub(range.start).filter(|_| range.contains(&rank))?;
                DocumentTerm::BlankNode(rank as u64)
            }
        })
    }
}
