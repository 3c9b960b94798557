//! An export as Parquet, for engines of SQL: one file for each large predicate, one for all others, and one for the graphs.
//!
//! The number of a term is a hash of it, so that two exports give a term the same number without knowing of each other.
//! Rows are sorted by the numbers of predicate, subject, object and graph; the same data give the same files.

mod duckdb_views;
mod hashed_terms;
mod parquet_export;
mod quad_file;
mod sorted_rows;

pub use parquet_export::ParquetExport;
