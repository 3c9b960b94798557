//! JSON-LD on the command line, made from other RDF formats: compacted, flattened, framed.

use crate::cli::input::run;
use assert_cmd::Command;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

const TURTLE: &str = r#"
@prefix s: <http://schema.org/> .
<urn:q1> a s:Question ; s:name "One" ; s:acceptedAnswer <urn:a1> .
<urn:a1> a s:Answer ; s:text "Yes" .
<urn:q2> a s:Question ; s:name "Two" .
"#;

const CONTEXT: &str = r#"{"@context": {"@vocab": "http://schema.org/", "id": "@id", "type": "@type"}}"#;

const FRAME: &str = r#"{
  "@context": {"@vocab": "http://schema.org/", "id": "@id", "type": "@type"},
  "type": "Question",
  "acceptedAnswer": {}
}"#;

struct Files {
    folder: TempDir,
}

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test");
        for (name, text) in [("data.ttl", TURTLE), ("context.jsonld", CONTEXT), ("frame.jsonld", FRAME)] {
            fs::write(folder.path().join(name), text).expect("a file for the test");
        }
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What the program answers, as JSON; arguments with a dot are files of the folder.
    fn json(&self, arguments: &[&str]) -> Value {
        let mut program = Command::new(crate::program::PATH);
        for argument in arguments {
            match self.path(argument) {
                path if path.exists() => program.arg(path),
                _ => program.arg(argument),
            };
        }
        let output = program.assert().success();
        serde_json::from_slice(&output.get_output().stdout).expect("the answer is JSON")
    }
}

/// The nodes of a document, by id.
fn ids(document: &Value) -> Vec<&str> {
    let nodes = document["@graph"].as_array().expect("several nodes");
    let mut ids: Vec<&str> = nodes.iter().filter_map(|node| node["id"].as_str()).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn the_commands_of_the_api_take_other_formats() {
    let files = Files::new();
    let expanded = files.json(&["expand", "data.ttl"]);
    assert_eq!(expanded.as_array().map(Vec::len), Some(3));
    let compacted = files.json(&["compact", "data.ttl", "--context", "context.jsonld"]);
    assert_eq!(ids(&compacted), ["urn:a1", "urn:q1", "urn:q2"]);
    let flattened = files.json(&["flatten", "data.ttl", "--context", "context.jsonld"]);
    assert_eq!(ids(&flattened), ["urn:a1", "urn:q1", "urn:q2"]);
    let framed = files.json(&["frame", "data.ttl", "--frame", "frame.jsonld"]);
    assert_eq!(ids(&framed), ["urn:q1", "urn:q2"]);
}

#[test]
fn convert_gives_json_ld_a_shape() {
    let files = Files::new();
    let compacted = files.json(&["convert", "data.ttl", "--to", "jsonld", "--context", "context.jsonld"]);
    assert_eq!(ids(&compacted), ["urn:a1", "urn:q1", "urn:q2"]);
    let framed = files.json(&["convert", "data.ttl", "--to", "jsonld", "--frame", "frame.jsonld"]);
    let answer = json!({"id": "urn:a1", "type": "Answer", "text": "Yes"});
    assert_eq!(framed["@graph"][0]["acceptedAnswer"], answer);
}

#[test]
fn graphs_that_queries_make_get_a_shape() {
    let files = Files::new();
    let construct = "CONSTRUCT { ?q s:name ?name } { ?q a s:Question ; s:name ?name }";
    let made =
        files.json(&["query", "data.ttl", "-q", construct, "--to", "jsonld", "--context", "context.jsonld"]);
    assert_eq!(ids(&made), ["urn:q1", "urn:q2"]);
}

#[test]
fn a_shape_is_for_json_ld_alone() {
    let files = Files::new();
    let output = Command::new(crate::program::PATH)
        .args(["convert", "--to", "ttl", "--context"])
        .args([files.path("context.jsonld"), files.path("data.ttl")])
        .assert()
        .code(2);
    let stderr = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(stderr.contains("`--context` is for JSON-LD, but the output is"), "{stderr}");
}

/// No double holds them: in JSON they keep their digits, as numbers of RDF they are told.
#[test]
fn numbers_out_of_range_are_kept_or_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = r#"{"@context": {"@vocab": "http://example.org/"},
        "json": {"@value": [1e400, -1E+400, 1e-400, 0e-400, 10.0], "@type": "@json"}, "large": 1e400, "small": 1e-400}"#;
    fs::write(folder.path().join("n.jsonld"), text).expect("the folder is ours");
    let (status, stdout, stderr) = run(folder.path(), &["to-rdf", "n.jsonld", "-v"]);
    assert_eq!(status, 0, "{stderr}");
    let xsd = "http://www.w3.org/2001/XMLSchema#";
    let json = "\"[1e400,-1E+400,1e-400,0,10]\"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON>";
    for expected in [
        format!("<http://example.org/json> {json} ."),
        format!("<http://example.org/large> \"INF\"^^<{xsd}double> ."),
        format!("<http://example.org/small> \"0\"^^<{xsd}integer> ."),
    ] {
        assert!(stdout.contains(&expected), "{expected}: {stdout}");
    }
    let told: Vec<&str> = stderr.lines().filter(|line| line.contains("warning[")).collect();
    let of = |place: &str, number: &str| {
        format!(
            "n.jsonld:2:{place}: warning[number out of range]: `{number}` does not fit into a double: it becomes infinite \
             or 0"
        )
    };
    assert_eq!(told, [of("96", "1e400"), of("112", "1e-400")], "{stderr}");
    let (status, _, _) = run(folder.path(), &["to-rdf", "n.jsonld", "--strict"]);
    assert_eq!(status, 2);
}

/// Triples have no room for them: the language of a node, a language of nothing, the direction of a text.
#[test]
fn languages_and_directions_without_a_place_in_rdf_are_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = r#"{"@context": {"@vocab": "http://example.org/"}, "@id": "http://example.org/x",
        "@language": "de", "@direction": "ltr",
        "empty": {"@language": "fr"},
        "text": [{"@value": "v", "@language": "ar", "@direction": "rtl"}, {"@value": "w", "@direction": "rtl"}]}"#;
    fs::write(folder.path().join("n.jsonld"), text).expect("the folder is ours");
    let told = |arguments: &[&str]| {
        let (status, stdout, stderr) = run(folder.path(), &[arguments, &["-v"]].concat());
        assert_eq!(status, 0, "{stderr}");
        let warnings = stderr.lines().filter(|line| line.contains("warning["));
        let mut places: Vec<String> =
            warnings.filter_map(|line| Some(line.split_once("]: ")?.0.to_owned())).collect();
        places.sort();
        (places, stdout)
    };
    let tags = [
        "2:22: warning[tag without value",
        "2:42: warning[tag without value",
        "3:32: warning[tag without value",
    ]
    .map(|place| format!("n.jsonld:{place}"));
    let directions = ["4:29: warning[dropped direction", "4:86: warning[dropped direction"]
        .map(|place| format!("n.jsonld:{place}"));
    let (places, stdout) = told(&["convert", "n.jsonld", "--to", "nq"]);
    assert_eq!(places, [tags.as_slice(), &directions].concat());
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
    assert_eq!(told(&["to-rdf", "n.jsonld", "--rdf-direction", "i18n-datatype"]).0, tags);
    // Expansion keeps the tags of a node, and says what it does not keep.
    assert_eq!(told(&["expand", "n.jsonld"]).0, tags[2..]);
}

#[test]
fn what_stands_free_in_a_graph_is_kept_or_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = r#"{"@context": {"in": {"@id": "urn:in", "@container": "@graph"}}, "@id": "urn:x",
        "in": [{"@list": [{"@id": "urn:a", "urn:p": "v"}, {"@list": [{"@id": "urn:b", "urn:p": "w"}]}, "lost"]}, "gone"]}"#;
    fs::write(folder.path().join("n.jsonld"), text).expect("the folder is ours");
    let (status, stdout, stderr) = run(folder.path(), &["to-rdf", "n.jsonld"]);
    assert_eq!(status, 0, "{stderr}");
    // Node Map Generation 4.2: the nodes of a list that nothing points to are nodes of the graph.
    for triple in ["<urn:a> <urn:p> \"v\"", "<urn:b> <urn:p> \"w\""] {
        assert!(stdout.contains(triple), "{stdout}");
    }
    for value in ["lost", "gone"] {
        assert!(stderr.contains(&format!("no property points to the value `{value}`")), "{stderr}");
    }
}

#[test]
fn a_base_counts_beside_a_context_from_elsewhere() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    // Context Processing 5.7: only the base of a context that comes from elsewhere itself does not count.
    fs::write(
        path.join("remote.jsonld"),
        r#"{"@context": {"@base": "http://elsewhere.example/", "n": "http://e/n"}}"#,
    )
    .expect("the folder is ours");
    let document = r#"{"@context": ["remote.jsonld", "http://schema.org/", {"@base": "http://example.com/"}], "@id": "x", "n": "y"}"#;
    fs::write(path.join("document.jsonld"), document).expect("the folder is ours");
    let (status, stdout, stderr) = run(path, &["to-rdf", "document.jsonld"]);
    assert_eq!((status, stdout.as_str()), (0, "<http://example.com/x> <http://e/n> \"y\" .\n"), "{stderr}");
}
