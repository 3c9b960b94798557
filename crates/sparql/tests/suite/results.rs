//! Answers to the tests of the SPARQL suites: reading the expected ones in all formats of the suites, and
//! comparing up to the labels of blank nodes.

use evalgraph_rdf::{QuadBuffer, RdfFormat};
use evalgraph_sparql::{EvaluationError, QueryResults};
use evalgraph_store::{Dataset, DocumentBuilder, NamedDocument};
use evalgraph_suites::isomorphism::{self, Quad, isomorphic, show};
use evalgraph_suites::sparql_manifest::{read_into, select};
use oxrdf::Term;
use sparesults::{QueryResultsFormat, QueryResultsParser, SliceQueryResultsParserOutput};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The answer to a query.
#[derive(Debug, Clone)]
pub(crate) enum SuiteAnswer {
    Boolean(bool),
    Graph(BTreeSet<Quad>),
    Solutions { variables: BTreeSet<String>, rows: Vec<BTreeMap<String, Term>>, is_ordered: bool },
}

const RESULT_SET: &str = "PREFIX rs: <http://www.w3.org/2001/sw/DataAccess/tests/result-set#> ";

/// Collects the answer to a query.
pub(crate) fn collect(results: QueryResults<'_>) -> Result<SuiteAnswer, EvaluationError> {
    Ok(match results {
        QueryResults::Boolean(answer) => SuiteAnswer::Boolean(answer),
        QueryResults::Graph(triples) => {
            let mut quads = BTreeSet::new();
            for triple in triples {
                quads.insert(isomorphism::from_oxrdf(&triple?.in_graph(oxrdf::GraphName::DefaultGraph)));
            }
            SuiteAnswer::Graph(quads)
        }
        QueryResults::Solutions(solutions) => {
            let variables = solutions.variables().iter().map(|name| name.as_str().to_owned()).collect();
            let mut rows = Vec::new();
            for solution in solutions {
                let solution = solution?;
                rows.push(
                    solution.iter().map(|(name, term)| (name.as_str().to_owned(), term.clone())).collect(),
                );
            }
            SuiteAnswer::Solutions { variables, rows, is_ordered: false }
        }
    })
}

/// Reads the expected answer.
pub(crate) fn read(path: &Path, base: &str) -> Result<SuiteAnswer, String> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    let format = match extension.as_str() {
        "srx" => QueryResultsFormat::Xml,
        "srj" => QueryResultsFormat::Json,
        "tsv" => QueryResultsFormat::Tsv,
        _ => return read_graph(path, base),
    };
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let output = QueryResultsParser::from_format(format).for_slice(&bytes);
    match output.map_err(|error| error.to_string())? {
        SliceQueryResultsParserOutput::Boolean(answer) => Ok(SuiteAnswer::Boolean(answer)),
        SliceQueryResultsParserOutput::Solutions(solutions) => {
            let variables = solutions.variables().iter().map(|name| name.as_str().to_owned()).collect();
            let mut rows = Vec::new();
            for solution in solutions {
                let solution = solution.map_err(|error| error.to_string())?;
                rows.push(
                    solution.iter().map(|(name, term)| (name.as_str().to_owned(), term.clone())).collect(),
                );
            }
            Ok(SuiteAnswer::Solutions { variables, rows, is_ordered: false })
        }
    }
}

/// A graph, or solutions in the vocabulary of result sets.
fn read_graph(path: &Path, base: &str) -> Result<SuiteAnswer, String> {
    let mut builder = DocumentBuilder::new();
    read_into(path, base, &mut builder)?;
    let graph = "urn:example:document".to_owned();
    let dataset = Dataset::from_documents(vec![NamedDocument { graph, builder }]);
    let ask = |query: &str| select(&dataset, &format!("{RESULT_SET}{query}"));
    if ask("SELECT ?set { ?set a rs:ResultSet }").is_empty() {
        let mut quads = QuadBuffer::new();
        read_into(path, base, &mut quads)?;
        return Ok(SuiteAnswer::Graph(quads_of(&quads)));
    }
    if let Some(row) = ask("SELECT ?answer { [] rs:boolean ?answer }").first() {
        return Ok(SuiteAnswer::Boolean(lexical(&row["answer"]) == "true"));
    }
    let variables = ask("SELECT ?name { [] rs:resultVariable ?name }");
    let bindings = ask("SELECT * { [] rs:solution ?solution OPTIONAL { ?solution rs:index ?index } \
         OPTIONAL { ?solution rs:binding [ rs:variable ?name ; rs:value ?value ] } }");
    let is_ordered = bindings.iter().any(|row| row.contains_key("index"));
    let mut rows: BTreeMap<(i64, String), BTreeMap<String, Term>> = BTreeMap::new();
    for row in &bindings {
        let index = row.get("index").and_then(|index| lexical(index).parse().ok()).unwrap_or_default();
        let solution = rows.entry((index, row["solution"].to_string())).or_default();
        if let (Some(name), Some(value)) = (row.get("name"), row.get("value")) {
            solution.insert(lexical(name).to_owned(), value.clone());
        }
    }
    let variables = variables.iter().map(|row| lexical(&row["name"]).to_owned()).collect();
    Ok(SuiteAnswer::Solutions { variables, rows: rows.into_values().collect(), is_ordered })
}

fn lexical(term: &Term) -> &str {
    match term {
        Term::Literal(literal) => literal.value(),
        Term::NamedNode(node) => node.as_str(),
        Term::BlankNode(node) => node.as_str(),
    }
}

/// Quads of a buffer in comparable form.
pub(crate) fn quads_of(quads: &QuadBuffer) -> BTreeSet<Quad> {
    let mut text = Vec::new();
    evalgraph_rdf::write(quads, RdfFormat::NQuads, &mut text).expect("memory takes all text");
    isomorphism::read_n_quads(&String::from_utf8(text).expect("N-Quads are UTF-8"))
}

/// Compares an answer with the expected one. With `is_lax`, there may be fewer equal solutions than expected.
pub(crate) fn compare(ours: &SuiteAnswer, expected: &SuiteAnswer, is_lax: bool) -> Result<(), String> {
    let is_equal = match (ours, expected) {
        (SuiteAnswer::Boolean(ours), SuiteAnswer::Boolean(expected)) => ours == expected,
        (SuiteAnswer::Graph(ours), SuiteAnswer::Graph(expected)) => isomorphic(ours, expected),
        (
            SuiteAnswer::Solutions { variables, rows, is_ordered },
            SuiteAnswer::Solutions { variables: other_variables, rows: expected, is_ordered: has_order },
        ) => {
            let is_ordered = *is_ordered || *has_order;
            let rows_are_equal = match is_lax {
                true => {
                    isomorphic(&set_of(rows), &set_of(expected))
                        && (distinct(expected).len()..=expected.len()).contains(&rows.len())
                }
                false => isomorphic(&as_quads(rows, is_ordered), &as_quads(expected, is_ordered)),
            };
            variables == other_variables && rows_are_equal
        }
        _ => false,
    };
    if is_equal { Ok(()) } else { Err(format!("{}\n expected {}", shown(ours), shown(expected))) }
}

fn distinct(rows: &[BTreeMap<String, Term>]) -> Vec<BTreeMap<String, Term>> {
    let mut distinct: Vec<BTreeMap<String, Term>> = Vec::new();
    for row in rows {
        if !distinct.contains(row) {
            distinct.push(row.clone());
        }
    }
    distinct
}

fn set_of(rows: &[BTreeMap<String, Term>]) -> BTreeSet<Quad> {
    as_quads(&distinct(rows), false)
}

/// Solutions as quads, which can be compared up to labels: each is a node, identified by its place if the order counts,
/// else a blank node.
fn as_quads(rows: &[BTreeMap<String, Term>], is_ordered: bool) -> BTreeSet<Quad> {
    use isomorphism::Term::{Blank, Ground};
    let mut quads = BTreeSet::new();
    for (at, row) in rows.iter().enumerate() {
        let node = if is_ordered { Ground(format!("row {at}")) } else { Blank(format!("row {at}")) };
        quads.insert([
            node.clone(),
            Ground("is".to_owned()),
            Ground("a row".to_owned()),
            Ground(String::new()),
        ]);
        for (name, term) in row {
            let value = match term {
                Term::BlankNode(label) => Blank(label.as_str().to_owned()),
                other => Ground(by_value(other)),
            };
            quads.insert([node.clone(), Ground(name.clone()), value, Ground(String::new())]);
        }
    }
    quads
}

/// A term. Numbers with a fraction are compared by value, since the evaluator may write them differently.
fn by_value(term: &Term) -> String {
    if let Term::Literal(literal) = term {
        let datatype = literal.datatype().as_str().rsplit('#').next().unwrap_or_default();
        if ["decimal", "double", "float"].contains(&datatype)
            && let Ok(value) = literal.value().parse::<f64>()
        {
            return format!("{value}^^{datatype}");
        }
    }
    term.to_string()
}

fn shown(answer: &SuiteAnswer) -> String {
    match answer {
        SuiteAnswer::Boolean(answer) => answer.to_string(),
        SuiteAnswer::Graph(quads) => show(quads),
        SuiteAnswer::Solutions { variables, rows, is_ordered } => {
            let mut lines: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
            if !is_ordered {
                lines.sort();
            }
            format!("{variables:?}\n{}", lines.join("\n"))
        }
    }
}
