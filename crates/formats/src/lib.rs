//! The systems whose files evalgraph reads, one folder each, and the conversion of graphs back to files.

pub mod catalog;
pub mod catalog_entries;
mod cell_list;
pub mod chat;
pub mod checking;
mod columns;
pub mod counts;
pub mod csv;
pub mod field_table;
mod item;
pub mod items;
pub mod karenina;
pub mod kwanzaa;
mod named_enum;
pub mod named_figures;
pub mod numbering;
pub mod own_properties;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod plain_chat;
pub mod random_split;
pub mod records;
pub mod registry;
pub mod rewriting;
pub mod rlcf;
pub mod secrets;
pub mod sidecar;
pub mod system_name;
pub mod train;
pub mod unknown;
pub mod yaml;
