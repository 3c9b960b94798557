//! The suites of SHACL through the program, and shapes of others through the library. Reports are compared as graphs.

use crate::beside::suites;
use evalgraph::Loader;
use evalgraph::rdf::{self, QuadBuffer, RdfFormat, ReadOptions};
use evalgraph::shacl::{ResultPath, Shapes, ShapesOptions, ValidationOptions, ValidationReport};
use evalgraph_suites::shacl::{SH, ShaclTest, base_of, report_graph, run, suite};
use oxrdf::{Graph, Term};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Output;

/// The output of the program for a test.
fn output_of_program(test: &ShaclTest, format: &str) -> Result<Output, String> {
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
fn validate_by_program(test: &ShaclTest) -> Result<Graph, String> {
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
