//! `evalgraph shapes`: lists and shows the built-in shapes, and writes shapes as queries.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::collections::HashSet;
use std::io::{self, Write};

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use crate::cli::arguments::OutputArguments;
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

const EXAMPLES: &str = "\
Examples:
  evalgraph shapes list
  evalgraph shapes show karenina -o own.ttl
  evalgraph shapes sparql own.ttl -o queries/
  evalgraph shapes sparql karenina --shape 'urn:evalgraph:shapes:karenina#Question'";

const SPARQL_HELP: &str = "\
Each query is a SELECT in SPARQL 1.1 that finds the violations of one constraint: the node in ?this,
the value in ?value, and in ?path the path if it is not the shape's. It uses the default graph, which
must contain all data, like the union of the graphs of a store. IRIs of schema.org are those of
loaded data, http://schema.org/; with --plain they are as in the shapes.

A constraint that SPARQL 1.1 cannot express is a warning with the reason, and the exit status is 1.";

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
        ShapesAction::Sparql(arguments) => sparql(arguments, report),
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

fn sparql(arguments: &SparqlArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
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
    match folder {
        Some(folder) => {
            let mut output = OutputFolder::new(folder, arguments.folder);
            let mut taken = HashSet::new();
            for query in queries.iter().filter(|query| query.query().is_some()) {
                output.add(&file_name(query, &mut taken), query.to_string())?;
            }
            output.write()?;
        }
        None => write(path, |output| match form {
            QueriesForm::Text => write_queries(&queries, output),
            QueriesForm::Json => write_json(&queries.iter().map(query_to_json).collect(), output),
        })?,
    }
    let made = queries.iter().filter(|query| query.query().is_some()).count();
    if made == queries.len() {
        return Ok(CommandAnswer::Yes);
    }
    let message =
        format!("{} of {} constraints have a query", thousands(made as u64), thousands(queries.len() as u64));
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

fn write_queries(queries: &[ConstraintQuery<'_>], output: &mut ResultOutput) -> io::Result<()> {
    for (place, query) in queries.iter().enumerate() {
        if place > 0 {
            writeln!(output)?;
        }
        write!(output, "{query}")?;
    }
    Ok(())
}

fn query_to_json(query: &ConstraintQuery<'_>) -> Value {
    let component = query.component().to_string();
    let messages: Vec<&str> = query.messages().iter().map(|message| message.value()).collect();
    let remarks: Vec<&str> = query.remarks().iter().map(|remark| remark.message.as_str()).collect();
    json!({
        "shape": query.shape().name(),
        "path": query.shape().path().map(PropertyPath::text),
        "component": component.trim_matches(['<', '>']),
        "severity": query.shape().severity.iri(),
        "messages": messages,
        "query": query.query(),
        "remarks": remarks,
    })
}

/// The file name of a query: the last parts of the names of its shape and its component, with a number if the name is
/// taken.
fn file_name(query: &ConstraintQuery<'_>, taken: &mut HashSet<String>) -> String {
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
    let mut name = format!("{stem}.rq");
    let mut number = 1;
    while !taken.insert(name.to_ascii_lowercase()) {
        number += 1;
        name = format!("{stem}-{number}.rq");
    }
    name
}
