//! Writes query results as table files for other programs: Parquet, Arrow and xlsx, whose columns have types.
//!
//! If all bound values of a column have the same datatype, the column gets its type. Otherwise it is text, with a
//! second column for the datatypes, so nothing is lost. The types are known only after the last row, so all rows are
//! kept until then.

mod answer_table;
mod arrow;
mod cells;
mod column_batch;
mod column_facts;
mod columns;
mod format;
mod held_rows;
mod lexical_values;
mod parquet;
pub(crate) mod quad_columns;
mod read_columns;
pub(crate) mod read_quads;
pub(crate) mod record_tables;
mod term_kind;
mod xlsx;

use std::io::Write;

pub use answer_table::AnswerTable;
use answer_table::check_columns;
pub use column_batch::{BatchColumn, BatchValues, ColumnBatch, SharedTexts, TextPlace};
pub use column_facts::ColumnType;
use evalgraph_sparql::{EvaluationError, SolutionSequence, WriteError};
pub use format::TableFileFormat;
use oxrdf::vocab::xsd;
use oxrdf::{Literal, Term, Variable};

/// Writes solutions as a file, and returns their number.
///
/// # Errors
///
/// Fails if the output cannot be written, the evaluation fails, the result has no columns (`output::columns`), or the
/// number of rows or columns (`output::sheet`) or a value (`output::cell`) exceeds the limits of xlsx. In these cases
/// the file is incomplete.
pub fn write_table(
    solutions: SolutionSequence<'_>,
    format: TableFileFormat,
    output: impl Write + Send,
) -> Result<u64, WriteError> {
    check_columns(solutions.variables(), format)?;
    let table = AnswerTable::from_checked_solutions(solutions, row_check(format))?;
    table.write(format, output)?;
    Ok(table.rows())
}

/// Writes the result of ASK as a file with one row and one column, `boolean`.
///
/// # Errors
///
/// Fails if the output cannot be written.
pub fn write_boolean_table(
    answer: bool,
    format: TableFileFormat,
    output: impl Write + Send,
) -> Result<(), WriteError> {
    let text = if answer { "true" } else { "false" };
    let row = vec![Some(Term::from(Literal::new_typed_literal(text, xsd::BOOLEAN)))];
    let variables = [Variable::new_unchecked("boolean")];
    let rows = std::iter::once(Ok::<_, EvaluationError>(row));
    write_rows(&variables, rows, format, output).map(drop)
}

/// Writes rows of terms as a file, and returns their number.
///
/// # Errors
///
/// The errors of [`write_table`], and those of the rows.
pub(crate) fn write_rows<E>(
    variables: &[Variable],
    rows: impl Iterator<Item = Result<Vec<Option<Term>>, E>>,
    format: TableFileFormat,
    output: impl Write + Send,
) -> Result<u64, WriteError>
where
    WriteError: From<E>,
{
    check_columns(variables, format)?;
    let table = AnswerTable::from_rows(variables, rows, row_check(format))?;
    table.write(format, output)?;
    Ok(table.rows())
}

/// Refuses a number of rows that a form of files cannot have.
fn row_check(format: TableFileFormat) -> impl Fn(u64) -> Result<(), WriteError> {
    move |rows| if format == TableFileFormat::Xlsx { xlsx::check_rows(rows) } else { Ok(()) }
}
