//! A new question for a graph. The system of the graph's file makes the node that loading such a question would make.

use crate::system_name::SystemName;
use chrono::{DateTime, Utc};
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use serde_json::Value;

/// A question to add.
#[derive(Debug, Clone, Copy)]
pub struct NewQuestion<'n> {
    /// Its text.
    pub text: &'n str,
    /// Its answer.
    pub answer: &'n str,
    /// `true` if it is finished, `None` if the user does not say so.
    pub finished: Option<bool>,
    /// Its keywords.
    pub keywords: &'n [String],
    /// The time for dates.
    pub now: DateTime<Utc>,
}

/// The graph that a question is added to.
pub trait QuestionGraph {
    /// Returns the beginning of the IRIs that loading gives to the nodes of the graph.
    fn node_base(&self, system: SystemName) -> String;

    /// Returns the distinct solutions of a pattern. Each row has the texts of the terms of these variables.
    ///
    /// # Errors
    /// If the store is damaged.
    fn texts(&self, pattern: &str, variables: &[&str]) -> Result<Vec<Vec<Option<String>>>, RunFailure>;

    /// Returns the id after the last one, or `None` if the graph has no ids. They are the terms of the first variable.
    ///
    /// # Errors
    /// `next-id`, with the command's prefix, if no id ends with a number.
    fn next_id(&self, pattern: &str, variables: &[&str]) -> Result<Option<Value>, RunFailure>;

    /// Returns whether the graph contains statements about an IRI.
    ///
    /// # Errors
    /// If the store is damaged.
    fn knows(&self, iri: &str) -> Result<bool, RunFailure>;

    /// Returns a fault of the command, whose name is the prefix of the code.
    fn fault(&self, code: &str, message: String) -> Diagnostic;
}

/// What is added to a graph.
#[derive(Debug)]
pub enum AddedQuestion {
    /// A node with its parts, as an object whose keys are names of schema.org.
    Node(Value),
    /// Statements about a node.
    Statements {
        /// The node.
        iri: String,
        /// The statements.
        about: String,
        /// The values by which the statistics of the dataset count it: its category, persona and difficulty.
        counted_by: [String; 3],
    },
}

impl NewQuestion<'_> {
    /// Refuses keywords and `finished`, for which a record has no place.
    ///
    /// # Errors
    /// `no-place`, with the command's prefix.
    pub(crate) fn check_is_plain(&self, graph: &dyn QuestionGraph, record: &str) -> Result<(), RunFailure> {
        if self.keywords.is_empty() && self.finished.is_none() {
            return Ok(());
        }
        let message =
            format!("a {record} has no place for keywords, nor for whether the question is finished");
        Err(graph.fault("no-place", message).into())
    }
}
