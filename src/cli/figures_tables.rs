//! The figures of RLCF as tables and as JSON.

use clap::ValueEnum;
use serde_json::{Map, Value, json};

use super::side_by_side::{Cell, Table};
use evalgraph_formats::rlcf::figures::{
    Aggregation, Expert, FeedbackFigures, Figures, TaskFigures, id_to_json,
};

/// A part of the figures that `--show` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Part {
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

impl Part {
    /// The part of these figures, as a table.
    pub(super) fn table(self, figures: &Figures<'_>) -> Table {
        match self {
            Self::Experts => experts(figures),
            Self::Tasks => tasks(figures),
            Self::Contested => contested(figures),
            Self::Bias => bias(figures),
            Self::Feedback => feedback(figures),
            Self::System => system(figures),
        }
    }

    /// The part of these figures, as JSON.
    pub(super) fn json(self, figures: &Figures<'_>) -> (&'static str, Value) {
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

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn maybe(number: Option<f64>) -> Cell {
    number.map_or(Cell::Absent, Cell::Number)
}

fn experts(figures: &Figures<'_>) -> Table {
    Table::of(
        "experts, the most authority first",
        2,
        &figures.experts,
        &[
            ("id", |expert| text(&expert.user.id)),
            ("username", |expert| text(&expert.user.username)),
            ("stored authority", |expert| Cell::Number(expert.user.authority_score)),
            ("authority", |expert| Cell::Number(expert.authority)),
            ("baseline", |expert| Cell::Number(expert.baseline_credentials)),
            ("track record", |expert| Cell::Number(expert.track_record)),
            ("feedback", |expert| Cell::Count(expert.feedback)),
            ("mean quality", |expert| maybe(expert.mean_quality)),
        ],
    )
}

fn expert_to_json(expert: &Expert<'_>) -> Value {
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

/// Returns the consensus answer: a string as it is, another value as JSON; else the reason why there is none.
fn answer(one: &TaskFigures<'_>) -> Cell {
    match one.aggregation.as_ref().map(|all| all.consensus.get("consensus_answer")) {
        Ok(Some(Value::String(answer))) => text(answer),
        Ok(Some(answer)) => Cell::Text(answer.to_string()),
        Ok(None) => Cell::Absent,
        Err(reason) => Cell::Text(format!("({reason})")),
    }
}

/// Returns a cell about the consensus of the experts; an absent one where they have none.
fn together(one: &TaskFigures<'_>, cell: fn(&Aggregation) -> Cell) -> Cell {
    one.aggregation.as_ref().map_or(Cell::Absent, cell)
}

fn tasks(figures: &Figures<'_>) -> Table {
    Table::of(
        "tasks",
        2,
        &figures.tasks,
        &[
            ("id", |one| text(&one.task.id)),
            ("type", |one| text(&one.task.task_type)),
            ("feedback", |one| Cell::Count(one.opinions)),
            ("positions", |one| together(one, |all| Cell::Count(all.positions.len()))),
            ("disagreement", |one| together(one, |all| Cell::Number(all.disagreement))),
            ("confidence", |one| together(one, |all| Cell::Number(all.confidence_level()))),
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

fn contested(figures: &Figures<'_>) -> Table {
    Table::of(
        "contested tasks, the most disagreement first",
        2,
        &figures.contested(),
        &[
            ("id", |(one, _)| text(&one.task.id)),
            ("type", |(one, _)| text(&one.task.task_type)),
            ("disagreement", |(_, all)| Cell::Number(all.disagreement)),
            ("leading position", |(_, all)| position(all, 0)),
            ("support", |(_, all)| support(all, 0)),
            ("next position", |(_, all)| position(all, 1)),
            ("support of next", |(_, all)| support(all, 1)),
            ("aspects", |(_, all)| {
                let aspects = all.contention_points.iter().map(|point| point.aspect.as_str());
                Cell::Text(aspects.collect::<Vec<_>>().join(" "))
            }),
        ],
    )
}

fn position(all: &Aggregation, at: usize) -> Cell {
    all.positions.get(at).map_or(Cell::Absent, |position| text(&position.position))
}

fn support(all: &Aggregation, at: usize) -> Cell {
    let position = all.positions.get(at);
    position.map_or(Cell::Absent, |position| Cell::Text(format!("{:.1}%", all.support(position))))
}

fn bias(figures: &Figures<'_>) -> Table {
    let mut columns = vec!["id", "type"];
    columns.extend(figures.tasks.first().iter().flat_map(|one| one.bias.dimensions()).map(|(name, _)| name));
    columns.extend(["total", "level"]);
    let mut table = Table::new("bias of tasks", 2, &columns);
    table.rows.extend(figures.tasks.iter().map(|one| {
        let mut row = vec![text(&one.task.id), text(&one.task.task_type)];
        row.extend(one.bias.dimensions().map(|(_, bias)| Cell::Number(bias)));
        row.extend([Cell::Number(one.bias.total()), text(one.bias_level.name())]);
        row
    }));
    table
}

/// Returns the bias of a task under the keys of RLCF's reports.
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

fn feedback(figures: &Figures<'_>) -> Table {
    Table::of(
        "feedback",
        3,
        &figures.feedback,
        &[
            ("id", |one| text(&one.feedback.id)),
            ("task", |one| text(&one.task.id)),
            ("user", |one| text(&one.author.username)),
            ("position", |one| one.position.as_deref().map_or(Cell::Absent, text)),
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

fn system(figures: &Figures<'_>) -> Table {
    let mut table = Table::new("system", 1, &["figure", "value"]);
    let metrics = &figures.system;
    let rows = [
        ("totalTasks", Cell::Count(metrics.total_tasks)),
        ("totalUsers", Cell::Count(metrics.total_users)),
        ("totalFeedback", Cell::Count(metrics.total_feedback)),
        ("averageConsensus", Cell::Number(metrics.average_consensus)),
        ("activeEvaluations", Cell::Count(metrics.active_evaluations)),
        ("completionRate", Cell::Number(metrics.completion_rate)),
        ("contested tasks", Cell::Count(figures.contested().len())),
    ];
    table.rows.extend(rows.map(|(name, value)| vec![text(name), value]));
    let types = figures.task_distribution.iter();
    table
        .rows
        .extend(types.map(|(name, count)| vec![Cell::Text(format!("tasks {name}")), Cell::Count(*count)]));
    table
}

/// Returns the figures of the whole dataset under the keys of RLCF's reply.
fn system_to_json(figures: &Figures<'_>) -> Value {
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
