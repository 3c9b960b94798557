//! `evalgraph figures` as a person and a program see it.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use evalgraph::json::Limits;
use evalgraph::rdf::{QuadBuffer, RdfFormat, ReadOptions, read};
use evalgraph::source::rewriting::IndexedGraph;
use evalgraph::source::rlcf::figures::{FigureMethod, task_findings};
use serde_json::Value;
use std::fs;

fn figures(arguments: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::copy(path("rlcf/worked/export.json"), folder.path().join("export.json")).expect("the folder is ours");
    let arguments: Vec<&str> = ["figures", "export.json"].iter().chain(arguments).copied().collect();
    run(folder.path(), &arguments)
}

#[test]
fn experts_stand_in_the_order_of_their_authority() {
    let (status, stdout, stderr) = figures(&["--show", "experts"]);
    assert_eq!(status, 0);
    insta::assert_snapshot!(stdout, @r"
    experts, the most authority first
      id  username  stored authority  authority  baseline  track record  feedback  mean quality
      ───────────────────────────────────────────────────────────────────────────────────────────
      1   anna                 0.800      0.640     0.810         0.567        11         0.662
      3   carla                0.400      0.640     0.850         0.550        10         0.625
      2   bruno                0.400      0.629     0.800         0.556        11         0.631
      4   dario                0.400      0.629     0.900         0.512         2         0.625
      5   elena                0.400      0.569     0.700         0.512         2         0.625
      6   fabio                0.125      0.354     0.000         0.506         1         0.625
    ");
    insta::assert_snapshot!(stderr, @"warning[rlcf::score]: PUBLICATION `several` of user `6` counts 0: the value is not a number");
}

#[test]
fn profiles_stand_side_by_side_where_they_differ() {
    let (_, stdout, _) = figures(&["--show", "experts,contested", "--profile", "both"]);
    insta::assert_snapshot!(stdout, @r#"
    experts, the most authority first
      id  username  stored authority  authority seed  authority shipped  baseline seed  baseline shipped  track record seed  track record shipped  feedback  mean quality
      ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      1   anna                 0.800           0.640              0.349          0.810             0.450              0.567                 0.282        11         0.662
      3   carla                0.400           0.640              0.282          0.850             0.330              0.550                 0.251        10         0.625
      2   bruno                0.400           0.629              0.307          0.800             0.360              0.556                 0.271        11         0.631
      4   dario                0.400           0.629              0.157          0.900             0.300              0.512                 0.061         2         0.625
      5   elena                0.400           0.569              0.037          0.700             0.000              0.512                 0.061         2         0.625
      6   fabio                0.125           0.354              0.019          0.000             0.000              0.506                 0.031         1         0.625

    contested tasks, the most disagreement first
      id  type                  seed  shipped  disagreement  leading position            support  next position           support of next  aspects
      ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      11  STATUTORY_RULE_QA     yes   yes             1.000  la clausola non è conforme  50.0%    la clausola è conforme  50.0%            confidence position validated_answer
      7   NER                   yes   yes             0.946  ["B-PER","I-PER","O"]       50.0%    ["B-PER","O","O"]       25.0%            validated_tags
      10  DOCTRINE_APPLICATION  yes   yes             0.946  yes                         50.0%    no                      25.0%            chosen_label
      1   QA                    yes   yes             0.918  yes                         66.7%    no                      33.3%            reasoning position validated_answer
      6   PREDICTION            yes   yes             0.918  violation                   66.7%    no_violation            33.3%            chosen_outcome
      2   QA                    yes   yes             0.811  yes                         75.0%    no                      25.0%            reasoning validated_answer position
      4   CLASSIFICATION        yes   yes             0.811  ["notice","termination"]    75.0%    ["notice"]              25.0%            validated_labels
      5   SUMMARIZATION         yes   yes             0.811  good                        75.0%    bad                     25.0%            revised_summary rating
      8   DRAFTING              yes   yes             0.811  better                      75.0%    worse                   25.0%            revised_target rating
      9   RISK_SPOTTING         yes   yes             0.811  ["late payment","penalty"]  75.0%    ["penalty"]             25.0%            validated_risk_labels validated_severity
      3   NLI                   -     yes             0.323  entail                      94.1%    neutral                 5.9%
    "#);
}

#[test]
fn tasks_bias_and_system_are_shown_without_a_word() {
    let (_, stdout, _) = figures(&[]);
    let titles: Vec<&str> =
        stdout.lines().filter(|line| !line.starts_with(' ') && !line.is_empty()).collect();
    insta::assert_snapshot!(titles.join("\n"), @r"
    experts, the most authority first
    tasks
    contested tasks, the most disagreement first
    bias of tasks
    system
    ");
    let (_, stdout, _) = figures(&["--show", "tasks,bias"]);
    insta::assert_snapshot!(stdout, @r#"
    tasks
      id  type                  feedback  positions  disagreement  confidence  contested  consensus answer
      ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      1   QA                           5          2         0.918       0.080  yes        Yes
      2   QA                           3          2         0.811       0.190  yes        Yes
      3   NLI                          5          2         0.323       0.680  no         Relationship: entail
      4   CLASSIFICATION               3          2         0.811       0.190  yes        ["notice","termination"]
      5   SUMMARIZATION                3          2         0.811       0.190  yes        Summary quality acceptable
      6   PREDICTION                   3          2         0.918       0.080  yes        Predicted outcome: violation
      7   NER                          3          3         0.946       0.050  yes        NER tags: B-PER I-PER O
      8   DRAFTING                     3          2         0.811       0.190  yes        Draft quality is acceptable
      9   RISK_SPOTTING                3          2         0.811       0.190  yes        Risks: late payment, penalty, Severity: 3.00
      10  DOCTRINE_APPLICATION         3          3         0.946       0.050  yes        Admissible: Yes
      11  STATUTORY_RULE_QA            3          2         1.000       0.000  yes        La clausola non è conforme

    bias of tasks
      id  type                  demographic  professional  temporal  geographic  confirmation  anchoring  total  level
      ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      1   QA                          1.000         0.000     0.667       1.000         0.667      0.500  1.772  high
      2   QA                          1.000         1.000     0.000       0.667         0.000      0.000  1.563  high
      3   NLI                         1.000         0.000     0.333       1.000         0.000      0.500  1.537  high
      4   CLASSIFICATION              0.000         0.000     0.000       1.000         0.000      0.000  1.000  medium
      5   SUMMARIZATION               0.000         0.000     0.000       1.000         0.000      0.000  1.000  medium
      6   PREDICTION                  0.000         0.000     0.000       0.500         0.000      0.000  0.500  low
      7   NER                         0.000         0.000     0.000       0.500         0.000      0.000  0.500  low
      8   DRAFTING                    0.000         0.000     0.000       1.000         0.000      0.000  1.000  medium
      9   RISK_SPOTTING               0.000         0.000     0.000       1.000         0.000      0.000  1.000  medium
      10  DOCTRINE_APPLICATION        0.000         0.000     0.000       0.500         0.000      0.000  0.500  low
      11  STATUTORY_RULE_QA           0.000         0.000     0.000       0.500         0.000      0.000  0.500  low
    "#);
}

#[test]
fn a_table_as_csv_has_all_digits() {
    let (status, stdout, _) = figures(&["--show", "bias", "--format", "csv"]);
    assert_eq!(status, 0);
    insta::assert_snapshot!(stdout.lines().take(2).collect::<Vec<_>>().join("\n"), @r"
    id,type,demographic,professional,temporal,geographic,confirmation,anchoring,total,level
    1,QA,1,0,0.6666666666666667,1,0.6666666666666666,0.5,1.7716909687891083,high
    ");
    let (status, _, stderr) = figures(&["--format", "csv"]);
    assert_eq!(status, 2);
    insta::assert_snapshot!(stderr, @r"
    error[figures::csv]: CSV holds only one table, which `--show` has to name
     = help: add one of `--show experts`, tasks, contested, bias, feedback, system
    ");
}

#[test]
fn the_machine_form_has_the_aggregation_by_its_own_keys() {
    let (status, stdout, _) = figures(&["--profile", "both", "--format", "json"]);
    assert_eq!(status, 0);
    let figures: Value = serde_json::from_str(&stdout).expect("an object");
    let task = |profile: &str| figures[profile]["tasks"][2].clone();
    insta::assert_snapshot!(task("seed")["aggregation"], @r#"{"consensus_answer":"Relationship: entail","confidence_level":0.68,"transparency_metrics":{"evaluator_count":5,"consensus_strength":"high","disagreement_score":0.323}}"#);
    insta::assert_snapshot!(task("shipped")["aggregation"], @r#"{"primary_answer":"Relationship: entail","confidence_level":0.68,"alternative_positions":[{"position":"neutral","support":"5.9%","supporters":["fabio"],"reasoning":""}],"expert_disagreement":{"consensus_areas":[],"contention_points":[],"reasoning_patterns":{}},"epistemic_metadata":{"uncertainty_sources":["expert_disagreement","multiple_valid_interpretations"],"suggested_research":[]},"transparency_metrics":{"evaluator_count":5,"total_authority_weight":2.125,"disagreement_score":0.323}}"#);
    insta::assert_snapshot!(figures["seed"]["system"], @r#"{"totalTasks":11,"totalUsers":6,"totalFeedback":37,"averageConsensus":0.75,"activeEvaluations":1,"completionRate":0.18181818181818185,"contestedTasks":10,"taskDistribution":{"QA":2,"NLI":1,"CLASSIFICATION":1,"SUMMARIZATION":1,"PREDICTION":1,"NER":1,"DRAFTING":1,"RISK_SPOTTING":1,"DOCTRINE_APPLICATION":1,"STATUTORY_RULE_QA":1}}"#);
}

#[test]
fn a_configuration_takes_the_place_of_the_profile() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::copy(path("rlcf/worked/export.json"), folder.path().join("export.json")).expect("the folder is ours");
    let config = r#"{"thresholds": {"disagreement": 0.95},
  "baseline_credentials": {"types": {"PROFESSIONAL_EXPERIENCE":
    {"weight": 1.0, "scoring_function": {"type": "formula", "expression": "value / 10"}}}}}"#;
    fs::write(folder.path().join("config.json"), config).expect("the folder is ours");
    let arguments =
        ["figures", "export.json", "--config", "config.json", "--show", "contested", "--format", "csv"];
    let (status, stdout, _) = run(folder.path(), &arguments);
    assert_eq!((status, stdout.lines().count()), (0, 2), "{stdout}");
    let arguments =
        ["figures", "export.json", "--config", "config.json", "--show", "experts", "--format", "csv"];
    let (_, stdout, _) = run(folder.path(), &arguments);
    insta::assert_snapshot!(stdout.lines().take(3).collect::<Vec<_>>().join("\n"), @r"
    id,username,stored_authority,authority,baseline,track_record,feedback,mean_quality
    1,anna,0.8,0.5167602842495201,0.4,0.566800406070743,11,0.6625
    4,dario,0.4,1.10853125,2.5,0.5121875,2,0.625
    ");
    fs::write(folder.path().join("config.json"), config.replace("value / 10", "open('x')"))
        .expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 2);
    insta::assert_snapshot!(stderr, @r#"
    config.json:3:75: error[rlcf::config]: the formula cannot be read: `open` is not known at character 1
    3 | … 1.0, "scoring_function": {"type": "formula", "expression": "open('x')"}}}}}
      |                                                              ^^^^^^^^^^^
    "#);
}

#[test]
fn records_in_several_files_are_one_dataset() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = fs::read_to_string(path("rlcf/worked/export.json")).expect("the fixture is there");
    let export: Value = serde_json::from_str(&text).expect("an object");
    fs::create_dir(folder.path().join("replies")).expect("the folder is ours");
    for (name, records) in export.as_object().expect("an object") {
        fs::write(folder.path().join(format!("replies/{name}.json")), records.to_string()).expect("ours");
    }
    let arguments = ["figures", "replies", "--format", "json"];
    let (status, of_folder, _) = run(folder.path(), &arguments);
    assert_eq!(status, 0);
    let (_, of_file, _) = figures(&["--format", "json"]);
    assert_eq!(of_folder, of_file);
}

#[test]
fn a_reference_that_leads_nowhere_is_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = fs::read_to_string(path("rlcf/worked/export.json")).expect("the fixture is there");
    let mut export: Value = serde_json::from_str(&text).expect("an object");
    export["feedback"][0]["user_id"] = Value::from(99);
    export["responses"][1]["task_id"] = Value::from(99);
    fs::write(folder.path().join("export.json"), export.to_string()).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["figures", "export.json", "--show", "system"]);
    assert_eq!(status, 0);
    insta::assert_snapshot!(stderr, @r"
    warning[rlcf::score]: PUBLICATION `several` of user `6` counts 0: the value is not a number
    warning[rlcf::reference]: 1 of the responses: the task is missing, so they do not count (and 2 more: `-v` lists them)
    ");
}

#[test]
fn files_without_records_are_faults() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.json"), r#"{"detail": "Not authenticated"}"#)
        .expect("the folder is ours");
    let (status, stdout, stderr) = run(folder.path(), &["figures", "a.json"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("a.json:1:1: error[rlcf::error-reply]"), "{stderr}");
    fs::write(folder.path().join("a.json"), r#"{"totalTasks": 1, "totalUsers": 2, "totalFeedback": 3}"#)
        .expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["figures", "a.json"]);
    let nothing = "error[rlcf::nothing]: the input contains no user, task, response or feedback of RLCF\n";
    assert_eq!((status, stderr.as_str()), (2, nothing));
}

/// What is computed from all parts of a file or graph.
fn all_figures(folder: &std::path::Path, file: &str) -> String {
    let parts = "experts,tasks,contested,bias,feedback,system";
    let arguments = ["figures", file, "--show", parts, "--profile", "both", "--format", "json"];
    let (status, stdout, stderr) = run(folder, &arguments);
    assert_eq!(status, 0, "{stderr}");
    stdout
}

#[test]
fn a_graph_has_the_figures_of_its_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    fs::copy(path("rlcf/worked/export.json"), folder.join("export.json")).expect("the folder is ours");
    let of_file = all_figures(folder, "export.json");
    for graph in ["export.nq", "export.ttl", "export.jsonld"] {
        assert_eq!(run(folder, &["convert", "export.json", "-o", graph]).0, 0);
        assert_eq!(all_figures(folder, graph), of_file, "{graph}");
    }
    let text = fs::read_to_string(folder.join("export.nq")).expect("it was written");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable_by_key(|line| line.chars().rev().collect::<String>());
    fs::write(folder.join("shuffled.nq"), lines.join("\n")).expect("the folder is ours");
    assert_eq!(all_figures(folder, "shuffled.nq"), of_file);
}

#[test]
fn a_change_of_the_graph_shows_in_the_figures() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    fs::copy(path("rlcf/worked/export.json"), folder.join("export.json")).expect("the folder is ours");
    assert_eq!(run(folder, &["convert", "export.json", "-o", "export.nq"]).0, 0);
    let text = fs::read_to_string(folder.join("export.nq")).expect("it was written");
    let changed = text.replace("\"0.125\"", "\"2.0\"");
    assert_ne!(text, changed);
    fs::write(folder.join("export.nq"), changed).expect("the folder is ours");
    let arguments = ["figures", "export.nq", "--show", "tasks", "--format", "csv"];
    let (_, stdout, _) = run(folder, &arguments);
    // The one who stands apart weighs as much as the four others.
    assert_eq!(stdout.lines().nth(3), Some("3,NLI,5,2,1,0,yes,Relationship: entail"));
}

#[test]
fn files_of_a_folder_are_one_dataset_in_the_graph_as_well() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let text = fs::read_to_string(path("rlcf/worked/export.json")).expect("the fixture is there");
    let export: Value = serde_json::from_str(&text).expect("an object");
    fs::create_dir(folder.join("replies")).expect("the folder is ours");
    for (name, records) in export.as_object().expect("an object") {
        fs::write(folder.join(format!("replies/{name}.json")), records.to_string()).expect("ours");
    }
    assert_eq!(run(folder, &["convert", "replies", "-o", "replies.nq"]).0, 0);
    assert_eq!(all_figures(folder, "replies.nq"), all_figures(folder, "replies"));
}

#[test]
fn records_inside_of_others_count_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let text = fs::read_to_string(path("rlcf/worked/export.json")).expect("the fixture is there");
    let mut export: Value = serde_json::from_str(&text).expect("an object");
    fs::write(folder.join("apart.json"), export.to_string()).expect("the folder is ours");
    let taken = |export: &mut Value, key: &str| export[key].take().as_array().cloned().unwrap_or_default();
    let (ratings, feedback) = (taken(&mut export, "ratings"), taken(&mut export, "feedback"));
    let responses = taken(&mut export, "responses");
    // As a reply about a task has them: the feedback in its response, the response in its task.
    let inside = |records: &[Value], key: &str, id: &Value, name: &str, inner: Option<(&str, &[Value])>| {
        let own = records.iter().filter(|record| record[key] == *id).cloned();
        let own = own.map(|mut record| {
            if let Some((inner_name, inner)) = inner {
                let of_record = inner.iter().filter(|one| one[name] == record["id"]).cloned();
                record[inner_name] = of_record.collect();
            }
            record
        });
        own.collect::<Vec<Value>>()
    };
    let rated: Vec<Value> = feedback
        .iter()
        .map(|one| {
            let mut one = one.clone();
            one["ratings"] = inside(&ratings, "feedback_id", &one["id"], "", None).into();
            one
        })
        .collect();
    for task in export["tasks"].as_array_mut().expect("tasks") {
        let id = task["id"].clone();
        let inner = Some(("feedback", rated.as_slice()));
        let mut own = inside(&responses, "task_id", &id, "response_id", inner);
        for response in &mut own {
            if let Some(response) = response.as_object_mut() {
                response.remove("task_id");
            }
        }
        task["responses"] = own.into();
    }
    for key in ["responses", "feedback", "ratings"] {
        if let Some(export) = export.as_object_mut() {
            export.remove(key);
        }
    }
    fs::write(folder.join("inside.json"), export.to_string()).expect("the folder is ours");
    let apart = all_figures(folder, "apart.json");
    assert_eq!(all_figures(folder, "inside.json"), apart);
    assert_eq!(run(folder, &["convert", "inside.json", "-o", "inside.nq"]).0, 0);
    assert_eq!(all_figures(folder, "inside.nq"), apart);
}

#[test]
fn tasks_of_a_graph_are_found_with_their_disagreement() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    fs::copy(path("rlcf/worked/export.json"), folder.join("export.json")).expect("the folder is ours");
    assert_eq!(run(folder, &["convert", "export.json", "-o", "export.nq"]).0, 0);
    let bytes = fs::read(folder.join("export.nq")).expect("it was written");
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::NQuads, base: None };
    read("export.nq", &bytes, options, &mut quads).expect("well-formed");
    let graph = IndexedGraph::with_quads(&quads, quads.quads().iter());
    let findings = task_findings(&graph, &FigureMethod::default(), Limits::default()).expect("records");
    let contested = findings.iter().filter(|finding| finding.is_contested).count();
    assert_eq!((findings.len(), contested), (11, 10));
    let third = findings.iter().find(|finding| graph.shown(finding.node).ends_with(":task/3"));
    let third = third.expect("the task is there");
    assert!((third.disagreement - 0.322_756_958_897_398).abs() < 1e-12);
    assert_eq!(third.consensus_answer.as_deref(), Some("Relationship: entail"));
}
