//! `evalgraph shapes`: lists and shows the built-in shapes, and writes shapes as queries.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::collections::HashSet;
use std::io::{self, Write};

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use crate::cli::arguments::{OutputArguments, sql_dialect};
use crate::cli::output::{ResultOutput, write, write_json, write_text};
use crate::cli::output_folder::{FolderArguments, OutputFolder};
use crate::cli::output_form::{ListForm, is_folder};
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, thousands};
use evalgraph_engine::input::input_options::{IriOptions, ReadingOptions};
use evalgraph_engine::load::read_session::LoadOptions;
use evalgraph_engine::validation::named_nodes::named_nodes;
use evalgraph_engine::validation::reading_shapes::{ShapesChoice, read_shapes};
use evalgraph_shacl::{ConstraintQuery, PropertyPath, Shapes};
use evalgraph_shapes::{BUILT_IN, BuiltInShapes, built_in};
use evalgraph_sparql::Query;
use evalgraph_sql::{SqlDialect, sql_of};

const EXAMPLES: &str = "\
Examples:
  evalgraph shapes list
  evalgraph shapes show karenina -o own.ttl
  evalgraph shapes sparql own.ttl -o queries/
  evalgraph shapes sparql karenina --shape 'urn:evalgraph:shapes:karenina#Question'
  evalgraph shapes sql duckdb karenina -o checks/";

const SPARQL_HELP: &str = "\
Each query is a SELECT in SPARQL 1.1 that finds the violations of one constraint: the node in ?this,
the value in ?value, and in ?path the path if it is not the shape's. It uses the default graph, which
must contain all data, like the union of the graphs of a store. IRIs of schema.org are those of
loaded data, http://schema.org/; with --plain they are as in the shapes.

A constraint that SPARQL 1.1 cannot express is a warning with the reason, and the exit status is 1.";

const SQL_HELP: &str = "\
Each statement finds the violations of one constraint in a folder that `evalgraph export parquet` has
written, after the folder's views.*.sql: the node in the column this, the value in value. A constraint
that SQL cannot express exactly is a warning with the reason, and the exit status is 1.";

/// The arguments of `shapes`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ShapesArguments {
    #[command(subcommand)]
    action: ShapesAction,
}

#[derive(Debug, Subcommand)]
enum ShapesAction {
    /// List the built-in shapes
    List(ListArguments),
    /// Show built-in shapes as they are, to be copied and changed
    Show(ShowArguments),
    /// Write a query for each constraint, which finds violations in any store
    Sparql(Box<SparqlArguments>),
    /// Write the query for each constraint as SQL over a Parquet export
    Sql(Box<SqlArguments>),
}

#[derive(Debug, Args)]
#[command(after_help = SQL_HELP)]
struct SqlArguments {
    /// Engine that answers the SQL: duckdb, spark or datafusion
    #[arg(value_parser = sql_dialect)]
    dialect: SqlDialect,
    #[command(flatten)]
    queries: SparqlArguments,
}

#[derive(Debug, Args)]
struct ListArguments {
    /// Form of the list (default: by name of -o, else table)
    #[arg(long, value_name = "FORM")]
    format: Option<ListForm>,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Debug, Args)]
struct ShowArguments {
    /// Name of built-in shapes
    name: String,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Debug, Args)]
#[command(after_help = SPARQL_HELP)]
struct SparqlArguments {
    /// SHACL shapes: files, mapped URLs, or built-in names
    #[arg(value_name = "FILE|NAME", required = true)]
    shapes: Vec<String>,
    /// Only this shape and its properties; can be repeated
    #[arg(long, value_name = "IRI")]
    shape: Vec<String>,
    /// Leave IRIs of schema.org as the shapes have them
    #[arg(long)]
    plain: bool,
    /// Form (default: by name of -o, else text)
    #[arg(long, value_name = "FORM")]
    format: Option<QueriesForm>,
    /// Output file, or a folder with a file for each query
    ///
    /// An existing folder, or one whose name ends in `/`
    #[arg(short, long, value_name = "FILE|DIR")]
    output: Option<std::path::PathBuf>,
    #[command(flatten)]
    folder: FolderArguments,
    #[command(flatten)]
    reading: GroupedOptions<ReadingOptions>,
    #[command(flatten)]
    iris: GroupedOptions<IriOptions>,
}

/// The forms of queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum QueriesForm {
    /// Queries with comments, a blank line between them
    Text,
    /// A list of objects in JSON
    Json,
}

/// Runs `shapes`.
pub(super) fn run(arguments: &ShapesArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    match &arguments.action {
        ShapesAction::List(arguments) => list(arguments, report),
        ShapesAction::Show(arguments) => show(arguments, report),
        ShapesAction::Sparql(arguments) => sparql(arguments, None, report),
        ShapesAction::Sql(arguments) => sparql(&arguments.queries, Some(arguments.dialect), report),
    }
}

fn list(arguments: &ListArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    let form = output_form::SHAPES_LIST.value(path, arguments.format, report)?.unwrap_or(ListForm::Table);
    let mut listed = Vec::new();
    for shapes in BUILT_IN {
        let read =
            read(&[shapes.name.to_owned()], &ReadingOptions::default(), &LoadOptions::default(), report)?;
        listed.push((shapes, read.shapes().iter().filter(|shape| shape.node.is_named_node()).count()));
    }
    write(path, |output| match form {
        ListForm::Table => write_table(&listed, output),
        ListForm::Json => write_json(&listed.iter().map(to_json).collect(), output),
    })?;
    Ok(CommandAnswer::Yes)
}

fn write_table(listed: &[(BuiltInShapes, usize)], output: &mut ResultOutput) -> io::Result<()> {
    let width = |text: fn(&BuiltInShapes) -> usize| listed.iter().map(|(shapes, _)| text(shapes)).max();
    let names = width(|shapes| shapes.name.len()).unwrap_or(0);
    let profiles = width(|shapes| shapes.profiles.join(", ").len()).unwrap_or(0);
    for (shapes, count) in listed {
        let BuiltInShapes { name, title, .. } = shapes;
        let of = shapes.profiles.join(", ");
        writeln!(output, "{name:names$}  {count:3} shapes  {of:profiles$}  {title}")?;
    }
    Ok(())
}

fn to_json(listed: &(BuiltInShapes, usize)) -> Value {
    let (shapes, count) = listed;
    json!({
        "name": shapes.name,
        "title": shapes.title,
        "profiles": shapes.profiles,
        "shapes": count,
    })
}

fn show(arguments: &ShowArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    output_form::SHAPES_SHOW.check(path, report)?;
    let Some(shapes) = built_in(&arguments.name) else { return Err(unknown_shapes(&arguments.name).into()) };
    write_text(shapes.text, path)?;
    Ok(CommandAnswer::Yes)
}

fn unknown_shapes(name: &str) -> Diagnostic {
    let fault = Diagnostic::error("shacl::unknown-shapes", format!("there are no built-in shapes `{name}`"));
    let names = BUILT_IN.map(|shapes| shapes.name);
    match nearest(name, names) {
        Some(meant) => fault.with_help(format!("did you mean `{meant}`?")),
        None => fault.with_help(format!("there are: {}", names.join(", "))),
    }
}

/// Writes queries, as SQL if there is a dialect.
fn sparql(
    arguments: &SparqlArguments,
    dialect: Option<SqlDialect>,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    report.set_strictness(arguments.reading.strictness);
    let path = arguments.output.as_deref();
    let folder = path.filter(|path| is_folder(path) && arguments.format != Some(QueriesForm::Json));
    let form = match folder {
        Some(_) => QueriesForm::Text,
        None => {
            output_form::SHAPES_SPARQL.value(path, arguments.format, report)?.unwrap_or(QueriesForm::Text)
        }
    };
    let loading =
        LoadOptions { plain: arguments.plain, iris: arguments.iris.0.clone(), ..LoadOptions::default() };
    let shapes = read(&arguments.shapes, &arguments.reading, &loading, report)?;
    let mut queries = shapes.to_queries();
    if !arguments.shape.is_empty() {
        let wanted = wanted(&shapes, &arguments.shape)?;
        queries.retain(|query| wanted.contains(&query.shape().node));
    }
    queries.iter().flat_map(ConstraintQuery::remarks).for_each(|remark| report.add(remark));
    let written: Vec<WrittenQuery<'_>> =
        queries.iter().map(|query| WrittenQuery::new(query, dialect, report)).collect();
    match folder {
        Some(folder) => {
            let mut output = OutputFolder::new(folder, arguments.folder);
            let mut taken = HashSet::new();
            let ending = if dialect.is_some() { "sql" } else { "rq" };
            for written in written.iter().filter(|written| written.is_whole) {
                output.add(&file_name(written.query, ending, &mut taken), written.text.clone())?;
            }
            output.write()?;
        }
        None => write(path, |output| match form {
            QueriesForm::Text => write_queries(&written, output),
            QueriesForm::Json => {
                write_json(&written.iter().map(|written| query_to_json(written, dialect)).collect(), output)
            }
        })?,
    }
    let made = written.iter().filter(|written| written.is_whole).count();
    if made == queries.len() {
        return Ok(CommandAnswer::Yes);
    }
    let what = if dialect.is_some() { "a statement" } else { "a query" };
    let message =
        format!("{} of {} constraints have {what}", thousands(made as u64), thousands(queries.len() as u64));
    report.add(&Diagnostic::new(FindingSeverity::Note, "shacl::queries", message));
    Ok(CommandAnswer::No)
}

fn read(
    names: &[String],
    reading: &ReadingOptions,
    loading: &LoadOptions,
    report: &mut RunReport,
) -> Result<Shapes, CommandStop> {
    let choice = ShapesChoice { names, named_by_data: false };
    Ok(read_shapes(choice, reading, loading, None, report)?.shapes)
}

/// The nodes of the named shapes and of their properties.
fn wanted<'s>(shapes: &'s Shapes, iris: &[String]) -> Result<HashSet<&'s oxrdf::Term>, CommandStop> {
    let named = named_nodes("shape", iris)?;
    shapes.named(&named)?;
    let found = named.iter().flat_map(|shape| shapes.with_properties(shape.as_str()));
    Ok(found.map(|shape| &shape.node).collect())
}

/// The query of a constraint as it is written.
struct WrittenQuery<'q> {
    query: &'q ConstraintQuery<'q>,
    /// The query with comments.
    text: String,
    /// The query as SQL, without comments.
    sql: Option<String>,
    /// `true` if there is a query.
    is_whole: bool,
}

impl<'q> WrittenQuery<'q> {
    fn new(query: &'q ConstraintQuery<'q>, dialect: Option<SqlDialect>, report: &mut RunReport) -> Self {
        let whole = query.to_string();
        let Some(dialect) = dialect else {
            return Self { query, text: whole, sql: None, is_whole: query.query().is_some() };
        };
        // A comment ends with its line.
        let plain = |line: &str| line.replace(char::is_control, " ");
        let comments = whole.lines().filter_map(|line| line.strip_prefix('#'));
        let comments: String = comments.map(|comment| format!("--{}\n", plain(comment))).collect();
        let name = query.shape().name();
        let sql = query
            .query()
            .map(|text| Query::parse_plain(text, &name).and_then(|query| sql_of(&query, dialect)));
        let sql = match sql {
            Some(Ok(sql)) => Some(sql),
            Some(Err(mut refusal)) => {
                refusal.severity = FindingSeverity::Warning;
                report.add(&refusal);
                None
            }
            None => None,
        };
        let text = format!("{comments}{}", sql.as_deref().unwrap_or_default());
        Self { query, text, is_whole: sql.is_some(), sql }
    }
}

fn write_queries(queries: &[WrittenQuery<'_>], output: &mut ResultOutput) -> io::Result<()> {
    for (place, WrittenQuery { text, .. }) in queries.iter().enumerate() {
        if place > 0 {
            writeln!(output)?;
        }
        write!(output, "{text}")?;
    }
    Ok(())
}

fn query_to_json(written: &WrittenQuery<'_>, dialect: Option<SqlDialect>) -> Value {
    let query = written.query;
    let component = query.component().to_string();
    let messages: Vec<&str> = query.messages().iter().map(|message| message.value()).collect();
    let remarks: Vec<&str> = query.remarks().iter().map(|remark| remark.message.as_str()).collect();
    let mut value = json!({
        "shape": query.shape().name(),
        "path": query.shape().path().map(PropertyPath::text),
        "component": component.trim_matches(['<', '>']),
        "severity": query.shape().severity.iri(),
        "messages": messages,
        "query": query.query(),
        "remarks": remarks,
    });
    if dialect.is_some() {
        value["sql"] = json!(written.sql);
    }
    value
}

/// The file name of a query: the last parts of the names of its shape and its component, with a number if the name is
/// taken.
fn file_name(query: &ConstraintQuery<'_>, ending: &str, taken: &mut HashSet<String>) -> String {
    let end = |word: &str| {
        let word = word.trim_matches(['<', '>']);
        let end = word.rsplit(['#', '/', ':']).find(|part| !part.is_empty()).unwrap_or(word);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        end.chars().take(80).map(|c| if is_plain(c) { c } else { '_' }).collect::<String>()
    };
    let name = query.shape().name();
    let component = end(&query.component().to_string()).replace("ConstraintComponent", "");
    let words: Vec<String> = name.split(' ').take(2).map(end).chain([component]).collect();
    let stem = words.join("-");
    let mut name = format!("{stem}.{ending}");
    let mut number = 1;
    while !taken.insert(name.to_ascii_lowercase()) {
        number += 1;
        name = format!("{stem}-{number}.{ending}");
    }
    name
}
