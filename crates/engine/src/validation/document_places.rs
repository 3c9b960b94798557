//! Finds the places of shape results in the documents of the data, and the places of faults in files of shapes.

use std::cell::{LazyCell, OnceCell};
use std::collections::{BTreeMap, HashMap};

use oxrdf::{NamedNode, Term};

use super::document_blank_nodes::{DocumentBlankNodes, InOrder, StoredQuads};
use crate::input::input_options::RunInputs;
use crate::input::source::InputSource;
use crate::load::document_loading::DocumentLoading;
use crate::load::loaded_document_facts::LoadedDocumentFacts;
use crate::load::places_in_document::PlacesInDocument;
use crate::load::read_session::{LoadOptions, ReadSession};
use crate::workspace::command_sources::stored_source;
use crate::workspace::stored_document::name_of;
use evalgraph_diagnostics::{
    Diagnostic, FindingQuota, FindingSeverity, RunFailure, RunReport, SourcePlace, SourceText,
};
use evalgraph_formats::catalog::graph_of_file;
use evalgraph_rdf::place_finder::{DocumentTerm, PlaceFinder, WantedPlace};
use evalgraph_store::{
    Dataset, DatasetView, NamedDocument, RdfTermKind, StoreFolder, StoreSnapshot, StoredDocument,
};

/// The documents that a dataset was built from, in its order, with everything needed to find their nodes again.
#[derive(Debug, Default)]
pub struct ReadDocuments<'s> {
    documents: Vec<ReadDocument>,
    /// The store that contains the documents.
    store: Option<(&'s StoreFolder, &'s StoreSnapshot)>,
}

#[derive(Debug)]
struct ReadDocument {
    name: String,
    /// The source, if it can be read again. A document of the store has its text there instead.
    source: Option<InputSource>,
    /// The graph that its default graph was loaded into, and the named graphs in the document.
    graphs: Vec<String>,
    dataset: Option<String>,
    /// How many blank nodes the document has.
    blank_nodes: usize,
}

/// A node, or a statement about it, to be located.
#[derive(Clone)]
pub struct WantedTerm {
    /// The node.
    pub node: Term,
    /// The predicate of a statement about it.
    pub predicate: Option<NamedNode>,
    /// The value of the statement.
    pub value: Option<Term>,
}

/// Nodes and statements of a graph to be located.
pub struct WantedInGraph<'g> {
    /// The graph.
    pub graph: &'g str,
    /// The terms to locate. Each item lists alternatives in order of preference.
    pub wanted: Vec<Vec<WantedTerm>>,
}

/// How to read documents again.
pub struct RereadOptions<'a> {
    pub(crate) input: &'a RunInputs,
    pub(crate) loading: &'a LoadOptions,
    /// Receives faults of documents that cannot be read again.
    pub report: &'a mut RunReport,
}

/// Everything needed to read documents again: a loader, and the blank nodes of their dataset, which are collected once,
/// on demand.
#[derive(Clone, Copy)]
struct DocumentRereader<'b> {
    loader: &'b DocumentLoading<'b>,
    dataset: &'b Dataset,
    in_order: &'b OnceCell<InOrder<'b>>,
}

impl<'s> ReadDocuments<'s> {
    /// The documents of a store.
    pub fn of_store(store: &'s StoreFolder, snapshot: &'s StoreSnapshot) -> Self {
        // If the list of documents is damaged, that was reported before.
        let documents = snapshot.documents().unwrap_or_default().iter().map(|document| ReadDocument {
            name: name_of(&document.entry),
            source: None,
            graphs: vec![document.entry.graph.clone()],
            dataset: None,
            blank_nodes: 0,
        });
        Self { documents: documents.collect(), store: Some((store, snapshot)) }
    }

    /// Records documents before a dataset is built from them.
    pub fn add(&mut self, sources: &[InputSource], loaded: &[(LoadedDocumentFacts, NamedDocument)]) {
        let by_name: HashMap<String, &InputSource> =
            sources.iter().map(|source| (source.name(), source)).collect();
        for (file, document) in loaded {
            let source = by_name.get(&file.name).copied();
            let source = source.filter(|source| **source != InputSource::Stdin).cloned();
            self.push(&file.name, document, source, Some(file.dataset.clone()));
        }
    }

    /// Records a graph of a file. It counts with all blank nodes of the file.
    pub fn add_graph(&mut self, source: &InputSource, dataset: &str, graph: &NamedDocument) {
        let again = Some(source).filter(|source| **source != InputSource::Stdin);
        self.push(&source.name(), graph, again.cloned(), Some(dataset.to_owned()));
    }

    /// Records a document that has no file.
    pub fn add_text(&mut self, name: &str, document: &NamedDocument) {
        self.push(name, document, None, None);
    }

    fn push(
        &mut self,
        name: &str,
        document: &NamedDocument,
        source: Option<InputSource>,
        dataset: Option<String>,
    ) {
        let dictionary = document.builder.dictionary();
        let blank_nodes =
            dictionary.ids().filter(|id| dictionary.kind(*id) == RdfTermKind::BlankNode).count();
        let inside = document.builder.graph_names().map(|graph| dictionary.lexical(graph).to_owned());
        let graphs = std::iter::once(document.graph.clone()).chain(inside).collect();
        self.documents.push(ReadDocument { name: name.to_owned(), source, graphs, dataset, blank_nodes });
    }

    /// The places of nodes and statements. For each list of alternatives, this is the place of the first that a
    /// document contains. Each document concerned is loaded again, once.
    pub fn places(
        &self,
        dataset: &Dataset,
        view: &DatasetView<'_>,
        RereadOptions { input, loading, report }: RereadOptions<'_>,
        wanted: &[Vec<WantedTerm>],
    ) -> Vec<Option<SourcePlace>> {
        let mut places = vec![None; wanted.len()];
        if wanted.is_empty() {
            return places;
        }
        let Ok(session) = ReadSession::new(&loading.iris, &loading.json_ld, &input.reading) else {
            return places;
        };
        let loader = DocumentLoading::new(input, &session, loading.plain, false);
        let mut holders = vec![None; wanted.len()];
        let by_document = match self.documents.len() {
            // With one document there is nothing to choose: everything is located in it.
            1 => BTreeMap::from([(0, (0..wanted.len()).collect())]),
            _ => self.by_document(view, wanted),
        };
        let in_order = OnceCell::new();
        for (document, wanted_here) in by_document {
            let terms: Vec<&[WantedTerm]> = wanted_here.iter().map(|at| &*wanted[*at]).collect();
            let rereading = DocumentRereader { loader: &loader, dataset, in_order: &in_order };
            let found = self.places_in(document, rereading, &terms, 0, report);
            let mut found = found.map(|found| found.places).unwrap_or_default().into_iter();
            for at in wanted_here {
                places[at] = places[at].take().or(found.next().flatten());
                let is_here = |wanted: &WantedTerm| !wanted.graphs(view).is_empty();
                if places[at].is_none() && (self.documents.len() > 1 || wanted[at].iter().any(is_here)) {
                    holders[at].get_or_insert(document);
                }
            }
        }
        for (place, holder) in places.iter_mut().zip(holders).filter(|(place, _)| place.is_none()) {
            // If a document has no place for a statement, for example for text beside the rows, the place is the whole
            // file.
            *place = holder.map(|document| self.documents[document].whole());
        }
        let unplaced = places.iter_mut().zip(wanted).filter(|(place, _)| place.is_none());
        let files: HashMap<&str, &ReadDocument> = self
            .documents
            .iter()
            .filter_map(|document| Some((&**document.graphs.first()?, document)))
            .collect();
        for (place, wanted) in unplaced {
            // A node of the catalog is located in its file.
            let file = |wanted: &WantedTerm| match &wanted.node {
                Term::NamedNode(node) => files.get(graph_of_file(node.as_str())).copied(),
                _ => None,
            };
            *place = wanted.iter().find_map(file).map(ReadDocument::whole);
        }
        places
    }

    /// The places of nodes and statements in the document that a graph was read from: of each list, the place of the
    /// first that is found. The document's text is included if it has at most the given number of bytes. The document
    /// is loaded again.
    pub fn places_of_graph(
        &self,
        graph: &str,
        dataset: &Dataset,
        RereadOptions { input, loading, report }: RereadOptions<'_>,
        wanted: &[Vec<WantedTerm>],
        most: u64,
    ) -> Option<PlacesInDocument> {
        let is_it = |document: &ReadDocument| document.graphs.iter().any(|known| known == graph);
        let document = self.documents.iter().position(is_it)?;
        let session = ReadSession::new(&loading.iris, &loading.json_ld, &input.reading).ok()?;
        let loader = DocumentLoading::new(input, &session, loading.plain, false);
        let in_order = OnceCell::new();
        let rereading = DocumentRereader { loader: &loader, dataset, in_order: &in_order };
        let terms: Vec<&[WantedTerm]> = wanted.iter().map(|wanted| &**wanted).collect();
        self.places_in(document, rereading, &terms, most, report)
    }

    /// Like [`Self::places_of_graph`], but for several graphs. Graphs that cannot be read again have no places.
    pub fn places_of_graphs(
        &self,
        asked: &[WantedInGraph<'_>],
        dataset: &Dataset,
        RereadOptions { input, loading, report }: RereadOptions<'_>,
    ) -> Vec<Vec<Option<SourcePlace>>> {
        let Ok(session) = ReadSession::new(&loading.iris, &loading.json_ld, &input.reading) else {
            return vec![Vec::new(); asked.len()];
        };
        let loader = DocumentLoading::new(input, &session, loading.plain, false);
        let (graphs, in_order) = (self.graphs(), OnceCell::new());
        let mut places = |asked: &WantedInGraph<'_>| {
            let document = *graphs.get(asked.graph)?.first()?;
            let terms: Vec<&[WantedTerm]> = asked.wanted.iter().map(|wanted| &**wanted).collect();
            let rereading = DocumentRereader { loader: &loader, dataset, in_order: &in_order };
            self.places_in(document, rereading, &terms, 0, report)
        };
        asked.iter().map(|asked| places(asked).map(|found| found.places).unwrap_or_default()).collect()
    }

    /// The file that a graph was read from, if there is one.
    pub fn path_of(&self, graph: &str) -> Option<&std::path::Path> {
        let is_it = |document: &&ReadDocument| document.graphs.iter().any(|known| known == graph);
        self.documents.iter().find(is_it)?.source.as_ref()?.path()
    }

    /// The indexes of wanted terms, by the documents that may contain them. Several documents may have a graph with the
    /// same name.
    fn by_document(&self, view: &DatasetView<'_>, wanted: &[Vec<WantedTerm>]) -> BTreeMap<usize, Vec<usize>> {
        let graphs = self.graphs();
        let inside = LazyCell::new(|| self.graphs_inside_stored());
        let documents = |graph: &String| graphs.get(graph.as_str()).or_else(|| inside.get(graph)).cloned();
        let mut by_document: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, wanted) in wanted.iter().enumerate() {
            let mut found = wanted.iter().map(|wanted| wanted.graphs(view));
            let found = found.find_map(|graphs| graphs.iter().find_map(documents));
            for document in found.into_iter().flatten() {
                by_document.entry(document).or_default().push(at);
            }
        }
        by_document
    }

    /// The documents, by graph.
    fn graphs(&self) -> HashMap<&str, Vec<usize>> {
        let mut graphs: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, document) in self.documents.iter().enumerate() {
            for graph in &document.graphs {
                graphs.entry(graph).or_default().push(at);
            }
        }
        graphs
    }

    /// The documents of a store, by all of their graphs. The store's files must be opened to find the named graphs.
    fn graphs_inside_stored(&self) -> HashMap<String, Vec<usize>> {
        let mut graphs: HashMap<String, Vec<usize>> = HashMap::new();
        let Some((store, snapshot)) = self.store else { return graphs };
        for (at, document) in snapshot.documents().unwrap_or_default().iter().enumerate() {
            for name in store.graph_names_of(document).unwrap_or_default() {
                let name = snapshot.dataset().dictionary().lexical(name).to_owned();
                graphs.entry(name).or_default().push(at);
            }
        }
        graphs
    }

    /// The places of wanted terms in one document: of each list, the place of the first that is found. The document's
    /// text is included if it has at most the given number of bytes. If the document cannot be read again, the reason
    /// is reported; all other findings were reported when it was first read.
    fn places_in(
        &self,
        document: usize,
        DocumentRereader { loader, dataset, in_order }: DocumentRereader<'_>,
        wanted: &[&[WantedTerm]],
        most: u64,
        report: &mut RunReport,
    ) -> Option<PlacesInDocument> {
        let source = self.source(document, report)?;
        let mut unheard = RunReport::new(FindingQuota::All);
        let name = self.documents[document].dataset.as_deref();
        let find =
            |finder, unheard: &mut RunReport| loader.places_in(&source, name, finder, most, unheard).ok();
        let has_blank_node = wanted.iter().any(|wanted| wanted.iter().any(WantedTerm::has_blank_node));
        let found = match self.stored(document) {
            _ if !has_blank_node => {
                first_places(wanted, &DocumentBlankNodes::Unasked, |finder| find(finder, &mut unheard))
            }
            None => {
                let counts = self.documents.iter().map(|document| document.blank_nodes);
                let blank_nodes =
                    in_order.get_or_init(|| InOrder::new(dataset, counts)).blank_nodes_of(document);
                first_places(wanted, &blank_nodes, |finder| find(finder, &mut unheard))
            }
            Some((store, document)) => {
                let quads = StoredQuads::from_document(store, dataset, document)?;
                let expecting = |finder| find(quads.expected_by(finder), &mut unheard);
                let in_order = first_places(wanted, &quads.in_order(), expecting);
                match in_order {
                    // The order of blank nodes identifies them only while the document has the quads of the store.
                    Some(found) if !found.is_as_expected => {
                        let blank_nodes = quads.matched(&source, loader, &mut unheard);
                        blank_nodes.and_then(|blank_nodes| {
                            first_places(wanted, &blank_nodes, |finder| find(finder, &mut unheard))
                        })
                    }
                    in_order => in_order,
                }
            }
        };
        if found.is_none()
            && let Some(fault) = unheard.errors().first()
        {
            report.add(&self.documents[document].without_line(fault));
        }
        found
    }

    fn stored(&self, document: usize) -> Option<(&'s StoreFolder, &'s StoredDocument)> {
        let (store, snapshot) = self.store?;
        Some((store, snapshot.documents().ok()?.get(document)?))
    }

    fn source(&self, document: usize, report: &mut RunReport) -> Option<InputSource> {
        let Some((store, snapshot)) = self.store else { return self.documents[document].source.clone() };
        let (_, stored) = self.stored(document)?;
        // Findings about writing a changed document were reported when it was changed.
        match stored_source(store, snapshot, stored, &mut RunReport::new(FindingQuota::All)) {
            Ok(source) => Some(source),
            Err(RunFailure::Fault(fault)) => {
                report.add(&self.documents[document].without_line(&fault));
                None
            }
            Err(RunFailure::Reported | RunFailure::AtInput) => None,
        }
    }
}

/// The places of wanted terms in a document with these blank nodes: of each list, the place of the first that is found.
pub(super) fn first_places(
    wanted: &[impl AsRef<[WantedTerm]>],
    blank_nodes: &DocumentBlankNodes<'_>,
    find: impl FnOnce(PlaceFinder) -> Option<PlacesInDocument>,
) -> Option<PlacesInDocument> {
    let mut owners = Vec::new();
    let asked = wanted.iter().enumerate().flat_map(|(at, wanted)| {
        let places = wanted.as_ref().iter().flat_map(|wanted| wanted.places(blank_nodes));
        places.map(move |place| (at, place))
    });
    let finder = PlaceFinder::new(asked.map(|(at, place)| {
        owners.push(at);
        place
    }));
    let found = find(finder)?;
    let mut places = vec![None; wanted.len()];
    for (at, place) in owners.into_iter().zip(found.places) {
        if places[at].is_none() {
            places[at] = place;
        }
    }
    Some(PlacesInDocument { places, ..found })
}

impl ReadDocument {
    fn whole(&self) -> SourcePlace {
        SourceText::new(&*self.name, b"").place(0..0)
    }

    /// The note that results in the document have no line, since it cannot be read again.
    fn without_line(&self, fault: &Diagnostic) -> Diagnostic {
        let message = format!("results in it have no line: {}", fault.message);
        let note = Diagnostic::new(FindingSeverity::Note, "validate::no-line", message);
        fault.help.iter().cloned().fold(note, Diagnostic::with_help).at(self.whole())
    }
}

impl WantedTerm {
    /// A node without a statement.
    pub fn node(node: Term) -> Self {
        Self { node, predicate: None, value: None }
    }

    fn has_blank_node(&self) -> bool {
        self.node.is_blank_node() || self.value.as_ref().is_some_and(Term::is_blank_node)
    }

    /// The graphs that contain the statement; if there are none, those that have the node as a subject; if there are
    /// none, those that mention it.
    fn graphs(&self, view: &DatasetView<'_>) -> Vec<String> {
        let (node, predicate, value) = (Some(&self.node), self.predicate.as_ref(), self.value.as_ref());
        let patterns = [
            (node, predicate, value),
            (node, None, value),
            (node, predicate, None),
            (node, None, None),
            (None, None, node),
        ];
        let mut found = patterns
            .into_iter()
            .map(|(subject, predicate, object)| view.graphs_with(subject, predicate, object));
        found.find(|graphs| !graphs.is_empty()).unwrap_or_default()
    }

    /// The places to look for in a document, in order of preference.
    fn places<'t>(
        &'t self,
        blank_nodes: &DocumentBlankNodes<'_>,
    ) -> impl Iterator<Item = WantedPlace<'t>> + use<'t> {
        let term = |term: &'t Term| match term {
            Term::NamedNode(node) => Some(DocumentTerm::Iri(node.as_str())),
            Term::Literal(literal) => Some(DocumentTerm::Literal(literal.as_ref())),
            Term::BlankNode(node) => blank_nodes.number(node.as_str()).map(DocumentTerm::BlankNode),
        };
        let predicate = self.predicate.as_ref().map(NamedNode::as_str);
        let value = self.value.as_ref().and_then(term);
        let is_node = predicate.is_none() && self.value.is_none();
        let statement = value.is_some().then_some((predicate, value));
        let property = predicate.is_some().then_some((predicate, None));
        let alone = is_node.then_some((None, None));
        let parts = statement.into_iter().chain(property).chain(alone);
        let node = term(&self.node).into_iter();
        node.flat_map(move |node| {
            parts.clone().map(move |(predicate, value)| WantedPlace { node, predicate, value })
        })
    }
}
