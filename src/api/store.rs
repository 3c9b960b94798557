//! A store: files and what was changed in them since, in one folder.

use std::path::{Path, PathBuf};

use super::converting::ConvertedFiles;
use super::error::Error;
use super::loaded::Loaded;
use super::loader::Loader;
use super::services::network_services;
use crate::convert::conversion::Conversion;
use crate::diagnostic::Report;
use crate::load::loader::Loader as DocumentsLoader;
use crate::sparql::{Environment, QueryResults, Update};
use crate::store::{DocumentEntry, Store as StoreFiles};
use crate::workspace::import::{Import, ImportOptions};
use crate::workspace::oversight::Writer;
use crate::workspace::repair::{Mending, mend};
use crate::workspace::store::{FOLDER, create};
use crate::workspace::update::UpdateRun;

/// A store in a folder `.evalgraph`, which any number of processes may read while one changes it.
///
/// Every change keeps the catalog and what the files need to be written back.
#[derive(Debug)]
pub struct Store {
    pub(super) loader: Loader,
    /// The state that the last query has seen.
    seen: Option<Loaded>,
}

impl Store {
    /// Makes an empty store in a folder.
    ///
    /// # Errors
    ///
    /// `store::exists` where there is one, and where the folder cannot be written.
    pub fn create(folder: impl AsRef<Path>) -> Result<Self, Error> {
        create(folder.as_ref())?;
        Self::open(folder.as_ref().join(FOLDER))
    }

    /// Opens a store: its folder, or the one that it is in.
    ///
    /// # Errors
    ///
    /// `store::missing` where there is none, and a store that is damaged or of another version.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, Error> {
        let mut loader = Loader::new();
        loader.inputs.store.store = Some(folder.into());
        let (_, _) = loader.reported(|_| loader.inputs.store.open())?;
        Ok(Self { loader, seen: None })
    }

    /// Reads files by this loader from now on.
    #[must_use]
    pub fn with_loader(mut self, loader: Loader) -> Self {
        let store = self.loader.inputs.store;
        self.loader = loader;
        self.loader.inputs.store = store;
        self
    }

    /// Loads inputs that are not in the store as they are, all or nothing; the report says how many.
    ///
    /// # Errors
    ///
    /// As [`Loader::load`], `store::edited` where an update has changed what was read from a file, and where the store
    /// cannot be written.
    pub fn load<I: Into<String>>(&mut self, inputs: impl IntoIterator<Item = I>) -> Result<Report, Error> {
        let loader = self.loader.reading(inputs)?;
        let work = |report: &mut Report| {
            let store = loader.inputs.store.open_store()?;
            let json_ld = loader.json_ld()?.noting_contexts();
            let writer = writer(&loader);
            let how = (&loader.inputs, &loader.loading, &json_ld);
            let mut import = Import::begin((&store, &writer), how, ImportOptions::default(), report)?;
            import.files(report)?;
            import.commit(report)
        };
        Ok(loader.reported(work)?.1)
    }

    /// Makes a SPARQL 1.1 update, all or nothing; the report says how many quads came and went.
    ///
    /// # Errors
    ///
    /// Where the update is not SPARQL, with line and column, what its evaluation meets, and where the store cannot be
    /// written.
    pub fn update(&mut self, update: &str) -> Result<Report, Error> {
        let update = Update::parse(update, "update")?.with_environment(update_environment(&self.loader));
        let loader = &self.loader;
        let work = |report: &mut Report| {
            let store = loader.inputs.store.open()?;
            let json_ld = loader.json_ld()?;
            let documents =
                DocumentsLoader::new(&loader.inputs, &json_ld, loader.loading.plain, report.shows_all());
            let run = UpdateRun { update: &update, graph: None, loader: &documents };
            run.in_store(&store, &writer(loader), report)
        };
        Ok(loader.reported(work)?.1)
    }

    /// Asks a query of the store as it is now; see [`Loaded::query`].
    ///
    /// # Errors
    ///
    /// As [`Loaded::query`], and a store that cannot be read.
    pub fn query(&mut self, query: &str) -> Result<QueryResults<'_>, Error> {
        let seen = self.snapshot()?;
        self.seen.insert(seen).query(query)
    }

    /// The store as it is now, for any number of queries.
    ///
    /// # Errors
    ///
    /// A store that is damaged or cannot be read.
    pub fn snapshot(&self) -> Result<Loaded, Error> {
        let snapshot = self.files()?.snapshot()?;
        Ok(Loaded::stored(snapshot, &self.loader))
    }

    /// The documents, in the order in which they were first loaded.
    ///
    /// # Errors
    ///
    /// A store that is damaged or cannot be read.
    pub fn documents(&self) -> Result<Vec<DocumentEntry>, Error> {
        Ok(self.files()?.documents()?.into_iter().map(|document| document.entry).collect())
    }

    /// Converts all documents; see [`convert`](super::convert).
    ///
    /// # Errors
    ///
    /// As [`convert`](super::convert).
    pub fn convert(&self, conversion: impl Into<Conversion>) -> Result<ConvertedFiles, Error> {
        self.loader.convert_inputs(&conversion.into())
    }

    /// Puts documents that are damaged into the store again, from the text that it has kept of them or from their
    /// files; the report says of each what became of it. Where all graphs are to be written anew, too, the store is
    /// smaller afterwards: it has no terms any more that no graph has.
    ///
    /// # Errors
    ///
    /// `store::lost-graph` where all graphs have to be written anew and one cannot be read, and where the store cannot
    /// be written.
    pub fn repair(&mut self, compacts: bool) -> Result<Report, Error> {
        let loader = &self.loader;
        let work = |report: &mut Report| {
            let store = loader.inputs.store.open_store()?;
            let writer = writer(loader);
            let repair = writer.begin_repair(&store)?;
            let mending = Mending {
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

/// Returns what an update has around it.
pub(super) fn update_environment(loader: &Loader) -> Environment {
    Environment {
        cancellation: loader.cancellation.clone(),
        services: network_services(&loader.loading, loader.inputs.reading.limits),
        ..Environment::default()
    }
}

/// This process as the one that changes a store.
pub(super) fn writer(loader: &Loader) -> Writer<'_> {
    let who = format!("process {}", std::process::id());
    Writer { who, oversight: &loader.cancellation, is_dry: false }
}
