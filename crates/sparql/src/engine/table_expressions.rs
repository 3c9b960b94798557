//! Expressions over tables. An expression that `row_conditions` does not decide is evaluated once for each distinct
//! combination of the values of its variables. `PlanEvaluator` is defined in `plan_evaluator.rs`.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::RandomState;
use oxrdf::{Literal, Variable};
use spargebra::algebra::Expression;

use super::distinct::{DistinctRows, mixed};
use super::limits::{BLOCK, SolutionTableError};
use super::node::PlannedExpression;
use super::plan_evaluator::{PlanEvaluator, known};
use super::row_conditions::EffectiveBoolean;
use super::solution_table::{BindingNumber, SolutionColumn, SolutionTable, VariableSet, number};
use crate::expression::{ExpressionContext, RowExpression};

/// The cost of testing a row, in numbers that are read.
pub(super) const TESTED: usize = 64;

/// How many rows are evaluated at a time.
pub(super) const BATCH: usize = 128;

impl PlanEvaluator<'_, '_> {
    /// The rows for which a condition is true.
    pub(super) fn rows_with(
        &self,
        condition: &PlannedExpression,
        table: &SolutionTable,
    ) -> Result<Vec<u32>, SolutionTableError> {
        let (mut rows, unknown) = self.decided(condition, table)?;
        if !unknown.is_empty() {
            let asked = table.filtered(&unknown, &self.ticks)?;
            rows.extend(self.asked(condition, &asked)?.into_iter().map(|row| unknown[row as usize]));
            // Filters keep the order of a sorted table, so rows have to ascend.
            rows.sort_unstable();
        }
        Ok(rows)
    }

    /// The rows for which a condition is true, and those for which it is not decided here. A condition on one variable
    /// is tested once for each value.
    fn decided(
        &self,
        condition: &PlannedExpression,
        table: &SolutionTable,
    ) -> Result<(Vec<u32>, Vec<u32>), SolutionTableError> {
        let Some(test) = self.test(&condition.expression, table) else {
            return Ok((Vec::new(), self.ticks.rows(table.height()?)?));
        };
        self.view.expect(table.rows);
        let mut vars = condition.vars.iter();
        let column = match (vars.next(), vars.next()) {
            (Some(var), None) => table.column(var),
            _ => None,
        };
        let (mut rows, mut unknown) = (Vec::new(), Vec::new());
        let mut note = |block: Range<u32>, truth| match truth {
            EffectiveBoolean::True => rows.extend(block),
            EffectiveBoolean::Unknown => unknown.extend(block),
            EffectiveBoolean::False | EffectiveBoolean::Error => {}
        };
        let height = table.height()?;
        match column {
            // Equal values are adjacent.
            Some(column) if table.sorted_by == condition.vars.iter().next() => {
                let mut row = 0;
                for run in column.numbers.chunk_by(|one, other| one == other) {
                    self.ticks.tick(TESTED + run.len())?;
                    let end = row + run.len();
                    note(row as u32..end as u32, test(row));
                    row = end;
                }
            }
            Some(column) => {
                let mut truths = ConditionTruths::new(&column.numbers);
                for (row, number) in (0..height).zip(&column.numbers) {
                    let truth = truths.get(*number, || {
                        self.ticks.tick(TESTED)?;
                        Ok(test(row as usize))
                    })?;
                    note(row..row + 1, truth);
                    if (row as usize).is_multiple_of(BLOCK) {
                        self.ticks.tick(BLOCK)?;
                    }
                }
            }
            None => {
                for row in 0..height {
                    self.ticks.tick(TESTED)?;
                    note(row..row + 1, test(row as usize));
                }
            }
        }
        Ok((rows, unknown))
    }

    /// The rows for which an expression is true.
    fn asked(
        &self,
        condition: &PlannedExpression,
        table: &SolutionTable,
    ) -> Result<Vec<u32>, SolutionTableError> {
        let context = self.context();
        let expression = self.row_expression(&condition.expression, &context, table)?;
        let is_true = |row: usize| expression.truth(row) == Some(true);
        let mut rows = Vec::new();
        if let Some(distinct) = self.distinct_rows(condition.vars, table)? {
            let first = &distinct.first;
            let is_true = self.evaluated(&expression, 0..first.len(), |at| first[at] as usize, is_true)?;
            for (row, place) in (0..table.height()?).zip(&distinct.place) {
                self.ticks.tick(1)?;
                if is_true[*place as usize] {
                    rows.push(row);
                }
            }
        } else {
            let is_true = self.evaluated(&expression, 0..table.rows, |row| row, is_true)?;
            rows.extend(
                (0..table.height()?).zip(is_true).filter(|(_, is_true)| *is_true).map(|(row, _)| row),
            );
        }
        Ok(rows)
    }

    /// The results of an expression in some rows, whose numbers `row` gives.
    pub(super) fn evaluated<T>(
        &self,
        expression: &RowExpression<'_, '_>,
        places: Range<usize>,
        row: impl Fn(usize) -> usize,
        tell: impl Fn(usize) -> T,
    ) -> Result<Vec<T>, SolutionTableError> {
        let mut told = Vec::with_capacity(places.len());
        for begin in places.clone().step_by(BATCH) {
            let batch = begin..places.end.min(begin + BATCH);
            self.ticks.tick(batch.len() * TESTED)?;
            expression.approach(&batch.clone().map(&row));
            told.extend(batch.map(|place| tell(row(place))));
        }
        Ok(told)
    }

    /// The distinct rows of some variables, or `None` if most rows seem to be different. Each row is then evaluated.
    pub(super) fn distinct_rows(
        &self,
        vars: VariableSet,
        table: &SolutionTable,
    ) -> Result<Option<DistinctRows>, SolutionTableError> {
        let columns: Vec<&SolutionColumn> = vars.iter().filter_map(|var| table.column(var)).collect();
        if are_different(&columns, table.rows) {
            return Ok(None);
        }
        DistinctRows::new(&columns, table.rows, &self.ticks).map(Some)
    }

    pub(super) fn context(&self) -> ExpressionContext<'_, '_> {
        ExpressionContext {
            view: self.view,
            base: self.base,
            remarks: self.evaluation.remarks(),
            files: self.evaluation.files(),
            cancellation: &self.evaluation.deadline.cancellation,
        }
    }

    /// An expression over the rows of a table.
    pub(super) fn row_expression<'c, 'd>(
        &self,
        expression: &Expression,
        context: &'c ExpressionContext<'c, 'd>,
        table: &'c SolutionTable,
    ) -> Result<RowExpression<'c, 'd>, SolutionTableError> {
        let column = |variable: &Variable| {
            let var = self.names.iter().position(|name| name == variable)?;
            table.numbers(var)
        };
        RowExpression::new(expression, context, &column).ok_or(SolutionTableError::Unforeseen)
    }

    pub(super) fn numbers_of<'t>(
        &self,
        variable: &Variable,
        table: &'t SolutionTable,
    ) -> Option<&'t [BindingNumber]> {
        let var = self.names.iter().position(|name| name == variable)?;
        table.numbers(var)
    }

    /// The value of an expression in each row. An error has no value.
    pub(super) fn values_of(
        &self,
        value: &PlannedExpression,
        table: &SolutionTable,
    ) -> Result<SolutionColumn, SolutionTableError> {
        if let Expression::Variable(variable) = &value.expression {
            // A value that is only passed on stays a number, so its lexical form survives.
            let numbers = self.numbers_of(variable, table);
            return Ok(SolutionColumn::from_numbers(
                numbers.map_or_else(|| vec![0; table.rows], <[BindingNumber]>::to_vec),
            ));
        }
        let constant = match &value.expression {
            Expression::NamedNode(node) => Some(node.clone().into()),
            Expression::Literal(literal) => Some(literal.clone().into()),
            _ => None,
        };
        if let Some(term) = constant {
            return Ok(SolutionColumn::bound(vec![number(known(self.view, term)); table.rows]));
        }
        // RAND and other fresh values are columns, too, so rows with different ones are different here.
        let Some(distinct) = self.distinct_rows(value.vars, table)? else {
            return Ok(SolutionColumn::from_numbers(self.values_of_rows(&value.expression, table)?));
        };
        let mut rows = SolutionTable { rows: distinct.first.len(), ..SolutionTable::default() };
        for (var, column) in table.columns.iter().filter(|(var, _)| value.vars.has(*var)) {
            rows.columns.push((*var, column.gathered(&distinct.first, &self.ticks)?));
        }
        let (values, places) = (self.values_of_rows(&value.expression, &rows)?, &distinct.place);
        Ok(SolutionColumn::from_numbers(
            self.ticks.collect(places.len(), 2, |row| values[places[row] as usize])?,
        ))
    }

    /// The value of an expression in each row.
    fn values_of_rows(
        &self,
        expression: &Expression,
        table: &SolutionTable,
    ) -> Result<Vec<BindingNumber>, SolutionTableError> {
        if let Some(values) = self.known_values(expression, table)? {
            return Ok(values);
        }
        let context = self.context();
        let expression = self.row_expression(expression, &context, table)?;
        self.evaluated(&expression, 0..table.rows, |row| row, |row| expression.number(row))
    }

    /// The values of a condition on numbers, kinds and strings of terms, or `None` if these do not decide all of them.
    fn known_values(
        &self,
        expression: &Expression,
        table: &SolutionTable,
    ) -> Result<Option<Vec<BindingNumber>>, SolutionTableError> {
        let Some(test) = self.test(expression, table) else { return Ok(None) };
        let [no, yes] = [false, true].map(|truth| number(self.view.intern(Literal::from(truth).into())));
        let value = |row| match test(row) {
            EffectiveBoolean::True => Some(yes),
            EffectiveBoolean::False => Some(no),
            EffectiveBoolean::Error => Some(0),
            EffectiveBoolean::Unknown => None,
        };
        Ok(self.ticks.collect(table.rows, TESTED, value)?.into_iter().collect())
    }
}

/// How many rows are sampled to guess whether most are different, each with the row after it. Only tables with many
/// more rows are sampled. In debug builds the number is small, so that tests cover both cases.
const SAMPLE: usize = if cfg!(debug_assertions) { 1 << 3 } else { 1 << 11 };

/// Returns whether most rows of columns seem to be different.
fn are_different(columns: &[&SolutionColumn], rows: usize) -> bool {
    if columns.is_empty() || rows / 8 < SAMPLE {
        return false;
    }
    // Tables are often sorted. Equal values are then neighbours, which samples far from each other would miss.
    let places = (0..SAMPLE).map(|at| at * (rows / SAMPLE)).flat_map(|row| [row, row + 1]);
    let row =
        |row: usize| columns.iter().fold(0, |hash, column| mixed(hash ^ u64::from(column.numbers[row])));
    let mut sample: Vec<u64> = places.map(row).collect();
    let looked_at = sample.len();
    sample.sort_unstable();
    sample.dedup();
    let equal = looked_at - sample.len();
    // Among n rows with d values, n² / 2d are equal to an earlier one.
    equal * rows * 2 <= looked_at * looked_at
}

/// The truths are kept in an array if the highest number is at most this many times the number of rows.
const DENSE: usize = 32;

/// The known truths of a condition, by the number of the value.
enum ConditionTruths {
    /// 0 is not known yet.
    Dense(Vec<u8>),
    Few(HashMap<BindingNumber, EffectiveBoolean, RandomState>),
}

impl ConditionTruths {
    fn new(numbers: &[BindingNumber]) -> Self {
        let highest = numbers.iter().copied().max().unwrap_or(0) as usize;
        match highest <= numbers.len().saturating_mul(DENSE) {
            true => Self::Dense(vec![0; highest + 1]),
            false => Self::Few(HashMap::default()),
        }
    }

    #[inline]
    fn get(
        &mut self,
        number: BindingNumber,
        test: impl FnOnce() -> Result<EffectiveBoolean, SolutionTableError>,
    ) -> Result<EffectiveBoolean, SolutionTableError> {
        const TRUTHS: [EffectiveBoolean; 4] = [
            EffectiveBoolean::True,
            EffectiveBoolean::False,
            EffectiveBoolean::Error,
            EffectiveBoolean::Unknown,
        ];
        match self {
            Self::Dense(truths) => {
                let known = &mut truths[number as usize];
                if *known == 0 {
                    *known = test()? as u8 + 1;
                }
                Ok(TRUTHS[usize::from(*known - 1)])
            }
            Self::Few(truths) => match truths.get(&number) {
                Some(truth) => Ok(*truth),
                None => Ok(*truths.entry(number).insert_entry(test()?).get()),
            },
        }
    }
}
