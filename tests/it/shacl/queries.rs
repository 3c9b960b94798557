//! Shapes as queries: each query finds what the engine finds, asked of our store and of oxigraph's.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::share::one_of;
use evalgraph::rdf::{self, RdfFormat, ReadOptions};
use evalgraph::shacl::{BUILT_IN, ConstraintQuery, Shapes, ShapesOptions, ValidationOptions};
use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DatasetView, DefaultGraph, DocumentBuilder, NamedDocument};
use evalgraph::{LoadedData, Loader};
use oxigraph::sparql::SparqlEvaluator;
use oxigraph::store::Store;
use oxrdf::{GraphName, Literal, NamedNode, NamedOrBlankNode, Quad, Term};
use sparesults::QuerySolution;
use spargebra::SparqlParser;

/// A focus node and the value at fault.
type Row = (String, Option<String>);

/// The shape and the component of constraints.
type Key = (String, String);

/// What became of the constraints of shapes.
#[derive(Default)]
pub(crate) struct Agreement {
    /// How many queries there are.
    pub(crate) queries: usize,

    /// How many results they have found.
    pub(crate) found: usize,
    /// What the engine and a store differ in.
    pub(crate) complaints: Vec<String>,
    /// Why there are no queries for some constraints, or how they differ.
    pub(crate) remarks: Vec<String>,
}

/// Compares what queries find with what the engine finds: over the data in our store, and in oxigraph's over the data as
/// that store keeps them, since it rewrites literals.
pub(crate) fn agreement(shapes: &Shapes, dataset: &Dataset) -> Agreement {
    let mut agreement = Agreement::default();
    let view = || match shapes.with_catalog() {
        true => dataset.view(DefaultGraph::Union).with_catalog(),
        false => dataset.view(DefaultGraph::Union),
    };
    let rewritten = rewritten(&view());
    let store = oxigraph_store(&rewritten.view(DefaultGraph::Union));
    let as_kept = |(node, value): Row| (kept(&node), value.map(|value| kept(&value)));
    let mut expected = [results(shapes, dataset), results(shapes, &rewritten)];
    for rows in expected[1].values_mut() {
        *rows = std::mem::take(rows).into_iter().map(as_kept).collect();
    }
    let mut found: BTreeMap<Key, [BTreeSet<Row>; 2]> = BTreeMap::new();
    let mut unsaid: BTreeSet<Key> = BTreeSet::new();
    for made in shapes.to_queries() {
        agreement.remarks.extend(made.remarks().iter().map(ToString::to_string));
        let Some(text) = made.query() else {
            unsaid.insert(key(&made));
            continue;
        };
        agreement.queries += 1;
        let parsed = SparqlParser::new().parse_query(text);
        let parsed = parsed.unwrap_or_else(|error| panic!("{error}\n{made}"));
        let query = Query::parse(text, "query").unwrap_or_else(|error| panic!("{error}\n{made}"));
        let results = query.execute(view(), ExecuteOptions::default()).expect("the query runs");
        let QueryResults::Solutions(solutions) = results else { panic!("{made} is not a SELECT") };
        let [ours, theirs] = found.entry(key(&made)).or_default();
        let variables: Vec<_> = solutions.variables().to_vec();
        for solution in solutions {
            let solution = solution.expect("a solution");
            assert_eq!(solution.variables(), variables);
            ours.insert(row(&solution));
        }
        let results = SparqlEvaluator::new().for_query(parsed).on_store(&store).execute();
        let Ok(spareval::QueryResults::Solutions(solutions)) = results else { panic!("{made} does not run") };
        theirs.extend(solutions.map(|solution| row(&solution.expect("a solution"))));
    }
    let keys = expected.iter().flat_map(BTreeMap::keys).chain(found.keys());
    let keys: BTreeSet<&Key> = keys.filter(|key| !unsaid.contains(*key)).collect();
    let nothing = BTreeSet::new();
    for key in keys {
        let [ours, theirs] = found.get(key).cloned().unwrap_or_default();
        for ((whose, rows), expected) in
            [("our store", ours), ("oxigraph", theirs)].into_iter().zip(&expected)
        {
            let wanted = expected.get(key).unwrap_or(&nothing);
            agreement.found += wanted.len();
            if rows != *wanted {
                let more: Vec<_> = rows.difference(wanted).take(3).collect();
                let less: Vec<_> = wanted.difference(&rows).take(3).collect();
                agreement.complaints.push(format!("{key:?}, {whose}: more {more:?}, less {less:?}"));
            }
        }
    }
    agreement
}

fn key(made: &ConstraintQuery<'_>) -> Key {
    (made.shape().node.to_string(), made.component().to_string())
}

fn row(solution: &QuerySolution) -> Row {
    let text = |name: &str| solution.get(name).map(Term::to_string);
    (text("this").expect("each solution has a focus node"), text("value"))
}

fn results(shapes: &Shapes, dataset: &Dataset) -> BTreeMap<Key, BTreeSet<Row>> {
    let report = shapes.validate(dataset, &ValidationOptions::default()).expect("it can be validated");
    let mut results: BTreeMap<Key, BTreeSet<Row>> = BTreeMap::new();
    for result in report.results() {
        let key = (result.source_shape().to_string(), result.source_constraint_component().to_string());
        let row = (result.focus_node().to_string(), result.value().map(|value| value.to_string()));
        results.entry(key).or_default().insert(row);
    }
    results
}

/// The data as oxigraph's store has them, in one document.
fn rewritten(view: &DatasetView<'_>) -> Dataset {
    let store = oxigraph_store(view);
    let mut builder = DocumentBuilder::new();
    builder.extend_quads(store.iter().map(|quad| quad.expect("memory gives it")));
    Dataset::from_documents(vec![NamedDocument { graph: "urn:rewritten".to_owned(), builder }])
}

/// A term of the shapes as oxigraph's store has it.
fn kept(term: &str) -> String {
    let Ok(literal) = term.parse::<Literal>() else { return term.to_owned() };
    let store = Store::new().expect("memory takes it");
    let node = NamedNode::new_unchecked("urn:node");
    store.insert(&Quad::new(node.clone(), node, literal, GraphName::DefaultGraph)).expect("memory takes it");
    let quad = store.iter().next().expect("it is there").expect("memory gives it");
    quad.object.to_string()
}

/// The same triples in the default graph of oxigraph's store.
fn oxigraph_store(view: &DatasetView<'_>) -> Store {
    let store = Store::new().expect("memory takes it");
    for triple in view.default_triples(None, None, None) {
        let [subject, predicate, object] = triple.map(|id| view.term(id));
        let subject = match subject {
            Term::NamedNode(node) => NamedOrBlankNode::from(node),
            Term::BlankNode(node) => node.into(),
            Term::Literal(_) => unreachable!("a literal is not a subject"),
        };
        let Term::NamedNode(predicate) = predicate else { unreachable!("a predicate is an IRI") };
        let quad = Quad::new(subject, predicate, object, GraphName::DefaultGraph);
        store.insert(&quad).expect("memory takes it");
    }
    store
}

/// The files and folders in a folder.
fn entries(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    entries.map(|entry| entry.expect("the folder can be read").path().display().to_string()).collect()
}

/// How many fixtures are one dataset: queries with joins inside EXISTS take oxigraph a time that grows with its square.
const FIXTURES_AT_ONCE: usize = 8;

/// The folder with good files of what built-in shapes are about.
fn folder_of(shapes: &str) -> &str {
    match shapes {
        "common" => "across",
        "croissant-tasks" => "shapes/croissant-tasks",
        "karenina-spec" | "karenina-gui" => "karenina",
        system => system,
    }
}

/// The fixtures that built-in shapes are about, some at a time.
pub(super) fn data_of_built_in(name: &str) -> Vec<LoadedData> {
    parts_of_built_in(name, FIXTURES_AT_ONCE)
}

/// The fixtures that built-in shapes are about, so many at a time.
pub(crate) fn parts_of_built_in(name: &str, at_once: usize) -> Vec<LoadedData> {
    let paths = paths_of_built_in(name);
    let some = paths.chunks(at_once);
    some.map(|some| Loader::new().load(some.iter().cloned()).expect("the fixtures can be loaded")).collect()
}

/// The files of the fixtures that built-in shapes are about.
fn paths_of_built_in(name: &str) -> Vec<String> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut paths = entries(&fixtures.join(folder_of(name)));
    paths.retain(|path| path.ends_with(".json") || path.ends_with(".jsonld"));
    paths.extend(entries(&fixtures.join("shapes").join(name)));
    paths
}

#[test]
fn each_query_of_the_built_in_shapes_finds_what_the_engine_finds() {
    let mut complaints = Vec::new();
    for built_in in BUILT_IN {
        let name = built_in.name;
        let shapes = Loader::new().shapes([name]).expect("the shapes are in order");
        let mut found = 0;
        for data in data_of_built_in(name).into_iter().step_by(one_of(3)) {
            let agreement = agreement(&shapes, data.dataset());
            found += agreement.found;
            complaints.extend(agreement.complaints);
            complaints.extend(agreement.remarks);
        }
        assert!(found * one_of(3) > 20, "{name}: {found} results are few");
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Texts that are forms of some datatypes, and texts that are none of any.
const FORMS: [&str; 58] = [
    "",
    " ",
    "0",
    "1",
    "-1",
    "+1",
    "-0",
    "007",
    "127",
    "128",
    "-129",
    "255",
    "256",
    "65536",
    "4294967296",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551616",
    "1.",
    ".5",
    ".",
    "1.5",
    "1e3",
    "e3",
    "INF",
    "+INF",
    "NaN",
    "true",
    "TRUE",
    "2024-02-29",
    "2023-02-29",
    "2024-2-1",
    "2024-02-29Z",
    "2024-02-29+14:00",
    "2024-02-29+15:00",
    "-0044-03-15",
    "12024-01-01",
    "2024-02-29T12:00:00",
    "2024-02-29T25:00:00",
    "2024-02-29T12:00:00Z",
    "24:00:00",
    "12:00:00.5-05:00",
    "12:00",
    "2024",
    "2024-13",
    "2024-12Z",
    "--02-29",
    "--02-30",
    "--12",
    "--13",
    "---31",
    "---32",
    "P1Y2M",
    "P1DT2H3.5S",
    "PT",
    "0aF9",
    "QUJD",
    "en-GB",
];

const DATATYPES: [&str; 35] = [
    "string",
    "boolean",
    "integer",
    "decimal",
    "double",
    "float",
    "nonNegativeInteger",
    "positiveInteger",
    "nonPositiveInteger",
    "negativeInteger",
    "long",
    "int",
    "short",
    "byte",
    "unsignedLong",
    "unsignedInt",
    "unsignedShort",
    "unsignedByte",
    "dateTime",
    "dateTimeStamp",
    "date",
    "time",
    "duration",
    "yearMonthDuration",
    "dayTimeDuration",
    "gYear",
    "gYearMonth",
    "gMonth",
    "gMonthDay",
    "gDay",
    "hexBinary",
    "base64Binary",
    "language",
    "anyURI",
    "token",
];

#[test]
fn queries_know_the_forms_of_datatypes_as_the_engine_does() {
    let mut shapes = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <http://example.org/> .\n\
                      @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
        .to_owned();
    let mut data = shapes.clone();
    for datatype in DATATYPES {
        shapes += &format!(
            "ex:S-{datatype} a sh:NodeShape ; sh:targetObjectsOf ex:{datatype} ; sh:datatype xsd:{datatype} .\n"
        );
        for form in FORMS {
            data += &format!("ex:a ex:{datatype} \"{form}\"^^xsd:{datatype} .\n");
        }
    }
    let [shapes, data] = [shapes, data].map(|text| {
        let mut builder = DocumentBuilder::new();
        let options = ReadOptions { format: RdfFormat::Turtle, base: None };
        rdf::read("own.ttl", text.as_bytes(), options, &mut builder).expect("it is Turtle");
        Dataset::from_documents(vec![NamedDocument { graph: "urn:own".to_owned(), builder }])
    });
    let shapes = Shapes::compile(&shapes, &ShapesOptions::default()).expect("the shapes are in order");
    let agreement = agreement(&shapes, &data);
    assert_eq!((agreement.complaints, agreement.remarks), (Vec::new(), Vec::new()));
    assert!(agreement.found > 1_000, "{} results are few", agreement.found);
}
