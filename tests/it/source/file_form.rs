//! YAML and CSV come back as they were, byte for byte, and with what was changed in the graph.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use crate::karenina::graphs::shuffled;
use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::source::rows::{RowFormat, RowOptions, read_rows};
use evalgraph::source::sidecar::file_form::{FileForm, FileNotation};
use evalgraph::source::yaml::read_yaml;
use proptest::prelude::*;
use std::fs;

fn yaml(text: &str) -> Option<JsonDocument> {
    read_yaml("file.yaml", text, Limits::default()).ok()
}

fn csv(text: &str) -> Option<JsonDocument> {
    let format = (RowFormat::Csv, &RowOptions::default());
    read_rows("file.csv", text.to_owned(), format.0, format.1, Limits::default()).ok()
}

fn json(text: &str) -> JsonDocument {
    parse("values", text.to_owned(), Limits::default()).expect("it is JSON")
}

/// The values of a file with a text in them replaced, in the form of the file.
fn edited(text: &str, notation: FileNotation, from: &str, to: &str) -> Option<String> {
    let file = if notation == FileNotation::Yaml { yaml(text) } else { csv(text) }.expect("it can be read");
    let form = FileForm::from_document(&file, notation).expect("it has a form");
    let values = values(&file);
    assert!(values.contains(from), "{values}");
    form.write(&json(&values.replace(from, to)))
}

/// The values of a file as JSON.
fn values(file: &JsonDocument) -> String {
    let mut json = evalgraph::json::StyledJson::new(evalgraph::json::JsonStyle::compact());
    write(file, file.root(), &mut json);
    json.finish()
}

fn write(file: &JsonDocument, value: evalgraph::json::TokenId, json: &mut evalgraph::json::StyledJson) {
    if file.is_object(value) {
        json.open('{');
        for member in file.members(value) {
            json.key(file.symbol_text(member.symbol));
            write(file, member.value, json);
        }
        json.close('}');
    } else if file.is_array(value) {
        json.open('[');
        for item in file.items(value) {
            json.item();
            write(file, item, json);
        }
        json.close(']');
    } else {
        match file.string(value) {
            Some(text) => json.string(&text),
            None => json.scalar(file.raw(value)),
        }
    }
}

const YAML: [&str; 34] = [
    "",
    "# nothing\n",
    "a: 1",
    "a: 1\n",
    "\u{feff}a: é\n",
    "a: 1\r\nb:\r\n  - x\r\n  - 'y'\r\n",
    "%YAML 1.1\n---\na: 1\n...\n",
    "a: 1\n---\n# second\nb: [1, 2]\n---\n- c\n",
    "# top\na:   1   # one\n\n\nb:\t'two' # two\n# end\n",
    "a: ~\nb: Null\nc:\nd: null\ne: \"null\"\n",
    "- True\n- FALSE\n- yes\n- 'true'\n",
    "- 1.50\n- +7\n- 007\n- 0x1F\n- 5e-2\n- -0\n- .5\n- '1'\n",
    "a: |\n  one\n    two\n\n  three\nb: |-\n  x\nc: |+\n  y\n\nd: >\n  folded\n  text\n\n  more\ne: >-\n  one line\n",
    "a: |2\n    deep\n  b\nb: |   # a comment\n  text\n",
    "a: |\n  cut",
    "a: |\n\nb: |-\n",
    "a: plain over\n  two lines\nb: 'quoted over\n  two'\nc: \"and\\\n  \\ so\\x41\\u00e9\\/\"\n",
    "{a: 1, b: [x, 'y', \"z\"], c: {d: , e}, \"f\":1}\n",
    "[a, [b, c], {d: e}, f: g]\n",
    "{\"json\":[1,2,{\"a\":null}],\"b\":\"\\u00e9\"}",
    "a: &x\n  b: 1\n  c: [p, q]\nd: *x\ne: &y 'text'\nf: *y\n",
    "&k key: 1\nother: *k\n",
    "a: !!str 1\nb: !local x\nc: ! 2\nd: !!map {e: 1}\n",
    "? complex\n: value\n? other\n",
    "- - a\n  - b\n-\n  - c\n-\n- d: 1\n  e: 2\n",
    "a:\n- 1\n- 2\nb:\n  - 3\n",
    "a: http://x.example/?a=1#b\nb: x #no\nc: 'x # yes'\nd: \"#\"\n",
    "'quoted key': 1\n\"a\\tb\": 2\nno value:\n? |\n  block key\n: 3\n",
    "a: it's\nb: 'it''s'\nc: \"it's\"\nd: '\"'\n",
    "a: [\n  1, # one\n  2,\n]\nb: {\n  c: d,\n}\n",
    "a: \"tab\\there\"\nb: 'tab\there'\n",
    "a: x: y\n",
    "- \"\\uFEFF\"\n- \"\\x85\"\n- \"\u{1f600}\"\n",
    "a: '0'\nb: 0\nc: \"0\"\nd: |\n  0\n",
];

#[test]
fn yaml_texts_come_back_byte_for_byte() {
    let mut read = 0;
    let mut changed = Vec::new();
    for text in YAML {
        let Some(file) = yaml(text) else { continue };
        read += 1;
        let form = FileForm::from_document(&file, FileNotation::Yaml);
        for values in [&file, &json(&values(&file))] {
            let back = form.as_ref().and_then(|form| form.write(values));
            changed.extend((back.as_deref() != Some(text)).then_some((text, back)));
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
    // One of them is not YAML.
    assert_eq!(read, YAML.len() - 1);
}

const CSV: [&str; 20] = [
    "question,answer\nWhy?,So\n",
    "question,answer\nWhy?,So",
    "question,answer\r\nWhy?,So\r\nHow?,\"a\r\nb\"\r\n",
    "\u{feff}question;answer\nWhy?;So\n",
    "question\tanswer\nWhy?\tSo\n",
    "\"question\",\"answer\"\n\"Why?\",\"So\"\n\"How?\",\"\"\n",
    "id,question\n1,Why?\n\"2\",How?\n03,When?\nx-4,Who?\n",
    "id,question,is_impossible\n1,Why?,True\n2,How?,False\n3,When?,\n4,Who?,yes\n5,What?,maybe\n6,Where?,1\n",
    "question,answer\n\n\nWhy?,So\n\nHow?,Thus\n\n\n",
    "question,answer\nWhy?,So\r\nHow?,Thus\n",
    "question,answer\n\"So, \"\"why\"\"?\",\"a\nb\"\n",
    " question , answer\nWhy?, So \n",
    "question,answer,contexts\nWhy?,So,\"One, two\"\nHow?,,\n",
    "question,answer\nWhy?,\"\"\nHow?,\n",
    "question\nWhy?\n\"\"\nHow?\n",
    "question,answer\n",
    "question,answer",
    "question,answer\nWhy?,a\rb\n",
    "answer,question,note,id\nSo,Why?,kept,1\n",
    "question,answer\n,\n,\nWhy?,So\n",
];

#[test]
fn tables_come_back_byte_for_byte() {
    for text in CSV {
        let file = csv(text).unwrap_or_else(|| panic!("{text:?} is a table"));
        let form = FileForm::from_document(&file, FileNotation::Csv(None))
            .unwrap_or_else(|| panic!("{text:?} has no form"));
        assert_eq!(form.write(&file).as_deref(), Some(text));
    }
}

#[test]
fn a_change_of_a_value_shows_and_nothing_else() {
    let text = "# all\ntasks:\n  - q: 'one' # first\n    n: 1.50\n  - q: |\n      two\n      lines\n    l: [a, \"b\"]\n";
    for (from, to, old, new) in [
        ("\"one\"", "\"it's\"", "'one'", "'it''s'"),
        ("\"one\"", "\"a\\nb\"", "'one'", "\"a\\nb\""),
        ("1.50", "1.75", "1.50", "1.75"),
        ("1.50", "null", "1.50", "null"),
        ("two\\nlines\\n", "new\\ntext\\n", "two\n      lines", "new\n      text"),
        ("two\\nlines\\n", "no end", "|\n      two\n      lines", "\"no end\""),
        ("\"a\"", "\"x, y\"", "[a,", "[\"x, y\","),
        ("\"a\"", "\"1\"", "[a,", "[\"1\","),
        (",\"b\"]", ",\"b\",\"c\"]", "\"b\"]", "\"b\", \"c\"]"),
        ("\"n\":1.50", "\"n\":1.50,\"new\":true", "n: 1.50", "n: 1.50\n    new: true"),
        (",\"n\":1.50", "", " # first\n    n: 1.50", ""),
        ("\"q\":\"one\",", "", "q: 'one' # first\n    n", "n"),
        ("[\"a\",\"b\"]", "{\"x\":[1]}", "[a, \"b\"]", "{\"x\": [1]}"),
        ("[\"a\",\"b\"]}]", "[\"a\",\"b\"]},{\"q\":\"three\"}]", "\"b\"]", "\"b\"]\n  - {\"q\": \"three\"}"),
    ] {
        assert_eq!(
            edited(text, FileNotation::Yaml, from, to),
            Some(text.replacen(old, new, 1)),
            "{from} {to}"
        );
    }
    let text = "id;question;note\r\n1;\"So; why?\";\r\n2;How?;x\r\n";
    for (from, to, old, new) in [
        ("So; why?", "Why?", "\"So; why?\"", "Why?"),
        ("How?", "a \\\"b\\\"", "How?", "\"a \"\"b\"\"\""),
        ("\"note\":\"x\"", "\"note\":\"y\"", ";x", ";y"),
        (",\"note\":\"x\"", "", ";x", ";"),
        ("\"id\":2", "\"id\":\"2\"", "2;", "\"2\";"),
        ("}]", "},{\"id\":3,\"question\":\"Who?\"}]", ";x\r\n", ";x\r\n3;Who?;\r\n"),
    ] {
        assert_eq!(
            edited(text, FileNotation::Csv(None), from, to),
            Some(text.replacen(old, new, 1)),
            "{from} {to}"
        );
    }
    let wider = edited("question\nWhy?\n", FileNotation::Csv(None), "}]", ",\"answer\":\"So\"}]");
    assert_eq!(wider.as_deref(), Some("question,answer\nWhy?,So\n"));
    // Two contexts are a list in a cell.
    let two = edited("contexts\na\n", FileNotation::Csv(None), "\"a\"", "\"a\",\"b\"");
    assert_eq!(two.as_deref(), Some("contexts\n\"[\"\"a\"\",\"\"b\"\"]\"\n"));
}

#[test]
fn aliases_that_say_something_else_by_now_are_written_out() {
    let text = "a: &x {b: 1}\nc: *x\n";
    assert_eq!(
        edited(text, FileNotation::Yaml, "\"c\":{\"b\":1}", "\"c\":{\"b\":2}").as_deref(),
        Some("a: &x {b: 1}\nc: {\"b\": 2}\n")
    );
    assert_eq!(
        edited(text, FileNotation::Yaml, "{\"b\":1}", "{\"b\":2}").as_deref(),
        Some("a: &x {b: 2}\nc: *x\n")
    );
}

fn round_trip(folder: &std::path::Path, quads: &str) -> String {
    fs::write(folder.join("quads.nq"), shuffled(quads, 5)).expect("the folder is ours");
    let (status, back, stderr) = run(folder, &["convert", "quads.nq", "--to", "same"]);
    assert_eq!((status, stderr.as_str()), (0, ""), "{back}");
    back
}

#[test]
fn tables_come_back_from_their_shuffled_quads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fixture = fs::read_to_string(path("train/table.csv")).expect("the fixture is there");
    for text in CSV.into_iter().chain([fixture.as_str()]) {
        // What has no question is not a dataset.
        let has_questions = |file: &JsonDocument| {
            let mut rows = file.items(file.root()).peekable();
            rows.peek().is_some() && rows.all(|row| file.get(row, "question").is_some())
        };
        if !csv(text).as_ref().is_some_and(has_questions) {
            continue;
        }
        fs::write(folder.path().join("file.csv"), text).expect("the folder is ours");
        let arguments = ["convert", "file.csv", "--from", "train", "--to", "nq", "--with", "sidecar"];
        let (status, quads, stderr) = run(folder.path(), &arguments);
        assert_eq!(status, 0, "{text:?}: {stderr}");
        assert_eq!(round_trip(folder.path(), &quads), text);
    }
}

#[test]
fn one_cell_and_one_scalar_change_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (from, file, old, new) in [
        ("train", "train/table.csv", "Antarctica", "The \"white\" one"),
        ("rlcf", "rlcf/tasks.yaml", "At ten in the evening.", "At nine: sharp."),
        ("rlcf", "rlcf/tasks.yaml", "Riders are tracked.", "Riders are watched."),
        ("rlcf", "rlcf/tasks.yaml", "pumps", "pails"),
    ] {
        let file = path(file);
        let text = fs::read_to_string(&file).expect("the fixture is there");
        let file = file.to_str().expect("names are UTF-8");
        let (_, quads, _) =
            run(folder.path(), &["convert", file, "--from", from, "--to", "nq", "--with", "sidecar"]);
        let quads: Vec<String> = quads
            .lines()
            .map(|line| {
                if line.contains("graph:sidecar:") {
                    line.to_owned()
                } else {
                    line.replace(old, &new.replace('"', "\\\""))
                }
            })
            .collect();
        let back = round_trip(folder.path(), &(quads.join("\n") + "\n"));
        let is_csv = file.ends_with("csv");
        let written =
            if is_csv { format!("\"{}\"", new.replace('"', "\"\"")) } else { new.replace('"', "\\\"") };
        assert_eq!(back, text.replace(old, &written));
    }
}

proptest! {
    #![proptest_config(crate::generated::cases(300))]

    #[test]
    fn yaml_of_any_pieces_comes_back(pieces in prop::collection::vec(prop::sample::select(vec![
        "a: ", "b:\n", "- ", "  ", "\n", "'", "\"", "x", " y", "|\n", ">-\n", "    z\n", "[", "]", "{", "}", ", ",
        ": ", "# c\n", " #", "&k ", "*k", "!t ", "1.0", "~", "\t", "\r\n", "---\n", "? ", "é", "\\", "%", "|+\n\n",
    ]), 0..14)) {
        let text = pieces.concat();
        if let Some(file) = yaml(&text) && let Some(form) = FileForm::from_document(&file, FileNotation::Yaml) {
            prop_assert_eq!(form.write(&file), Some(text));
        }
    }

    #[test]
    fn tables_of_any_pieces_come_back(pieces in prop::collection::vec(prop::sample::select(vec![
        "a", ",", "\n", "\"", "\"\"", "\r\n", "\r", " ", "1", "true", ";", "é", "id", "contexts", ",\"x\"", "\n\n",
    ]), 0..20)) {
        let text = pieces.concat();
        // What names no column is not a table.
        if let Some(file) = csv(&text).filter(|_| !text.trim_matches(['\r', '\n']).is_empty()) {
            let form = FileForm::from_document(&file, FileNotation::Csv(None));
            prop_assert_eq!(form.and_then(|form| form.write(&file)), Some(text));
        }
    }

    #[test]
    fn values_of_any_kind_go_into_a_mould_or_are_refused(
        (text, other) in (prop::sample::select(YAML.to_vec()), prop::sample::select(YAML.to_vec())),
    ) {
        if let (Some(file), Some(other)) = (yaml(text), yaml(other)) {
            let form = FileForm::from_document(&file, FileNotation::Yaml).expect("it has a form");
            // What is written has been read again and compared.
            let _ = form.write(&other);
        }
    }
}
