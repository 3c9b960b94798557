//! The shapes of the program: each fixture that breaks a rule is found by the shape that is meant, and by no other.

use evalgraph::shacl::{BUILT_IN, ResultPath, ValidationOptions, ValidationReport};
use evalgraph::{Loader, shacl::Shapes};
use oxrdf::Term;
use std::collections::BTreeMap;
use std::path::Path;

/// A result: shape, focus node, path, component.
type Row = [String; 4];

fn fixtures() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/shapes")
}

fn rows(report: &ValidationReport<'_, '_>) -> Vec<Row> {
    let bare = |term: &Term| term.to_string().trim_matches(['<', '>']).to_owned();
    let row = |result: evalgraph::shacl::ValidationResult<'_, '_, '_>| {
        let focus = match result.focus_node() {
            Term::BlankNode(_) => "_:".to_owned(),
            node => node.to_string(),
        };
        let path = match result.path() {
            None => String::new(),
            Some(ResultPath::OfShape(path)) => path.to_string(),
            Some(ResultPath::Predicate(predicate)) => predicate.to_string(),
        };
        let component =
            bare(&result.source_constraint_component()).replace("http://www.w3.org/ns/shacl#", "sh:");
        [bare(result.source_shape()), focus, path, component]
    };
    let mut rows: Vec<Row> = report.results().map(row).collect();
    rows.sort();
    rows
}

/// The rows of the table by fixture.
fn expected() -> BTreeMap<String, Vec<Row>> {
    let table = std::fs::read_to_string(fixtures().join("expected.tsv")).expect("the table can be read");
    let mut expected: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [fixture, _, shape, focus, path, component] = cells.as_slice() else {
            panic!("{line} has not six cells")
        };
        expected
            .entry((*fixture).to_owned())
            .or_default()
            .push([*shape, *focus, *path, *component].map(str::to_owned));
    }
    expected.values_mut().for_each(|rows| rows.sort());
    expected
}

#[test]
fn programs_choose_what_is_held_against_which_shapes() {
    let loader = Loader::new();
    let shapes = loader.shapes(["karenina-spec"]).expect("the shapes are in order");
    let loaded = loader.load(["fixtures/karenina/s0-cell-biology.jsonld"]).expect("it can be loaded");
    let all = loaded.validate(&shapes, &ValidationOptions::default()).expect("it can be validated");
    let result = all.results().next().expect("the fixture has results");
    let Term::NamedNode(node) = result.focus_node() else { panic!("it has a name") };
    let options = ValidationOptions { focus_nodes: vec![node.clone()], ..ValidationOptions::default() };
    let some = loaded.validate(&shapes, &options).expect("it can be validated");
    let of_node = rows(&all).into_iter().filter(|row| row[1] == node.to_string()).collect::<Vec<_>>();
    assert!(rows(&some) == of_node && of_node.len() < all.results().len(), "{:#?}", rows(&some));
    let options = ValidationOptions { graphs: vec!["nowhere".to_owned()], ..ValidationOptions::default() };
    let error = loaded.validate(&shapes, &options).expect_err("there is no such graph");
    assert!(error.findings().any(|finding| finding.code == "shacl::unknown-graph"), "{error}");
}

#[test]
fn each_fixture_breaks_the_rule_that_it_is_named_after() {
    let expected = expected();
    let mut complaints = Vec::new();
    let mut seen = 0;
    for built_in in BUILT_IN {
        let shapes: Shapes = Loader::new().shapes([built_in.name]).expect("the shapes are in order");
        let options = ValidationOptions::default();
        let folder = fixtures().join(built_in.name);
        let entries = std::fs::read_dir(&folder).expect("there are fixtures of each shapes graph");
        for entry in entries {
            let path = entry.expect("the folder can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let fixture = format!("{}/{name}", built_in.name);
            let data = Loader::new().load([path.display().to_string()]).expect("a fixture can be loaded");
            let report = shapes.validate(data.dataset(), &options).expect("it can be validated");
            let (found, wanted) = (rows(&report), expected.get(&fixture).cloned().unwrap_or_default());
            seen += 1;
            if found != wanted {
                complaints.push(format!("{fixture}:\n{found:#?}\nexpected\n{wanted:#?}"));
            }
            assert!(name.starts_with("good") || !wanted.is_empty(), "{fixture} breaks a rule");
        }
    }
    assert!(seen > expected.len(), "{seen} fixtures are there");
    assert!(complaints.is_empty(), "{} of {seen}: {}", complaints.len(), complaints.join("\n"));
}
