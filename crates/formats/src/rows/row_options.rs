//! The options for reading rows: which columns have the values of which keys, the separator, the sheet.

use super::column_path::ColumnPath;
use super::column_presets::ColumnPreset;

/// How rows are read.
#[derive(Debug, Clone, Default)]
pub struct RowOptions {
    /// The columns with other names: each a key of a row, and the name of its column or the path to its value. If a
    /// key has several, the first that a row has is read.
    pub columns: Vec<(String, String)>,
    /// The form of the rows, which assigns columns to the keys that `columns` does not have.
    pub preset: Option<&'static ColumnPreset>,
    /// The separator of CSV; by default the one that the first line suggests.
    pub separator: Option<u8>,
    /// The sheet of a workbook; by default the one with a column for questions, or else the first with rows.
    pub sheet: Option<String>,
}

/// The columns or paths that are assigned to a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ColumnMapping<'o> {
    /// The key of a row.
    pub(crate) key: &'o str,
    /// The names of columns, or paths, the first choice first. There is at least one.
    pub(crate) paths: Vec<&'o str>,
    /// `true` if the file is at fault where no row has a value.
    pub(crate) is_required: bool,
    /// `true` if the user did not name the columns.
    pub(crate) is_of_preset: bool,
}

impl RowOptions {
    /// Returns whether columns are assigned to keys.
    pub fn has_mapping(&self) -> bool {
        !self.columns.is_empty() || self.preset.is_some()
    }

    /// Returns whether a path leads into a column, so that the rest of the column may not be read.
    pub fn reads_part_of(&self, column: &str) -> bool {
        let is_inside = |path: &&str| {
            *path != column && ColumnPath::parse(path).is_some_and(|path| path.column() == column)
        };
        self.mappings().iter().any(|mapping| mapping.paths.iter().any(is_inside))
    }

    /// Returns what is assigned to each key.
    pub(crate) fn mappings(&self) -> Vec<ColumnMapping<'_>> {
        let mut mappings: Vec<ColumnMapping<'_>> = Vec::new();
        for (key, path) in &self.columns {
            match mappings.iter_mut().find(|mapping| mapping.key == key) {
                Some(mapping) => mapping.paths.push(path),
                None => {
                    let paths = vec![path.as_str()];
                    mappings.push(ColumnMapping { key, paths, is_required: true, is_of_preset: false });
                }
            }
        }
        let of_preset = self.preset.iter().flat_map(|preset| preset.columns);
        for column in of_preset.filter(|column| self.columns.iter().all(|(key, _)| key != column.key)) {
            let (key, is_required) = (column.key, column.is_required);
            mappings.push(ColumnMapping {
                key,
                paths: column.paths.to_vec(),
                is_required,
                is_of_preset: true,
            });
        }
        mappings
    }

    /// Returns the columns that show which sheet of a workbook has the rows: one of each group.
    pub fn wanted_columns(&self) -> Vec<Vec<&str>> {
        if !self.has_mapping() {
            return vec![vec!["question"]];
        }
        let required = self.mappings().into_iter().filter(|mapping| mapping.is_required);
        required.map(|mapping| mapping.paths).collect()
    }
}

/// What a column of a table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnUse<'o> {
    /// The values of a key.
    Key(&'o str),
    /// A column whose name is a key that another column has.
    Replaced,
    /// A column that keeps its name.
    Own,
}

/// The columns of a table that are assigned to keys.
#[derive(Debug)]
pub(crate) struct TableColumns<'o> {
    chosen: Vec<(&'o str, &'o str)>,
}

impl<'o> TableColumns<'o> {
    /// Chooses the columns for the keys of options. Only keys that `admits` accepts are read of a preset. If a column
    /// is missing, its mapping is returned.
    pub(crate) fn choose(
        names: &[&str],
        options: &'o RowOptions,
        admits: impl Fn(&str) -> bool,
    ) -> Result<Self, ColumnMapping<'o>> {
        let mut chosen = Vec::new();
        for mapping in options.mappings() {
            if mapping.is_of_preset && !admits(mapping.key) {
                continue;
            }
            match mapping.paths.iter().find(|path| names.contains(path)) {
                Some(column) => chosen.push((mapping.key, *column)),
                None if mapping.is_required => return Err(mapping),
                None => {}
            }
        }
        Ok(Self { chosen })
    }

    /// Returns what a column is.
    pub(crate) fn use_of(&self, name: &str) -> ColumnUse<'o> {
        match self.chosen.iter().find(|(_, column)| *column == name) {
            Some((key, _)) => ColumnUse::Key(key),
            None if self.chosen.iter().any(|(key, _)| *key == name) => ColumnUse::Replaced,
            None => ColumnUse::Own,
        }
    }
}
