//! Datasets of a RAG evaluator: `train.json`, an array of questions with answers, and `corpus/`, the documents in which
//! answers are searched for.
//!
//! [`rules`] has the rules of the format's documents and of its program. Reading rows from tables is in `rows`, the
//! files next to the rows are in `corpus`. This module does not read files.

mod file_names;
pub mod judgement_figures;
mod judgement_scores;
mod new_row;
mod passages;
pub mod retrieval_figures;
mod row_facts;
mod row_ids;
mod rows_from_items;
pub mod rules;
pub mod shapes;
mod system;
mod train_files;
mod train_recognition;

use crate::system_name::SystemName;
pub use rows_from_items::{WrittenDataset, dataset_of_items};
pub(crate) use system::TrainSystem;
pub use train_recognition::recognise;

/// The name of the system.
pub const TRAIN: SystemName = SystemName::new("train");
