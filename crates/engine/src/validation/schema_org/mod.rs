//! Checks documents against schema.org: loads each document separately, and finds the places of its findings.

mod checked_document;
mod document_fixes;
mod list_cells;
mod run;
mod schema_org_report;
pub mod schema_org_vocabulary;

pub use document_fixes::FixedFile;
pub use run::SchemaOrgRun;
pub use schema_org_report::severity_of;
