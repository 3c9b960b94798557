//! The data that queries read: loaded files, or one state of a store.
//!
//! `Loader` is defined in `file_loader.rs`.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::error::Error;
use super::file_loader::Loader;
use super::query_services::network_services;
use crate::input::source::InputSource;
use crate::load::load_purpose::{LoadPurpose, load};
use crate::load::loaded_document_facts::LoadedDocumentFacts as LoadedFile;
use crate::load::places_in_document::PlacesInDocument;
use crate::named_queries::NamedQueries;
use crate::validation::document_places::{ReadDocuments, RereadOptions, WantedInGraph, WantedTerm};
use crate::workspace::command_sources::sources;
use crate::workspace::stored_document::name_of;
use evalgraph_diagnostics::SourcePlace;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_rdf::vocabulary::EVALGRAPH_FUNCTION;
use evalgraph_shacl::{Shapes, ValidationOptions, ValidationReport};
use evalgraph_sparql::{
    CancellationToken, EvaluationEnvironment, ExecuteOptions, Query, QueryParameter, QueryResults,
    ServiceHandler,
};
use evalgraph_store::{Dataset, DefaultGraph, NamedDocument, StoreSnapshot, StoredDocument};

/// Loaded files, or one state of a store. Several threads can query it at once. Clones share the data.
#[derive(Debug, Clone)]
pub struct LoadedData {
    data: Arc<LoadedDataSource>,
    cancellation: CancellationToken,
    /// Answers SERVICE, if the network is allowed.
    services: Option<Arc<dyn ServiceHandler>>,
    report: Arc<RunReport>,
}

#[derive(Debug)]
enum LoadedDataSource {
    /// Loaded files, with the file names by the IRIs of their graphs.
    Files {
        dataset: Box<Dataset>,
        files: HashMap<String, String>,
        prefixes: Vec<(String, String)>,
        documents: ReadDocuments<'static>,
    },
    /// One state of a store.
    Stored(Box<StoreSnapshot>),
}

impl LoadedData {
    /// Loads the inputs of the loader or, without inputs, opens the store.
    pub fn read(loader: &Loader, wanted: LoadPurpose, report: &mut RunReport) -> Result<Self, RunFailure> {
        let inputs = &loader.inputs;
        if inputs.is_store() {
            return Ok(Self::stored(inputs.store.open()?.snapshot()?, loader));
        }
        Self::from_sources(sources(inputs, report)?, loader, wanted, report)
    }

    /// Loads sources, with the options of the loader.
    pub(super) fn from_sources(
        sources: Vec<InputSource>,
        loader: &Loader,
        wanted: LoadPurpose,
        report: &mut RunReport,
    ) -> Result<Self, RunFailure> {
        let Loader { inputs, loading, .. } = loader;
        let mut documents = ReadDocuments::default();
        // Sources that are not files cannot be read again.
        let again: Vec<_> = sources.iter().filter(|source| source.path().is_some()).cloned().collect();
        let loaded = load(sources, inputs, loading, wanted, report)?;
        documents.add(&again, &loaded);
        let file =
            |(file, document): &(LoadedFile, NamedDocument)| (document.graph.clone(), file.name.clone());
        let files = loaded.iter().map(file).collect();
        let prefixes = common_prefixes(loaded.iter().flat_map(|(_, document)| document.builder.prefixes()));
        let graphs = loaded.into_iter().map(|(_, document)| document).collect();
        let dataset = Box::new(Dataset::from_documents(graphs));
        let data = LoadedDataSource::Files { dataset, files, prefixes, documents };
        Ok(Self::new(data, loader))
    }

    /// Returns a state of a store.
    pub(super) fn stored(snapshot: StoreSnapshot, loader: &Loader) -> Self {
        Self::new(LoadedDataSource::Stored(Box::new(snapshot)), loader)
    }

    fn new(data: LoadedDataSource, loader: &Loader) -> Self {
        let services = network_services(&loader.loading, loader.inputs.reading.limits);
        let cancellation = loader.cancellation.clone();
        Self { data: Arc::new(data), cancellation, services, report: Arc::default() }
    }

    /// Returns the same data. Their queries end when `cancellation` is cancelled.
    #[must_use]
    pub fn cancelled_by(&self, cancellation: CancellationToken) -> Self {
        Self { cancellation, ..self.clone() }
    }

    /// Frees the texts of terms that queries have read from a store's files. Otherwise they stay in memory; a later
    /// query reads them again. Returns how many bytes were freed: 0 for loaded files, and 0 while a clone is in use.
    pub fn let_go(&mut self) -> u64 {
        match Arc::get_mut(&mut self.data) {
            Some(LoadedDataSource::Stored(snapshot)) => snapshot.let_go(),
            _ => 0,
        }
    }

    /// Returns how many bytes of term texts [`LoadedData::let_go`] would free.
    pub fn kept(&self) -> u64 {
        match &*self.data {
            LoadedDataSource::Files { .. } => 0,
            LoadedDataSource::Stored(snapshot) => snapshot.kept(),
        }
    }

    /// Returns the quads.
    pub fn dataset(&self) -> &Dataset {
        match &*self.data {
            LoadedDataSource::Files { dataset, .. } => dataset,
            LoadedDataSource::Stored(snapshot) => snapshot.dataset(),
        }
    }

    /// Checks the data, loaded files or a state of a store, against shapes read by [`Loader::shapes`]. The validation
    /// ends when the cancellation of the data is cancelled ([`LoadedData::cancelled_by`]).
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// # let folder = tempfile::tempdir()?;
    /// let mut store = evalgraph::Store::create(folder.path())?;
    /// store.load(["fixtures/karenina/s0-cell-biology.jsonld"])?;
    /// let shapes = evalgraph::Loader::new().shapes(["karenina-spec"])?;
    /// let snapshot = store.snapshot()?;
    /// let report = snapshot.validate(&shapes, &evalgraph::shacl::ValidationOptions::default())?;
    /// assert!(!report.conforms());
    /// for result in report.results() {
    ///     println!("{}: {}", result.focus_node(), result.source_shape());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a named graph or shape does not exist, if a query of a shape fails, or if shapes refer to other shapes too
    /// deeply.
    pub fn validate<'s>(
        &self,
        shapes: &'s Shapes,
        options: &ValidationOptions,
    ) -> Result<ValidationReport<'s, '_>, Error> {
        let cancellation = self.cancellation.clone();
        let options = ValidationOptions { cancellation, ..options.clone() };
        Ok(shapes.validate(self.dataset(), &options)?)
    }

    /// Returns the findings of loading: changes, losses, and omitted inputs.
    pub fn report(&self) -> &RunReport {
        &self.report
    }

    /// Returns the file names by the IRIs of their graphs: as the user gave them, or relative to the working folder.
    ///
    /// # Errors
    ///
    /// If the store is damaged.
    pub fn files(&self) -> Result<HashMap<String, String>, Box<Diagnostic>> {
        match &*self.data {
            LoadedDataSource::Files { files, .. } => Ok(files.clone()),
            LoadedDataSource::Stored(snapshot) => {
                let file = |document: &StoredDocument| {
                    document.entry.source.as_ref()?;
                    Some((document.entry.graph.clone(), name_of(&document.entry)))
                };
                Ok(snapshot.documents()?.iter().filter_map(file).collect())
            }
        }
    }

    /// Returns the prefixes that loaded files declare, with their namespaces, for
    /// [`QueryPrefixes::around`](evalgraph_sparql::QueryPrefixes::around). A prefix with several namespaces is left
    /// out. A store keeps no prefixes.
    pub fn prefixes(&self) -> &[(String, String)] {
        match &*self.data {
            LoadedDataSource::Files { prefixes, .. } => prefixes,
            LoadedDataSource::Stored(_) => &[],
        }
    }

    /// Returns the places of wanted statements and nodes in the document that a graph was read from. The text of the
    /// document is included if it does not exceed the given number of bytes; see [`ReadDocuments::places_of_graph`].
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn places_of_graph(
        &self,
        loader: &Loader,
        graph: &str,
        wanted: &[Vec<WantedTerm>],
        most: u64,
    ) -> Result<Option<PlacesInDocument>, Error> {
        let Loader { inputs, loading, .. } = loader;
        let found = loader.reported_here(|report| {
            let again = RereadOptions { input: inputs, loading, report };
            Ok(match &*self.data {
                LoadedDataSource::Files { dataset, documents, .. } => {
                    documents.places_of_graph(graph, dataset, again, wanted, most)
                }
                LoadedDataSource::Stored(snapshot) => {
                    let store = inputs.store.open()?;
                    let documents = ReadDocuments::of_store(&store, snapshot);
                    documents.places_of_graph(graph, snapshot.dataset(), again, wanted, most)
                }
            })
        })?;
        Ok(found.0)
    }

    /// Returns the places of wanted statements and nodes in the documents that graphs were read from; see
    /// [`ReadDocuments::places_of_graphs`].
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn places_of_graphs(
        &self,
        loader: &Loader,
        asked: &[WantedInGraph<'_>],
    ) -> Result<Vec<Vec<Option<SourcePlace>>>, Error> {
        let Loader { inputs, loading, .. } = loader;
        let found = loader.reported_here(|report| {
            let again = RereadOptions { input: inputs, loading, report };
            Ok(match &*self.data {
                LoadedDataSource::Files { dataset, documents, .. } => {
                    documents.places_of_graphs(asked, dataset, again)
                }
                LoadedDataSource::Stored(snapshot) => {
                    let store = inputs.store.open()?;
                    let documents = ReadDocuments::of_store(&store, snapshot);
                    documents.places_of_graphs(asked, snapshot.dataset(), again)
                }
            })
        })?;
        Ok(found.0)
    }

    /// Returns the file that a graph was read from, or `None` if the data come from a store.
    pub fn path_of(&self, graph: &str) -> Option<&std::path::Path> {
        match &*self.data {
            LoadedDataSource::Files { documents, .. } => documents.path_of(graph),
            LoadedDataSource::Stored(_) => None,
        }
    }

    /// Returns how many times the store has changed, or `None` for loaded files.
    pub fn generation(&self) -> Option<u64> {
        match &*self.data {
            LoadedDataSource::Files { .. } => None,
            LoadedDataSource::Stored(snapshot) => Some(snapshot.generation()),
        }
    }

    /// Evaluates a SPARQL 1.1 query over the union of all graphs. The usual prefixes need no declaration.
    ///
    /// Results are evaluated as they are read. Deeply nested queries need a stack of some megabytes.
    ///
    /// # Errors
    ///
    /// If the query is not valid SPARQL (with line and column), or if its evaluation fails.
    pub fn query(&self, query: &str) -> Result<QueryResults<'_>, Error> {
        self.execute(Query::parse(query, "query")?, ExecuteOptions::default())
    }

    /// Evaluates one of evalgraph's named queries, with parameters in the form `NAME=TERM`.
    ///
    /// # Errors
    ///
    /// `sparql::unknown-query` if no query has that name; and an error if a parameter is unknown or missing, or if the
    /// evaluation fails.
    pub fn named_query(&self, name: &str, parameters: &[&str]) -> Result<QueryResults<'_>, Error> {
        let queries = NamedQueries::built_in()?;
        let named = queries.get(name)?;
        let given: Vec<QueryParameter> =
            parameters.iter().map(|text| QueryParameter::parse(text)).collect::<Result<_, _>>()?;
        let query = named.query()?.with_parameters(&given, &named.parameters)?;
        self.execute(query, ExecuteOptions::default())
    }

    /// Evaluates a parsed query, with limits.
    ///
    /// # Errors
    ///
    /// If the evaluation fails.
    pub fn execute(&self, query: Query, options: ExecuteOptions) -> Result<QueryResults<'_>, Error> {
        let environment = self.environment(
            &query,
            EvaluationEnvironment {
                cancellation: self.cancellation.clone(),
                services: self.services.clone(),
                ..EvaluationEnvironment::default()
            },
        )?;
        let view = self.dataset().view(DefaultGraph::Union);
        Ok(query.with_environment(environment).execute(view, options)?)
    }

    /// Returns the environment, with the file names if the query uses them.
    pub fn environment(
        &self,
        query: &Query,
        environment: EvaluationEnvironment,
    ) -> Result<EvaluationEnvironment, Box<Diagnostic>> {
        if !query.calls(&format!("{EVALGRAPH_FUNCTION}file")) {
            return Ok(environment);
        }
        Ok(EvaluationEnvironment { files: Arc::new(self.files()?), ..environment })
    }
}

impl Loader {
    /// Loads inputs into memory, with their catalog entries unless [`Loader::without_catalog`] is set, on all cores.
    ///
    /// # Errors
    ///
    /// If an input is missing or invalid, with file, line and column; see [`Loader::keep_going`].
    pub fn load<I: Into<String>>(&self, inputs: impl IntoIterator<Item = I>) -> Result<LoadedData, Error> {
        let loader = self.reading(inputs)?;
        let wanted = if self.leaves_out_catalog { LoadPurpose::Quads } else { LoadPurpose::Catalog };
        let (mut loaded, report) = loader.reported(|report| LoadedData::read(&loader, wanted, report))?;
        loaded.report = Arc::new(report);
        Ok(loaded)
    }
}

/// Returns the prefixes that have the same namespace in all documents.
fn common_prefixes<'p>(prefixes: impl Iterator<Item = &'p (String, String)>) -> Vec<(String, String)> {
    let mut namespaces: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for (name, namespace) in prefixes {
        let known = namespaces.entry(name).or_insert(Some(namespace));
        *known = known.filter(|known| known == namespace);
    }
    let common = |(name, namespace): (&str, Option<&str>)| Some((name.to_owned(), namespace?.to_owned()));
    namespaces.into_iter().filter_map(common).collect()
}
