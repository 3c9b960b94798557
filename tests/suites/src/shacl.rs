//! The suites of SHACL: the W3C's of SHACL 1.0, a selection of that of 1.2, and shapes of others. Reports are compared as graphs.

use crate::beside::suites;
use evalgraph_canonicalization::{CanonicalizationOptions, canonicalize};
use evalgraph_rdf::sink::QuadSink;
use evalgraph_rdf::{self as rdf, QuadBuffer, RdfFormat, ReadOptions};
use evalgraph_store::{Dataset, DocumentBuilder, NamedDocument};
use oxrdf::{Graph, NamedNode, NamedNodeRef, NamedOrBlankNodeRef, TermRef, Triple};
use oxttl::TurtleParser;
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub const SH: &str = "http://www.w3.org/ns/shacl#";
const MF: &str = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#";
const SHT: &str = "http://www.w3.org/ns/shacl-test#";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

/// A test of a manifest.
pub struct ShaclTest {
    /// The path of its file below the folder of the suite, without the extension.
    pub id: String,
    pub data: PathBuf,
    pub shapes: PathBuf,
    /// The report that is expected; none where the shapes have to be refused.
    report: Option<Graph>,
    pub disallows: Vec<NamedNode>,
}

fn iri(namespace: &str, name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{namespace}{name}"))
}

pub fn base_of(path: &Path) -> String {
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
    let TermRef::NamedNode(node) = term else { panic!("{term} is not a file") };
    PathBuf::from(node.as_str().strip_prefix("file://").expect("the file is beside the manifest"))
}

/// The tests of a manifest and of those that it includes.
fn tests(folder: &Path, manifest: &Path, found: &mut Vec<ShaclTest>) {
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
            other => panic!("{other} is not an action"),
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
        found.push(ShaclTest {
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

pub fn read_into<S: QuadSink>(path: &Path, sink: &mut S) {
    let bytes = std::fs::read(path).expect("the file can be read");
    let base = base_of(path);
    let options = ReadOptions { format: RdfFormat::Turtle, base: Some(&base) };
    rdf::read("data.ttl", &bytes, options, sink).expect("the file is Turtle");
}

pub fn dataset(builders: Vec<DocumentBuilder>) -> Dataset {
    let named = |(place, builder)| NamedDocument { graph: format!("urn:document:{place}"), builder };
    Dataset::from_documents(builders.into_iter().enumerate().map(named).collect())
}

pub fn report_graph(quads: &QuadBuffer) -> Graph {
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

pub fn judge(test: &ShaclTest, answer: Result<Graph, String>) -> Result<(), String> {
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

pub fn run(
    what: &str,
    tests: &[ShaclTest],
    recorded: usize,
    answer: impl Fn(&ShaclTest) -> Result<Graph, String>,
) {
    assert!(tests.len() >= recorded, "{} tests are there, {recorded} are recorded", tests.len());
    let complaint = |test: &ShaclTest| Some(format!("{}: {}", test.id, judge(test, answer(test)).err()?));
    let complaints: Vec<String> = tests.iter().filter_map(complaint).collect();
    let passed = tests.len() - complaints.len();
    let _ = writeln!(std::io::stderr(), "{what}: {passed} of {} passed", tests.len());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

pub fn suite(manifests: &[&str]) -> Vec<ShaclTest> {
    let mut found = Vec::new();
    for manifest in manifests {
        let path = suites().join(manifest);
        tests(path.parent().expect("a manifest is in a folder"), &path, &mut found);
    }
    found
}
