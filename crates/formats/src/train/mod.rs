//! Datasets of a RAG evaluator: `train.json`, an array of questions with answers, and `corpus/`, the
//! documents that answers are looked for in.
//!
//! [`rules`] has the rules of the format's documents and of its program, [`Corpus`] the files beside
//! the rows, [`stem_of_url`] the name of a downloaded page. Nothing here reads files.

mod corpus;
mod corpus_graph;
mod evaluation_links;
mod facts;
pub mod figures;
mod file_names;
mod from_items;
pub mod judgement_figures;
mod passages;
mod reading;
mod recognise;
mod row_ids;
pub mod rules;
pub mod shapes;
mod stem;
mod system;

pub use corpus::{Corpus, CorpusFile, FileKind};
pub use corpus_graph::describe_corpus;
pub use evaluation_links::{EvaluationFile, EvaluationLink, evaluation_links};
pub use from_items::{Impossible, WriteOptions, WrittenDataset, dataset_of_items};
pub(crate) use reading::may_be_number;
pub use reading::{RowFormat, RowOptions, read_rows};
pub use reading::{keys_of_rows, replaced_column};
pub use recognise::{is_evaluation_data, is_rows, kind_of, recognise};
pub use row_ids::RowIds;
pub use stem::stem_of_url;
pub(crate) use system::Train;
