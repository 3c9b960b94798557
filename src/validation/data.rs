//! The data of a run: a dataset of the files that were read, or the state of a store.

use super::places::ReadDocuments;
use crate::input::source::InputSource;
use crate::load::loaded::Loaded;
use crate::store::{Dataset, NamedDocument, Snapshot};

/// The data of a run, with what it takes to find places in its files.
pub(super) struct Data {
    quads: Quads,
    pub(super) read: ReadDocuments,
}

enum Quads {
    Files(Box<Dataset>),
    Stored(Box<Snapshot>),
}

impl Data {
    /// The union of files, with a document beside them.
    pub(super) fn of_files(
        sources: &[InputSource],
        loaded: Vec<(Loaded, NamedDocument)>,
        beside: Option<NamedDocument>,
    ) -> Self {
        let mut read = ReadDocuments::default();
        read.add(sources, &loaded);
        let documents = loaded.into_iter().map(|(_, document)| document).chain(beside).collect();
        Self { quads: Quads::Files(Box::new(Dataset::from_documents(documents))), read }
    }

    /// The documents of a store, which have no places.
    pub(super) fn of_store(snapshot: Snapshot) -> Self {
        Self { quads: Quads::Stored(Box::new(snapshot)), read: ReadDocuments::default() }
    }

    pub(super) fn dataset(&self) -> &Dataset {
        match &self.quads {
            Quads::Files(dataset) => dataset,
            Quads::Stored(snapshot) => snapshot.dataset(),
        }
    }
}
