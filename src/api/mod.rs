//! The interface for programs that embed the engine: it loads, queries, converts and checks files, and keeps them in a
//! store. The command line uses the same functions.

#[cfg(feature = "serve")]
mod changes;
mod converting;
mod error;
mod evaluations;
mod exporting;
mod files;
mod loaded;
mod loader;
pub(crate) mod memory;
mod places;
mod processing;
mod questions;
pub(crate) mod services;
pub(crate) mod statistics;
mod store;
mod validating;
#[cfg(any(feature = "cli", feature = "serve"))]
pub(crate) mod vocabulary;

#[cfg(feature = "serve")]
pub(crate) use changes::{QuestionUpdate, StatementsUpdate, Writing};
pub use converting::{ConvertedFiles, convert};
pub use error::Error;
pub use evaluations::Evaluations;
#[cfg(feature = "serve")]
pub(crate) use evaluations::{Begun, EvaluationPlace, Running, panicked};
pub use exporting::ExportedFiles;
#[cfg(feature = "net")]
pub use exporting::ExportedGraphs;
pub use loaded::Loaded;
pub use loader::Loader;
pub use questions::EditedFile;
pub use statistics::FileStatistics;
pub use store::Store;
#[cfg(feature = "serve")]
pub(crate) use store::StoreUpdate;
#[cfg(feature = "serve")]
pub(crate) use validating::Findings;
pub use validating::{Validation, check, validate};
