//! `evalgraph set`: gives a question another answer, other keywords or another state, in the store or in its
//! file.

use std::io::Write;
use std::path::Path;

use clap::{ArgGroup, Args};
use oxrdf::NamedNode;

use super::arguments::{InputArguments, IriArguments, JsonLdArguments};
use super::convert_items::write_text;
use super::documents;
use super::editing::Editing;
use super::input::InputSource;
use super::json_ld::JsonLd;
use super::load::Loader;
use super::load_quads::{With, load_one};
use super::named::Named;
use super::output::Output;
use super::question_named::question_named;
use super::question_update::{QuestionUpdate, Wanted};
use super::report::Report;
use super::same::in_its_version;
use super::store::{document_named, who};
use super::time_of_run::time_of_run;
use super::update::{copy_graphs, summary};
use super::{Answer, Stop};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rdf::QuadBuffer;
use crate::source::sidecar::{Datasets, sidecar_graph};
use crate::sparql::{ExecuteOptions, Update, UpdateOptions};
use crate::store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument, Revision};

const EXAMPLES: &str = "\
Examples:
  evalgraph set 'What is 2 + 2?' --answer 4
  evalgraph set urn:uuid:question-1 --finished true --keyword sums --keyword easy
  evalgraph set TRAIN_Q007 rows.json --answer 'In the second drawer'     (changes the file)
  evalgraph set 'What is 2 + 2?' --text 'How much is 2 + 2?' --print

QUESTION is its IRI or that of its item, the id that its file gives it, or its exact text. Without FILE the
store is changed, and the files that were loaded stay as they are; with FILE that file is changed in place, in
what was set and nothing else. All is made as a SPARQL update, which `--print` shows.";

/// The arguments of `set`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("what").required(true).multiple(true))]
pub(super) struct SetArguments {
    /// The question: its IRI, its id, or its exact text
    #[arg(value_name = "QUESTION")]
    question: String,
    #[command(flatten)]
    input: InputArguments,
    /// The text of the accepted answer
    #[arg(long, value_name = "TEXT", group = "what")]
    answer: Option<String>,
    /// Whether it is finished
    #[arg(long, value_name = "true|false", group = "what", action = clap::ArgAction::Set)]
    finished: Option<bool>,
    /// A keyword; can be repeated, and the question has these afterwards and no others
    #[arg(long, value_name = "TEXT", group = "what")]
    keyword: Vec<String>,
    /// The text of the question
    #[arg(long, value_name = "TEXT", group = "what")]
    text: Option<String>,
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
    iris: IriArguments,
    #[command(flatten)]
    json_ld: JsonLdArguments,
}

/// Runs `set`.
pub(super) fn run(arguments: &SetArguments, report: &mut Report) -> Result<Answer, Stop> {
    report.set_strictness(arguments.input.reading.strictness());
    let json_ld = JsonLd::new(&arguments.iris, &arguments.json_ld, &arguments.input.reading)?;
    let loader = Loader::new(&arguments.input, &json_ld, false, report.shows_all());
    if arguments.input.inputs.is_empty() {
        set_in_store(arguments, &loader, report)?;
    } else {
        set_in_file(arguments, &loader, report)?;
    }
    Ok(Answer::Yes)
}

/// The update, from what is there.
fn update_text(
    arguments: &SetArguments,
    (dataset, graph): (&Dataset, Option<&str>),
    kind: impl Fn(&str) -> String,
) -> Result<String, Stop> {
    let named = question_named(dataset, &arguments.question, graph)?;
    let keywords = (!arguments.keyword.is_empty()).then_some(arguments.keyword.as_slice());
    let (answer, text) = (arguments.answer.as_deref(), arguments.text.as_deref());
    let wanted = Wanted { answer, finished: arguments.finished, keywords, text };
    QuestionUpdate { dataset, named: &named, kind: &kind(&named.graph) }.text(&wanted)
}

/// Makes the update; says whether anything is another than before.
fn apply(text: &str, revision: &mut Revision<'_>, report: &mut Report) -> Result<bool, Stop> {
    let options = UpdateOptions { execute: ExecuteOptions::default(), default_target: None, loader: None };
    Update::parse(text, "update")?.apply(revision, options)?;
    report.add(&summary(revision));
    Ok(!revision.changes().is_empty())
}

fn print(text: &str) -> Result<(), Stop> {
    let mut output = Output::open(None)?;
    writeln!(output, "{text}").map_err(|error| output.stop(&error))?;
    output.finish()
}

fn set_in_store(arguments: &SetArguments, loader: &Loader<'_>, report: &mut Report) -> Result<(), Stop> {
    let store = arguments.input.store.open()?;
    let snapshot = store.snapshot()?;
    let graph =
        arguments.graph.as_ref().map(|graph| document_named(snapshot.documents(), graph)).transpose()?;
    let kind = |graph: &str| {
        let document = snapshot.documents().iter().find(|document| document.entry.graph == graph);
        let source = document.and_then(|document| document.entry.source.as_ref());
        source.map_or_else(|| "nothing".to_owned(), |source| source.kind.clone())
    };
    let graph = graph.map(|document| document.entry.graph.as_str());
    let text = update_text(arguments, (snapshot.dataset(), graph), kind)?;
    if arguments.print {
        return print(&text);
    }
    let mut change = store.change(&who("set"))?;
    let mut revision = Revision::new(change.dataset(), DefaultGraph::Union);
    if apply(&text, &mut revision, report)? && !arguments.dry_run {
        let edits = Editing { loader, store: &store, change: &change }.edits(&revision, report)?;
        drop(revision);
        change.edit(edits);
        change.commit()?;
    }
    Ok(())
}

fn set_in_file(arguments: &SetArguments, loader: &Loader<'_>, report: &mut Report) -> Result<(), Stop> {
    let sources = documents::sources(&arguments.input, report)?;
    let [InputSource::File(path)] = sources.as_slice() else {
        let fault = Diagnostic::error("set::file", "one file is changed at a time");
        return Err(fault.with_help("name one, or none to change the store").into());
    };
    let path = path.clone();
    let (named, _) = loader.open_sources(sources, None, &Default::default(), report)?;
    let [named] = named.as_slice() else { return Err(Stop::Failed) };
    let mut quads = QuadBuffer::new();
    let with = (&[With::Sidecar, With::Catalog][..], time_of_run()?);
    load_one(loader, named, with, &mut quads, report).ok_or(Stop::Failed)?;
    let mut builder = DocumentBuilder::new();
    quads.copy_into(&mut builder);
    let dataset = Dataset::from_documents(vec![NamedDocument { graph: named.graph(), builder }]);
    let text = update_text(arguments, (&dataset, None), |_| named.kind())?;
    if arguments.print {
        return print(&text);
    }
    let before = file_of(&Revision::new(&dataset, DefaultGraph::Union), named, report)?;
    check_is_whole(&before, named, &path, report)?;
    let mut revision = Revision::new(&dataset, DefaultGraph::Union);
    if apply(&text, &mut revision, report)? {
        let after = file_of(&revision, named, report)?;
        if !arguments.dry_run {
            write_text(&after, Some(&path))?;
        }
    }
    Ok(())
}

/// The file that a revision of its graph makes.
fn file_of(revision: &Revision<'_>, named: &Named, report: &mut Report) -> Result<String, Stop> {
    let graph = named.graph();
    let mut quads = QuadBuffer::new();
    let graphs: Vec<String> = [Some(graph.clone()), sidecar_graph(&graph)].into_iter().flatten().collect();
    let graphs: Vec<_> =
        graphs.iter().map(|name| revision.intern(NamedNode::new_unchecked(name).into())).collect();
    copy_graphs(revision, graphs.into_iter().map(|graph| (graph, true)), &mut quads);
    let file = Datasets::of(&quads).restore(&graph)?;
    if file.findings.is_empty() {
        return Ok(in_its_version(file, &graph, report)?.0);
    }
    report.add_all(&file.findings);
    let message = format!("`{}` cannot hold this, and stays as it is", named.opened.name);
    Err(Diagnostic::error("set::no-place", message).into())
}

/// Refuses a file that would lose anything: what is overwritten where it is read, an encoding, a compression.
fn check_is_whole(before: &str, named: &Named, path: &Path, report: &mut Report) -> Result<(), Stop> {
    let name = path.display();
    let bytes = std::fs::read(path).unwrap_or_default();
    if bytes != *named.text() {
        let message = format!("`{name}` is compressed, not plain UTF-8, or has secrets, and is not written");
        let help = "load it into the store, and set it there";
        return Err(Diagnostic::error("set::file", message).with_help(help).into());
    }
    if before.as_bytes() != bytes {
        let message = format!("`{name}` is laid out in another way in places, with the same content");
        report.add(&Diagnostic::new(Severity::Note, "set::layout", message));
    }
    Ok(())
}
