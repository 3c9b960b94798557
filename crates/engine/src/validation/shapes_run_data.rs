//! The data of a run: files, or the state of a store.

use std::collections::BTreeSet;

use oxrdf::{NamedNodeRef, Term};

use super::document_places::{ReadDocuments, RereadOptions, WantedTerm};
use crate::input::source::InputSource;
use crate::load::loaded_document_facts::LoadedDocumentFacts;
use evalgraph_diagnostics::SourcePlace;
use evalgraph_store::{
    Dataset, DatasetView, DefaultGraph, DocumentBuilder, NamedDocument, StoreFolder, StoreSnapshot,
};

/// The property with which data name the shapes that apply to them (SHACL, section 3.1).
const SHAPES_GRAPH: NamedNodeRef<'_> = NamedNodeRef::new_unchecked("http://www.w3.org/ns/shacl#shapesGraph");

/// Documents before a dataset is built from them. Some of their graphs may contain shapes.
pub enum ShapesRunDocuments {
    Files { sources: Vec<InputSource>, loaded: Vec<(LoadedDocumentFacts, NamedDocument)> },
    Stored(Box<(StoreFolder, StoreSnapshot)>),
}

/// A graph of the data, with the file that contains it and the name of its dataset.
pub(crate) struct FoundGraph<'d> {
    pub(super) builder: DocumentBuilder,
    pub(super) file: Option<(&'d InputSource, &'d str)>,
}

impl ShapesRunDocuments {
    /// The graphs with a name, one from each file that contains it.
    pub(super) fn graphs(&self, name: &str) -> Vec<FoundGraph<'_>> {
        let iri = NamedNodeRef::new_unchecked(name);
        match self {
            Self::Files { sources, loaded } => {
                let found = loaded.iter().filter_map(|(file, NamedDocument { graph, builder })| {
                    let id = if graph == name { None } else { Some(builder.dictionary().find(iri.into())?) };
                    builder.quads().any(|quad| quad.graph == id).then_some(())?;
                    let source = sources.iter().find(|source| source.name() == file.name);
                    let file = source.map(|source| (source, &*file.dataset));
                    Some(FoundGraph { builder: builder.of_graph(id), file })
                });
                found.collect()
            }
            Self::Stored(stored) => {
                let dataset = stored.1.dataset();
                let graph = dataset.dictionary().find(iri.into());
                let Some(graph) = graph.filter(|graph| dataset.graph_quad_count(*graph) > 0) else {
                    return Vec::new();
                };
                let mut builder = DocumentBuilder::new();
                dataset.dictionary().copy_into(dataset.graph_quads(graph), &mut builder);
                vec![FoundGraph { builder, file: None }]
            }
        }
    }

    /// The shapes graphs that the data name.
    pub(super) fn shapes_graphs(&self) -> BTreeSet<String> {
        let iri = |term: Term| match term {
            Term::NamedNode(node) => Some(node.into_string()),
            _ => None,
        };
        match self {
            Self::Files { loaded, .. } => {
                let of_file = |(_, NamedDocument { builder, .. }): &(LoadedDocumentFacts, NamedDocument)| {
                    let dictionary = builder.dictionary();
                    let predicate = dictionary.find(SHAPES_GRAPH.into());
                    let quads = builder.quads().filter(|quad| Some(quad.predicate) == predicate);
                    quads.filter_map(|quad| iri(dictionary.term(quad.object))).collect::<Vec<_>>()
                };
                loaded.iter().flat_map(of_file).collect()
            }
            Self::Stored(stored) => {
                let dataset = stored.1.dataset();
                let Some(predicate) = dataset.dictionary().find(SHAPES_GRAPH.into()) else {
                    return BTreeSet::new();
                };
                let view = dataset.view(DefaultGraph::Union);
                let triples = view.default_triples(None, Some(predicate), None);
                triples.filter_map(|[_, _, object]| iri(dataset.dictionary().term(object))).collect()
            }
        }
    }

    /// The union of the documents. For files, one more document can be added.
    pub(super) fn into_data(self, beside: Option<NamedDocument>) -> ShapesRunData {
        let mut read = ReadDocuments::default();
        let quads = match self {
            Self::Files { sources, loaded } => {
                read.add(&sources, &loaded);
                let documents = loaded.into_iter().map(|(_, document)| document).chain(beside).collect();
                ShapesRunQuads::Files(Box::new(Dataset::from_documents(documents)))
            }
            Self::Stored(stored) => ShapesRunQuads::Stored(stored),
        };
        ShapesRunData { quads, read }
    }
}

/// The data of a run, with everything needed to find places in its files.
pub(super) struct ShapesRunData {
    quads: ShapesRunQuads,
    read: ReadDocuments<'static>,
}

enum ShapesRunQuads {
    Files(Box<Dataset>),
    Stored(Box<(StoreFolder, StoreSnapshot)>),
}

impl ShapesRunData {
    pub(super) fn dataset(&self) -> &Dataset {
        match &self.quads {
            ShapesRunQuads::Files(dataset) => dataset,
            ShapesRunQuads::Stored(stored) => stored.1.dataset(),
        }
    }

    /// The places of statements and nodes in the documents; see [`ReadDocuments::places`].
    pub(super) fn places(
        &self,
        view: &DatasetView<'_>,
        again: RereadOptions<'_>,
        wanted: &[Vec<WantedTerm>],
    ) -> Vec<Option<SourcePlace>> {
        match &self.quads {
            ShapesRunQuads::Files(dataset) => self.read.places(dataset, view, again, wanted),
            // The list of documents is read only when it is needed.
            ShapesRunQuads::Stored(_) if wanted.is_empty() => Vec::new(),
            ShapesRunQuads::Stored(stored) => {
                let (store, snapshot) = &**stored;
                ReadDocuments::of_store(store, snapshot).places(snapshot.dataset(), view, again, wanted)
            }
        }
    }
}
