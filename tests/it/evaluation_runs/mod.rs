//! Evaluation runs of other harnesses: their files, and the rules for them.

pub(crate) mod common_form_rules;
mod compared_files;
mod croissant_tasks;
pub(crate) mod harness_rules;
pub(crate) mod log_rules;
mod run_files;
pub(crate) mod run_queries;
pub(crate) mod statistic_rules;
mod written_results;
