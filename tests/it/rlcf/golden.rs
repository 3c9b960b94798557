//! The figures of RLCF against those that its program gave for the same input, digit by digit.
//!
//! What the program adds up in the order of a set, which differs from run to run, is compared to 1e-12.

use crate::beside::shared;
use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::source::rlcf::figures::model::{Credential, ExpertUser, Feedback, RlcfDataset};
use evalgraph::source::rlcf::figures::record_gatherer::{RecordGatherer, to_value};
use evalgraph::source::rlcf::figures::{
    FigureMethod, FigureSettings, PositionKey, RlcfFigures, RlcfProfile, authority, baseline_credentials,
    disagreement, quality, updated_track_record,
};
use evalgraph::source::rlcf::tell;
use serde_json::{Value, json};

/// The golden figures.
pub(crate) fn golden() -> Value {
    let text = std::fs::read_to_string(shared("rlcf/rlcf_golden.json")).expect("the file can be read");
    let document = parsed("rlcf_golden.json", &text);
    to_value(&document, document.root())
}

fn parsed(name: &str, text: &str) -> JsonDocument {
    parse(name, text.to_owned(), Limits::default()).expect("well-formed JSON")
}

/// The input of the golden figures as an export: five experts, one task of each type.
pub(crate) fn records(golden: &Value) -> RlcfDataset {
    let (mut tasks, mut responses, mut feedback) = (Vec::new(), Vec::new(), Vec::new());
    for (at, (task_type, task)) in golden["tasks"].as_object().expect("tasks").iter().enumerate() {
        let id = at + 1;
        tasks.push(json!({
            "id": id, "task_type": task_type, "input_data": task["input_data"],
            "ground_truth_data": task["ground_truth_data"], "created_at": "2026-01-01T00:00:00",
            "status": "BLIND_EVALUATION",
        }));
        responses.push(json!({
            "id": id, "task_id": id, "output_data": {"target": "orig target"}, "model_version": "m-1",
            "generated_at": "2026-01-01T00:00:00",
        }));
        for (user, data) in task["feedback_data"].as_array().expect("feedback").iter().enumerate() {
            feedback.push(json!({
                "id": at * 10 + user + 1, "user_id": user + 1, "response_id": id, "is_blind_phase": true,
                "accuracy_score": 8.5, "utility_score": 7.0, "transparency_score": 7.0,
                "feedback_data": data, "submitted_at": format!("2026-01-0{}T00:00:00", user + 1),
            }));
        }
    }
    let export =
        json!({"users": golden["users"], "tasks": tasks, "responses": responses, "feedback": feedback});
    let document = parsed("export.json", &export.to_string());
    let mut gathering = RecordGatherer::default();
    gathering.add(&document, &tell(&document, "export.json", None).expect("an export"));
    let (records, summary) = gathering.finish();
    assert_eq!(summary, Default::default());
    records
}

fn shipped() -> FigureMethod {
    FigureMethod {
        settings: FigureSettings::from_profile(RlcfProfile::Shipped),
        position: PositionKey::Feedback,
        ..FigureMethod::default()
    }
}

/// Compares JSON; numbers may be off by `tolerance`.
fn assert_same(one: &Value, other: &Value, tolerance: f64, place: &str) {
    match (one, other) {
        (Value::Object(left), Value::Object(right)) => {
            let keys = |object: &serde_json::Map<String, Value>| {
                let mut keys: Vec<String> = object.keys().cloned().collect();
                keys.sort();
                keys
            };
            assert_eq!(keys(left), keys(right), "{place}");
            for (key, value) in left {
                assert_same(value, &right[key], tolerance, &format!("{place}/{key}"));
            }
        }
        (Value::Array(left), Value::Array(right)) => {
            assert_eq!(left.len(), right.len(), "{place}: {one} {other}");
            for (at, (one, other)) in left.iter().zip(right).enumerate() {
                assert_same(one, other, tolerance, &format!("{place}/{at}"));
            }
        }
        (Value::Number(left), Value::Number(right)) => {
            let (left, right) = (left.as_f64().expect("a number"), right.as_f64().expect("a number"));
            assert!((left - right).abs() <= tolerance, "{place}: {left} {right}");
        }
        _ => assert_eq!(one, other, "{place}"),
    }
}

#[test]
#[ignore = "needs ../shared/rlcf"]
fn disagreement_is_exact() {
    let golden = golden();
    for case in golden["disagreement"].as_array().expect("cases") {
        let weights: Vec<f64> =
            case["in"].as_object().expect("weights").values().filter_map(Value::as_f64).collect();
        assert_eq!(Some(disagreement(&weights)), case["out"].as_f64(), "{case}");
    }
}

#[test]
#[ignore = "needs ../shared/rlcf"]
fn authority_and_its_parts_are_exact() {
    let golden = golden();
    let settings = FigureSettings::from_profile(RlcfProfile::Shipped);
    let records = records(&golden);
    for user in &records.users {
        let mut unscored = Vec::new();
        let baseline = baseline_credentials(user, &settings, &mut unscored);
        assert_eq!(Some(baseline), golden["baseline"][&user.username].as_f64(), "{}", user.username);
        assert_eq!(unscored, []);
    }
    for case in golden["quality"].as_array().expect("cases") {
        let feedback = Feedback {
            accuracy_score: case["accuracy"].as_f64(),
            consistency_score: case["consistency"].as_f64(),
            community_helpfulness_rating: case["community"].as_f64().expect("a number"),
            ..Feedback::default()
        };
        assert_eq!(quality(&feedback, &[]), case["Q"].as_f64(), "{case}");
    }
    let rated = Feedback { accuracy_score: Some(8.5), ..Feedback::default() };
    assert_eq!(quality(&rated, &[4.0, 5.0]), golden["quality_rated"]["Q"].as_f64());
    let track = &golden["track_record"];
    assert_eq!(Some(updated_track_record(0.5, 1.0, &settings)), track["after"].as_f64());
    let parts =
        ["baseline", "track", "recent"].map(|part| golden["authority"][part].as_f64().expect("a number"));
    assert_eq!(Some(authority(parts[0], parts[1], parts[2], &settings)), golden["authority"]["A"].as_f64());
}

#[test]
#[ignore = "needs ../shared/rlcf"]
fn consensus_of_every_type_is_exact() {
    let golden = golden();
    let records = records(&golden);
    let figures = RlcfFigures::compute(&records, &shipped());
    for task in &figures.tasks {
        let aggregation = task.aggregation.as_ref().expect("a consensus");
        let task_type = task.task.task_type.as_str();
        let consensus = Value::Object(aggregation.consensus.clone());
        assert_same(&consensus, &golden["handler_aggregate"][task_type], 0.0, task_type);
    }
    assert_eq!(figures.tasks.len(), 10);
}

#[test]
#[ignore = "needs ../shared/rlcf"]
fn aggregation_of_every_type_is_exact() {
    let golden = golden();
    let records = records(&golden);
    let figures = RlcfFigures::compute(&records, &shipped());
    for task in &figures.tasks {
        let aggregation = task.aggregation.as_ref().expect("a consensus");
        let task_type = task.task.task_type.as_str();
        let (mut ours, mut theirs) = (aggregation.to_json(), golden["aggregation"][task_type].clone());
        // The program takes the fields in the order of a set.
        for result in [&mut ours, &mut theirs] {
            let disagreement = &mut result["expert_disagreement"];
            for key in ["consensus_areas", "contention_points"] {
                let points = disagreement[key].as_array_mut().expect("an array");
                points.sort_by_key(Value::to_string);
            }
        }
        let research = |result: &mut Value| {
            let taken = result["epistemic_metadata"]["suggested_research"].take();
            taken.as_array().expect("an array").len()
        };
        assert_eq!(research(&mut ours), research(&mut theirs));
        assert_same(&ours, &theirs, 0.0, task_type);
    }
}

#[test]
#[ignore = "needs ../shared/rlcf"]
fn consistency_and_correctness_of_every_type_are_exact() {
    let golden = golden();
    let records = records(&golden);
    let figures = RlcfFigures::compute(&records, &shipped());
    for task in &figures.tasks {
        let task_type = task.task.task_type.as_str();
        let of_task = || figures.feedback.iter().filter(|one| one.task.id == task.task.id);
        let consistency: Vec<Option<f64>> = of_task().map(|one| one.consistency).collect();
        let correctness: Vec<Option<f64>> = of_task().map(|one| one.correctness).collect();
        assert_same(&json!(consistency), &golden["consistency_handler"][task_type], 0.0, task_type);
        assert_same(&json!(correctness), &golden["correctness"][task_type], 0.0, task_type);
    }
}

#[test]
#[ignore = "needs ../shared/rlcf"]
fn bias_of_every_type_agrees() {
    let golden = golden();
    let records = records(&golden);
    let figures = RlcfFigures::compute(&records, &shipped());
    for task in &figures.tasks {
        let task_type = task.task.task_type.as_str();
        let dimensions = task.bias.dimensions().into_iter().filter(|(name, _)| *name != "professional");
        let ours: serde_json::Map<String, Value> =
            dimensions.map(|(name, bias)| (name.to_owned(), Value::from(bias))).collect();
        assert_same(&Value::from(ours), &golden["bias_components"][task_type], 1e-12, task_type);
    }
}

#[test]
fn a_formula_that_gives_no_number_counts_nothing_and_is_told() {
    let credential = |credential_type: &str, value: &str| Credential {
        credential_type: credential_type.to_owned(),
        value: value.to_owned(),
        ..Credential::default()
    };
    let user = ExpertUser {
        id: "7".to_owned(),
        credentials: vec![
            credential("ACADEMIC_DEGREE", "JD"),
            credential("PROFESSIONAL_EXPERIENCE", "16"),
            credential("PUBLICATION", "many"),
            credential("UNKNOWN", "x"),
        ],
        ..ExpertUser::default()
    };
    let mut unscored = Vec::new();
    let baseline = baseline_credentials(&user, &FigureSettings::default(), &mut unscored);
    assert!((baseline - (0.3 * 1.2 + 0.4 * 1.3)).abs() < 1e-12);
    let told: Vec<(&str, &str)> =
        unscored.iter().map(|one| (one.value.as_str(), one.reason.as_str())).collect();
    assert_eq!(told, [("many", "the value is not a number")]);
}
