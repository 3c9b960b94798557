//! RLCF, a system in which lawyers evaluate the answers of models: users, tasks, responses, feedback and configuration,
//! as in its API and its files.
//!
//! This module has the records and their rules; [`figures`] computes figures from the records.

pub mod dataset_files;
pub mod export;
mod families;
pub mod figures;
mod file_shapes;
pub mod gathered_feedback;
pub mod kinds;
pub mod known_values;
mod new_task;
mod record_facts;
pub mod record_kind_finder;
mod record_names;
mod records_of_graph;
mod reply_paths;
mod rlcf_forms;
mod rlcf_profile;
mod root_shapes;
pub mod rules;
mod system;
mod task_files;
pub mod task_types;
mod tasks_from_items;
mod training_lines;

use crate::system_name::SystemName;
pub use file_shapes::file_shape;
pub use kinds::RecordKind;
pub use record_kind_finder::{RlcfFileRecords, RlcfRecord, tell};
pub use records_of_graph::{file_of_graph, file_of_graphs, has_named_records};
pub(crate) use system::RlcfSystem;
pub use task_types::TaskTypes;
pub use tasks_from_items::{WrittenTasks, tasks_of_items};

/// The name of the system.
pub const RLCF: SystemName = SystemName::new("rlcf");
