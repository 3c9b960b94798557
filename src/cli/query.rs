//! `evalgraph query`: a SPARQL query over files.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::arguments::{InputArguments, OutputArguments, duration};
use super::load::LoadingArguments;
use super::report::Report;
use super::{Answer, Stop};

const EXAMPLES: &str = "\
Examples:
  evalgraph query checkpoints/ -n overview
  evalgraph query a.jsonld -q 'SELECT (COUNT(?q) AS ?questions) { ?q a s:Question }'
  evalgraph query a.jsonld -n cards -p question=<urn:uuid:1> --format json
  evalgraph query a.jsonld -n unfinished --expect empty     (exit status 1 where there are some)
  evalgraph query a.jsonld < question.rq

Built-in prefixes: s: and schema: for http://schema.org/, rdf:, rdfs:, xsd:, owl:, sh:, prov:, dcat:,
karenina:, eg:, egf:.";

/// The arguments of `query`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct QueryArguments {
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    text: QueryText,
    /// A value for a variable or parameter of the query, as a SPARQL term or a plain value
    #[arg(short, long = "param", value_name = "NAME=TERM")]
    parameters: Vec<String>,
    /// The form of the result: a table on a terminal, else CSV; Turtle for graphs
    #[arg(long, value_name = "FORM")]
    format: Option<ResultForm>,
    /// Whether the answer is yes, for the exit status
    #[arg(long, value_name = "empty|nonempty|rows=N|true|false", value_parser = expectation)]
    expect: Option<Expectation>,
    /// Give up after this time
    #[arg(long, value_name = "TIME", value_parser = duration)]
    timeout: Option<Duration>,
    /// The most rows to write
    #[arg(long, value_name = "ROWS")]
    limit: Option<u64>,
    /// Show how the query is evaluated instead of its result
    #[arg(long)]
    explain: bool,
    /// What a query without GRAPH sees: the union of all documents, or only the unnamed graph
    #[arg(long, value_name = "GRAPHS", default_value = "union")]
    default_graph: DefaultGraphs,
    #[command(flatten)]
    loading: LoadingArguments,
    #[command(flatten)]
    output: OutputArguments,
}

/// Where the text of a query comes from; stdin where nothing is named.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct QueryText {
    /// The query
    #[arg(short, long, value_name = "TEXT")]
    query: Option<String>,
    /// A file with the query
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// A named query, see `evalgraph queries`
    #[arg(short, long, value_name = "NAME")]
    name: Option<String>,
}

/// The forms of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ResultForm {
    /// A table for a person
    Table,
    /// SPARQL 1.1 CSV
    Csv,
    /// SPARQL 1.1 TSV
    Tsv,
    /// SPARQL 1.1 JSON
    Json,
    /// One JSON object a row
    Jsonl,
    /// SPARQL 1.1 XML
    Xml,
    /// N-Triples, for graphs
    Nt,
    /// N-Quads, for graphs
    Nq,
    /// Turtle, for graphs
    Ttl,
    /// TriG, for graphs
    Trig,
    /// RDF/XML, for graphs
    Rdfxml,
}

/// The graphs that a query without GRAPH sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DefaultGraphs {
    /// All documents as one set of triples
    Union,
    /// The unnamed graph alone
    Strict,
}

/// What has to hold for the answer to be yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expectation {
    Empty,
    Nonempty,
    Rows(u64),
    Boolean(bool),
}

fn expectation(text: &str) -> Result<Expectation, String> {
    match text {
        "empty" => Ok(Expectation::Empty),
        "nonempty" => Ok(Expectation::Nonempty),
        "true" => Ok(Expectation::Boolean(true)),
        "false" => Ok(Expectation::Boolean(false)),
        _ => text
            .strip_prefix("rows=")
            .and_then(|rows| rows.parse().ok())
            .map(Expectation::Rows)
            .ok_or_else(|| "expected empty, nonempty, rows=N, true or false".to_owned()),
    }
}

/// Runs `query`.
pub(super) fn run(arguments: QueryArguments, report: &mut Report) -> Result<Answer, Stop> {
    let _ = (arguments, report);
    Ok(Answer::No)
}
