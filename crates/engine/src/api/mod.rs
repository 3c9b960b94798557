//! The interface for programs that embed the engine: it loads, queries, converts and checks files, and keeps them in a
//! store. The command line uses the same functions.

mod api_store;
mod changes;
#[cfg(feature = "tables")]
mod data_tables;
pub mod data_vocabulary;
mod error;
mod evaluations;
pub mod expectation_check;
mod file_conversion;
mod file_loader;
mod file_updates;
mod file_validation;
mod graph_export;
mod json_ld_operations;
mod judge_agreement;
mod loaded_data;
pub mod memory;
mod place_lookup;
pub mod query_services;
mod question_edits;
mod run_comparisons;
pub mod statistics;

pub use api_store::Store;
pub use api_store::StoreUpdate;
pub use changes::{StatementsUpdate, StoreChangeOptions, StoreQuestionEdit};
pub use error::Error;
pub use evaluations::Evaluations;
pub use evaluations::{EvaluationHandle, EvaluationPlace, RunningEvaluation, panicked};
pub use file_conversion::{ConvertedFiles, convert};
pub use file_loader::Loader;
pub use file_validation::ServedFileFindings;
pub use file_validation::{ValidationOutcome, check, validate};
pub use graph_export::ExportedFiles;
#[cfg(feature = "net")]
pub use graph_export::ExportedGraphs;
pub use judge_agreement::{AspectAgreement, JudgePair};
pub use loaded_data::LoadedData;
pub use question_edits::EditedFile;
pub use statistics::FileStatistics;
