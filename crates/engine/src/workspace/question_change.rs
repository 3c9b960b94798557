//! Changes one question in a store, or in the file that contains it.

use std::path::{Path, PathBuf};

use oxrdf::{NamedNode, Term};

use super::chosen_store::document_named;
use super::command_sources::sources;
use super::oversight::WritingProcess;
use super::restored_text::with_what_is_asked;
use super::revision_editor::{RevisionEditor, RevisionEdits};
use super::revision_quads::{added, copy_graphs};
use crate::convert::same::in_its_version;
use crate::input::files_read;
use crate::input::source::InputSource;
use crate::load::dataset_document::DatasetDocument;
use crate::load::document::DocumentContent;
use crate::load::document_loading::DocumentLoading;
use crate::load::quads::{CompanionGraph, load_one};
use crate::question::edit::QuestionEdit;
use crate::question::question_change_text::{ChangeExtent, ChangeText};
use crate::question::scope::QuestionScope;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport};
use evalgraph_formats::sidecar::DocumentSidecars;
use evalgraph_formats::writing::unwritten_statements::{arrival, diagnostics};
use evalgraph_json::{UNLIMITED, grafted, parse};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::minted::sidecar_graph;
use evalgraph_store::{
    Dataset, DatasetRevision, DefaultGraph, DocumentBuilder, NamedDocument, StoreFolder, StoredDocument,
};

/// A change of one question.
pub struct QuestionChange<'c> {
    /// The change.
    pub edit: &'c QuestionEdit,
    /// The graph to change, if several have the question: its IRI, its dataset, or its file.
    pub graph: Option<&'c str>,
    /// The node of the question, if the name may match several.
    pub node: Option<&'c Term>,
    /// Loads the file again.
    pub loader: &'c DocumentLoading<'c>,
    /// `true` if only the text of the update is wanted.
    pub is_printed: bool,
}

/// The outcome of a change.
pub enum QuestionChangeOutcome {
    /// The text of the update; nothing was changed.
    Text(String),
    /// The store has changed, or needed no change, which is reported.
    Done,
    /// The new text of a file, and the finding to report after it is written.
    File(PathBuf, String, Diagnostic),
}

/// A change of a store that was made, or that would be made.
pub struct AppliedQuestionChange {
    /// The update that does it.
    pub update: String,
    /// The change in words.
    pub told: Diagnostic,
}

impl QuestionChange<'_> {
    /// Changes the store that the inputs select.
    ///
    /// # Errors
    ///
    /// Faults of the question, errors of the store and of the update, and a file that cannot hold the change. In these
    /// cases nothing has changed.
    pub fn in_store(
        &self,
        writer: &WritingProcess<'_>,
        report: &mut RunReport,
    ) -> Result<QuestionChangeOutcome, RunFailure> {
        let store = self.loader.input.store.open()?;
        if self.is_printed {
            return Ok(QuestionChangeOutcome::Text(self.text_in(&store)?.whole()));
        }
        let made = self.in_this_store(&store, writer, report)?;
        report.add(&made.map_or_else(|| self.unchanged("the store"), |made| made.told));
        Ok(QuestionChangeOutcome::Done)
    }

    /// Changes a store. Returns what was done, or `None` if the store needed no change.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::in_store`].
    pub fn in_this_store(
        &self,
        store: &StoreFolder,
        writer: &WritingProcess<'_>,
        report: &mut RunReport,
    ) -> Result<Option<AppliedQuestionChange>, RunFailure> {
        let change_text = self.text_in(store)?;
        let mut change = writer.begin(store)?;
        let mut revision = DatasetRevision::new(change.dataset(), DefaultGraph::Union);
        change_text.apply_beside(&mut revision)?;
        if !change_text.apply(&mut revision)? {
            return Ok(None);
        }
        let editing = RevisionEditor { loader: self.loader, store, change: &change };
        let RevisionEdits { edits, unwritten, changed } = editing.edits(&revision, report)?;
        let place = match changed.as_slice() {
            [one] => format!("`{one}` of the store"),
            _ => "the store".to_owned(),
        };
        self.check_arrives(&unwritten, &place, report)?;
        drop(revision);
        change.edit(edits);
        writer.commit(change)?;
        let told = change_text.deed.told(self.edit.verb(), &place, !writer.is_dry);
        Ok(Some(AppliedQuestionChange { update: change_text.whole(), told }))
    }

    /// Returns the update that changes a store.
    fn text_in(&self, store: &StoreFolder) -> Result<ChangeText, RunFailure> {
        let snapshot = store.snapshot()?;
        let graph = self.graph.map(|graph| document_named(snapshot.documents()?, graph)).transpose()?;
        let documents: Vec<(String, String)> = snapshot.documents()?.iter().map(graph_and_kind).collect();
        let graph = graph.map(|document| document.entry.graph.as_str());
        self.change_text(snapshot.dataset(), graph, &documents)
    }

    /// Makes the text of the file that the inputs name.
    ///
    /// # Errors
    ///
    /// Faults of the question, errors of the file and of the update, and a file that cannot hold the change.
    pub fn in_file(&self, is_dry: bool, report: &mut RunReport) -> Result<QuestionChangeOutcome, RunFailure> {
        let (loader, verb) = (self.loader, self.edit.verb());
        let sources = sources(loader.input, report)?;
        let [InputSource::File(path)] = sources.as_slice() else {
            let fault = self.fault("file", "one file is changed at a time".to_owned());
            return Err(fault.with_help("name one, or none to change the store").into());
        };
        let path = path.clone();
        let (named, _) = loader.open_sources(sources, None, &Default::default(), report);
        let [named] = named.as_slice() else { return Err(RunFailure::Reported) };
        let mut quads = QuadBuffer::new();
        let (with, time) = ([CompanionGraph::Sidecar, CompanionGraph::Catalog], loader.input.clock.now()?);
        load_one(loader, named, &with, time, &mut quads, report)?;
        let mut builder = DocumentBuilder::new();
        quads.copy_into(&mut builder);
        let dataset = Dataset::from_documents(vec![NamedDocument { graph: named.graph(), builder }]);
        let documents = [(named.graph(), named.kind())];
        let change_text = self.change_text(&dataset, None, &documents)?;
        if self.is_printed {
            return Ok(QuestionChangeOutcome::Text(change_text.whole()));
        }
        let place = format!("`{}`", path.display());
        let mut revision = DatasetRevision::new(&dataset, DefaultGraph::Union);
        let before = self.file_of(&revision, named, report)?;
        let original = self.check_is_whole(named, &path)?;
        change_text.apply_beside(&mut revision)?;
        let is_one_piece = change_text.extent == ChangeExtent::OnePiece;
        let dated = if is_one_piece { self.file_of(&revision, named, report)? } else { before.clone() };
        if !change_text.apply(&mut revision)? {
            report.add(&self.unchanged(&place));
            return Ok(QuestionChangeOutcome::Done);
        }
        let after = self.file_of(&revision, named, report)?;
        if is_one_piece && !differ_in_one_piece(&dated, &after) {
            let message = format!("the layout of other parts of {place} would change");
            let write = command("convert").with(setting("to").to("same"));
            let help = help!["load it into the store, change it there, and write it with ", write];
            return Err(self.fault("inexact", message).with_help(help).into());
        }
        let system = match &named.opened.content {
            DocumentContent::Records { recognised, .. } => Some(recognised.system),
            _ => None,
        };
        let after = with_what_is_asked(system, &before, after);
        let after = self.in_layout_of(&original, &before, after, &path, report);
        let told = change_text.deed.told(verb, &place, !is_dry);
        Ok(QuestionChangeOutcome::File(path, after, told))
    }

    /// Returns the changed text in the layout of the file, which may differ from the layout that a writer would use.
    fn in_layout_of(
        &self,
        original: &str,
        before: &str,
        after: String,
        path: &Path,
        report: &mut RunReport,
    ) -> String {
        if original == before {
            return after;
        }
        let read = |text: &str| parse("file", text.to_owned(), UNLIMITED).ok();
        let grafted =
            read(original).zip(read(&after)).and_then(|(original, after)| grafted(&original, &after));
        grafted.unwrap_or_else(|| {
            let name = path.display();
            let message = format!("the layout of `{name}` changes in places; the content is the same");
            report.add(&Diagnostic::new(
                FindingSeverity::Note,
                format!("{}::layout", self.edit.verb()),
                message,
            ));
            after
        })
    }

    /// Returns the update that makes the change in a dataset, or only in the given graph.
    fn change_text(
        &self,
        dataset: &Dataset,
        graph: Option<&str>,
        documents: &[(String, String)],
    ) -> Result<ChangeText, RunFailure> {
        let (clock, command) = (self.loader.input.clock, self.edit.verb());
        self.edit.change(QuestionScope { dataset, graph, node: self.node, documents, clock, command })
    }

    /// Returns the file made from a revision of its graph. It contains every statement of the graph.
    fn file_of(
        &self,
        revision: &DatasetRevision<'_>,
        named: &DatasetDocument,
        report: &mut RunReport,
    ) -> Result<String, RunFailure> {
        let graph = named.graph();
        let mut quads = QuadBuffer::new();
        let graphs = [Some(graph.clone()), sidecar_graph(&graph)].into_iter().flatten();
        let graphs = graphs.map(|name| (revision.intern(NamedNode::new_unchecked(name).into()), true));
        copy_graphs(revision, graphs, &mut quads);
        let datasets = DocumentSidecars::new(&quads);
        let mut file = datasets.restore_after(&graph, &added(revision))?;
        file.reading = file.reading.of_name(&named.opened.origin.name);
        let place = format!("`{}`", named.opened.origin.name);
        if !file.findings.is_empty() {
            report.add_all(&file.findings);
            let message = format!("{place} cannot hold this, so nothing was changed");
            return Err(self.fault("no-place", message).into());
        }
        let (text, _) = in_its_version(&file, &graph, report)?;
        let options = self.loader.session.options.clone();
        let name = &named.opened.origin.name;
        let unwritten = match arrival(&datasets, &file, &text, options, name) {
            Ok(found) => diagnostics(&found, name),
            Err(fault) => vec![*fault],
        };
        self.check_arrives(&unwritten, &place, report)?;
        Ok(text)
    }

    /// Refuses a change that is missing in the file written from the graph.
    fn check_arrives(
        &self,
        unwritten: &[Diagnostic],
        place: &str,
        report: &mut RunReport,
    ) -> Result<(), RunFailure> {
        // New names for the same nodes are not a loss.
        if unwritten.iter().all(|finding| finding.severity == FindingSeverity::Note) {
            return Ok(());
        }
        report.add_all(unwritten);
        let message = format!("the file of {place} cannot hold this, so nothing was changed");
        Err(self.fault("not-written", message).into())
    }

    /// Returns a note that there is nothing to change.
    fn unchanged(&self, place: &str) -> Diagnostic {
        let message = format!("{place} already says this, so nothing was changed");
        Diagnostic::new(FindingSeverity::Note, format!("{}::unchanged", self.edit.verb()), message)
    }

    /// Returns the text of the file. Refuses a file that would lose its encoding, its compression, or text that was
    /// overwritten on reading.
    fn check_is_whole(&self, named: &DatasetDocument, path: &Path) -> Result<String, RunFailure> {
        let name = path.display();
        let bytes = std::fs::read(path).unwrap_or_default();
        if self.loader.input.reading.files_read.has_changed(path) {
            return Err(files_read::changed(path).into());
        }
        if bytes != *named.text() {
            let what = match bytes.starts_with(b"PK\x03\x04") {
                true => "is a workbook",
                false => "is compressed, not plain UTF-8, or has secrets",
            };
            let message = format!("`{name}` {what}, so it is not written");
            let help = "load it into the store, and change it there";
            return Err(self.fault("file", message).with_help(help).into());
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn fault(&self, code: &str, message: String) -> Diagnostic {
        Diagnostic::error(format!("{}::{code}", self.edit.verb()), message)
    }
}

/// Returns whether the longer of two texts contains everything of the shorter one in order: the same text with one
/// additional piece, or the same lines apart from indentation, brackets and commas.
fn differ_in_one_piece(left: &str, right: &str) -> bool {
    let (shorter, longer) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    let alike = |pair: &(u8, u8)| pair.0 == pair.1;
    let first = shorter.bytes().zip(longer.bytes()).take_while(alike).count();
    let last = shorter[..].bytes().rev().zip(longer.bytes().rev()).take_while(alike).count();
    if first + last >= shorter.len() {
        return true;
    }
    fn words(text: &str) -> impl Iterator<Item = &str> {
        let words = text.lines().map(|line| line.trim().trim_matches(['[', ']', '{', '}', ',', ' ']));
        words.filter(|word| !word.is_empty())
    }
    let mut longer = words(longer);
    words(shorter).all(|word| longer.any(|other| other == word))
}

fn graph_and_kind(document: &StoredDocument) -> (String, String) {
    let source = document.entry.source.as_ref();
    (document.entry.graph.clone(), source.map(|source| source.kind.clone()).unwrap_or_default())
}
