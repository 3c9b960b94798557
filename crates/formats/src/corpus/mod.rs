//! The documents beside the rows of a dataset: the files of a corpus with their statements, the documents that answers
//! rest on, and the links between the files of an evaluation. This module does not read files.

mod corpus_files;
mod corpus_graph;
mod evaluation_links;
mod gold_documents;
mod stem_of_url;

/// The file with the rows of a dataset directory.
pub const ROWS: &str = "train.json";
/// The folder with the documents.
pub const CORPUS: &str = "corpus";

pub use corpus_files::{Corpus, CorpusFile, CorpusFileKind};
pub use corpus_graph::describe_corpus;
pub use evaluation_links::{EvaluationFile, EvaluationLink, evaluation_links};
pub use gold_documents::GoldDocuments;
pub(crate) use gold_documents::{ExpectedDocuments, file_name};
pub use stem_of_url::stem_of_url;
