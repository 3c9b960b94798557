//! What `[expect]` of `evalgraph.toml` expects of the data of a run: shares of questions, and rows of named queries.

use super::input::{evalgraph, run};
use crate::fixture_files::root;
use std::fs;
use tempfile::TempDir;

/// A folder with four questions, eight more in the folder `drafts`, and a configuration.
fn project(configuration: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("drafts")).expect("our folder");
    let copies = [("karenina/p1-physics.jsonld", "a.jsonld"), ("train/support-desk.json", "drafts/b.json")];
    for (from, to) in copies {
        fs::copy(root().join(from), folder.path().join(to)).expect("a copy");
    }
    fs::write(folder.path().join("evalgraph.toml"), configuration).expect("our folder");
    folder
}

/// The results about expectations: place and message.
fn missed(folder: &TempDir, arguments: &[&str]) -> Vec<String> {
    let (status, stdout, stderr) =
        run(folder.path(), &[&["validate"], arguments, &["--format", "json"]].concat());
    assert!(status < 2, "{stderr}");
    let files: serde_json::Value = serde_json::from_str(&stdout).expect("it is JSON");
    let results = files.as_array().expect("files").iter().filter(|file| file["profile"] == "expect");
    let results = results.flat_map(|file| file["results"].as_array().expect("results").clone());
    let shown = |result: serde_json::Value| {
        let text = |key: &str| result[key].as_str().unwrap_or_default().to_owned();
        format!(
            "{}:{}:{} {} {}",
            text("file"),
            result["line"],
            result["column"],
            text("rule"),
            text("message")
        )
    };
    results.map(shown).collect()
}

#[test]
fn what_is_missed_is_a_result_with_its_place_and_what_is_met_is_not() {
    let folder = project(
        "[expect]\nquestions = \">= 100\"\nanswer = \">= 75 %\"\nkeywords = \">=80%\"\nunfinished = \"= 0\"\n",
    );
    let expected = [
        "evalgraph.toml:2:13 expect/questions `questions`: 12 rows, expected >= 100",
        "evalgraph.toml:4:12 expect/keywords `keywords`: 25 % of 12 questions (3), expected >= 80 %",
        "evalgraph.toml:5:14 expect/unfinished `unfinished`: 1 row, expected = 0",
    ];
    assert_eq!(missed(&folder, &["."]), expected);
    // All inputs of a run count together.
    let of_one = ["`questions`: 4 rows", "`keywords`: 75 % of 4 questions (3)", "`unfinished`: 1 row"];
    for (found, expected) in missed(&folder, &["a.jsonld"]).iter().zip(of_one) {
        assert!(found.contains(expected), "{found}");
    }
    let (status, stdout, stderr) = run(folder.path(), &["validate", ".", "-v"]);
    assert_eq!(status, 1);
    assert!(
        stdout.contains("evalgraph.toml: does not conform to expect (thresholds): 3 violations"),
        "{stdout}"
    );
    assert!(
        stdout.contains("objects checked: expect/questions 1, expect/answer 12, expect/keywords 12"),
        "{stdout}"
    );
    let met = "evalgraph.toml:3:10: note[expect::met]: `answer`: 75 % of 12 questions (9), expected >= 75 %";
    assert!(stderr.contains(met), "{stderr}");
    // Without -v, only what is missed is reported.
    let (_, _, stderr) = run(folder.path(), &["validate", "."]);
    assert!(!stderr.contains("expect::met"), "{stderr}");
}

#[test]
fn the_exit_status_is_that_of_the_expectations_if_the_files_conform() {
    for (threshold, expected) in [("= 4", 0), ("> 4", 1)] {
        let rules = "[rules]\nK-P1 = \"off\"\nK-P2 = \"off\"\n";
        let folder = project(&format!("{rules}[expect]\nquestions = \"{threshold}\"\n"));
        let (status, stdout, stderr) = run(folder.path(), &["validate", "a.jsonld"]);
        assert_eq!(status, expected, "{stdout}{stderr}");
    }
}

#[test]
fn each_form_of_the_report_has_the_results() {
    let folder = project("[expect]\nanswer = \"= 100 %\"\n");
    for form in
        ["text", "table", "json", "jsonl", "csv", "sarif", "junit", "github", "gitlab", "markdown", "html"]
    {
        let (status, stdout, stderr) = run(folder.path(), &["validate", ".", "--format", form]);
        assert_eq!(status, 1, "{form}: {stderr}");
        assert!(stdout.contains("evalgraph.toml"), "{form}: {stdout}");
        assert!(stdout.contains("expect/answer") && stdout.contains("75 %"), "{form}: {stdout}");
    }
    let (_, sarif, _) = run(folder.path(), &["validate", ".", "--format", "sarif"]);
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("it is JSON");
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    let rule = rules.iter().find(|rule| rule["id"] == "expect/answer").expect("the rule is there");
    assert!(rule["help"]["markdown"].as_str().is_some_and(|help| help.contains("To do: ")), "{rule}");
}

#[test]
fn a_baseline_and_a_switch_apply_to_expectations() {
    let folder =
        project("[expect]\nanswer = \"= 100 %\"\n[rules]\nK-P1 = \"off\"\nK-P2 = \"off\"\nT-6 = \"off\"\n");
    let (status, _, _) = run(folder.path(), &["validate", ".", "-o", "old.sarif"]);
    assert_eq!(status, 1);
    let (status, stdout, _) = run(folder.path(), &["validate", ".", "--baseline", "old.sarif"]);
    assert_eq!(status, 0, "{stdout}");
    let configuration = fs::read_to_string(folder.path().join("evalgraph.toml")).expect("ours");
    fs::write(
        folder.path().join("evalgraph.toml"),
        format!("{configuration}\"expect/answer\" = \"warning\"\n"),
    )
    .expect("ours");
    let (status, stdout, stderr) = run(folder.path(), &["validate", "."]);
    assert_eq!((status, stderr.contains("config::rule")), (0, false), "{stdout}{stderr}");
    assert!(stdout.contains("expect/answer warning"), "{stdout}");
}

#[test]
fn a_folder_has_its_own_expectations() {
    let folder = project("[expect.drafts]\nanswer = \">= 90 %\"\nquestions = \"= 8\"\n");
    let expected = [
        "evalgraph.toml:2:10 expect/drafts/answer `answer` in `drafts`: 62 % of 8 questions (5), expected >= 90 %",
    ];
    for inputs in [&["."][..], &["drafts/b.json"], &["a.jsonld", "./drafts"]] {
        assert_eq!(missed(&folder, inputs), expected, "{inputs:?}");
    }
    // The folder is that of the file with the keys, wherever the command runs.
    let (status, stdout, _) = run(&folder.path().join("drafts"), &["validate", "../drafts/b.json"]);
    assert!(status == 1 && stdout.contains("62 % of 8 questions"), "{stdout}");
    let (_, stdout, stderr) = run(folder.path(), &["validate", "a.jsonld"]);
    assert!(!stdout.contains("expect/drafts/answer violation"), "{stdout}");
    let note =
        "note[expect::skipped]: no file of this run is in `drafts`, so `[expect.drafts]` is not checked";
    assert!(stderr.contains(note), "{stderr}");
    let (_, junit, _) = run(folder.path(), &["validate", "a.jsonld", "--format", "junit"]);
    assert!(junit.contains("skipped=\"2\"") && junit.contains("expect/drafts/answer"), "{junit}");
}

#[test]
fn mistakes_stop_the_run_before_anything_is_checked() {
    let cases = [
        (
            "rubrik = \">= 80 %\"",
            "2:1: error[config::key]: no column of the questions is called `rubrik`",
            "`rubric`",
        ),
        ("unfinishd = \"= 0\"", "2:1: error[config::key]: no query is called `unfinishd`", "`unfinished`"),
        ("banana = \"= 1 %\"", "2:1: error[config::key]: no column", "the columns are `answer`, `finished`"),
        ("banana = \"= 1\"", "2:1: error[config::key]: no query", "`evalgraph queries` lists"),
        ("unfinished = \"<= 5 %\"", "2:14: error[config::value]: `unfinished` is a query", "such as `<= 5`"),
        ("rubric = \">= 80\"", "2:10: error[config::value]: `rubric` is a column", "such as `>= 80 %`"),
        (
            "rubric = \"80 %\"",
            "2:10: error[config::value]: `rubric` has to be a threshold",
            "the comparisons are",
        ),
        ("rubric = \">= 180 %\"", "2:10: error[config::value]", "0 to 100 %"),
        ("unfinished = 0", "2:14: error[config::value]", "`\"= 0\"`"),
    ];
    for (line, error, help) in cases {
        let folder = project(&format!("[expect]\n{line}\n"));
        let (status, stdout, stderr) = run(folder.path(), &["validate", "missing.jsonld", "."]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{line}: {stderr}");
        assert!(
            stderr.contains(&format!("evalgraph.toml:{error}")) && stderr.contains(help),
            "{line}: {stderr}"
        );
        assert!(!stderr.contains("missing.jsonld"), "{stderr}");
    }
}

#[test]
fn queries_of_the_project_are_counted_and_have_to_have_rows() {
    let folder = project("queries = \"asked\"\n[expect]\nlong-answers = \"<= 2\"\nanswers = \">= 1\"\n");
    fs::create_dir(folder.path().join("asked")).expect("our folder");
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join("asked").join(name), text).expect("our folder");
    };
    let long = "# param: least integer = 20\nSELECT ?q { ?q s:acceptedAnswer/s:text ?a FILTER(STRLEN(?a) > ?least) }\n";
    write("long-answers.rq", long);
    write("answers.rq", "CONSTRUCT { ?q s:text ?a } WHERE { ?q s:acceptedAnswer/s:text ?a }\n");
    assert_eq!(
        missed(&folder, &["."]),
        ["evalgraph.toml:3:16 expect/long-answers `long-answers`: 5 rows, expected <= 2"]
    );
    write("answers.rq", "ASK { ?q s:acceptedAnswer ?a }\n");
    let (status, _, stderr) = run(folder.path(), &["validate", "."]);
    assert_eq!(status, 2);
    assert!(
        stderr.contains("evalgraph.toml:4:1: error[config::value]: the query `answers` answers yes or no"),
        "{stderr}"
    );
    write("answers.rq", "SELECT ?q { ?q s:text \n");
    let (status, _, stderr) = run(folder.path(), &["validate", "."]);
    assert!(status == 2 && stderr.contains("answers.rq:"), "{stderr}");
    // A column of the project's own query is a fact like the others.
    write("answers.rq", "SELECT ?q { ?q s:text ?a }\n");
    write("questions.rq", "SELECT ?q ?long { ?q a s:Question ; s:text ?t BIND(STRLEN(?t) > 40 AS ?long) }\n");
    fs::write(folder.path().join("evalgraph.toml"), "queries = \"asked\"\n[expect]\nlong = \"= 100 %\"\n")
        .expect("ours");
    let found = missed(&folder, &["a.jsonld"]);
    assert!(matches!(&*found, [one] if one.contains("% of 4 questions")), "{found:?}");
}

#[test]
fn what_cannot_be_counted_is_noted() {
    let folder = project("[expect]\nanswer = \">= 80 %\"\nunfinished = \"<= 1\"\n");
    let text = fs::read(folder.path().join("a.jsonld")).expect("ours");
    let mut command = evalgraph(folder.path());
    let command = command.args(["validate", "-", "--profile", "karenina-gui"]).write_stdin(text);
    let output = command.output().expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("evalgraph.toml: conforms to expect"), "{stdout}");
    assert!(stderr.contains("note[expect::skipped]: stdin cannot be read twice"), "{stderr}");
    // A directory of a dataset can be validated without its rows.
    fs::create_dir_all(folder.path().join("rowless/corpus")).expect("ours");
    fs::write(folder.path().join("rowless/corpus/a.txt"), "a text\n").expect("ours");
    let (status, stdout, stderr) = run(folder.path(), &["validate", "rowless"]);
    assert!(status == 1 && stdout.contains("T-1 violation"), "{stdout}{stderr}");
    assert!(stderr.contains("note[expect::skipped]: no input of this run can be counted"), "{stderr}");
    // Data without questions have no shares.
    fs::write(folder.path().join("empty.jsonld"), EMPTY).expect("ours");
    let (_, stdout, stderr) = run(folder.path(), &["validate", "empty.jsonld", "--profile", "karenina-gui"]);
    assert!(stdout.contains("evalgraph.toml: conforms to expect"), "{stdout}{stderr}");
    assert!(
        stderr.contains("evalgraph.toml:2:10: note[expect::skipped]: the data have no questions"),
        "{stderr}"
    );
}

#[test]
fn the_columns_of_questions_have_the_counts_of_stats() {
    let json = |arguments: &[&str]| -> serde_json::Value {
        let (_, stdout, stderr) = run(&root(), &[arguments, &["--format", "json", "--quiet"]].concat());
        serde_json::from_str(&stdout).unwrap_or_else(|fault| panic!("{fault}: {stderr}"))
    };
    let rows = json(&["query", "karenina", "-n", "questions"]);
    let rows = rows.as_array().expect("rows");
    let stats = json(&["stats", "karenina"]);
    let stats = stats.as_array().expect("files");
    assert!(stats.len() >= 19);
    for file in stats {
        let of_file: Vec<_> = rows.iter().filter(|row| row["file"] == file["file"]).collect();
        let having = |column: &str| {
            let has =
                |value: &serde_json::Value| !matches!(value.to_string().as_str(), "null" | "false" | "\"\"");
            of_file.iter().filter(|row| has(&row[column])).count()
        };
        assert_eq!(file["questions"], of_file.len(), "{file}");
        for (column, figure) in [("answer", "answers"), ("finished", "finished"), ("template", "templates")] {
            assert_eq!(file[figure], having(column), "{column} of {}", file["file"]);
        }
    }
}

#[test]
fn questions_of_all_systems_are_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let expected = "questions = \"= 16\"\nanswer = \"> 99 %\"\nsources = \"> 99 %\"\nrubric = \"> 99 %\"\nfinished = \"> 99 %\"";
    fs::write(folder.path().join("evalgraph.toml"), format!("[expect]\n{expected}\n")).expect("ours");
    let across = root().join("across").display().to_string();
    let found = missed(&folder, &[&across]);
    let counts = ["15 rows", "15 questions (13)", "15 questions (7)", "15 questions (3)", "15 questions (4)"];
    assert_eq!(found.len(), counts.len(), "{found:?}");
    for (found, count) in found.iter().zip(counts) {
        assert!(found.contains(count), "{found}");
    }
}

/// A checkpoint without questions.
const EMPTY: &str = r#"{"@context": {"@vocab": "https://schema.org/"}, "@type": "DataFeed", "@id": "urn:uuid:karenina-checkpoint-1.5",
 "name": "Nothing", "version": "0.1.0", "dateCreated": "2026-01-01T00:00:00", "dateModified": "2026-01-01T00:00:00",
 "dataFeedElement": []}"#;

#[test]
fn nothing_is_expected_of_shapes_alone() {
    let folder = project("[expect]\nquestions = \">= 100\"\n");
    let (_, stdout, _) = run(folder.path(), &["validate", "a.jsonld", "--shapes", "common"]);
    assert!(!stdout.contains("expect/questions"), "{stdout}");
    let both = ["validate", "a.jsonld", "--shapes", "common", "--profile", "karenina-gui"];
    let (status, stdout, _) = run(folder.path(), &both);
    assert!(status == 1 && stdout.contains("expect/questions violation"), "{stdout}");
}

#[test]
fn documents_of_a_store_are_counted() {
    let folder = project("[expect.drafts]\nquestions = \"= 9\"\n[expect]\nquestions = \"= 12\"\n");
    assert_eq!(run(folder.path(), &["init"]).0, 0);
    assert_eq!(run(folder.path(), &["load", "a.jsonld", "drafts/b.json"]).0, 0);
    assert_eq!(
        missed(&folder, &[]),
        ["evalgraph.toml:2:13 expect/drafts/questions `questions` in `drafts`: 8 rows, expected = 9"]
    );
}

#[test]
fn only_a_project_expects_something() {
    let folder = project("");
    let own = folder.path().join("own.toml");
    fs::write(&own, "[expect]\nquestions = \">= 100\"\n").expect("ours");
    let mut command = evalgraph(folder.path());
    let output =
        command.env("EVALGRAPH_CONFIG", &own).args(["validate", "a.jsonld"]).output().expect("it starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && stderr.contains("no key is called `expect` here"), "{stderr}");
}
