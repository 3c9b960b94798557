//! RLCF, a system in which lawyers evaluate the answers of models: users, tasks, responses, feedback
//! and configuration, as its API and its files have them.
//!
//! This module knows the records and the rules for them; [`figures`] computes over them.

pub mod dataset_files;
pub mod export;
mod facts;
mod families;
pub mod figures;
mod file_shapes;
mod from_items;
pub mod kinds;
mod profile;
mod records_of_graph;
mod reply_paths;
mod root_shapes;
pub mod rules;
mod shapes;
mod system;
pub mod task_types;
pub mod telling;

pub use file_shapes::file_shape;
pub use from_items::{WrittenTasks, tasks_of_items};
pub use kinds::RecordKind;
pub use records_of_graph::{file_of_graph, file_of_graphs, has_named_records};
pub use reply_paths::{ReplyPath, reply_path};
pub(crate) use system::Rlcf;
pub use task_types::TaskTypes;
pub use telling::{Record, RecordName, Told, tell};
