//! The suites of SHACL: the W3C's of SHACL 1.0, a selection of that of 1.2, and shapes of others. Reports are compared as graphs.

use crate::beside::suites;
use evalgraph::Loader;
use evalgraph::rdf::canonicalization::{CanonicalizationOptions, canonicalize};
use evalgraph::rdf::in_graph::InGraph;
use evalgraph::rdf::minted::SHAPES_GRAPH;
use evalgraph::rdf::sink::QuadSink;
use evalgraph::rdf::{self, QuadBuffer, RdfFormat, ReadOptions};
use evalgraph::shacl::{ResultPath, Severity, Shapes, ShapesOptions, ValidationOptions, ValidationReport};
use evalgraph::store::{Dataset, DocumentBuilder, NamedDocument};
use oxrdf::{Graph, NamedNode, NamedNodeRef, NamedOrBlankNodeRef, Term, TermRef, Triple};
use oxttl::TurtleParser;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Output;

const SH: &str = "http://www.w3.org/ns/shacl#";
const MF: &str = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#";
const SHT: &str = "http://www.w3.org/ns/shacl-test#";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

/// A test of a manifest.
pub(super) struct Test {
    /// The path of its file below the folder of the suite, without the extension.
    pub(super) id: String,
    pub(super) data: PathBuf,
    pub(super) shapes: PathBuf,
    /// The report that is expected; none where the shapes have to be refused.
    report: Option<Graph>,
    disallows: Vec<NamedNode>,
}

fn iri(namespace: &str, name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{namespace}{name}"))
}

fn base_of(path: &Path) -> String {
    format!("file://{}", path.canonicalize().expect("the file is there").display())
}

fn read_graph(path: &Path) -> Graph {
    let text = std::fs::read(path).expect("the file can be read");
    let parser = TurtleParser::new().with_base_iri(base_of(path)).expect("the base is an IRI");
    parser.for_slice(&text).map(|triple| triple.expect("the file is Turtle")).collect()
}

fn object<'g>(
    graph: &'g Graph,
    subject: NamedOrBlankNodeRef<'_>,
    predicate: &NamedNode,
) -> Option<TermRef<'g>> {
    graph.object_for_subject_predicate(subject, predicate)
}

fn path_of(term: TermRef<'_>) -> PathBuf {
    let TermRef::NamedNode(node) = term else { panic!("{term} is no file") };
    PathBuf::from(node.as_str().strip_prefix("file://").expect("the file is beside the manifest"))
}

/// The tests of a manifest and of those that it includes.
fn tests(folder: &Path, manifest: &Path, found: &mut Vec<Test>) {
    let graph = read_graph(manifest);
    let base = base_of(manifest);
    let root = NamedNodeRef::new_unchecked(&base);
    let include = iri(MF, "include");
    let mut included: Vec<PathBuf> =
        graph.objects_for_subject_predicate(root, &include).map(path_of).collect();
    included.sort();
    for other in included {
        tests(folder, &other, found);
    }
    let kind = iri(SHT, "Validate");
    for node in graph.subjects_for_predicate_object(&iri(RDF, "type"), &kind) {
        let action = object(&graph, node, &iri(MF, "action")).expect("a test has an action");
        let action = match action {
            TermRef::BlankNode(action) => NamedOrBlankNodeRef::from(action),
            other => panic!("{other} is no action"),
        };
        let file =
            |name: &str| path_of(object(&graph, action, &iri(SHT, name)).expect("an action has its graphs"));
        let result = object(&graph, node, &iri(MF, "result")).expect("a test has a result");
        let (report, disallows) = match result {
            TermRef::BlankNode(report) => {
                let report = NamedOrBlankNodeRef::from(report);
                let disallows = iri(SH, "conformanceDisallows");
                let severities = graph.objects_for_subject_predicate(report, &disallows);
                let severities = severities.filter_map(|term| match term {
                    TermRef::NamedNode(node) => Some(node.into_owned()),
                    _ => None,
                });
                (Some(reduced(&graph, report)), severities.collect())
            }
            _ => (None, Vec::new()),
        };
        let path =
            manifest.strip_prefix(folder.canonicalize().expect("the suite is there")).unwrap_or(manifest);
        found.push(Test {
            id: path.with_extension("").display().to_string(),
            data: file("dataGraph"),
            shapes: file("shapesGraph"),
            report,
            disallows,
        });
    }
}

/// A report without what suites do not compare: details, and messages (see [`without_messages`]). Paths come whole.
fn reduced(graph: &Graph, report: NamedOrBlankNodeRef<'_>) -> Graph {
    let mut reduced = Graph::new();
    for triple in graph.triples_for_subject(report) {
        reduced.insert(triple);
        let TermRef::BlankNode(result) = triple.object else { continue };
        for triple in graph.triples_for_subject(result) {
            if triple.predicate == iri(SH, "detail").as_ref() {
                continue;
            }
            reduced.insert(triple);
            if triple.predicate == iri(SH, "resultPath").as_ref() {
                copy_whole(graph, triple.object, &mut reduced);
            }
        }
    }
    reduced
}

fn copy_whole(graph: &Graph, term: TermRef<'_>, into: &mut Graph) {
    let TermRef::BlankNode(node) = term else { return };
    for triple in graph.triples_for_subject(node) {
        into.insert(triple);
        copy_whole(graph, triple.object, into);
    }
}

/// Leaves only the messages that a test expects: all or none.
fn without_messages(graph: &Graph) -> Graph {
    let message = iri(SH, "resultMessage");
    graph.iter().filter(|triple| triple.predicate != message.as_ref()).map(Triple::from).collect()
}

fn has_messages(graph: &Graph) -> bool {
    graph.triples_for_predicate(&iri(SH, "resultMessage")).next().is_some()
}

fn canonical(graph: &Graph) -> String {
    let text: String = graph.iter().map(|triple| format!("{triple} .\n")).collect();
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::NTriples, base: None };
    rdf::read("report.nt", text.as_bytes(), options, &mut quads).expect("triples are N-Triples");
    let canonical =
        canonicalize(&quads, CanonicalizationOptions::default()).expect("a report can be canonicalized");
    let mut text = Vec::new();
    canonical.write(&mut text).expect("memory takes it");
    String::from_utf8(text).expect("the text is UTF-8")
}

pub(super) fn read_into<S: QuadSink>(path: &Path, sink: &mut S) {
    let bytes = std::fs::read(path).expect("the file can be read");
    let base = base_of(path);
    let options = ReadOptions { format: RdfFormat::Turtle, base: Some(&base) };
    rdf::read("data.ttl", &bytes, options, sink).expect("the file is Turtle");
}

pub(super) fn dataset(builders: Vec<DocumentBuilder>) -> Dataset {
    let named = |(place, builder)| NamedDocument { graph: format!("urn:document:{place}"), builder };
    Dataset::from_documents(builders.into_iter().enumerate().map(named).collect())
}

fn report_graph(quads: &QuadBuffer) -> Graph {
    let mut text = Vec::new();
    rdf::write::write(quads, RdfFormat::NTriples, &mut text).expect("memory takes it");
    let text = String::from_utf8(text).expect("the text is UTF-8");
    let graph: Graph = TurtleParser::new()
        .for_slice(text.as_bytes())
        .map(|triple| triple.expect("N-Triples are Turtle"))
        .collect();
    let class = iri(SH, "ValidationReport");
    let report = graph.subject_for_predicate_object(&iri(RDF, "type"), &class).expect("there is a report");
    reduced(&graph, report)
}

/// The report of a test, in process.
fn validate(test: &Test) -> Result<Graph, String> {
    let mut builder = DocumentBuilder::new();
    read_into(&test.shapes, &mut builder);
    let shapes = dataset(vec![builder]);
    let options = ShapesOptions { plain: true, graph_name: Some(NamedNode::new_unchecked(SHAPES_GRAPH)) };
    let shapes = Shapes::compile(&shapes, &options).map_err(|faults| {
        faults.iter().map(|fault| fault.diagnostic.to_string()).collect::<Vec<_>>().join("; ")
    })?;
    let (mut data, mut beside) = (DocumentBuilder::new(), DocumentBuilder::new());
    read_into(&test.data, &mut data);
    read_into(&test.shapes, &mut InGraph::new(&mut beside, SHAPES_GRAPH));
    let data = dataset(vec![data, beside]);
    let disallows = test.disallows.iter().map(|node| Severity::from_iri(node.as_str())).collect::<Vec<_>>();
    let options = ValidationOptions {
        conformance_disallows: (!disallows.is_empty()).then_some(disallows),
        ..ValidationOptions::default()
    };
    let report = shapes.validate(&data, &options).map_err(|error| error.to_string())?;
    let mut quads = QuadBuffer::new();
    report.to_quads(&mut quads);
    Ok(report_graph(&quads))
}

fn judge(test: &Test, answer: Result<Graph, String>) -> Result<(), String> {
    let (expected, report) = match (&test.report, answer) {
        (None, Err(_)) => return Ok(()),
        (None, Ok(_)) => return Err("it should be refused".to_owned()),
        (Some(_), Err(error)) => return Err(error),
        (Some(expected), Ok(report)) => (expected, report),
    };
    let report = if has_messages(expected) { report } else { without_messages(&report) };
    let (expected, report) = (canonical(expected), canonical(&report));
    if expected == report { Ok(()) } else { Err(format!("\n{report}expected\n{expected}")) }
}

fn run(what: &str, tests: &[Test], recorded: usize, answer: impl Fn(&Test) -> Result<Graph, String>) {
    assert!(tests.len() >= recorded, "{} tests are there, {recorded} are recorded", tests.len());
    let complaint = |test: &Test| Some(format!("{}: {}", test.id, judge(test, answer(test)).err()?));
    let complaints: Vec<String> = tests.iter().filter_map(complaint).collect();
    let passed = tests.len() - complaints.len();
    let _ = writeln!(std::io::stderr(), "{what}: {passed} of {} passed", tests.len());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

pub(super) fn suite(manifests: &[&str]) -> Vec<Test> {
    let mut found = Vec::new();
    for manifest in manifests {
        let path = suites().join(manifest);
        tests(path.parent().expect("a manifest is in a folder"), &path, &mut found);
    }
    found
}

/// The output of the program for a test.
fn output_of_program(test: &Test, format: &str) -> Result<Output, String> {
    let mut program = crate::program::program();
    program.arg("validate").arg(&test.data).arg("--shapes").arg(&test.shapes);
    program.args(["--base", &base_of(&test.data), "--plain", "--format", format, "--allow-unmatched"]);
    // Shapes of the suite import the vocabulary of a vendor, of which they use nothing.
    let nothing = tempfile::Builder::new().suffix(".ttl").tempfile().map_err(|error| error.to_string())?;
    program.arg("--map").arg(format!("http://datashapes.org/dash={}", nothing.path().display()));
    let output = program.output().map_err(|error| error.to_string())?;
    match output.status.code() {
        Some(0 | 1) => Ok(output),
        _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// The report of a test, by the program.
fn validate_by_program(test: &Test) -> Result<Graph, String> {
    let output = output_of_program(test, "ttl")?;
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::Turtle, base: None };
    rdf::read("report.ttl", &output.stdout, options, &mut quads).map_err(|faults| format!("{faults:?}"))?;
    let report = report_graph(&quads);
    let conforms = report.iter().any(|triple| triple.to_string().contains("shacl#conforms> \"true\""));
    match output.status.code() == Some(i32::from(!conforms)) {
        true => Ok(report),
        false => Err(format!("the exit status is {:?}", output.status.code())),
    }
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn each_result_of_the_suites_has_its_line() {
    let manifests = ["data-shapes/core/manifest.ttl", "data-shapes/sparql/manifest.ttl"];
    let (mut seen, mut complaints) = (0, Vec::new());
    for test in suite(&manifests) {
        // Some shapes have to be refused.
        let Ok(output) = output_of_program(&test, "jsonl") else { continue };
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            seen += 1;
            let result: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
            if result["file"].is_null() || result["line"].is_null() || result["column"].is_null() {
                complaints.push(format!("{}: {line}", test.id));
            }
        }
    }
    assert!(seen > 200, "{seen} results");
    assert!(complaints.is_empty(), "{} of {seen}:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn validates_through_the_binary_as_both_suites_expect() {
    let manifests = [
        "data-shapes/core/manifest.ttl",
        "data-shapes/sparql/manifest.ttl",
        "data-shapes/sparql/component/nodeValidator-001.ttl",
    ];
    run("`evalgraph validate --shapes`", &suite(&manifests), 121, validate_by_program);
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn validates_as_the_core_suite_expects() {
    run("SHACL Core", &suite(&["data-shapes/core/manifest.ttl"]), 98, validate);
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn validates_as_the_sparql_suite_expects() {
    // No manifest names the second file.
    let manifests = ["data-shapes/sparql/manifest.ttl", "data-shapes/sparql/component/nodeValidator-001.ttl"];
    run("SHACL-SPARQL", &suite(&manifests), 23, validate);
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn validates_as_the_selection_of_1_2_expects() {
    run("SHACL 1.2", &suite(&["shacl12-selected/tests/manifest.ttl"]), 40, validate);
}

/// A line of the table of expected results: source shape, component, path, severity, and focus nodes.
type Row = (String, String, String, String, Vec<String>);

/// The rows of a table without its header, by the name of the case.
fn table(name: &str) -> Vec<Vec<String>> {
    let path = suites().join("shacl-outside").join(name);
    let text = std::fs::read_to_string(path).expect("the table can be read");
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn rows(report: &ValidationReport<'_, '_>) -> Vec<Row> {
    let mut rows: BTreeMap<(String, String, String, String), Vec<String>> = BTreeMap::new();
    for result in report.results() {
        let shape = match (result.source_shape(), result.parent_shape()) {
            (Term::BlankNode(_), Some(parent)) => format!("{parent}/sh:property"),
            (shape, _) => shape.to_string(),
        };
        let path = match result.path() {
            None => "-".to_owned(),
            Some(ResultPath::OfShape(path)) => path.to_string(),
            Some(ResultPath::Predicate(predicate)) => predicate.to_string(),
        };
        let short = |iri: &str| iri.replacen(SH, "sh:", 1);
        let component = short(result.source_constraint_component().to_string().trim_matches(['<', '>']));
        let focus = match result.focus_node() {
            Term::BlankNode(_) => "_:".to_owned(),
            node => node.to_string(),
        };
        rows.entry((shape, component, path, short(&result.severity().iri()))).or_default().push(focus);
    }
    rows.into_iter()
        .map(|((shape, component, path, severity), mut nodes)| {
            nodes.sort();
            (shape, component, path, severity, nodes)
        })
        .collect()
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn finds_what_other_engines_find_with_the_shapes_of_others() {
    let folder = suites().join("shacl-outside");
    let expected = table("expected.tsv");
    let cases = table("cases.tsv");
    assert!(cases.len() >= 52, "{} cases are there", cases.len());
    let mut complaints = Vec::new();
    for case in &cases {
        let load = |files: &str| {
            let files = files.split(',').map(|file| folder.join(file).display().to_string());
            Loader::new().plain().load(files).expect("the files can be loaded")
        };
        let loaded = load(&case[1]);
        let options = ShapesOptions { plain: true, ..ShapesOptions::default() };
        let shapes = Shapes::compile(loaded.dataset(), &options).expect("the shapes are in order");
        let data = load(&case[2]);
        let report =
            shapes.validate(data.dataset(), &ValidationOptions::default()).expect("it can be validated");
        let found = rows(&report);
        let mut wanted: Vec<Row> = expected
            .iter()
            .filter(|row| row[0] == case[0])
            .map(|row| {
                let mut nodes: Vec<String> = row[6].split(' ').map(str::to_owned).collect();
                nodes.sort();
                (row[1].clone(), row[2].clone(), row[3].clone(), row[4].clone(), nodes)
            })
            .collect();
        wanted.sort();
        if found != wanted || report.conforms() != (case[3] == "true") {
            complaints.push(format!("{}:\n{found:#?}\nexpected\n{wanted:#?}", case[0]));
        }
    }
    let _ = writeln!(
        std::io::stderr(),
        "shapes of others: {} of {} as expected",
        cases.len() - complaints.len(),
        cases.len()
    );
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
