//! GROUP BY (SPARQL 1.1, section 18.5.1): each part of the solutions adds to the state of its groups. `PlanEvaluator`
//! is defined in `plan_evaluator.rs`.

use super::accumulators::{AggregateAccumulator, GroupedValues};
use super::distinct::DistinctRowSet;
use super::folded_expressions::{FoldedExpression, folds, unfolded};
use super::limits::{BLOCK, MOST_ROWS, SolutionTableError};
use super::node::{AggregateCall, AlgebraNode, PlannedExpression};
use super::parts::{ALL, SolutionParts};
use super::plan_evaluator::PlanEvaluator;
use super::solution_table::{SolutionColumn, SolutionTable, VariableNumber, VariableSet};

/// The groups so far.
struct SolutionGroups<'n> {
    keys: VariableSet,
    known: DistinctRowSet,
    /// The values of the keys that are needed later.
    values: SolutionTable,
    /// The expressions that are not columns.
    folded: Vec<FoldedExpression<'n>>,
    aggregates: Vec<GroupedAggregate<'n>>,
}

/// One aggregate of all groups.
struct GroupedAggregate<'n> {
    var: VariableNumber,
    told: &'n AggregateCall,
    /// The values that a group has already, for DISTINCT.
    seen: DistinctRowSet,
    known: AggregateAccumulator<'n>,
}

impl<'n> SolutionGroups<'n> {
    /// The expression that an aggregate has instead of a column.
    fn folded_by(&self, told: &AggregateCall) -> Option<&'n PlannedExpression> {
        let AggregateCall::Aggregate(aggregate) = told else { return None };
        self.folded.iter().find(|folded| folded.var == aggregate.var).map(|folded| folded.value)
    }
}

impl PlanEvaluator<'_, '_> {
    /// The solutions of GROUP BY, with the wanted columns.
    pub(super) fn group(
        &self,
        inner: &AlgebraNode,
        keys: &[VariableNumber],
        aggregates: &[(VariableNumber, AggregateCall)],
        wanted: VariableSet,
    ) -> Result<SolutionTable, SolutionTableError> {
        let keys = VariableSet::from_numbers(keys.iter().copied());
        let values = SolutionTable::empty(wanted.both(keys));
        // Values that only aggregates read are added to the groups as they are computed, and numbers make no terms.
        let (inner, folded) = unfolded(inner, |var| {
            !keys.has(var) && aggregates.iter().all(|(_, told)| !told.vars().has(var) || folds(told))
        });
        let mut needed = keys;
        let mut groups =
            SolutionGroups { keys, known: DistinctRowSet::default(), values, folded, aggregates: Vec::new() };
        for (var, told) in aggregates.iter().filter(|(var, _)| wanted.has(*var)) {
            needed = needed.and(groups.folded_by(told).map_or(told.vars(), |value| value.vars));
            let known = AggregateAccumulator::new(told)?;
            groups.aggregates.push(GroupedAggregate {
                var: *var,
                told,
                seen: DistinctRowSet::default(),
                known,
            });
        }
        let mut parts = SolutionParts::new(self, inner, ALL);
        while let Some(table) = parts.next(self, inner, needed)? {
            self.add_to_groups(&mut groups, &table)?;
        }
        let mut grouped = groups.values;
        // Without GROUP BY there is one group, even if there are no solutions.
        grouped.rows = if keys == VariableSet::default() { 1 } else { groups.known.len() };
        for GroupedAggregate { var, mut known, .. } in groups.aggregates {
            known.grow(grouped.rows);
            grouped.set(var, self.told(known)?);
        }
        Ok(grouped)
    }

    fn add_to_groups(
        &self,
        groups: &mut SolutionGroups<'_>,
        table: &SolutionTable,
    ) -> Result<(), SolutionTableError> {
        let is_counted =
            |grouping: &GroupedAggregate<'_>| matches!(grouping.told, AggregateCall::CountSolutions);
        // Such a part has no columns, so it may have more rows than a table with columns.
        if groups.keys == VariableSet::default() && groups.aggregates.iter().all(is_counted) {
            for GroupedAggregate { known, .. } in &mut groups.aggregates {
                known.grow(1);
                let rows = i64::try_from(table.rows).unwrap_or(i64::MAX);
                known.counts().iter_mut().for_each(|count| *count = count.saturating_add(rows));
            }
            return Ok(());
        }
        if table.rows > MOST_ROWS {
            return Err(SolutionTableError::TooLarge(None));
        }
        let unbound = SolutionColumn::from_numbers(vec![0; table.rows]);
        let column = |var: VariableNumber| table.column(var).unwrap_or(&unbound);
        let places = if groups.keys == VariableSet::default() {
            None
        } else {
            let columns: Vec<&SolutionColumn> = groups.keys.iter().map(column).collect();
            let added = groups.known.add(&columns, table.rows, &self.ticks)?;
            let mut values = SolutionTable { rows: added.first.len(), ..SolutionTable::default() };
            for var in groups.values.vars().iter() {
                values.columns.push((var, column(var).gathered(&added.first, &self.ticks)?));
            }
            // Groups are numbered in the order of their first rows, so row n of the values belongs to group n.
            groups.values.append(&values, &self.ticks)?;
            Some(SolutionColumn::bound(added.place))
        };
        let place = |row: usize| places.as_ref().map_or(0, |places| places.numbers[row]);
        let count = places.as_ref().map_or(1, |_| groups.known.len());
        let folded: Vec<_> =
            groups.aggregates.iter().map(|grouping| groups.folded_by(grouping.told)).collect();
        for (GroupedAggregate { told, seen, known, .. }, value) in groups.aggregates.iter_mut().zip(folded) {
            known.grow(count);
            let mut first_of = |vars: VariableSet| {
                // Values are distinct within their group, so the number of the group is a part of the row.
                let columns: Vec<&SolutionColumn> = vars.iter().map(column).chain(&places).collect();
                Ok::<_, SolutionTableError>(seen.add(&columns, table.rows, &self.ticks)?.first)
            };
            match told {
                AggregateCall::CountSolutions => {
                    let counts = known.counts();
                    for row in 0..table.rows {
                        if row.is_multiple_of(BLOCK) {
                            self.ticks.tick(BLOCK)?;
                        }
                        counts[place(row) as usize] += 1;
                    }
                }
                AggregateCall::CountDistinctSolutions(vars) => {
                    let (first, counts) = (first_of(*vars)?, known.counts());
                    first.iter().for_each(|row| counts[place(*row as usize) as usize] += 1);
                }
                AggregateCall::Aggregate(aggregate) if aggregate.is_distinct => {
                    let first = first_of(VariableSet::from_numbers([aggregate.var]))?;
                    let values = column(aggregate.var).gathered(&first, &self.ticks)?;
                    let places = match &places {
                        Some(places) => Some(places.gathered(&first, &self.ticks)?),
                        None => None,
                    };
                    let places = places.as_ref().map(|places| places.numbers.as_slice());
                    self.accumulate(known, &GroupedValues { column: &values, places })?;
                }
                AggregateCall::Aggregate(aggregate) => {
                    let places = places.as_ref().map(|places| places.numbers.as_slice());
                    if let Some(value) = value {
                        self.valued(value, table.rows, || self.fold(known, value, table, places))?;
                        continue;
                    }
                    self.accumulate(known, &GroupedValues { column: column(aggregate.var), places })?;
                }
            }
        }
        Ok(())
    }
}
