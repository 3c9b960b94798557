//! The systems whose files evalgraph reads, one folder each, and the conversion of graphs back to files.

pub mod catalog;
pub mod catalog_entries;
mod cell_list;
pub mod chat;
pub mod checking;
pub mod checkpoint;
mod columns;
pub mod corpus;
pub mod counted_list;
pub mod counts;
pub mod csv;
mod evaluation_figures;
#[cfg(feature = "workbook")]
pub mod evaluation_log;
pub mod every_eval_ever;
pub mod field_table;
pub mod file_records;
pub mod helm;
pub mod inspect;
mod item;
pub mod items;
pub mod karenina;
pub mod kwanzaa;
pub mod lm_eval;
mod named_enum;
pub mod named_figures;
pub mod new_question;
pub mod numbering;
pub mod own_properties;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod plain_conversations;
pub mod random_split;
pub mod records;
pub mod registry;
pub mod rewriting;
pub mod rlcf;
pub mod rows;
pub mod runs;
pub mod secrets;
pub mod sidecar;
pub mod source_system;
pub mod system_name;
pub mod task_finding;
pub mod train;
pub mod unknown;
#[cfg(feature = "workbook")]
pub mod workbook;
pub mod writing;
pub mod yaml;
