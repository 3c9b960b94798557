//! What the files of configuration of a user and of a project say besides servers: named queries, prefixes, how tables
//! look. And the prefixes that the data declare.

use std::fs;

use super::input::evalgraph;

const QUERY: &str = "# title: Mine\n# param: least integer = 1\nSELECT (?least AS ?n) {}\n";

#[test]
fn a_project_has_queries_of_its_own() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("project/asked/deep")).expect("ours");
    fs::create_dir_all(path("users")).expect("ours");
    fs::write(path("project/evalgraph.toml"), "queries = \"asked\"\n").expect("ours");
    fs::write(path("project/asked/mine.rq"), QUERY).expect("ours");
    fs::write(path("users/mine.rq"), QUERY.replace("= 1", "= 2")).expect("ours");
    fs::write(path("users/theirs.rq"), QUERY.replace("= 1", "= 3")).expect("ours");
    fs::write(path("config.toml"), format!("queries = {:?}\n", path("users").display().to_string()))
        .expect("ours");
    fs::write(path("project/a.ttl"), "<x:a> <x:b> 1 .").expect("ours");
    let run = |arguments: &[&str]| {
        let output = evalgraph(&path("project/asked/deep"))
            .args(arguments)
            .env("EVALGRAPH_CONFIG", path("config.toml"))
            .output()
            .expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let asked = |name: &str| run(&["query", "../../a.ttl", "-n", name, "--format", "csv"]).1;
    assert_eq!(asked("mine"), "n\r\n1\r\n", "that of the project counts");
    assert_eq!(asked("theirs"), "n\r\n3\r\n");
    let (_, listed, _) = run(&["queries"]);
    assert!(listed.contains("mine  ") && listed.contains("overview  "), "{listed}");
    // A project has no say outside of its folder.
    for outside in ["../users", "/etc", "asked/../../users"] {
        fs::write(path("project/evalgraph.toml"), format!("\nqueries = \"{outside}\"\n")).expect("ours");
        let (status, _, stderr) = run(&["query", "../../a.ttl", "-n", "mine"]);
        assert_eq!(status, Some(2), "{outside}");
        assert!(stderr.contains("evalgraph.toml:2:11: error[config::value]"), "{stderr}");
    }
    fs::write(path("project/evalgraph.toml"), "queries = \"missing\"\n").expect("ours");
    let (status, _, stderr) = run(&["queries"]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("error[sparql::unreadable]") && stderr.contains("missing"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn what_a_projects_queries_are_called_is_text() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("asked")).expect("ours");
    fs::write(path("evalgraph.toml"), "queries = \"asked\"\n").expect("ours");
    let name = "$(touch gone) `touch gone` \u{1b}[31mred";
    fs::write(path(&format!("asked/{name}.rq")), "# title: \u{1b}]0;title\u{7}\nASK {}\n").expect("ours");
    let said = |arguments: &[&str], stdin: &str| {
        let output = evalgraph(folder.path()).args(arguments).write_stdin(stdin).output().expect("it starts");
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    // A shell runs the text of completions.
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(!said(&["completions", shell], "").contains("touch gone"), "{shell}");
    }
    fs::write(path("a.ttl"), "<x:a> <x:b> 1 .").expect("ours");
    for listed in [said(&["queries"], ""), said(&["shell", "a.ttl", "--quiet"], ".queries\n")] {
        assert!(listed.contains("touch gone") && !listed.contains(['\u{1b}', '\u{7}']), "{listed:?}");
    }
}

const DATA: &str = "@prefix ex: <http://example.org/> .\nex:a ex:knows ex:b ; a ex:Person .\n";

/// Runs the program in a folder whose project prefers that; the status, stdout and stderr.
fn preferring(configuration: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("evalgraph.toml"), configuration).expect("ours");
    fs::write(path("a.ttl"), DATA).expect("ours");
    fs::write(path("b.ttl"), DATA.replace("example.org", "example.com")).expect("ours");
    let context = r#"{"@context": {"lab": "http://lab.example/ns#", "no": "http://lab.example/no", "part": "lab:part/",
        "said": {"@id": "http://lab.example/ns", "@prefix": true}}"#;
    fs::write(path("c.jsonld"), format!("{context}, \"@id\": \"lab:1\", \"lab:name\": \"x\"}}"))
        .expect("ours");
    let output = evalgraph(folder.path()).args(arguments).output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn prefixes_of_a_project_need_no_declaration() {
    let with =
        |prefixes: &str, arguments: &[&str]| preferring(&format!("[prefixes]\n{prefixes}\n"), arguments);
    let mine = "my = \"http://example.org/\"";
    let (status, stdout, stderr) =
        with(mine, &["query", "a.ttl", "-q", "SELECT ?b { my:a my:knows ?b }", "--format", "table"]);
    assert_eq!((status, stdout.lines().last()), (Some(0), Some("my:b")), "{stderr}");
    let (status, stdout, stderr) = with(mine, &["query", "a.ttl", "-q", "ASK { ?a ?p ?b }", "-p", "b=my:b"]);
    assert_eq!((status, stdout.trim()), (Some(0), "true"), "{stderr}");
    let change = "DELETE { ?a my:knows ?b } INSERT { ?b my:knows ?a } WHERE { ?a my:knows ?b }";
    let (status, stdout, stderr) = with(mine, &["update", "a.ttl", "-q", change, "--to", "nt"]);
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("<http://example.org/b> <http://example.org/knows>"), "{stdout}");
    // What a text declares counts before it, and what is built in has one meaning.
    let own = "PREFIX my: <http://example.com/> ASK { ?a my:knows ?b }";
    assert_eq!(with(mine, &["query", "a.ttl", "-q", own]).1.trim(), "false");
    for (prefixes, fault) in [
        ("s = \"http://example.org/\"", "2:1: error[config::value]: the prefix `s` is built in"),
        ("\"a b\" = \"http://example.org/\"", "2:1: error[config::value]: `a b` is not a prefix"),
        ("a = \"b\"", "2:5: error[config::value]: `a` has to be an absolute IRI"),
    ] {
        let (status, _, stderr) = with(prefixes, &["query", "a.ttl", "-q", "ASK {}"]);
        assert_eq!(status, Some(2), "{prefixes}");
        assert!(stderr.contains(fault), "{stderr}");
    }
}

#[test]
fn prefixes_of_the_data_need_no_declaration() {
    let asked = |inputs: &[&str], query: &str| {
        let (status, stdout, stderr) = preferring("", &[&["query"], inputs, &["-q", query]].concat());
        (status, stdout.trim().to_owned(), stderr)
    };
    assert_eq!(asked(&["a.ttl"], "ASK { ex:a ex:knows ex:b }").1, "true");
    assert_eq!(asked(&["c.jsonld"], "ASK { lab:1 lab:name 'x' }").1, "true");
    assert_eq!(asked(&["c.jsonld"], "ASK { said:\\#1 ?p 'x' }").1, "true");
    // A term that is not a beginning of IRIs is not a prefix, and one with two meanings has none.
    for (inputs, query, help) in [
        (["c.jsonld", "a.ttl"], "ASK { no:1 ?p ?o }", "declare it first: `PREFIX no: <…>`"),
        (["c.jsonld", "a.ttl"], "ASK { part:1 ?p ?o }", "declare it first: `PREFIX part: <…>`"),
        (["a.ttl", "b.ttl"], "ASK { ex:a ?p ?o }", "did you mean `eg:`?"),
        (["c.jsonld", "a.ttl"], "ASK { exx:a ?p ?o }", "did you mean `ex:`?"),
    ] {
        let (status, _, stderr) = asked(&inputs, query);
        assert_eq!(status, Some(2), "{query}: {stderr}");
        assert!(stderr.contains("error[sparql::undeclared-prefix]") && stderr.contains(help), "{stderr}");
    }
    let said = |arguments: &[&str]| preferring("", arguments).1;
    assert!(said(&["schema", "a.ttl"]).starts_with("ex:Person  1\n  ex:knows  "));
    assert!(said(&["schema", "--examples", "a.ttl", "--class", "ex:Person"]).contains("ex:a a ex:Person"));
    let change = "INSERT { ?b ex:known ?a } WHERE { ?a ex:knows ?b }";
    assert!(said(&["update", "a.ttl", "-q", change, "--to", "ttl"]).contains("ex:b ex:known ex:a"));
}

#[test]
fn a_project_says_how_tables_look() {
    let table = |output: &str| {
        let arguments = ["query", "a.ttl", "-q", "SELECT * { ?a ?p ?b }", "--format", "table"];
        preferring(&format!("[output]\n{output}\n"), &arguments)
    };
    assert!(table("table = \"blocks\"").1.starts_with("── 1"));
    assert!(table("rows = 5").1.starts_with("a  "), "rows are left out on a terminal alone");
    for (output, fault) in [
        (
            "table = \"round\"",
            "2:9: error[config::value]: `table` has to be one of `fitting`, `wide`, `blocks`",
        ),
        ("rows = -1", "2:8: error[config::value]: `rows` has to be a whole number"),
        ("row = 1", "2:1: error[config::key]: no key is called `row` here"),
    ] {
        let (status, _, stderr) = table(output);
        assert_eq!(status, Some(2), "{output}");
        assert!(stderr.contains(fault), "{stderr}");
    }
}
