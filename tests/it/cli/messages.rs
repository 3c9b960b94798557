//! Findings as a person and as a program see them: places, carets, counts, colours, and data that
//! would like to command the terminal.

use std::collections::BTreeSet;
use std::fs;

use crate::architecture::source_files;
use crate::cli::input::{evalgraph, run};
use evalgraph::cli::{to_json, to_text};
use evalgraph::diagnostic::{Diagnostic, FindingSeverity, SourceText, visible};

fn folder_with(name: &str, content: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join(name), content).expect("the folder is ours");
    folder
}

#[test]
fn a_message_starts_with_its_place_and_shows_the_line() {
    let folder =
        folder_with("a.ttl", "@prefix ex: <http://example.org/> .\n\nex:s schemaa:name \"ü\" ; ex:p .\n");
    let (status, _, stderr) = run(folder.path(), &["convert", "a.ttl", "--to", "nt"]);
    assert_eq!(status, 2);
    insta::assert_snapshot!(stderr, @r#"
a.ttl:3:6: error[rdf::syntax]: the prefix `schemaa:` is not declared
3 | ex:s schemaa:name "ü" ; ex:p .
  |      ^^^^^^^^^^^^
  = help: declare it above: `@prefix schemaa: <…> .`
"#);
}

#[test]
fn both_forms_give_the_same_facts() {
    let text = "{\n  \"a\": 1,\n  \"a\": 2\n}";
    let source = SourceText::new("a.json", text.as_bytes());
    let diagnostic = Diagnostic::warning("json::duplicate-key", "the key `a` occurs twice in one object")
        .at(source.place(14..17).with_pointer("/a".to_owned()))
        .with_related(source.place(4..7), "the first one")
        .with_cost(1)
        .with_help("rename one");
    insta::assert_snapshot!(anstream::adapter::strip_str(&to_text(&diagnostic)), @r#"
a.json:3:3: warning[json::duplicate-key]: the key `a` occurs twice in one object
  |
3 |   "a": 2
  |   ^^^
  |
  = pointer: /a
  = lost: 1 triple
  = help: rename one
a.json:2:3: note: the first one
  |
2 |   "a": 1,
  |   ^^^
"#);
    insta::assert_snapshot!(to_json(&diagnostic), @r#"{"severity":"warning","code":"json::duplicate-key","message":"the key `a` occurs twice in one object","file":"a.json","line":3,"column":3,"bytes":[14,17],"pointer":"/a","cost":1,"help":["rename one"],"related":[{"message":"the first one","file":"a.json","line":2,"column":3,"bytes":[4,7],"pointer":null}]}"#);
}

#[test]
fn the_machine_form_is_one_object_a_line_with_a_summary() {
    let folder = folder_with("a.nt", "<x:s> oops <x:o> .\n<x:s> <x:p> .\n");
    let (_, _, stderr) = run(folder.path(), &["convert", "a.nt", "--to", "nt", "--diagnostics", "json"]);
    let lines: Vec<serde_json::Value> =
        stderr.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["line"], 1);
    assert_eq!(lines[1]["line"], 2);
    assert_eq!(lines[2]["summary"][0]["count"], 2);
}

#[test]
fn a_kind_of_which_there_are_many_is_one_line() {
    let mut text = String::from("{\"@context\": {\"p\": \"x:p\"}, \"@id\": \"x:s\", \"p\": [");
    for number in 0..3432 {
        text += &format!("{}{{\"@id\": \"bad {number}\"}}", if number > 0 { ",\n" } else { "" });
    }
    text += "]}";
    let folder = folder_with("a.jsonld", &text);
    let (status, stdout, stderr) = run(folder.path(), &["to-rdf", "a.jsonld"]);
    assert_eq!((status, stdout.as_str()), (0, ""));
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.ends_with("3,432 triples lost; and 3,431 more: `-v` lists them)\n"), "{stderr}");
    let (_, _, stderr) = run(folder.path(), &["to-rdf", "a.jsonld", "-v"]);
    assert_eq!(stderr.matches(": warning[").count(), 3432);
}

#[test]
fn what_is_a_matter_of_course_is_shown_to_those_who_ask() {
    let mut text = String::from("{\"@context\": {\"@vocab\": \"http://schema.org/\"}, \"hasPart\": [");
    for number in 0..14 {
        text += &format!("{}{{\"@id\": \"bad {number}\", \"name\": 1}}", if number > 0 { ",\n" } else { "" });
    }
    text += "]}";
    let folder = folder_with("a.jsonld", &text);
    let (status, _, stderr) = run(folder.path(), &["query", "a.jsonld", "-q", "ASK { ?s ?p ?o }"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(stderr.matches(": warning[invalid IRI]").count(), 1, "{stderr}");
    assert!(stderr.ends_with("(and 13 more: `-v` lists them)\n"), "{stderr}");
    let (_, _, stderr) = run(folder.path(), &["query", "a.jsonld", "-q", "ASK { ?s ?p ?o }", "-v"]);
    assert_eq!(stderr.matches(": warning[invalid IRI]").count(), 14, "{stderr}");
    // MD5 sums are what Karenina writes.
    let usual = (0..14)
        .fold(text, |text, number| text.replace(&format!("\"bad {number}\""), &format!("\"{number:032x}\"")));
    fs::write(folder.path().join("a.jsonld"), usual).expect("the folder is ours");
    let (_, _, stderr) = run(folder.path(), &["query", "a.jsonld", "-q", "ASK { ?s ?p ?o }"]);
    assert_eq!(stderr, "");
    for number in 0..5 {
        fs::create_dir(folder.path().join(number.to_string())).expect("the folder is ours");
        fs::write(folder.path().join(format!("{number}/a.ttl")), "<x:s> <x:p> 1 .").expect("ours");
    }
    let (_, _, stderr) = run(folder.path(), &["query", "0", "1", "2", "3", "4", "-q", "ASK { ?s ?p ?o }"]);
    assert_eq!(stderr.matches(": note[load::dataset-name]").count(), 1, "{stderr}");
    assert!(stderr.ends_with("(and 3 more: `-v` lists them)\n"), "{stderr}");
}

#[test]
fn a_note_is_one_line() {
    let source = SourceText::new("a.json", b"{\"a\": 1}");
    let note = Diagnostic::new(FindingSeverity::Note, "a::b", "worth knowing")
        .at(source.place(1..4).with_pointer("/a".to_owned()))
        .with_related(source.place(6..7), "as is this");
    let shown = to_text(&note);
    assert_eq!(anstream::adapter::strip_str(&shown).to_string(), "a.json:1:2: note[a::b]: worth knowing\n");
}

#[test]
fn colours_are_for_terminals_only() {
    let folder = folder_with("a.nt", "<x:s> oops <x:o> .\n");
    let (_, _, plain) = run(folder.path(), &["convert", "a.nt", "--to", "nt"]);
    assert!(!plain.contains('\u{1b}'));
    let forced = |no_color: &str| {
        let mut command = evalgraph(folder.path());
        command.args(["convert", "a.nt", "--to", "nt"]).env("CLICOLOR_FORCE", "1");
        if !no_color.is_empty() {
            command.env_remove("CLICOLOR_FORCE").env("NO_COLOR", no_color);
        }
        String::from_utf8(command.output().expect("the program starts").stderr).expect("UTF-8")
    };
    assert!(forced("").contains('\u{1b}'));
    assert!(!forced("1").contains('\u{1b}'));
}

#[test]
fn escape_sequences_of_data_are_shown_not_obeyed() {
    assert_eq!(visible("a\u{1b}[31m\u{202e}\u{7f}\n"), "a␛[31m\\u{202e}␡␊");
    let folder = folder_with("a.nt", "<x:s> <x:p> \"\u{1b}]0;title\u{7}\u{202e}\" oops .\n");
    let (_, _, stderr) = run(folder.path(), &["convert", "a.nt", "--to", "nt"]);
    assert!(!stderr.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{stderr:?}");
    assert!(stderr.contains("␛]0;title␇"), "{stderr}");
    let folder = folder_with("a\u{1b}[31m.nt", "oops");
    let (_, _, stderr) = run(folder.path(), &["convert", "a\u{1b}[31m.nt", "gone\u{1b}", "--to", "nt"]);
    assert!(!stderr.contains('\u{1b}'), "{stderr:?}");
}

#[test]
fn a_message_is_never_longer_than_fifteen_lines() {
    let long = "x".repeat(10_000_000);
    let text = format!("{{\"a\": \"{long}\"}}");
    let source = SourceText::new("long.json", text.as_bytes());
    let mut diagnostic = Diagnostic::error("a::b", format!("`{long}\n{long}`"))
        .at(source.place(6..text.len()).with_pointer("/a".repeat(1000)))
        .with_cost(7);
    for number in 0..30 {
        diagnostic = diagnostic
            .with_related(source.place(number..number + 1), "here\nand here")
            .with_help(format!("try {number}\nor not"));
    }
    let shown = to_text(&diagnostic);
    assert!(shown.lines().count() <= 15, "{shown}");
    assert!(shown.len() < 8_000, "{}", shown.len());
}

#[test]
fn every_command_has_help_with_examples() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for command in
        ["stats", "query", "queries", "convert", "expand", "to-rdf", "shapes", "schema-org", "explain"]
    {
        let (status, stdout, _) = run(folder.path(), &[command, "--help"]);
        assert_eq!(status, 0);
        assert!(stdout.contains(&format!("Examples:\n  evalgraph {command}")), "{stdout}");
    }
    let (status, stdout, _) = run(folder.path(), &["--help"]);
    assert_eq!(status, 0);
    assert!(stdout.contains("Exit status: 0 done or yes"), "{stdout}");
}

/// The options of a command and of all below it.
fn options_of(command: &clap::Command) -> BTreeSet<&str> {
    let own = command.get_arguments().filter_map(clap::Arg::get_long);
    own.chain(command.get_subcommands().flat_map(options_of)).collect()
}

/// Every setting and command that a finding names is one of the program.
#[test]
fn a_way_out_names_what_there_is() {
    let program = super::program();
    let commands: BTreeSet<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    let options = options_of(&program);
    let mut named = 0;
    for file in source_files().iter().filter(|file| file.text.contains("diagnostics::help::")) {
        for (function, known) in [("setting(\"", &options), ("command(\"", &commands)] {
            for name in file.text.split(function).skip(1) {
                let name = name.split('"').next().unwrap_or_default();
                let is_there = name.split(' ').next().is_some_and(|name| known.contains(name));
                assert!(is_there, "{}: {function}{name}", file.path.display());
                named += 1;
            }
        }
    }
    assert!(named > 80, "{named}");
}
