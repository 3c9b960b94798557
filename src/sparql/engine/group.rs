//! GROUP BY and its aggregates (SPARQL 1.1, section 18.5.1).

use std::cmp::Ordering;

use oxrdf::{Literal, Term};
use oxsdatatypes::Integer;
use spargebra::algebra::AggregateFunction;

use super::context::Engine;
use super::distinct::Distinct;
use super::limits::{BLOCK, Unfit};
use super::node::{Node, Told};
use super::numerals::Numeral;
use super::table::{Column, Number, Table, Var, Vars, number};
use crate::store::{Kind, TermId};

impl Engine<'_, '_> {
    /// The solutions of GROUP BY, with the columns that are wanted.
    pub(super) fn group(
        &self,
        inner: &Node,
        keys: &[Var],
        aggregates: &[(Var, Told)],
        wanted: Vars,
    ) -> Result<Table, Unfit> {
        let aggregates: Vec<_> = aggregates.iter().filter(|(var, _)| wanted.has(*var)).collect();
        let looked_at = |vars: Vars, (_, told): &&(Var, Told)| vars.and(told.vars());
        let needed = aggregates
            .iter()
            .copied()
            .fold(Vars::of(keys.iter().copied()), |vars, told| looked_at(vars, &told));
        let table = self.run(inner, needed)?;
        let columns: Vec<&Column> = keys.iter().filter_map(|key| table.column(*key)).collect();
        let mut groups = Distinct::of(&columns, table.rows, &self.ticks)?;
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
        for (var, told) in aggregates {
            grouped.set(*var, self.told(told, &table, &groups)?);
        }
        Ok(grouped)
    }

    fn told(&self, told: &Told, table: &Table, groups: &Distinct) -> Result<Column, Unfit> {
        self.ticks.tick(table.rows)?;
        let mut counts = vec![0; groups.first.len()];
        let aggregate = match told {
            Told::CountSolutions => {
                groups.place.iter().for_each(|place| counts[*place as usize] += 1);
                return Ok(self.counts(&counts));
            }
            Told::CountDistinctSolutions(vars) => {
                let places = Column::bound(groups.place.clone());
                let values = table.columns.iter().filter(|(var, _)| vars.has(*var)).map(|(_, column)| column);
                let columns: Vec<&Column> = values.chain([&places]).collect();
                let first = Distinct::of(&columns, table.rows, &self.ticks)?.first;
                first.iter().for_each(|row| counts[groups.place[*row as usize] as usize] += 1);
                return Ok(self.counts(&counts));
            }
            Told::Aggregate(aggregate) => aggregate,
        };
        let unbound = Column::of(vec![0; table.rows]);
        let values = table.column(aggregate.var).unwrap_or(&unbound);
        if !aggregate.is_distinct {
            return self.aggregate(&aggregate.function, &Grouped { values, places: &groups.place, counts });
        }
        let places = Column::bound(groups.place.clone());
        let first = Distinct::of(&[&places, values], table.rows, &self.ticks)?.first;
        let [values, places] = [values, &places].map(|column| column.gathered(&first));
        self.aggregate(&aggregate.function, &Grouped { values: &values, places: &places.numbers, counts })
    }

    fn aggregate(&self, function: &AggregateFunction, grouped: &Grouped<'_>) -> Result<Column, Unfit> {
        Ok(match function {
            AggregateFunction::Count => {
                let mut counts = grouped.counts.clone();
                grouped.iter().for_each(|(group, value)| counts[group] += i64::from(value != 0));
                self.counts(&counts)
            }
            AggregateFunction::Sample => {
                let mut samples = vec![0; grouped.counts.len()];
                for (group, value) in grouped.iter() {
                    if samples[group] == 0 {
                        samples[group] = value;
                    }
                }
                Column::of(samples)
            }
            AggregateFunction::Min => self.extreme(grouped, Ordering::is_lt)?,
            AggregateFunction::Max => self.extreme(grouped, Ordering::is_gt)?,
            AggregateFunction::Sum => self.sums(grouped, false)?,
            AggregateFunction::Avg => self.sums(grouped, true)?,
            AggregateFunction::GroupConcat { separator } => {
                self.concatenated(grouped, separator.as_deref().unwrap_or(" "))?
            }
            AggregateFunction::Custom(_) => return Err(Unfit::NotTaken),
        })
    }

    /// The texts of each group one after the other, in the order of rows; none if a value is no text.
    fn concatenated(&self, grouped: &Grouped<'_>, separator: &str) -> Result<Column, Unfit> {
        let mut texts: Vec<Option<String>> = vec![Some(String::new()); grouped.counts.len()];
        let mut has_text = vec![false; texts.len()];
        for (group, value) in grouped.iter() {
            let Some(text) = &mut texts[group] else { continue };
            if std::mem::replace(&mut has_text[group], true) {
                text.push_str(separator);
            }
            let before = text.len();
            if !self.add_text(value, text) {
                texts[group] = None;
                continue;
            }
            self.ticks.tick(1 + (text.len() - before) / 16)?;
        }
        let term = |text: Option<String>| {
            text.map_or(0, |text| number(self.view.intern(Literal::from(text).into())))
        };
        Ok(Column::of(texts.into_iter().map(term).collect()))
    }

    fn add_text(&self, value: Number, text: &mut String) -> bool {
        let Some(id) = TermId::of_number(value) else { return false };
        if !matches!(self.view.kind_of(id), Kind::String | Kind::LangString) {
            return false;
        }
        match self.view.text(id) {
            Some(own) => text.push_str(own),
            None => match self.view.term(id) {
                Term::Literal(literal) => text.push_str(literal.value()),
                _ => return false,
            },
        }
        true
    }

    /// The first value of each group that no other one is better than; none if any solution has no value.
    fn extreme(&self, grouped: &Grouped<'_>, is_better: fn(Ordering) -> bool) -> Result<Column, Unfit> {
        if let [_] = grouped.counts.as_slice()
            && grouped.places.len() > BLOCK
        {
            // Of one group each different value is looked at once.
            let first = Distinct::of(&[grouped.values], grouped.places.len(), &self.ticks)?.first;
            let (values, places) = (grouped.values.gathered(&first), vec![0; first.len()]);
            if first.len() < grouped.places.len() {
                let grouped = Grouped { values: &values, places: &places, counts: vec![0] };
                return self.extreme(&grouped, is_better);
            }
        }
        let mut best: Vec<Option<Number>> = vec![None; grouped.counts.len()];
        for (group, value) in grouped.iter() {
            self.ticks.tick(8)?;
            let known = best[group].unwrap_or(value);
            // No value is below all others, and stays so.
            let is_first = best[group].is_none() || value == 0;
            if is_first || known != 0 && known != value && is_better(self.compare(value, known)) {
                best[group] = Some(value);
            }
        }
        Ok(Column::of(best.into_iter().map(Option::unwrap_or_default).collect()))
    }

    fn sums(&self, grouped: &Grouped<'_>, is_average: bool) -> Result<Column, Unfit> {
        let column = grouped.values;
        let distinct = Distinct::of(&[column], column.numbers.len(), &self.ticks)?;
        let numeral = |at: usize| {
            let id = TermId::of_number(column.numbers[distinct.first[at] as usize])?;
            Numeral::of(&self.view.expression_term(id))
        };
        let numerals = self.ticks.collect(distinct.first.len(), 16, numeral)?;
        let zero = Numeral::Integer(Integer::from(0));
        let mut sums: Vec<(Option<Numeral>, i64)> = vec![(Some(zero), 0); grouped.counts.len()];
        for (row, group) in grouped.places.iter().enumerate() {
            self.ticks.tick(4)?;
            let (sum, count) = &mut sums[*group as usize];
            *count += 1;
            *sum = sum.zip(numerals[distinct.place[row] as usize]).and_then(|(sum, value)| sum.plus(value));
        }
        let value = |(sum, count): (Option<Numeral>, i64)| {
            let sum = sum.and_then(|sum| if is_average { sum.divided_by(count) } else { Some(sum) });
            sum.map_or(0, |sum| number(self.view.intern(sum.into_term())))
        };
        Ok(Column::of(sums.into_iter().map(value).collect()))
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

/// The values of an aggregate, and the group of each.
struct Grouped<'g> {
    values: &'g Column,
    places: &'g [u32],
    /// A zero for each group.
    counts: Vec<i64>,
}

impl Grouped<'_> {
    fn iter(&self) -> impl Iterator<Item = (usize, Number)> {
        self.places.iter().map(|place| *place as usize).zip(self.values.numbers.iter().copied())
    }
}
