//! The figures of RLCF against those that were worked out by hand: `fixtures/rlcf/worked`.

use crate::karenina::fixtures::path;
use evalgraph::json::{Limits, parse};
use evalgraph::source::rlcf::figures::model::RlcfDataset;
use evalgraph::source::rlcf::figures::record_gatherer::{RecordGatherer, to_value};
use evalgraph::source::rlcf::figures::{FigureMethod, FigureSettings, RlcfFigures, RlcfProfile, TaskFigures};
use evalgraph::source::rlcf::tell;
use serde_json::Value;

/// The records of the export.
fn records() -> RlcfDataset {
    let name = "rlcf/worked/export.json";
    let text = std::fs::read_to_string(path(name)).expect("the fixture is there");
    let document = parse(name, text, Limits::default()).expect("well-formed JSON");
    let mut gathering = RecordGatherer::default();
    gathering.add(&document, &tell(&document, name, None).expect("an export"));
    let (records, summary) = gathering.finish();
    assert_eq!(summary, Default::default());
    records
}

fn worked() -> Value {
    let text = std::fs::read_to_string(path("rlcf/worked/figures.json")).expect("the fixture is there");
    let document = parse("figures.json", text, Limits::default()).expect("well-formed JSON");
    to_value(&document, document.root())
}

fn method(profile: RlcfProfile) -> FigureMethod {
    FigureMethod { settings: FigureSettings::from_profile(profile), ..FigureMethod::default() }
}

fn assert_near(ours: f64, worked: &Value, what: &str) {
    let worked = worked.as_f64().unwrap_or_else(|| panic!("{what} is worked out"));
    assert!((ours - worked).abs() < 1e-12, "{what}: {ours} {worked}");
}

#[test]
fn disagreement_and_consensus_are_as_worked_out() {
    let (records, worked) = (records(), worked());
    for profile in RlcfProfile::ALL {
        let figures = RlcfFigures::compute(&records, &method(profile));
        for task in &figures.tasks {
            let expected = &worked["tasks"][&task.task.id];
            let aggregation = task.aggregation.as_ref().expect("a consensus");
            assert_near(aggregation.disagreement, &expected["disagreement"], &task.task.id);
            assert_eq!(aggregation.consensus["consensus_answer"], expected["consensus_answer"]);
            let contested = expected["contested"].as_array().expect("profiles");
            let is_contested = contested.contains(&Value::from(profile.name()));
            assert_eq!(aggregation.is_contested, is_contested, "task {} in {profile}", task.task.id);
        }
        assert_eq!(figures.tasks.len(), 11);
    }
}

#[test]
fn consistency_and_correctness_are_as_worked_out() {
    let (records, worked) = (records(), worked());
    let figures = RlcfFigures::compute(&records, &method(RlcfProfile::Seed));
    for task in &figures.tasks {
        let expected = &worked["tasks"][&task.task.id];
        let of_task: Vec<_> = figures.feedback.iter().filter(|one| one.task.id == task.task.id).collect();
        for (at, one) in of_task.iter().enumerate() {
            for (what, ours) in [("consistency", one.consistency), ("correctness", one.correctness)] {
                let expected = &expected[what][at];
                match ours {
                    Some(ours) => assert_near(ours, expected, &format!("{what} of {}", one.feedback.id)),
                    None => assert!(expected.is_null(), "{what} of {}", one.feedback.id),
                }
            }
        }
    }
}

#[test]
fn bias_is_as_worked_out() {
    let (records, worked) = (records(), worked());
    let figures = RlcfFigures::compute(&records, &method(RlcfProfile::Seed));
    let with_bias = |task: &&TaskFigures<'_>| worked["tasks"][&task.task.id].get("bias").is_some();
    let tasks: Vec<_> = figures.tasks.iter().filter(with_bias).collect();
    assert_eq!(tasks.len(), 3);
    for task in tasks {
        let expected = &worked["tasks"][&task.task.id];
        for (name, bias) in task.bias.dimensions() {
            assert_near(bias, &expected["bias"][name], &format!("{name} of {}", task.task.id));
        }
        assert_near(task.bias.total(), &expected["total_bias"], &task.task.id);
        assert_eq!(task.bias_level.name(), expected["bias_level"]);
    }
}

#[test]
fn experts_and_system_are_as_worked_out() {
    let (records, worked) = (records(), worked());
    for profile in RlcfProfile::ALL {
        let figures = RlcfFigures::compute(&records, &method(profile));
        for expert in &figures.experts {
            let expected = &worked["experts"][&expert.user.username];
            let what = format!("{} in {profile}", expert.user.username);
            assert_near(expert.baseline_credentials, &expected["baseline"][profile.name()], &what);
            if let Some(track_record) = expected.get("track_record") {
                assert_near(expert.track_record, &track_record[profile.name()], &what);
                assert_near(expert.authority, &expected["authority"][profile.name()], &what);
            }
        }
        assert_eq!(figures.unscored.len(), usize::from(profile == RlcfProfile::Seed));
        for one in &figures.feedback {
            if let Some(expected) = worked["quality"].get(&one.feedback.id) {
                assert_near(one.quality.expect("accuracy is there"), expected, &one.feedback.id);
            }
        }
        let (system, expected) = (&figures.system, &worked["system"]);
        assert_eq!(Value::from(system.total_tasks), expected["totalTasks"]);
        assert_eq!(Value::from(system.total_users), expected["totalUsers"]);
        assert_eq!(Value::from(system.total_feedback), expected["totalFeedback"]);
        assert_eq!(Value::from(system.active_evaluations), expected["activeEvaluations"]);
        assert_near(system.average_consensus, &expected["averageConsensus"], "average consensus");
        assert_near(system.completion_rate, &expected["completionRate"], "completion rate");
    }
}

#[test]
fn authority_that_is_0_for_all_is_said_and_can_be_computed() {
    let mut records = records();
    for user in &mut records.users {
        user.authority_score = 0.0;
    }
    let figures = RlcfFigures::compute(&records, &method(RlcfProfile::Seed));
    let of = |figures: &RlcfFigures<'_>, id: &str| {
        let task = figures.tasks.iter().find(|task| task.task.id == id).expect("a task");
        task.aggregation.as_ref().map(|aggregation| aggregation.disagreement).map_err(ToString::to_string)
    };
    let reason = "all who gave feedback have an authority of 0".to_owned();
    assert_eq!(of(&figures, "1"), Err(reason));
    let computed = FigureMethod {
        authority: evalgraph::source::rlcf::figures::AuthorityOf::Computed,
        ..method(RlcfProfile::Seed)
    };
    let figures = RlcfFigures::compute(&records, &computed);
    assert!(of(&figures, "1").is_ok_and(|disagreement| disagreement > 0.9));
}
