//! How the files of a system are made from graphs: the documents among the quads, the questions of any of them, the
//! report of losses, and the forms that systems contribute.

pub mod document_file_names;
pub mod document_graphs;
mod form_options;
pub mod loss_reports;
mod system_form;
pub mod unwritten_statements;
mod written_files;
pub mod written_questions;

pub use form_options::{
    FeedbackOptions, FormOptions, ImpossibleDefault, OldCorpus, PromptFiles, RowIds, RowWriteOptions,
};
pub use system_form::{FormWriter, RecordForm, RecordSink, SystemForm};
pub use written_files::{CopiedFile, WrittenFile, WrittenFiles, parsed};
