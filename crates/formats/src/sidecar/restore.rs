//! Restores files from quads: each document graph and its sidecar give the text that was read.

use super::arrival::{ArrivalComparison, arrival};
use super::decode::{SidecarContents, decode, missing, no_root, stale};
use super::file_layout::FileLayout;
use super::graph_digest::{UNCHANGED, graph_digests};
use super::reading_again::ReadingAgain;
use super::record_sidecar;
use crate::records::{FileShape, ValueSettlement, settlement};
use crate::rewriting::{DocumentLayout, IndexedGraph, QuadsByGraph, RewrittenDocument, with_layout};
use crate::system_name::SystemName;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_jsonld::JsonLdOptions;
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::minted::{document_name, document_of_sidecar, is_beside_documents};
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};
use hashbrown::HashSet;

/// The document graphs among quads, each with its sidecar.
#[derive(Debug)]
pub struct DocumentSidecars<'q> {
    graphs: QuadsByGraph<'q>,
    /// The names of the documents, each with the term of its sidecar graph.
    documents: Vec<(String, BufferTermId)>,
}

/// A restored file.
#[derive(Debug)]
pub struct RestoredFile {
    /// The short name of the dialect in which it was read.
    pub dialect: String,
    /// Its text.
    pub text: String,
    /// How the original file was written, if it is not JSON-LD.
    pub file: Option<FileLayout>,
    /// Findings: statements that could not be written, and entries of the sidecar that no longer fit.
    pub findings: Vec<Diagnostic>,
    /// How many entries of the sidecar are about nodes and values that the graph no longer has.
    pub gone: u64,
    /// `true` if the graph may differ from the one that was read.
    pub is_changed: bool,
    /// The digests of the graph, after resolving contradictions in it.
    pub digests: String,
    /// How contradictory statements of the graph were resolved, and the resulting graph.
    pub settled: Option<(ValueSettlement, QuadBuffer)>,
    /// How to read the written file again.
    pub reading: ReadingAgain,
}

impl<'q> DocumentSidecars<'q> {
    /// Sorts quads by graph.
    pub fn new(quads: &'q QuadBuffer) -> Self {
        let graphs = QuadsByGraph::new(quads);
        let names = graphs.names().iter().filter_map(|&graph| match quads.term(graph?) {
            TermRef::Iri(iri) => Some((document_of_sidecar(iri)?, graph?)),
            _ => None,
        });
        let mut documents: Vec<(String, BufferTermId)> = names.collect();
        documents.sort_unstable();
        Self { graphs, documents }
    }

    /// Returns the names of the document graphs that have a sidecar, in code point order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.documents.iter().map(|(name, _)| name.as_str())
    }

    /// Returns how many document graphs have no sidecar, and the first of them.
    pub fn without_sidecar(&self) -> (usize, Option<&'q str>) {
        let mut names: Vec<&str> =
            self.graphs.names().iter().filter_map(|&graph| self.lone_document(graph?)).collect();
        names.sort_unstable();
        (names.len(), names.first().copied())
    }

    /// Returns the statements of the graph of that name.
    fn graph(&self, name: &str) -> IndexedGraph<'q> {
        match self.graphs.quads().find_iri(name) {
            Some(name) => self.graphs.graph(Some(name)),
            None => IndexedGraph::with_quads(self.graphs.quads(), [].iter()),
        }
    }

    fn sidecar_of(&self, name: &str) -> Option<BufferTermId> {
        let found = self.documents.binary_search_by(|(known, _)| known.as_str().cmp(name));
        found.ok().map(|at| self.documents[at].1)
    }

    fn lone_document(&self, graph: BufferTermId) -> Option<&'q str> {
        let TermRef::Iri(iri) = self.graphs.quads().term(graph) else { return None };
        let is_document = document_name(iri).is_some() && !is_beside_documents(iri);
        (is_document && self.sidecar_of(iri).is_none()).then_some(iri)
    }

    /// Restores the file that a document graph was read from, with the changes made since.
    ///
    /// # Errors
    ///
    /// `sidecar::missing` and `sidecar::no-root`.
    pub fn restore(&self, name: &str) -> Result<RestoredFile, Box<Diagnostic>> {
        self.restore_after(name, &QuadBuffer::new())
    }

    /// Like [`Self::restore`], but takes into account which statements are new: those in the default graph of `new`.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::restore`].
    pub fn restore_after(&self, name: &str, new: &QuadBuffer) -> Result<RestoredFile, Box<Diagnostic>> {
        let sidecar = self.sidecar_of(name).ok_or_else(|| missing(name))?;
        let graph = self.graph(name);
        let sidecar = decode(&graph, name, self.graphs.quads_of(Some(sidecar)))?;
        let shape = shape_of(&sidecar.dialect, &graph, sidecar.root);
        if shape.is_none() && sidecar.dialect.contains('/') {
            let message = format!("the graph `{name}` is no longer that of a file of {}", sidecar.dialect);
            return Err(Box::new(Diagnostic::error("sidecar::no-root", message)));
        }
        let digests = match sidecar.layout.digest.as_deref() {
            Some(UNCHANGED) => UNCHANGED.to_owned(),
            _ => graph_digests(&graph),
        };
        let mut restored = RestoredFile {
            text: String::new(),
            file: None,
            findings: Vec::new(),
            gone: 0,
            is_changed: sidecar.layout.digest.as_ref() != Some(&digests),
            digests,
            settled: None,
            reading: ReadingAgain {
                graph: name.to_owned(),
                dialect: sidecar.dialect.clone(),
                shape,
                remote: sidecar.layout.remote.clone(),
                values: None,
                is_lines: sidecar.file.as_ref().is_some_and(|file| file.style.json_lines),
                shared: shared_ids(&sidecar.layout),
                name: None,
            },
            dialect: sidecar.dialect.clone(),
        };
        match shape {
            Some(shape) => restored.fill_records(&graph, &shape, sidecar, new)?,
            None => restored.fill_json_ld(&graph, sidecar),
        }
        Ok(restored)
    }

    /// Compares a document graph with the file that was written from it. An unchanged graph is not compared: it agrees
    /// with its file.
    ///
    /// # Errors
    ///
    /// A diagnostic if the file cannot be read again.
    pub fn arrival(
        &self,
        restored: &RestoredFile,
        text: &str,
        options: JsonLdOptions,
    ) -> Result<ArrivalComparison, Box<Diagnostic>> {
        if !restored.is_changed {
            return Ok(ArrivalComparison::default());
        }
        if let Some((_, settled)) = &restored.settled {
            return arrival(&IndexedGraph::new(settled, None), &restored.reading, text, options);
        }
        let graph = self.graph(&restored.reading.graph);
        arrival(&graph, &restored.reading, text, options)
    }
}

impl RestoredFile {
    fn fill_json_ld(&mut self, graph: &IndexedGraph<'_>, sidecar: SidecarContents) {
        let RewrittenDocument { text, findings, stale: misfits, gone } =
            with_layout(graph, sidecar.root, &sidecar.layout);
        self.findings = findings;
        self.findings.extend(stale(misfits, sidecar.broken, &self.reading.graph));
        (self.text, self.gone, self.file) = (text, gone, sidecar.file);
    }

    fn fill_records(
        &mut self,
        graph: &IndexedGraph<'_>,
        shape: &FileShape,
        sidecar: SidecarContents,
        new: &QuadBuffer,
    ) -> Result<(), Box<Diagnostic>> {
        let layout = sidecar.file.unwrap_or_default();
        let before = sidecar.layout.digest.as_deref();
        let changed = corpus_changed([before, Some(&self.digests)], &self.reading.graph);
        if self.is_changed {
            // Contradictory statements of the graph are resolved.
            let settlement = Some(settlement(graph, shape, new)).filter(|found| !found.is_empty());
            self.settled = settlement.map(|found| {
                let quads = found.apply(graph);
                (found, quads)
            });
        }
        let name = self.reading.graph.as_str();
        let file = match &self.settled {
            Some((_, quads)) => {
                let root = graph.iri(sidecar.root).and_then(|root| quads.find_iri(root));
                let graph = IndexedGraph::new(quads, None);
                self.digests = graph_digests(&graph);
                // Only statements about records are changed, never those about the node of the file.
                let root = root.ok_or_else(|| no_root(name))?;
                record_sidecar::restored(&graph, root, shape, name, &layout)?
            }
            None => record_sidecar::restored(graph, sidecar.root, shape, name, &layout)?,
        };
        (self.text, self.findings, self.gone) = (file.text, file.findings, file.gone);
        self.findings.extend(changed);
        self.reading.values = file.values;
        self.file = Some(layout);
        Ok(())
    }
}

/// Returns the ids that several nodes of the file shared and that loading numbered.
fn shared_ids(layout: &DocumentLayout) -> HashSet<String> {
    let is_number = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit());
    let numbered = layout.renamed.iter().filter(|(new, original)| {
        new.strip_prefix(original.as_str()).and_then(|rest| rest.strip_prefix('-')).is_some_and(is_number)
    });
    numbered.map(|(_, original)| original.clone()).collect()
}

/// Returns the tables of a file of records.
fn shape_of(dialect: &str, graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
    let (system, _) = dialect.split_once('/')?;
    SystemName::from_name(system)?.entry().file_shape(graph, root)
}

/// Returns a finding if the statements about the files of a corpus have changed, because the file has no place for
/// them.
fn corpus_changed(digests: [Option<&str>; 2], name: &str) -> Option<Diagnostic> {
    let [before, now] = digests.map(|digests| digests?.split_once('-').map(|(_, corpus)| corpus));
    let message = format!("the file of `{name}` cannot record the changes to the files of its corpus");
    (before != now).then(|| Diagnostic::warning("sidecar::no-place", message))
}
