//! What people do wrong first: each mistake is told with its place, where it has one, and with what to do instead.

use std::fs;
use std::path::Path;

use super::input::evalgraph;

/// The arguments, words of the message or the place, and words of the help.
const MISTAKES: [(&[&str], &str, &str); 36] = [
    (&["qurey", "a.jsonld"], "unrecognized subcommand 'qurey'", "query"),
    (&["lint", "a.jsonld"], "unrecognized subcommand 'lint'", "'validate' and 'check'"),
    (
        &["update", "a.jsonld", "own.ru"],
        "error[sparql::no-update]",
        "an update in a file is read by `-f own.ru`",
    ),
    (&["query", "a.jsonld", "--formt", "csv", "-n", "overview"], "unexpected argument '--formt'", "--format"),
    (&["query", "a.jsonld", "-n", "overveiw"], "error[sparql::unknown-query]", "did you mean `overview`?"),
    (
        &["query", "a.jsonld", "-n", "everything"],
        "error[sparql::unknown-query]",
        "`evalgraph queries` lists them",
    ),
    (&["query", "a.jsonld", "-q", "SELECT ?t { ?q shema:text ?t }"], "query:1:16", "did you mean `schema:`?"),
    (&["stats", "aa.jsonld"], "aa.jsonld", "did you mean `a.jsonld`?"),
    (&["stats", "rows.jsonl"], "rows.jsonl:1:2", "--map-column question=NAME"),
    (
        &["new", "rows.jsonl", "--map-column", "prompt=question"],
        "error[new::column]",
        "the other way round: `--map-column question=prompt`",
    ),
    (&["query", "a.jsonld", "-n", "keywords", "-p", "contain=x"], "contain", "help:"),
    (
        &["query", "-q", "SELECT", "?t", "{?s", "?p", "?t}"],
        "query:1:7",
        "put the whole query into quotes: `-q 'SELECT …'`",
    ),
    (&["query", "a.jsonld", "-f", "none.rq"], "none.rq", "there is no file"),
    (&["query", "a.jsonld", "-q", "asked.rq"], "query:1:1", "`-f asked.rq`"),
    (&["query", "a.jsonld", "-q", "overview"], "query:1:1", "`-n overview`"),
    (&["query", "a.jsonld", "asked.rq"], "error[sparql::no-query]", "`-f asked.rq`"),
    (&["query", "a.jsonld", "--store", "s", "-n", "overview"], "error[input::store]", "leave `--store` out"),
    (&["load", "a.jsonld"], "error[store::missing]", "evalgraph init"),
    (&["convert", "a.jsonld", "--to", "turtel"], "'turtel'", "ttl"),
    (&["query", "a.jsonld", "-n", "overview", "-o", "x.sqlite"], "x.sqlite", "by its name it writes"),
    (
        &["query", "a.jsonld", "-q", "SELECT ?q { ?q a Question }"],
        "query:1:18",
        "a class has a prefix: `s:Question`",
    ),
    (
        &["query", "a.jsonld", "-q", "SELECT ?q { GRAPH <a.jsonld> { ?q a s:Question } }"],
        "query:1:19",
        "egf:file(?g) = \"a.jsonld\"",
    ),
    (
        &["query", "a.jsonld", "-q", "SELECT ?q { ?q s:text ?t FILTER(?t LIKE \"%x%\") }"],
        "query:1:36",
        "CONTAINS(?text",
    ),
    (
        &["query", "a.jsonld", "-q", "SELECT ?q { ?q s:Text ?t }"],
        "no triple has `s:Text`",
        "did you mean `s:text`",
    ),
    (&["query", "a.jsonld", "-n", "cards"], "no query named `cards`", "`question-cards`"),
    (
        &["query", "a.jsonld", "-n", "overview", "-o", "x.xslx"],
        "extension `.xslx`",
        "did you mean `-o x.xlsx`?",
    ),
    (
        &["query", "a.jsonld", "-n", "overview", "-o", "no/x.csv"],
        "the folder `no` does not exist",
        "`mkdir -p no`",
    ),
    (&["convert", "a.jsonld", "-o", "a.csv"], "`convert` writes no tables", "-n question-cards -o a.csv"),
    (&["fmt", "t.csv"], "t.csv: error[fmt::format]", "`evalgraph new FILE`"),
    (&["stats", "program"], "`program` is a program", "name the file with the data"),
    (&["stats", "picture.json"], "`picture.json` is a picture", "name the file with the data"),
    (&["stats", "empty"], "error[input::empty-directory]", ".json, .jsonl, .ndjson, .csv"),
    (&["serve", "a.jsonld", "--bind", "18090"], "'18090'", "such as 127.0.0.1:18090"),
    (
        &["set", "What is a keystone speices?", "a.jsonld", "--answer", "x"],
        "error[set::unknown-question]",
        "did you mean `What is a keystone species?`",
    ),
    (
        &["update", "a.jsonld", "b.jsonld", "-q", "INSERT DATA { <urn:a> <urn:b> 1 }", "-o", "x.nq"],
        "error[sparql::which-graph]",
        "INSERT { GRAPH ?g { … } } WHERE { GRAPH ?g { … } }",
    ),
    (&["query", "a.jsonld", "broken.json", "-n", "overview"], "broken.json:1:3", "`--keep-going`"),
];

#[test]
fn the_first_mistakes_of_people_are_told_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    fs::copy(fixtures.join("karenina/g-ecology.jsonld"), folder.path().join("a.jsonld")).expect("ours");
    fs::write(folder.path().join("rows.jsonl"), "{\"prompt\":\"q\",\"gold\":\"a\"}\n").expect("ours");
    fs::copy(fixtures.join("karenina/p1-physics.jsonld"), folder.path().join("b.jsonld")).expect("ours");
    fs::write(folder.path().join("t.csv"), "question,answer\nq,a\n").expect("ours");
    fs::write(folder.path().join("program"), b"\x7fELF\x02\x01\x01\0\0\0").expect("ours");
    fs::write(folder.path().join("picture.json"), b"\x89PNG\r\n\x1a\n\0\0").expect("ours");
    fs::write(folder.path().join("broken.json"), "[1").expect("ours");
    fs::create_dir(folder.path().join("empty")).expect("ours");
    fs::write(folder.path().join("asked.rq"), "SELECT ?s { ?s ?p ?o }").expect("ours");
    for (arguments, place, help) in MISTAKES {
        let output = evalgraph(folder.path()).args(arguments).output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(place), "{arguments:?}: no {place}\n{said}");
        assert!(said.contains(help), "{arguments:?}: no {help}\n{said}");
    }
}

#[cfg(unix)]
#[test]
fn data_on_stdin_have_a_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = evalgraph(folder.path()).arg("stats").write_stdin("<x:a> <x:b> 1 .").output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("`-` reads data from stdin"), "{said}");
}
