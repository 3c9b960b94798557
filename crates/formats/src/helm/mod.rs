//! HELM: the files in the folder of a run: what models answered (`scenario_state.json`), the statistics of each instance and
//! of the run (`per_instance_stats.json`, `stats.json`), and what was run (`run_spec.json`, `scenario.json`).
//!
//! The statistics name neither their run nor their task: both are in the name of the folder. [`rules`] reports what makes
//! a file unreadable or its results doubtful.

mod request_shapes;
pub mod rules;
mod run_folder_name;
mod statistic_shapes;
mod statistics_figures;
mod statistics_recognition;
mod system;

use crate::system_name::SystemName;
pub(crate) use system::HelmSystem;

/// The name of the system.
pub const HELM: SystemName = SystemName::new("helm");
