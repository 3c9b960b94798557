//! What the systems share: records, sidecars, rewriting, rules.

mod column_paths;
pub(crate) mod csv_tables;
pub(crate) mod file_form;
mod generated_shapes;
pub(crate) mod json_difference;
pub(crate) mod parquet;
mod record_entries;
pub(crate) mod records;
pub(crate) mod records_harmed;
pub(crate) mod records_vocabulary;
pub(crate) mod rewriting;
pub(crate) mod rules_table;
pub(crate) mod settings;
pub(crate) mod shapes;
pub(crate) mod sidecar;
pub(crate) mod sidecar_edits;
pub(crate) mod sidecar_generated;
pub(crate) mod sidecar_version_2;
pub(crate) mod tables_written;
