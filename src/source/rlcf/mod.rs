//! RLCF, a system in which lawyers evaluate the answers of models: users, tasks, responses, feedback
//! and what is configured, as its API and its files have them.
//!
//! This module says which records there are and what is wrong with them; [`figures`] computes over them.

pub mod dataset_files;
pub mod figures;
pub mod kinds;
pub mod task_types;
pub mod telling;

pub use kinds::RecordKind;
pub use task_types::TaskTypes;
pub use telling::{Record, RecordName, Told, tell};
