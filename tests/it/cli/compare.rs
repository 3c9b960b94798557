//! `compare`: samples are paired as a person would pair them, figures are those of the statistics, and every form says
//! the same.

use super::input::run;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A result of a verification, as a row of a table.
#[derive(Clone)]
struct Row {
    id: String,
    question: String,
    model: &'static str,
    right: bool,
    keywords: &'static str,
    repeat: u32,
}

fn row(id: usize, model: &'static str, right: bool) -> Row {
    let question = format!("What is {id} plus {id}?");
    Row { id: format!("q{id}"), question, model, right, keywords: "[]", repeat: 1 }
}

fn table(rows: &[Row]) -> String {
    let mut csv =
        "question_id,question_text,answering_model,parsing_model,verify_result,run_name,replicate\n"
            .to_owned();
    for row in rows {
        let _ = writeln!(
            csv,
            "{},\"{}\",{},judge,{},run-{},{}",
            row.id,
            row.question.replace('"', "\"\""),
            row.model,
            row.right,
            row.model,
            row.repeat
        );
    }
    csv
}

/// The same results as the library's list in JSON.
fn list(rows: &[Row]) -> String {
    let result = |row: &Row| {
        json!({
            "metadata": {
                "question_id": row.id,
                "question_text": row.question,
                "keywords": serde_json::from_str::<Value>(row.keywords).expect("JSON"),
                "answering": { "interface": "api", "model_name": row.model },
                "parsing": { "interface": "api", "model_name": "judge" },
                "result_id": format!("{}-{}-{}", row.model, row.id, row.repeat),
                "replicate": row.repeat,
            },
            "template": { "verify_result": row.right },
        })
    };
    serde_json::to_string_pretty(&rows.iter().map(result).collect::<Vec<_>>()).expect("it is JSON")
}

fn lines(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let (status, stdout, stderr) = run(folder, &[arguments, &["--format", "jsonl"]].concat());
    assert_eq!(status, 0, "{stderr}");
    stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn of_kind<'l>(lines: &'l [Value], kind: &str) -> Vec<&'l Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}

/// Two runs of 40 samples: B loses 12 of them and gains 2.
fn two_runs() -> [Vec<Row>; 2] {
    let first = (0..40).map(|id| row(id, "old", id >= 2)).collect();
    let second = (0..40).map(|id| row(id, "new", !(2..14).contains(&id))).collect();
    [first, second]
}

#[test]
fn a_comparison_has_the_figures_of_the_exact_test() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second] = two_runs();
    fs::write(folder.path().join("a.csv"), table(&first)).expect("our folder");
    fs::write(folder.path().join("b.csv"), table(&second)).expect("our folder");
    let found = lines(folder.path(), &["compare", "a.csv", "b.csv"]);
    let [row] = of_kind(&found, "comparison")[..] else { panic!("there is one row: {found:?}") };
    assert_eq!((&row["first"], &row["second"]), (&json!(0.95), &json!(0.7)));
    assert_eq!([&row["higher"], &row["lower"], &row["equal"]], [&json!(2), &json!(12), &json!(26)]);
    // scipy.stats.binomtest(2, 14, 0.5).pvalue
    let p_value = row["p"].as_f64().expect("a number");
    assert!((p_value - 0.012_939_453_125).abs() < 1e-12, "{p_value}");
    assert_eq!(row["verdict"], "worse");
    let flips = of_kind(&found, "flip");
    assert_eq!(flips.len(), 14);
    // The losses come first, each with both places.
    assert_eq!(flips[0]["gain"], -1.0);
    assert_eq!(flips[0]["firstResult"], json!({ "file": "a.csv", "line": 4, "column": 1 }));
    assert_eq!(flips[0]["secondResult"], json!({ "file": "b.csv", "line": 4, "column": 1 }));
    assert_eq!(flips[13]["gain"], 1.0);
}

#[test]
fn text_says_what_follows() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, mut second] = two_runs();
    second.pop();
    fs::write(folder.path().join("a.csv"), table(&first)).expect("our folder");
    fs::write(folder.path().join("b.csv"), table(&second)).expect("our folder");
    let (status, stdout, stderr) = run(folder.path(), &["compare", "a.csv", "b.csv", "--shown", "3"]);
    assert_eq!((status, &*stderr), (0, ""));
    insta::assert_snapshot!(stdout, @r#"
         side   model  results  samples
      A  a.csv  old         40       40
      B  b.csv  new         39       39

    B against A
      39 samples in both; 1 only in A
      B is worse than A by verify_result: 0.692 against 0.949, -0.256 (95 % interval -0.420 to -0.068), p 0.0129

    ── all samples (McNemar's exact test)
      metric         verdict  pairs      A      B   B - A     95 % interval  wins  losses  ties       p  shows
      verify_result  worse       39  0.949  0.692  -0.256  -0.420 to -0.068     2      12    25  0.0129  0.246

    ── samples that differ: 12 worse, 2 better
      metric         sample  result of A  result of B      A      B
      verify_result  q2      a.csv:4:1    b.csv:4:1    1.000  0.000
      verify_result  q3      a.csv:5:1    b.csv:5:1    1.000  0.000
      verify_result  q1      a.csv:3:1    b.csv:3:1    0.000  1.000
      … and 11 more

    ── samples only in A
      sample  result
      q39     a.csv:41:1
    "#);
}

#[test]
fn a_swapped_comparison_says_the_opposite_and_the_order_of_samples_does_not_matter() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second] = two_runs();
    let mut turned = second.clone();
    turned.reverse();
    for (name, rows) in [("a.json", &first), ("b.json", &second), ("turned.json", &turned)] {
        fs::write(folder.path().join(name), list(rows)).expect("our folder");
    }
    let figures = |a: &str, b: &str| {
        let found = lines(folder.path(), &["compare", a, b]);
        of_kind(&found, "comparison").into_iter().cloned().collect::<Vec<_>>()
    };
    let (there, back, turned) =
        (figures("a.json", "b.json"), figures("b.json", "a.json"), figures("a.json", "turned.json"));
    assert_eq!(there[0]["p"], back[0]["p"]);
    assert_eq!(there[0]["difference"].as_f64(), back[0]["difference"].as_f64().map(|difference| -difference));
    assert_eq!((&there[0]["verdict"], &back[0]["verdict"]), (&json!("worse"), &json!("better")));
    assert_eq!((&there[0]["p"], &there[0]["interval"]), (&turned[0]["p"], &turned[0]["interval"]));
}

#[test]
fn samples_are_paired_by_id_or_text_and_never_by_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let first: Vec<Row> = (0..5).map(|id| row(id, "old", true)).collect();
    let mut second: Vec<Row> = (0..5).map(|id| row(id, "new", true)).collect();
    // Another id for the same question, written otherwise.
    second[1] = Row { id: "other".into(), question: "what is  1 PLUS 1?".into(), ..row(1, "new", false) };
    // The same id for another question.
    second[2].question = "Who was it?".into();
    // Nothing in common but the position.
    second[3] = row(30, "new", true);
    fs::write(folder.path().join("a.csv"), table(&first)).expect("our folder");
    fs::write(folder.path().join("b.csv"), table(&second)).expect("our folder");
    let found = lines(folder.path(), &["compare", "a.csv", "b.csv"]);
    let [pairing] = of_kind(&found, "pairing")[..] else { panic!("{found:?}") };
    assert_eq!(
        [&pairing["pairs"], &pairing["byText"], &pairing["otherQuestions"], &pairing["onlyFirst"]],
        [&json!(3), &json!(1), &json!(1), &json!(2)]
    );
    let lone: Vec<&Value> = of_kind(&found, "unpaired").into_iter().map(|line| &line["sample"]).collect();
    assert_eq!(lone, ["q2", "q3", "q2", "q30"]);
    let (_, _, stderr) = run(folder.path(), &["compare", "a.csv", "b.csv"]);
    assert!(stderr.contains("compare::questions"), "{stderr}");
}

#[test]
fn repeats_are_not_samples() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut rows: Vec<Row> = (0..6).map(|id| row(id, "old", true)).collect();
    for repeat in 1..=4 {
        rows.extend((0..6).map(|id| Row { repeat, ..row(id, "new", repeat % 2 == 0) }));
    }
    fs::write(folder.path().join("runs.csv"), table(&rows)).expect("our folder");
    let found = lines(folder.path(), &["compare", "runs.csv"]);
    let [comparison] = of_kind(&found, "comparison")[..] else { panic!("{found:?}") };
    assert_eq!((&comparison["pairs"], &comparison["second"]), (&json!(6), &json!(0.5)));
    assert_eq!(of_kind(&found, "side")[1]["mostRepeats"], 4);
}

#[test]
fn regressions_end_with_status_1_beyond_the_margin() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second] = two_runs();
    fs::write(folder.path().join("a.csv"), table(&first)).expect("our folder");
    fs::write(folder.path().join("b.csv"), table(&second)).expect("our folder");
    let status = |arguments: &[&str]| run(folder.path(), &[&["compare"], arguments].concat()).0;
    assert_eq!(status(&["a.csv", "b.csv"]), 0);
    assert_eq!(status(&["a.csv", "b.csv", "--fail-on-regression"]), 1);
    assert_eq!(status(&["a.csv", "b.csv", "--fail-on-regression", "--margin", "0.3"]), 0);
    assert_eq!(status(&["b.csv", "a.csv", "--fail-on-regression"]), 0);
    assert_eq!(status(&["a.csv", "b.csv", "--fail-on-regression", "--format", "junit"]), 1);
    assert_eq!(status(&["a.csv", "b.csv", "--margin", "-1"]), 2);
}

#[test]
fn models_and_runs_inside_one_file_are_sides_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second] = two_runs();
    fs::write(folder.path().join("both.csv"), table(&[first, second].concat())).expect("our folder");
    let verdict = |arguments: &[&str]| {
        let found = lines(folder.path(), &[&["compare", "both.csv"], arguments].concat());
        let [row] = of_kind(&found, "comparison")[..] else { panic!("{found:?}") };
        (
            row["side"].as_str().expect("a name").to_owned(),
            row["verdict"].as_str().expect("a word").to_owned(),
        )
    };
    assert_eq!(verdict(&[]), ("new".into(), "worse".into()));
    assert_eq!(verdict(&["--by", "model", "--against", "new"]), ("old".into(), "better".into()));
    assert_eq!(verdict(&["--by", "run"]), ("run-new".into(), "worse".into()));
    let (status, _, stderr) = run(folder.path(), &["compare", "both.csv", "both.csv"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("has results of 2 models, which would be mixed"), "{stderr}");
    // The results of a store are compared in the same way.
    assert_eq!(run(folder.path(), &["init"]).0, 0);
    assert_eq!(run(folder.path(), &["load", "both.csv"]).0, 0);
    let found = lines(folder.path(), &["compare"]);
    assert_eq!(of_kind(&found, "comparison")[0]["verdict"], "worse");
}

#[test]
fn hostile_names_stay_text_in_every_form() {
    let folder = tempfile::tempdir().expect("a folder");
    let evil = "<script>alert(1)</script>\u{1b}[31m|`x`\u{202e}";
    let rows = |right: bool, model| {
        let hostile = |id| Row { id: format!("{id}{evil}"), ..row(id, model, right) };
        (0..30).map(hostile).collect::<Vec<_>>()
    };
    fs::write(folder.path().join("a.json"), list(&rows(true, "old"))).expect("our folder");
    fs::write(folder.path().join("b.json"), list(&rows(false, "new"))).expect("our folder");
    for form in ["text", "markdown", "html", "jsonl", "junit", "sarif", "github"] {
        let (status, stdout, stderr) = run(folder.path(), &["compare", "a.json", "b.json", "--format", form]);
        assert_eq!(status, 0, "{form}: {stderr}");
        assert!(!stdout.contains('\u{1b}') && !stderr.contains('\u{1b}'), "{form}: {stdout}");
        if ["html", "junit"].contains(&form) {
            assert!(!stdout.contains("<script>"), "{form}: {stdout}");
        }
        if form == "markdown" {
            assert!(!stdout.replace("\\<", "").contains('<'), "{stdout}");
        }
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.csv"), table(&[row(1, "old", true)])).expect("our folder");
    fs::write(folder.path().join("b.csv"), table(&[row(2, "new", true)])).expect("our folder");
    fs::write(
        folder.path().join("rows.json"),
        r#"[{"id": 1, "question": "Why?", "answer": "So", "is_impossible": false}]"#,
    )
    .expect("our folder");
    for (arguments, code) in [
        (&["a.csv", "b.csv"][..], "compare::pairs"),
        (&["a.csv"], "compare::sides"),
        (&["a.csv", "rows.json"], "compare::results"),
        (&["a.csv", "b.csv", "--against", "c.csv"], "compare::baseline"),
        (&["a.csv", "b.csv", "--metric", "verify_resul"], "compare::metric"),
        (&["a.csv", "missing.csv"], "input::not-found"),
    ] {
        let (status, stdout, stderr) = run(folder.path(), &[&["compare"], arguments].concat());
        assert_eq!((status, &*stdout), (2, ""), "{arguments:?}");
        assert!(stderr.contains(code), "{arguments:?}: {stderr}");
    }
    // A folder may have other files beside the results.
    fs::create_dir(folder.path().join("runs")).expect("our folder");
    for name in ["a.csv", "rows.json"] {
        fs::copy(folder.path().join(name), folder.path().join("runs").join(name)).expect("our folder");
    }
    let (status, _, stderr) = run(folder.path(), &["compare", "runs", "a.csv"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("note[compare::results]"), "{stderr}");
}

#[test]
fn a_diff_of_two_runs_never_pairs_results_of_different_samples() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, mut second] = two_runs();
    second.reverse();
    second.truncate(30);
    fs::write(folder.path().join("a.json"), list(&first)).expect("our folder");
    fs::write(folder.path().join("b.json"), list(&second)).expect("our folder");
    let (status, stdout, stderr) = run(folder.path(), &["diff", "a.json", "b.json", "--format", "json"]);
    assert_eq!(status, 1, "{stderr}");
    let found: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let changed = found["changed"].as_array().expect("a list");
    assert_eq!((changed.len(), found["removed"].as_array().map(Vec::len)), (30, Some(10)), "{stdout}");
    assert!(!stdout.contains("question_id"), "{stdout}");
}

#[test]
fn what_one_side_does_not_score_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = |id: usize, scores: &Value| {
        let mut record = json!({ "doc_id": id, "doc": { "question": format!("What is {id}?") }, "target": "7",
            "arguments": { "gen_args_0": { "arg_0": "?" } }, "resps": [["7"]], "filtered_resps": ["7"], "filter": "none" });
        let scores = scores.as_object().expect("scores").clone();
        record["metrics"] = scores.keys().cloned().collect();
        record.as_object_mut().expect("a record").extend(scores);
        format!("{record}\n")
    };
    let write = |name: &str, scores: &dyn Fn(usize) -> Value| {
        let text: String = (0..6).map(|id| record(id, &scores(id))).collect();
        fs::write(folder.path().join(name), text).expect("our folder");
    };
    write("samples_a.jsonl", &|id| match id {
        2 => json!({ "acc": 1.0, "bleu": 0.5 }),
        _ => json!({ "acc": 1.0, "bleu": 0.5, "f1": 0.25 }),
    });
    write("samples_b.jsonl", &|id| match id {
        0 | 1 => json!({ "rouge": 0.5, "f1": 0.5 }),
        _ => json!({ "acc": 0.0, "rouge": 0.5, "f1": 0.5 }),
    });
    let compare = |more: &[&str]| {
        let (_, _, stderr) =
            run(folder.path(), &[&["compare", "samples_a.jsonl", "samples_b.jsonl"], more].concat());
        let said = stderr
            .lines()
            .filter(|line| line.contains("compare::unscored") || line.contains("compare::one-side"));
        said.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        compare(&[]),
        [
            "warning[compare::unscored]: 2 samples have no score for `acc` in `samples_b.jsonl`, and are not compared by it",
            "warning[compare::unscored]: 1 sample has no score for `f1` in `samples_a.jsonl`, and is not compared by it",
            "note[compare::one-side]: `bleu` is not compared, because only `samples_a.jsonl` has such scores",
            "note[compare::one-side]: `rouge` is not compared, because only `samples_b.jsonl` has such scores",
        ]
    );
    assert_eq!(
        compare(&["--metric", "f1"]),
        [
            "warning[compare::unscored]: 1 sample has no score for `f1` in `samples_a.jsonl`, and is not compared by it"
        ]
    );
}
