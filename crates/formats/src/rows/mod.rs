//! Rows of questions and answers, in JSON, JSON lines or CSV: how they are read, and which files of which kind belong to
//! them.

mod column_kinds;
mod row_files;
mod row_reader;

pub use row_files::{is_evaluation_data, is_rows, kind_of_rows};
pub(crate) use row_reader::may_be_number;
pub use row_reader::{RowFormat, RowOptions, keys_of_rows, read_rows, replaced_column};
