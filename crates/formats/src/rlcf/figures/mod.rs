//! RLCF's figures: the authority of experts, their disagreement on a task, their consensus, and the bias of their
//! opinions.
//!
//! The results of the formulas agree with RLCF's program to the last digit. Where the numbers of the program differ
//! from those of the documents, [`FigureSettings`] has both, one for each [`RlcfProfile`].

mod aggregation;
pub mod agreement;
mod arithmetic;
mod authority;
mod bias;
mod consensus;
mod dataset_metrics;
mod disagreement;
mod expression;
mod figure_settings;
mod from_graph;
mod joined_records;
pub mod model;
mod position;
pub mod python_text;
pub mod record_gatherer;
mod weights;

pub use super::rlcf_profile::RlcfProfile;
pub use aggregation::{ContentionPoint, OpinionAggregation, SupportedPosition, aggregate, id_to_json};
pub use authority::{UnscoredCredential, authority, baseline_credentials, quality, updated_track_record};
pub use bias::{BiasLevel, PositionHistory, TaskBias, bias};
pub(super) use consensus::texts_of;
pub use consensus::{ExpertConsensus, NoConsensus, consensus};
pub use dataset_metrics::{SystemMetrics, system_metrics, task_distribution};
pub use disagreement::{disagreement, entropy};
pub use expression::{CredentialFormula, ExpressionError};
pub use figure_settings::{
    AuthorityWeights, CredentialRule, FigureSettings, FigureThresholds, ScoringFunction,
};
pub use from_graph::task_findings;
pub use joined_records::{BrokenReferences, ExpertOpinion, JoinedRecords};
pub use position::PositionKey;

use std::collections::HashMap;

use model::{ExpertUser, Feedback, LegalTask, RlcfDataset};

/// The authority that weighs opinions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AuthorityOf {
    /// The stored authority, as in the program.
    #[default]
    Stored,
    /// The authority computed from credentials and feedback.
    Computed,
}

/// The method by which figures are computed.
#[derive(Debug, Clone, Default)]
pub struct FigureMethod {
    /// Weights and thresholds.
    pub settings: FigureSettings,
    /// The part of a feedback that counts as its position.
    pub position: PositionKey,
    /// The authority that weighs opinions.
    pub authority: AuthorityOf,
}

/// All figures of a dataset.
#[derive(Debug)]
pub struct RlcfFigures<'r> {
    /// All experts, those with the most authority first.
    pub experts: Vec<ExpertFigures<'r>>,
    /// All tasks, in the order of ids.
    pub tasks: Vec<TaskFigures<'r>>,
    /// All feedback that belongs to a task and an expert, task by task.
    pub feedback: Vec<FeedbackFigures<'r>>,
    /// The metrics of the entire dataset.
    pub system: SystemMetrics,
    /// The number of tasks of each type.
    pub task_distribution: Vec<(String, usize)>,
    /// Credentials whose formula has no value.
    pub unscored: Vec<UnscoredCredential>,
    /// Records with broken references.
    pub unresolved: BrokenReferences,
}

/// The figures of an expert.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpertFigures<'r> {
    /// The expert, with the stored scores.
    pub user: &'r ExpertUser,
    /// The score of the credentials.
    pub baseline_credentials: f64,
    /// The track record after all feedback, which counts in the order of time.
    pub track_record: f64,
    /// The authority. The track record also serves as recent performance, which is not recorded elsewhere.
    pub authority: f64,
    /// The number of feedback records.
    pub feedback: usize,
    /// The mean quality of the feedback.
    pub mean_quality: Option<f64>,
}

/// The figures of a task.
#[derive(Debug)]
pub struct TaskFigures<'r> {
    /// The task.
    pub task: &'r LegalTask,
    /// The number of opinions.
    pub opinions: usize,
    /// The result of the opinions, or the reason why there is none.
    pub aggregation: Result<OpinionAggregation, NoConsensus>,
    /// The bias.
    pub bias: TaskBias,
    /// The level of the bias.
    pub bias_level: BiasLevel,
}

/// The figures of a feedback.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedbackFigures<'r> {
    /// The feedback.
    pub feedback: &'r Feedback,
    /// The task that it is about.
    pub task: &'r LegalTask,
    /// The expert who gave it.
    pub author: &'r ExpertUser,
    /// The position that it takes.
    pub position: Option<String>,
    /// Its quality.
    pub quality: Option<f64>,
    /// Its agreement with the consensus.
    pub consistency: Option<f64>,
    /// Its agreement with the ground truth.
    pub correctness: Option<f64>,
}

impl<'r> RlcfFigures<'r> {
    /// Computes all figures of records, which must be in the order of [`RlcfDataset::sort`].
    pub fn compute(records: &'r RlcfDataset, method: &FigureMethod) -> Self {
        let settings = &method.settings;
        let mut unscored = Vec::new();
        let plain = JoinedRecords::new(records, |user| user.authority_score);
        let experts: Vec<ExpertFigures<'r>> =
            records.users.iter().map(|user| expert(user, &plain, settings, &mut unscored)).collect();
        let joined = match method.authority {
            AuthorityOf::Stored => plain,
            AuthorityOf::Computed => {
                let computed: HashMap<&str, f64> =
                    experts.iter().map(|expert| (expert.user.id.as_str(), expert.authority)).collect();
                JoinedRecords::new(records, |user| computed.get(user.id.as_str()).copied().unwrap_or(0.0))
            }
        };
        let history = PositionHistory::new(&joined, method.position);
        let (mut tasks, mut feedback) = (Vec::new(), Vec::new());
        for (task, opinions) in joined.tasks() {
            let aggregation = aggregate(task, opinions, method.position, settings);
            feedback.extend(opinions.iter().map(|opinion| {
                let consensus = aggregation.as_ref().ok().map(|aggregation| &aggregation.consensus);
                figures_of(task, opinion, consensus, &joined, method)
            }));
            let bias = bias(task, opinions, method.position, &history);
            let bias_level = bias.level(settings);
            tasks.push(TaskFigures { task, opinions: opinions.len(), aggregation, bias, bias_level });
        }
        Self {
            experts: ranked(experts, method.authority),
            tasks,
            feedback,
            system: system_metrics(records),
            task_distribution: task_distribution(records),
            unscored,
            unresolved: joined.unresolved,
        }
    }

    /// Returns the tasks whose disagreement is above the threshold, the most contested first.
    pub fn contested(&self) -> Vec<(&TaskFigures<'r>, &OpinionAggregation)> {
        let tasks = self.tasks.iter().filter_map(|task| Some((task, task.aggregation.as_ref().ok()?)));
        let mut contested: Vec<_> = tasks.filter(|(_, aggregation)| aggregation.is_contested).collect();
        contested.sort_by(|a, b| b.1.disagreement.total_cmp(&a.1.disagreement));
        contested
    }
}

fn expert<'r>(
    user: &'r ExpertUser,
    joined: &JoinedRecords<'r>,
    settings: &FigureSettings,
    unscored: &mut Vec<UnscoredCredential>,
) -> ExpertFigures<'r> {
    let baseline_credentials = baseline_credentials(user, settings, unscored);
    let mut given = joined.feedback_of(user).to_vec();
    given.sort_by_key(|feedback| feedback.submitted_at);
    let qualities: Vec<f64> =
        given.iter().filter_map(|feedback| quality(feedback, joined.ratings_of(feedback))).collect();
    let track_record = qualities.iter().fold(settings.initial_track_record, |track_record, quality| {
        updated_track_record(track_record, *quality, settings)
    });
    ExpertFigures {
        user,
        baseline_credentials,
        track_record,
        authority: authority(baseline_credentials, track_record, track_record, settings),
        feedback: given.len(),
        mean_quality: arithmetic::mean(&qualities),
    }
}

/// Sorts experts by the authority that weighs opinions, and equal ones by the computed authority.
fn ranked(mut experts: Vec<ExpertFigures<'_>>, by: AuthorityOf) -> Vec<ExpertFigures<'_>> {
    let rank = |expert: &ExpertFigures<'_>| match by {
        AuthorityOf::Stored => [expert.user.authority_score, expert.authority],
        AuthorityOf::Computed => [expert.authority; 2],
    };
    experts.sort_by(|a, b| {
        let (a, b) = (rank(a), rank(b));
        b[0].total_cmp(&a[0]).then_with(|| b[1].total_cmp(&a[1]))
    });
    experts
}

fn figures_of<'r>(
    task: &'r LegalTask,
    opinion: &ExpertOpinion<'r>,
    consensus: Option<&ExpertConsensus>,
    joined: &JoinedRecords<'r>,
    method: &FigureMethod,
) -> FeedbackFigures<'r> {
    let feedback = opinion.feedback;
    let data = &feedback.feedback_data;
    let truth = task.ground_truth_data.as_ref();
    FeedbackFigures {
        feedback,
        task,
        author: opinion.author,
        position: method.position.position_of(&task.task_type, data),
        quality: quality(feedback, joined.ratings_of(feedback)),
        consistency: consensus.and_then(|consensus| agreement::consistency(&task.task_type, data, consensus)),
        correctness: agreement::correctness(&task.task_type, data, truth, &method.settings),
    }
}
