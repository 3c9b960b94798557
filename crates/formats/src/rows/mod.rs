//! Rows of questions and answers, in JSON, JSON lines or CSV: how they are read, and which files of which kind belong to
//! them.

mod column_kinds;
mod column_path;
mod column_presets;
mod mapped_columns;
mod missing_columns;
mod row_files;
mod row_keys;
mod row_options;
mod row_reader;

pub(crate) use column_path::FoundValues;
pub use column_presets::{COLUMN_PRESETS, ColumnPreset, PresetColumn, suggested_preset};
pub(crate) use mapped_columns::{ColumnCodes, MappedColumns, MappedValue};
pub(crate) use missing_columns::missing_column;
pub use row_files::{is_evaluation_data, is_rows, kind_of_rows};
pub use row_keys::keys_of_rows;
pub use row_options::RowOptions;
pub(crate) use row_options::{ColumnUse, TableColumns};
pub(crate) use row_reader::may_be_number;
pub use row_reader::{RowFormat, mapped_rows, read_rows, replaced_column};
