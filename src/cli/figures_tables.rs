//! The figures of RLCF as tables and as JSON.

use clap::ValueEnum;
use serde_json::{Map, Value, json};

use super::side_by_side::{FigureCell, FigureTable};
use evalgraph_formats::rlcf::figures::{
    ExpertFigures, FeedbackFigures, OpinionAggregation, RlcfFigures, TaskFigures, id_to_json,
};

/// A part of the figures that `--show` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FiguresPart {
    /// Every expert: credentials, track record, authority; the leaderboard
    Experts,
    /// Every task: disagreement, and what the experts say together
    Tasks,
    /// The tasks whose disagreement is above the threshold, the most contested first
    Contested,
    /// The bias of every task in six dimensions
    Bias,
    /// Every feedback: position, quality, consistency, correctness
    Feedback,
    /// Counts and means of the whole dataset
    System,
}

impl FiguresPart {
    /// Returns this part of the figures as a table.
    pub(super) fn table(self, figures: &RlcfFigures<'_>) -> FigureTable {
        match self {
            Self::Experts => experts(figures),
            Self::Tasks => tasks(figures),
            Self::Contested => contested(figures),
            Self::Bias => bias(figures),
            Self::Feedback => feedback(figures),
            Self::System => system(figures),
        }
    }

    /// Returns this part of the figures as JSON.
    pub(super) fn json(self, figures: &RlcfFigures<'_>) -> (&'static str, Value) {
        match self {
            Self::Experts => ("experts", figures.experts.iter().map(expert_to_json).collect()),
            Self::Tasks => ("tasks", figures.tasks.iter().map(task_to_json).collect()),
            Self::Contested => {
                let ids = figures.contested().into_iter().map(|(task, _)| id_to_json(&task.task.id));
                ("contested", ids.collect())
            }
            Self::Bias => ("bias", figures.tasks.iter().map(bias_to_json).collect()),
            Self::Feedback => ("feedback", figures.feedback.iter().map(feedback_to_json).collect()),
            Self::System => ("system", system_to_json(figures)),
        }
    }
}

fn text(text: &str) -> FigureCell {
    FigureCell::Text(text.to_owned())
}

fn maybe(number: Option<f64>) -> FigureCell {
    number.map_or(FigureCell::Absent, FigureCell::Number)
}

fn experts(figures: &RlcfFigures<'_>) -> FigureTable {
    FigureTable::from_things(
        "experts, the most authority first",
        2,
        &figures.experts,
        &[
            ("id", |expert| text(&expert.user.id)),
            ("username", |expert| text(&expert.user.username)),
            ("stored authority", |expert| FigureCell::Number(expert.user.authority_score)),
            ("authority", |expert| FigureCell::Number(expert.authority)),
            ("baseline", |expert| FigureCell::Number(expert.baseline_credentials)),
            ("track record", |expert| FigureCell::Number(expert.track_record)),
            ("feedback", |expert| FigureCell::Count(expert.feedback)),
            ("mean quality", |expert| maybe(expert.mean_quality)),
        ],
    )
}

fn expert_to_json(expert: &ExpertFigures<'_>) -> Value {
    json!({
        "id": id_to_json(&expert.user.id),
        "username": expert.user.username,
        "authority_score": expert.user.authority_score,
        "track_record_score": expert.user.track_record_score,
        "baseline_credential_score": expert.user.baseline_credential_score,
        "computed": {
            "authority_score": expert.authority,
            "track_record_score": expert.track_record,
            "baseline_credential_score": expert.baseline_credentials,
        },
        "feedback": expert.feedback,
        "mean_quality": expert.mean_quality,
    })
}

/// Returns the consensus answer: a string as it is, any other value as JSON. If there is none, returns the reason.
fn answer(one: &TaskFigures<'_>) -> FigureCell {
    match one.aggregation.as_ref().map(|all| all.consensus.get("consensus_answer")) {
        Ok(Some(Value::String(answer))) => text(answer),
        Ok(Some(answer)) => FigureCell::Text(answer.to_string()),
        Ok(None) => FigureCell::Absent,
        Err(reason) => FigureCell::Text(format!("({reason})")),
    }
}

/// Returns a cell about the consensus of the experts. Empty if they have none.
fn together(one: &TaskFigures<'_>, cell: fn(&OpinionAggregation) -> FigureCell) -> FigureCell {
    one.aggregation.as_ref().map_or(FigureCell::Absent, cell)
}

fn tasks(figures: &RlcfFigures<'_>) -> FigureTable {
    FigureTable::from_things(
        "tasks",
        2,
        &figures.tasks,
        &[
            ("id", |one| text(&one.task.id)),
            ("type", |one| text(&one.task.task_type)),
            ("feedback", |one| FigureCell::Count(one.opinions)),
            ("positions", |one| together(one, |all| FigureCell::Count(all.positions.len()))),
            ("disagreement", |one| together(one, |all| FigureCell::Number(all.disagreement))),
            ("confidence", |one| together(one, |all| FigureCell::Number(all.confidence_level()))),
            ("contested", |one| together(one, |all| text(if all.is_contested { "yes" } else { "no" }))),
            ("consensus answer", answer),
        ],
    )
}

fn task_to_json(one: &TaskFigures<'_>) -> Value {
    let mut task = json!({
        "id": id_to_json(&one.task.id),
        "task_type": one.task.task_type,
        "status": one.task.status,
        "feedback": one.opinions,
    });
    match &one.aggregation {
        Ok(aggregation) => {
            task["disagreement"] = json!(aggregation.disagreement);
            task["contested"] = json!(aggregation.is_contested);
            task["without_position"] = json!(aggregation.without_position);
            task["consensus"] = Value::Object(aggregation.consensus.clone());
            task["aggregation"] = aggregation.to_json();
        }
        Err(reason) => {
            task["aggregation"] = json!({"error": reason.to_string(), "type": reason.error_type()});
        }
    }
    task
}

fn contested(figures: &RlcfFigures<'_>) -> FigureTable {
    FigureTable::from_things(
        "contested tasks, the most disagreement first",
        2,
        &figures.contested(),
        &[
            ("id", |(one, _)| text(&one.task.id)),
            ("type", |(one, _)| text(&one.task.task_type)),
            ("disagreement", |(_, all)| FigureCell::Number(all.disagreement)),
            ("leading position", |(_, all)| position(all, 0)),
            ("support", |(_, all)| support(all, 0)),
            ("next position", |(_, all)| position(all, 1)),
            ("support of next", |(_, all)| support(all, 1)),
            ("aspects", |(_, all)| {
                let aspects = all.contention_points.iter().map(|point| point.aspect.as_str());
                FigureCell::Text(aspects.collect::<Vec<_>>().join(" "))
            }),
        ],
    )
}

fn position(all: &OpinionAggregation, at: usize) -> FigureCell {
    all.positions.get(at).map_or(FigureCell::Absent, |position| text(&position.position))
}

fn support(all: &OpinionAggregation, at: usize) -> FigureCell {
    let position = all.positions.get(at);
    position.map_or(FigureCell::Absent, |position| FigureCell::Text(format!("{:.1}%", all.support(position))))
}

fn bias(figures: &RlcfFigures<'_>) -> FigureTable {
    let mut columns = vec!["id", "type"];
    columns.extend(figures.tasks.first().iter().flat_map(|one| one.bias.dimensions()).map(|(name, _)| name));
    columns.extend(["total", "level"]);
    let mut table = FigureTable::new("bias of tasks", 2, &columns);
    table.rows.extend(figures.tasks.iter().map(|one| {
        let mut row = vec![text(&one.task.id), text(&one.task.task_type)];
        row.extend(one.bias.dimensions().map(|(_, bias)| FigureCell::Number(bias)));
        row.extend([FigureCell::Number(one.bias.total()), text(one.bias_level.name())]);
        row
    }));
    table
}

/// Returns the bias of a task, with the keys of RLCF's reports.
fn bias_to_json(one: &TaskFigures<'_>) -> Value {
    let bias = &one.bias;
    json!({
        "id": id_to_json(&one.task.id),
        "task_type": one.task.task_type,
        "demographic_bias": bias.demographic,
        "professional_clustering": bias.professional,
        "temporal_drift": bias.temporal,
        "geographic_concentration": bias.geographic,
        "confirmation_bias": bias.confirmation,
        "anchoring_bias": bias.anchoring,
        "total_bias_score": bias.total(),
        "bias_level": one.bias_level.name(),
        "dominant_bias_types": bias.dominant().map(|(name, bias)| json!([name, bias])),
    })
}

fn feedback(figures: &RlcfFigures<'_>) -> FigureTable {
    FigureTable::from_things(
        "feedback",
        3,
        &figures.feedback,
        &[
            ("id", |one| text(&one.feedback.id)),
            ("task", |one| text(&one.task.id)),
            ("user", |one| text(&one.author.username)),
            ("position", |one| one.position.as_deref().map_or(FigureCell::Absent, text)),
            ("quality", |one| maybe(one.quality)),
            ("consistency", |one| maybe(one.consistency)),
            ("correctness", |one| maybe(one.correctness)),
        ],
    )
}

fn feedback_to_json(one: &FeedbackFigures<'_>) -> Value {
    json!({
        "id": id_to_json(&one.feedback.id),
        "task_id": id_to_json(&one.task.id),
        "user_id": id_to_json(&one.author.id),
        "position": one.position,
        "quality": one.quality,
        "consistency_score": one.consistency,
        "correctness_score": one.correctness,
    })
}

fn system(figures: &RlcfFigures<'_>) -> FigureTable {
    let mut table = FigureTable::new("system", 1, &["figure", "value"]);
    let metrics = &figures.system;
    let rows = [
        ("totalTasks", FigureCell::Count(metrics.total_tasks)),
        ("totalUsers", FigureCell::Count(metrics.total_users)),
        ("totalFeedback", FigureCell::Count(metrics.total_feedback)),
        ("averageConsensus", FigureCell::Number(metrics.average_consensus)),
        ("activeEvaluations", FigureCell::Count(metrics.active_evaluations)),
        ("completionRate", FigureCell::Number(metrics.completion_rate)),
        ("contested tasks", FigureCell::Count(figures.contested().len())),
    ];
    table.rows.extend(rows.map(|(name, value)| vec![text(name), value]));
    let types = figures.task_distribution.iter();
    table.rows.extend(
        types.map(|(name, count)| vec![FigureCell::Text(format!("tasks {name}")), FigureCell::Count(*count)]),
    );
    table
}

/// Returns the figures of the whole dataset, with the keys of RLCF's response.
fn system_to_json(figures: &RlcfFigures<'_>) -> Value {
    let metrics = &figures.system;
    let types = figures.task_distribution.iter();
    let types: Map<String, Value> = types.map(|(name, count)| (name.clone(), json!(count))).collect();
    json!({
        "totalTasks": metrics.total_tasks,
        "totalUsers": metrics.total_users,
        "totalFeedback": metrics.total_feedback,
        "averageConsensus": metrics.average_consensus,
        "activeEvaluations": metrics.active_evaluations,
        "completionRate": metrics.completion_rate,
        "contestedTasks": figures.contested().len(),
        "taskDistribution": types,
    })
}
