//! Checks documents against schema.org: each is loaded by itself, and its findings get their places.

mod document;
mod fixing;
mod list_cells;
mod report;
mod run;
pub mod vocabulary;

pub use fixing::FixedFile;
pub use report::severity_of;
pub use run::SchemaOrgRun;
