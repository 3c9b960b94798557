//! Kwanzaa: training samples of a retrieval assistant, in the form of its dataset schema 1.0.0. A sample is a question
//! with the retrieved results and the expected answer.
//!
//! A dataset file is an object with `samples`. Files are read as they are written: [`rules`] reports the faults of a
//! file, [`SampleStatistics`] the figures about its samples.

mod answer_fields;
pub mod chat;
mod completion;
mod conversation_figures;
mod dataset_fields;
mod dataset_merger;
mod known_words;
mod kwanzaa_file_kind;
mod kwanzaa_files;
pub mod kwanzaa_report;
mod kwanzaa_settings;
mod new_sample;
pub mod rules;
mod sample_defaults;
mod samples;
mod samples_from_items;
pub mod shapes;
mod statistics;
mod system;

use crate::system_name::SystemName;
pub use completion::completed;
pub use conversation_figures::ConversationFigures;
pub use dataset_merger::{DatasetPart, MergedDataset, merged};
pub use known_words::{CATEGORIES, DIFFICULTIES, PERSONAS, PRINCIPLES};
pub use kwanzaa_file_kind::{KwanzaaFileKind, file_shape};
pub use kwanzaa_settings::KwanzaaSettings;
pub use rules::right_statistics;
pub use samples::{TrainingSample, samples};
pub use samples_from_items::{WrittenSamples, dataset_of_items};
pub use statistics::{KnownValueCounts, QualityBand, SampleStatistics};
pub(crate) use system::KwanzaaSystem;

/// The name of the system.
pub const KWANZAA: SystemName = SystemName::new("kwanzaa");
