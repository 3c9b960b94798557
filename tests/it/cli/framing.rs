//! `evalgraph flatten` and `evalgraph frame`: stdin, flags, and how a bad frame is answered.

use assert_cmd::Command;
use serde_json::{Value, json};

const DOCUMENT: &str = r#"{"@id": "ex:a", "@type": "ex:A", "ex:p": {"@id": "ex:b", "ex:name": "B"}}"#;

fn evalgraph(arguments: &[&str], stdin: &str) -> std::process::Output {
    let mut program = Command::new(crate::program::PATH);
    program.args(arguments).write_stdin(stdin.to_owned()).output().expect("the program starts")
}

fn json(output: &std::process::Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("data on stdout is JSON")
}

#[test]
fn flatten_reads_stdin_and_compacts_with_a_context() {
    let flattened = json(&evalgraph(&["flatten", "-"], DOCUMENT));
    let wanted = json!([
        {"@id": "ex:a", "@type": ["ex:A"], "ex:p": [{"@id": "ex:b"}]},
        {"@id": "ex:b", "ex:name": [{"@value": "B"}]},
    ]);
    assert_eq!(flattened, wanted);
    let folder = tempfile::tempdir().expect("a folder");
    let context = folder.path().join("context.jsonld");
    std::fs::write(&context, r#"{"@context": {"name": "ex:name"}}"#).expect("a file can be written");
    let context = context.to_str().expect("the path is text");
    let compacted = json(&evalgraph(&["flatten", "-", "--context", context], DOCUMENT));
    assert_eq!(compacted["@graph"][1], json!({"@id": "ex:b", "name": "B"}));
}

#[test]
fn frame_takes_its_options_as_flags() {
    let folder = tempfile::tempdir().expect("a folder");
    let frame = folder.path().join("frame.jsonld");
    std::fs::write(&frame, r#"{"@type": "ex:A", "ex:q": {}}"#).expect("a file can be written");
    let frame = frame.to_str().expect("the path is text");
    let framed = |flags: &[&str]| {
        let arguments: Vec<&str> = ["frame", "-", "--frame", frame].iter().chain(flags).copied().collect();
        json(&evalgraph(&arguments, DOCUMENT))
    };
    let embedded = json!({"@id": "ex:b", "ex:name": "B"});
    assert_eq!(framed(&[]), json!({"@id": "ex:a", "@type": "ex:A", "ex:p": embedded, "ex:q": null}));
    assert_eq!(
        framed(&["--embed", "never", "--omit-default", "true"]),
        json!({"@id": "ex:a", "@type": "ex:A", "ex:p": {"@id": "ex:b"}})
    );
    assert_eq!(
        framed(&["--explicit", "true", "--omit-graph", "false"]),
        json!({"@graph": [{"@id": "ex:a", "@type": "ex:A", "ex:q": null}]})
    );
    assert_eq!(framed(&["--require-all", "true"]), json!({}));
}

#[test]
fn a_bad_frame_is_answered_with_its_code_its_place_and_exit_2() {
    let folder = tempfile::tempdir().expect("a folder");
    for (text, code, place) in [
        ("[1]", "invalid frame", "frame.jsonld:1:2"),
        ("{\n  \"@embed\": \"@maybe\"\n}", "invalid @embed value", "frame.jsonld:2:13"),
    ] {
        let frame = folder.path().join("frame.jsonld");
        std::fs::write(&frame, text).expect("a file can be written");
        let output = evalgraph(&["frame", "-", "--frame", frame.to_str().expect("text")], DOCUMENT);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(output.stdout.is_empty(), "nothing but a result belongs on stdout");
        assert!(stderr.contains(&format!("error[{code}]")) && stderr.contains(place), "{stderr}");
    }
}
