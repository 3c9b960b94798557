//! Holds documents against schema.org: each is loaded by itself, and its findings get their places.

mod document;
#[cfg(feature = "cli")]
mod fixing;
mod list_cells;
mod report;
mod run;
pub(crate) mod vocabulary;

#[cfg(feature = "cli")]
pub(crate) use fixing::FixedFile;
pub(crate) use report::severity_of;
pub(crate) use run::SchemaOrgRun;
