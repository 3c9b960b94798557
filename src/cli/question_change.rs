//! What the commands have in common that change one question by hand: their arguments, and the way of their
//! update into the store or into a file.

use std::io::Write;
use std::path::Path;

use clap::Args;
use oxrdf::NamedNode;

use super::output::{self, Output, write_text};
use super::{Stop, ending, interrupts};
use crate::convert::arrival::{arrival, diagnostics};
use crate::convert::same::in_its_version;
use crate::diagnostic::{Diagnostic, Failure, Report, Severity, thousands};
use crate::input::files_read;
use crate::input::options::{Inputs, IriOptions};
use crate::input::source::InputSource;
use crate::load::json_ld::{JsonLd, JsonLdSettings};
use crate::load::loader::Loader;
use crate::load::named::Named;
use crate::load::quads::{With, load_one};
use crate::load::time_of_run::time_of_run;
use crate::question::scope::Scope;
use crate::rdf::QuadBuffer;
use crate::source::sidecar::{Datasets, sidecar_graph};
use crate::sparql::{ExecuteOptions, Update, UpdateOptions};
use crate::store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument, Revision, StoredDocument};
use crate::workspace::editing::{Edited, Editing};
use crate::workspace::revision_quads::{added, copy_graphs};
use crate::workspace::sources::sources;
use crate::workspace::store::{document_named, who};

/// The arguments of every command that changes a question.
#[derive(Debug, Args)]
#[command(mut_arg("inputs", |inputs| inputs.value_name("FILE").help("The file that is changed in place; without it the store")))]
pub(super) struct ChangeArguments {
    /// The question: its IRI, its id, or its exact text
    #[arg(value_name = "QUESTION")]
    pub(super) question: String,
    #[command(flatten)]
    input: Inputs,
    /// The graph of the question, where several have it: its IRI, its dataset, or its file
    #[arg(long, value_name = "GRAPH")]
    graph: Option<String>,
    /// Print the update that does it, and do nothing
    #[arg(long)]
    print: bool,
    /// Say what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    iris: IriOptions,
    #[command(flatten)]
    json_ld: JsonLdSettings,
}

/// A change of a question.
pub(super) struct ChangeText {
    /// The update.
    pub(super) update: String,
    /// The update of the dates that say when this was; it comes first, and nothing of it is done where the other
    /// changes nothing.
    pub(super) dates: String,
    /// What becomes of the text of a file by it.
    pub(super) extent: Extent,
    /// What was done, once it is.
    pub(super) deed: Deed,
}

impl ChangeText {
    /// Sets the dates.
    fn date(&self, revision: &mut Revision<'_>) -> Result<(), Stop> {
        apply(&self.dates, revision).map(drop)
    }

    /// Makes the update; says whether anything is another than before.
    fn apply(&self, revision: &mut Revision<'_>) -> Result<bool, Stop> {
        apply(&self.update, revision)
    }

    /// Prints all that would be done; nothing where that is nothing.
    fn print(&self) -> Result<(), Stop> {
        let mut output = Output::open(None)?;
        let text = match (self.dates.as_str(), self.update.as_str()) {
            ("", update) | (_, update @ "") => update.to_owned(),
            (dates, update) => format!("{dates} ;\n{update}"),
        };
        writeln!(output, "{text}").map_err(|error| output.stop(&error))?;
        output.finish()
    }
}

/// Makes an update; says whether anything is another than before.
fn apply(text: &str, revision: &mut Revision<'_>) -> Result<bool, Stop> {
    if text.is_empty() {
        return Ok(false);
    }
    let before = count_of_changes(revision);
    let options = UpdateOptions { execute: ExecuteOptions::default(), default_target: None, loader: None };
    Update::parse(text, "update")?.apply(revision, options)?;
    Ok(count_of_changes(revision) != before)
}

/// How many triples came and went; no update here takes back what another one did.
fn count_of_changes(revision: &Revision<'_>) -> usize {
    revision.changes().iter().map(|change| change.added.len() + change.removed.len()).sum()
}

/// What a command does, in the words that people are told it in: `changed the answer of 1 question in`.
pub(super) struct Deed {
    /// `change`, and `changed` once it is done.
    pub(super) verb: [&'static str; 2],
    /// What is changed.
    pub(super) what: String,
    /// What stands before the name of the file.
    pub(super) preposition: &'static str,
}

impl Deed {
    fn told(&self, (command, place): (&str, &str), is_done: bool) -> Diagnostic {
        let Self { verb: [would, has], what, preposition } = self;
        let verb = if is_done { (*has).to_owned() } else { format!("would {would}") };
        let message = format!("{verb} {what} {preposition} {place}");
        Diagnostic::new(Severity::Note, format!("{command}::summary"), message)
    }
}

/// `1 question`, `2 keywords`.
pub(super) fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {one}s", thousands(count as u64)) }
}

/// What becomes of the text of a file by a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Some values change.
    Within,
    /// One piece is added, or taken away, and everything else stays.
    OnePiece,
}

/// Changes the store, or the file that is named, by the update that a command makes of what is there.
///
/// # Errors
///
/// What the command finds, and what the store, the file or the update reports; nothing has changed then.
pub(super) fn change_question(
    (command, arguments): (&'static str, &ChangeArguments),
    text: &dyn Fn(Scope<'_>) -> Result<ChangeText, Stop>,
    report: &mut Report,
) -> Result<(), Stop> {
    report.set_strictness(arguments.input.reading.strictness);
    let json_ld = JsonLd::new(&arguments.iris, &arguments.json_ld, &arguments.input.reading)?;
    let loader = Loader::new(&arguments.input, &json_ld, false, report.shows_all());
    let change = QuestionChange { command, arguments, loader: &loader, text };
    if arguments.input.inputs.is_empty() { change.in_store(report) } else { change.in_file(report) }
}

struct QuestionChange<'c> {
    command: &'static str,
    arguments: &'c ChangeArguments,
    loader: &'c Loader<'c>,
    text: &'c dyn Fn(Scope<'_>) -> Result<ChangeText, Stop>,
}

impl QuestionChange<'_> {
    fn in_store(&self, report: &mut Report) -> Result<(), Stop> {
        let Self { command, arguments, loader, .. } = *self;
        let store = arguments.input.store.open()?;
        let snapshot = store.snapshot()?;
        let graph =
            arguments.graph.as_ref().map(|graph| document_named(snapshot.documents()?, graph)).transpose()?;
        let documents: Vec<(String, String)> = snapshot.documents()?.iter().map(graph_and_kind).collect();
        let graph = graph.map(|document| document.entry.graph.as_str());
        let scope = Scope { dataset: snapshot.dataset(), graph, documents: &documents, command };
        let change_text = (self.text)(scope)?;
        if arguments.print {
            return change_text.print();
        }
        interrupts::listen();
        let mut change = store.change(&who(command))?;
        ending::begin_change(change.sweeper());
        let mut revision = Revision::new(change.dataset(), DefaultGraph::Union);
        change_text.date(&mut revision)?;
        if !change_text.apply(&mut revision)? {
            report.add(&self.unchanged("the store"));
            return Ok(());
        }
        let editing = Editing { loader, store: &store, change: &change };
        let Edited { edits, unwritten, changed } = editing.edits(&revision, report)?;
        let place = match changed.as_slice() {
            [one] => format!("`{one}` of the store"),
            _ => "the store".to_owned(),
        };
        self.check_arrives(&unwritten, &place, report)?;
        drop(revision);
        if !arguments.dry_run {
            change.edit(edits);
            change.commit_unless(ending::settle)?;
        }
        report.add(&change_text.deed.told((command, &place), !arguments.dry_run));
        Ok(())
    }

    fn in_file(&self, report: &mut Report) -> Result<(), Stop> {
        let Self { command, arguments, loader, .. } = *self;
        let sources = sources(&arguments.input, report)?;
        let [InputSource::File(path)] = sources.as_slice() else {
            let fault = self.fault("file", "one file is changed at a time".to_owned());
            return Err(fault.with_help("name one, or none to change the store").into());
        };
        let path = path.clone();
        let (named, _) = loader.open_sources(sources, None, &Default::default(), report);
        let [named] = named.as_slice() else { return Err(Failure::Reported.into()) };
        let mut quads = QuadBuffer::new();
        let with = (&[With::Sidecar, With::Catalog][..], time_of_run()?);
        load_one(loader, named, with, &mut quads, report).ok_or(Failure::Reported)?;
        let mut builder = DocumentBuilder::new();
        quads.copy_into(&mut builder);
        let dataset = Dataset::from_documents(vec![NamedDocument { graph: named.graph(), builder }]);
        let documents = [(named.graph(), named.kind())];
        let scope = Scope { dataset: &dataset, graph: None, documents: &documents, command };
        let change_text = (self.text)(scope)?;
        if arguments.print {
            return change_text.print();
        }
        let place = format!("`{}`", path.display());
        let mut revision = Revision::new(&dataset, DefaultGraph::Union);
        let before = self.file_of(&revision, named, report)?;
        self.check_is_whole(&before, named, &path, report)?;
        change_text.date(&mut revision)?;
        let is_one_piece = change_text.extent == Extent::OnePiece;
        let dated = if is_one_piece { self.file_of(&revision, named, report)? } else { before };
        if !change_text.apply(&mut revision)? {
            report.add(&self.unchanged(&place));
            return Ok(());
        }
        let after = self.file_of(&revision, named, report)?;
        if is_one_piece && !differ_in_one_piece(&dated, &after) {
            let message = format!("other parts of {place} would be laid out anew");
            let help = "load it into the store, change it there, and write it with `convert --to same`";
            return Err(self.fault("inexact", message).with_help(help).into());
        }
        if !arguments.dry_run {
            write_text(&after, Some(&path))?;
        }
        report.add(&change_text.deed.told((command, &place), !arguments.dry_run));
        Ok(())
    }

    /// The file that a revision of its graph makes, which has all that the graph says.
    fn file_of(&self, revision: &Revision<'_>, named: &Named, report: &mut Report) -> Result<String, Stop> {
        let graph = named.graph();
        let mut quads = QuadBuffer::new();
        let graphs: Vec<String> =
            [Some(graph.clone()), sidecar_graph(&graph)].into_iter().flatten().collect();
        let graphs: Vec<_> =
            graphs.iter().map(|name| revision.intern(NamedNode::new_unchecked(name).into())).collect();
        copy_graphs(revision, graphs.into_iter().map(|graph| (graph, true)), &mut quads);
        let datasets = Datasets::of(&quads);
        let mut file = datasets.restore_after(&graph, &added(revision))?;
        file.reading = file.reading.of_name(&named.opened.name);
        let place = format!("`{}`", named.opened.name);
        if !file.findings.is_empty() {
            report.add_all(&file.findings);
            let message = format!("{place} cannot hold this, and stays as it is");
            return Err(self.fault("no-place", message).into());
        }
        let (text, _) = in_its_version(&file, &graph, report)?;
        let options = self.loader.json_ld.options().clone();
        let name = &named.opened.name;
        let unwritten = match arrival(&datasets, (&file, &text), options, name) {
            Ok(found) => diagnostics(&found, name),
            Err(fault) => vec![*fault],
        };
        self.check_arrives(&unwritten, &place, report)?;
        Ok(text)
    }

    /// Refuses a change that is not in the file that is written of it.
    fn check_arrives(&self, unwritten: &[Diagnostic], place: &str, report: &mut Report) -> Result<(), Stop> {
        // Other names for the same nodes are no loss.
        if unwritten.iter().all(|finding| finding.severity == Severity::Note) {
            return Ok(());
        }
        report.add_all(unwritten);
        let message = format!("the file of {place} cannot hold this, and everything stays as it is");
        Err(self.fault("not-written", message).into())
    }

    /// That there is nothing to do.
    fn unchanged(&self, place: &str) -> Diagnostic {
        let message = format!("{place} says this already, and stays as it is");
        Diagnostic::new(Severity::Note, format!("{}::unchanged", self.command), message)
    }

    /// Refuses a file that would lose anything: what is overwritten where it is read, an encoding, a compression.
    fn check_is_whole(
        &self,
        before: &str,
        named: &Named,
        path: &Path,
        report: &mut Report,
    ) -> Result<(), Stop> {
        let name = path.display();
        let bytes = std::fs::read(path).unwrap_or_default();
        if output::files_read().has_changed(path) {
            return Err(files_read::changed(path).into());
        }
        if bytes != *named.text() {
            let message =
                format!("`{name}` is compressed, not plain UTF-8, or has secrets, and is not written");
            let help = "load it into the store, and change it there";
            return Err(self.fault("file", message).with_help(help).into());
        }
        if before.as_bytes() != bytes {
            let message = format!("`{name}` is laid out in another way in places, with the same content");
            report.add(&Diagnostic::new(Severity::Note, format!("{}::layout", self.command), message));
        }
        Ok(())
    }

    fn fault(&self, code: &str, message: String) -> Diagnostic {
        Diagnostic::error(format!("{}::{code}", self.command), message)
    }
}

/// Whether one of two texts has all that the other one has, in its order: lines without indentation, brackets and
/// commas, or, where they have few lines, all but one piece.
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
