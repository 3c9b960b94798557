//! Every Eval Ever: the results of evaluations in the common form of the project of that name, schema 0.3.0 and the
//! older 0.2. A file has the aggregated results of one model (JSON), or its results on single samples (JSON Lines).
//!
//! [`rules`] reports where a file differs from the schema.

mod instance_figures;
mod instance_shapes;
mod result_recognition;
mod result_statements;
mod results_writer;
pub mod rules;
mod run_shapes;
mod system;

use crate::system_name::SystemName;
pub(crate) use system::EveryEvalEverSystem;

/// The name of the system.
pub const EVERY_EVAL_EVER: SystemName = SystemName::new("every-eval-ever");
