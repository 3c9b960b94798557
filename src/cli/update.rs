//! `evalgraph update`: a SPARQL update over the store, which is changed, or over files; what comes out of
//! these is written, the files stay as they are.

use std::cell::RefCell;
use std::path::PathBuf;

use clap::Args;
use oxrdf::{NamedNode, Term};

use super::arguments::{InputArguments, OutputArguments};
use super::editing::{Edited, Editing};
use super::ending;
use super::input::InputSource;
use super::json_ld::JsonLd;
use super::json_ld_output::ShapeArguments;
use super::load::{Loader, LoadingArguments};
use super::output_folder::FolderArguments;
use super::render::thousands;
use super::report::Report;
use super::request_text::UPDATE;
use super::services::ServiceArguments;
use super::store::who;
use super::target::Target;
use super::update_files::{UpdateFiles, update_targets};
use super::{Answer, Stop};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rdf::iri::without_userinfo;
use crate::rdf::{QuadBuffer, QuadSink};
use crate::sparql::{ExecuteOptions, Parameter, Update, UpdateOptions};
use crate::store::{DefaultGraph, Revision, TermId};

const EXAMPLES: &str = "\
Examples:
  evalgraph update -q 'DELETE WHERE { ?q s:keywords \"draft\" }'     (changes the store)
  evalgraph update checkpoint.jsonld -q 'DELETE WHERE { ?q s:keywords \"draft\" }' -o checkpoint.jsonld
  evalgraph update data.ttl -q 'DELETE WHERE { ?q s:keywords \"draft\" }' -o data.nq
  evalgraph update a.jsonld -f fix.ru -p keyword=oncology --dry-run
  evalgraph update a.ttl b.ttl -q 'WITH <urn:evalgraph:graph:a> INSERT { ?q s:version \"2\" } WHERE { ?q a s:Question }'

Without INPUT the store is changed, all or nothing, and its files stay as they are: `evalgraph
convert --to same` writes them with the change. With INPUT the result is written to stdout or
`-o`: as the file that it was with `--to same`, or where the name of the output is one for such a
file; else as RDF. `… --to same | evalgraph convert - --to karenina` writes other forms. Nothing is
written where any operation fails. What the update inserts without naming a graph
goes to the graph of the only input or document, or that of `--graph`; what it deletes so is
deleted from every graph that has it. A graph without triples is not there: what begins with one
that is not, or clears it, is an error unless it is SILENT.";

/// The arguments of `update`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct UpdateArguments {
    #[command(flatten)]
    pub(super) input: InputArguments,
    #[command(flatten)]
    text: UpdateText,
    /// A value for a variable of the update: a SPARQL term or a plain value
    #[arg(short, long = "param", value_name = "NAME=TERM")]
    parameters: Vec<String>,
    /// The graph that takes what the update inserts without naming one
    #[arg(long, value_name = "IRI")]
    graph: Option<String>,
    /// The format to write, or `same` for files as they were read; without it the extension of the output file
    /// tells, else nq
    #[arg(long, value_name = "FORMAT", value_parser = update_targets())]
    pub(super) to: Option<Target>,
    /// Say what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    services: ServiceArguments,
    #[command(flatten)]
    pub(super) shape: ShapeArguments,
    #[command(flatten)]
    pub(super) output: OutputArguments,
    #[command(flatten)]
    pub(super) folder: FolderArguments,
    #[command(flatten)]
    pub(super) loading: LoadingArguments,
}

/// Where the text of an update comes from; stdin where nothing is named.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct UpdateText {
    /// The update
    #[arg(short, long = "query", value_name = "TEXT")]
    query: Option<String>,
    /// A file with the update
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Runs `update`.
pub(super) fn run(arguments: &UpdateArguments, report: &mut Report) -> Result<Answer, Stop> {
    report.set_strictness(arguments.input.reading.strictness());
    let update = read_update(arguments)?;
    if update.mapped_iris() > 0 {
        report.add(&UPDATE.mapped_iris(update.mapped_iris()));
    }
    if arguments.input.inputs.is_empty() {
        return update_store(arguments, update, report);
    }
    update_files(arguments, update, report)
}

/// Writes what an update makes of files.
fn update_files(arguments: &UpdateArguments, update: Update, report: &mut Report) -> Result<Answer, Stop> {
    let (input, loading) = (&arguments.input, &arguments.loading);
    let mut json_ld = JsonLd::new(&loading.iris, &loading.json_ld, &input.reading)?;
    let files = UpdateFiles::read(arguments, &json_ld, report)?;
    let shape = files.shape(arguments, &mut json_ld)?;
    let environment = arguments.services.environment((input, loading, &json_ld), report)?;
    let update = update.with_environment(environment);
    let target = match (&arguments.graph, files.documents.as_slice()) {
        (Some(graph), _) => Some(graph_name(graph)?),
        (None, [only]) => Some(only.as_str()),
        (None, _) => None,
    };
    let mut revision = Revision::new(&files.dataset, DefaultGraph::Union);
    apply(&update, &mut revision, (arguments, &json_ld, target), report)?;
    report.add(&summary(&revision));
    if !arguments.dry_run {
        files.write(&revision, (arguments, &update), (&json_ld, &shape), report)?;
    }
    Ok(Answer::Yes)
}

/// Changes the store, all or nothing.
fn update_store(arguments: &UpdateArguments, update: Update, report: &mut Report) -> Result<Answer, Stop> {
    if arguments.output.output.is_some() {
        let message = "without INPUT the store is changed, and there is nothing to write to a file";
        let help = "leave `-o` out, or name the files that are to be read";
        return Err(Diagnostic::error("output::format", message).with_help(help).into());
    }
    let (input, loading) = (&arguments.input, &arguments.loading);
    let store = input.store.open()?;
    let json_ld = JsonLd::new(&loading.iris, &loading.json_ld, &input.reading)?;
    let environment = arguments.services.environment((input, loading, &json_ld), report)?;
    let mut change = store.change(&who("update"))?;
    ending::begin_change(change.sweeper());
    let update = update.with_environment(environment);
    let target = match (&arguments.graph, change.documents()) {
        (Some(graph), _) => Some(graph_name(graph)?.to_owned()),
        (None, [only]) => Some(only.entry.graph.clone()),
        (None, _) => None,
    };
    let mut revision = Revision::new(change.dataset(), DefaultGraph::Union);
    for document in change.documents() {
        // A document whose graph is empty takes what is inserted all the same.
        revision.add_document(revision.intern(NamedNode::new_unchecked(&document.entry.graph).into()));
    }
    apply(&update, &mut revision, (arguments, &json_ld, target.as_deref()), report)?;
    report.add(&summary(&revision));
    let loader = Loader::new(input, &json_ld, loading.plain, report.shows_all());
    let editing = Editing { loader: &loader, store: &store, change: &change };
    let Edited { edits, unwritten, .. } = editing.edits(&revision, report)?;
    report.add_all(&unwritten);
    if report.has_failed() {
        return Err(Stop::Failed);
    }
    drop(revision);
    // Who ends a run while it is made ready ends it without a change.
    ending::cancellation().check()?;
    if !arguments.dry_run && !edits.documents.is_empty() {
        change.edit(edits);
        change.commit_unless(ending::settle)?;
    }
    Ok(Answer::Yes)
}

fn read_update(arguments: &UpdateArguments) -> Result<Update, Stop> {
    let parsed: Vec<Parameter> =
        arguments.parameters.iter().map(|text| Parameter::parse(text)).collect::<Result<_, _>>()?;
    let UpdateText { query, file } = &arguments.text;
    let (name, text) = UPDATE.read(query.as_deref(), file.as_deref(), &arguments.input.inputs)?;
    let update = match arguments.loading.plain {
        true => Update::parse_plain(&text, &name),
        false => Update::parse(&text, &name),
    };
    Ok(update?.with_parameters(&parsed)?)
}

fn graph_name(graph: &str) -> Result<&str, Stop> {
    let graph = graph.strip_prefix('<').and_then(|graph| graph.strip_suffix('>')).unwrap_or(graph);
    if crate::rdf::iri::is_iri(graph) {
        return Ok(graph);
    }
    Err(Diagnostic::error("sparql::invalid-iri", format!("`{graph}` is not an absolute IRI")).into())
}

fn apply(
    update: &Update,
    revision: &mut Revision<'_>,
    (arguments, json_ld, target): (&UpdateArguments, &JsonLd, Option<&str>),
    report: &mut Report,
) -> Result<(), Stop> {
    let part = RefCell::new(report.part());
    let loader = Loader::new(&arguments.input, json_ld, arguments.loading.plain, report.shows_all());
    let read = |url: &str| load_document(&loader, url, &part);
    let options =
        UpdateOptions { execute: ExecuteOptions::default(), default_target: target, loader: Some(&read) };
    let result = update.apply(revision, options);
    report.absorb(part.into_inner());
    report.add_all(&update.remarks());
    Ok(result?)
}

/// The document of LOAD. What is wrong with it is told where the update fails for it.
fn load_document(
    loader: &Loader<'_>,
    url: &str,
    report: &RefCell<Report>,
) -> Result<QuadBuffer, Box<Diagnostic>> {
    let mut part = report.borrow().part();
    let mut quads = QuadBuffer::new();
    let source = InputSource::Url(url.to_owned());
    if loader.fill_from(&source, &mut quads, QuadBuffer::take_lost_costs, &mut part).is_none() {
        let url = without_userinfo(url);
        let message = format!("LOAD cannot read `{url}`");
        return Err(Box::new(Diagnostic::error("sparql::load", message).with_help(format!(
            "map it to a file with `--map {url}=FILE`, or allow the network with `--net`; `evalgraph stats` says what is wrong with a document"
        ))));
    }
    report.borrow_mut().absorb(part);
    Ok(quads)
}

/// `inserted 3, deleted 2 quads in 1 graph`.
pub(super) fn summary(revision: &Revision<'_>) -> Diagnostic {
    let changes = revision.changes();
    let count =
        |counted: fn(&crate::store::GraphChange) -> usize| changes.iter().map(counted).sum::<usize>() as u64;
    let (inserted, deleted) = (count(|change| change.added.len()), count(|change| change.removed.len()));
    let graphs = changes.len() as u64;
    let plural = if graphs == 1 { "graph" } else { "graphs" };
    let message = format!(
        "inserted {}, deleted {} quads in {} {plural}",
        thousands(inserted),
        thousands(deleted),
        thousands(graphs)
    );
    Diagnostic::new(Severity::Note, "update::summary", message)
}

/// Appends the quads of graphs of a revision, each with its name or without it.
pub(super) fn copy_graphs(
    revision: &Revision<'_>,
    graphs: impl Iterator<Item = (TermId, bool)>,
    quads: &mut QuadBuffer,
) {
    let mut terms = std::collections::HashMap::new();
    for (graph, is_named) in graphs {
        let name = is_named.then(|| term(graph, revision, &mut terms, quads));
        for triple in revision.graph_triples(graph) {
            let [subject, predicate, object] = triple.map(|id| term(id, revision, &mut terms, quads));
            quads.quad(subject, predicate, object, name);
        }
    }
}

/// The statements that a revision has added, without their graphs.
pub(super) fn added(revision: &Revision<'_>) -> QuadBuffer {
    let (mut quads, mut terms) = (QuadBuffer::new(), std::collections::HashMap::new());
    for triple in revision.changes().into_iter().flat_map(|change| change.added) {
        let [subject, predicate, object] = triple.map(|id| term(id, revision, &mut terms, &mut quads));
        quads.quad(subject, predicate, object, None);
    }
    quads
}

type Handle = <QuadBuffer as QuadSink>::Term;

fn term(
    id: TermId,
    revision: &Revision<'_>,
    known: &mut std::collections::HashMap<TermId, Handle>,
    quads: &mut QuadBuffer,
) -> Handle {
    *known.entry(id).or_insert_with(|| match revision.term(id) {
        Term::NamedNode(node) => quads.iri(node.as_str()),
        Term::BlankNode(_) => quads.blank_node(),
        Term::Literal(literal) => match literal.language() {
            Some(language) => quads.language_string(literal.value(), language),
            None if literal.datatype() == oxrdf::vocab::xsd::STRING => quads.string(literal.value()),
            None => {
                let datatype = quads.iri(literal.datatype().as_str());
                quads.typed_literal(literal.value(), datatype)
            }
        },
    })
}
