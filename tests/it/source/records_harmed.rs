//! Files of records with one value or record harmed: the file stays what it is, and what is of no use in its
//! place comes back from the graph or is told.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use crate::share::one_of;
use evalgraph::json::{JsonDocument, Limits, TokenId, parse, parse_lines};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, LoadMode, NoLoader};
use evalgraph::rdf::{QuadBuffer, RdfFormat, write};
use evalgraph::source::records::{
    ComposedDocument, CompositionFindings, FileShape, RecognisedRecords, compose,
};
use evalgraph::source::registry::recognise;
use evalgraph::source::rewriting::IndexedGraph;
use evalgraph::source::sidecar::file_form::FileNotation;
use evalgraph::source::sidecar::record_sidecar::{file_layout, restored};
use std::collections::BTreeSet;
use std::fs;

const BASE: &str = "urn:evalgraph:any:set:";

/// Values of every kind.
const VALUES: [&str; 6] = ["null", "true", "7", "\"x\"", "[]", "{}"];

/// The fixtures of records in JSON and JSON lines by their paths below the folder of fixtures, the smallest
/// first.
fn fixtures() -> Vec<String> {
    let mut files = Vec::new();
    let mut folders: Vec<String> = [
        "train",
        "kwanzaa",
        "rlcf",
        "results",
        "verification",
        "across",
        "chat",
        "every-eval-ever",
        "inspect",
        "lm-eval",
        "helm",
    ]
    .map(str::to_owned)
    .into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(path(&folder)).expect("the folder is there") {
            let entry = entry.expect("the folder can be read");
            let name = format!("{folder}/{}", entry.file_name().display());
            if entry.path().is_dir() {
                let is_other =
                    ["bad", "worked", "errors", "corpus"].iter().any(|other| name.ends_with(other));
                folders.extend((!is_other).then_some(name));
            } else if name.ends_with(".json") || name.ends_with(".jsonl") {
                files.push(name);
            }
        }
    }
    files.sort_by_key(|name| (fs::metadata(path(name)).map_or(0, |file| file.len()), name.clone()));
    files
}

fn parsed(name: &str, text: &str) -> JsonDocument {
    let parse = if name.ends_with(".jsonl") { parse_lines } else { parse };
    parse(name, text.to_owned(), Limits::default()).expect("it is JSON")
}

/// What a file says as quads, what there is to be told of it, and the file that is made of the quads.
pub(crate) fn there_and_back(
    file: &JsonDocument,
    shape: &FileShape,
    notation: FileNotation,
) -> (String, CompositionFindings, String) {
    let (ComposedDocument { document, json_values }, account) =
        compose(file, shape, BASE).expect("it is short");
    let mode = LoadMode { json_values, ..LoadMode::default() };
    let mut quads = QuadBuffer::new();
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader).with_load_mode(mode);
    let conversion = processor.to_rdf(&document, &mut quads).expect("it is JSON-LD");
    assert_eq!(conversion.warnings.len(), 0, "{:?}", conversion.warnings);
    let graph = IndexedGraph::new(&quads, None);
    let root = quads.find_iri(BASE.trim_end_matches(':')).expect("the root has an IRI");
    let layout = file_layout(file, &graph, root, shape, notation).expect("it is short");
    let back = restored(&graph, root, shape, "set", &layout).expect("it is short");
    let mut text = Vec::new();
    write(&quads, RdfFormat::NTriples, &mut text).expect("memory takes it");
    (String::from_utf8(text).expect("N-Triples are UTF-8"), account, back.text)
}

/// The text with another value in the place of one.
fn with_value(file: &JsonDocument, value: TokenId, other: &str) -> String {
    let bytes = file.bytes(value);
    format!("{}{other}{}", &file.text()[..bytes.start], &file.text()[bytes.end..])
}

/// Where a value stands, whichever item of a list it is in.
fn pattern(pointer: &str) -> String {
    let is_index = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = pointer.split('/').map(|part| if is_index(&part) { "*" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// A value in each place of a file that is not its root, and that no file of its dialect had before.
fn places(file: &JsonDocument, dialect: &str, seen: &mut BTreeSet<String>) -> Vec<(TokenId, String)> {
    let mut found = Vec::new();
    let mut waiting = vec![file.root()];
    while let Some(container) = waiting.pop() {
        let values: Vec<TokenId> = match file.is_array(container) {
            true => file.items(container).take(2).collect(),
            false => file.members(container).map(|member| member.value).collect(),
        };
        for value in values {
            let pointer = file.pointer(value);
            if seen.insert(format!("{dialect} {}", pattern(&pointer))) {
                found.push((value, pointer));
            }
            waiting.push(value);
        }
    }
    found
}

/// A text as values: the layout of what no program writes does not come back.
fn json(text: &str) -> Vec<serde_json::Value> {
    let values = serde_json::Deserializer::from_str(text).into_iter();
    values.collect::<Result<_, _>>().expect("it is JSON")
}

fn recognised(file: &JsonDocument) -> Option<RecognisedRecords> {
    recognise(file, None, None).ok().flatten()
}

#[test]
fn a_value_of_another_kind_is_in_the_graph_and_comes_back_or_is_told() {
    let mut faults = Vec::new();
    let mut tried = 0;
    let mut seen = BTreeSet::new();
    for name in fixtures() {
        let text = fs::read_to_string(path(&name)).expect("the fixture is there");
        let file = parsed(&name, &text);
        let Some(found) = recognised(&file) else { continue };
        let (shape, dialect) = (found.shape, found.dialect());
        let (quads, told_before, _) = there_and_back(&file, &shape, FileNotation::Json);
        let places = places(&file, &dialect, &mut seen).into_iter().enumerate();
        for (number, (value, pointer)) in places.step_by(one_of(2)) {
            // Each place gets two of the values, its neighbours the others.
            let some = VALUES.into_iter().enumerate().filter(|(at, _)| (at + number) % 3 == 0);
            for other in some.map(|(_, other)| other).filter(|&other| other != file.raw(value)) {
                let harmed = parsed(&name, &with_value(&file, value, other));
                let (now, told, back) = there_and_back(&harmed, &shape, FileNotation::Json);
                let is_told = told.misplaced.len() > told_before.misplaced.len()
                    || told.unknown.len() > told_before.unknown.len()
                    || pointer.split('/').any(|key| told.unknown.contains_key(key))
                    // Keys of services are in no table, and overwritten before anything looks at a file.
                    || pointer.ends_with("api_key");
                // What is said elsewhere, too, is still in the graph.
                let has_changed = now != quads || matches!(other, "null" | "[]" | "{}");
                let is_back = json(&back) == json(harmed.text());
                tried += 1;
                let arrived = has_changed && is_back;
                if !(is_told || arrived) {
                    let fault = if has_changed { "does not come back" } else { "is not in the graph" };
                    faults.push(format!("{name} {pointer}: {other} {fault}"));
                }
            }
        }
    }
    assert!(tried * one_of(2) > 500, "{tried}");
    assert!(faults.is_empty(), "{} of {tried}\n{}", faults.len(), faults.join("\n"));
}

/// The records of a file: the items of the outermost list, and of the lists of the outermost object.
fn records(file: &JsonDocument) -> Vec<Vec<TokenId>> {
    let root = file.root();
    let lists: Vec<TokenId> = match file.is_array(root) {
        true => vec![root],
        false => file.members(root).map(|member| member.value).collect(),
    };
    let objects = |list: TokenId| file.items(list).filter(|&item| file.is_object(item)).collect();
    lists.into_iter().map(objects).filter(|records: &Vec<TokenId>| records.len() > 1).collect()
}

#[test]
fn a_harmed_record_leaves_a_file_what_it_is() {
    let mut faults = Vec::new();
    let mut tried = 0;
    for name in fixtures() {
        let text = fs::read_to_string(path(&name)).expect("the fixture is there");
        let file = parsed(&name, &text);
        let Some(before) = recognised(&file) else { continue };
        for list in records(&file) {
            for record in [list[0], list[list.len() / 2], list[list.len() - 1]] {
                for other in VALUES {
                    let harmed = parsed(&name, &with_value(&file, record, other));
                    tried += 1;
                    let now = recognised(&harmed).map(|now| now.dialect());
                    if now.as_deref() != Some(&before.dialect()) {
                        faults.push(format!("{name} {}: {other} makes it {now:?}", file.pointer(record)));
                    }
                }
                for member in file.members(record) {
                    let bytes = file.bytes(member.key);
                    let text =
                        format!("{}\"lost\"{}", &file.text()[..bytes.start], &file.text()[bytes.end..]);
                    let harmed = parsed(&name, &text);
                    tried += 1;
                    let now = recognise(&harmed, None, None).map(|now| now.map(|now| now.dialect()));
                    if now.as_ref().is_ok_and(|now| now.as_deref() != Some(&before.dialect())) {
                        let pointer = file.pointer(member.key);
                        faults.push(format!("{name} {pointer}: without it {now:?}"));
                    }
                }
            }
        }
    }
    assert!(tried > 1000, "{tried}");
    assert!(faults.is_empty(), "{} of {tried}\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn what_is_no_record_is_told_with_its_place_by_every_command() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = [
        (
            "rows.json",
            "[\n null,\n \"MARK\",\n {\"id\": 1, \"question\": \"q\", \"answer\": \"a\", \"is_impossible\": false}\n]\n",
            vec![
                "rows.json:2:2: warning[records::misplaced]: expected a row (an object), found null",
                "rows.json:3:2: ",
            ],
        ),
        (
            "users.json",
            "[{\"id\": 1, \"username\": \"a\"},\n null,\n {\"id\": 2, \"username\": \"b\"}]\n",
            vec!["users.json:2:2: warning[records::misplaced]: expected a User (an object), found null"],
        ),
        (
            "ratings.jsonl",
            "{\"id\":1,\"user_id\":1,\"feedback_id\":1,\"helpfulness_score\":4}\nnull\n",
            vec![
                "ratings.jsonl:2:1: warning[records::misplaced]: expected a FeedbackRating (an object), found null",
            ],
        ),
        (
            "tasks.yaml",
            "tasks:\n  - task_type: QA\n    input_data:\n      question: Why?\n  - just a text\n",
            vec![
                "tasks.yaml:5:5: warning[records::misplaced]: expected a YamlTask (an object), found a string",
            ],
        ),
        (
            "export.json",
            "{\"users\": [null,\n {\"id\": 1, \"username\": \"a\"}], \"feedback\": [],\n \"tasks\": [7]}\n",
            vec![
                "export.json:1:12: warning[records::misplaced]: expected a User (an object), found null",
                "export.json:3:12: ",
            ],
        ),
        (
            "rag_summary.json",
            "{\"nv_accuracy_mean\": 0.5,\n \"token_usage\": \"many\"}\n",
            vec![
                "rag_summary.json:2:17: warning[records::misplaced]: `token_usage` is a string, but should be an object",
            ],
        ),
    ];
    for (name, text, told) in files {
        fs::write(folder.path().join(name), text).expect("the folder is ours");
        let commands: [&[&str]; 5] = [
            &["stats", name],
            &["stats", name, "--in-pieces-of", "1"],
            &["query", name, "-q", "ASK {}"],
            &["convert", name, "--to", "nq"],
            &["canon", name],
        ];
        for command in commands {
            let (status, _, stderr) = run(folder.path(), command);
            assert_eq!(status, 0, "{command:?}: {stderr}");
            for told in &told {
                assert!(stderr.contains(told), "{command:?}: {told}\n{stderr}");
            }
            let strict: Vec<&str> = command.iter().copied().chain(["--strict"]).collect();
            let (status, _, stderr) = run(folder.path(), &strict);
            assert_eq!(status, 2, "{strict:?}");
            assert!(stderr.contains("[records::misplaced]"), "{strict:?}: {stderr}");
        }
    }
}

#[test]
fn what_is_no_object_in_version_2_is_told_or_comes_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for name in ["karenina/v2c-oceans.json", "karenina/v2b-meteorology.json"] {
        let text = fs::read_to_string(path(name)).expect("the fixture is there");
        let file = parsed(name, &text);
        let quads_of = |text: &str| {
            fs::write(folder.path().join("file.json"), text).expect("the folder is ours");
            run(folder.path(), &["convert", "file.json", "--to", "nq"])
        };
        let (_, before, told_before) = quads_of(&text);
        for (number, (value, pointer)) in places(&file, "v2", &mut seen).into_iter().enumerate() {
            let some = ["\"x\"", "[null]", "[]", "7"].into_iter().enumerate();
            let some = some.filter(|(at, _)| *at == 0 || *at == 1 + number % 3);
            for other in some.map(|(_, other)| other).filter(|&other| other != file.raw(value)) {
                let harmed = with_value(&file, value, other);
                let (status, now, told) = quads_of(&harmed);
                if status == 2 || told.matches("warning[").count() > told_before.matches("warning[").count() {
                    continue;
                }
                let (_, back, _) = run(folder.path(), &["convert", "file.json", "--to", "same"]);
                let has_changed = now != before || matches!(other, "[]");
                if !has_changed || json(&back) != json(&harmed) {
                    faults.push(format!("{name} {pointer}: {other}"));
                }
            }
        }
    }
    assert!(seen.len() > 30, "{}", seen.len());
    assert!(faults.is_empty(), "{}\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn validate_tells_of_what_is_no_object_in_a_rule_or_beside_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut silent = Vec::new();
    let mut seen = BTreeSet::new();
    for name in fixtures().into_iter().filter(|name| {
        !name.starts_with("results") && !name.starts_with("verification") && !name.contains("chat")
    }) {
        let text = fs::read_to_string(path(&name)).expect("the fixture is there");
        let file = parsed(&name, &text);
        let Some(found) = recognised(&file) else { continue };
        for (value, pointer) in places(&file, &found.dialect(), &mut seen) {
            let harmed = with_value(&file, value, "\"x\"");
            let document = parsed(&name, &harmed);
            let (_, told, _) = there_and_back(&document, &found.shape, FileNotation::Json);
            if told.misplaced.iter().all(|misplaced| document.pointer(misplaced.value) != pointer) {
                continue;
            }
            let to = folder.path().join(&name);
            fs::create_dir_all(to.parent().expect("it is in a folder")).expect("the folder is ours");
            fs::write(to, &harmed).expect("the folder is ours");
            let (status, stdout, stderr) = run(folder.path(), &["validate", &name, "--shown", "1000", "-v"]);
            // A file without its only record is nobody's, and refused.
            if status != 2 && !format!("{stdout}{stderr}").contains(&pointer) {
                silent.push(format!("{name} {pointer}"));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
