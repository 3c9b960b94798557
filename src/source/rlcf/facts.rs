//! What is counted of RLCF's files: records by kind, tasks by type and status.

use std::collections::BTreeMap;

use RecordKind as K;

use super::kinds::RecordKind;
use super::record_counts::RecordCounts;
use crate::json::Document;
use crate::source::facts::{Fact, RecordTally, by_value, count};
use crate::source::records::FileShape;
use crate::source::train::Corpus;
use crate::source::train::figures::Gold;

/// Counts the records of a file, which is read by a table.
#[derive(Debug)]
pub(super) struct CountedRecords {
    pub(super) counts: RecordCounts,
    pub(super) shape: FileShape,
}

impl RecordTally for CountedRecords {
    fn add(&mut self, document: &Document, _gold: &Gold) {
        self.counts.add(document, &self.shape);
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<Fact> {
        of_records(&self.counts)
    }
}

/// Returns what records of a kind are called in JSON, and for people.
const fn called(kind: RecordKind) -> (&'static str, &'static str) {
    match kind {
        K::User => ("users", "users"),
        K::UserCreate => ("userRequests", "requests for users"),
        K::BulkUserCreate => ("bulkUserRequests", "requests for many users"),
        K::Credential => ("credentials", "credentials"),
        K::CredentialCreate => ("credentialRequests", "requests for credentials"),
        K::LegalTask => ("tasks", "tasks"),
        K::LegalTaskCreate => ("taskRequests", "requests for tasks"),
        K::YamlTask => ("yamlTasks", "tasks of YAML"),
        K::TaskStatusUpdate => ("statusUpdates", "updates of a status"),
        K::Response => ("responses", "responses"),
        K::ResponseCreate => ("responseRequests", "requests for responses"),
        K::Feedback => ("feedback", "feedback"),
        K::FeedbackCreate => ("feedbackRequests", "requests for feedback"),
        K::FeedbackRating => ("ratings", "ratings"),
        K::FeedbackRatingCreate => ("ratingRequests", "requests for ratings"),
        K::TaskAssignment => ("assignments", "assignments"),
        K::TaskAssignmentCreate => ("assignmentRequests", "requests for assignments"),
        K::DevilsAdvocateAssignment => ("devilsAdvocates", "devil's advocates"),
        K::AccountabilityReport => ("accountabilityReports", "accountability reports"),
        K::BiasReport => ("biasReports", "bias reports"),
        K::ExportRequest => ("exportRequests", "requests for exports"),
        K::SystemMetrics => ("systemMetrics", "system metrics"),
        K::TaskDistribution => ("taskDistributions", "counts of tasks by type"),
        K::YamlContentRequest => ("yamlRequests", "requests with YAML"),
        K::AIModelConfig => ("modelConfigurations", "models"),
        K::ModelConfig => ("scoringConfigurations", "scoring configurations"),
        K::TaskConfig => ("taskConfigurations", "task configurations"),
        K::DatasetRow => ("datasetRows", "rows"),
        K::ErrorReply => ("errorReplies", "error replies"),
    }
}

fn of_records(counts: &RecordCounts) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    for (kind, records) in counts.kinds() {
        let (key, label) = called(kind);
        facts.push(count(key, label, records));
    }
    let tables: [(_, _, &BTreeMap<String, u64>); 2] = [
        ("tasksByType", "tasks by type", counts.task_types()),
        ("tasksByStatus", "tasks by status", counts.task_statuses()),
    ];
    let told = tables.into_iter().filter(|(_, _, counts)| !counts.is_empty());
    facts.extend(told.map(|(key, label, counts)| by_value(key, label, counts)));
    facts
}
