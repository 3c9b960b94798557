//! `convert` to the forms of Karenina on the command line: where files go, what is said of losses,
//! and what is refused.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use std::fs;
use std::path::{Path, PathBuf};

fn fixture(name: &str) -> String {
    path(&format!("karenina/{name}")).display().to_string()
}

/// A folder with copies of fixtures, so that messages have short names.
fn folder_with(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in names {
        fs::copy(fixture(name), folder.path().join(name)).expect("the folder is ours");
    }
    folder
}

fn files_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("it can be read").file_name().display().to_string()).collect();
    names.sort();
    names
}

#[test]
fn losses_are_one_warning_or_a_list_and_strictly_an_error() {
    let folder = folder_with(&["p2-scenario.jsonld"]);
    let convert = ["convert", "p2-scenario.jsonld", "--to", "karenina-gui", "-o", "gui.jsonld"];
    let (status, _, stderr) = run(folder.path(), &convert);
    assert_eq!(status, 0);
    insta::assert_snapshot!(stderr, @r"
    warning[convert::loss]: karenina-gui cannot hold 1 part of `p2-scenario.jsonld`: 1× scenario (`--report-loss` lists them with their lines)
    note[convert::default]: `p2-scenario.jsonld` lacks 13 parts of karenina-gui, which were filled in: 4× `@id` of a question, 4× `@id` of a template, 4× `@id` of an answer, 1 more kind (`--report-loss` lists them)
    ");
    let listed = [&convert[..], &["--report-loss"]].concat();
    let (status, _, stderr) = run(folder.path(), &listed);
    assert_eq!(status, 0);
    insta::assert_snapshot!(stderr, @r#"
warning[convert::loss]: karenina-gui cannot hold scenario (p2-scenario.jsonld:199)
note[convert::default]: filled in `@id` of a question (4 times: p2-scenario.jsonld:81, p2-scenario.jsonld:111, p2-scenario.jsonld:141, …)
note[convert::default]: filled in `@id` of a template (4 times: p2-scenario.jsonld:88, p2-scenario.jsonld:118, p2-scenario.jsonld:148, …)
note[convert::default]: filled in `@id` of an answer (4 times: p2-scenario.jsonld:84, p2-scenario.jsonld:114, p2-scenario.jsonld:144, …)
note[convert::default]: filled in `@id` of a rating (p2-scenario.jsonld:44)
"#);
    fs::remove_file(folder.path().join("gui.jsonld")).expect("it was written");
    let strict = [&convert[..], &["--strict"]].concat();
    let (status, _, stderr) = run(folder.path(), &strict);
    assert_eq!(status, 2);
    assert!(stderr.ends_with("1 warning is an error under `--strict`\n"), "{stderr}");
    assert_eq!(files_in(folder.path()), ["p2-scenario.jsonld"]);
}

#[test]
fn a_program_gets_every_loss_with_its_place() {
    let folder = folder_with(&["p2-scenario.jsonld"]);
    let arguments =
        ["convert", "p2-scenario.jsonld", "--to", "karenina-v2", "--report-loss", "--diagnostics", "json"];
    let (status, stdout, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 0);
    assert!(stdout.starts_with("{\n  \"version\": \"2.0\","), "{stdout}");
    let findings: Vec<serde_json::Value> =
        stderr.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let scenario = findings
        .iter()
        .find(|finding| finding["message"].as_str().is_some_and(|message| message.ends_with("scenario")));
    let scenario = scenario.expect("the scenario is lost");
    assert_eq!(scenario["code"], "convert::loss");
    assert!(scenario.to_string().contains("/hasPart/0"), "{scenario}");
}

#[test]
fn several_inputs_become_a_file_each_in_a_folder() {
    let folder = folder_with(&["g-ecology.jsonld", "v2c-oceans.json", "s0c-pharmacology.jsonld"]);
    let inputs = ["convert", "g-ecology.jsonld", "v2c-oceans.json", "s0c-pharmacology.jsonld"];
    let (status, stdout, stderr) =
        run(folder.path(), &[&inputs[..], &["--to", "karenina", "-o", "new/"]].concat());
    assert_eq!((status, stdout.as_str()), (0, ""), "{stderr}");
    let names = ["g-ecology.jsonld", "s0c-pharmacology.jsonld", "v2c-oceans.jsonld"];
    assert_eq!(files_in(&folder.path().join("new")), names);
    fs::create_dir(folder.path().join("old")).expect("the folder is ours");
    let (status, _, stderr) =
        run(folder.path(), &[&inputs[..], &["--to", "karenina-v2", "-o", "old"]].concat());
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(files_in(&folder.path().join("old")), names.map(|name| name.replace(".jsonld", ".json")));
}

#[test]
fn several_inputs_become_one_checkpoint_in_a_file() {
    let folder = folder_with(&["g-ecology.jsonld", "p1-physics.jsonld"]);
    let inputs = ["convert", "g-ecology.jsonld", "p1-physics.jsonld"];
    let (status, stdout, stderr) = run(folder.path(), &[&inputs[..], &["--to", "karenina"]].concat());
    assert_eq!(status, 0, "{stderr}");
    let one: serde_json::Value = serde_json::from_str(&stdout).expect("it is JSON");
    assert_eq!(one["dataFeedElement"].as_array().map(Vec::len), Some(5 + 4));
    assert_eq!(one["name"], "Ecology");
    assert!(stderr.contains("p1-physics.jsonld as karenina:"), "{stderr}");
}

#[test]
fn inputs_that_contradict_each_other_do_not_go_into_one_file() {
    let text = fs::read_to_string(fixture("p2-genomics.jsonld")).expect("the fixture is there");
    let folder = folder_with(&["p2-genomics.jsonld"]);
    let other = text.replace(r#""text": "p53""#, r#""text": "TP53""#);
    fs::write(folder.path().join("other.jsonld"), other).expect("the folder is ours");
    let inputs = ["convert", "p2-genomics.jsonld", "other.jsonld", "--to", "karenina"];
    let (status, stdout, stderr) = run(folder.path(), &inputs);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.starts_with("other.jsonld:405:19: error[merge::conflict]: "), "{stderr}");
    assert!(stderr.contains("p2-genomics.jsonld:405:19: note: the other file"), "{stderr}");
    let (status, stdout, _) = run(folder.path(), &[&inputs[..], &["--prefer", "last"]].concat());
    assert_eq!(status, 0);
    assert!(stdout.contains(r#""text": "TP53""#) && !stdout.contains(r#""text": "p53""#));
}

#[test]
fn two_inputs_of_one_name_are_refused() {
    let folder = folder_with(&["g-ecology.jsonld"]);
    fs::create_dir(folder.path().join("b")).expect("the folder is ours");
    fs::copy(fixture("g-ecology.jsonld"), folder.path().join("b/g-ecology.jsonld"))
        .expect("it can be copied");
    let arguments = ["convert", "g-ecology.jsonld", "b/g-ecology.jsonld", "--to", "karenina", "-o", "new/"];
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 2);
    assert!(
        stderr.contains("error[output::same-name]: two inputs would be written to `new/g-ecology.jsonld`")
    );
}

#[test]
fn a_fault_in_one_input_leaves_everything_unwritten_unless_the_rest_is_wanted() {
    let folder = folder_with(&["g-ecology.jsonld"]);
    let bad = r#"{"version": "2.0", "global_rubric": null, "checkpoint": {"q": {"raw_answer": "b"}}}"#;
    fs::write(folder.path().join("bad.json"), bad).expect("the folder is ours");
    let arguments = ["convert", "g-ecology.jsonld", "bad.json", "--to", "karenina", "-o", "new/"];
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 2);
    assert!(stderr.contains("bad.json:1:63: error[karenina::no-text]"), "{stderr}");
    assert!(!folder.path().join("new").exists());
    assert_eq!(run(folder.path(), &[&arguments[..], &["--keep-going"]].concat()).0, 2);
    assert_eq!(files_in(&folder.path().join("new")), ["g-ecology.jsonld"]);
}

#[test]
fn a_graph_becomes_a_checkpoint() {
    let folder = folder_with(&["p2-md5-arithmetic.jsonld"]);
    let convert = |input: &str, to: &str, output: &str| {
        let (status, _, stderr) = run(folder.path(), &["convert", input, "--to", to, "-o", output]);
        assert_eq!(status, 0, "{stderr}");
    };
    convert("p2-md5-arithmetic.jsonld", "karenina-v2", "a.json");
    convert("a.json", "nq", "a.nq");
    convert("a.nq", "karenina", "b.jsonld");
    convert("a.nq", "ttl", "a.ttl");
    convert("a.ttl", "karenina", "c.jsonld");
    convert("a.nq", "jsonld", "expanded.jsonld");
    convert("expanded.jsonld", "karenina", "d.jsonld");
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it was written");
    let questions = |name: &str| text(name).matches("\"@type\": \"Question\"").count();
    assert_eq!([questions("b.jsonld"), questions("c.jsonld"), questions("d.jsonld")], [4; 3]);
    assert!(crate::karenina::loader::Loader::load(&text("b.jsonld")).faults.is_empty());
    fs::write(folder.path().join("no.ttl"), "<x:a> a <http://schema.org/Person> .").expect("ours");
    let (status, _, stderr) = run(folder.path(), &["convert", "no.ttl", "--to", "karenina"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[karenina::no-checkpoint]"), "{stderr}");
}

#[test]
fn a_graph_with_its_sidecar_becomes_what_its_file_becomes() {
    let folder = folder_with(&["p2-genomics.jsonld", "g-ecology.jsonld"]);
    let convert = |arguments: &[&str]| {
        let (status, _, stderr) = run(folder.path(), &[&["convert"], arguments].concat());
        assert_eq!(status, 0, "{stderr}");
    };
    convert(&["p2-genomics.jsonld", "g-ecology.jsonld", "--with", "sidecar,catalog", "-o", "all.nq"]);
    convert(&["all.nq", "--to", "karenina", "-o", "graphs/"]);
    convert(&["p2-genomics.jsonld", "g-ecology.jsonld", "--to", "karenina", "-o", "files/"]);
    for name in ["p2-genomics.jsonld", "g-ecology.jsonld"] {
        let text = |of: &str| fs::read_to_string(folder.path().join(of).join(name)).expect("it was written");
        assert_eq!(text("graphs"), text("files"), "{name}");
    }
}

#[test]
fn version_2_is_loaded_like_any_other_file() {
    let file = fixture("v2c-oceans.json");
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let count = "SELECT (COUNT(*) AS ?n) { ?q a s:Question ; s:acceptedAnswer ?a }";
    let (status, stdout, stderr) = run(&folder, &["query", &file, "-q", count, "--format", "csv"]);
    assert_eq!((status, stdout.as_str()), (0, "n\r\n2\r\n"), "{stderr}");
    let (status, stdout, _) = run(&folder, &["stats", &file]);
    assert_eq!(status, 0);
    assert!(stdout.contains("dialect          V2c (version 2.0, since 18 November 2025)"), "{stdout}");
    assert!(stdout.contains("dataset          v2c-oceans"), "{stdout}");
    let (status, stdout, _) = run(&folder, &["convert", &file, "--to", "nq"]);
    assert_eq!(status, 0);
    let again = run(&folder, &["convert", &file, "--to", "nq"]).1;
    assert_eq!(stdout, again, "a graph does not depend on the time");
}

#[test]
fn version_2_comes_back_from_a_graph_with_its_sidecar() {
    let names = ["v2a-mycology.json", "v2b-meteorology.json", "v2c-oceans.json"];
    let folder = folder_with(&names);
    for name in names {
        let convert = |arguments: &[&str]| {
            let (status, _, stderr) = run(folder.path(), &[&["convert"], arguments].concat());
            assert_eq!(status, 0, "{name}: {stderr}");
        };
        convert(&[name, "--to", "nq", "--with", "sidecar", "-o", "graph.nq"]);
        let graph = fs::read_to_string(folder.path().join("graph.nq")).expect("it was written");
        let mut lines: Vec<&str> = graph.lines().collect();
        lines.reverse();
        fs::write(folder.path().join("graph.nq"), lines.join("\n") + "\n").expect("the folder is ours");
        convert(&["graph.nq", "--to", "same", "-o", "back.json"]);
        let value = |name: &str| -> serde_json::Value {
            let text = fs::read_to_string(folder.path().join(name)).expect("it is there");
            // Numbers are compared as they are spelled.
            serde_json::from_str(&text.replace("12345678901234567890", "\"big\"").replace("0.50", "\"half\""))
                .expect("it is JSON")
        };
        assert_eq!(value(name), value("back.json"), "{name}");
    }
}

#[test]
fn what_does_not_fit_the_form_is_refused() {
    let folder = folder_with(&["g-ecology.jsonld"]);
    let convert = |arguments: &[&str]| {
        run(folder.path(), &[&["convert", "g-ecology.jsonld", "--to", "karenina"], arguments].concat())
    };
    let (status, _, stderr) = convert(&["--context", "schema.org"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[output::format]: `--context` is for JSON-LD"), "{stderr}");
    assert_eq!(convert(&["--v2-shape", "d"]).0, 2);
    let (status, _, stderr) = run(folder.path(), &["convert", "g-ecology.jsonld", "--to", "nq", "--touch"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[output::format]: `--touch` is for checkpoints"), "{stderr}");
}

#[test]
fn the_shapes_of_version_2_differ_in_the_lists_of_a_rubric() {
    let folder = folder_with(&["g-ecology.jsonld"]);
    for (shape, list) in [("a", "\"traits\": ["), ("b", "\"manual_traits\": ["), ("c", "\"regex_traits\": [")]
    {
        let arguments = ["convert", "g-ecology.jsonld", "--to", "karenina-v2", "--v2-shape", shape];
        let (status, stdout, _) = run(folder.path(), &arguments);
        assert_eq!(status, 0);
        assert!(stdout.contains(list), "{shape}");
    }
}

/// A checkpoint of the library with one question and these traits of its own.
fn with_traits(traits: &str) -> String {
    format!(
        r#"{{"@context": {{"@vocab": "https://schema.org/", "rating": {{"@id": "contentRating"}}}}, "@type": "DataFeed",
 "name": "n", "dateCreated": "2026-01-01T00:00:00", "dateModified": "2026-01-01T00:00:00",
 "dataFeedElement": [{{"@type": "DataFeedItem", "@id": "urn:uuid:q", "dateCreated": "2026-01-01T00:00:00",
  "dateModified": "2026-01-01T00:00:00", "item": {{"@type": "Question", "text": "Why?",
  "acceptedAnswer": {{"@type": "Answer", "text": "So"}},
  "hasPart": {{"@type": "SoftwareSourceCode", "name": "x", "text": "y"}}, "rating": [{traits}],
  "additionalProperty": [{{"@type": "PropertyValue", "name": "finished", "value": true}}]}}}}]}}"#
    )
}

fn a_trait(stem: &str, properties: &str) -> String {
    format!(
        r#"{{"@type": "Rating", "name": "{stem}", "description": "d", "bestRating": 1.0, "worstRating": 0.0,
  "additionalType": "karenina:QuestionSpecific{stem}", "additionalProperty": [{properties}]}}"#
    )
}

fn setting(name: &str, json: &str) -> String {
    format!(r#"{{"@type": "PropertyValue", "name": "{name}", "value": {json}}}"#)
}

#[test]
fn what_the_user_interface_refuses_is_left_out_and_told() {
    let refused = [
        ("CallableTrait", vec![setting("kind", "\"boolean\"")], "the trait has no `callable_code`"),
        (
            "CallableTrait",
            vec![
                setting("callable_code", "\"cGFzcw==\""),
                setting("kind", "\"literal\""),
                setting("classes", r#"{"a": "A", "b": "B"}"#),
            ],
            "`kind` is `\"literal\"`",
        ),
        ("RegexTrait", vec![setting("pattern", "\"\"")], "the trait has no `pattern`"),
        (
            "MetricRubricTrait",
            vec![
                setting("evaluation_mode", "\"full_matrix\""),
                setting("metrics", "[\"accuracy\"]"),
                setting("tp_instructions", "[\"x\"]"),
                setting("tn_instructions", "[\"y\"]"),
            ],
            "`evaluation_mode` is `\"full_matrix\"`",
        ),
    ];
    for (stem, settings, reason) in refused {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let text = with_traits(&a_trait(stem, &settings.join(",")));
        fs::write(folder.path().join("p.jsonld"), text).expect("the folder is ours");
        let convert = ["convert", "p.jsonld", "--to", "karenina-gui", "-o", "g.jsonld", "--report-loss"];
        let (status, _, stderr) = run(folder.path(), &convert);
        assert_eq!(status, 0, "{stderr}");
        let told = format!("which its reader refuses: {reason}");
        assert!(stderr.contains(&told), "{stem}: {stderr}");
        let (status, stdout, _) = run(folder.path(), &["validate", "g.jsonld", "--profile", "karenina-gui"]);
        assert_eq!(status, 0, "{stdout}");
    }
}

#[test]
fn a_literal_callable_that_lost_its_classes_is_left_out_and_told() {
    let settings = [
        setting("callable_code", "\"cGFzcw==\""),
        setting("kind", "\"literal\""),
        setting("classes", r#"{"a": "A", "b": "B"}"#),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = with_traits(&a_trait("CallableTrait", &settings.join(",")));
    fs::write(folder.path().join("p.jsonld"), text).expect("the folder is ours");
    let (status, _, stderr) =
        run(folder.path(), &["convert", "p.jsonld", "--to", "karenina-v2", "-o", "v2.json"]);
    assert_eq!(status, 0, "{stderr}");
    let back = ["convert", "v2.json", "--to", "karenina", "-o", "back.jsonld", "--report-loss"];
    let (status, _, stderr) = run(folder.path(), &back);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("trait of kind callable, which its reader refuses: a literal trait"), "{stderr}");
    let (status, stdout, _) = run(folder.path(), &["validate", "back.jsonld", "--profile", "karenina"]);
    assert_eq!(status, 0, "{stdout}");
}

#[test]
fn a_file_for_the_user_interface_has_a_version() {
    let folder = folder_with(&["s0-cell-biology.jsonld"]);
    let convert =
        ["convert", "s0-cell-biology.jsonld", "--to", "karenina-gui", "-o", "g.jsonld", "--report-loss"];
    let (status, _, stderr) = run(folder.path(), &convert);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("note[convert::default]: filled in `version` of the checkpoint"), "{stderr}");
    let text = fs::read_to_string(folder.path().join("g.jsonld")).expect("it was written");
    assert!(text.contains("\n  \"version\": \"0.1.0\""), "{text}");
    let (status, stdout, _) = run(folder.path(), &["validate", "g.jsonld", "--profile", "karenina-gui"]);
    assert_eq!(status, 0, "{stdout}");
}

#[test]
fn metrics_of_the_checkpoint_stand_where_the_user_interface_reads_them() {
    let folder = folder_with(&["p2-genomics.jsonld"]);
    let convert = ["convert", "p2-genomics.jsonld", "--to", "karenina-gui", "-o", "g.jsonld"];
    let (status, _, stderr) = run(folder.path(), &convert);
    assert_eq!(status, 0, "{stderr}");
    let text = fs::read_to_string(folder.path().join("g.jsonld")).expect("it was written");
    let written: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let properties = written["additionalProperty"].as_array().expect("an array");
    let metrics = properties.iter().find(|property| property["name"] == "global_metric_rubric_traits");
    let metrics = metrics.and_then(|property| property["value"].as_str()).expect("a text");
    let metrics: serde_json::Value = serde_json::from_str(metrics).expect("it is JSON");
    assert_eq!(metrics[0]["name"], "Gene mentions");
    assert!(metrics[0]["metrics"].is_array(), "{metrics}");
}
