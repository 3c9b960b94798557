//! Loaded files with their states, whose catalog is read when a query asks about it: most never do, and it takes most of the time of loading.

use std::sync::{Arc, OnceLock};

use evalgraph::diagnostic::Diagnostic;
use evalgraph::rdf::minted::CATALOG_GRAPH;
use evalgraph::sparql::{CancellationToken, Query};
use evalgraph::{Error, LoadedData, Loader};

use crate::read_options::InputsRead;

/// The data of a dataset.
pub(crate) struct CataloguedData {
    loaded: LoadedData,
    /// The states of the files when they were read.
    states: Vec<String>,
    /// What to read again for the catalog; `None` if the data have it.
    catalog: Option<UnreadCatalog>,
}

struct UnreadCatalog {
    inputs: Arc<InputsRead>,
    read: OnceLock<LoadedData>,
}

impl CataloguedData {
    /// Loads inputs. What cannot be read again is loaded with its catalog.
    ///
    /// # Errors
    ///
    /// The errors of the loader.
    pub(crate) fn read(inputs: Arc<InputsRead>, cancellation: CancellationToken) -> Result<Self, Error> {
        let loader = inputs.loader.reading_anew().cancelled_by(cancellation);
        let names = || inputs.names.iter().cloned();
        if inputs.names.iter().any(|name| name == "-" || name.contains("://")) {
            let loaded = loader.load(names())?;
            return Ok(Self { states: states_of(&loader), ..Self::from_complete(loaded) });
        }
        let loaded = loader.clone().without_catalog().load(names())?;
        let states = states_of(&loader);
        Ok(Self { loaded, states, catalog: Some(UnreadCatalog { inputs, read: OnceLock::new() }) })
    }

    /// Data that have their catalog.
    pub(crate) fn from_complete(loaded: LoadedData) -> Self {
        Self { loaded, states: Vec::new(), catalog: None }
    }

    /// The states of the files when they were read: different texts for different content.
    pub(crate) fn states(&self) -> &[String] {
        &self.states
    }

    /// Fails unless the files had these states when they were read.
    ///
    /// # Errors
    ///
    /// `input::changed`.
    pub(crate) fn check(&self, states: &[String]) -> Result<(), Error> {
        if self.states == states { Ok(()) } else { Err(changed()) }
    }

    /// Fails if a loader has read one of the files again, and it had changed.
    ///
    /// # Errors
    ///
    /// `input::changed`.
    pub(crate) fn check_again(&self, loader: &Loader) -> Result<(), Error> {
        let is_same = states_of(loader).iter().all(|state| self.states.contains(state));
        if is_same { Ok(()) } else { Err(changed()) }
    }

    /// Returns the data without their catalog.
    pub(crate) fn loaded(&self) -> &LoadedData {
        &self.loaded
    }

    /// Returns the data for a query, with their catalog if the query mentions it.
    ///
    /// # Errors
    ///
    /// The errors of the loader, and `input::changed` if a file has changed since it was read.
    pub(crate) fn for_query(
        &self,
        query: &Query,
        cancellation: CancellationToken,
    ) -> Result<&LoadedData, Error> {
        let Some(catalog) = self.catalog.as_ref().filter(|_| query.mentions(CATALOG_GRAPH)) else {
            return Ok(&self.loaded);
        };
        if let Some(read) = catalog.read.get() {
            return Ok(read);
        }
        let loader = catalog.inputs.loader.reading_anew().cancelled_by(cancellation);
        let read = loader.load(catalog.inputs.names.iter().cloned())?;
        self.check(&states_of(&loader))?;
        Ok(catalog.read.get_or_init(|| read))
    }
}

fn changed() -> Error {
    let changed = Diagnostic::error("input::changed", "a file has changed since the dataset was read");
    Box::new(changed.with_help("read the files again")).into()
}

/// The files that a loader has read, with their sizes and times.
fn states_of(loader: &Loader) -> Vec<String> {
    let mut states: Vec<String> = loader.files_read().iter().map(|state| format!("{state:?}")).collect();
    states.sort_unstable();
    states.dedup();
    states
}
