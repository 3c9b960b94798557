//! A store: a folder that contains files and the changes made to them since they were loaded.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::Error;
use super::file_conversion::ConvertedFiles;
use super::file_loader::Loader;
use super::loaded_data::LoadedData;
use super::query_services::network_services;
use crate::convert::conversion::Conversion;
use crate::load::document_loading::DocumentLoading as DocumentsLoader;
use crate::load::large_checkpoint::CheckpointPieces;
use crate::workspace::chosen_store::{FOLDER, create};
use crate::workspace::import::{ImportOptions, StoreImport};
use crate::workspace::oversight::{RunOversight, WritingProcess};
use crate::workspace::quads_change::QuadsChange;
use crate::workspace::repair::{StoreRepairOptions, mend};
use crate::workspace::update_run::UpdateRun;
use evalgraph_diagnostics::{RunFailure, RunReport};
use evalgraph_sparql::{EvaluationEnvironment, QueryResults, Update, UpdateLoader as ReadDocument};
use evalgraph_store::{DocumentEntry, StoreFolder as StoreFiles};

/// A store in a folder `.evalgraph`. Any number of processes may read the store while one changes it.
///
/// Every change updates the catalog. The store keeps the data that are needed to write the files back.
///
/// Other methods are in `file_validation.rs`, `graph_export.rs` and `question_edits.rs`.
#[derive(Debug)]
pub struct Store {
    pub(super) loader: Loader,
    /// The state that the last query saw.
    seen: Option<LoadedData>,
}

impl Store {
    /// Creates an empty store in a folder.
    ///
    /// # Errors
    ///
    /// `store::exists` if the folder already has a store, or if the folder cannot be written.
    pub fn create(folder: impl AsRef<Path>) -> Result<Self, Error> {
        create(folder.as_ref())?;
        Self::open(folder.as_ref().join(FOLDER))
    }

    /// Opens a store, given its own folder or the folder that contains it.
    ///
    /// # Errors
    ///
    /// `store::missing` if there is no store, or if the store is damaged or has another version.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, Error> {
        let mut loader = Loader::new();
        loader.inputs.store.store = Some(folder.into());
        let (_, _) = loader.reported(|_| loader.inputs.store.open())?;
        Ok(Self { loader, seen: None })
    }

    /// Uses this loader to read files from now on.
    #[must_use]
    pub fn with_loader(mut self, loader: Loader) -> Self {
        let store = self.loader.inputs.store;
        self.loader = loader;
        self.loader.inputs.store = store;
        self
    }

    /// Returns the loader, which finds the lines of what is in the store.
    pub fn loader(&self) -> &Loader {
        &self.loader
    }

    /// Loads the inputs that are new or have changed, all or nothing. The report says how many.
    ///
    /// # Errors
    ///
    /// The errors of [`Loader::load`]; `store::edited` if an update has changed the graph of such a file; and an error
    /// if the store cannot be written.
    pub fn load<I: Into<String>>(&mut self, inputs: impl IntoIterator<Item = I>) -> Result<RunReport, Error> {
        let loader = self.loader.reading(inputs)?;
        let work = |report: &mut RunReport| {
            let store = loader.inputs.store.open_store()?;
            let session = loader.session()?.noting_contexts().for_store(CheckpointPieces::default());
            let writer = writer(&loader);
            let documents =
                DocumentsLoader::new(&loader.inputs, &session, loader.loading.plain, report.shows_all());
            let options = ImportOptions::default();
            let mut import = StoreImport::begin(&store, &writer, documents, &loader.loading, options)?;
            import.files(report)?;
            import.commit(report)
        };
        Ok(loader.reported(work)?.1)
    }

    /// Runs a SPARQL 1.1 update, all or nothing. The report says how many quads were added and removed.
    ///
    /// # Errors
    ///
    /// If the update is not valid SPARQL (with line and column), if its evaluation fails, or if the store cannot be
    /// written.
    pub fn update(&mut self, update: &str) -> Result<RunReport, Error> {
        let update = Update::parse(update, "update")?.with_environment(update_environment(&self.loader));
        let loader = &self.loader;
        let work = |report: &mut RunReport| {
            let change =
                StoreUpdate { update: &update, graph: None, read: None, oversight: &loader.cancellation };
            change.make(loader, loader.inputs.store.wait, report)
        };
        Ok(loader.reported(work)?.1)
    }

    /// Adds and removes quads, all or nothing. A blank node with a label that a snapshot of the store has is that node.
    /// Returns the labels that the others have in the store from then on.
    ///
    /// ```
    /// use oxrdf::{BlankNode, NamedNode, Quad};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let mut store = evalgraph::Store::create(folder.path())?;
    /// let [property, graph] = ["urn:p", "urn:g"].map(NamedNode::new_unchecked);
    /// let node = BlankNode::new_unchecked("mine");
    /// let added = vec![Quad::new(node.clone(), property.clone(), node, graph.clone())];
    /// let labels = store.change_quads(&evalgraph::QuadsChange { added, removed: Vec::new() })?;
    /// let node = BlankNode::new_unchecked(&labels["mine"]);
    /// let removed = vec![Quad::new(node.clone(), property, node, graph)];
    /// store.change_quads(&evalgraph::QuadsChange { added: Vec::new(), removed })?;
    /// assert_eq!(store.snapshot()?.dataset().quads_of_data().count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `sparql::protected-graph` for a graph that the store makes itself, and an error if the store cannot be written.
    pub fn change_quads(&mut self, change: &QuadsChange) -> Result<BTreeMap<String, String>, Error> {
        let loader = &self.loader;
        let work = |report: &mut RunReport| {
            let store = loader.inputs.store.open_store()?;
            let session = loader.session()?;
            let documents =
                DocumentsLoader::new(&loader.inputs, &session, loader.loading.plain, report.shows_all());
            change.in_store(&store, &documents, &writer(loader), report)
        };
        Ok(loader.reported(work)?.0)
    }

    /// Evaluates a query on the current state of the store; see [`LoadedData::query`].
    ///
    /// # Errors
    ///
    /// The errors of [`LoadedData::query`], and an error if the store cannot be read.
    pub fn query(&mut self, query: &str) -> Result<QueryResults<'_>, Error> {
        let seen = self.snapshot()?;
        self.seen.insert(seen).query(query)
    }

    /// Returns the current state of the store, for any number of queries.
    ///
    /// # Errors
    ///
    /// If the store is damaged or cannot be read.
    pub fn snapshot(&self) -> Result<LoadedData, Error> {
        let snapshot = self.files()?.snapshot()?;
        Ok(LoadedData::stored(snapshot, &self.loader))
    }

    /// Returns the documents in the order in which they were first loaded.
    ///
    /// # Errors
    ///
    /// If the store is damaged or cannot be read.
    pub fn documents(&self) -> Result<Vec<DocumentEntry>, Error> {
        Ok(self.files()?.documents()?.into_iter().map(|document| document.entry).collect())
    }

    /// Converts all documents; see [`convert`](super::convert).
    ///
    /// # Errors
    ///
    /// The errors of [`convert`](super::convert).
    pub fn convert(&self, conversion: impl Into<Conversion>) -> Result<ConvertedFiles, Error> {
        self.loader.convert_inputs(&conversion.into())
    }

    /// Restores damaged documents from the text that the store has kept, or from their files. The report gives the
    /// result for each. If `compacts` is set, all graphs are written again, which makes the store smaller: terms that
    /// no graph uses are dropped.
    ///
    /// # Errors
    ///
    /// `store::lost-graph` if all graphs have to be written again and one cannot be read; and an error if the store
    /// cannot be written.
    pub fn repair(&mut self, compacts: bool) -> Result<RunReport, Error> {
        let loader = &self.loader;
        let work = |report: &mut RunReport| {
            let store = loader.inputs.store.open_store()?;
            let writer = writer(loader);
            let repair = writer.begin_repair(&store)?;
            let mending = StoreRepairOptions {
                compacts,
                store: &loader.inputs.store,
                clock: loader.inputs.clock,
                iris: &loader.loading.iris,
                json_ld: &loader.loading.json_ld,
            };
            mend(&store, repair, mending, &writer, report)
        };
        Ok(loader.reported(work)?.1)
    }

    fn files(&self) -> Result<StoreFiles, Error> {
        let (store, _) = self.loader.reported(|_| self.loader.inputs.store.open())?;
        Ok(store)
    }
}

/// An update of a store.
pub struct StoreUpdate<'u> {
    /// The update.
    pub update: &'u Update,
    /// The graph into which quads without a graph are inserted. Default: the graph of the only document.
    pub graph: Option<&'u str>,
    /// Reads the documents that LOAD names, if the loader may not.
    pub read: Option<&'u ReadDocument<'u>>,
    /// Oversees the run.
    pub oversight: &'u dyn RunOversight,
}

impl StoreUpdate<'_> {
    /// Changes the store of a loader, all or nothing. Waits up to `patience` for another change to end.
    ///
    /// # Errors
    ///
    /// The errors of the update and of the store.
    pub fn make(
        &self,
        loader: &Loader,
        patience: Duration,
        report: &mut RunReport,
    ) -> Result<(), RunFailure> {
        let store = loader.inputs.store.open()?.waiting(patience);
        let session = loader.session()?;
        let documents =
            DocumentsLoader::new(&loader.inputs, &session, loader.loading.plain, report.shows_all());
        let Self { update, graph, read, oversight } = *self;
        let run = UpdateRun { update, graph, loader: &documents, read };
        run.in_store(&store, &WritingProcess { oversight, ..writer(loader) }, report)
    }
}

/// Returns the environment of an update.
pub(super) fn update_environment(loader: &Loader) -> EvaluationEnvironment {
    EvaluationEnvironment {
        cancellation: loader.cancellation.clone(),
        services: network_services(&loader.loading, loader.inputs.reading.limits),
        ..EvaluationEnvironment::default()
    }
}

/// Returns the writer that lets this process change a store.
pub(super) fn writer(loader: &Loader) -> WritingProcess<'_> {
    let who = format!("process {}", std::process::id());
    WritingProcess { who, oversight: &loader.cancellation, is_dry: false }
}
