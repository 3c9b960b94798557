//! The codes of findings: each that the source makes has its row in a table, each row is of a code that is made, and
//! `evalgraph explain` and `docs/codes.md` say what stands there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use evalgraph::diagnostic::FindingSeverity;
use evalgraph::diagnostic::codes::{CODES, explain};
use serde_json::Value;

use crate::architecture::{SourceFile, source_files};
use crate::cli::input::run;

/// The commands that change one question, and say the same of it under their own names.
const EDITING: [&str; 5] = ["add", "move", "remove", "rename", "set"];

/// A code in the source, with what stands on either side of it.
struct Literal<'t> {
    code: &'t str,
    before: &'t str,
    after: &'t str,
}

/// The files that make findings, without the tables and without tests.
fn makers() -> Vec<SourceFile> {
    let mut files = source_files();
    files.retain(|file| {
        let last = file.module.last().map_or("", String::as_str);
        !file.module.starts_with(&["diagnostic".to_owned(), "codes".to_owned()]) && !last.ends_with("tests")
    });
    for file in &mut files {
        let tests = file.text.find("\n#[cfg(test)]\nmod ").unwrap_or(file.text.len());
        file.text.truncate(tests);
        let code = file.text.lines().filter(|line| !line.trim_start().starts_with("//"));
        file.text = code.collect::<Vec<_>>().join("\n");
    }
    files
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// The strings that look like `area::name`, and whatever string is the code of a finding.
fn literals(text: &str) -> Vec<Literal<'_>> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('"') {
        let Some(end) = text[at + 1..].find('"') else { continue };
        let (before, code) = (text[..at].trim_end(), &text[at + 1..at + 1 + end]);
        let is_code = code.split_once("::").is_some_and(|(area, name)| is_name(area) && is_name(name));
        if is_code || severity_said(before).is_some() {
            found.push(Literal { code, before, after: text[at + end + 2..].trim_start() });
        }
    }
    found
}

/// How bad a finding is, by what stands before its code.
fn severity_said(before: &str) -> Option<FindingSeverity> {
    [
        ("Diagnostic::error(", FindingSeverity::Error),
        ("Diagnostic::warning(", FindingSeverity::Warning),
        ("Severity::Error,", FindingSeverity::Error),
        ("Severity::Warning,", FindingSeverity::Warning),
        ("Severity::Note,", FindingSeverity::Note),
    ]
    .into_iter()
    .find_map(|(start, severity)| before.ends_with(start).then_some(severity))
}

/// The names of codes that get the name of their command at run time.
fn names_of_editing(text: &str) -> Vec<&str> {
    let to_quote = |rest: &'static str, text: &str| -> Vec<(usize, usize)> {
        let starts = text.match_indices(rest).map(|(at, _)| at + rest.len());
        starts.filter_map(|at| Some((at, at + text[at..].find('"')?))).collect()
    };
    let mut spans = [to_quote("\"{}::", text), to_quote("\"{command}::", text)].concat();
    if text.contains("}::{code}\"") || text.contains("scope.fault(\"") {
        spans.extend([to_quote("code(\"", text), to_quote(".fault(\"", text)].concat());
    }
    spans.into_iter().map(|(from, to)| &text[from..to]).filter(|name| is_name(name)).collect()
}

/// The constants that stand for codes, by their names.
fn constants() -> BTreeMap<String, String> {
    let files = source_files();
    let text = files.iter().find(|file| file.module == ["diagnostic", "codes"]).map(|file| &file.text);
    let lines = text.into_iter().flat_map(|text| text.lines());
    let constants = lines.filter_map(|line| {
        let (name, code) = line.strip_prefix("pub const ")?.split_once(": &str = \"")?;
        Some((name.to_owned(), code.trim_end_matches("\";").to_owned()))
    });
    constants.collect()
}

/// What `evalgraph explain` knows: code, severities and explanation.
fn explained() -> Vec<(String, Vec<String>, String)> {
    let (status, stdout, stderr) = run(Path::new("."), &["explain", "--format", "json"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let list: Vec<Value> = serde_json::from_str(&stdout).expect("it is JSON");
    let text = |value: &Value| value.as_str().expect("it is a text").to_owned();
    let severities =
        |known: &Value| known["severities"].as_array().expect("a list").iter().map(text).collect();
    list.iter().map(|known| (text(&known["code"]), severities(known), text(&known["explanation"]))).collect()
}

#[test]
fn every_code_that_the_source_makes_stands_in_a_table() {
    let known: BTreeMap<String, Vec<String>> =
        explained().into_iter().map(|(code, severities, _)| (code, severities)).collect();
    let mut faults = BTreeSet::new();
    for file in makers() {
        let path = file.path.display();
        for literal in literals(&file.text) {
            let code = literal.code;
            let Some(severities) = known.get(code) else {
                faults.insert(format!("{path}: `{code}` has no row"));
                continue;
            };
            let said = severity_said(literal.before).map(|severity| severity.to_string());
            if said.as_ref().is_some_and(|said| !severities.contains(said)) {
                faults.insert(format!("{path}: the row of `{code}` does not say {said:?}"));
            }
        }
        for name in names_of_editing(&file.text) {
            if !EDITING.iter().any(|command| explain(&format!("{command}::{name}")).is_some()) {
                faults.insert(format!("{path}: no command that edits has a row for `{name}`"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_row_is_of_a_code_that_the_source_makes() {
    let files = makers();
    let mut made: BTreeSet<String> = BTreeSet::new();
    for file in &files {
        made.extend(literals(&file.text).iter().map(|literal| literal.code.to_owned()));
        let edits = names_of_editing(&file.text).into_iter();
        made.extend(edits.flat_map(|name| EDITING.map(|command| format!("{command}::{name}"))));
    }
    let constants = constants();
    assert!(!constants.is_empty(), "the constants are where they are looked for");
    for (name, code) in constants {
        let name = format!("codes::{name}");
        assert!(files.iter().any(|file| file.code.contains(&name)), "nothing uses `{name}`");
        made.insert(code);
    }
    let unused: Vec<&str> = CODES.iter().map(|row| row.code).filter(|code| !made.contains(*code)).collect();
    assert!(unused.is_empty(), "{unused:#?}");
}

#[test]
fn rows_stand_in_order_and_say_something() {
    for pair in CODES.windows(2) {
        assert!(pair[0].code < pair[1].code, "`{}` stands before `{}`", pair[0].code, pair[1].code);
    }
    for row in CODES {
        assert_eq!(explain(row.code), Some(row));
        assert!(!row.severities.is_empty(), "{row:?}");
    }
    let explained = explained();
    let mut codes = BTreeSet::new();
    for (code, severities, explanation) in &explained {
        assert!(codes.insert(code), "`{code}` has two rows");
        assert!(!severities.is_empty(), "{code}");
        assert!(explanation.ends_with('.') && !explanation.ends_with(".."), "{code}: {explanation}");
        let begins = explanation.chars().next().expect("it says something");
        assert!(begins.is_uppercase() || begins == '`', "{code}: {explanation}");
        assert!(explanation.matches('`').count().is_multiple_of(2), "{code}: {explanation}");
    }
    for code in ["json::syntax", "invalid IRI mapping", "unmapped key", "K-S7", "T-1", "W-1", "R-1"] {
        assert!(codes.contains(&code.to_owned()), "{code}");
    }
}

#[test]
fn nothing_goes_another_way_for_a_code_without_a_name() {
    for file in makers() {
        for Literal { code, before, after } in literals(&file.text) {
            let is_compared = ["==", "!=", "|"].iter().any(|sign| before.ends_with(sign))
                || ["=>", "|", "=="].iter().any(|sign| after.starts_with(sign));
            assert!(
                !is_compared,
                "{}: compare with a constant of `diagnostic::codes`: `{code}`",
                file.path.display()
            );
        }
    }
}

#[test]
fn the_page_of_codes_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/codes.md")).expect("there is the page");
    let (status, stdout, _) = run(root, &["explain", "--format", "markdown"]);
    assert_eq!(status, 0);
    assert!(page == stdout, "make it: `evalgraph explain --format markdown -o docs/codes.md`");
}

#[test]
fn one_code_is_explained_and_another_is_guessed() {
    let here = Path::new(".");
    let (status, stdout, stderr) = run(here, &["explain", "yaml::key"]);
    let text =
        "yaml::key (error)\n  A key of a YAML file is not a string. Put it into quotes.\n  Causes it:\n";
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.starts_with(text) && stdout.contains("\n  Does not:\n"), "{stdout}");
    let (status, stdout, stderr) = run(here, &["explain", "yaml::keys"]);
    let text =
        "error[explain::unknown-code]: there is no code `yaml::keys`\n = help: did you mean `yaml::key`?\n";
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (2, "", text));
    let (status, _, stderr) = run(here, &["explain", "nothing of the kind"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("= help: `evalgraph explain` lists all"), "{stderr}");
    let (status, stdout, _) = run(here, &["explain"]);
    assert_eq!((status, stdout.lines().count()), (0, explained().len()));
}
