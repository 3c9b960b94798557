//! What the experts' opinions on a task lead to, for the catalog.

use evalgraph_rdf::quad_buffer::BufferTermId;

/// The results of the opinions on a task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskFinding {
    /// The node of the task.
    pub node: BufferTermId,
    /// The experts' disagreement, from 0 to 1.
    pub disagreement: f64,
    /// `true` if the disagreement is above the threshold.
    pub is_contested: bool,
    /// The joint answer of the experts, if it is a string.
    pub consensus_answer: Option<String>,
}
