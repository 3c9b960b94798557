//! Kwanzaa: training samples of a retrieval assistant, each a question with what retrieval found and
//! the answer that is expected, after its dataset schema 1.0.0.
//!
//! A dataset file is an object with `samples`. Files are read as they are written: [`rules`] reports
//! the faults of a file, [`SampleStatistics`] the figures of its samples.

pub mod chat;
mod completion;
mod conversation_figures;
mod dataset_merger;
mod kwanzaa_file_kind;
pub mod kwanzaa_report;
mod kwanzaa_settings;
pub mod rules;
mod sample_defaults;
mod samples;
mod samples_from_items;
pub mod shapes;
mod statistics;
mod system;

pub use completion::completed;
pub use conversation_figures::ConversationFigures;
pub use dataset_merger::{DatasetPart, MergedDataset, merged};
pub use kwanzaa_file_kind::{KwanzaaFileKind, file_shape};
pub use kwanzaa_settings::KwanzaaSettings;
pub use rules::right_statistics;
pub use samples::{TrainingSample, samples};
pub use samples_from_items::{WrittenSamples, dataset_of_items};
pub use statistics::{KnownValueCounts, QualityBand, SampleStatistics};
pub(crate) use system::KwanzaaSystem;

/// The categories of samples, by what they train, in the order of the documents.
pub const CATEGORIES: [&str; 4] = ["citation", "refusal", "grounded_answer", "format_compliance"];

/// The personas that an answer is for.
pub const PERSONAS: [&str; 4] = ["educator", "researcher", "creator", "builder"];

/// The levels of difficulty.
pub const DIFFICULTIES: [&str; 3] = ["easy", "medium", "hard"];

/// The Nguzo Saba, the seven principles, in their order.
pub const PRINCIPLES: [&str; 7] = ["Umoja", "Kujichagulia", "Ujima", "Ujamaa", "Nia", "Kuumba", "Imani"];
