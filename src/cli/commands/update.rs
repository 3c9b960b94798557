//! `evalgraph update`: runs a SPARQL update on the store, or on files. For files, the result is written elsewhere and
//! the files stay unchanged.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::cli::arguments::{EndpointArguments, OutputArguments, SERVER, ShapeArguments, update_targets};
use crate::cli::output_folder::{FolderArguments, OutputDestination};
use crate::cli::output_form::{self, known_extension};
use crate::cli::preferences::preferences;
use crate::cli::rdf_output::write_quads;
use crate::cli::request_text::UPDATE;
use crate::cli::run_ending::writer;
use crate::cli::same::write_same;
use crate::cli::service_arguments::ServiceArguments;
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, codes};
use evalgraph_engine::api::{self, LoadedData};
use evalgraph_engine::convert::json_ld_shape::JsonLdShape;
use evalgraph_engine::convert::output_form::OutputForm;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::document_loading::DocumentLoading;
use evalgraph_engine::load::load_purpose::LoadPurpose;
use evalgraph_engine::load::read_session::LoadOptions;
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_engine::workspace::update_run::UpdateRun;
use evalgraph_engine::workspace::updated_files::{OpenedFiles, UpdatedFiles};
use evalgraph_rdf::RdfFormat;
use evalgraph_sparql::{Prologue, QueryParameter, SparqlServer, Update};

const EXAMPLES: &str = "\
Examples:
  evalgraph update -q 'DELETE WHERE { ?q s:keywords \"draft\" }'     (changes the store)
  evalgraph update checkpoint.jsonld -q 'DELETE WHERE { ?q s:keywords \"draft\" }' -o checkpoint.jsonld
  evalgraph update data.ttl -q 'DELETE WHERE { ?q s:keywords \"draft\" }' -o data.nq
  evalgraph update a.jsonld -f fix.ru -p keyword=oncology --dry-run
  evalgraph update a.ttl b.ttl -q 'WITH <urn:evalgraph:graph:a> INSERT { ?q s:version \"2\" } WHERE { ?q a s:Question }'

Without INPUT the store is changed, all or nothing, and its files stay as they are: `evalgraph
convert --to same` writes them with the change. With INPUT the result is written to stdout or
`-o`: in the form of the input file with `--to same` or if the name of the output fits that form,
and as RDF otherwise. `… --to same | evalgraph convert - --to karenina` writes other forms. Nothing
is written if any operation fails.

Triples that are inserted without naming a graph go to the graph of the only input or document, or
to that of `--graph`. Triples that are deleted without naming a graph are deleted from every graph.
A graph without triples does not exist: to copy, move, add or clear such a graph is an error unless
the operation is SILENT.";

/// The arguments of `update`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct UpdateArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    #[command(flatten)]
    text: UpdateText,
    /// Value of a variable: a SPARQL term, or plain text
    #[arg(short, long = "param", value_name = "NAME=TERM")]
    parameters: Vec<String>,
    #[command(flatten)]
    endpoint: EndpointArguments,
    /// URL for updates (default: derived from the endpoint)
    #[arg(long, value_name = "URL", requires = "endpoint", help_heading = SERVER)]
    update_url: Option<String>,
    /// Graph for what is inserted without naming one
    ///
    /// Its IRI, its dataset, or in a store the file that it was read from; a new graph is named by its IRI
    #[arg(long, value_name = "GRAPH")]
    graph: Option<String>,
    /// Format to write (default: by name of -o, else nq)
    ///
    /// `same` writes files as they were read
    #[arg(long, alias = "format", value_name = "FORMAT", value_parser = update_targets())]
    to: Option<OutputForm>,
    /// Say what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    services: ServiceArguments,
    #[command(flatten)]
    shape: ShapeArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    folder: FolderArguments,
    #[command(flatten)]
    loading: GroupedOptions<LoadOptions>,
}

/// The source of the text of an update: stdin if nothing is given.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(super) struct UpdateText {
    /// SPARQL update
    #[arg(short, long = "query", value_name = "TEXT")]
    query: Option<String>,
    /// File with the update
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// The form in which the result of an update of files is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UpdateForm {
    /// All quads in one format.
    Rdf(RdfFormat),
    /// Each file in the form in which it was read.
    Same,
}

/// Runs `update`.
pub(super) fn run(arguments: &UpdateArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let UpdateArguments { input, loading, .. } = arguments;
    report.set_strictness(input.reading.strictness);
    let update = read_update(arguments, report)?;
    if update.mapped_iris() > 0 {
        report.add(&UPDATE.mapped_iris(update.mapped_iris()));
    }
    let path = arguments.output.output.as_deref();
    if let Some(server) = open_server(arguments, report)? {
        return send(&*server, &update, report);
    }
    let changes_store = input.inputs.is_empty();
    if changes_store && path.is_some() {
        let message = "without INPUT the store is changed, so there is nothing to write to a file";
        let help = "leave `-o` out, or name the files that are to be read";
        return Err(Diagnostic::error("output::format", message).with_help(help).into());
    }
    let store = if changes_store { Some(input.store.open()?) } else { None };
    let mut session = ReadSession::new(&loading.iris, &loading.json_ld, &input.reading)?;
    let files = if changes_store { None } else { Some(read_files(arguments, &mut session, report)?) };
    let environment = arguments.services.environment(input, loading, &session, report)?;
    let update = update.with_environment(environment);
    let loader = DocumentLoading::new(input, &session, loading.plain, report.shows_all());
    let run = UpdateRun { update: &update, graph: arguments.graph.as_deref(), loader: &loader, read: None };
    if let Some(store) = store {
        run.in_store(&store, &writer("update", arguments.dry_run), report)?;
    }
    let Some((files, form, shape)) = files else { return Ok(CommandAnswer::Yes) };
    let revision = run.over_files(&files, report)?;
    match form {
        _ if arguments.dry_run => {}
        UpdateForm::Rdf(format) => {
            let quads = files.quads(&revision, &update.prefixes());
            write_quads(quads, format, path, &session, &shape, report)?;
        }
        UpdateForm::Same => {
            let destination = OutputDestination { path, arguments: arguments.folder };
            write_same(&files.changed(&revision), destination, report)?;
        }
    }
    Ok(CommandAnswer::Yes)
}

/// The server to change, if one is named.
fn open_server(
    arguments: &UpdateArguments,
    report: &mut RunReport,
) -> Result<Option<Arc<dyn SparqlServer>>, CommandStop> {
    let UpdateArguments { input, loading, .. } = arguments;
    let others = [
        ("INPUT", !input.inputs.is_empty()),
        ("--store", input.store.store.is_some()),
        ("--service", !arguments.services.is_empty()),
        ("--graph", arguments.graph.is_some()),
        ("--to", arguments.to.is_some()),
        ("--output", arguments.output.output.is_some()),
        ("--dry-run", arguments.dry_run),
    ];
    arguments.endpoint.open_with(arguments.update_url.as_deref(), &loading.iris.net, &others, report)
}

/// Sends an update to a server.
fn send(
    server: &dyn SparqlServer,
    update: &Update,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    server.update(update)?;
    report.add_all(&server.remarks());
    let message = format!("{} has made the update", server.place());
    report.add(&Diagnostic::new(FindingSeverity::Note, "endpoint::updated", message));
    Ok(CommandAnswer::Yes)
}

fn read_update(arguments: &UpdateArguments, report: &mut RunReport) -> Result<Update, CommandStop> {
    let parsed: Vec<QueryParameter> =
        arguments.parameters.iter().map(|text| QueryParameter::parse(text)).collect::<Result<_, _>>()?;
    let UpdateText { query, file } = &arguments.text;
    let (name, text) = UPDATE.read(query.as_deref(), file.as_deref(), &arguments.input.inputs)?;
    let preferences = preferences()?;
    let update = |of_data: &[(String, String)]| {
        let keeps_iris = arguments.loading.plain;
        let prologue =
            Prologue { prefixes: preferences.prefixes(of_data), keeps_iris, ..Prologue::default() };
        let update = Update::parse_in(&text, &name, &prologue);
        update.map_err(|fault| UPDATE.explained(fault, query.as_deref()))?.with_parameters(&parsed)
    };
    match update(&[]) {
        // A prefix that is declared nowhere else may be declared in the data, which are read again for it.
        Err(fault) if fault.code == codes::SPARQL_UNDECLARED_PREFIX && !arguments.input.inputs.is_empty() => {
            let loader = api::Loader::from_options(&arguments.input, &arguments.loading);
            let loaded = LoadedData::read(&loader, LoadPurpose::Quads, &mut report.part())?;
            Ok(update(loaded.prefixes())?)
        }
        update => Ok(update?),
    }
}

/// Reads the inputs, with their sidecars if they are written back as files. Also returns the form of the output and the
/// shape of its JSON-LD.
fn read_files(
    arguments: &UpdateArguments,
    session: &mut ReadSession,
    report: &mut RunReport,
) -> Result<(UpdatedFiles, UpdateForm, JsonLdShape), CommandStop> {
    let UpdateArguments { input, loading, shape, .. } = arguments;
    let goal = goal_of(arguments, report)?;
    if let Some(form @ UpdateForm::Rdf(_)) = goal {
        let files = UpdatedFiles::read(input, loading, report)?;
        return Ok((files, form, shape_of(form, shape, session)?));
    }
    let loader = DocumentLoading::new(input, session, loading.plain, report.shows_all());
    let opened = OpenedFiles::open(&loader, loading.dataset.as_deref(), report)?;
    let form = match goal {
        Some(form) => form,
        None => form_by_name(arguments, &opened, report)?,
    };
    let files = opened.read(form == UpdateForm::Same, report)?;
    Ok((files, form, shape_of(form, shape, session)?))
}

/// The shape of the JSON-LD to write.
fn shape_of(
    form: UpdateForm,
    arguments: &ShapeArguments,
    session: &mut ReadSession,
) -> Result<JsonLdShape, CommandStop> {
    match (form, arguments.flag()) {
        (UpdateForm::Rdf(format), _) => arguments.shape(format, session),
        (UpdateForm::Same, None) => Ok(JsonLdShape::Expanded),
        (UpdateForm::Same, Some(flag)) => {
            let message =
                format!("`{flag}` is for JSON-LD made from RDF, but the output keeps the form of the file");
            Err(Diagnostic::error("output::format", message).with_help("add `--to jsonld`").into())
        }
    }
}

/// Returns the form of the output if it follows from the arguments. `None` if it depends on the inputs: whether the
/// output is a file in its original form.
fn goal_of(arguments: &UpdateArguments, report: &mut RunReport) -> Result<Option<UpdateForm>, CommandStop> {
    let path = arguments.output.output.as_deref();
    let is_free = arguments.to.is_none() && arguments.shape.flag().is_none() && !arguments.loading.plain;
    if is_free && path.is_some_and(|path| output_form::UPDATE.may_be_asked(path)) {
        return Ok(None);
    }
    let chosen = output_form::UPDATE.chosen(path, arguments.to.map(OutputForm::name), report)?;
    if chosen == Some(OutputForm::Same.name()) {
        if arguments.loading.plain {
            let message =
                "`--plain` loads only what the specification yields, and that cannot become a file again";
            let help = "leave `--plain` or `--to same` out";
            return Err(Diagnostic::error("output::format", message).with_help(help).into());
        }
        return Ok(Some(UpdateForm::Same));
    }
    let format = chosen.and_then(RdfFormat::from_name).unwrap_or(RdfFormat::NQuads);
    Ok(Some(UpdateForm::Rdf(format)))
}

/// Returns the form that the name of the output implies. If the extension fits the original form of a single input
/// file, the file is written in that form; any other result is written in the RDF format of the extension.
fn form_by_name(
    arguments: &UpdateArguments,
    opened: &OpenedFiles<'_>,
    report: &mut RunReport,
) -> Result<UpdateForm, CommandStop> {
    let path = arguments.output.output.as_deref();
    if opened.are_one_of(&path.and_then(known_extension).unwrap_or_default()) {
        return Ok(UpdateForm::Same);
    }
    let format = output_form::UPDATE.rdf(path, None, report)?;
    Ok(UpdateForm::Rdf(format.unwrap_or(RdfFormat::NQuads)))
}
