//! GROUP BY (SPARQL 1.1, section 18.5.1): each part of the solutions adds to what is known of its groups.

use super::accumulators::{Accumulator, Values};
use super::context::Engine;
use super::distinct::Known;
use super::folded::{Folded, folds, unfolded};
use super::limits::{BLOCK, MOST_ROWS, Unfit};
use super::node::{Condition, Node, Told};
use super::parts::{ALL, Parts};
use super::table::{Column, Table, Var, Vars};

/// The groups so far.
struct Groups<'n> {
    keys: Vars,
    known: Known,
    /// The values of those keys that anybody asks for.
    values: Table,
    /// The expressions that are not columns.
    folded: Vec<Folded<'n>>,
    aggregates: Vec<Grouping<'n>>,
}

/// One aggregate of all groups.
struct Grouping<'n> {
    var: Var,
    told: &'n Told,
    /// The values that a group has already, where each one counts once.
    seen: Known,
    known: Accumulator<'n>,
}

impl<'n> Groups<'n> {
    /// The expression that an aggregate has in the place of a column.
    fn folded_by(&self, told: &Told) -> Option<&'n Condition> {
        let Told::Aggregate(aggregate) = told else { return None };
        self.folded.iter().find(|folded| folded.var == aggregate.var).map(|folded| folded.value)
    }
}

impl Engine<'_, '_> {
    /// The solutions of GROUP BY, with the columns that are wanted.
    pub(super) fn group(
        &self,
        inner: &Node,
        keys: &[Var],
        aggregates: &[(Var, Told)],
        wanted: Vars,
    ) -> Result<Table, Unfit> {
        let keys = Vars::of(keys.iter().copied());
        let values = Table::empty(wanted.both(keys));
        let (inner, folded) = unfolded(inner, |var| {
            !keys.has(var) && aggregates.iter().all(|(_, told)| !told.vars().has(var) || folds(told))
        });
        let mut needed = keys;
        let mut groups = Groups { keys, known: Known::default(), values, folded, aggregates: Vec::new() };
        for (var, told) in aggregates.iter().filter(|(var, _)| wanted.has(*var)) {
            needed = needed.and(groups.folded_by(told).map_or(told.vars(), |value| value.vars));
            let known = Accumulator::of(told)?;
            groups.aggregates.push(Grouping { var: *var, told, seen: Known::default(), known });
        }
        let mut parts = Parts::of(self, inner, ALL);
        while let Some(table) = parts.next(self, inner, needed)? {
            self.add_to_groups(&mut groups, &table)?;
        }
        let mut grouped = groups.values;
        // Without GROUP BY there is one group, of no solutions if there are none.
        grouped.rows = if keys == Vars::default() { 1 } else { groups.known.len() };
        for Grouping { var, mut known, .. } in groups.aggregates {
            known.grow(grouped.rows);
            grouped.set(var, self.told(known)?);
        }
        Ok(grouped)
    }

    fn add_to_groups(&self, groups: &mut Groups<'_>, table: &Table) -> Result<(), Unfit> {
        let is_counted = |grouping: &Grouping<'_>| matches!(grouping.told, Told::CountSolutions);
        if groups.keys == Vars::default() && groups.aggregates.iter().all(is_counted) {
            for Grouping { known, .. } in &mut groups.aggregates {
                known.grow(1);
                let rows = i64::try_from(table.rows).unwrap_or(i64::MAX);
                known.counts().iter_mut().for_each(|count| *count = count.saturating_add(rows));
            }
            return Ok(());
        }
        if table.rows > MOST_ROWS {
            return Err(Unfit::TooLarge(None));
        }
        let unbound = Column::of(vec![0; table.rows]);
        let column = |var: Var| table.column(var).unwrap_or(&unbound);
        let places = if groups.keys == Vars::default() {
            None
        } else {
            let columns: Vec<&Column> = groups.keys.iter().map(column).collect();
            let added = groups.known.add(&columns, table.rows, &self.ticks)?;
            let mut values = Table { rows: added.first.len(), ..Table::default() };
            for var in groups.values.vars().iter() {
                values.columns.push((var, column(var).gathered(&added.first, &self.ticks)?));
            }
            groups.values.append(&values, &self.ticks)?;
            Some(Column::bound(added.place))
        };
        let place = |row: usize| places.as_ref().map_or(0, |places| places.numbers[row]);
        let count = places.as_ref().map_or(1, |_| groups.known.len());
        let folded: Vec<_> =
            groups.aggregates.iter().map(|grouping| groups.folded_by(grouping.told)).collect();
        for (Grouping { told, seen, known, .. }, value) in groups.aggregates.iter_mut().zip(folded) {
            known.grow(count);
            let mut first_of = |vars: Vars| {
                let columns: Vec<&Column> = vars.iter().map(column).chain(&places).collect();
                Ok::<_, Unfit>(seen.add(&columns, table.rows, &self.ticks)?.first)
            };
            match told {
                Told::CountSolutions => {
                    let counts = known.counts();
                    for row in 0..table.rows {
                        if row.is_multiple_of(BLOCK) {
                            self.ticks.tick(BLOCK)?;
                        }
                        counts[place(row) as usize] += 1;
                    }
                }
                Told::CountDistinctSolutions(vars) => {
                    let (first, counts) = (first_of(*vars)?, known.counts());
                    first.iter().for_each(|row| counts[place(*row as usize) as usize] += 1);
                }
                Told::Aggregate(aggregate) if aggregate.is_distinct => {
                    let first = first_of(Vars::of([aggregate.var]))?;
                    let values = column(aggregate.var).gathered(&first, &self.ticks)?;
                    let places = match &places {
                        Some(places) => Some(places.gathered(&first, &self.ticks)?),
                        None => None,
                    };
                    let places = places.as_ref().map(|places| places.numbers.as_slice());
                    self.accumulate(known, &Values { column: &values, places })?;
                }
                Told::Aggregate(aggregate) => {
                    let places = places.as_ref().map(|places| places.numbers.as_slice());
                    if let Some(value) = value {
                        self.valued(value, table.rows, || self.fold(known, value, table, places))?;
                        continue;
                    }
                    self.accumulate(known, &Values { column: column(aggregate.var), places })?;
                }
            }
        }
        Ok(())
    }
}
