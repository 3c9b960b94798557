//! `shapes`: the built-in shapes, copies of them, and shapes as queries.

use std::fs;
use std::path::Path;

use evalgraph::shacl::BUILT_IN;
use serde_json::Value;

use crate::cli::input::run;

const PREFIXES: &str = "\
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <http://example.org/> .
@prefix s: <https://schema.org/> .
";

/// Runs `shapes sparql` over shapes; returns the exit status, stdout and stderr.
fn sparql(shapes: &str, arguments: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("own.ttl"), format!("{PREFIXES}{shapes}")).expect("the folder is ours");
    run(folder.path(), &[&["shapes", "sparql", "own.ttl"], arguments].concat())
}

fn objects(stdout: &str) -> Vec<Value> {
    let value: Value = serde_json::from_str(stdout).expect("it is JSON");
    value.as_array().expect("it is a list").clone()
}

#[test]
fn all_built_in_shapes_are_listed() {
    let (status, stdout, _) = run(Path::new("."), &["shapes", "list", "--format", "json"]);
    assert_eq!(status, 0);
    let listed = objects(&stdout);
    let names: Vec<&str> = listed.iter().filter_map(|shapes| shapes["name"].as_str()).collect();
    assert_eq!(names, BUILT_IN.map(|shapes| shapes.name));
    assert!(listed.iter().all(|shapes| shapes["shapes"].as_u64() > Some(20)), "{stdout}");
    let (_, table, _) = run(Path::new("."), &["shapes", "list"]);
    assert_eq!(table.lines().count(), BUILT_IN.len(), "{table}");
    assert!(BUILT_IN.iter().all(|shapes| table.contains(shapes.title)), "{table}");
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    let (status, stdout, stderr) = run(Path::new("."), &["shapes", "show", "karenina-spek"]);
    let expected = "error[shacl::unknown-shapes]: there are no built-in shapes `karenina-spek`\n \
                    = help: did you mean `karenina-spec`?\n";
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (2, "", expected));
}

#[test]
fn a_copy_of_built_in_shapes_finds_what_they_find() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/shapes");
    for built_in in BUILT_IN {
        let name = built_in.name;
        let (status, _, stderr) = run(folder.path(), &["shapes", "show", name, "-o", "copy.ttl"]);
        assert_eq!(status, 0, "{stderr}");
        let copy = fs::read_to_string(folder.path().join("copy.ttl")).expect("it was written");
        assert_eq!(copy, built_in.text);
        let entries = fs::read_dir(fixtures.join(name)).expect("there are fixtures");
        let data = entries.map(|entry| entry.expect("it can be read").path().display().to_string());
        let data: Vec<String> = data.collect();
        let reports = [name, "copy.ttl"].map(|shapes| {
            let mut arguments = vec!["validate", "--shapes", shapes, "--format", "jsonl"];
            arguments.extend(data.iter().map(String::as_str));
            let (status, stdout, stderr) = run(folder.path(), &arguments);
            assert_eq!(status, 1, "{stderr}");
            stdout
        });
        let [by_name, by_copy] = reports.map(|report| report.replace("copy.ttl", name));
        assert!(by_name.lines().count() > 10, "{name}: {by_name}");
        assert!(by_name == by_copy, "the copy of {name} finds something else");
    }
}

#[test]
fn a_query_has_comments_and_its_text_in_json() {
    let shapes = "ex:S a sh:NodeShape ; sh:targetClass s:Question ; sh:property ex:P .\n\
                  ex:P sh:path s:text ; sh:maxCount 1 ; sh:severity sh:Warning ; sh:message \"one text\" .";
    let (status, stdout, _) = sparql(shapes, &[]);
    let expected = "\
# shape: http://example.org/P
# path: https://schema.org/text
# component: sh:MaxCountConstraintComponent
# severity: sh:Warning
# message: one text
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX s: <http://schema.org/>

SELECT DISTINCT ?this WHERE {
  ?this a/rdfs:subClassOf* s:Question .
  FILTER EXISTS {
    SELECT ?this WHERE {
      ?this s:text ?value .
    }
    GROUP BY ?this HAVING (COUNT(DISTINCT COALESCE(?value)) >= 2)
  }
}
";
    assert_eq!((status, stdout.as_str()), (0, expected));
    let (status, stdout, _) =
        sparql(shapes, &["--format", "json", "--plain", "--shape", "http://example.org/S"]);
    assert_eq!(status, 0);
    let [made] = objects(&stdout).try_into().expect("there is one query");
    assert_eq!(made["component"], "http://www.w3.org/ns/shacl#MaxCountConstraintComponent");
    assert_eq!(made["messages"][0], "one text");
    assert_eq!(made["severity"], "http://www.w3.org/ns/shacl#Warning");
    let query = made["query"].as_str().expect("it is a text");
    assert!(
        query.contains("<https://schema.org/Question>") && !query.contains("http://schema.org/"),
        "{query}"
    );
    let (status, _, stderr) = sparql(shapes, &["--shape", "http://example.org/T"]);
    assert!(status == 2 && stderr.contains("shacl::unknown-shape]"), "{stderr}");
}

#[test]
fn no_text_of_shapes_becomes_a_part_of_a_query() {
    let message = r"x\nSELECT * { ?a ?b ?c }\r\u2028\u0085y";
    let shapes = format!(
        "ex:S a sh:NodeShape ; sh:targetNode ex:a ; sh:message \"{message}\" ;\n\
             sh:in ( \"quote \\\" }} \\\\ \\n\" 'x'@en ) ; sh:pattern \"^\\\"[.]\\\\.$\" ; sh:flags \"i\" ."
    );
    let (status, stdout, _) = sparql(&shapes, &[]);
    assert_eq!(status, 0);
    for query in stdout.split("\n\n#") {
        let query = if query.starts_with('#') { query.to_owned() } else { format!("#{query}") };
        spargebra::SparqlParser::new().parse_query(&query).unwrap_or_else(|error| panic!("{error}: {query}"));
        assert_eq!(query.matches("SELECT").count(), 2, "one in the comment: {query}");
    }
}

#[test]
fn each_query_has_a_file_in_a_folder() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (status, _, stderr) = run(folder.path(), &["shapes", "sparql", "train", "-o", "queries/"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let (_, stdout, _) = run(folder.path(), &["shapes", "sparql", "train", "--format", "json"]);
    let mut queries: Vec<String> =
        objects(&stdout).iter().map(|made| made["query"].as_str().expect("it has one").to_owned()).collect();
    let entries = fs::read_dir(folder.path().join("queries")).expect("it was made");
    let mut written: Vec<String> = entries
        .map(|entry| {
            let path = entry.expect("it can be read").path();
            assert_eq!(path.extension().and_then(|end| end.to_str()), Some("rq"));
            let text = fs::read_to_string(path).expect("it can be read");
            text.split_inclusive('\n').filter(|line| !line.starts_with('#')).collect()
        })
        .collect();
    queries.sort();
    written.sort();
    assert_eq!(written, queries);
    assert!(folder.path().join("queries/T-4-MinCount.rq").is_file());
}

#[test]
fn what_sparql_cannot_say_is_told_and_counted() {
    let shapes = "ex:S a sh:NodeShape ; sh:targetClass ex:Person ; sh:nodeKind sh:IRI ; sh:property ex:P .\n\
                  ex:P sh:path ex:knows ; sh:node ex:S .";
    let (status, stdout, stderr) = sparql(shapes, &["--format", "json"]);
    assert_eq!(status, 1, "{stderr}");
    let made = objects(&stdout);
    let unsaid: Vec<&Value> = made.iter().filter(|made| made["query"].is_null()).collect();
    assert_eq!((made.len(), unsaid.len()), (2, 1), "{stdout}");
    let reason = unsaid[0]["remarks"][0].as_str().expect("it has a reason");
    assert!(reason.ends_with("`http://example.org/S` refers to itself, directly or indirectly"), "{reason}");
    assert!(stderr.starts_with(&format!("warning[shacl::no-query]: {reason}\n")), "{stderr}");
    assert!(stderr.ends_with("note[shacl::queries]: 1 of 2 constraints have a query\n"), "{stderr}");
    assert_eq!(sparql(shapes, &["--strict"]).0, 2);

    let endless = "ex:S a sh:NodeShape ; sh:targetClass ex:Person ; sh:property ex:P .\n\
                   ex:P sh:path ex:knows ; sh:nodeKind sh:IRI ; sh:property ex:P .";
    let (status, _, stderr) = sparql(endless, &[]);
    assert!(status == 1 && stderr.contains("the shape is a property of itself"), "{stderr}");

    let dated = "ex:S a sh:NodeShape ; sh:targetNode ex:a ;\n\
                 sh:minInclusive \"2020-01-01\"^^<http://www.w3.org/2001/XMLSchema#date> .";
    let (status, stdout, stderr) = sparql(dated, &[]);
    assert_eq!(status, 0);
    assert!(
        stderr.starts_with("warning[shacl::inexact-query]") && stdout.contains("\n# remark: "),
        "{stderr}"
    );
}

#[test]
fn shapes_that_would_fill_memory_or_stack_are_left_out() {
    // Each level refers to the next twice, which would double the query at each.
    let level = |at: u32| format!("ex:S{at} sh:or ( ex:S{0} [ sh:not ex:S{0} ] ) .\n", at + 1);
    let wide: String = (0..40).map(level).collect();
    let deep: String = (0..500).map(|at| format!("ex:S{at} sh:not ex:S{} .\n", at + 1)).collect();
    for (levels, reason) in [(wide, "more than 1000 shapes"), (deep, "more than 50 times")] {
        let shapes = format!("ex:S0 a sh:NodeShape ; sh:targetNode ex:a .\n{levels}");
        let (status, stdout, stderr) = sparql(&shapes, &[]);
        assert!(status == 1 && stderr.contains(reason), "{stderr}");
        assert!(!stdout.contains("SELECT"), "{stdout}");
    }
    // A list of many values is not a deep expression.
    let many: String = (0..20_000).map(|number| format!("{number} ")).collect();
    let (status, stdout, _) =
        sparql(&format!("ex:S a sh:NodeShape ; sh:targetNode ex:a ; sh:in ( {many}) ."), &[]);
    assert_eq!((status, stdout.matches("sameTerm(").count()), (0, 20_000));
}
