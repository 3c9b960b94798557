//! Follows the references between records: the feedback on a task with its author, the ratings of a feedback, the
//! feedback of an expert.

use std::collections::{HashMap, HashSet};

use super::model::{ExpertUser, Feedback, LegalTask, ModelResponse, RlcfDataset};

/// A feedback with its author and response.
#[derive(Debug, Clone, Copy)]
pub struct ExpertOpinion<'r> {
    /// The feedback.
    pub feedback: &'r Feedback,
    /// The author of the feedback.
    pub author: &'r ExpertUser,
    /// The response that the feedback is about.
    pub response: &'r ModelResponse,
    /// The authority by which the opinion is weighed.
    pub authority: f64,
}

/// Counts of records with broken references, which are therefore in no figure of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BrokenReferences {
    /// Responses whose task is missing.
    pub responses: usize,
    /// Feedback whose response is missing.
    pub feedback_without_response: usize,
    /// Feedback whose user is missing.
    pub feedback_without_user: usize,
    /// Ratings whose feedback is missing.
    pub ratings: usize,
}

/// Records, looked up by their references.
#[derive(Debug)]
pub struct JoinedRecords<'r> {
    /// The records.
    pub records: &'r RlcfDataset,
    /// The records with broken references.
    pub unresolved: BrokenReferences,
    users: HashMap<&'r str, &'r ExpertUser>,
    /// The responses to each task, by the task's index in the records.
    responses: Vec<Vec<&'r ModelResponse>>,
    /// The opinions on each task, by the task's index in the records.
    opinions: Vec<Vec<ExpertOpinion<'r>>>,
    ratings: HashMap<&'r str, Vec<f64>>,
    feedback_of_user: HashMap<&'r str, Vec<&'r Feedback>>,
}

impl<'r> JoinedRecords<'r> {
    /// Follows the references of records. `authority` returns the weight of an expert's opinions.
    pub fn new(records: &'r RlcfDataset, authority: impl Fn(&ExpertUser) -> f64) -> Self {
        let users: HashMap<&str, &ExpertUser> =
            records.users.iter().map(|user| (user.id.as_str(), user)).collect();
        let tasks: HashMap<&str, usize> =
            records.tasks.iter().enumerate().map(|(at, task)| (task.id.as_str(), at)).collect();
        let mut joined = Self {
            records,
            unresolved: BrokenReferences::default(),
            users,
            responses: vec![Vec::new(); records.tasks.len()],
            opinions: vec![Vec::new(); records.tasks.len()],
            ratings: HashMap::new(),
            feedback_of_user: HashMap::new(),
        };
        let mut task_of: HashMap<&str, (usize, &ModelResponse)> = HashMap::new();
        for response in &records.responses {
            match tasks.get(response.task_id.as_str()) {
                Some(&task) => {
                    joined.responses[task].push(response);
                    task_of.insert(&response.id, (task, response));
                }
                None => joined.unresolved.responses += 1,
            }
        }
        for feedback in &records.feedback {
            joined.add(feedback, &task_of, &authority);
        }
        joined.add_ratings();
        joined
    }

    fn add(
        &mut self,
        feedback: &'r Feedback,
        task_of: &HashMap<&str, (usize, &'r ModelResponse)>,
        authority: impl Fn(&ExpertUser) -> f64,
    ) {
        let author = self.users.get(feedback.user_id.as_str()).copied();
        match author {
            Some(_) => self.feedback_of_user.entry(&feedback.user_id).or_default().push(feedback),
            None => self.unresolved.feedback_without_user += 1,
        }
        let Some(&(task, response)) = task_of.get(feedback.response_id.as_str()) else {
            self.unresolved.feedback_without_response += 1;
            return;
        };
        let Some(author) = author else { return };
        self.opinions[task].push(ExpertOpinion { feedback, author, response, authority: authority(author) });
    }

    fn add_ratings(&mut self) {
        let known: HashSet<&str> = self.records.feedback.iter().map(|one| one.id.as_str()).collect();
        for rating in &self.records.ratings {
            if known.contains(rating.feedback_id.as_str()) {
                self.ratings.entry(&rating.feedback_id).or_default().push(rating.helpfulness_score);
            } else {
                self.unresolved.ratings += 1;
            }
        }
    }

    /// Returns every task with the opinions on all its responses, in the order of ids.
    pub fn tasks(&self) -> impl Iterator<Item = (&'r LegalTask, &[ExpertOpinion<'r>])> {
        self.records.tasks.iter().zip(&self.opinions).map(|(task, opinions)| (task, opinions.as_slice()))
    }

    /// Returns the responses to the task at an index in the records.
    pub fn responses(&self, task: usize) -> &[&'r ModelResponse] {
        &self.responses[task]
    }

    /// Returns the feedback of a user in the order of its ids.
    pub fn feedback_of(&self, user: &ExpertUser) -> &[&'r Feedback] {
        self.feedback_of_user.get(user.id.as_str()).map_or(&[], Vec::as_slice)
    }

    /// Returns the helpfulness scores of a feedback.
    pub fn ratings_of(&self, feedback: &Feedback) -> &[f64] {
        self.ratings.get(feedback.id.as_str()).map_or(&[], Vec::as_slice)
    }
}
