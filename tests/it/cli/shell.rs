//! The shell, as a script meets it.

use std::fs;
use std::path::Path;

use super::input::evalgraph;

/// What the shell says to lines on its stdin: its exit status, stdout and stderr.
fn said(inputs: &[&str], lines: &str) -> (Option<i32>, String, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = evalgraph(root).arg("shell").args(inputs).arg("--quiet").write_stdin(lines).output();
    let output = output.expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

const FILE: [&str; 1] = ["fixtures/karenina/g-ecology.jsonld"];

#[test]
fn words_without_a_dot_are_commands_and_names_of_queries() {
    let (status, stdout, stderr) = said(&FILE, "help\nkeywords\nexit\nASK {}\n");
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    assert!(stdout.starts_with(".help "), "{stdout}");
    assert!(stdout.contains("keyword") && !stdout.ends_with("true\n"), "{stdout}");
    let (status, _, stderr) = said(&FILE, "nonsense\n\n");
    assert_eq!(status, Some(2));
    assert!(stderr.contains("found `nonsense`"), "{stderr}");
}

#[test]
fn questions_are_answered_one_after_the_other() {
    let lines = "\
SELECT (COUNT(?q) AS ?n)
{
  ?q a s:Question
}
ASK { ?q a s:Person }

.format csv
SELECT ?text { ?q a s:Question ; s:text ?text } ORDER BY ?text LIMIT 1
CONSTRUCT { ?q a s:Thing } { ?q a s:Question } LIMIT 1
.run keywords
.quit
ASK {}
";
    let (status, stdout, stderr) = said(&FILE, lines);
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    assert!(
        stdout.starts_with("n\n───\n5\nfalse\ntext\r\nWhat do decomposers return to the soil?\r\n"),
        "{stdout}"
    );
    assert!(stdout.contains(" a s:Thing .\n"), "{stdout}");
    assert!(stdout.ends_with("\r\n") && stdout.contains("keyword"), "{stdout}");
    assert!(!stdout.contains("true"), "nothing is answered behind `.quit`");
}

#[test]
fn commands_say_what_is_there() {
    let (status, stdout, stderr) =
        said(&FILE, ".classes\n.properties s:Question\n.graphs\n.queries\n.help\n");
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    for words in [
        "5  s:Question\n",
        "s:acceptedAnswer",
        "g-ecology.jsonld  <urn:evalgraph:graph:",
        "overview  ",
        ".reload",
    ] {
        assert!(stdout.contains(words), "{words}\n{stdout}");
    }
}

#[test]
fn a_fault_ends_nothing_but_its_question() {
    let (status, stdout, stderr) =
        said(&FILE, "SELECT ?s { ?s a Question }\n.runn\n.format pdf\n.run nothing\nASK {}\nASK {");
    assert_eq!((status, stdout.as_str()), (Some(2), "true\n"));
    for words in [
        "query:1:18: error[sparql::syntax]",
        "error[shell::command]: there is no command `.runn`",
        "`.format` takes table, csv",
        "error[sparql::unknown-query]",
    ] {
        assert!(stderr.contains(words), "{words}\n{stderr}");
    }
    assert_eq!(stderr.matches("error[sparql::syntax]").count(), 2, "the last query is not whole\n{stderr}");
}

#[test]
fn files_are_read_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("a.ttl");
    fs::write(&file, "<x:a> <x:b> 1 , 2 .").expect("ours");
    let (status, stdout, stderr) =
        said(&[&file.display().to_string()], ".reload\nSELECT (COUNT(*) AS ?n) { ?s ?p ?o }\n");
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (Some(0), "n\n───\n2\n", ""));
    let (status, _, stderr) = said(&["nowhere.ttl"], "ASK {}\n");
    assert_eq!(status, Some(2));
    assert!(stderr.contains("error[input::not-found]"), "{stderr}");
}

#[test]
fn further_files_are_loaded_into_the_session_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(path.join("a.ttl"), "<x:a> <x:b> 1 .").expect("ours");
    fs::write(path.join("b.ttl"), "<x:a> <x:b> 2 , 3 .").expect("ours");
    let [first, second] = ["a.ttl", "b.ttl"].map(|name| path.join(name).display().to_string());
    let count = "SELECT (COUNT(*) AS ?n) { ?s <x:b> ?o }";
    let lines =
        format!("load {second}\n{count}\n.load nowhere.ttl\n.load -\n.load\n.reload\n{count}\ngraphs\n");
    let (status, stdout, stderr) = said(&[&first], &lines);
    assert_eq!(status, Some(2));
    assert!(stdout.starts_with("3 quads, 2 files\nn\n───\n3\nn\n───\n3\n"), "{stdout}");
    assert_eq!(stdout.matches(".ttl  <urn:evalgraph:graph:").count(), 2, "{stdout}");
    for words in ["error[input::not-found]", "`.load` takes files", "usage of `.load`"] {
        assert!(stderr.contains(words), "{words}\n{stderr}");
    }
    // Beside a store, which stays as it is.
    let run = |arguments: &[&str]| super::input::run(path, arguments);
    assert_eq!(run(&["init"]).0, 0);
    assert_eq!(run(&["load", "a.ttl"]).0, 0);
    let store = path.display().to_string();
    let (status, stdout, stderr) = said(&["--store", &store], &format!(".load {second}\n{count}\n"));
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    assert!(stdout.ends_with("n\n───\n3\n"), "{stdout}");
    assert_eq!(run(&["graphs"]).1.matches("read from").count(), 1);
}

#[test]
fn the_data_are_validated_in_the_session() {
    let lines = "validate\nload fixtures/karenina/p1-physics.jsonld\n.validate\nvalidate karenina-spec\nvalidate nowhere.ttl\n";
    let (status, stdout, stderr) = said(&FILE, lines);
    assert_eq!(status, Some(2), "the last shapes are missing");
    assert!(stdout.matches("g-ecology.jsonld: ").count() >= 2, "{stdout}");
    assert!(stdout.contains("p1-physics.jsonld: "), "{stdout}");
    assert!(stdout.contains("karenina-spec") || stdout.contains("shapes"), "{stdout}");
    assert!(stderr.contains("nowhere.ttl"), "{stderr}");
}
