//! Files from quads: each document graph with its sidecar becomes the text that was read.

use super::decode::{SidecarError, decode};
use super::file_layout::FileLayout;
use super::records::{self, RecordsFile};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rdf::QuadBuffer;
use crate::rdf::quad_buffer::{Quad, TermId, TermRef};
use crate::rdf::vocabulary::EVALGRAPH_GRAPH;
use crate::source::catalog::CATALOG;
use crate::source::records::{FileShape, Unread};
use crate::source::rewriting::{Graph, with_layout};
use crate::source::system::System;
use hashbrown::HashMap;
use std::ops::Range;

/// What the name of a sidecar graph has before the dataset, behind what all our graphs begin with.
const SIDECAR: &str = "sidecar:";

/// The document graphs among quads, each with its sidecar.
#[derive(Debug)]
pub struct Datasets<'q> {
    quads: &'q QuadBuffer,
    /// Which of the quads are in each graph, as runs.
    graphs: HashMap<TermId, Vec<Range<u32>>>,
    /// The names of the documents, and the terms of their sidecar graphs.
    documents: Vec<(String, TermId)>,
}

/// A file as it was.
#[derive(Debug)]
pub struct Restored {
    /// The short name of the dialect that it was read in.
    pub dialect: String,
    /// Its text.
    pub text: String,
    /// How the file was written that the text was made of, where that was no JSON-LD.
    pub file: Option<FileLayout>,
    /// What could not be written as it is, and which entries of the sidecar do not fit any more.
    pub findings: Vec<Diagnostic>,
    /// How many entries of the sidecar are about what the graph has no more.
    pub gone: u64,
}

impl<'q> Datasets<'q> {
    /// Sorts quads by graph.
    pub fn of(quads: &'q QuadBuffer) -> Self {
        let mut graphs: HashMap<TermId, Vec<Range<u32>>> = HashMap::new();
        // Quads of one graph mostly come one after the other.
        let mut start = 0;
        for run in quads.quads().chunk_by(|left, right| left.graph == right.graph) {
            // A buffer counts its quads in 32 bits.
            let end = start + run.len() as u32;
            if let Some(graph) = run[0].graph {
                graphs.entry(graph).or_default().push(start..end);
            }
            start = end;
        }
        let mut documents: Vec<(String, TermId)> = graphs
            .keys()
            .filter_map(|&graph| {
                let TermRef::Iri(iri) = quads.term(graph) else { return None };
                let dataset = iri.strip_prefix(EVALGRAPH_GRAPH)?.strip_prefix(SIDECAR)?;
                Some((format!("{EVALGRAPH_GRAPH}{dataset}"), graph))
            })
            .collect();
        documents.sort_unstable();
        Self { quads, graphs, documents }
    }

    /// The names of the document graphs that have a sidecar, in code point order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.documents.iter().map(|(name, _)| name.as_str())
    }

    /// How many document graphs have no sidecar, and the first of them.
    pub fn without_sidecar(&self) -> (usize, Option<&'q str>) {
        let mut names: Vec<&str> =
            self.graphs.keys().filter_map(|&graph| self.lone_document(graph)).collect();
        names.sort_unstable();
        (names.len(), names.first().copied())
    }

    fn quads_of(&self, graph: Option<TermId>) -> impl Iterator<Item = &'q Quad> + Clone + '_ {
        let runs = graph.and_then(|graph| self.graphs.get(&graph)).into_iter().flatten();
        let quads = self.quads.quads();
        runs.flat_map(move |run| &quads[run.start as usize..run.end as usize])
    }

    fn lone_document(&self, graph: TermId) -> Option<&'q str> {
        let TermRef::Iri(iri) = self.quads.term(graph) else { return None };
        let dataset = iri.strip_prefix(EVALGRAPH_GRAPH)?;
        let is_document = dataset != CATALOG && !dataset.starts_with(SIDECAR);
        (is_document && self.documents.iter().all(|(known, _)| known != iri)).then_some(iri)
    }

    /// The file that a document graph was read from, with what was changed since.
    ///
    /// # Errors
    ///
    /// `sidecar::missing` and `sidecar::no-root`.
    pub fn restore(&self, name: &str) -> Result<Restored, Box<Diagnostic>> {
        let missing = || Box::new(SidecarError::Missing.diagnostic(name));
        let (_, sidecar) = self.documents.iter().find(|(known, _)| known == name).ok_or_else(missing)?;
        let document = self.quads.find_iri(name);
        let graph = Graph::with_quads(self.quads, self.quads_of(document));
        let sidecar = decode(&graph, name, self.quads_of(Some(*sidecar)))
            .map_err(|error| Box::new(error.diagnostic(name)))?;
        if let Some(shape) = shape_of(&sidecar.dialect, &graph, sidecar.root) {
            let layout = sidecar.file.unwrap_or_default();
            let RecordsFile { text, unread, mut findings, gone } =
                records::restored((&graph, sidecar.root), &shape, (name, &layout))?;
            findings.extend(unread.iter().map(|unread| not_written(unread, &graph)));
            return Ok(Restored { dialect: sidecar.dialect, text, file: Some(layout), findings, gone });
        }
        let rewritten = with_layout(&graph, sidecar.root, &sidecar.layout);
        let mut findings = rewritten.findings;
        findings.extend(stale(rewritten.stale, sidecar.broken, name));
        let (text, gone) = (rewritten.text, rewritten.gone);
        Ok(Restored { dialect: sidecar.dialect, text, file: sidecar.file, findings, gone })
    }
}

/// The tables of a file of records.
fn shape_of(dialect: &str, graph: &Graph<'_>, root: TermId) -> Option<FileShape> {
    let (system, _) = dialect.split_once('/')?;
    System::from_name(system)?.file_shape(graph, root)
}

/// What the graph says by now and no file of its kind can.
fn not_written(unread: &Unread, graph: &Graph<'_>) -> Diagnostic {
    let Unread { class, property, count, nodes } = unread;
    let times = if *count == 1 { String::new() } else { format!(" ({count} times)") };
    let of = if class.is_empty() { String::new() } else { format!(" of a {class}") };
    let first =
        nodes.first().map(|&node| format!(", the first at {}", graph.shown(node))).unwrap_or_default();
    let message = format!("the file has no place for `{property}`{of}{times}{first}");
    Diagnostic::warning("sidecar::no-place", message)
}

/// What is said of entries that do not fit.
pub(super) fn stale((count, first): (u64, Option<String>), broken: u64, name: &str) -> Option<Diagnostic> {
    let count = count + broken;
    let first = first.map_or_else(String::new, |first| format!(", the first for {first}"));
    let message = match count {
        0 => return None,
        1 => format!(
            "one entry of the sidecar of `{name}` does not fit its graph any more{first}; it is ignored"
        ),
        _ => format!(
            "{count} entries of the sidecar of `{name}` do not fit its graph any more{first}; they are ignored"
        ),
    };
    Some(Diagnostic::new(Severity::Warning, "sidecar::stale", message))
}
