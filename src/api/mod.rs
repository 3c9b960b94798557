//! What a program builds on that embeds the engine: files are loaded and asked, converted and checked, and a store keeps
//! them. The command line works by the same functions.

mod converting;
mod error;
mod evaluations;
mod loaded;
mod loader;
pub(crate) mod memory;
mod store;
mod validating;

pub use converting::{ConvertedFiles, convert};
pub use error::Error;
pub use evaluations::Evaluations;
pub use loaded::Loaded;
pub use loader::Loader;
pub use store::Store;
pub use validating::{Validation, validate};
