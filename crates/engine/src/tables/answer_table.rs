//! The answer of a query as columns with types. It becomes a file, or the columns of a program that embeds the engine.

use std::io::{self, Write};

use oxrdf::{BlankNode, Literal, NamedNode, Term, Variable};

use super::column_batch::{ColumnBatch, batches};
use super::column_facts::{ColumnFacts, ColumnType};
use super::columns::{ResultsColumn, columns};
use super::format::TableFileFormat;
use super::held_rows::{HeldRows, HeldValue};
use super::term_kind::ColumnTermKind;
use super::{arrow, parquet, xlsx};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_sparql::{SolutionSequence, WriteError};

/// The rows of an answer. In memory, those beyond 64 MB are compressed.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
/// use evalgraph::sparql::QueryResults;
/// use evalgraph::tables::{AnswerTable, ColumnType};
///
/// let loaded = evalgraph::Loader::new().load(["fixtures/karenina/p1-physics.jsonld"])?;
/// let answer = loaded.query("SELECT ?text (STRLEN(?text) AS ?length) { ?q a s:Question ; s:text ?text }")?;
/// let QueryResults::Solutions(solutions) = answer else { unreachable!() };
/// let table = AnswerTable::from_solutions(solutions)?;
/// let columns = table.columns();
/// assert_eq!(columns[1], ("length".to_owned(), ColumnType::Integer));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AnswerTable {
    variables: Vec<Variable>,
    facts: Vec<ColumnFacts>,
    held: HeldRows,
}

impl AnswerTable {
    /// Reads all solutions.
    ///
    /// # Errors
    ///
    /// If the evaluation fails, or a row cannot be compressed.
    pub fn from_solutions(solutions: SolutionSequence<'_>) -> Result<Self, WriteError> {
        Self::from_checked_solutions(solutions, |_| Ok(()))
    }

    /// Reads all solutions. `check` may refuse the number of rows.
    pub(super) fn from_checked_solutions(
        solutions: SolutionSequence<'_>,
        check: impl Fn(u64) -> Result<(), WriteError>,
    ) -> Result<Self, WriteError> {
        let mut table = Self::without_rows(solutions.variables());
        for solution in solutions {
            table.held.add(solution?.values(), &mut table.facts)?;
            check(table.held.rows())?;
        }
        table.held.finish()?;
        Ok(table)
    }

    fn without_rows(variables: &[Variable]) -> Self {
        let facts = vec![ColumnFacts::default(); variables.len()];
        Self { variables: variables.to_vec(), facts, held: HeldRows::default() }
    }

    /// Keeps rows of terms, one for each variable.
    ///
    /// # Errors
    ///
    /// If a row cannot be compressed.
    pub fn from_terms(
        variables: &[Variable],
        rows: impl Iterator<Item = Vec<Option<Term>>>,
    ) -> Result<Self, WriteError> {
        Self::from_rows(variables, rows.map(Ok::<_, WriteError>), |_| Ok(()))
    }

    /// Reads all rows, each of which `check` may refuse.
    pub(super) fn from_rows<E>(
        variables: &[Variable],
        rows: impl Iterator<Item = Result<Vec<Option<Term>>, E>>,
        check: impl Fn(u64) -> Result<(), WriteError>,
    ) -> Result<Self, WriteError>
    where
        WriteError: From<E>,
    {
        let mut table = Self::without_rows(variables);
        for row in rows {
            table.held.add(&row?, &mut table.facts)?;
            check(table.held.rows())?;
        }
        table.held.finish()?;
        Ok(table)
    }

    /// Sets the types of the columns that have no value in any row.
    pub(super) fn with_types_of_empty_columns(mut self, types: &[ColumnType]) -> Self {
        for (facts, column_type) in self.facts.iter_mut().zip(types) {
            facts.set_type_if_empty(*column_type);
        }
        self
    }

    /// The variables of the answer.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.held.rows()
    }

    /// The names and types of the columns of [`Self::batches`]: one for each variable, and one for the datatypes of its
    /// values if they have no type in common.
    pub fn columns(&self) -> Vec<(String, ColumnType)> {
        let columns = self.result_columns(TableFileFormat::Arrow);
        columns.into_iter().map(|column| (column.name.clone(), column.column_type())).collect()
    }

    fn result_columns(&self, format: TableFileFormat) -> Vec<ResultsColumn> {
        columns(&self.variables, &self.facts, &self.held, format)
    }

    /// Passes the rows to a visitor, some thousands at a time. The visitor of an empty table is not called.
    ///
    /// # Errors
    ///
    /// The error of the visitor, and an error if the rows are damaged.
    pub fn batches(&self, visitor: &mut dyn FnMut(ColumnBatch) -> io::Result<()>) -> io::Result<()> {
        let columns = self.result_columns(TableFileFormat::Arrow);
        batches(&columns, &self.held)(visitor)
    }

    /// The numbers of rows of the blocks in which the rows are kept.
    pub fn block_sizes(&self) -> impl Iterator<Item = u64> {
        self.held.block_sizes()
    }

    /// Returns the rows of a block as terms, or nothing beyond the last block. A block has about a megabyte.
    ///
    /// # Errors
    ///
    /// If the rows are damaged.
    pub fn block(&self, number: usize) -> io::Result<Vec<Vec<Option<Term>>>> {
        let mut rows = Vec::new();
        self.held.visit_one(number, self.variables.len(), &mut |row: &[Option<HeldValue<'_>>]| {
            rows.push(row.iter().map(|value| self.term((*value)?)).collect());
            Ok::<_, io::Error>(())
        })?;
        Ok(rows)
    }

    fn term(&self, value: HeldValue<'_>) -> Option<Term> {
        Some(match self.held.kind(value.kind)? {
            ColumnTermKind::Iri => NamedNode::new_unchecked(value.text).into(),
            ColumnTermKind::BlankNode => BlankNode::new_unchecked(value.text).into(),
            ColumnTermKind::Datatype(datatype) => {
                Literal::new_typed_literal(value.text, NamedNode::new_unchecked(datatype)).into()
            }
            ColumnTermKind::Language(language) => {
                Literal::new_language_tagged_literal_unchecked(value.text, language).into()
            }
        })
    }

    /// Writes the rows as a file.
    ///
    /// # Errors
    ///
    /// If the output cannot be written, the answer has no columns (`output::columns`), or the number of rows or columns
    /// (`output::sheet`) or a value (`output::cell`) exceeds the limits of xlsx. The file is then incomplete.
    pub fn write(&self, format: TableFileFormat, output: impl Write + Send) -> Result<(), WriteError> {
        check_columns(&self.variables, format)?;
        let (columns, held) = (self.result_columns(format), &self.held);
        match format {
            TableFileFormat::Parquet => parquet::write(&columns, batches(&columns, held), output)?,
            TableFileFormat::Arrow => arrow::write(&columns, batches(&columns, held), output)?,
            TableFileFormat::Xlsx => xlsx::write(&columns, held, output)?,
        }
        Ok(())
    }
}

/// Rejects an answer without columns, of which no file can be made.
pub(super) fn check_columns(variables: &[Variable], format: TableFileFormat) -> Result<(), WriteError> {
    if !variables.is_empty() {
        return Ok(());
    }
    let message =
        format!("the answer has no columns, but a file of the form `{}` needs at least one", format.name());
    Err(WriteError::Evaluation(Box::new(Diagnostic::error("output::columns", message))))
}
