//! `schema` and its examples: what is in the data, counted as a query counts it.

use std::path::Path;

use serde_json::Value;

use super::input::run;

fn schema(form: &str) -> String {
    let (status, stdout, stderr) = run(
        Path::new("."),
        &["schema", "fixtures/karenina", "fixtures/rlcf/export.json", "--format", form, "--quiet"],
    );
    assert_eq!((status, stderr.as_str()), (0, ""));
    stdout
}

/// The one number that a query gives.
fn count(pattern: &str) -> u64 {
    let query = format!("SELECT (COUNT(DISTINCT ?node) AS ?count) {{ {pattern} }}");
    let arguments = [
        "query",
        "fixtures/karenina",
        "fixtures/rlcf/export.json",
        "-q",
        &query,
        "--format",
        "csv",
        "--quiet",
    ];
    let (status, stdout, stderr) = run(Path::new("."), &arguments);
    assert_eq!(status, 0, "{stderr}");
    stdout.lines().nth(1).expect("there is a row").trim().parse().expect("it is a number")
}

#[test]
fn the_counts_of_a_schema_are_those_of_queries() {
    let schema: Value = serde_json::from_str(&schema("json")).expect("it is JSON");
    let classes = schema["classes"].as_array().expect("there are classes");
    assert!(classes.len() > 8, "{classes:?}");
    for class in classes {
        let iri = class["iri"].as_str().expect("a class has an IRI");
        assert_eq!(class["nodes"], count(&format!("?node a <{iri}>")), "{iri}");
    }
    let question = "http://schema.org/Question";
    let of_question = classes.iter().find(|class| class["iri"] == question).expect("there are questions");
    for property in of_question["properties"].as_array().expect("questions have properties") {
        let iri = property["iri"].as_str().expect("a property has an IRI");
        let expected = count(&format!("?node a <{question}> ; <{iri}> ?value"));
        assert_eq!(property["nodes"], expected, "{iri}");
        for class in property["classes"].as_array().expect("a list of classes") {
            let class = class.as_str().expect("a class has an IRI");
            assert!(
                count(&format!("?node a <{question}> ; <{iri}> ?value . ?value a <{class}>")) > 0,
                "{iri} {class}"
            );
        }
    }
}

#[test]
fn a_schema_is_drawn_in_each_form() {
    let text = schema("text");
    assert!(text.contains("\ns:Question  "), "{text}");
    assert!(
        text.lines().any(|line| line.contains("s:acceptedAnswer") && line.contains("s:Answer")),
        "{text}"
    );
    let mermaid = schema("mermaid");
    assert!(mermaid.starts_with("classDiagram\n"), "{mermaid}");
    assert!(mermaid.contains(" : s-acceptedAnswer\n"), "{mermaid}");
    let dot = schema("dot");
    assert!(dot.starts_with("digraph schema {\n") && dot.ends_with("}\n"), "{dot}");
    assert!(dot.contains("[label=\"s:acceptedAnswer\"];"), "{dot}");
    let markdown = schema("markdown");
    assert!(markdown.contains("| s:acceptedAnswer |"), "{markdown}");
}

#[test]
fn names_from_the_data_do_not_draw() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = "<x:a> a <http://x/\"]}|>; <x:p\"|\\u007B> \"| <b> [x](y)\" .";
    std::fs::write(folder.path().join("a.ttl"), data.replace("\"]}|>", "%22]%7D|>")).expect("ours");
    let data = "<x:a> a <http://x/C(1)~> ; <x:p> \"| <b>x</b> `c` \\n\" .";
    std::fs::write(folder.path().join("a.ttl"), data).expect("ours");
    let drawn = |form: &str| {
        let (status, stdout, stderr) = run(folder.path(), &["schema", "a.ttl", "--format", form]);
        assert_eq!(status, 0, "{stderr}");
        stdout
    };
    assert!(drawn("markdown").contains("\\| &lt;b>x&lt;/b> \\`c\\`"), "{}", drawn("markdown"));
    assert!(drawn("mermaid").contains("C(1)_"), "{}", drawn("mermaid"));
    assert!(drawn("dot").contains("C(1)~"), "{}", drawn("dot"));
}

#[test]
fn the_same_seed_draws_the_same_nodes() {
    let sample = |arguments: &[&str]| {
        let all =
            [&["schema", "--examples", "fixtures/karenina", "--to", "nt", "--quiet"], arguments].concat();
        let (status, stdout, stderr) = run(Path::new("."), &all);
        assert_eq!((status, stderr.as_str()), (0, ""), "{arguments:?}");
        stdout
    };
    let questions = |text: &str| {
        let class = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://schema.org/Question>";
        text.lines().filter(|line| line.contains(class)).count()
    };
    let three = sample(&[]);
    assert_eq!(questions(&three), 3, "{three}");
    assert_eq!(three, sample(&["--seed", "42"]));
    assert_ne!(three, sample(&["--seed", "43"]));
    let all = sample(&["--count", "1000"]);
    assert_eq!(questions(&all) as u64, {
        let query = "SELECT (COUNT(DISTINCT ?q) AS ?n) { ?q a s:Question }";
        let arguments = ["query", "fixtures/karenina", "-q", query, "--format", "csv", "--quiet"];
        let (_, stdout, _) = run(Path::new("."), &arguments);
        stdout.lines().nth(1).expect("a row").trim().parse::<u64>().expect("a number")
    });
    let (status, stdout, stderr) =
        run(Path::new("."), &["schema", "--examples", "fixtures/karenina", "--class", "s:Nothing"]);
    assert_eq!((status, stdout.as_str()), (1, ""));
    assert!(stderr.contains("note[schema::no-examples]"), "{stderr}");
}
