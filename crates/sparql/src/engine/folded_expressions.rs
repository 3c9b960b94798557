//! Aggregates over expressions, and ORDER BY of expressions. If nothing else needs the values, they are added to their
//! groups or compared as they are computed, and numbers among them do not become terms. `PlanEvaluator` is defined in
//! `plan_evaluator.rs`.

use spargebra::algebra::AggregateFunction;

use super::accumulators::{AggregateAccumulator, GroupedValues};
use super::distinct::DistinctRows;
use super::limits::SolutionTableError;
use super::node::{AggregateCall, AlgebraNode, PlannedExpression};
use super::plan_evaluator::PlanEvaluator;
use super::solution_table::{BindingNumber, SolutionColumn, SolutionTable, VariableNumber};
use super::table_expressions::{BATCH, TESTED};
use crate::expression::{ComputedResult, NumericValue};

/// An expression, and the variable that it would be bound to otherwise.
pub(super) struct FoldedExpression<'n> {
    pub(super) var: VariableNumber,
    pub(super) value: &'n PlannedExpression,
}

/// The node below the folded expressions, and these expressions.
pub(super) fn unfolded(
    node: &AlgebraNode,
    is_folded: impl Fn(VariableNumber) -> bool,
) -> (&AlgebraNode, Vec<FoldedExpression<'_>>) {
    let (mut inner, mut folded) = (node, Vec::<FoldedExpression<'_>>::new());
    while let AlgebraNode::Extend(within, var, value) = inner {
        let is_asked_for = folded.iter().any(|other| other.value.vars.has(*var));
        if is_asked_for || !value.parts.is_empty() || !is_folded(*var) {
            break;
        }
        folded.push(FoldedExpression { var: *var, value });
        inner = within;
    }
    (inner, folded)
}

/// Returns whether an aggregate can take its values one by one, as numbers.
pub(super) fn folds(told: &AggregateCall) -> bool {
    use AggregateFunction::{Avg, Count, Max, Min, Sum};
    match told {
        AggregateCall::Aggregate(aggregate) => {
            !aggregate.is_distinct && matches!(aggregate.function, Count | Sum | Avg | Min | Max)
        }
        AggregateCall::CountSolutions | AggregateCall::CountDistinctSolutions(_) => false,
    }
}

impl PlanEvaluator<'_, '_> {
    /// Adds the values of an expression to the state of the groups of the rows.
    pub(super) fn fold(
        &self,
        known: &mut AggregateAccumulator<'_>,
        value: &PlannedExpression,
        table: &SolutionTable,
        places: Option<&[u32]>,
    ) -> Result<(), SolutionTableError> {
        let context = self.context();
        let expression = self.row_expression(&value.expression, &context, table)?;
        let is_sum = matches!(known, AggregateAccumulator::Sum(..));
        let computed = |row: usize| if is_sum { expression.summand(row) } else { expression.computed(row) };
        if let Some(distinct) = self.distinct_rows(value.vars, table)? {
            let first = &distinct.first;
            let values = self.evaluated(&expression, 0..first.len(), |at| first[at] as usize, computed)?;
            return self.fold_rows(known, table.rows, places, |row| Ok(values[distinct.place[row] as usize]));
        }
        self.fold_rows(known, table.rows, places, |row| {
            if row.is_multiple_of(BATCH) {
                let batch = row..table.rows.min(row + BATCH);
                self.ticks.tick(batch.len() * TESTED)?;
                expression.approach(&batch);
            }
            Ok(computed(row))
        })
    }

    /// Like [`Self::fold`], but takes the values row by row.
    fn fold_rows(
        &self,
        known: &mut AggregateAccumulator<'_>,
        rows: usize,
        places: Option<&[u32]>,
        mut value: impl FnMut(usize) -> Result<ComputedResult, SolutionTableError>,
    ) -> Result<(), SolutionTableError> {
        let place = |row: usize| places.map_or(0, |places| places[row] as usize);
        match known {
            AggregateAccumulator::Count(counts) => {
                for row in 0..rows {
                    self.ticks.tick(4)?;
                    counts[place(row)] += i64::from(!matches!(value(row)?, ComputedResult::Error));
                }
            }
            AggregateAccumulator::Sum(sums, _) => {
                for row in 0..rows {
                    self.ticks.tick(4)?;
                    let (sum, count) = &mut sums[place(row)];
                    *count += 1;
                    let value = value(row)?;
                    let Some(before) = *sum else { continue };
                    let number = match value {
                        ComputedResult::Number(number) => Some(number),
                        ComputedResult::Term(term) => self.summand(term),
                        ComputedResult::Error => None,
                    };
                    *sum = number.and_then(|number| before.plus(number));
                }
            }
            AggregateAccumulator::Extreme(best, is_better) => {
                let is_better = *is_better;
                // The best number of each group, and the rows of other values.
                let mut numbers: Vec<Option<NumericValue>> = vec![None; best.len()];
                let (mut others, mut groups) = (Vec::<BindingNumber>::new(), Vec::<u32>::new());
                let mut note = |group: usize, other: BindingNumber| {
                    others.push(other);
                    groups.push(u32::try_from(group).unwrap_or(u32::MAX));
                };
                for row in 0..rows {
                    self.ticks.tick(4)?;
                    let group = place(row);
                    match value(row)? {
                        ComputedResult::Number(number) => {
                            let known = &mut numbers[group];
                            if known.is_none_or(|known| is_better(number.in_order(known))) {
                                *known = Some(number);
                            }
                        }
                        ComputedResult::Term(other) => note(group, other),
                        ComputedResult::Error => note(group, 0),
                    }
                }
                for (group, number) in numbers.into_iter().enumerate() {
                    self.ticks.tick(1)?;
                    if let Some(number) = number {
                        note(group, self.view.intern(number.into_term()).number());
                    }
                }
                let column = SolutionColumn::from_numbers(others);
                self.accumulate(known, &GroupedValues { column: &column, places: Some(&groups) })?;
            }
            // These need terms, so nothing is folded for them.
            AggregateAccumulator::Sample(_) | AggregateAccumulator::Concatenated(..) => {}
        }
        Ok(())
    }

    /// The rank of each row's value in the order of all values. Equal values have the same rank.
    pub(super) fn ranks_of(
        &self,
        value: &PlannedExpression,
        table: &SolutionTable,
    ) -> Result<Vec<u32>, SolutionTableError> {
        let context = self.context();
        let expression = self.row_expression(&value.expression, &context, table)?;
        let computed = |row: usize| expression.computed(row);
        let distinct = self.distinct_rows(value.vars, table)?;
        let values = match &distinct {
            Some(DistinctRows { first, .. }) => {
                self.evaluated(&expression, 0..first.len(), |at| first[at] as usize, computed)?
            }
            None => self.evaluated(&expression, 0..table.rows, |row| row, computed)?,
        };
        if values.iter().any(|value| matches!(value, ComputedResult::Term(_))) {
            return self.ranks(&self.values_of(value, table)?);
        }
        let compare = |left: &u32, right: &u32| match (values[*left as usize], values[*right as usize]) {
            (ComputedResult::Number(left), ComputedResult::Number(right)) => left.in_order(right),
            // A missing value comes first.
            (left, right) => {
                matches!(left, ComputedResult::Number(_)).cmp(&matches!(right, ComputedResult::Number(_)))
            }
        };
        let mut order =
            self.ticks.rows(u32::try_from(values.len()).map_err(|_| SolutionTableError::TooLarge(None))?)?;
        self.ticks.sort(&mut order, 8, compare)?;
        let (mut ranks, mut rank) = (vec![0; values.len()], 0);
        for (place, at) in order.iter().enumerate() {
            self.ticks.tick(4)?;
            if place > 0 && compare(&order[place - 1], at).is_ne() {
                rank += 1;
            }
            ranks[*at as usize] = rank;
        }
        match distinct {
            Some(DistinctRows { place, .. }) => {
                self.ticks.collect(place.len(), 2, |row| ranks[place[row] as usize])
            }
            None => Ok(ranks),
        }
    }
}
