//! The result of one model on one sample, and the facts of a run that its results do not repeat.

use std::borrow::Cow;

use evalgraph_json::{JsonDocument, TokenId};

/// Reads the results of a file, which may arrive in pieces.
pub trait RunReader: Send + Sync {
    /// Passes each result of a document to `visit`, in the order of the document.
    fn results<'d>(&self, document: &'d JsonDocument, visit: &mut dyn FnMut(SampleResult<'d>));

    /// Returns what the document says about all results of its run.
    fn facts(&self, document: &JsonDocument) -> RunFacts;
}

/// The result of one model on one sample. What a file does not say is `None`.
#[derive(Debug, Clone)]
pub struct SampleResult<'d> {
    /// The value that is the result.
    pub at: TokenId,
    /// The index of the result in a run whose files have a part of each result.
    pub position: Option<u64>,
    /// The id of the sample.
    pub sample: Option<Cow<'d, str>>,
    /// The text of the question.
    pub question: Option<Cow<'d, str>>,
    /// The task that the sample belongs to.
    pub task: Option<Cow<'d, str>>,
    /// The model that answered.
    pub model: Option<Cow<'d, str>>,
    /// The name or id of the run.
    pub run: Option<Cow<'d, str>>,
    /// The number of the attempt, if the same model had several attempts at the sample.
    pub repeat: Option<Cow<'d, str>>,
    /// The group of samples that are not independent of each other, such as questions about one text.
    pub group: Option<Cow<'d, str>>,
    /// The keywords of the question.
    pub keywords: Vec<Cow<'d, str>>,
    /// The scores, one for each metric.
    pub scores: Vec<SampleScore<'d>>,
}

impl SampleResult<'_> {
    /// Creates a result about which nothing is known but its place.
    pub fn new(at: TokenId) -> Self {
        Self {
            at,
            position: None,
            sample: None,
            question: None,
            task: None,
            model: None,
            run: None,
            repeat: None,
            group: None,
            keywords: Vec::new(),
            scores: Vec::new(),
        }
    }
}

/// A score of a result.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleScore<'d> {
    /// The metric, or the trait or scorer that the score belongs to.
    pub metric: Cow<'d, str>,
    /// The score; 1 for right and 0 for wrong.
    pub value: f64,
    /// The scale, if the file names it.
    pub scale: Option<ScoreScale>,
}

/// The ends of a scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreScale {
    /// The score of the worst result.
    pub worst: f64,
    /// The score of the best result.
    pub best: f64,
}

/// What a file says about all results of a run. Other files of the run, in the same folder, lack it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunFacts {
    /// The name or id of the run.
    pub run: Option<String>,
    /// The model that answered.
    pub model: Option<String>,
    /// The task.
    pub task: Option<String>,
    /// The metrics.
    pub metrics: Vec<MetricFacts>,
}

/// What a file says about a metric.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricFacts {
    /// The task; `None` if the metric is that of all tasks.
    pub task: Option<String>,
    /// The name of the metric.
    pub metric: String,
    /// The id by which scores refer to it, if that is not its name.
    pub result: Option<String>,
    /// `true` if a lower score is a better one.
    pub lower_is_better: Option<bool>,
    /// The scale.
    pub scale: Option<ScoreScale>,
}
