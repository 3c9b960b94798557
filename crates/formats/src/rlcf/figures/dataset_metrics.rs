//! Figures about an entire dataset: RLCF's system metrics, and tasks by type.

use super::arithmetic::sum;
use super::model::RlcfDataset;
use super::weights::ChoiceWeights;
use crate::rlcf::known_values::{AGGREGATED, BLIND_EVALUATION, CLOSED};

/// RLCF's system metrics.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SystemMetrics {
    /// The number of tasks.
    pub total_tasks: usize,
    /// The number of users.
    pub total_users: usize,
    /// The number of feedback records.
    pub total_feedback: usize,
    /// The mean of the stored consistency scores; 0 if there are none.
    pub average_consensus: f64,
    /// The number of tasks in blind evaluation.
    pub active_evaluations: usize,
    /// The share of tasks that are aggregated or closed.
    pub completion_rate: f64,
}

/// Computes the system metrics of records.
pub fn system_metrics(records: &RlcfDataset) -> SystemMetrics {
    let with_status = |statuses: &[&str]| {
        let tasks = records.tasks.iter();
        tasks.filter(|task| task.status.as_deref().is_some_and(|status| statuses.contains(&status))).count()
    };
    let scores: Vec<f64> = records.feedback.iter().filter_map(|one| one.consistency_score).collect();
    let completed = with_status(&[AGGREGATED, CLOSED]);
    let share = |part: f64, whole: usize| if whole == 0 { 0.0 } else { part / whole as f64 };
    SystemMetrics {
        total_tasks: records.tasks.len(),
        total_users: records.users.len(),
        total_feedback: records.feedback.len(),
        average_consensus: share(sum(scores.iter().copied()), scores.len()),
        active_evaluations: with_status(&[BLIND_EVALUATION]),
        completion_rate: share(completed as f64, records.tasks.len()),
    }
}

/// Counts the tasks of each type, in the order of first occurrence.
pub fn task_distribution(records: &RlcfDataset) -> Vec<(String, usize)> {
    let mut counts: ChoiceWeights<String> = ChoiceWeights::default();
    for task in &records.tasks {
        counts.add(task.task_type.clone(), 1.0);
    }
    counts.entries().iter().map(|(task_type, count)| (task_type.clone(), *count as usize)).collect()
}
