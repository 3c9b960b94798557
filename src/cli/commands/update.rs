//! `evalgraph update`: a SPARQL update over the store, which is changed, or over files; what comes out of
//! these is written, the files stay as they are.

use std::cell::RefCell;

use oxrdf::NamedNode;

use crate::cli::request_text::UPDATE;
use crate::cli::update_arguments::{UpdateArguments, UpdateText};
use crate::cli::update_files::UpdateFiles;
use crate::cli::{Answer, Stop, ending};
use crate::diagnostic::{Diagnostic, Failure, Report, Severity, thousands};
use crate::input::source::InputSource;
use crate::load::json_ld::JsonLd;
use crate::load::loader::Loader;
use crate::rdf::QuadBuffer;
use crate::rdf::iri::without_userinfo;
use crate::sparql::{ExecuteOptions, Parameter, Update, UpdateOptions};
use crate::store::{DefaultGraph, Revision};
use crate::workspace::editing::{Edited, Editing};
use crate::workspace::store::who;

/// Runs `update`.
pub(super) fn run(arguments: &UpdateArguments, report: &mut Report) -> Result<Answer, Stop> {
    report.set_strictness(arguments.input.reading.strictness);
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
        return Err(Failure::Reported.into());
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
