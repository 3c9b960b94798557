//! Every system's questions in the form of every system: by file, by a bare graph, and by a graph with a
//! sidecar. Questions and answers stay as they are and in their order, what is lost is told, and the
//! result keeps to the rules of its system.

use crate::cli::input::evalgraph;
use crate::karenina::fixtures::path;
use evalgraph::json::{Limits, parse};
use evalgraph::source::rlcf::rules::{RecordRegister, RlcfProfile, RlcfRuleSettings, validate};
use evalgraph::source::rlcf::tell;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The systems, each with a fixture and the extension of its files.
const SYSTEMS: [(&str, &str, &str); 4] = [
    ("karenina", "karenina/p2-genomics.jsonld", "jsonld"),
    ("train", "train/general-knowledge/train.json", "json"),
    ("kwanzaa", "kwanzaa/each-category.json", "json"),
    ("rlcf", "rlcf/tasks.jsonl", "json"),
];

/// A question with its answer, where it has one that says more than that there is none.
type Pair = (String, Option<String>);

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut program = evalgraph(folder);
    let output = program.env("SOURCE_DATE_EPOCH", "1767225600").args(arguments).output();
    let output = output.expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program speaks UTF-8");
    (output.status.code().expect("the program ends by itself"), text(output.stdout), text(output.stderr))
}

fn string(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !matches!(*text, "" | "-")).map(str::to_owned)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("an array").iter()
}

/// The questions of a file of a system, without the program's help.
fn pairs(system: &str, text: &str) -> Vec<Pair> {
    let parsed = serde_json::from_str(text);
    let json: Value = parsed.unwrap_or_else(|_| {
        text.lines().map(|line| serde_json::from_str::<Value>(line).expect("lines of JSON")).collect()
    });
    let pairs = match system {
        "karenina" => list(&json["dataFeedElement"])
            .map(|element| &element["item"])
            .map(|item| (string(&item["text"]), string(&item["acceptedAnswer"]["text"])))
            .collect::<Vec<_>>(),
        "train" => list(&json).map(|row| (string(&row["question"]), string(&row["answer"]))).collect(),
        "kwanzaa" => list(&json["samples"])
            .map(|sample| {
                let answer = string(&sample["expected_output"]["answer"]["text"]);
                // A refusal says that there is none.
                (string(&sample["user_query"]), answer.filter(|_| sample["category"] != "refusal"))
            })
            .collect(),
        _ => list(&json).map(task).collect(),
    };
    pairs.into_iter().filter_map(|(question, answer)| Some((question?, answer))).collect()
}

/// What a task asks, whatever its type; labels that a model has to find are not an answer in words.
fn task(task: &Value) -> (Option<String>, Option<String>) {
    let keys = ["question", "text", "document", "source"];
    let question = keys.iter().find_map(|key| string(&task["input_data"][*key]));
    let keys = ["validated_answer", "answer_text", "chosen_label"];
    (question, keys.iter().find_map(|key| string(&task["ground_truth_data"][*key])))
}

/// The questions of a fixture.
fn expected(system: &str, file: &str) -> Vec<Pair> {
    pairs(system, &fs::read_to_string(path(file)).expect("the fixture is there"))
}

/// The codes of what was said, each once.
fn codes(stderr: &str) -> Vec<&str> {
    let said = stderr.lines().filter(|line| line.starts_with(['w', 'n', 'e']));
    let mut codes: Vec<&str> = said.filter_map(|line| line.split_once(']').map(|(code, _)| code)).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

fn check(folder: &Path, from: &str, to: &str, input: &str, expected: &[Pair]) {
    let extension = SYSTEMS.iter().find(|(name, ..)| *name == to).map_or("json", |found| found.2);
    let output = format!("{from}-to-{to}.{extension}");
    let told = format!("{input} as {to}");
    let arguments = ["convert", input, "--to", to, "--report-loss", "-o", &output];
    let (status, stdout, stderr) = run(folder, &arguments);
    assert_eq!((status, stdout.as_str()), (0, ""), "{told}: {stderr}");
    let may_be_said =
        ["warning[convert::loss", "warning[convert::refused", "note[convert::default", "note[load::changed"];
    for code in codes(&stderr) {
        assert!(may_be_said.contains(&code), "{told}: {stderr}");
    }
    // No two systems have the same to say of a question.
    assert!(from == to || stderr.contains("[convert::"), "{told}: {stderr}");
    let text = fs::read_to_string(folder.join(&output)).expect("it was written");
    let mut found = pairs(to, &text);
    // The refusal of a sample is a text that other forms have as the answer.
    for (pair, expected) in found.iter_mut().zip(expected) {
        pair.1 = pair.1.take().filter(|_| expected.1.is_some());
    }
    let mut expected = expected.to_vec();
    if to == "kwanzaa" {
        expected = without_left_out(expected, &found, &stderr);
    }
    if (from, input) == ("karenina", "bare.nq") {
        // The elements of a checkpoint have no positions: their order is in the sidecar alone.
        found.sort();
        expected.sort();
    }
    assert_eq!(found, expected, "{told}");
    if to == "rlcf" {
        return conforms_as_tasks(&text, &told);
    }
    let profile = match to {
        "karenina" => "karenina",
        // The ids of rows are those of their source.
        "train" => "code",
        _ => "seed",
    };
    let (status, stdout, stderr) = run(folder, &["validate", &output, "--profile", profile]);
    assert_eq!(status, 0, "{told}: {stdout}{stderr}");
    let kind = match to {
        "karenina" => "karenina (dialect ",
        "train" => "code (train/rows)",
        _ => "seed (kwanzaa/dataset)",
    };
    assert!(stdout.starts_with(&format!("{output}: conforms to {kind}")), "{told}: {stdout}");
}

/// The questions without those that were told to be left out.
fn without_left_out(expected: Vec<Pair>, found: &[Pair], stderr: &str) -> Vec<Pair> {
    // What has no question is not among those that are expected.
    let told = stderr.lines().filter(|line| !line.contains("they have no text"));
    let told = told.filter_map(|line| line.split_once(" leaves out "));
    let counts = told.map(|(_, rest)| rest.split(' ').next().and_then(|count| count.parse::<usize>().ok()));
    let left_out: usize = counts.map(|count| count.expect("a number")).sum();
    assert_eq!(expected.len(), found.len() + left_out, "{stderr}");
    expected.into_iter().filter(|pair| found.contains(pair)).collect()
}

fn conforms_as_tasks(text: &str, told: &str) {
    let document = parse("tasks.json", text.to_owned(), Limits::default()).expect("it is JSON");
    let tasks = tell(&document, "tasks.json", None).expect("they are tasks");
    let mut register = RecordRegister::default();
    register.add(&document, &tasks);
    let report = validate(&document, &tasks, RlcfProfile::Seed, &RlcfRuleSettings::default(), &register);
    assert!(report.results.is_empty(), "{told}: {:?}", report.results);
}

fn from_system(from: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (_, file, _) = SYSTEMS.into_iter().find(|(name, ..)| *name == from).expect("it is a system");
    let source = path(file).display().to_string();
    let expected = expected(from, file);
    assert!(expected.len() >= 4, "{from}");
    for (graph, with) in [("bare.nq", &[][..]), ("sidecar.nq", &["--with", "sidecar"])] {
        let arguments = [&["convert", &source, "--to", "nq", "-o", graph][..], with].concat();
        let (status, _, stderr) = run(folder.path(), &arguments);
        assert_eq!(status, 0, "{source}: {stderr}");
    }
    for (to, ..) in SYSTEMS {
        for input in [source.as_str(), "bare.nq", "sidecar.nq"] {
            check(folder.path(), from, to, input, &expected);
        }
    }
}

#[test]
fn checkpoints_become_files_of_every_system() {
    from_system("karenina");
}

#[test]
fn rows_become_files_of_every_system() {
    from_system("train");
}

#[test]
fn samples_become_files_of_every_system() {
    from_system("kwanzaa");
}

#[test]
fn tasks_become_files_of_every_system() {
    from_system("rlcf");
}

/// Several inputs go into a folder, and losses are refused where warnings are.
#[test]
fn the_targets_behave_alike() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = path("karenina/p2-genomics.jsonld").display().to_string();
    for to in ["karenina-gui", "train", "kwanzaa", "rlcf"] {
        let source = match to {
            "karenina-gui" => path("karenina/p2-scenario.jsonld").display().to_string(),
            _ => source.clone(),
        };
        let (status, stdout, stderr) = run(folder.path(), &["convert", &source, "--to", to, "--strict"]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{to}: {stderr}");
        assert!(stderr.contains(&format!("warning[convert::loss]: {to} cannot hold ")), "{to}: {stderr}");
        let place = format!("{to}/");
        let (status, stdout, stderr) = run(folder.path(), &["convert", &source, "--to", to, "-o", &place]);
        assert_eq!((status, stdout.as_str()), (0, ""), "{to}: {stderr}");
        assert_eq!(stderr.contains("more: `-v` lists them"), to != "karenina-gui", "{to}: {stderr}");
        assert!(fs::read_dir(folder.path().join(&place)).expect("it was made").next().is_some(), "{to}");
        let arguments = ["convert", &source, "--to", to, "-o", &place, "--report-loss"];
        let (_, _, stderr) = run(folder.path(), &arguments);
        assert!(!stderr.contains("more: `-v` lists them"), "{to}: {stderr}");
        let (status, _, stderr) = run(folder.path(), &["convert", &source, "--to", to, "--with", "sidecar"]);
        assert!(status == 2 && stderr.contains("error[output::with]"), "{to}: {stderr}");
    }
    let (status, _, stderr) = run(folder.path(), &["convert", &source, "--to", "rlcf", "--touch"]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("`--touch` is for checkpoints, but the output is rlcf"), "{stderr}");
}

#[test]
fn a_loss_names_the_places_of_the_file() {
    let file = path("rlcf/tasks.yaml");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = file.to_str().expect("names are UTF-8");
    let (status, _, stderr) = run(
        folder.path(),
        &["convert", file, "--from", "rlcf", "--to", "train", "--report-loss", "-o", "out/"],
    );
    assert_eq!(status, 0, "{stderr}");
    let expected =
        ":3:5: warning[convert::loss]: train cannot hold `ai_response` (5 times) of `tasks`, also at 9:5\n";
    assert!(stderr.contains(expected), "{stderr}");
}
