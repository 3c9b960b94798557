//! The documents of a store as a change will leave them, and the files that small documents share.

use std::collections::HashMap;
use std::fmt;

use super::kept_source::TextsWriter;
use super::manifest::StoredDocument;
use super::pack::PackWriter;
use super::store_location::{FileRef, StoreLocation};

/// Documents in their order, found by their graphs.
#[derive(Debug, Default)]
pub(super) struct ComingDocuments {
    list: Vec<Option<StoredDocument>>,
    by_graph: HashMap<String, usize>,
    /// How many documents of the list were removed.
    gone: usize,
}

impl ComingDocuments {
    pub(super) fn new(documents: &[StoredDocument]) -> Self {
        let by_graph = documents.iter().map(|document| document.entry.graph.clone()).zip(0..).collect();
        Self { list: documents.iter().cloned().map(Some).collect(), by_graph, gone: 0 }
    }

    pub(super) fn get(&self, graph: &str) -> Option<&StoredDocument> {
        self.at(*self.by_graph.get(graph)?)
    }

    /// How many documents the list has, removed ones included.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn at(&self, at: usize) -> Option<&StoredDocument> {
        self.list.get(at)?.as_ref()
    }

    /// The documents by their places.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &StoredDocument)> {
        (0..).zip(self.list.iter().flatten())
    }

    /// The position in the order that the document of a graph has or will get.
    pub(super) fn place_of(&self, graph: &str) -> usize {
        self.by_graph.get(graph).copied().unwrap_or(self.list.len() - self.gone)
    }

    /// Adds a document, or replaces the one with the same graph.
    pub(super) fn put(&mut self, document: StoredDocument) {
        match self.by_graph.get(&document.entry.graph) {
            Some(at) => self.list[*at] = Some(document),
            None => {
                self.by_graph.insert(document.entry.graph.clone(), self.list.len());
                self.list.push(Some(document));
            }
        }
    }

    pub(super) fn remove(&mut self, graph: &str) {
        if let Some(at) = self.by_graph.remove(graph) {
            self.list[at] = None;
            self.gone += 1;
        }
    }

    /// Records new places of the graphs and of the kept text of a document.
    pub(super) fn move_to(&mut self, at: usize, graphs: Option<StoreLocation>, kept: Option<StoreLocation>) {
        let Some(Some(document)) = self.list.get_mut(at) else { return };
        if let Some(graphs) = graphs {
            document.graphs = graphs;
        }
        if let Some(kept) = kept {
            document.kept = Some(kept);
        }
    }

    pub(super) fn into_list(self) -> Vec<StoredDocument> {
        self.list.into_iter().flatten().collect()
    }
}

/// The files that documents of a change share, while they are being written.
#[derive(Default)]
pub(super) struct SharedFileWriters {
    pub(super) graphs: Option<(FileRef, PackWriter)>,
    pub(super) texts: Option<(FileRef, TextsWriter)>,
}

impl fmt::Debug for SharedFileWriters {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SharedFiles").finish_non_exhaustive()
    }
}

impl SharedFileWriters {
    pub(super) fn graphs_name(&self) -> Option<String> {
        self.graphs.as_ref().map(|(file, _)| file.name().to_owned())
    }

    pub(super) fn texts_name(&self) -> Option<String> {
        self.texts.as_ref().map(|(file, _)| file.name().to_owned())
    }
}
