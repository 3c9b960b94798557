//! GROUP BY and its aggregates (SPARQL 1.1, section 18.5.1).

use std::cmp::Ordering;

use oxrdf::Literal;
use oxsdatatypes::Integer;

use super::context::Engine;
use super::distinct::Distinct;
use super::limits::Unfit;
use super::numerals::Numeral;
use super::plan::{Aggregate, Node};
use super::table::{Column, Number, Table, Var, Vars, number};
use crate::store::TermId;

impl Engine<'_, '_> {
    /// The solutions of GROUP BY, with the columns that are wanted.
    pub(super) fn group(
        &self,
        inner: &Node,
        keys: &[Var],
        aggregates: &[(Var, Aggregate)],
        wanted: Vars,
    ) -> Result<Table, Unfit> {
        let aggregates: Vec<_> = aggregates.iter().filter(|(var, _)| wanted.has(*var)).collect();
        let arguments = aggregates.iter().filter_map(|(_, aggregate)| aggregate.var());
        let table = self.run(inner, Vars::of(keys.iter().copied().chain(arguments)))?;
        let columns: Vec<&Column> = keys.iter().filter_map(|key| table.column(*key)).collect();
        let mut groups = Distinct::of(&columns, table.rows);
        // Without GROUP BY there is one group, of no solutions if there are none.
        if keys.is_empty() && groups.first.is_empty() {
            groups.first.push(super::table::NO_ROW);
        }
        let mut grouped = Table { rows: groups.first.len(), ..Table::default() };
        for key in keys.iter().filter(|key| wanted.has(**key)) {
            if let Some(column) = table.column(*key) {
                grouped.set(*key, column.gathered(&groups.first));
            }
        }
        for (var, aggregate) in aggregates {
            grouped.set(*var, self.aggregate(*aggregate, &table, &groups)?);
        }
        Ok(grouped)
    }

    fn aggregate(&self, aggregate: Aggregate, table: &Table, groups: &Distinct) -> Result<Column, Unfit> {
        let count = groups.first.len();
        self.ticks.tick(table.rows)?;
        let Some(var) = aggregate.var() else {
            let mut counts = vec![0; count];
            groups.place.iter().for_each(|place| counts[*place as usize] += 1);
            return Ok(self.counts(&counts));
        };
        let unbound = Column::of(vec![0; table.rows]);
        let column = table.column(var).unwrap_or(&unbound);
        let values = || groups.place.iter().map(|place| *place as usize).zip(column.numbers.iter().copied());
        Ok(match aggregate {
            Aggregate::CountSolutions | Aggregate::Count(_) => {
                let mut counts = vec![0; count];
                values().for_each(|(group, value)| counts[group] += i64::from(value != 0));
                self.counts(&counts)
            }
            Aggregate::CountDistinct(_) => {
                let places = Column::bound(groups.place.clone());
                let distinct = Distinct::of(&[&places, column], table.rows);
                let mut counts = vec![0; count];
                for row in distinct.first.iter().map(|row| *row as usize) {
                    counts[groups.place[row] as usize] += i64::from(column.numbers[row] != 0);
                }
                self.counts(&counts)
            }
            Aggregate::Sample(_) => {
                let mut samples = vec![0; count];
                for (group, value) in values() {
                    if samples[group] == 0 {
                        samples[group] = value;
                    }
                }
                Column::of(samples)
            }
            Aggregate::Minimum(_) => self.extreme(column, groups, Ordering::is_lt)?,
            Aggregate::Maximum(_) => self.extreme(column, groups, Ordering::is_gt)?,
            Aggregate::Sum(_) | Aggregate::Average(_) => {
                self.sums(column, groups, matches!(aggregate, Aggregate::Average(_)))
            }
        })
    }

    /// The first value of each group that no other one is better than; none if any solution has no value.
    fn extreme(
        &self,
        column: &Column,
        groups: &Distinct,
        is_better: fn(Ordering) -> bool,
    ) -> Result<Column, Unfit> {
        let mut best: Vec<Option<Number>> = vec![None; groups.first.len()];
        for (group, value) in groups.place.iter().map(|place| *place as usize).zip(&column.numbers) {
            let known = best[group].unwrap_or(*value);
            // No value is below all others, and stays so.
            let is_first = best[group].is_none() || *value == 0;
            if is_first || known != 0 && known != *value && is_better(self.compare(*value, known)) {
                best[group] = Some(*value);
            }
        }
        self.ticks.tick(column.numbers.len() * 8)?;
        Ok(Column::of(best.into_iter().map(Option::unwrap_or_default).collect()))
    }

    fn sums(&self, column: &Column, groups: &Distinct, is_average: bool) -> Column {
        let distinct = Distinct::of(&[column], column.numbers.len());
        let numeral = |row: &u32| {
            let id = TermId::of_number(column.numbers[*row as usize])?;
            Numeral::of(&self.view.expression_term(id))
        };
        let numerals: Vec<Option<Numeral>> = distinct.first.iter().map(numeral).collect();
        let zero = Numeral::Integer(Integer::from(0));
        let mut sums: Vec<(Option<Numeral>, i64)> = vec![(Some(zero), 0); groups.first.len()];
        for (row, group) in groups.place.iter().enumerate() {
            let (sum, count) = &mut sums[*group as usize];
            *count += 1;
            *sum = sum.zip(numerals[distinct.place[row] as usize]).and_then(|(sum, value)| sum.plus(value));
        }
        let value = |(sum, count): (Option<Numeral>, i64)| {
            let sum = sum.and_then(|sum| if is_average { sum.divided_by(count) } else { Some(sum) });
            sum.map_or(0, |sum| number(self.view.intern(sum.into_term())))
        };
        Column::of(sums.into_iter().map(value).collect())
    }

    /// Counts as terms. Many groups have few different counts.
    fn counts(&self, counts: &[i64]) -> Column {
        let counts: Vec<Option<i64>> = counts.iter().copied().map(Some).collect();
        Column::bound(self.numbers_of_counts(&counts))
    }

    /// The terms of integers; none where there is none.
    pub(super) fn numbers_of_counts(&self, counts: &[Option<i64>]) -> Vec<Number> {
        let mut known = hashbrown::HashMap::<i64, Number, foldhash::fast::RandomState>::default();
        let mut term = |count: i64| {
            *known.entry(count).or_insert_with(|| number(self.view.intern(Literal::from(count).into())))
        };
        counts.iter().map(|count| count.map_or(0, &mut term)).collect()
    }
}
