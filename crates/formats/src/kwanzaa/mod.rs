//! Kwanzaa: training samples of a retrieval assistant, each a question with what retrieval found and
//! the answer that is expected, after its dataset schema 1.0.0.
//!
//! A dataset file is an object with `samples`. Files are read as they are written: [`rules`] reports
//! the faults of a file, [`Statistics`] the figures of its samples.

pub mod chat;
mod completion;
mod conversation_figures;
mod defaults;
mod from_items;
mod merging;
mod recognise;
pub mod report;
pub mod rules;
mod samples;
mod settings;
pub mod shapes;
mod statistics;
mod system;

pub use completion::completed;
pub use conversation_figures::ConversationFigures;
pub use from_items::{Made, dataset_of_items};
pub use merging::{DatasetPart, Merged, merged};
pub use recognise::{FileKind, file_shape};
pub use rules::right_statistics;
pub use samples::{Sample, samples};
pub use settings::Settings;
pub use statistics::{Band, Counts, Statistics};
pub(crate) use system::Kwanzaa;

/// The categories of samples, by what they train, in the order of the documents.
pub const CATEGORIES: [&str; 4] = ["citation", "refusal", "grounded_answer", "format_compliance"];

/// The personas that an answer is for.
pub const PERSONAS: [&str; 4] = ["educator", "researcher", "creator", "builder"];

/// The levels of difficulty.
pub const DIFFICULTIES: [&str; 3] = ["easy", "medium", "hard"];

/// The Nguzo Saba, the seven principles, in their order.
pub const PRINCIPLES: [&str; 7] = ["Umoja", "Kujichagulia", "Ujima", "Ujamaa", "Nia", "Kuumba", "Imani"];
