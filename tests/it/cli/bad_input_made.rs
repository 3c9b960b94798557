//! Bad and extreme JSON-LD that the tests make: too deep, too long, too many terms.

use crate::cli::input::run;
use std::fmt::Write as _;

/// Writes a file and runs `evalgraph COMMAND FILE ARGUMENTS…`.
fn answer(command: &str, text: &str, arguments: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("made.jsonld"), text).expect("the folder is ours");
    let arguments: Vec<&str> =
        [command, "made.jsonld"].into_iter().chain(arguments.iter().copied()).collect();
    run(folder.path(), &arguments)
}

fn nested(open: &str, inner: &str, close: &str, levels: usize) -> String {
    format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
}

#[test]
fn a_hundred_thousand_levels_are_refused_with_the_place_of_the_first_too_many() {
    for command in ["expand", "to-rdf", "stats"] {
        let (exit, stdout, stderr) = answer(command, &nested("[", "", "]", 100_000), &[]);
        assert_eq!((exit, stdout.as_str()), (2, ""), "{command}");
        assert!(stderr.starts_with("made.jsonld:1:513: error[json::depth]"), "{stderr}");
        assert!(stderr.lines().count() <= 15, "{stderr}");
    }
}

#[test]
fn no_depth_that_may_be_asked_for_overflows_the_stack() {
    let property = "http://example.org/p";
    let forms = [
        ("[", "", "]"),
        (r#"{"http://example.org/p":"#, "1", "}"),
        (r#"{"http://example.org/p":{"@list":["#, "1", "]}}"),
        (r#"{"@graph":["#, "1", "]}"),
        (r#"{"@reverse":{"http://example.org/p":"#, "{}", "}}"),
        (r#"{"@included":["#, "{}", "]}"),
        (r#"{"@nest":"#, "{}", "}"),
        (r#"{"@set":["#, "1", "]}"),
    ];
    for (open, inner, close) in forms {
        let text = nested(open, inner, close, 100_000);
        let (exit, _, stderr) = answer("to-rdf", &text, &["--max-depth", "1000000"]);
        assert!([0, 2].contains(&exit), "{open}: exit {exit}: {}", &stderr[..stderr.len().min(2000)]);
    }
    for context in [
        nested("[", "", "]", 50_000),
        format!("{{\"t\":{}}}", nested("{\"@id\":\"ex:t\",\"@context\":{\"t\":", "null", "}}", 50_000)),
    ] {
        let text = format!("{{\"@context\":{context},\"{property}\":1}}");
        let (exit, _, stderr) = answer("to-rdf", &text, &["--max-depth", "1000000"]);
        assert!([0, 2].contains(&exit), "exit {exit}: {}", &stderr[..stderr.len().min(2000)]);
    }
    let literal = nested("[", "", "]", 100_000);
    let text = format!("{{\"{property}\":{{\"@type\":\"@json\",\"@value\":{literal}}}}}");
    let (exit, _, stderr) = answer("to-rdf", &text, &["--max-depth", "1000000"]);
    assert!([0, 2].contains(&exit), "exit {exit}: {}", &stderr[..stderr.len().min(2000)]);
}

#[test]
fn a_string_of_ten_megabytes_works() {
    let long = "0123456789".repeat(1 << 20);
    let text = format!(r#"{{"@id":"http://example.org/s","http://example.org/p":"{long}"}}"#);
    let (exit, stdout, stderr) = answer("to-rdf", &text, &[]);
    assert_eq!((exit, stderr.as_str()), (0, ""));
    assert_eq!(stdout, format!("<http://example.org/s> <http://example.org/p> \"{long}\" .\n"));
}

#[test]
fn a_context_of_two_hundred_thousand_terms_works() {
    let mut text = r#"{"@context":{"#.to_owned();
    for number in 0..200_000 {
        let _ = write!(text, r#""t{number}":{{"@id":"http://example.org/t{number}"}},"#);
    }
    text.push_str(r#""ex":"http://example.org/"},"@id":"ex:s","t0":1,"t199999":2}"#);
    let (exit, stdout, stderr) = answer("to-rdf", &text, &[]);
    assert_eq!((exit, stderr.as_str()), (0, ""));
    assert_eq!(stdout.lines().count(), 2);
}

#[test]
fn terms_that_lean_on_each_other_in_a_chain_work_or_are_refused() {
    let mut text = r#"{"@context":{"#.to_owned();
    for number in 0..100_000 {
        let _ = write!(text, r#""t{number}":"t{}:x","#, number + 1);
    }
    text.push_str(r#""t100000":"http://example.org/"},"t0":1}"#);
    let (exit, _, stderr) = answer("to-rdf", &text, &[]);
    assert!([0, 2].contains(&exit), "exit {exit}: {}", &stderr[..stderr.len().min(2000)]);
}

#[test]
fn contexts_that_include_each_other_end_with_the_chain() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("the folder is ours");
    };
    write("a.jsonld", r#"{"@context": "b.jsonld"}"#);
    write("b.jsonld", r#"{"@context": "c.jsonld"}"#);
    write("c.jsonld", r#"{"@context": "b.jsonld"}"#);
    let (exit, stdout, stderr) = run(folder.path(), &["to-rdf", "a.jsonld"]);
    assert_eq!((exit, stdout.as_str()), (2, ""));
    let codes = ["recursive context inclusion", "context overflow"];
    assert!(codes.iter().any(|code| stderr.contains(code)), "{stderr}");
    assert!(stderr.contains("b.jsonld") && stderr.contains("c.jsonld"), "{stderr}");
}
