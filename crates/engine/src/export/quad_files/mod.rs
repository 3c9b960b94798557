//! An export as Parquet, for engines of SQL: one file for each large predicate, one for all others, and one for the graphs.
//!
//! The number of a term is a hash of it, so that two exports give a term the same number without knowing of each other.
//! Rows are sorted by the numbers of predicate, subject, object and graph; the same data give the same files.

mod collected_facts;
mod croissant_schema;
mod document_rows;
mod earlier_export;
mod export_making;
mod folder_writing;
mod hashed_terms;
mod parquet_export;
mod part_folder;
mod part_joining;
mod path_closures;
mod property_tables;
mod quad_file;
mod record_lines;
mod record_merge;
mod record_run;
mod record_sorter;
mod row_collector;
mod row_texts;
mod sql_views;
mod term_collisions;

pub use parquet_export::{FolderChange, ParquetExport};
pub use part_folder::ExportPartNumber;
