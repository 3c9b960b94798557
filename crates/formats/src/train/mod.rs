//! Datasets of a RAG evaluator: `train.json`, an array of questions with answers, and `corpus/`, the documents in which
//! answers are searched for.
//!
//! [`rules`] has the rules of the format's documents and of its program, [`Corpus`] the files next to the rows,
//! [`stem_of_url`] the name of a downloaded page. This module does not read files.

mod corpus;
mod corpus_graph;
mod evaluation_links;
mod file_names;
pub mod judgement_figures;
mod passages;
pub mod retrieval_figures;
mod row_facts;
mod row_ids;
mod rows_from_items;
pub mod rules;
pub mod shapes;
mod stem;
mod system;
mod train_recognition;
mod train_row_reader;

use crate::system_name::SystemName;
pub use corpus::{Corpus, CorpusFile, CorpusFileKind};
pub use corpus_graph::describe_corpus;
pub use evaluation_links::{EvaluationFile, EvaluationLink, evaluation_links};
pub use row_ids::RowIds;
pub use rows_from_items::{ImpossibleDefault, TrainWriteOptions, WrittenDataset, dataset_of_items};
pub use stem::stem_of_url;
pub(crate) use system::TrainSystem;
pub use train_recognition::{is_evaluation_data, is_rows, kind_of, recognise};
pub(crate) use train_row_reader::may_be_number;
pub use train_row_reader::{RowFormat, RowOptions, read_rows};
pub use train_row_reader::{keys_of_rows, replaced_column};

/// The name of the system.
pub const TRAIN: SystemName = SystemName::new("train");
