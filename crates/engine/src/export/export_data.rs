//! The quads of an export: those of loaded files, or those of one state of a store.

use std::collections::BTreeSet;

use oxrdf::NamedNodeRef;

use super::choice::GraphChoice;
use crate::input::input_options::RunInputs;
use crate::load::document_loading::DocumentLoading;
use crate::load::quads::{CompanionGraph, load_quads};
use crate::load::read_session::ReadSession;
use crate::workspace::chosen_store::{document_named, no_graph_of_files};
use crate::workspace::command_sources::sources;
use crate::workspace::revision_editor::kept_sidecar;
use evalgraph_diagnostics::{RunFailure, RunReport};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::minted::{CATALOG_GRAPH, document_graph, is_beside_documents, is_sidecar};
use evalgraph_store::{
    Dataset, DocumentBuilder, DocumentGraph, NamedDocument, RdfTermKind, StoreEdits, StoreFolder,
    StoreSnapshot, StoredDocument, TermDictionary, TermId,
};

/// How many bytes of text from a store's files may be in memory.
const MOST_TEXT: u64 = 64 << 20;

/// How many quads are generated for sidecars at a time, and how many bytes of text they may need. One sidecar may
/// exceed this.
const SIDECAR_QUADS: usize = 200_000;
const SIDECAR_TEXT: usize = 32 << 20;

/// The quads of an export.
pub enum ExportData<'e> {
    /// The quads of loaded files.
    Loaded(Box<Dataset>),
    /// The quads of a store. Texts are read from a second snapshot, so they can be freed while quads are read from the
    /// first.
    Stored {
        /// The store.
        store: StoreFolder,
        /// The snapshot that quads are read from.
        quads: Box<StoreSnapshot>,
        /// A snapshot of the same state, from which the texts of terms are read.
        texts: Box<StoreSnapshot>,
        /// Loads documents from the texts that the store keeps.
        loader: DocumentLoading<'e>,
    },
}

/// A part of an export: graphs, and those of their sidecars that the store does not contain.
pub(super) struct ExportPart<'p> {
    pub(super) dataset: &'p Dataset,
    pub(super) texts: ExportTerms<'p>,
    pub(super) graphs: Vec<TermId>,
    /// Sorted and without duplicate triples.
    pub(super) sidecars: Vec<DocumentGraph>,
    /// The terms of the sidecars. They include the terms of the sidecars' graph names.
    pub(super) terms: &'p TermDictionary,
    /// `true` if there are no other parts.
    #[cfg_attr(not(feature = "net"), allow(dead_code))]
    pub(super) is_whole: bool,
}

/// The terms of an export. Only a few of their texts are in memory at a time.
pub(super) enum ExportTerms<'t> {
    Loaded(&'t TermDictionary),
    Stored(&'t mut StoreSnapshot),
}

impl<'e> ExportData<'e> {
    /// Loads each input into its graph. Without inputs, opens the store.
    ///
    /// # Errors
    ///
    /// Fails if an input or the store is faulty.
    pub fn read(
        inputs: &'e RunInputs,
        session: &'e ReadSession,
        with: &[CompanionGraph],
        report: &mut RunReport,
    ) -> Result<Self, RunFailure> {
        let loader = DocumentLoading::new(inputs, session, false, report.shows_all());
        if inputs.inputs.is_empty() {
            return Self::of_store(inputs.store.open()?, loader);
        }
        let quads = load_quads(&loader, sources(inputs, report)?, None, with, report)?;
        Ok(Self::of_files(&quads))
    }

    /// The quads of loaded files.
    fn of_files(quads: &QuadBuffer) -> Self {
        let mut builder = DocumentBuilder::new();
        quads.copy_into(&mut builder);
        // Loading has put every quad into a named graph, so this one stays empty.
        let document = NamedDocument { graph: CATALOG_GRAPH.to_owned(), builder };
        Self::Loaded(Box::new(Dataset::from_documents(vec![document])))
    }

    /// The quads of a store in its current state.
    ///
    /// # Errors
    ///
    /// Fails if files are damaged or cannot be read.
    fn of_store(store: StoreFolder, loader: DocumentLoading<'e>) -> Result<Self, RunFailure> {
        loop {
            let (quads, texts) = (store.snapshot()?, store.snapshot()?);
            // Opening is faster than a change, but a change in between may have renumbered the terms.
            if quads.generation() == texts.generation() {
                return Ok(Self::Stored { store, quads: Box::new(quads), texts: Box::new(texts), loader });
            }
        }
    }

    /// The quads.
    pub fn dataset(&self) -> &Dataset {
        match self {
            Self::Loaded(dataset) => dataset,
            Self::Stored { quads, .. } => quads.dataset(),
        }
    }

    /// How many quads these graphs have.
    pub(super) fn quad_count(&self, graphs: &[TermId]) -> u64 {
        graphs.iter().map(|graph| self.dataset().graph_quad_count(*graph) as u64).sum()
    }

    /// The quads, and the terms to write them with.
    pub(super) fn quads_and_texts(&mut self) -> (&Dataset, ExportTerms<'_>) {
        match self {
            Self::Loaded(dataset) => (dataset, ExportTerms::Loaded(dataset.dictionary())),
            Self::Stored { quads, texts, .. } => (quads.dataset(), ExportTerms::Stored(&mut *texts)),
        }
    }

    /// The chosen graphs, in order of first appearance.
    ///
    /// # Errors
    ///
    /// `store::unknown-graph` if a name matches no graph.
    pub fn graphs(&mut self, choice: &GraphChoice) -> Result<Vec<TermId>, RunFailure> {
        let mut graphs: Vec<TermId> = match choice.names.as_slice() {
            [] => self.dataset().graphs().collect(),
            names => {
                let graphs = names.iter().map(|name| self.named(name)).collect::<Result<Vec<_>, _>>()?;
                graphs.into_iter().flatten().collect()
            }
        };
        graphs.sort_unstable();
        graphs.dedup();
        let (_, mut texts) = self.quads_and_texts();
        graphs.retain(|graph| {
            texts.bound();
            let terms = texts.terms();
            match terms.lexical(*graph) {
                _ if terms.kind(*graph) != RdfTermKind::Iri => true,
                CATALOG_GRAPH => choice.with.contains(&CompanionGraph::Catalog),
                iri if is_sidecar(iri) => choice.with.contains(&CompanionGraph::Sidecar),
                iri => !is_beside_documents(iri),
            }
        });
        texts.check()?;
        Ok(graphs)
    }

    /// Passes the export to `take` in parts. A sidecar comes with the graphs of its document, because it refers to
    /// their blank nodes. The store contains no sidecar for a document that no update has changed; these sidecars are
    /// generated from the texts that the store keeps, as many at a time as memory allows. Graphs that belong to no such
    /// document, such as the catalog, are in the last part.
    ///
    /// # Errors
    ///
    /// Fails if a store is damaged, and with the errors of `take`.
    pub(super) fn each_part(
        &mut self,
        choice: &GraphChoice,
        graphs: &[TermId],
        report: &mut RunReport,
        mut take: impl FnMut(ExportPart<'_>) -> Result<(), RunFailure>,
    ) -> Result<(), RunFailure> {
        let Self::Stored { store, quads, texts, loader } = self else {
            let (dataset, texts) = self.quads_and_texts();
            return take(ExportPart::whole(dataset, texts, graphs));
        };
        if !choice.with.contains(&CompanionGraph::Sidecar) {
            return take(ExportPart::whole(quads.dataset(), ExportTerms::Stored(&mut *texts), graphs));
        }
        let catalog = quads.dataset().dictionary().find(NamedNodeRef::new_unchecked(CATALOG_GRAPH).into());
        let mut left: BTreeSet<TermId> = graphs.iter().copied().collect();
        let mut documents = of_choice(quads.documents()?, choice).into_iter().peekable();
        let mut is_first = true;
        loop {
            let mut edits = StoreEdits::none_of(quads.dataset());
            let (mut graphs, mut sidecars, mut count) = (Vec::new(), Vec::new(), 0);
            for at in documents.by_ref() {
                let document = &quads.documents()?[at];
                let Some(mut sidecar) = kept_sidecar(loader, store, document, &mut edits, report)? else {
                    continue;
                };
                // A newly generated sidecar may contain a triple twice.
                sidecar.triples.sort_unstable();
                sidecar.triples.dedup();
                count += sidecar.triples.len();
                sidecars.push(sidecar);
                // The catalog has triples about every document, so it belongs to none of them.
                let own = store.graph_names_of(document)?.into_iter().filter(|graph| Some(*graph) != catalog);
                graphs.extend(own.filter(|graph| left.remove(graph)));
                let text = edits.dictionary().text_bytes();
                if count >= SIDECAR_QUADS || text >= SIDECAR_TEXT || quads.kept() >= MOST_TEXT {
                    break;
                }
            }
            let is_last = documents.peek().is_none();
            if is_last {
                graphs.extend(std::mem::take(&mut left));
            }
            graphs.sort_unstable();
            let is_whole = is_first && is_last;
            let (dataset, texts) = (quads.dataset(), ExportTerms::Stored(&mut *texts));
            take(ExportPart { dataset, texts, graphs, sidecars, terms: edits.dictionary(), is_whole })?;
            check(quads.dataset())?;
            drop(edits);
            quads.let_go();
            if is_last {
                return Ok(());
            }
            is_first = false;
        }
    }

    /// The graphs that a name matches.
    fn named(&self, name: &str) -> Result<Vec<TermId>, RunFailure> {
        let dataset = self.dataset();
        let graph = |iri: &str| {
            let graph = dataset.dictionary().find(NamedNodeRef::new_unchecked(iri).into())?;
            (dataset.graph_quad_count(graph) > 0).then_some(graph)
        };
        match self {
            Self::Stored { store, quads, .. } => match document_named(quads.documents()?, name) {
                Ok(document) => Ok(store.graph_names_of(document)?),
                Err(fault) => graph(name).map(|graph| vec![graph]).ok_or(fault),
            },
            Self::Loaded(_) => {
                let graph = graph(name).or_else(|| graph(&document_graph(name, None)));
                graph.map(|graph| vec![graph]).ok_or_else(|| no_graph_of_files(name).into())
            }
        }
    }
}

impl<'p> ExportPart<'p> {
    fn whole(dataset: &'p Dataset, texts: ExportTerms<'p>, graphs: &[TermId]) -> Self {
        let (graphs, terms) = (graphs.to_vec(), dataset.dictionary());
        Self { dataset, texts, graphs, sidecars: Vec::new(), terms, is_whole: true }
    }
}

impl ExportTerms<'_> {
    /// The terms.
    pub(super) fn terms(&self) -> &TermDictionary {
        match self {
            Self::Loaded(terms) => terms,
            Self::Stored(snapshot) => snapshot.dataset().dictionary(),
        }
    }

    /// Frees texts if there are too many.
    pub(super) fn bound(&mut self) {
        if let Self::Stored(snapshot) = self
            && snapshot.kept() > MOST_TEXT
        {
            snapshot.let_go();
        }
    }

    /// Fails if a file of the store is damaged.
    pub(super) fn check(&self) -> Result<(), RunFailure> {
        match self {
            Self::Loaded(_) => Ok(()),
            Self::Stored(snapshot) => check(snapshot.dataset()),
        }
    }
}

/// The positions of the chosen documents that no update has changed.
fn of_choice(documents: &[StoredDocument], choice: &GraphChoice) -> Vec<usize> {
    let meant: Option<Vec<&StoredDocument>> = (!choice.names.is_empty())
        .then(|| choice.names.iter().filter_map(|name| document_named(documents, name).ok()).collect());
    let is_meant = |document: &StoredDocument| {
        let is_named =
            meant.as_ref().is_none_or(|meant| meant.iter().any(|named| std::ptr::eq(*named, document)));
        is_named && !document.entry.is_edited
    };
    (0..documents.len()).filter(|at| is_meant(&documents[*at])).collect()
}

/// Fails if a file of the dataset is damaged.
pub(super) fn check(dataset: &Dataset) -> Result<(), RunFailure> {
    match dataset.fault() {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(()),
    }
}
