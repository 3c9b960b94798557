//! The files that an update changes: reads them as a dataset, and returns the result as quads or as the files
//! again.

use oxrdf::{NamedNode, Term};

use super::command_sources::sources;
use super::revision_quads::{added, copy_graphs};
use crate::convert::same::ChangedGraphs;
use crate::input::input_options::RunInputs;
use crate::input::progress::WorkProgress;
use crate::load::dataset_document::DatasetDocument;
use crate::load::dataset_names::StoredNames;
use crate::load::document::DocumentContent;
use crate::load::document_loading::DocumentLoading;
use crate::load::load_purpose::{LoadPurpose, load};
use crate::load::quads::{CompanionGraph, load_named};
use crate::load::read_session::LoadOptions;
use evalgraph_diagnostics::{RunFailure, RunReport};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::minted::{CATALOG_GRAPH, document_graph, sidecar_graph};
use evalgraph_sparql::QueryPrefixes;
use evalgraph_store::{Dataset, DatasetRevision, DocumentBuilder, NamedDocument};

/// Files that were read.
pub struct UpdatedFiles {
    pub(crate) dataset: Dataset,
    /// The names of their graphs.
    pub documents: Vec<String>,
}

/// Opened files, which may determine the form of the output.
pub struct OpenedFiles<'l> {
    loader: &'l DocumentLoading<'l>,
    named: Vec<DatasetDocument>,
    _progress: Box<dyn WorkProgress>,
}

impl UpdatedFiles {
    /// Reads files only for their quads.
    ///
    /// # Errors
    ///
    /// A file at fault, unless `keep_going` is set.
    pub fn read(
        input: &RunInputs,
        loading: &LoadOptions,
        report: &mut RunReport,
    ) -> Result<Self, RunFailure> {
        let loaded = load(sources(input, report)?, input, loading, LoadPurpose::Quads, report)?;
        let documents = loaded.iter().map(|(_, document)| document.graph.clone()).collect();
        let dataset = Dataset::from_documents(loaded.into_iter().map(|(_, document)| document).collect());
        Ok(Self { dataset, documents })
    }

    /// Returns the quads of a revision. The graph of a single document becomes the default graph again, as in the file
    /// that was read.
    pub fn quads(&self, revision: &DatasetRevision<'_>, prefixes: &QueryPrefixes) -> QuadBuffer {
        let mut quads = QuadBuffer::new();
        for (name, namespace) in prefixes.iter() {
            quads.declare_prefix(name, namespace);
        }
        let named = revision.graphs().into_iter().map(|graph| {
            let is_default = matches!(
                (revision.term(graph), self.documents.as_slice()),
                (Term::NamedNode(node), [only]) if node.as_str() == only.as_str()
            );
            (graph, !is_default)
        });
        copy_graphs(revision, named, &mut quads);
        quads
    }

    /// Returns the changed documents of a revision, with their sidecars and the catalog.
    pub fn changed(&self, revision: &DatasetRevision<'_>) -> ChangedGraphs {
        let sidecars = self.documents.iter().filter_map(|graph| sidecar_graph(graph));
        let beside = sidecars.chain([CATALOG_GRAPH.to_owned()]);
        let beside = beside.map(|name| revision.intern(NamedNode::new_unchecked(name).into()));
        let graphs: Vec<_> = revision.graphs().into_iter().chain(beside).collect();
        let mut quads = QuadBuffer::new();
        copy_graphs(revision, graphs.into_iter().map(|graph| (graph, true)), &mut quads);
        ChangedGraphs { quads, new: added(revision), ..ChangedGraphs::default() }
    }
}

impl<'l> OpenedFiles<'l> {
    /// Opens files.
    ///
    /// # Errors
    ///
    /// A file at fault, unless `keep_going` is set.
    pub fn open(
        loader: &'l DocumentLoading<'l>,
        dataset: Option<&str>,
        report: &mut RunReport,
    ) -> Result<Self, RunFailure> {
        let sources = sources(loader.input, report)?;
        let (named, progress) = loader.open_sources(sources, dataset, &StoredNames::default(), report);
        loader.input.check(report)?;
        Ok(Self { loader, named, _progress: progress })
    }

    /// Returns whether there is a single file, and whether it can be written back under a name with this extension.
    pub fn are_one_of(&self, extension: &str) -> bool {
        matches!(self.named.as_slice(), [named] if extensions_of(named).contains(&extension))
    }

    /// Reads the quads. Adds sidecars and the catalog if the files are to be written back.
    ///
    /// # Errors
    ///
    /// A file at fault, unless `keep_going` is set.
    pub fn read(self, with_sidecars: bool, report: &mut RunReport) -> Result<UpdatedFiles, RunFailure> {
        // The names in the catalog are needed only for files in a folder.
        let with: &[CompanionGraph] =
            if with_sidecars { &[CompanionGraph::Sidecar, CompanionGraph::Catalog] } else { &[] };
        let quads = load_named(self.loader, &self.named, with, report)?;
        let documents: Vec<String> = self.named.iter().map(DatasetDocument::graph).collect();
        let mut builder = DocumentBuilder::new();
        quads.copy_into(&mut builder);
        let graph = documents.first().cloned().unwrap_or_else(|| document_graph("", None));
        let dataset = Dataset::from_documents(vec![NamedDocument { graph, builder }]);
        Ok(UpdatedFiles { dataset, documents })
    }
}

/// Returns the extensions that suit a file that can be written back, or none for any other file.
fn extensions_of(named: &DatasetDocument) -> &'static [&'static str] {
    match &named.opened.content {
        DocumentContent::Json { detection, .. } if detection.dialect.is_version_2() => &["json"],
        DocumentContent::Json { .. } => &["jsonld", "json", "json-ld"],
        DocumentContent::Records { .. } => named.opened.origin.syntax.extensions(),
        DocumentContent::Large(_) | DocumentContent::LargeCheckpoint(_) | DocumentContent::Other(_) => &[],
    }
}
