//! Finds the values of columns that the user or a preset assigns to the keys of rows, in JSON.

use super::column_path::{ChoiceFault, ColumnPath, FoundValues};
use super::missing_columns::{foreign_column, missing_column, missing_value};
use super::row_keys::keys_of_rows;
use super::row_options::{ColumnMapping, RowOptions};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use std::collections::HashSet;

/// The assigned columns of a file, and their values in each row.
#[derive(Debug)]
pub(crate) struct MappedColumns<'o> {
    keys: Vec<MappedKey<'o>>,
    /// The values of the keys, row by row.
    values: Vec<Option<SourcedValue>>,
}

/// A key with the places where its values are.
#[derive(Debug)]
struct MappedKey<'o> {
    mapping: ColumnMapping<'o>,
    sources: Vec<ColumnSource<'o>>,
    /// `true` if a row has a value, or if the column itself is there.
    is_used: bool,
}

#[derive(Debug)]
enum ColumnSource<'o> {
    /// A column with exactly this name.
    Column(&'o str),
    /// A path.
    Path(ColumnPath),
}

/// The value of a key in a row, and the number of the source that has it.
#[derive(Debug)]
struct SourcedValue {
    source: usize,
    found: FoundValues,
}

/// The value of a key in a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MappedValue<'m> {
    /// The key.
    pub(crate) key: &'m str,
    /// The column in which it is.
    pub(crate) column: &'m str,
    /// `true` if it is the whole value of the column.
    pub(crate) is_whole: bool,
    /// The value or values.
    pub(crate) found: &'m FoundValues,
}

impl<'o> MappedColumns<'o> {
    /// Finds the values of the columns that options assign. Only keys that `admits` accepts are read of a preset.
    ///
    /// # Errors
    /// If a column or path that the user named is in no row, or if a value in brackets names no item.
    pub(crate) fn find(
        document: &JsonDocument,
        options: &'o RowOptions,
        codes: ColumnCodes,
        admits: impl Fn(&str) -> bool,
    ) -> Result<Self, Box<Diagnostic>> {
        let columns = keys_of_rows(document);
        if let Some(fault) = foreign_column(options, codes.column, &columns, document.place(document.root()))
        {
            return Err(fault);
        }
        let known: HashSet<&str> = columns.iter().copied().collect();
        let mappings =
            options.mappings().into_iter().filter(|mapping| !mapping.is_of_preset || admits(mapping.key));
        let mut keys: Vec<MappedKey<'o>> = mappings.map(|mapping| MappedKey::new(mapping, &known)).collect();
        let mut values = Vec::new();
        for row in document.items(document.root()).filter(|&row| document.is_object(row)) {
            for key in &mut keys {
                let found =
                    key.value(document, row).map_err(|fault| choice_fault(fault, document, codes.choice))?;
                key.is_used |= found.is_some();
                values.push(found);
            }
        }
        if let Some(missing) = keys.iter().find(|key| !key.is_used && key.mapping.is_required) {
            let place = document.place(document.root());
            let fault = missing_value(document, codes.column, &missing.mapping, &columns);
            return Err(fault.unwrap_or_else(|| {
                missing_column(codes.column, &missing.mapping, options.preset, &columns, place)
            }));
        }
        Ok(Self { keys, values })
    }

    /// Returns the values that keys have in a row, given the number of the row among the objects.
    pub(crate) fn row(&self, number: usize) -> impl Iterator<Item = MappedValue<'_>> {
        let values = self.values.iter().skip(number * self.keys.len());
        self.keys.iter().zip(values).filter_map(|(key, value)| {
            let SourcedValue { source, found } = value.as_ref()?;
            let (column, is_whole) = match &key.sources[*source] {
                ColumnSource::Column(name) => (*name, true),
                ColumnSource::Path(path) => (path.column(), false),
            };
            Some(MappedValue { key: key.mapping.key, column, is_whole, found })
        })
    }

    /// Returns whether a key gets its values from elsewhere.
    pub(crate) fn is_mapped(&self, key: &str) -> bool {
        self.keys.iter().any(|mapped| mapped.is_used && mapped.mapping.key == key)
    }
}

/// The codes of faults.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColumnCodes {
    /// No column has a name.
    pub(crate) column: &'static str,
    /// A value names no item of its list.
    pub(crate) choice: &'static str,
}

impl<'o> MappedKey<'o> {
    fn new(mapping: ColumnMapping<'o>, known: &HashSet<&str>) -> Self {
        let source = |path: &&'o str| match known.contains(path) {
            true => Some(ColumnSource::Column(path)),
            false => {
                ColumnPath::parse(path).filter(|path| known.contains(path.column())).map(ColumnSource::Path)
            }
        };
        let sources: Vec<ColumnSource<'o>> = mapping.paths.iter().filter_map(source).collect();
        let is_used = sources.iter().any(|source| matches!(source, ColumnSource::Column(_)));
        Self { mapping, sources, is_used }
    }

    /// Returns the value in a row: the first that is there, or else null.
    fn value(&self, document: &JsonDocument, row: TokenId) -> Result<Option<SourcedValue>, ChoiceFault> {
        let mut null = None;
        for (source, place) in self.sources.iter().enumerate() {
            match place {
                ColumnSource::Column(name) => {
                    let Some(value) = document.get(row, name) else { continue };
                    let found = SourcedValue { source, found: FoundValues::One(value) };
                    if document.kind(value) != JsonKind::Null {
                        return Ok(Some(found));
                    }
                    null = null.or(Some(found));
                }
                ColumnSource::Path(path) => {
                    if let Some(found) = path.values(document, row)? {
                        return Ok(Some(SourcedValue { source, found }));
                    }
                }
            }
        }
        Ok(null)
    }
}

fn choice_fault(fault: ChoiceFault, document: &JsonDocument, code: &'static str) -> Box<Diagnostic> {
    let ChoiceFault { message, help, value } = fault;
    let found = Diagnostic::error(code, message).at(document.place(value));
    Box::new(match help {
        Some(help) => found.with_help(help),
        None => found.with_help("correct the value, or delete the row"),
    })
}
