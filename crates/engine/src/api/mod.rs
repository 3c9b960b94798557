//! The interface for programs that embed the engine: it loads, queries, converts and checks files, and keeps them in a
//! store. The command line uses the same functions.

mod changes;
mod converting;
mod error;
mod evaluations;
mod exporting;
mod files;
mod loaded;
mod loader;
pub mod memory;
mod places;
mod processing;
mod questions;
pub mod services;
pub mod statistics;
mod store;
mod validating;
pub mod vocabulary;

pub use changes::{QuestionUpdate, StatementsUpdate, Writing};
pub use converting::{ConvertedFiles, convert};
pub use error::Error;
pub use evaluations::Evaluations;
pub use evaluations::{Begun, EvaluationPlace, Running, panicked};
pub use exporting::ExportedFiles;
#[cfg(feature = "net")]
pub use exporting::ExportedGraphs;
pub use loaded::Loaded;
pub use loader::Loader;
pub use questions::EditedFile;
pub use statistics::FileStatistics;
pub use store::Store;
pub use store::StoreUpdate;
pub use validating::Findings;
pub use validating::{Validation, check, validate};
