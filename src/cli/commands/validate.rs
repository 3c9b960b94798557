//! `evalgraph validate`: reports whether the programs that read a format accept a file, and where they would reject it.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::cli::arguments::{EndpointArguments, ReportForm, profiles, report_forms};
use crate::cli::input_watch::watch_inputs;
use crate::cli::preferences::preferences;
use crate::cli::rdf_output::write_quads;
use crate::cli::result_arguments::{ResultArguments, ResultReporting, named_document};
use crate::cli::{CommandAnswer, CommandStop, output_form, run_ending};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, RunReport};
use evalgraph_engine::api::Loader;
use evalgraph_engine::api::expectation_check::ExpectationPlan;
use evalgraph_engine::convert::json_ld_shape::JsonLdShape;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::read_session::{LoadOptions, ReadSession};
use evalgraph_engine::report::ReportFormat;
use evalgraph_engine::report::reported_finding::ReportWords;
use evalgraph_engine::validation::named_nodes::named_nodes;
use evalgraph_engine::validation::reading_shapes::ShapesChoice;
use evalgraph_engine::validation::record_validation::RuleSets;
use evalgraph_engine::validation::shapes_run::ShapesRun;
use evalgraph_engine::validation::validated_files::{AppliedRules, CheckedInputs, check_inputs};
use evalgraph_formats::checking::ProfileName;
use evalgraph_rdf::{QuadBuffer, RdfFormat};
use evalgraph_shacl::{ReportGraph, ValidationOptions};

const EXAMPLES: &str = "\
Examples:
  evalgraph validate checkpoint.jsonld
  evalgraph validate checkpoint.jsonld --profile karenina-spec
  evalgraph validate 'runs/*.jsonld' --profile karenina --format json
  evalgraph validate data/ --profile seed --config thresholds.yaml
  evalgraph validate data/ -o report.sarif
  evalgraph validate data/ --severity warning --baseline old.sarif --format github
  evalgraph validate data/ --shapes karenina --shapes own.ttl
  evalgraph validate data/ --shapes own.ttl -o report.ttl
  evalgraph validate data/ --shapes own.ttl --each --watch
  evalgraph validate data.trig --shapes-graph --graph http://example.org/people
  evalgraph validate data/ --shapes own.ttl --focus http://example.org/ann --shape http://example.org/Person
  evalgraph validate --endpoint http://localhost:3030/ds --shapes karenina

Profiles:
  karenina-spec  requirements of the specification, 3.0.0-jsonld: rules K-S1 to K-S17
  karenina       requirements of the Python library's loader: K-P
  karenina-gui   requirements of the user interface's validator: K-G1 to K-G12
  seed           requirements in the documents of the file's system; the default for systems other
                 than Karenina
  code           requirements of that system's shipped code; `shipped` is the same
  contract       requirements of Kwanzaa's contract on expected answers; the default for a single answer
Rules K-X check for problems that no program checks, in any checkpoint: ids and names that clash,
finished questions without a template, values that change in transit. They are never violations.

With --shapes the union of the inputs is checked against SHACL shapes, or with --each one input after
the other; rules are then checked only if --profile names some. Built-in shapes: common, karenina,
karenina-gui, karenina-spec, kwanzaa, rlcf, train. The exit status is then also 1 if no shape matches
any node.

What `[expect]` of `evalgraph.toml` expects of the data is checked with the rules: shares of the
questions, such as `rubric = \">= 80 %\"`, and numbers of rows of named queries, such as
`unfinished = \"= 0\"`.

With --endpoint the data are those of a server, which answers one query for each constraint of the
shapes. A constraint that no query can express is reported, and the exit status is then 1.

With -v the text also lists how much each rule has checked, and which rules had nothing to check;
notes list what is expected and met.

The exit status is 0 if there is no violation, 1 if there is one, 2 if a file cannot be checked; the
report of the others is still written. With --strict, warnings count as violations. Patterns are
regular expressions of Python, which are not compiled, and code is never run.";

/// The arguments of `validate`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("by_shapes").args(["shapes", "shapes_graph"]).multiple(true))]
pub(super) struct ValidateArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    #[command(flatten)]
    endpoint: EndpointArguments,
    /// Which rule set (default: by the file)
    ///
    /// By default that of the program that wrote the file
    #[arg(long, value_name = "PROFILE", value_parser = profiles())]
    profile: Option<ProfileName>,
    /// SHACL shapes; can be repeated
    ///
    /// A file, a graph of the inputs or of the store by its IRI, a URL that is mapped, or built-in ones by name
    #[arg(long, value_name = "FILE|IRI|NAME")]
    shapes: Vec<String>,
    /// Use the shapes that the data name: sh:shapesGraph
    ///
    /// They are graphs of the data, or URLs that are read
    #[arg(long, conflicts_with = "each")]
    shapes_graph: bool,
    /// Check each input against the shapes separately
    ///
    /// One is in memory at a time, and each has its report; without it, the union of all inputs is checked
    #[arg(long, requires = "by_shapes")]
    each: bool,
    /// Only this graph: IRI or dataset; can be repeated
    ///
    /// A graph of the inputs or of the store
    #[arg(long = "graph", value_name = "GRAPH", requires = "by_shapes", conflicts_with = "each")]
    graphs: Vec<String>,
    /// Only this node, by its IRI; can be repeated
    ///
    /// With the shapes that apply to it
    #[arg(long, value_name = "IRI", requires = "by_shapes", conflicts_with = "each")]
    focus: Vec<String>,
    /// Only this shape, by its IRI; can be repeated
    ///
    /// Includes the shapes that it refers to. With --focus, those nodes are checked, whatever its targets are
    #[arg(long, value_name = "IRI", requires = "by_shapes")]
    shape: Vec<String>,
    /// Conform though no shape matched any node
    #[arg(long, requires = "by_shapes")]
    allow_unmatched: bool,
    /// Validate again at each change, until Ctrl-C
    ///
    /// Files are checked for changes four times a second; the exit status is that of the last check
    #[arg(long, requires = "inputs")]
    watch: bool,
    /// Form of the report (default: by name of -o, else text)
    ///
    /// A form of RDF is the report of SHACL, which only --shapes has
    #[arg(long, value_name = "FORM", value_parser = report_forms())]
    format: Option<ReportForm>,
    /// Thresholds of the rules, in JSON or YAML
    ///
    /// An object with `train`, `kwanzaa` and `rlcf`; missing thresholds are those of the documents
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    results: ResultArguments,
    #[command(flatten)]
    loading: GroupedOptions<LoadOptions>,
}

impl ValidateArguments {
    /// Returns whether data are checked against shapes.
    fn has_shapes(&self) -> bool {
        self.shapes_graph || !self.shapes.is_empty()
    }
}

/// Runs `validate`.
pub(super) fn run(
    arguments: &ValidateArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let input = arguments.results.inputs(&data(arguments, report)?, &[arguments.config.as_deref()]);
    if !arguments.watch {
        return validate(arguments, &input, report);
    }
    let named = [arguments.config.as_deref(), arguments.results.baseline_path()];
    watch_inputs(&input, &arguments.shapes, &named, |input, report| validate(arguments, input, report))
}

/// The inputs, or the server that is named instead.
fn data(arguments: &ValidateArguments, report: &mut RunReport) -> Result<RunInputs, CommandStop> {
    let others = [
        ("--shapes-graph", arguments.shapes_graph),
        ("--graph", !arguments.graphs.is_empty()),
        ("--each", arguments.each),
    ];
    let net = &arguments.loading.iris.net;
    let input = arguments.endpoint.instead_of(&arguments.input, net, &others, report)?;
    if input.endpoint.is_some() && (!arguments.has_shapes() || arguments.profile.is_some()) {
        let message = "rules are for files: the data of a server can only be checked against shapes";
        let help = help!["name shapes with ", setting("shapes"), ", and no rules"];
        return Err(Diagnostic::error("endpoint::argument", message).with_help(help).into());
    }
    Ok(input)
}

/// Validates once.
fn validate(
    arguments: &ValidateArguments,
    input: &RunInputs,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let ValidateArguments { results, loading, .. } = arguments;
    let form = form_of(arguments, report)?;
    let session = ReadSession::new(&loading.iris, &loading.json_ld, &input.reading)?;
    let is_meant_as_checkpoint = arguments.profile.is_some_and(ProfileName::is_of_checkpoints);
    let session = if is_meant_as_checkpoint { session.taking_unknown() } else { session };
    let baseline = results.baseline(&session, report)?;
    let (checked, is_looked_at) = check(arguments, input, form, &session, report)?;
    let format = match form {
        ReportForm::Report(format) => Some(format),
        ReportForm::Graph(_) => None,
    };
    let telling = ResultReporting { format, words: ReportWords::Shacl, strictness: input.reading.strictness };
    match results.write(checked, baseline, &telling, report)? {
        CommandAnswer::Yes if is_looked_at => Ok(CommandAnswer::Yes),
        CommandAnswer::Yes | CommandAnswer::No => Ok(CommandAnswer::No),
    }
}

/// The form of the report: the one that is named, or else that of the output's extension.
fn form_of(arguments: &ValidateArguments, report: &mut RunReport) -> Result<ReportForm, CommandStop> {
    let named = arguments.format.map(ReportForm::name);
    let forms = match arguments.has_shapes() {
        true => output_form::VALIDATE_SHAPES,
        false => output_form::VALIDATE,
    };
    let form = forms.chosen(arguments.results.path(), named, report)?;
    let form = form.and_then(ReportForm::from_name).unwrap_or(ReportForm::Report(ReportFormat::Text));
    match form {
        ReportForm::Graph(format) if !arguments.has_shapes() => Err(no_graph(format).into()),
        form => Ok(form),
    }
}

/// Checks the inputs against the requested rules and shapes, and writes the report of shapes if it is to be a graph.
/// Also returns whether shapes have matched a node and all constraints were checked.
fn check(
    arguments: &ValidateArguments,
    input: &RunInputs,
    form: ReportForm,
    session: &ReadSession,
    report: &mut RunReport,
) -> Result<(CheckedInputs, bool), CommandStop> {
    let mut checked = CheckedInputs::default();
    if !arguments.has_shapes() || arguments.profile.is_some() {
        let expected = ExpectationPlan::new(&preferences()?)?;
        let rules = match &arguments.config {
            Some(path) => RuleSets::read(&*named_document(path, session, report)?)?,
            None => RuleSets::default(),
        };
        let measure = AppliedRules { profile: arguments.profile, rules };
        checked = check_inputs(measure, input, session, report)?;
        let folder = std::env::current_dir().unwrap_or_default();
        let loader = Loader::from_options(input, &arguments.loading);
        let loader = loader.cancelled_by(run_ending::cancellation());
        checked.files.extend(loader.check_expectations(&expected, &folder, report)?);
    }
    if !arguments.has_shapes() {
        return Ok((checked, true));
    }
    let run = ShapesRun {
        shapes: ShapesChoice { names: &arguments.shapes, named_by_data: arguments.shapes_graph },
        input,
        loading: &arguments.loading,
        each: arguments.each,
        options: ValidationOptions {
            graphs: arguments.graphs.clone(),
            focus_nodes: named_nodes("focus", &arguments.focus)?,
            shapes: named_nodes("shape", &arguments.shape)?,
            cancellation: run_ending::cancellation(),
            ..ValidationOptions::default()
        },
    };
    let mut quads = QuadBuffer::new();
    let mut graph = matches!(form, ReportForm::Graph(_)).then(|| ReportGraph::new(&mut quads));
    let end = run.check(report, |validated, file| {
        if let Some(graph) = &mut graph {
            graph.add(validated);
        }
        checked.files.push(file);
    })?;
    if let Some(graph) = graph {
        graph.finish();
    }
    if let ReportForm::Graph(format) = form {
        let path = arguments.results.path();
        write_quads(quads, format, path, session, &JsonLdShape::default(), report)?;
    }
    checked.add_unchecked(end.unchecked);
    Ok((checked, end.is_whole && (end.has_matched || arguments.allow_unmatched)))
}

/// The error for a report of rules in RDF. Only shapes have such a report.
fn no_graph(format: RdfFormat) -> Diagnostic {
    let message = format!("only shapes have a report in {format}, but no shapes are given");
    let help = help!["name some with ", setting("shapes")];
    Diagnostic::error("output::format", message).with_help(help)
}
