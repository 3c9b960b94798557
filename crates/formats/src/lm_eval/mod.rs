//! lm-eval, the harness of EleutherAI: the results of a run (`results_TIME.json`), and the samples of each task
//! (`samples_TASK_TIME.jsonl`).
//!
//! [`rules`] reports what makes a file unreadable or its results doubtful.
//!
//! The file of samples names neither its task nor its run: both are in the name of the file.

mod harness_figures;
mod harness_file_name;
mod harness_recognition;
mod metric_names;
mod results_shapes;
mod row_shapes;
mod row_texts;
pub mod rules;
mod system;

use crate::system_name::SystemName;
pub(crate) use system::LmEvalSystem;

/// The name of the system.
pub const LM_EVAL: SystemName = SystemName::new("lm-eval");
