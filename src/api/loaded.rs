//! What queries are asked of: files that were loaded, or one state of a store.

use std::collections::HashMap;
use std::sync::Arc;

use super::error::Error;
use super::loader::Loader;
use super::services::network_services;
use crate::diagnostic::{Diagnostic, Failure, Report};
use crate::load::loaded::Loaded as LoadedFile;
use crate::load::loading::{Wanted, load};
use crate::rdf::vocabulary::EVALGRAPH_FUNCTION;
use crate::sparql::{
    Cancellation, Environment, ExecuteOptions, NamedQueries, Parameter, Query, QueryResults, Services,
};
use crate::store::{Dataset, DefaultGraph, NamedDocument, Snapshot, StoredDocument};
use crate::workspace::sources::sources;
use crate::workspace::stored_document::name_of;

/// Files that were loaded, or one state of a store. Queries can be asked of it from several threads at once. Clones
/// share the data.
#[derive(Debug, Clone)]
pub struct Loaded {
    data: Arc<Data>,
    cancellation: Cancellation,
    /// Who answers SERVICE, where the network may be asked.
    services: Option<Arc<dyn Services>>,
    report: Arc<Report>,
}

#[derive(Debug)]
enum Data {
    /// Files, with their names by their graphs.
    Files { dataset: Box<Dataset>, files: HashMap<String, String> },
    /// One state of a store.
    Stored(Box<Snapshot>),
}

impl Loaded {
    /// Loads the files that the loader's inputs name; without any the store.
    pub(crate) fn read(loader: &Loader, wanted: Wanted, report: &mut Report) -> Result<Self, Failure> {
        let Loader { inputs, loading, .. } = loader;
        if inputs.inputs.is_empty() {
            return Ok(Self::stored(inputs.store.open()?.snapshot()?, loader));
        }
        let loaded = load(sources(inputs, report)?, (inputs, loading), wanted, report)?;
        let file =
            |(file, document): &(LoadedFile, NamedDocument)| (document.graph.clone(), file.name.clone());
        let files = loaded.iter().map(file).collect();
        let documents = loaded.into_iter().map(|(_, document)| document).collect();
        let dataset = Box::new(Dataset::from_documents(documents));
        Ok(Self::of(Data::Files { dataset, files }, loader))
    }

    /// A state of a store.
    pub(super) fn stored(snapshot: Snapshot, loader: &Loader) -> Self {
        Self::of(Data::Stored(Box::new(snapshot)), loader)
    }

    fn of(data: Data, loader: &Loader) -> Self {
        let services = network_services(&loader.loading, loader.inputs.reading.limits);
        let cancellation = loader.cancellation.clone();
        Self { data: Arc::new(data), cancellation, services, report: Arc::default() }
    }

    /// The same data; what is asked of them ends when it is told to.
    #[must_use]
    pub fn cancelled_by(&self, cancellation: Cancellation) -> Self {
        Self { cancellation, ..self.clone() }
    }

    /// Lets go of the texts of terms that queries have read from a store's files, which stay in memory otherwise; what
    /// is asked for again is read again. Gives how many bytes these were: none of files that were loaded, and none
    /// while a clone is in use.
    pub fn let_go(&mut self) -> u64 {
        match Arc::get_mut(&mut self.data) {
            Some(Data::Stored(snapshot)) => snapshot.let_go(),
            _ => 0,
        }
    }

    /// The quads.
    pub fn dataset(&self) -> &Dataset {
        match &*self.data {
            Data::Files { dataset, .. } => dataset,
            Data::Stored(snapshot) => snapshot.dataset(),
        }
    }

    /// Returns what was found while it was loaded: what was changed, what is missing, and which inputs were
    /// left out.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The files by the IRIs of their graphs: as they were named, those of a store as they lie from here.
    ///
    /// # Errors
    ///
    /// A store that is damaged.
    pub fn files(&self) -> Result<HashMap<String, String>, Box<Diagnostic>> {
        match &*self.data {
            Data::Files { files, .. } => Ok(files.clone()),
            Data::Stored(snapshot) => {
                let file = |document: &StoredDocument| {
                    document.entry.source.as_ref()?;
                    Some((document.entry.graph.clone(), name_of(&document.entry)))
                };
                Ok(snapshot.documents()?.iter().filter_map(file).collect())
            }
        }
    }

    /// Asks a query in SPARQL 1.1, with the prefixes that need no declaration, over all graphs as one.
    ///
    /// A result is evaluated as it is read. Queries that nest deep want a stack of some megabytes.
    ///
    /// # Errors
    ///
    /// Where the query is not SPARQL, with line and column, and what its evaluation meets.
    pub fn query(&self, query: &str) -> Result<QueryResults<'_>, Error> {
        self.execute(Query::parse(query, "query")?, ExecuteOptions::default())
    }

    /// Asks one of the named queries that come with evalgraph, with parameters as `NAME=TERM`.
    ///
    /// # Errors
    ///
    /// `sparql::unknown-query` where none has that name, a parameter that it does not have or that is missing, and what
    /// its evaluation meets.
    pub fn named_query(&self, name: &str, parameters: &[&str]) -> Result<QueryResults<'_>, Error> {
        let queries = NamedQueries::built_in()?;
        let named = queries.get(name)?;
        let given: Vec<Parameter> =
            parameters.iter().map(|text| Parameter::parse(text)).collect::<Result<_, _>>()?;
        let query = named.query()?.with_parameters(&given, &named.parameters)?;
        self.execute(query, ExecuteOptions::default())
    }

    /// Evaluates a query that was parsed, with limits.
    ///
    /// # Errors
    ///
    /// What the evaluation meets.
    pub fn execute(&self, query: Query, options: ExecuteOptions) -> Result<QueryResults<'_>, Error> {
        let environment = self.environment(
            &query,
            Environment {
                cancellation: self.cancellation.clone(),
                services: self.services.clone(),
                ..Environment::default()
            },
        )?;
        let view = self.dataset().view(DefaultGraph::Union);
        Ok(query.with_environment(environment).execute(view, options)?)
    }

    /// An environment with what the query asks of the files.
    pub(crate) fn environment(
        &self,
        query: &Query,
        environment: Environment,
    ) -> Result<Environment, Box<Diagnostic>> {
        if !query.mentions(&format!("{EVALGRAPH_FUNCTION}file")) {
            return Ok(environment);
        }
        Ok(Environment { files: Arc::new(self.files()?), ..environment })
    }
}

impl Loader {
    /// Loads inputs into memory, with the entries of the catalog, on all cores.
    ///
    /// # Errors
    ///
    /// Where an input is missing or at fault, with file, line and column; see [`Loader::keep_going`].
    pub fn load<I: Into<String>>(&self, inputs: impl IntoIterator<Item = I>) -> Result<Loaded, Error> {
        let loader = self.reading(inputs)?;
        let (mut loaded, report) =
            loader.reported(|report| Loaded::read(&loader, Wanted::Catalog, report))?;
        loaded.report = Arc::new(report);
        Ok(loaded)
    }
}
