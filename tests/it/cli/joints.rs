//! Where parts meet: the same file goes through every command that takes its kind, and values have the same meaning
//! everywhere.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::cli::input::run;

fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it lies in the folder")).expect("the folder is ours");
        fs::write(path, text).expect("the folder is ours");
    }
    folder
}

/// Runs a command that is to succeed; stdout.
#[track_caller]
fn ok(path: &Path, arguments: &[&str]) -> String {
    let (status, stdout, stderr) = run(path, arguments);
    assert_eq!(status, 0, "{arguments:?}: {stdout}{stderr}");
    stdout
}

/// Each tool of JSON-LD detects each format of RDF, and finds the same triple in it.
#[test]
fn every_tool_takes_every_format() {
    let folder = folder_with(&[("a.ttl", "@prefix e: <http://e/> .\ne:a e:p e:b .\n")]);
    let path = folder.path();
    let mut files = vec!["a.ttl".to_owned()];
    for format in ["nt", "nq", "trig", "rdfxml", "jsonld"] {
        let file = format!("b.{format}");
        ok(path, &["convert", "a.ttl", "--to", format, "-o", &file]);
        files.push(file);
    }
    for tool in ["expand", "flatten", "from-rdf", "to-rdf", "canon"] {
        let of_turtle = ok(path, &[tool, "a.ttl"]);
        assert!(of_turtle.contains("http://e/b"), "{tool}: {of_turtle}");
        for file in &files {
            assert_eq!(ok(path, &[tool, file]), of_turtle, "{tool} {file}");
        }
    }
}

/// Whatever a conversion to quads says, loading says as well: the items of a file with relative ids are there.
#[test]
fn relative_ids_are_kept_by_conversions_and_by_loading() {
    let text = r#"{"@context": {"@vocab": "http://schema.org/"}, "@id": "x", "@type": "Dataset",
        "hasPart": [{"@id": "i1", "@type": "DataFeedItem"}, {"@id": "i2", "@type": "DataFeedItem"}]}"#;
    let folder = folder_with(&[("a.jsonld", text)]);
    let path = folder.path();
    let quads = ok(path, &["convert", "a.jsonld", "--to", "nq"]);
    fs::write(path.join("b.nq"), &quads).expect("the folder is ours");
    let query = "SELECT ?s ?p ?o { ?s ?p ?o } ORDER BY ?s ?p ?o";
    assert_eq!(ok(path, &["query", "b.nq", "-q", query]), ok(path, &["query", "a.jsonld", "-q", query]));
    assert_eq!(quads.lines().count(), 5, "{quads}");
}

/// Values that a boolean is written as have one meaning in every query and figure.
#[test]
fn a_question_is_finished_under_every_spelling_of_true() {
    let spellings = [
        ("true", true),
        ("\"true\"", true),
        ("\"True\"", true),
        ("1", true),
        ("\"1\"", true),
        ("false", false),
        ("\"false\"", false),
        ("0", false),
        ("\"False\"", false),
    ];
    for (value, is_finished) in spellings {
        let source = fs::read_to_string("fixtures/karenina/p1-physics.jsonld").expect("the fixture is there");
        let mut checkpoint: Value = serde_json::from_str(&source).expect("it is JSON");
        let item = &mut checkpoint["dataFeedElement"][0];
        let properties =
            item["item"]["additionalProperty"].as_array_mut().expect("a question has properties");
        properties.retain(|property| property["name"] != "finished");
        let finished = format!(r#"{{"@type": "PropertyValue", "name": "finished", "value": {value}}}"#);
        properties.push(serde_json::from_str(&finished).expect("it is JSON"));
        let text = item["item"]["text"].as_str().expect("a question has a text").to_owned();
        let folder = folder_with(&[("a.jsonld", &checkpoint.to_string())]);
        let path = folder.path();
        let unfinished = ok(path, &["query", "a.jsonld", "-n", "unfinished", "--format", "json"]);
        let is_listed = unfinished.contains(&serde_json::to_string(&text).expect("it is a text"));
        assert_eq!(is_listed, !is_finished, "{value}: {unfinished}");
    }
}

#[test]
fn imports_of_well_known_vocabularies_are_noted_and_others_are_wanted() {
    let shapes = |import: &str, constraint: &str| {
        format!(
            "@prefix sh: <http://www.w3.org/ns/shacl#> .\n@prefix dash: <http://datashapes.org/dash#> .\n\
             <urn:s> <http://www.w3.org/2002/07/owl#imports> <{import}> .\n\
             [] a sh:NodeShape ; sh:targetSubjectsOf <http://e/p> ;\n  sh:property [ sh:path <http://e/p> ; {constraint} ] .\n"
        )
    };
    let folder = folder_with(&[("a.ttl", "<http://e/a> <http://e/p> <http://e/b> .\n")]);
    let validated = |import: &str, constraint: &str| {
        fs::write(folder.path().join("s.ttl"), shapes(import, constraint)).expect("the folder is ours");
        run(folder.path(), &["validate", "a.ttl", "--shapes", "s.ttl"])
    };
    for import in [
        "http://datashapes.org/dash",
        "http://www.w3.org/ns/shacl#",
        "http://www.w3.org/2000/01/rdf-schema#",
        "http://www.w3.org/2002/07/owl",
    ] {
        let (status, _, stderr) = validated(import, "sh:minCount 1");
        assert!(status == 0 && stderr.contains("note[shacl::import]"), "{import}: {stderr}");
    }
    // A shape needs what the vocabulary says.
    assert_eq!(validated("http://datashapes.org/dash", "dash:singleLine true").0, 2);
    assert_eq!(validated("http://e/core", "sh:minCount 1").0, 2);
}

#[test]
fn a_pattern_that_is_given_twice_makes_a_shape_ill_formed() {
    let shapes = "@prefix sh: <http://www.w3.org/ns/shacl#> .\n[] a sh:NodeShape ; sh:targetSubjectsOf <http://e/p> ;\n\
                  sh:property [ sh:path <http://e/p> ; sh:pattern \"^[0-9]$\" ; sh:pattern \"^1\" ] .\n";
    let folder = folder_with(&[("a.ttl", "<http://e/a> <http://e/p> \"1\" .\n"), ("s.ttl", shapes)]);
    let (status, _, stderr) = run(folder.path(), &["validate", "a.ttl", "--shapes", "s.ttl"]);
    assert!(status == 2 && stderr.contains("s.ttl:"), "{stderr}");
}

#[test]
fn an_empty_pattern_of_a_frame_takes_any_json() {
    let context = r#"{"@vocab": "http://e/", "info": {"@type": "@json"}}"#;
    let document = format!(r#"{{"@context": {context}, "@type": "L", "info": {{"a": [1, {{"b": null}}]}}}}"#);
    let frame = format!(r#"{{"@context": {context}, "@type": "L", "info": {{}}}}"#);
    let folder = folder_with(&[("in.jsonld", &document), ("f.jsonld", &frame)]);
    let framed = ok(folder.path(), &["frame", "in.jsonld", "--frame", "f.jsonld"]);
    let framed: Value = serde_json::from_str(&framed).expect("it is JSON");
    assert_eq!(framed["info"].to_string(), r#"{"a":[1,{"b":null}]}"#);
}

/// Names that look alike are told apart by their namespaces, and members by their names.
#[test]
fn what_looks_like_a_known_name_is_shown_with_its_namespace() {
    let croissant = r#"{"@context": {"@vocab": "https://schema.org/", "cr": "http://mlcommons.org/croissant/"},
        "@type": "Dataset", "name": "N", "distribution": [{"@type": "cr:FileObject", "name": "f"},
        {"@type": "https://mlcommons.org/croissant/1.0/FileSet", "name": "g"}]}"#;
    let offer = r#"{"@context": {"@vocab": "https://schema.org/"}, "@type": "Offer",
        "availability": "https://schema.org/InStok"}"#;
    let folder = folder_with(&[("a.jsonld", croissant), ("b.jsonld", offer)]);
    let (_, stdout, _) = run(folder.path(), &["check", "a.jsonld", "--format", "jsonl"]);
    let shown = ["https://mlcommons.org/croissant/1.0/FileSet", "http://mlcommons.org/croissant/FileSet"];
    assert!(shown.iter().all(|iri| stdout.contains(iri)), "{stdout}");
    let (_, stdout, _) = run(folder.path(), &["check", "b.jsonld"]);
    assert!(stdout.contains("is not a member of `ItemAvailability`"), "{stdout}");
}

/// JSON of no known format ends a run where it is named, and is left alone where a folder has it beside others.
#[test]
fn json_of_no_known_format_is_never_read_in_silence() {
    let rows = r#"[{"id": 1, "question": "Why?", "answer": "So", "contexts": []}]"#;
    let other = r#"{"settings": {"seed": 1}, "runs": [{"score": 1}]}"#;
    let folder = folder_with(&[
        ("d/rows.json", rows),
        ("d/more/config.json", other),
        ("alone/config.json", other),
        ("others/a.json", other),
        ("others/b.json", other),
    ]);
    let path = folder.path();
    ok(path, &["init"]);
    let count = "SELECT (COUNT(?q) AS ?n) { ?q a s:Question }";
    for command in [&["query", "-q", count][..], &["stats"], &["convert", "--to", "nq"], &["load"]] {
        for input in ["d/more/config.json", "alone", "others", "others/*.json"] {
            let (status, _, stderr) = run(path, &[&[command[0], input][..], &command[1..]].concat());
            assert!(status == 2 && stderr.contains("error[input::unknown]"), "{command:?} {input}: {stderr}");
        }
        let (status, stdout, stderr) = run(path, &[&[command[0], "d"][..], &command[1..]].concat());
        assert!(status < 2 && stderr.contains("warning[input::unknown]"), "{command:?}: {stdout}{stderr}");
    }
}

/// A checkpoint that is not recognised is held to the rules that are named, which say what it lacks.
#[test]
fn rules_that_are_named_are_said_of_any_json() {
    let folder = folder_with(&[("a.json", r#"{"name": "x", "version": "1"}"#)]);
    for profile in ["karenina-spec", "karenina", "karenina-gui"] {
        let (status, stdout, stderr) = run(folder.path(), &["validate", "a.json", "--profile", profile]);
        assert!(status == 1 && stderr.contains("warning[input::unknown]"), "{profile}: {stdout}{stderr}");
    }
    assert_eq!(run(folder.path(), &["validate", "a.json"]).0, 2);
    assert_eq!(run(folder.path(), &["validate", "a.json", "--profile", "seed"]).0, 2);
}

/// A conversion to rows takes the documents of the contexts along, and two of one name are not mixed up.
#[test]
fn the_corpus_goes_with_the_rows() {
    let rows = |context: &str| {
        format!(
            r#"[{{"id": 1, "question": "Why {context}?", "answer": "So", "is_impossible": false,
               "contexts": [{{"filename": "a.md", "text": "{context}"}}]}}]"#
        )
    };
    let files = [
        ("one/train.json", rows("first")),
        ("one/corpus/a.md", "the first document".to_owned()),
        ("two/train.json", rows("second")),
        ("two/corpus/a.md", "the second document".to_owned()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = folder_with(&files);
    let path = folder.path();
    ok(path, &["convert", "one", "--to", "train", "-o", "out/"]);
    let copied = fs::read_to_string(path.join("out/corpus/a.md")).expect("the document went along");
    assert_eq!(copied, "the first document");
    let (status, _, stderr) = run(path, &["convert", "one", "two", "--to", "train", "-o", "both/"]);
    assert!(status == 2 && stderr.contains("error[convert::corpus]"), "{stderr}");
    assert!(!path.join("both/corpus").exists(), "nothing is written");
}
