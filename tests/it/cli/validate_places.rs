//! The places of results of `validate --shapes`: every result whose node or value stands in a file has file, line and
//! column, in files, in a store, and in a store that was changed.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use evalgraph::Loader;
use evalgraph::diagnostic::validation::RuleResult;
use evalgraph::shacl::ValidationOptions;
use serde_json::Value;

use crate::fixture_files::{OF_SHAPES, root};
use crate::share::one_of;

/// The built-in shapes, each with a folder of fixtures.
const BUILT_IN: [&str; 6] = ["common", "karenina", "karenina-spec", "kwanzaa", "rlcf", "train"];

const SHAPES: &str = "\
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <http://example.org/> .
ex:Age a sh:NodeShape ; sh:targetSubjectsOf ex:age ; sh:property [ sh:path ex:age ; sh:maxInclusive 3 ] .
ex:Known a sh:NodeShape ; sh:targetNode ex:ada ; sh:property
    [ sh:path ( ex:knows [ sh:zeroOrMorePath ex:knows ] ex:age ) ; sh:maxExclusive 6 ] ,
    [ sh:path [ sh:inversePath ex:knows ] ; sh:nodeKind sh:Literal ] .
ex:Named a sh:NodeShape ; sh:targetNode
    ex:nobody , \"nothing\" ; sh:property [ sh:path ex:age ; sh:minCount 1 ] .
";

const DATA: &str = "\
@prefix ex: <http://example.org/> .
ex:ada ex:knows [
        ex:age 5 ;
        ex:knows [
            ex:age 6 ] ] ,
    [ ex:age 7 ] .
ex:mary ex:knows ex:ada .
";

fn program(folder: &Path) -> Command {
    let mut program = Command::new(crate::program::PATH);
    program.current_dir(folder);
    program
}

/// The results of `validate` as JSON Lines.
fn results(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let mut program = program(folder);
    let output =
        program.arg("validate").args(arguments).args(["--format", "jsonl"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("it is text");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// Shape, value, file and line of each result, in order.
fn places(results: &[Value]) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").replace("http://example.org/", "");
    let row = |result: &Value| {
        let (shape, value, file) = (&result["sourceShape"], &result["value"], &result["file"]);
        let shape = text(shape).split(' ').next().unwrap_or_default().to_owned();
        format!("{shape} {} {}:{}", text(value), text(file), result["line"])
    };
    let mut rows: Vec<String> = results.iter().map(row).collect();
    rows.sort();
    rows
}

/// A folder with shapes and data.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("shapes.ttl"), SHAPES).expect("there is room");
    fs::write(folder.path().join("data.ttl"), DATA).expect("there is room");
    folder
}

const INTEGER: &str = "^^<http://www.w3.org/2001/XMLSchema#integer>";

#[test]
fn paths_lead_to_the_line_of_the_value() {
    let folder = folder();
    let found = places(&results(folder.path(), &["data.ttl", "--shapes", "shapes.ttl"]));
    let wanted = [
        format!("Age \"5\"{INTEGER} data.ttl:3"),
        format!("Age \"6\"{INTEGER} data.ttl:5"),
        format!("Age \"7\"{INTEGER} data.ttl:6"),
        format!("Known \"6\"{INTEGER} data.ttl:5"),
        format!("Known \"7\"{INTEGER} data.ttl:6"),
        "Known mary data.ttl:7".to_owned(),
        // Only the shapes speak of these.
        "Named - shapes.ttl:8".to_owned(),
        "Named - shapes.ttl:8".to_owned(),
    ];
    assert_eq!(found, wanted);
}

#[test]
fn a_store_has_the_places_of_its_files() {
    let folder = folder();
    let of_files = places(&results(folder.path(), &["data.ttl", "--shapes", "shapes.ttl"]));
    program(folder.path()).arg("init").assert().success();
    program(folder.path()).args(["load", "data.ttl"]).assert().success();
    assert_eq!(places(&results(folder.path(), &["--shapes", "shapes.ttl"])), of_files);
    // A graph that was changed is read as it would be written now.
    let update = "PREFIX ex: <http://example.org/> INSERT { GRAPH ?g { ?x ex:age 9 } } WHERE { GRAPH ?g { ?x ex:age 6 } }";
    program(folder.path()).args(["update", "-q", update]).assert().success();
    let found = results(folder.path(), &["--shapes", "shapes.ttl"]);
    let ages: Vec<&Value> = found.iter().filter(|result| result["file"] == "data.nq").collect();
    assert_eq!(ages.len(), 8, "{found:?}");
    assert!(ages.iter().all(|result| result["line"].as_u64() > Some(0)), "{ages:?}");
}

#[test]
fn a_store_says_which_of_its_texts_is_too_large_for_lines() {
    let folder = folder();
    let long = format!("{DATA}# {}", "and so on ".repeat(200));
    fs::write(folder.path().join("data.ttl"), long).expect("there is room");
    program(folder.path()).arg("init").assert().success();
    program(folder.path()).args(["load", "data.ttl"]).assert().success();
    let arguments = ["--shapes", "shapes.ttl", "--max-size", "2KB"];
    let found = results(folder.path(), &arguments);
    let has_line = |result: &&Value| result["file"] == "data.ttl" && !result["line"].is_null();
    assert_eq!(found.iter().find(has_line), None);
    let told = program(folder.path()).arg("validate").args(arguments).assert().code(1);
    let told = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
    assert!(told.contains("data.ttl: note[validate::no-line]") && told.contains("--max-size"), "{told}");
}

#[test]
fn a_store_of_checkpoints_has_the_places_of_its_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let names =
        ["K-S8.jsonld", "K-X1.ttl", "K-X11-created.jsonld", "K-S7-worst.jsonld", "K-S12-class.jsonld"];
    for name in names {
        let path = root().join(OF_SHAPES).join("karenina-spec").join(name);
        fs::copy(path, folder.path().join(name)).expect("there is room");
    }
    let shapes = ["--shapes", "karenina-spec"];
    let of_files = places(&results(folder.path(), &[&names[..], &shapes].concat()));
    assert!(of_files.len() > 4 && !of_files.iter().any(|row| row.ends_with(":null")), "{of_files:?}");
    program(folder.path()).arg("init").assert().success();
    program(folder.path()).arg("load").args(names).assert().success();
    assert_eq!(places(&results(folder.path(), &shapes)), of_files);
}

#[test]
fn a_changed_checkpoint_has_the_lines_that_it_would_have() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("checkpoint.jsonld");
    fs::copy(root().join("karenina/m-history.jsonld"), &file).expect("there is room");
    let shapes = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix s: <http://schema.org/> . \
        [] a sh:NodeShape ; sh:targetClass s:Question ; sh:property [ sh:path s:text ; sh:maxLength 60 ] .";
    fs::write(folder.path().join("shapes.ttl"), shapes).expect("there is room");
    program(folder.path()).arg("init").assert().success();
    program(folder.path()).args(["load", "checkpoint.jsonld"]).assert().success();
    let update = "PREFIX s: <http://schema.org/> DELETE { GRAPH ?g { ?q s:text ?t } } \
        INSERT { GRAPH ?g { ?q s:text ?long } } WHERE { GRAPH ?g { ?q a s:Question ; s:text ?t } \
        BIND(CONCAT(?t, ' This makes the question longer than sixty characters.') AS ?long) }";
    program(folder.path()).args(["update", "-q", update]).assert().success();
    let written = program(folder.path()).args(["convert", "--to", "same"]).output().expect("it runs");
    let written = String::from_utf8(written.stdout).expect("it is text");
    let lines: Vec<&str> = written.lines().collect();
    let found = results(folder.path(), &["--shapes", "shapes.ttl"]);
    assert_eq!(found.len(), 4, "{found:?}");
    for result in &found {
        let line =
            result["line"].as_u64().and_then(|line| usize::try_from(line).ok()).expect("it has a line");
        let value = result["value"].as_str().expect("it has a value");
        assert!(result["file"] == "checkpoint.jsonld" && lines[line - 1].contains(value), "{result}");
    }
}

#[test]
fn a_graph_inside_a_document_is_of_its_file() {
    let folder = folder();
    let data = "@prefix ex: <http://example.org/> . ex:g {\nex:tom ex:age 4 . }\n_:g {\nex:tim ex:age 5 }";
    fs::write(folder.path().join("data.trig"), data).expect("there is room");
    for inputs in [&["data.trig"][..], &["data.trig", "data.ttl"]] {
        let found = results(folder.path(), &[inputs, &["--shapes", "shapes.ttl"]].concat());
        let found = places(&found);
        assert!(found.contains(&format!("Age \"4\"{INTEGER} data.trig:2")), "{found:?}");
    }
    program(folder.path()).arg("init").assert().success();
    program(folder.path()).args(["load", "data.trig", "data.ttl"]).assert().success();
    let found = places(&results(folder.path(), &["--shapes", "shapes.ttl"]));
    assert!(found.contains(&format!("Age \"4\"{INTEGER} data.trig:2")), "{found:?}");
}

/// Calls a function for each result and each of its details.
fn each_result(result: &RuleResult, take: &mut impl FnMut(&RuleResult)) {
    take(result);
    result.details.results.iter().for_each(|detail| each_result(&detail.result, take));
}

#[test]
fn each_result_in_the_fixtures_has_its_line() {
    let (mut seen, mut whole, mut complaints) = (0, 0, Vec::new());
    for shapes in BUILT_IN {
        let folder = fs::read_dir(root().join(OF_SHAPES).join(shapes)).expect("the folder is there");
        let mut paths: Vec<_> = folder.map(|entry| entry.expect("the folder can be read").path()).collect();
        paths.sort();
        for path in paths.into_iter().step_by(one_of(3)) {
            let name = path.display().to_string();
            let checked = Loader::new()
                .validate_by_shapes([name.clone()], [shapes], &ValidationOptions::default())
                .expect("it can be validated");
            let mut take = |result: &RuleResult| {
                seen += 1;
                match &result.place {
                    Some(place) if !place.is_whole() => {}
                    // A file of the catalog, and a text of a corpus, which the rows do not name.
                    Some(_)
                        if result.focus.as_str().starts_with("urn:evalgraph:graph:")
                            || result.focus.as_str().contains(":file/") =>
                    {
                        whole += 1;
                    }
                    place => complaints.push(format!("{name}: {} {place:?}", result.rule)),
                }
            };
            checked.files[0].report.results.iter().for_each(|result| each_result(result, &mut take));
        }
    }
    assert!(seen * one_of(3) > 1000 && (whole > 0 || one_of(3) > 1), "{seen} results, {whole} of files");
    assert!(complaints.is_empty(), "{} of {seen}:\n{}", complaints.len(), complaints.join("\n"));
}
