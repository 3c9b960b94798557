//! What a file says about runs of evaluations: which model got which score on which sample.
//!
//! A run is compared with another one sample by sample, so nothing here needs a graph: a [`RunReader`] passes each result
//! of a document on, and the texts are those of the document.

mod sample_result;

pub use sample_result::{MetricFacts, RunFacts, RunReader, SampleResult, SampleScore, ScoreScale};
