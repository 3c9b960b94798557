//! Inspect: the logs of runs of Inspect AI, versions 2 and 3, with the samples, their scores and the results of each
//! scorer.
//!
//! [`rules`] reports what makes a log unreadable or its results doubtful.
//!
//! A log is one JSON document. An archive with the extension `.eval` becomes such a document before it is read here.

mod log_figures;
mod log_recognition;
mod log_shapes;
pub mod rules;
mod sample_shapes;
mod sample_texts;
mod score_values;
mod system;

use crate::system_name::SystemName;
pub(crate) use system::InspectSystem;

/// The name of the system.
pub const INSPECT: SystemName = SystemName::new("inspect");
