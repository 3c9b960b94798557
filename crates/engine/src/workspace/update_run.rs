//! A SPARQL update, over a store or over files that were read.

use std::cell::RefCell;

use oxrdf::NamedNode;

use super::chosen_store::{document_named, no_graph_of_files};
use super::oversight::WritingProcess;
use super::revision_editor::{RevisionEditor, RevisionEdits};
use super::updated_files::UpdatedFiles;
use crate::input::source::InputSource;
use crate::load::document_loading::DocumentLoading;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport, thousands};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::iri::{is_iri, without_userinfo};
use evalgraph_rdf::minted::document_graph;
use evalgraph_sparql::{ExecuteOptions, Update, UpdateLoader as ReadDocument, UpdateOptions};
use evalgraph_store::{DatasetRevision, DefaultGraph, GraphChange, StoreFolder};

/// An update with its default graph and the loader for LOAD.
pub struct UpdateRun<'u> {
    /// The update.
    pub update: &'u Update,
    /// The graph into which quads without a graph are inserted. Default: the graph of the only document.
    pub graph: Option<&'u str>,
    /// Reads the documents of LOAD, unless `read` does.
    pub loader: &'u DocumentLoading<'u>,
    /// Reads the documents of LOAD instead of `loader`.
    pub read: Option<&'u ReadDocument<'u>>,
}

impl UpdateRun<'_> {
    /// Changes a store, all or nothing.
    ///
    /// # Errors
    ///
    /// Errors of the update and of the store, and files that could not be written back after the change. In these cases
    /// nothing has changed.
    pub fn in_store(
        &self,
        store: &StoreFolder,
        writer: &WritingProcess<'_>,
        report: &mut RunReport,
    ) -> Result<(), RunFailure> {
        let mut change = writer.begin(store)?;
        let target = match (self.graph, change.documents()) {
            (Some(name), documents) => Some(match document_named(documents, without_brackets(name)) {
                Ok(document) => document.entry.graph.clone(),
                Err(fault) => graph_iri(name).ok_or(fault)?.to_owned(),
            }),
            (None, [only]) => Some(only.entry.graph.clone()),
            (None, _) => None,
        };
        let mut revision = DatasetRevision::new(change.dataset(), DefaultGraph::Union);
        for document in change.documents() {
            // A document whose graph is empty can take inserted quads, too.
            revision.add_document(revision.intern(NamedNode::new_unchecked(&document.entry.graph).into()));
        }
        self.apply(&mut revision, target.as_deref(), report)?;
        let editing = RevisionEditor { loader: self.loader, store, change: &change };
        let RevisionEdits { edits, unwritten, .. } = editing.edits(&revision, report)?;
        report.add_all(&unwritten);
        if report.has_failed() {
            return Err(RunFailure::Reported);
        }
        drop(revision);
        // A run that is cancelled before the change is ready changes nothing.
        writer.oversight.cancellation().check()?;
        if edits.documents.is_empty() {
            return Ok(());
        }
        change.edit(edits);
        writer.commit(change)
    }

    /// Applies the update to files, and returns the revision.
    ///
    /// # Errors
    ///
    /// Errors of the update.
    pub fn over_files<'f>(
        &self,
        files: &'f UpdatedFiles,
        report: &mut RunReport,
    ) -> Result<DatasetRevision<'f>, RunFailure> {
        let target = match (self.graph, files.documents.as_slice()) {
            (Some(name), documents) => Some(graph_of_files(documents, name)?),
            (None, [only]) => Some(only.clone()),
            (None, _) => None,
        };
        let mut revision = DatasetRevision::new(&files.dataset, DefaultGraph::Union);
        self.apply(&mut revision, target.as_deref(), report)?;
        Ok(revision)
    }

    fn apply(
        &self,
        revision: &mut DatasetRevision<'_>,
        target: Option<&str>,
        report: &mut RunReport,
    ) -> Result<(), RunFailure> {
        let part = RefCell::new(report.part());
        let by_loader = |url: &str| self.document(url, &part);
        let read: &ReadDocument<'_> = self.read.unwrap_or(&by_loader);
        let options =
            UpdateOptions { execute: ExecuteOptions::default(), default_target: target, loader: Some(read) };
        let result = self.update.apply(revision, options);
        report.absorb(part.into_inner());
        report.add_all(&self.update.remarks());
        result?;
        report.add(&summary(revision));
        Ok(())
    }

    /// Reads the document of LOAD. Its faults are reported only if they make the update fail.
    fn document(&self, url: &str, report: &RefCell<RunReport>) -> Result<QuadBuffer, Box<Diagnostic>> {
        let mut part = report.borrow().part();
        let mut quads = QuadBuffer::new();
        let source = InputSource::Url(url.to_owned());
        if self.loader.fill_from(&source, &mut quads, &mut part).is_err() {
            let url = without_userinfo(url);
            let message = format!("LOAD cannot read `{url}`");
            return Err(Box::new(Diagnostic::error("sparql::load", message).with_help(help![
                "map it to a file with ",
                setting("map").to(format!("{url}=FILE")),
                ", or allow the network with ",
                setting("net"),
                "; ",
                command("stats"),
                " says what is wrong with a document"
            ])));
        }
        report.borrow_mut().absorb(part);
        Ok(quads)
    }
}

fn without_brackets(name: &str) -> &str {
    name.strip_prefix('<').and_then(|name| name.strip_suffix('>')).unwrap_or(name)
}

/// Returns the IRI of a graph, which need not exist yet.
fn graph_iri(name: &str) -> Option<&str> {
    Some(without_brackets(name)).filter(|name| is_iri(name))
}

/// Returns the graph of a file that a name means: its own IRI, or that of its dataset.
fn graph_of_files(documents: &[String], name: &str) -> Result<String, RunFailure> {
    let of_dataset = document_graph(without_brackets(name), None);
    if documents.contains(&of_dataset) {
        return Ok(of_dataset);
    }
    if let Some(iri) = graph_iri(name) {
        return Ok(iri.to_owned());
    }
    Err(no_graph_of_files(name).into())
}

/// Returns a summary: `inserted 3, deleted 2 quads in 1 graph`.
fn summary(revision: &DatasetRevision<'_>) -> Diagnostic {
    let changes = revision.changes();
    let count = |counted: fn(&GraphChange) -> usize| changes.iter().map(counted).sum::<usize>() as u64;
    let (inserted, deleted) = (count(|change| change.added.len()), count(|change| change.removed.len()));
    let graphs = changes.len() as u64;
    let plural = if graphs == 1 { "graph" } else { "graphs" };
    let message = format!(
        "inserted {}, deleted {} quads in {} {plural}",
        thousands(inserted),
        thousands(deleted),
        thousands(graphs)
    );
    Diagnostic::new(FindingSeverity::Note, "update::summary", message)
}
