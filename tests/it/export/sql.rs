//! SPARQL as SQL: engines of SQL over the exported folder give what evalgraph gives, or the query is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use evalgraph::Loader;
use evalgraph::rdf::InGraph;
use evalgraph::sparql::{Query, QueryResults};
use evalgraph::sql::{SqlDialect, sql_of};
use evalgraph_suites::beside::{skipped, suites};
use evalgraph_suites::sparql_manifest::{SPARQL_1_1, SparqlSuite, SparqlTest, SparqlTestKind, read_into};
use oxrdf::vocab::xsd;
use oxrdf::{BlankNode, Literal, NamedNode, Term};
use serde_json::{Value, json};

use crate::cli::input::run;
use crate::random::engines::{Answer, Process};

/// The graph of the default graph of a test.
const DOCUMENT: &str = "urn:evalgraph:graph:test";

/// The process with the engines, if it is installed.
pub(crate) fn peer() -> Option<Process> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers");
    let installed = folder.join(".venv-sql/installed.txt");
    if !installed.exists() {
        let why = format!("{} is not there; `tests/peers/install sql` makes it", installed.display());
        skipped("the comparison with engines of SQL", &why);
        return None;
    }
    let script = folder.join("sql_peer.py").display().to_string();
    let process = Process::new("sql", &folder.join(".venv-sql/bin/python"), &[script]);
    // Spark plans some queries for half a minute.
    Some(process.with_patience(Duration::from_secs(180)))
}

/// What a comparison has found.
#[derive(Debug)]
pub(crate) enum SqlOutcome {
    Equal,
    /// The query, or a value in the data, is refused.
    Refused(String),
    Wrong(String),
}

/// The outcomes of many comparisons.
#[derive(Default)]
pub(crate) struct SqlOutcomes {
    pub(crate) equal: usize,
    refused: BTreeMap<String, Vec<String>>,
    pub(crate) wrong: Vec<String>,
}

impl SqlOutcomes {
    pub(crate) fn add(&mut self, name: &str, outcome: SqlOutcome) {
        match outcome {
            SqlOutcome::Equal => self.equal += 1,
            SqlOutcome::Refused(why) => self.refused.entry(why).or_default().push(name.to_owned()),
            SqlOutcome::Wrong(what) => self.wrong.push(format!("{name}: {what}")),
        }
    }

    pub(crate) fn refused(&self) -> usize {
        self.refused.values().map(Vec::len).sum()
    }

    /// Says what was found, and fails if an answer is wrong.
    pub(crate) fn hold(&self, what: &str) {
        for (why, names) in &self.refused {
            let some: Vec<&str> = names.iter().take(8).map(String::as_str).collect();
            println!("refused {}: {why}: {}", names.len(), some.join(" "));
        }
        println!("{what}: {} equal, {} refused, {} wrong", self.equal, self.refused(), self.wrong.len());
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n\n"));
    }
}

/// The answer of an engine: two columns for each variable.
pub(crate) fn theirs(reply: &Value, variables: &[String]) -> Answer {
    let rows = reply["rows"].as_array().expect("there are rows");
    if reply["columns"][0] == "answer" {
        return Answer::Boolean(rows[0][0]["boolean"] == true);
    }
    let row = |row: &Value| {
        let cells = row.as_array().expect("a row is a list");
        // Without a variable there is a column all the same.
        let cells = if variables.is_empty() { &[] } else { cells.as_slice() };
        cells.chunks(2).map(|pair| Some(term(&text(&pair[0]), pair[1].as_str()?))).collect()
    };
    Answer::Rows { variables: variables.to_vec(), rows: rows.iter().map(row).collect() }
}

/// The lexical form of a cell.
fn text(cell: &Value) -> String {
    let Some(object) = cell.as_object() else { return cell.as_str().unwrap_or_default().to_owned() };
    let value = object.values().next().expect("it has a value");
    match object.get("double").and_then(Value::as_str) {
        Some(double) => {
            let double: f64 = double.parse().expect("a double");
            if double.is_infinite() { double.to_string().to_uppercase() } else { double.to_string() }
        }
        None => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
    }
}

fn term(text: &str, type_name: &str) -> Term {
    match type_name {
        "blank" => BlankNode::new_unchecked("b").into(),
        "iri" => NamedNode::new_unchecked(text).into(),
        name => match name.strip_prefix('@') {
            Some(language) => Literal::new_language_tagged_literal_unchecked(text, language).into(),
            None => Literal::new_typed_literal(text, NamedNode::new_unchecked(name)).into(),
        },
    }
}

/// An answer whose blank nodes have one label, since labels have no meaning.
pub(crate) fn without_labels(answer: Answer) -> Answer {
    match answer {
        Answer::Rows { variables, mut rows } => {
            for cell in rows.iter_mut().flatten() {
                if matches!(cell, Some(Term::BlankNode(_))) {
                    *cell = Some(BlankNode::new_unchecked("b").into());
                }
            }
            Answer::Rows { variables, rows }
        }
        other => other,
    }
}

/// What an engine answers, or why it does not.
pub(crate) fn asked(
    process: &mut Process,
    query: &Query,
    folder: &Path,
    dialect: SqlDialect,
) -> Result<Answer, SqlOutcome> {
    let statement = sql_of(query, dialect).map_err(|refusal| SqlOutcome::Refused(refusal.message.clone()))?;
    let question =
        json!({"engine": dialect.name(), "folder": folder.display().to_string(), "statement": statement});
    let reply = process.ask(&question).unwrap_or_else(|error| json!({"error": error}));
    match reply["error"].as_str() {
        Some(error) if error.contains("sql::unsupported") => {
            let why = error.split("sql::unsupported").nth(1).unwrap_or_default();
            let why = why.lines().next().unwrap_or_default();
            Err(SqlOutcome::Refused(format!("in the data{why}")))
        }
        Some(error) => Err(SqlOutcome::Wrong(format!("{error}\n{statement}"))),
        None => Ok(theirs(&reply, &query.columns())),
    }
}

/// Compares rows as a multiset; computed doubles by value, since a sum of them depends on their order.
fn differ(ours: &Answer, theirs: &Answer) -> Option<String> {
    let sorted = |answer: &Answer| {
        let Answer::Rows { rows, .. } = answer else { return Vec::new() };
        let mut rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(shown).collect()).collect();
        rows.sort();
        rows
    };
    let is_same = match (ours, theirs) {
        (Answer::Boolean(ours), Answer::Boolean(theirs)) => ours == theirs,
        (Answer::Rows { .. }, Answer::Rows { .. }) => sorted(ours) == sorted(theirs),
        _ => false,
    };
    (!is_same).then(|| format!("expected {:?}\nfound    {:?}", sorted(ours), sorted(theirs)))
}

fn shown(term: &Option<Term>) -> String {
    match term {
        None => "-".to_owned(),
        Some(Term::Literal(literal)) if matches!(literal.datatype(), xsd::DOUBLE | xsd::FLOAT) => {
            match literal.value().replace("INF", "inf").parse::<f64>() {
                Ok(value) if literal.datatype() == xsd::FLOAT => format!("{value:.5e} float"),
                Ok(value) => format!("{value:.12e} double"),
                Err(_) => literal.to_string(),
            }
        }
        Some(term) => term.to_string(),
    }
}

/// Compares what evalgraph and an engine answer to a query over a folder.
pub(crate) fn compared(
    process: &mut Process,
    query: &Query,
    ours: Answer,
    folder: &Path,
    dialect: SqlDialect,
) -> SqlOutcome {
    match asked(process, query, folder, dialect) {
        Err(outcome) => outcome,
        Ok(theirs) => match differ(&without_labels(ours), &theirs) {
            None => SqlOutcome::Equal,
            Some(what) => {
                let statement = sql_of(query, dialect).expect("it was written before");
                SqlOutcome::Wrong(format!("{what}\n{statement}"))
            }
        },
    }
}

/// The answer of evalgraph.
pub(crate) fn ours(results: QueryResults<'_>) -> Result<Answer, String> {
    Ok(match results {
        QueryResults::Boolean(answer) => Answer::Boolean(answer),
        QueryResults::Solutions(solutions) => {
            let variables: Vec<_> = solutions.variables().to_vec();
            let rows = solutions.map(|solution| {
                let solution = solution.map_err(|error| error.to_string())?;
                Ok(variables.iter().map(|variable| solution.get(variable).cloned()).collect())
            });
            let rows = rows.collect::<Result<_, String>>()?;
            Answer::Rows { variables: variables.iter().map(|name| name.as_str().to_owned()).collect(), rows }
        }
        QueryResults::Graph(_) => Answer::None("a graph".to_owned()),
    })
}

/// A test of the suite: its query over its dataset.
struct SuiteCase<'s> {
    suite: &'s SparqlSuite,
    root: PathBuf,
}

impl SuiteCase<'_> {
    fn query(&self, test: &SparqlTest) -> Result<(Query, BTreeMap<String, PathBuf>), String> {
        let text = fs::read_to_string(&test.request).map_err(|error| error.to_string())?;
        let text = format!("BASE <{}> {text}", self.suite.url(&self.root, &test.request));
        let query = Query::parse_plain(&text, &test.request.display().to_string())
            .map_err(|error| error.to_string())?;
        let mut named: BTreeMap<String, PathBuf> = test.data.named.iter().cloned().collect();
        let (mut of_default, mut of_named) = (vec![NamedNode::new_unchecked(DOCUMENT)], Vec::new());
        if let Some(from) = query.algebra().dataset() {
            (of_default, of_named) = (from.default.clone(), from.named.clone().unwrap_or_default());
            for graph in from.default.iter().chain(from.named.iter().flatten()) {
                if let Some(file) = self.suite.file(&self.root, graph.as_str()) {
                    named.insert(graph.as_str().to_owned(), file);
                }
            }
        } else {
            of_named.extend(named.keys().map(NamedNode::new_unchecked));
        }
        Ok((query.over_graphs(of_default, of_named), named))
    }

    fn outcome(&self, test: &SparqlTest, process: &mut Process) -> Result<SqlOutcome, String> {
        let (query, named) = self.query(test)?;
        if let Err(refusal) = sql_of(&query, SqlDialect::DuckDb) {
            return Ok(SqlOutcome::Refused(refusal.message.clone()));
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let data = folder.path().join("data.nq");
        let mut quads = evalgraph::rdf::QuadBuffer::new();
        for file in &test.data.default {
            read_into(file, &self.suite.url(&self.root, file), &mut InGraph::new(&mut quads, DOCUMENT))?;
        }
        for (name, file) in &named {
            read_into(file, &self.suite.url(&self.root, file), &mut InGraph::new(&mut quads, name))?;
        }
        let mut text = Vec::new();
        evalgraph::rdf::write(&quads, evalgraph::rdf::RdfFormat::NQuads, &mut text)
            .map_err(|error| error.to_string())?;
        fs::write(&data, text).map_err(|error| error.to_string())?;
        let (status, _, stderr) = run(folder.path(), &["export", "parquet", "out", "data.nq", "--quiet"]);
        if status != 0 {
            return Err(stderr);
        }
        let loaded =
            Loader::new().plain().load([data.display().to_string()]).map_err(|error| error.to_string())?;
        let expected =
            loaded.execute(query.clone(), Default::default()).map_err(|error| error.to_string())?;
        Ok(compared(process, &query, ours(expected)?, &folder.path().join("out"), SqlDialect::DuckDb))
    }
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites, and DuckDB"]
fn duckdb_answers_the_suite_of_sparql_1_1() {
    let Some(mut process) = peer() else { return };
    let suites = suites();
    let case = SuiteCase { suite: &SPARQL_1_1, root: suites.join("sparql").join(SPARQL_1_1.folder) };
    let mut outcomes = SqlOutcomes::default();
    let only = std::env::var("EVALGRAPH_ONLY").ok();
    for test in SPARQL_1_1.tests(&suites).iter().filter(|test| test.kind == SparqlTestKind::Query) {
        if only.as_ref().is_some_and(|only| !test.id.contains(only.as_str())) {
            continue;
        }
        outcomes.add(&test.id, case.outcome(test, &mut process).unwrap_or_else(SqlOutcome::Wrong));
    }
    outcomes.hold("SPARQL 1.1 on DuckDB");
    assert!(outcomes.equal >= 205 || only.is_some(), "{} tests are equal", outcomes.equal);
}
