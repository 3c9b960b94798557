//! Files that an update is made of: the dataset that they are, and what becomes of it, as quads or as the files that
//! they were.

use oxrdf::{NamedNode, Term};

use super::revision_quads::{added, copy_graphs};
use super::sources::sources;
use crate::convert::same::Changed;
use crate::diagnostic::{Failure, Report};
use crate::input::options::Inputs;
use crate::input::progress::Progress;
use crate::load::dataset_names::StoredNames;
use crate::load::json_ld::LoadOptions;
use crate::load::loader::Loader;
use crate::load::loading::{Wanted, load};
use crate::load::named::Named;
use crate::load::opened::Content;
use crate::load::quads::{With, load_named};
use crate::rdf::QuadBuffer;
use crate::rdf::minted::{CATALOG_GRAPH, document_graph, sidecar_graph};
use crate::sparql::Prefixes;
use crate::store::{Dataset, DocumentBuilder, NamedDocument, Revision};

/// Files that were read.
pub(crate) struct UpdatedFiles {
    pub(crate) dataset: Dataset,
    /// The names of their graphs.
    pub(crate) documents: Vec<String>,
}

/// Files that were opened, of which it may follow what is to be written.
pub(crate) struct OpenedFiles<'l> {
    loader: &'l Loader<'l>,
    named: Vec<Named>,
    _progress: Box<dyn Progress>,
}

impl UpdatedFiles {
    /// Reads files for their quads alone.
    ///
    /// # Errors
    ///
    /// Where a file is at fault, and the rest is not wanted.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command line alone asks for it"))]
    pub(crate) fn read(options: (&Inputs, &LoadOptions), report: &mut Report) -> Result<Self, Failure> {
        let loaded = load(sources(options.0, report)?, options, Wanted::Quads, report)?;
        let documents = loaded.iter().map(|(_, document)| document.graph.clone()).collect();
        let dataset = Dataset::from_documents(loaded.into_iter().map(|(_, document)| document).collect());
        Ok(Self { dataset, documents })
    }

    /// The quads of a revision. The graph of the only document is the default graph of what is written,
    /// as it was of what was read.
    pub(crate) fn quads(&self, revision: &Revision<'_>, prefixes: &Prefixes) -> QuadBuffer {
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

    /// A revision of files that were read with their sidecars.
    pub(crate) fn changed(&self, revision: &Revision<'_>) -> Changed {
        let sidecars = self.documents.iter().filter_map(|graph| sidecar_graph(graph));
        let beside = sidecars.chain([CATALOG_GRAPH.to_owned()]);
        let beside = beside.map(|name| revision.intern(NamedNode::new_unchecked(name).into()));
        let graphs: Vec<_> = revision.graphs().into_iter().chain(beside).collect();
        let mut quads = QuadBuffer::new();
        copy_graphs(revision, graphs.into_iter().map(|graph| (graph, true)), &mut quads);
        Changed { quads, new: added(revision) }
    }
}

impl<'l> OpenedFiles<'l> {
    /// Opens files.
    ///
    /// # Errors
    ///
    /// Where a file is at fault, and the rest is not wanted.
    pub(crate) fn open(
        loader: &'l Loader<'l>,
        dataset: Option<&str>,
        report: &mut Report,
    ) -> Result<Self, Failure> {
        let sources = sources(loader.input, report)?;
        let (named, progress) = loader.open_sources(sources, dataset, &StoredNames::default(), report);
        loader.input.check(report)?;
        Ok(Self { loader, named, _progress: progress })
    }

    /// Tells whether they are one file, which can be written back under a name of that extension.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command line alone asks for it"))]
    pub(crate) fn are_one_of(&self, extension: &str) -> bool {
        matches!(self.named.as_slice(), [named] if extensions_of(named).contains(&extension))
    }

    /// Reads the quads, with sidecars and what the catalog says where the files are to be written back.
    ///
    /// # Errors
    ///
    /// Where a file is at fault, and the rest is not wanted.
    pub(crate) fn read(self, with_sidecars: bool, report: &mut Report) -> Result<UpdatedFiles, Failure> {
        // The catalog has the names of the files, which only a folder needs.
        let with: &[With] = if with_sidecars { &[With::Sidecar, With::Catalog] } else { &[] };
        let quads = load_named(self.loader, &self.named, with, report)?;
        let documents: Vec<String> = self.named.iter().map(Named::graph).collect();
        let mut builder = DocumentBuilder::new();
        quads.copy_into(&mut builder);
        let graph = documents.first().cloned().unwrap_or_else(|| document_graph("", None));
        let dataset = Dataset::from_documents(vec![NamedDocument { graph, builder }]);
        Ok(UpdatedFiles { dataset, documents })
    }
}

/// The extensions that go with a file which can be written back; none of another.
fn extensions_of(named: &Named) -> &'static [&'static str] {
    match &named.opened.content {
        Content::Json { detection, .. } if detection.dialect.is_version_2() => &["json"],
        Content::Json { .. } => &["jsonld", "json", "json-ld"],
        Content::Records { .. } => named.opened.origin.syntax.extensions(),
        Content::Large(_) | Content::LargeCheckpoint(_) | Content::Other(_) => &[],
    }
}
