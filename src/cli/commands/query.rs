//! `evalgraph query`: a SPARQL query over files, the store, or a server.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, ValueParser};
use oxrdf::Literal;

use crate::cli::allocator::keep_freed_memory;
use crate::cli::arguments::{
    EndpointArguments, OutputArguments, ShapeArguments, choice, explained, sql_dialect,
};
use crate::cli::drawn_chart::DrawnChart;
use crate::cli::output::ResultOutput;
use crate::cli::preferences::preferences;
use crate::cli::query_drawing::{DrawingForm, SolutionsChart, drawn_network};
use crate::cli::query_output::{layout, quads_of};
use crate::cli::request_text::QUERY;
use crate::cli::service_arguments::ServiceArguments;
use crate::cli::{CommandAnswer, CommandStop, line_painter, output_form};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, codes};
use evalgraph_engine::api::memory::most_during;
use evalgraph_engine::api::{LoadedData, Loader};
use evalgraph_engine::convert::json_ld_shape::JsonLdShape;
use evalgraph_engine::convert::rdf::write_format;
use evalgraph_engine::drawing::picture_files::PictureFormat;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::load_purpose::LoadPurpose;
use evalgraph_engine::load::read_session::LoadOptions;
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_engine::named_queries::{NamedQuery, QueryChart};
use evalgraph_engine::tables::{TableFileFormat, write_boolean_table, write_table};
use evalgraph_engine::workspace::preferences::UserPreferences;
use evalgraph_rdf::RdfFormat;
use evalgraph_rdf::iri::is_iri;
use evalgraph_rdf::minted::CATALOG_GRAPH;
use evalgraph_sparql::{
    BUILT_IN_PREFIXES, EvaluationError, ExecuteOptions, ExpectedOutcome, ParameterDeclaration, Prologue,
    Query, QueryForm, QueryOutcome, QueryParameter, QueryResults, ResultFormat, ServerQueryScope,
    SolutionSequence, SparqlServer, TableForm, TableLayout, WriteError, write_boolean, write_solutions,
};
use evalgraph_sql::{SqlDialect, sql_of};
use evalgraph_store::DefaultGraph;

const EXAMPLES: &str = "\
Examples:
  evalgraph query checkpoints/ -n overview
  evalgraph query a.jsonld -q 'SELECT (COUNT(?q) AS ?questions) { ?q a s:Question }'
  evalgraph query a.jsonld -f question.rq -p keyword=oncology --format json
  evalgraph query a.jsonld -n unfinished --expect empty     (exit status 1 where there are some)
  evalgraph query a.jsonld < question.rq
  evalgraph query --endpoint http://localhost:3030/ds -n overview

Built-in prefixes: s: and schema: for http://schema.org/, rdf:, rdfs:, xsd:, owl:, sh:, prov:,
dcat:, karenina:, eg:, egf:. Extension functions: egf:sqrt, egf:log, egf:textKey, egf:looseKey,
egf:levenshtein, egf:member. The exit status is 1 if ASK returns false, or if the expectation is
not met.";

/// The arguments of `query`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct QueryArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    #[command(flatten)]
    text: QueryTextArguments,
    /// Value of a parameter: a term, or plain text
    #[arg(short, long = "param", value_name = "NAME=TERM")]
    parameters: Vec<String>,
    /// Form (default: by name of -o, else table or csv)
    ///
    /// By default the form for the extension of the output file; else a table on a terminal, CSV elsewhere, and Turtle
    /// for graphs. json and jsonl have plain values; sparql-json and sparql-xml keep datatypes and languages. A value
    /// that begins with `=`, `+`, `-` or `@` is written unchanged to CSV and TSV: a spreadsheet may take it for a
    /// formula
    #[arg(long, alias = "to", value_name = "FORM", value_parser = choice(named_forms()))]
    format: Option<ResultForm>,
    /// Exit with 1 unless empty, nonempty, rows=N, …
    ///
    /// empty, nonempty, rows=N, true or false
    #[arg(long, value_name = "WHAT", value_parser = expectation)]
    expect: Option<ExpectedOutcome>,
    #[command(flatten)]
    services: ServiceArguments,
    #[command(flatten)]
    endpoint: EndpointArguments,
    /// Most rows or triples
    #[arg(long, value_name = "ROWS")]
    limit: Option<usize>,
    /// Show whole cells, however wide a table becomes
    #[arg(long)]
    wide: bool,
    /// Begin CSV or TSV with a mark for Excel
    ///
    /// By the mark, Excel reads UTF-8
    #[arg(long)]
    bom: bool,
    /// Draw a chart: bar, hist or line, as svg or png
    ///
    /// The first column without numbers has the names, and the first with numbers the values; a named query may say
    /// which. Without --chart, `-o x.svg` draws the chart that the query declares, or else bars
    #[arg(long, value_name = "KIND", hide_possible_values = true)]
    chart: Option<DrawnChart>,
    /// Draw a graph: svg, png, dot, graphml, or json
    ///
    /// The JSON is that of Cytoscape.js. `-o x.svg`, .png, .dot and .graphml need no --network
    #[arg(long, alias = "graph", conflicts_with = "chart")]
    network: bool,
    /// Show each row as a block, a line for each value
    #[arg(short = 'x', long, conflicts_with = "wide")]
    blocks: bool,
    /// Show how the query is evaluated, not its result
    #[arg(long)]
    explain: bool,
    /// Write it as SQL: duckdb, spark or datafusion
    ///
    /// For `evalgraph export parquet`: DuckDB, Spark or DataFusion answers the SQL over that folder, after it has read
    /// the folder's views.*.sql. The answer is that of the query, or the query is refused. No input is read
    #[arg(long, value_name = "DIALECT", value_parser = sql_dialect, conflicts_with_all = [
        "inputs", "store", "endpoint", "service", "default_graph", "all_graphs", "format", "wide", "blocks", "bom", "explain",
        "chart", "network", "limit", "expect", "context", "frame",
    ])]
    sql: Option<SqlDialect>,
    /// What a query without GRAPH sees
    #[arg(long, value_name = "GRAPHS", default_value = "union", value_parser = default_graphs())]
    default_graph: DefaultGraph,
    /// `GRAPH ?g` also matches sidecars and the catalog
    #[arg(long)]
    all_graphs: bool,
    #[command(flatten)]
    shape: ShapeArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    loading: GroupedOptions<LoadOptions>,
}

/// The source of the text of a query: stdin if nothing is given.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct QueryTextArguments {
    /// SPARQL query
    #[arg(short, long, value_name = "TEXT")]
    query: Option<String>,
    /// File with the query
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Named query; `evalgraph queries` lists them
    #[arg(short, long, value_name = "NAME")]
    name: Option<String>,
    /// Ask what is around a node: IRI, id or question
    #[arg(long, value_name = "NODE")]
    around: Option<String>,
}

/// The form of a result, which is a table or boolean, or a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ResultForm {
    Table(ResultFormat),
    File(TableFileFormat),
    Graph(RdfFormat),
    Drawing(DrawingForm),
}

impl ResultForm {
    /// Returns whether programs may need a byte order mark to read the form as UTF-8.
    fn takes_byte_order_mark(self) -> bool {
        matches!(self, Self::Table(ResultFormat::Csv | ResultFormat::Tsv))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Table(format) => format.name(),
            Self::File(format) => format.name(),
            Self::Graph(format) => format.name(),
            Self::Drawing(form) => form.name(),
        }
    }
}

/// The graphs that a query without GRAPH sees.
fn default_graphs() -> ValueParser {
    explained([
        ("union", "All graphs as one set of triples", DefaultGraph::Union),
        ("strict", "The triples of the documents outside of named graphs", DefaultGraph::Strict),
    ])
}

/// The forms of tables.
fn table_forms() -> impl Iterator<Item = ResultForm> {
    let files = TableFileFormat::ALL.into_iter().map(ResultForm::File);
    ResultFormat::ALL.into_iter().map(ResultForm::Table).chain(files)
}

/// The forms of graphs.
fn graph_forms() -> impl Iterator<Item = ResultForm> {
    RdfFormat::WRITTEN.into_iter().map(ResultForm::Graph)
}

fn result_forms() -> impl Iterator<Item = ResultForm> {
    table_forms().chain(graph_forms()).chain(DrawingForm::all().map(ResultForm::Drawing))
}

/// The values of `--format`.
fn named_forms() -> impl Iterator<Item = (PossibleValue, ResultForm)> {
    result_forms().map(|form| {
        let value = PossibleValue::new(form.name());
        let alias = if let ResultForm::Table(format) = form { format.alias() } else { None };
        (value.aliases(alias), form)
    })
}

fn expectation(text: &str) -> Result<ExpectedOutcome, String> {
    ExpectedOutcome::parse(text).map_err(|error| error.message)
}

/// Runs `query`.
pub(super) fn run(arguments: &QueryArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    keep_freed_memory();
    report.set_strictness(arguments.input.reading.strictness);
    let loader = Loader::from_options(&arguments.input, &arguments.loading);
    let asked = CommandLineQuery::read(arguments)?;
    let mut files = None;
    let query = match asked.query(arguments, &[]) {
        // A prefix that is declared nowhere else may be declared in the data.
        Err(fault) if fault.code == codes::SPARQL_UNDECLARED_PREFIX && !arguments.input.inputs.is_empty() => {
            let loaded = files.insert(LoadedData::read(&loader, LoadPurpose::Catalog, report)?);
            asked.query(arguments, loaded.prefixes())?
        }
        query => query?,
    };
    report.add_all(&query.warnings());
    if query.mapped_iris() > 0 {
        report.add(&QUERY.mapped_iris(query.mapped_iris()));
    }
    if let Some(dialect) = arguments.sql {
        let text = sql_of(&query, dialect)?;
        let mut output = ResultOutput::open(arguments.output.output.as_deref())?;
        output.write_all(text.as_bytes()).map_err(|error| output.stop(&error))?;
        output.finish()?;
        return Ok(CommandAnswer::Yes);
    }
    let form = result_form_of(arguments, query.form(), report)?;
    let graph_format = if let ResultForm::Graph(format) = form { format } else { RdfFormat::Turtle };
    let mut session =
        ReadSession::new(&arguments.loading.iris, &arguments.loading.json_ld, &arguments.input.reading)?;
    let shape = arguments.shape.shape(graph_format, &mut session)?;
    let preferences = &asked.preferences;
    let written = QueryAnswerForms {
        query: &query,
        asked: &asked,
        preferences,
        form,
        graph_format,
        session: &session,
        shape: &shape,
    };
    let others = [
        ("INPUT", !arguments.input.inputs.is_empty()),
        ("--store", arguments.input.store.store.is_some()),
        ("--service", !arguments.services.is_empty()),
        ("--explain", arguments.explain),
    ];
    if let Some(server) = arguments.endpoint.open(&arguments.loading.iris.net, &others, report)? {
        return ask(&*server, &written, arguments, report);
    }
    // The keys in the catalog are only computed for a query that mentions the catalog.
    let wanted = if query.mentions(CATALOG_GRAPH) { LoadPurpose::Catalog } else { LoadPurpose::Quads };
    let loaded = files.map_or_else(|| LoadedData::read(&loader, wanted, report), Ok)?;
    let mut view = loaded.dataset().view(arguments.default_graph);
    if arguments.all_graphs {
        view = view.with_all_graphs();
    }
    let options = ExecuteOptions { limit: arguments.limit, ..ExecuteOptions::default() };
    let environment =
        arguments.services.environment(&arguments.input, &arguments.loading, &session, report)?;
    let environment = loaded.environment(&query, environment)?;
    let remarks = environment.remarks.clone();
    let evaluated = query.clone().with_environment(environment);
    evaluated.pattern_faults().into_iter().for_each(|fault| remarks.add(fault));
    report.add_all(&remarks.take());
    if arguments.explain {
        let mut output = ResultOutput::open(arguments.output.output.as_deref())?;
        let (plan, memory) = most_during(|| evaluated.explain(view, options));
        report.add_all(&remarks.take());
        let mut plan = plan?;
        if let Some(bytes) = memory {
            plan.push_str(&format!("memory: {} MB at most\n", bytes.div_ceil(1 << 20)));
        }
        output.write_all(plan.as_bytes()).map_err(|error| output.stop(&error))?;
        output.finish()?;
        return Ok(CommandAnswer::Yes);
    }
    let outcome = written.write(|| evaluated.execute(view.clone(), options), arguments, report)?;
    report.add_all(&remarks.take());
    if matches!(outcome, QueryOutcome::Rows(0) | QueryOutcome::Boolean(false))
        && arguments.text.name.is_none()
    {
        report.add_all(&query.unknown_terms(&view));
    }
    Ok(answer(outcome, arguments.expect, report))
}

/// Queries a server.
fn ask(
    server: &dyn SparqlServer,
    written: &QueryAnswerForms<'_>,
    arguments: &QueryArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let QueryArguments { default_graph, all_graphs, limit, .. } = *arguments;
    let seen = ServerQueryScope { default_graph, all_graphs, limit, ..ServerQueryScope::default() };
    let outcome = written.write(|| server.query(written.query, seen), arguments, report)?;
    report.add_all(&server.remarks());
    Ok(answer(outcome, arguments.expect, report))
}

/// The forms in which the result of a query can be written.
struct QueryAnswerForms<'w> {
    query: &'w Query,
    asked: &'w CommandLineQuery,
    preferences: &'w UserPreferences,
    form: ResultForm,
    graph_format: RdfFormat,
    session: &'w ReadSession,
    shape: &'w JsonLdShape,
}

impl QueryAnswerForms<'_> {
    /// Opens the output, and then writes the results as they are found.
    fn write<'r>(
        &self,
        results: impl FnOnce() -> Result<QueryResults<'r>, EvaluationError>,
        arguments: &QueryArguments,
        report: &mut RunReport,
    ) -> Result<QueryOutcome, CommandStop> {
        let mut output = ResultOutput::open(arguments.output.output.as_deref())?;
        let outcome = match results()? {
            QueryResults::Graph(triples) => {
                let quads = quads_of(triples, self.query)?;
                if let ResultForm::Drawing(form) = self.form {
                    let title = self.asked.centre.as_deref().unwrap_or(&self.asked.name);
                    let drawn = drawn_network(&quads, title, form, self.query.prefixes());
                    let (bytes, left_out) = drawn.map_err(|error| output.stop(&error))?;
                    output.write_all(&bytes).map_err(|error| output.stop(&error))?;
                    output.finish()?;
                    report.add_all(&left_out);
                    return Ok(QueryOutcome::Rows(quads.len() as u64));
                }
                write_format(&quads, self.graph_format, self.session, self.shape, &mut output, report)
                    .map_err(|failure| output.stopped(failure))?;
                QueryOutcome::Rows(quads.len() as u64)
            }
            QueryResults::Solutions(solutions) => {
                if let ResultForm::Drawing(DrawingForm::Picture(format)) = self.form {
                    let chart = SolutionsChart {
                        title: self.asked.title.as_deref(),
                        kind: arguments.chart,
                        declared: self.asked.chart.as_ref(),
                        prefixes: self.query.prefixes(),
                    };
                    let (picture, rows) = chart.draw(solutions)?;
                    let bytes = format.bytes_of(&picture).map_err(|error| output.stop(&error))?;
                    output.write_all(&bytes).map_err(|error| output.stop(&error))?;
                    output.finish()?;
                    return Ok(QueryOutcome::Rows(rows));
                }
                let form = match (arguments.wide, arguments.blocks) {
                    (true, _) => Some(TableForm::Wide),
                    (false, true) => Some(TableForm::Blocks),
                    (false, false) => None,
                };
                let mut layout = layout(self.query, form, self.preferences, "--wide, -x, --limit N");
                layout.shown = layout.shown.filter(|_| arguments.limit.is_none());
                if arguments.output.output.is_some() {
                    (layout.width, layout.shown) = (None, None);
                }
                if arguments.bom && self.form.takes_byte_order_mark() {
                    output.write_all("\u{feff}".as_bytes()).map_err(|error| output.stop(&error))?;
                }
                write_solutions_as(solutions, self.form, &layout, &mut output)?
            }
            QueryResults::Boolean(answer) => {
                write_boolean_as(answer, self.form, &mut output)?;
                QueryOutcome::Boolean(answer)
            }
        };
        output.finish()?;
        Ok(outcome)
    }
}

/// The text of a query, with the declarations of its header, the arguments, and the user's preferences.
struct CommandLineQuery {
    preferences: UserPreferences,
    name: String,
    text: String,
    declared: Vec<ParameterDeclaration>,
    given: Vec<QueryParameter>,
    /// The title and the chart of a named query.
    title: Option<String>,
    chart: Option<QueryChart>,
    /// The IRI of the node whose neighbours are asked for.
    centre: Option<String>,
}

impl CommandLineQuery {
    fn read(arguments: &QueryArguments) -> Result<Self, CommandStop> {
        let given: Vec<QueryParameter> =
            arguments.parameters.iter().map(|text| QueryParameter::parse(text)).collect::<Result<_, _>>()?;
        let (preferences, text) = (preferences()?, &arguments.text);
        if let Some(name) = &text.name {
            let NamedQuery { text, parameters: declared, title, chart, .. } =
                preferences.named_queries()?.get(name)?.clone();
            let (name, title, centre) = (format!("{name}.rq"), Some(title), None);
            return Ok(Self { preferences, name, text, declared, given, title, chart, centre });
        }
        let (declared, title, chart) = (Vec::new(), None, None);
        if let Some(node) = &text.around {
            let (text, centre) = neighbours_of(node);
            let name = "--around".to_owned();
            return Ok(Self { preferences, name, text, declared, given, title, chart, centre });
        }
        let (name, text) =
            QUERY.read(text.query.as_deref(), text.file.as_deref(), &arguments.input.inputs)?;
        Ok(Self { preferences, name, text, declared, given, title, chart, centre: None })
    }

    /// Parses the query, which may use the prefixes of the data.
    fn query(
        &self,
        arguments: &QueryArguments,
        of_data: &[(String, String)],
    ) -> Result<Query, Box<Diagnostic>> {
        let keeps_iris = arguments.loading.plain;
        let prologue =
            Prologue { prefixes: self.preferences.prefixes(of_data), keeps_iris, ..Prologue::default() };
        let query = Query::parse_in(&self.text, &self.name, &prologue)
            .map_err(|fault| QUERY.explained(fault, arguments.text.query.as_deref()))?;
        query.with_parameters(&self.given, &self.declared)
    }
}

/// The query for the statements about a node, those that mention it, and those about its blank nodes; and the node, if
/// it is an IRI.
fn neighbours_of(node: &str) -> (String, Option<String>) {
    let is_name = node.split_once(':').is_some_and(|(prefix, _)| {
        prefix.chars().all(|c| c.is_ascii_alphanumeric())
            && BUILT_IN_PREFIXES.iter().any(|known| known.0 == prefix)
    });
    let (found, centre) = if is_name {
        (format!("VALUES ?node {{ {node} }}"), None)
    } else if is_iri(node) {
        (format!("VALUES ?node {{ <{node}> }}"), Some(node.to_owned()))
    } else {
        let text = Literal::new_simple_literal(node);
        (format!("?node s:text|s:name|s:identifier {text} ."), None)
    };
    let text = format!(
        "CONSTRUCT {{ ?node ?out ?object . ?object ?next ?end . ?subject ?in ?node }} WHERE {{ {found} \
         {{ ?node ?out ?object OPTIONAL {{ ?object ?next ?end FILTER(isBlank(?object)) }} }} \
         UNION {{ ?subject ?in ?node }} }}"
    );
    (text, centre)
}

/// Returns the form of the result: the one of `--format`, or else that of the output's extension, or else the default
/// for a terminal or a pipe.
///
/// # Errors
///
/// `output::format` if the result cannot be written in this form.
fn result_form_of(
    arguments: &QueryArguments,
    form: QueryForm,
    report: &mut RunReport,
) -> Result<ResultForm, CommandStop> {
    let is_graph = matches!(form, QueryForm::Construct | QueryForm::Describe);
    match arguments.format {
        Some(form @ (ResultForm::Table(_) | ResultForm::File(_))) if is_graph => {
            return Err(unfit("a graph", form.name(), graph_forms()));
        }
        Some(form @ (ResultForm::Graph(_) | ResultForm::Drawing(DrawingForm::Network(_)))) if !is_graph => {
            return Err(unfit("a table", form.name(), table_forms()));
        }
        Some(form) if arguments.chart.is_some() && !matches!(form, ResultForm::Drawing(_)) => {
            return Err(unfit("a chart", form.name(), pictures()));
        }
        _ => {}
    }
    check_drawing(arguments, form)?;
    let path = arguments.output.output.as_deref();
    let forms = match (arguments.explain, is_graph) {
        (true, _) => output_form::QUERY_PLAN,
        (false, true) if arguments.network => output_form::QUERY_NETWORK,
        (false, true) => output_form::QUERY_GRAPH,
        (false, false) if form == QueryForm::Ask => output_form::QUERY_BOOLEAN,
        (false, false) if arguments.chart.is_some() => output_form::QUERY_CHART,
        (false, false) => output_form::QUERY_TABLE,
    };
    let named = arguments.format.map(ResultForm::name);
    let chosen = forms.chosen(path, named, report)?;
    let chosen = result_forms().find(|form| Some(form.name()) == chosen);
    let is_stdout = path.is_none_or(|path| path == Path::new("-"));
    let is_terminal = is_stdout && std::io::stdout().is_terminal();
    if let Some(ResultForm::File(format)) = chosen.filter(|_| is_terminal && !arguments.explain) {
        return Err(unreadable_here(format));
    }
    if chosen == Some(ResultForm::Drawing(DrawingForm::Picture(PictureFormat::Png))) && is_terminal {
        let fault =
            Diagnostic::error("output::terminal", "`png` is not text, and is not written to a terminal");
        return Err(fault.with_help("name a file: `-o picture.png`").into());
    }
    let is_drawn = arguments.chart.is_some() || arguments.network;
    let usual = match (is_graph, is_terminal) {
        _ if is_drawn => ResultForm::Drawing(DrawingForm::Picture(PictureFormat::Svg)),
        (true, _) => ResultForm::Graph(RdfFormat::Turtle),
        (false, true) => ResultForm::Table(ResultFormat::Table),
        (false, false) => ResultForm::Table(ResultFormat::Csv),
    };
    let form = chosen.unwrap_or(usual);
    if arguments.bom && !form.takes_byte_order_mark() {
        let message = format!("`--bom` is for CSV and TSV, and the answer is written as `{}`", form.name());
        return Err(Diagnostic::error("output::format", message).with_help("leave it out").into());
    }
    Ok(form)
}

/// Refuses a drawing that is not one of such an answer.
fn check_drawing(arguments: &QueryArguments, form: QueryForm) -> Result<(), CommandStop> {
    let (message, help) = match form {
        QueryForm::Select if arguments.network => {
            ("the query gives a table, and `--network` draws a graph", "`--chart bar` draws a table")
        }
        QueryForm::Construct | QueryForm::Describe if arguments.chart.is_some() => {
            ("the query gives a graph, and `--chart` draws a table", "`--network` draws a graph")
        }
        QueryForm::Ask if arguments.network || arguments.chart.is_some() => {
            ("the query gives yes or no, which is not drawn", "SELECT a table, or CONSTRUCT a graph")
        }
        _ => return Ok(()),
    };
    Err(Diagnostic::error("output::format", message).with_help(help).into())
}

/// The forms of charts.
fn pictures() -> impl Iterator<Item = ResultForm> {
    PictureFormat::ALL.into_iter().map(|format| ResultForm::Drawing(DrawingForm::Picture(format)))
}

fn unfit(what: &str, name: &str, fitting: impl Iterator<Item = ResultForm>) -> CommandStop {
    let fitting = fitting.map(ResultForm::name).collect::<Vec<_>>().join(", ");
    let message = format!("the query gives {what}, but `{name}` is not a form for that");
    Diagnostic::error("output::format", message).with_help(format!("`--format` may be {fitting}")).into()
}

/// Returns the error for a binary file that would be written to a terminal.
fn unreadable_here(format: TableFileFormat) -> CommandStop {
    let name = format.name();
    let message = format!("`{name}` is not text, and is not written to a terminal");
    Diagnostic::error("output::terminal", message)
        .with_help(format!("name a file: `-o results.{name}`"))
        .into()
}

fn write_solutions_as(
    solutions: SolutionSequence<'_>,
    form: ResultForm,
    layout: &TableLayout<'_>,
    output: &mut ResultOutput,
) -> Result<QueryOutcome, CommandStop> {
    let format = match form {
        ResultForm::File(format) => {
            return write_table(solutions, format, &mut *output)
                .map(QueryOutcome::Rows)
                .map_err(stopping(output));
        }
        ResultForm::Table(format) => format,
        ResultForm::Graph(_) | ResultForm::Drawing(_) => ResultFormat::Table,
    };
    if format == ResultFormat::Table {
        output.paint(line_painter::table);
    }
    write_solutions(solutions, format, layout, &mut *output).map(QueryOutcome::Rows).map_err(stopping(output))
}

fn write_boolean_as(answer: bool, form: ResultForm, output: &mut ResultOutput) -> Result<(), CommandStop> {
    let format = match form {
        ResultForm::File(format) => {
            return write_boolean_table(answer, format, &mut *output).map_err(stopping(output));
        }
        ResultForm::Table(format) => format,
        ResultForm::Graph(_) | ResultForm::Drawing(_) => ResultFormat::Table,
    };
    write_boolean(answer, format, &mut *output).map_err(|error| output.stop(&error))
}

/// Converts the failure of a writer to the reason to stop.
fn stopping(output: &ResultOutput) -> impl FnOnce(WriteError) -> CommandStop {
    |failure| match failure {
        WriteError::Io(error) => output.stop(&error),
        WriteError::Evaluation(fault) => fault.into(),
    }
}

/// Returns the answer of the command. A note explains why an expectation is not met.
fn answer(outcome: QueryOutcome, expected: Option<ExpectedOutcome>, report: &mut RunReport) -> CommandAnswer {
    let Some(expected) = expected else {
        return if outcome == QueryOutcome::Boolean(false) { CommandAnswer::No } else { CommandAnswer::Yes };
    };
    match expected.check(outcome) {
        Ok(()) => CommandAnswer::Yes,
        Err(mut difference) => {
            // The program ran fine; the data are not as expected.
            difference.severity = FindingSeverity::Note;
            report.add(&difference);
            CommandAnswer::No
        }
    }
}
