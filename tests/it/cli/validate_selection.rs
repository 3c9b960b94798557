//! `validate --shapes` over chosen graphs, nodes and shapes.

use std::fs;

use tempfile::TempDir;

use crate::cli::input::run;

const SHAPES: &str = "\
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <http://example.org/> .
ex:Pet a sh:NodeShape ; sh:targetClass ex:Pet ; sh:property ex:name ; sh:sparql ex:twice .
ex:name sh:path ex:name ; sh:maxCount 1 .
ex:twice sh:message 'two names' ;
    sh:select 'SELECT $this { $this <http://example.org/name> ?a, ?b FILTER(?a < ?b) }' .
";

/// A folder with files of pets, of which two name the same one, a file with a named graph, and shapes.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let text = format!("@prefix ex: <http://example.org/> .\n{text}");
        fs::write(folder.path().join(name), text).expect("the folder is ours");
    };
    write("a.ttl", "ex:rex a ex:Pet ; ex:name 'Rex' .");
    write("b.ttl", "ex:rex\n  a ex:Pet ; ex:name 'King' .");
    for name in ["c.ttl", "d.ttl", "e.ttl"] {
        write(name, &format!("ex:{} a ex:Pet ; ex:name 'Tom' .", &name[..1]));
    }
    write("g.trig", "ex:g { ex:ida a ex:Pet ; ex:name 'Ida', 'Ada' . }");
    fs::write(folder.path().join("shapes.ttl"), SHAPES).expect("the folder is ours");
    folder
}

const INPUTS: &[&str] = &["a.ttl", "b.ttl", "c.ttl", "d.ttl", "e.ttl", "g.trig"];

/// Validates files, or the store where there are none; returns the status, the number of results and stderr.
fn validate(folder: &TempDir, inputs: &[&str], arguments: &[&str]) -> (i32, usize, String) {
    let command = [&["validate", "--shapes", "shapes.ttl", "--format", "jsonl"], inputs, arguments].concat();
    let (status, stdout, stderr) = run(folder.path(), &command);
    (status, stdout.lines().count(), stderr)
}

#[test]
fn chosen_graphs_are_the_data_graph() {
    let folder = folder();
    // Two names of one pet, and of another: each fails two shapes.
    assert_eq!(validate(&folder, INPUTS, &[]).1, 4);
    let graph = |name: &'static str| ["--graph", name];
    let of = |graphs: &[&str]| validate(&folder, INPUTS, graphs).1;
    assert_eq!(of(&graph("a")), 0);
    assert_eq!(of(&graph("urn:evalgraph:graph:b")), 0);
    assert_eq!(of(&[graph("a"), graph("b")].concat()), 2);
    assert_eq!(of(&[graph("a"), graph("c")].concat()), 0);
    assert_eq!(of(&graph("http://example.org/g")), 2);
}

#[test]
fn a_graph_of_the_store_is_chosen_in_the_same_way() {
    let folder = folder();
    for arguments in [&["init"][..], &[&["load"], INPUTS].concat()] {
        assert_eq!(run(folder.path(), arguments).0, 0);
    }
    assert_eq!(validate(&folder, &[], &[]).1, 4);
    assert_eq!(validate(&folder, &[], &["--graph", "a", "--graph", "b"]).1, 2);
    assert_eq!(validate(&folder, &[], &["--graph", "a"]).1, 0);
}

#[test]
fn an_unknown_graph_is_told_with_the_nearest() {
    let folder = folder();
    let (status, results, stderr) = validate(&folder, INPUTS, &["--graph", "http://example.org/h"]);
    assert_eq!((status, results), (2, 0));
    assert!(stderr.contains("shacl::unknown-graph"), "{stderr}");
    assert!(stderr.contains("did you mean `http://example.org/g`?"), "{stderr}");
}

#[test]
fn a_result_has_its_line_in_a_chosen_graph() {
    let folder = folder();
    let shapes = SHAPES.replace("sh:maxCount 1", "sh:hasValue 'Tom'");
    fs::write(folder.path().join("shapes.ttl"), shapes).expect("the folder is ours");
    let command = ["validate", "a.ttl", "b.ttl", "--shapes", "shapes.ttl", "--graph", "b"];
    let (_, stdout, _) = run(folder.path(), &command);
    assert!(stdout.contains("b.ttl:3:"), "{stdout}");
}

#[test]
fn a_result_has_its_line_in_a_named_graph() {
    let folder = folder();
    let more = "@prefix ex: <http://example.org/> .\nex:g { ex:leo a ex:Pet ;\n  ex:name 'Leo' ;\n ex:name 'Lea' . }";
    fs::write(folder.path().join("h.trig"), more).expect("the folder is ours");
    let command = ["validate", "g.trig", "h.trig", "--shapes", "shapes.ttl"];
    let (_, stdout, _) = run(folder.path(), &command);
    assert!(stdout.contains("g.trig:2:") && stdout.contains("h.trig:3:"), "{stdout}");
}

const FOCUS_ON_REX: &[&str] = &["--focus", "http://example.org/rex"];

#[test]
fn chosen_nodes_are_the_focus_nodes() {
    let folder = folder();
    let of = |arguments: &[&str]| validate(&folder, INPUTS, arguments);
    assert_eq!(of(FOCUS_ON_REX).1, 2);
    assert_eq!(of(&["--focus", "<http://example.org/ida>", "--focus", "http://example.org/rex"]).1, 4);
    let (status, results, stderr) = of(&["--focus", "http://example.org/c"]);
    assert_eq!((status, results, stderr.as_str()), (0, 0, ""));
}

#[test]
fn an_unknown_node_is_told_with_the_nearest() {
    let (status, results, stderr) = validate(&folder(), INPUTS, &["--focus", "http://example.org/rax"]);
    assert_eq!((status, results), (2, 0));
    assert!(stderr.contains("shacl::unknown-node"), "{stderr}");
    assert!(stderr.contains("did you mean `http://example.org/rex`?"), "{stderr}");
    let (status, _, stderr) = validate(&folder(), INPUTS, &["--focus", "rex"]);
    assert!(status == 2 && stderr.contains("sparql::parameter"), "{stderr}");
}

#[test]
fn a_node_that_no_shape_is_about_is_no_yes() {
    let (status, _, stderr) = validate(&folder(), INPUTS, &["--focus", "http://example.org/name"]);
    assert!(status == 1 && stderr.contains("shacl::unmatched"), "{stderr}");
    let allowed = ["--focus", "http://example.org/name", "--allow-unmatched"];
    assert_eq!(validate(&folder(), INPUTS, &allowed).0, 0);
}

#[test]
fn chosen_shapes_are_asked_alone() {
    let folder = folder();
    let more = "ex:Named a sh:NodeShape ; sh:targetSubjectsOf ex:name ; sh:property [ sh:path ex:name ; sh:maxLength 3 ] .";
    fs::write(folder.path().join("shapes.ttl"), format!("{SHAPES}{more}")).expect("the folder is ours");
    let of = |arguments: &[&str]| validate(&folder, INPUTS, arguments);
    assert_eq!(of(&[]).1, 5);
    assert_eq!(of(&["--shape", "http://example.org/Named"]).1, 1);
    assert_eq!(of(&["--shape", "http://example.org/Pet"]).1, 4);
    let (status, _, stderr) = of(&["--shape", "http://example.org/Named", "--allow-unmatched"]);
    assert!(status == 1 && !stderr.contains("shacl::unmatched"), "{stderr}");
    let (status, _, stderr) = of(&["--shape", "http://example.org/Nmaed"]);
    assert!(status == 2 && stderr.contains("did you mean `http://example.org/Named`?"), "{stderr}");
}

#[test]
fn a_shape_without_targets_is_held_against_chosen_nodes() {
    let folder = folder();
    let shape = ["--shape", "http://example.org/name"];
    let (status, results, stderr) = validate(&folder, INPUTS, &shape);
    assert_eq!((status, results), (1, 0));
    assert!(stderr.contains("1 of 1 shapes that are named"), "{stderr}");
    let (status, results, stderr) = validate(&folder, INPUTS, &[&shape[..], FOCUS_ON_REX].concat());
    assert_eq!((status, results, stderr.as_str()), (1, 1, ""));
}

#[test]
fn a_key_of_a_chosen_node_is_unique_among_all() {
    let folder = folder();
    let shapes = "@prefix sh: <http://www.w3.org/ns/shacl#> .\n@prefix ex: <http://example.org/> .\n\
                  ex:Pet a sh:NodeShape ; sh:targetClass ex:Pet ; sh:uniqueValuesFor ( ex:name ) .";
    fs::write(folder.path().join("shapes.ttl"), shapes).expect("the folder is ours");
    assert_eq!(validate(&folder, INPUTS, &["--focus", "http://example.org/c"]).1, 1);
    assert_eq!(validate(&folder, INPUTS, FOCUS_ON_REX).1, 0);
}
