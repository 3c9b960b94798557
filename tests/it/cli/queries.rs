//! The shipped queries over the fixtures: each returns rows, and exactly these.
//!
//! The data go their way through other people's software: the changes that loading makes are made
//! in the text, `oxjsonld` reads it, and oxigraph's own store answers.

use crate::cli::{cross_queries, table_queries};
use crate::evaluation_runs::run_queries;
use crate::karenina::fixtures::{fixture, fixtures_in, path};
use evalgraph::json::{JsonDocument, TokenId};
use evalgraph::jsonld::BuiltIn;
use evalgraph::source::checkpoint::adapt;
use oxigraph::model::{GraphName, Literal, NamedNode, Quad, Term};
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use oxigraph::store::Store;
use oxjsonld::JsonLdParser;
use std::ops::Range;
use std::sync::OnceLock;

static STORE: OnceLock<Store> = OnceLock::new();

/// All checkpoints that can be read, each in the graph of its file.
fn store() -> &'static Store {
    STORE.get_or_init(|| {
        let store = Store::new().expect("an in-memory store");
        for folder in ["karenina", "revisions"] {
            for name in fixtures_in(folder).iter().filter(|name| name.ends_with(".jsonld")) {
                load(&store, name);
            }
        }
        store
    })
}

fn load(store: &Store, name: &str) {
    let file = name.rsplit('/').next().expect("a name has a last part");
    let dataset = file.strip_suffix(".jsonld").expect("checkpoints end in .jsonld");
    let text = adapted(&fixture(name), dataset);
    let graph = NamedNode::new(format!("urn:evalgraph:graph:{dataset}")).expect("stems are plain");
    for quad in JsonLdParser::new().for_slice(text.as_bytes()) {
        let quad = quad.expect("fixtures are JSON-LD");
        let quad = Quad { graph_name: GraphName::NamedNode(graph.clone()), ..quad };
        store.insert(&quad).expect("the store takes quads");
    }
}

/// The text with the changes that loading makes.
fn adapted(document: &JsonDocument, dataset: &str) -> String {
    let adaptation = adapt(document, dataset);
    let mode = adaptation.load_mode;
    let mint = mode.mint_below.expect("loading mints ids");
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let tokens = object_members(document, document.root());
    for (key, value) in &tokens {
        let as_id = mode.replaced_ids.get(value).cloned().or_else(|| match key.as_str() {
            "@id" => document.string(*value).map(std::borrow::Cow::into_owned),
            _ => None,
        });
        if mode.json_values.contains(value) {
            edits.push((document.bytes(*value), json_literal(document.raw(*value))));
        } else if let Some(id) = as_id.filter(|_| !document.pointer(*value).starts_with("/@context")) {
            let id = if evalgraph::rdf::iri::is_iri(&id) { id } else { format!("{mint}{}", encoded(&id)) };
            edits.push((document.bytes(*value), json_string(&id)));
        } else if key == "@context" && document.is_string(*value) {
            let url = document.string(*value).unwrap_or_default();
            let name = if url == "https://schema.org" { "schema.org" } else { "karenina-spec" };
            let context = BuiltIn::named(name).expect("it is built in");
            let inner = context.get(context.root(), "@context").expect("it is a context document");
            edits.push((document.bytes(*value), context.raw(inner).to_owned()));
        }
    }
    let mut text = document.text().to_owned();
    edits.sort_by_key(|(bytes, _)| bytes.start);
    for (bytes, replacement) in edits.into_iter().rev() {
        text.replace_range(bytes, &replacement);
    }
    text.replace("https://schema.org/", "http://schema.org/")
}

/// Every value in the document with the key it belongs to; the insides of JSON values are none of
/// this test's fixtures' ids.
fn object_members(document: &JsonDocument, value: TokenId) -> Vec<(String, TokenId)> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), value)];
    while let Some((key, value)) = open.pop() {
        for member in document.members(value) {
            open.push((document.symbol_text(member.symbol).to_owned(), member.value));
        }
        for item in document.items(value) {
            open.push((key.clone(), item));
        }
        found.push((key, value));
    }
    found
}

fn json_string(text: &str) -> String {
    let mut quoted = String::new();
    evalgraph::json::write_string(text, &mut quoted);
    quoted
}

fn json_literal(raw: &str) -> String {
    let datatype = "http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON";
    format!("{{\"@type\": \"{datatype}\", \"@value\": {}}}", json_string(raw))
}

fn encoded(id: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:".contains(&byte);
    id.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// A query file: what its header says, and its text with the parameters at their defaults.
struct QueryFile {
    title: String,
    description: String,
    text: String,
}

fn query(name: &str) -> QueryFile {
    let file = path("../queries").join(format!("{name}.rq"));
    let written = std::fs::read_to_string(file).expect("the query is there");
    let header = |text: &str, key: &str| {
        let mut lines = text.lines();
        lines.find_map(|line| line.strip_prefix(&format!("# {key}: "))).unwrap_or_default().to_owned()
    };
    let title = header(&written, "title");
    let description = header(&written, "description");
    let mut text = written.clone();
    for line in written.lines().filter_map(|line| line.strip_prefix("# param: ")) {
        let (declared, default) = line.split_once(" = ").expect("a parameter has a default");
        let (parameter, kind) = declared.split_once(' ').expect("a parameter has a type");
        let kinds = ["string", "integer", "decimal", "boolean", "iri", "date", "dateTime"];
        assert!(kinds.contains(&kind), "{name}: {kind}");
        let default = default.split("   (").next().unwrap_or(default);
        text = text.replace(&format!("?{parameter}"), default);
    }
    QueryFile { title, description, text }
}

/// The rows, one a line, columns parted by ` | `; long texts are cut.
fn table(name: &str) -> String {
    let query = query(name);
    // Of a graph whose file nobody knows the function has the name of the dataset.
    let file = NamedNode::new_unchecked("urn:evalgraph:fn:file");
    let evaluator = SparqlEvaluator::new().with_custom_function(file, |arguments| match arguments {
        [Term::NamedNode(graph)] => {
            let dataset = graph.as_str().strip_prefix("urn:evalgraph:graph:")?.replace("%3A", ":");
            Some(Literal::new_simple_literal(dataset).into())
        }
        _ => None,
    });
    let member = NamedNode::new_unchecked("urn:evalgraph:fn:member");
    let evaluator = evaluator.with_custom_function(member, |arguments| {
        let [Term::Literal(object), Term::Literal(key)] = arguments else { return None };
        let object: serde_json::Value = serde_json::from_str(object.value()).ok()?;
        Some(Literal::new_simple_literal(object.get(key.value())?.as_str()?).into())
    });
    let prepared = evaluator.parse_query(&query.text).expect("it is SPARQL 1.1");
    let results = prepared.on_store(store()).execute().expect("it runs");
    let QueryResults::Solutions(solutions) = results else { panic!("{name} is a SELECT query") };
    let names: Vec<String> =
        solutions.variables().iter().map(|variable| variable.as_str().to_owned()).collect();
    let mut lines = vec![format!("{} ({})", query.title, query.description), names.join(" | ")];
    for solution in solutions {
        let solution = solution.expect("no row fails");
        let cells = solution.values().iter().map(|term| term.as_ref().map_or_else(String::new, cell));
        lines.push(cells.collect::<Vec<_>>().join(" | "));
    }
    lines.join("\n")
}

fn cell(term: &Term) -> String {
    let text = match term {
        Term::NamedNode(iri) => iri.as_str().to_owned(),
        Term::Literal(literal) => literal.value().replace('\n', "⏎"),
        _ => "[]".to_owned(),
    };
    if text.chars().count() > 80 { text.chars().take(80).chain(['…']).collect() } else { text }
}

#[test]
fn every_query_has_a_title_and_a_description_of_one_line() {
    let mut count = 0;
    for entry in std::fs::read_dir(path("../queries")).expect("the queries are there") {
        let name = entry.expect("the folder can be read").file_name().display().to_string();
        // The folder is a crate, too.
        let Some(stem) = name.strip_suffix(".rq") else { continue };
        let query = query(stem);
        assert!(!query.title.is_empty() && !query.description.is_empty(), "{name}");
        count += 1;
    }
    assert_eq!(
        count,
        QUERIES.len() + cross_queries::NAMES.len() + table_queries::NAMES.len() + run_queries::NAMES.len()
    );
}

/// The queries of checkpoints; those that cross the systems, and those that tables are made of, have their own files.
const QUERIES: [&str; 18] = [
    "authors",
    "duplicate-texts",
    "keywords",
    "no-template",
    "out-of-range",
    "overview",
    "progress",
    "properties",
    "question-cards",
    "questions",
    "questions-without-traits",
    "rating-values",
    "recently-modified",
    "revisions",
    "templates-by-size",
    "trait-ranges",
    "traits",
    "unfinished",
];

#[test]
fn every_query_returns_rows_on_the_fixtures() {
    for name in QUERIES {
        let table = table(name);
        assert!(table.lines().count() > 2, "{name} returns no row:\n{table}");
        insta::assert_snapshot!(format!("query_{}", name.replace('-', "_")), table);
    }
}
