//! Kwanzaa: training samples of a retrieval assistant, each a question with what retrieval found and
//! the answer that is expected, after its dataset schema 1.0.0.
//!
//! A dataset file is an object with `samples`. Files are looked at as they stand: what is wrong with
//! one is for [`rules`] to say, what it holds for [`Statistics`].

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
pub use samples::{Sample, samples};
pub use settings::Settings;
pub use statistics::{Band, Counts, Statistics};
pub(in crate::source) use system::Kwanzaa;

/// What a sample trains, in the order of the documents.
pub const CATEGORIES: [&str; 4] = ["citation", "refusal", "grounded_answer", "format_compliance"];

/// Whom an answer is for.
pub const PERSONAS: [&str; 4] = ["educator", "researcher", "creator", "builder"];

/// How hard a sample is.
pub const DIFFICULTIES: [&str; 3] = ["easy", "medium", "hard"];

/// The Nguzo Saba, the seven principles, in their order.
pub const PRINCIPLES: [&str; 7] = ["Umoja", "Kujichagulia", "Ujima", "Ujamaa", "Nia", "Kuumba", "Imani"];
