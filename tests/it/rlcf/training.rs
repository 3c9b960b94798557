//! Training data of RLCF's feedback: as the program writes it, and with every type of task.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use crate::rlcf::golden::{golden, records};
use evalgraph::json::{Limits, parse};
use evalgraph::source::rlcf::export::{ExportFormat, ExportOmission, export};
use evalgraph::source::rlcf::figures::RlcfProfile;
use evalgraph::source::rlcf::figures::model::{
    ExpertUser, Feedback, FreeFormData, LegalTask, ModelResponse, RlcfDataset,
};
use evalgraph::source::rlcf::figures::record_gatherer::to_value;
use serde_json::{Map, Value};

fn as_json(lines: &str) -> Vec<Value> {
    let values = lines.lines().map(|line| {
        let document = parse("a line", line.to_owned(), Limits::default()).expect("well-formed JSON");
        to_value(&document, document.root())
    });
    values.collect()
}

#[test]
#[ignore = "needs ../shared/rlcf"]
fn exports_of_every_type_are_those_of_the_program() {
    let golden = golden();
    let records = records(&golden);
    for (format, key) in [(ExportFormat::Sft, "export_sft"), (ExportFormat::Preference, "export_preference")]
    {
        for (task_type, expected) in golden[key].as_object().expect("types") {
            let made = export(&records, format, RlcfProfile::Shipped, Some(task_type));
            let lines = made.to_lines(RlcfProfile::Shipped);
            assert!(lines.is_ascii() && !lines.ends_with('\n'));
            assert_eq!(Value::from(as_json(&lines)), *expected, "{key} {task_type}");
        }
    }
}

#[test]
#[ignore = "needs ../shared/rlcf"]
fn nulls_are_left_out_and_counted() {
    let golden = golden();
    let records = records(&golden);
    for (task_type, expected) in golden["export_sft"].as_object().expect("types") {
        let made = export(&records, ExportFormat::Sft, RlcfProfile::Seed, Some(task_type));
        let ours = as_json(&made.to_lines(RlcfProfile::Seed));
        if task_type == "STATUTORY_RULE_QA" {
            assert_eq!((ours.len(), made.left_out.as_slice()), (5, [].as_slice()));
            continue;
        }
        let expected = expected.as_array().expect("records");
        // What no expert has said is an empty text to the program, and a severity of 0.
        let made_up = match task_type.as_str() {
            "NER" => Some(""),
            "RISK_SPOTTING" => Some("Risks: z, Severity: 0"),
            _ => None,
        };
        let is_said = |record: &&Value| match record["output"].as_str() {
            Some(output) => Some(output) != made_up,
            None => false,
        };
        let complete: Vec<Value> = expected.iter().filter(is_said).cloned().collect();
        let nulls = expected.len() - complete.len();
        assert_eq!(ours, complete, "{task_type}");
        let left_out: Vec<(ExportOmission, usize)> =
            if nulls > 0 { vec![(ExportOmission::Null("output"), nulls)] } else { Vec::new() };
        assert_eq!(made.left_out, left_out, "{task_type}");
    }
}

#[test]
fn statutes_have_their_context_and_articles() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = path("rlcf/worked/export.json").display().to_string();
    let arguments = ["convert", &input, "--to", "sft", "--task-type", "STATUTORY_RULE_QA"];
    let (status, stdout, stderr) = run(folder.path(), &arguments);
    assert_eq!((status, stderr.as_str()), (0, ""));
    insta::assert_snapshot!(stdout.lines().next().unwrap_or_default(), @r#"{"instruction": "Answer the following question based on the provided context: La clausola è conforme alla regola R-7?", "input": "Regola R-7 (inventata): le clausole vanno firmate.\nRelevant articles: art. 7", "output": "La clausola non è conforme"}"#);
}

#[test]
fn pairs_of_answers_come_from_experts_who_say_that_the_model_is_wrong() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = path("rlcf/worked/export.json").display().to_string();
    let (status, stdout, stderr) = run(folder.path(), &["convert", &input, "--to", "preference", "-v"]);
    assert_eq!(status, 0);
    insta::assert_snapshot!(stdout, @r#"
    {"prompt": "Answer the following question based on the provided context: Is a notice of termination by e-mail valid where the lease asks for a letter?\nContext: Clause 9: notice shall be given by registered letter.", "chosen": "No", "rejected": "It depends on what the parties did before."}
    {"prompt": "Answer the following question based on the provided context: Is a notice of termination by e-mail valid where the lease asks for a letter?\nContext: Clause 9: notice shall be given by registered letter.", "chosen": "No", "rejected": "It depends on what the parties did before."}
    {"prompt": "Revise the following text based on the instruction: Make it an obligation.\nSource: pay by party", "chosen": "the party shall pay", "rejected": "party pays"}
    {"prompt": "Revise the following text based on the instruction: Make it an obligation.\nSource: pay by party", "chosen": "party shall pay now", "rejected": "party pays"}
    {"prompt": "Answer the following question based on the provided context: La clausola è conforme alla regola R-7?\nContext: Regola R-7 (inventata): le clausole vanno firmate.\nRelevant articles: art. 7", "chosen": "la clausola è conforme", "rejected": "La clausola è conforme."}
    "#);
    insta::assert_snapshot!(stderr, @r"
    warning[export::left-out]: 7 of the feedback left out: the expert prefers neither text
    warning[export::left-out]: 1 of the feedback left out: the answer of the model is missing or a placeholder
    warning[export::left-out]: 5 of the feedback left out: tasks of type `NLI` are not exported in this format
    warning[export::left-out]: 3 of the feedback left out: tasks of type `CLASSIFICATION` are not exported in this format
    warning[export::left-out]: 3 of the feedback left out: tasks of type `SUMMARIZATION` are not exported in this format
    warning[export::left-out]: 3 of the feedback left out: tasks of type `PREDICTION` are not exported in this format
    warning[export::left-out]: 3 of the feedback left out: tasks of type `NER` are not exported in this format
    warning[export::left-out]: 1 of the feedback left out: there is no `rejected`
    warning[export::left-out]: 3 of the feedback left out: tasks of type `RISK_SPOTTING` are not exported in this format
    warning[export::left-out]: 3 of the feedback left out: tasks of type `DOCTRINE_APPLICATION` are not exported in this format
    ");
}

/// A severity of 0, or no labels, is what an expert says; one who says nothing has not said that.
#[test]
fn what_an_expert_does_not_say_is_not_learnt() {
    let sft = |task_type: &str, said: Value, profile| {
        let task = LegalTask {
            id: "1".to_owned(),
            task_type: task_type.to_owned(),
            input_data: data(&serde_json::json!({"text": "T", "unit": "U", "tokens": ["a"]})),
            ..LegalTask::default()
        };
        let feedback = Feedback {
            id: "1".to_owned(),
            user_id: "1".to_owned(),
            response_id: "1".to_owned(),
            feedback_data: data(&said),
            ..Feedback::default()
        };
        let records = RlcfDataset {
            users: vec![ExpertUser { id: "1".to_owned(), ..ExpertUser::default() }],
            tasks: vec![task],
            responses: vec![ModelResponse {
                id: "1".to_owned(),
                task_id: "1".to_owned(),
                ..ModelResponse::default()
            }],
            feedback: vec![feedback],
            ratings: Vec::new(),
        };
        as_json(&export(&records, ExportFormat::Sft, profile, None).to_lines(profile))
    };
    let labels = serde_json::json!({"validated_risk_labels": ["late"]});
    let severe = serde_json::json!({"validated_risk_labels": ["late"], "validated_severity": 0});
    assert!(sft("RISK_SPOTTING", labels.clone(), RlcfProfile::Seed).is_empty());
    assert_eq!(sft("RISK_SPOTTING", labels, RlcfProfile::Shipped)[0]["output"], "Risks: late, Severity: 0");
    assert_eq!(sft("RISK_SPOTTING", severe, RlcfProfile::Seed)[0]["output"], "Risks: late, Severity: 0");
    for (task_type, key) in [("CLASSIFICATION", "validated_labels"), ("NER", "validated_tags")] {
        assert!(sft(task_type, serde_json::json!({}), RlcfProfile::Seed).is_empty(), "{task_type}");
        let said = serde_json::json!({key: []});
        assert_eq!(sft(task_type, said, RlcfProfile::Seed)[0]["output"], "", "{task_type}");
    }
}

#[test]
fn an_empty_text_makes_no_pair() {
    let feedback = Feedback {
        id: "1".to_owned(),
        user_id: "1".to_owned(),
        response_id: "1".to_owned(),
        feedback_data: data(&serde_json::json!({"rating": "better", "revised_target": " "})),
        ..Feedback::default()
    };
    let records = RlcfDataset {
        users: vec![ExpertUser { id: "1".to_owned(), ..ExpertUser::default() }],
        tasks: vec![LegalTask {
            id: "1".to_owned(),
            task_type: "DRAFTING".to_owned(),
            input_data: data(&serde_json::json!({"source": "S", "instruction": "I"})),
            ..LegalTask::default()
        }],
        responses: vec![ModelResponse {
            id: "1".to_owned(),
            task_id: "1".to_owned(),
            output_data: data(&serde_json::json!({"target": "T"})),
            ..ModelResponse::default()
        }],
        feedback: vec![feedback],
        ratings: Vec::new(),
    };
    let made = |profile| export(&records, ExportFormat::Preference, profile, None);
    assert_eq!(made(RlcfProfile::Seed).left_out, [(ExportOmission::Null("chosen"), 1)]);
    assert_eq!(made(RlcfProfile::Shipped).examples.len(), 1);
}

fn data(value: &Value) -> FreeFormData {
    value.as_object().cloned().unwrap_or_default()
}

#[test]
fn what_is_left_out_is_an_error_under_strict() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = path("rlcf/worked/export.json").display().to_string();
    let arguments = ["convert", &input, "--to", "preference", "--strict", "-o", "out.jsonl"];
    let (status, ..) = run(folder.path(), &arguments);
    assert_eq!((status, folder.path().join("out.jsonl").exists()), (2, false));
}

#[test]
fn flags_of_training_data_are_for_training_data() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = path("rlcf/worked/export.json").display().to_string();
    let arguments = ["convert", &input, "--to", "nq", "--task-type", "QA"];
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 2);
    insta::assert_snapshot!(stderr, @r"
    error[output::format]: `--task-type` is for training data, but the output is nq
     = help: add `--to sft`
    ");
}

#[test]
fn no_secret_reaches_training_data_or_figures() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let secret = "sk-figures-4711";
    let inner = serde_json::json!({"api_key": secret, "validated_answer": "No", "position": "incorrect"});
    let export = serde_json::json!({
        "users": [{"id": 1, "username": "anna", "authority_score": 1.0, "api_key": secret,
                   "credentials": [{"id": 1, "user_id": 1, "type": "ACADEMIC_DEGREE", "value": "JD",
                                    "weight": 0.1, "api_key": secret}]}],
        "tasks": [{"id": 1, "task_type": "QA", "created_at": "2026-01-01T00:00:00", "status": "OPEN",
                   "input_data": {"question": "Why?", "context": {"api_key": secret, "text": "So."}}}],
        "responses": [{"id": 1, "task_id": 1, "output_data": {"answer": "Yes", "api_key": secret},
                       "model_version": "m-1", "generated_at": "2026-01-01T00:00:00"}],
        "feedback": [{"id": 1, "user_id": 1, "response_id": 1, "is_blind_phase": true, "accuracy_score": 5.0,
                      "utility_score": 5.0, "transparency_score": 5.0, "feedback_data": inner,
                      "submitted_at": "2026-01-01T00:00:00"}],
        "ai_models": [{"name": "m-1", "api_key": secret}],
    });
    let text = export.to_string().replacen("\"api_key\"", "\"api\\u005fkey\"", 1);
    std::fs::write(folder.path().join("export.json"), text).expect("the folder is ours");
    let commands: [&[&str]; 5] = [
        &["convert", "export.json", "--to", "sft"],
        &["convert", "export.json", "--to", "preference"],
        &["figures", "export.json", "--show", "experts,tasks,contested,bias,feedback,system"],
        &["figures", "export.json", "--position", "feedback", "--format", "json"],
        &["figures", "export.json", "--show", "feedback", "--position", "feedback", "--format", "csv"],
    ];
    for command in commands {
        let (status, stdout, stderr) = run(folder.path(), command);
        assert_eq!(status, 0, "{command:?} {stderr}");
        assert!(!stdout.is_empty() && !stdout.contains(secret) && !stderr.contains(secret), "{command:?}");
    }
}

#[test]
#[ignore = "needs ../shared/rlcf"]
fn a_record_is_never_more_than_its_three_keys() {
    let golden = golden();
    let made = export(&records(&golden), ExportFormat::Sft, RlcfProfile::Seed, None);
    for record in as_json(&made.to_lines(RlcfProfile::Seed)) {
        let keys: Vec<&String> = record.as_object().map(Map::keys).into_iter().flatten().collect();
        assert_eq!(keys, ["instruction", "input", "output"]);
    }
    assert_eq!(made.examples.len(), 43);
}
