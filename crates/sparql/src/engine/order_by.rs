//! ORDER BY: the distinct values of each key are sorted once, and rows are compared by the ranks of their values.
//! `PlanEvaluator` is defined in `plan_evaluator.rs`.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::distinct::DistinctRows;
use super::folded_expressions::unfolded;
use super::limits::SolutionTableError;
use super::node::{AlgebraNode, PlannedExpression};
use super::parts::{ALL, SolutionParts};
use super::plan_evaluator::PlanEvaluator;
use super::solution_table::{BindingNumber, SolutionColumn, SolutionTable, VariableNumber, VariableSet};
use super::sorted_runs::{RUN, SortedSolutionRuns};
use crate::expression::TermValue;
use crate::expression::value_order::compare;
use evalgraph_store::{RdfTermKind, TermId};

/// Up to this number of first rows, values are compared only with those of the best rows so far.
const FEW: usize = 1 << 10;

/// Up to this number of strings, whole strings are compared.
const FEW_TEXTS: usize = 8;

/// The least number of rows in memory before rows that are not wanted are dropped.
const MANY: usize = 1 << 18;

/// A key of ORDER BY.
struct OrderComparator<'k> {
    var: VariableNumber,
    /// The expression that the variable would be bound to, if it has no column.
    folded: Option<&'k PlannedExpression>,
    descends: bool,
}

impl PlanEvaluator<'_, '_> {
    /// The first `length` solutions of a node in the order of the keys.
    pub(super) fn order(
        &self,
        inner: &AlgebraNode,
        keys: &[(VariableNumber, bool)],
        length: Option<usize>,
        wanted: VariableSet,
    ) -> Result<SolutionTable, SolutionTableError> {
        self.order_into(inner, keys, length, wanted, None)
    }

    /// Like [`Self::order`], but if there are many rows, all of them go into runs.
    fn order_into(
        &self,
        inner: &AlgebraNode,
        keys: &[(VariableNumber, bool)],
        length: Option<usize>,
        wanted: VariableSet,
        mut runs: Option<&mut SortedSolutionRuns>,
    ) -> Result<SolutionTable, SolutionTableError> {
        let (inner, folded) = unfolded(inner, |var| {
            !wanted.has(var) && keys.iter().filter(|(key, _)| *key == var).count() == 1
        });
        let keys: Vec<OrderComparator<'_>> = keys
            .iter()
            .map(|(var, descends)| {
                let folded = folded.iter().find(|folded| folded.var == *var).map(|folded| folded.value);
                OrderComparator { var: *var, folded, descends: *descends }
            })
            .collect();
        let wanted_and_keys = keys.iter().fold(wanted, |vars, key| {
            vars.and(key.folded.map_or(VariableSet::from_numbers([key.var]), |value| value.vars))
        });
        let mut parts = SolutionParts::new(self, inner, ALL);
        let mut ordered: Option<SolutionTable> = None;
        while let Some(table) = parts.next(self, inner, wanted_and_keys)? {
            let rows = match &mut ordered {
                Some(ordered) => {
                    ordered.append(&table, &self.ticks)?;
                    ordered.rows
                }
                None => ordered.insert(table).rows,
            };
            // If few rows are wanted, the others are dropped early.
            if let Some(length) = length
                && let Some(table) = ordered.take_if(|_| rows / 2 > length.max(MANY))
            {
                ordered = Some(self.in_order_of(table, &keys, Some(length))?);
            }
            if let Some(runs) = &mut runs
                && let Some(table) = ordered.take_if(|_| rows > RUN)
            {
                self.add_run(runs, table, &keys)?;
            }
        }
        let mut ordered = match (ordered, runs) {
            (table, Some(runs)) if !runs.is_empty() => {
                self.add_run(runs, table.unwrap_or_default(), &keys)?;
                SolutionTable::default()
            }
            (table, _) => self.in_order_of(table.unwrap_or_default(), &keys, length)?,
        };
        ordered.keep(wanted);
        Ok(ordered)
    }

    /// Adds the rows of a table as a run, with the values of the keys.
    fn add_run(
        &self,
        runs: &mut SortedSolutionRuns,
        table: SolutionTable,
        keys: &[OrderComparator<'_>],
    ) -> Result<(), SolutionTableError> {
        let mut ordered = self.in_order_of(table, keys, None)?;
        for OrderComparator { var, folded, .. } in keys {
            if let Some(value) = folded {
                ordered.set(*var, self.values_of(value, &ordered)?);
            }
        }
        runs.add(&ordered, self)
    }

    /// The solutions of a node with ORDER BY at its top. If there are many, they go into the runs, and the returned
    /// table is empty.
    pub(super) fn run_in_runs(
        &self,
        node: &AlgebraNode,
        wanted: VariableSet,
        runs: &mut Option<SortedSolutionRuns>,
    ) -> Result<SolutionTable, SolutionTableError> {
        match node {
            AlgebraNode::Project(inner, vars) => {
                let wanted = wanted.both(*vars);
                self.step(|| self.label_of(node), None, || self.run_in_runs(inner, wanted, runs))
            }
            AlgebraNode::OrderBy(inner, keys) => {
                let columns = wanted
                    .and(VariableSet::from_numbers(keys.iter().map(|(var, _)| *var)))
                    .both(inner.vars());
                if columns == VariableSet::default() {
                    return self.run(node, wanted);
                }
                let mut own = SortedSolutionRuns::new(columns, keys);
                let order = || self.order_into(inner, keys, None, wanted, Some(&mut own));
                let table = self.step(|| self.label_of(node), None, order)?;
                *runs = Some(own).filter(|own| !own.is_empty());
                Ok(table)
            }
            _ => self.run(node, wanted),
        }
    }

    /// The first `length` rows of a table in the order of the keys.
    fn in_order_of(
        &self,
        mut table: SolutionTable,
        keys: &[OrderComparator<'_>],
        length: Option<usize>,
    ) -> Result<SolutionTable, SolutionTableError> {
        if let (Some(length), Some(key @ OrderComparator { folded: None, .. })) = (length, keys.first())
            && (1..=FEW).contains(&length)
            && let Some(column) = table.column(key.var)
        {
            let rows = self.rows_of_best(column, key.descends, length)?;
            table = table.filtered(&rows, &self.ticks)?;
        }
        let mut ranks = Vec::new();
        for key in keys {
            if let Some(value) = key.folded {
                let own = self.valued(value, table.rows, || self.ranks_of(value, &table))?;
                ranks.push((own, key.descends));
            } else if let Some(column) = table.column(key.var) {
                ranks.push((self.ranks(column)?, key.descends));
            }
        }
        let mut rows = self.ticks.rows(table.height()?)?;
        let by_ranks = |left: &u32, right: &u32| {
            let each = ranks.iter().map(|(ranks, descends)| {
                let order = ranks[*left as usize].cmp(&ranks[*right as usize]);
                if *descends { order.reverse() } else { order }
            });
            // Equal rows keep their order.
            each.fold(Ordering::Equal, Ordering::then).then(left.cmp(right))
        };
        match length {
            Some(0) => rows.clear(),
            Some(length) if length <= FEW => {
                let mut best: Vec<u32> = Vec::new();
                for some in rows.chunks(FEW * 4) {
                    self.ticks.tick(some.len() * 4)?;
                    best.extend(some);
                    if length < best.len() {
                        best.select_nth_unstable_by(length - 1, by_ranks);
                        best.truncate(length);
                    }
                }
                best.sort_unstable_by(by_ranks);
                rows = best;
            }
            _ => {
                self.ticks.sort(&mut rows, 4, by_ranks)?;
                rows.truncate(length.unwrap_or(usize::MAX));
            }
        }
        table.gather(&rows, &self.ticks)
    }

    /// The rows with the first `length` distinct values, which include the first `length` rows. The other values are
    /// not sorted.
    fn rows_of_best(
        &self,
        column: &SolutionColumn,
        descends: bool,
        length: usize,
    ) -> Result<Vec<u32>, SolutionTableError> {
        let distinct = DistinctRows::new(&[column], column.numbers.len(), &self.ticks)?;
        let in_order = |one: &SortableValue<'_>, other: &SortableValue<'_>| {
            let order = one.compare(other);
            if descends { order.reverse() } else { order }
        };
        // Equal values with different strings count as one.
        let mut best: Vec<(SortableValue<'_>, Vec<u32>)> = Vec::new();
        for (place, row) in (0_u32..).zip(&distinct.first) {
            self.ticks.tick(16)?;
            let value = self.value_of(column.numbers[*row as usize]);
            if best.len() == length && best.last().is_some_and(|(last, _)| in_order(&value, last).is_gt()) {
                continue;
            }
            match best.binary_search_by(|(known, _)| in_order(known, &value)) {
                Ok(at) => best[at].1.push(place),
                Err(at) => best.insert(at, (value, vec![place])),
            }
            best.truncate(length);
        }
        let mut is_best = vec![false; distinct.first.len()];
        best.iter().flat_map(|(_, places)| places).for_each(|place| is_best[*place as usize] = true);
        let mut rows = Vec::new();
        for (row, place) in (0..).zip(&distinct.place) {
            self.ticks.tick(1)?;
            if is_best[*place as usize] {
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// The rank of each row's value in the order of all values (section 15.1). Equal values have the same rank.
    pub(super) fn ranks(&self, column: &SolutionColumn) -> Result<Vec<u32>, SolutionTableError> {
        let distinct = DistinctRows::new(&[column], column.numbers.len(), &self.ticks)?;
        let value = |at: usize| self.value_of(column.numbers[distinct.first[at] as usize]);
        let values: Vec<SortableValue<'_>> = self.ticks.collect(distinct.first.len(), 16, value)?;
        let order = self.places_in_order(&values)?;
        let mut ranks = vec![0; values.len()];
        let mut rank = 0;
        for (place, at) in order.iter().enumerate() {
            self.ticks.tick(16)?;
            if place > 0 && values[order[place - 1]].compare(&values[*at]).is_ne() {
                rank += 1;
            }
            ranks[*at] = rank;
        }
        self.ticks.collect(distinct.place.len(), 2, |row| ranks[distinct.place[row] as usize])
    }

    /// The indexes of values in their order.
    fn places_in_order(&self, values: &[SortableValue<'_>]) -> Result<Vec<usize>, SolutionTableError> {
        let mut items: Vec<(u64, usize)> = (0..values.len()).map(|at| (0, at)).collect();
        if values.iter().all(|value| matches!(value, SortableValue::Text(..))) {
            self.sort_texts(&mut items, values)?;
        } else {
            self.ticks.sort(&mut items, 16, |left, right| values[left.1].compare(&values[right.1]))?;
        }
        self.ticks.collect(items.len(), 1, |at| items[at].1)
    }

    /// Sorts strings by eight bytes at a time, kept as numbers beside the indexes. Comparing two strings directly would
    /// read both from anywhere in the store.
    fn sort_texts(
        &self,
        items: &mut [(u64, usize)],
        values: &[SortableValue<'_>],
    ) -> Result<(), SolutionTableError> {
        let mut runs = vec![(0..items.len(), 0)];
        while let Some((run, from)) = runs.pop() {
            let begin = run.start;
            let items = &mut items[run];
            let from = if items.len() > FEW_TEXTS { self.shared(items, values, from)? } else { from };
            for item in items.iter_mut() {
                self.ticks.tick(4)?;
                item.0 = values[item.1].head(from);
            }
            self.ticks.sort(items, 4, |left, right| left.0.cmp(&right.0))?;
            let mut at = 0;
            let length = items.len();
            for equal in items.chunk_by_mut(|left, right| left.0 == right.0) {
                let run = begin + at..begin + at + equal.len();
                at += equal.len();
                if equal.len() == 1 {
                    continue;
                }
                // Strings that all end here differ only in their languages.
                if equal.len() <= FEW_TEXTS || equal.len() == length {
                    self.ticks.sort(equal, 16, |left, right| values[left.1].compare(&values[right.1]))?;
                } else {
                    runs.push((run, from + size_of::<u64>()));
                }
            }
        }
        Ok(())
    }

    /// The byte up to which some strings are equal, if they are equal up to `from`.
    fn shared(
        &self,
        items: &[(u64, usize)],
        values: &[SortableValue<'_>],
        from: usize,
    ) -> Result<usize, SolutionTableError> {
        let rest = |item: &(u64, usize)| values[item.1].bytes().get(from..).unwrap_or_default();
        let mut shared = items.first().map(rest).unwrap_or_default();
        for item in items {
            self.ticks.tick(4)?;
            let length = shared.iter().zip(rest(item)).take_while(|(own, other)| own == other).count();
            shared = &shared[..length];
        }
        Ok(from + shared.len())
    }

    /// The order of two values.
    pub(super) fn compare(&self, left: BindingNumber, right: BindingNumber) -> Ordering {
        match self.compare_texts(left, right) {
            Some(order) if order.is_ne() => order,
            _ => self.value_of(left).compare(&self.value_of(right)),
        }
    }

    /// The order of two strings by their characters only, or `None` if a value is not a string or not stored.
    fn compare_texts(&self, left: BindingNumber, right: BindingNumber) -> Option<Ordering> {
        let (left, right) = (TermId::of_number(left)?, TermId::of_number(right)?);
        let is_text = |id| matches!(self.view.kind_of(id), RdfTermKind::String | RdfTermKind::LangString);
        if !is_text(left) || !is_text(right) {
            return None;
        }
        self.view.with_bytes(left, |left| self.view.with_bytes(right, |right| left.cmp(right)))?
    }

    fn value_of(&self, number: BindingNumber) -> SortableValue<'_> {
        let Some(id) = TermId::of_number(number) else { return SortableValue::None };
        let text = match self.view.kind_of(id) {
            RdfTermKind::String => self.view.text(id).map(|text| SortableValue::Text(text, None)),
            RdfTermKind::LangString => {
                let language = self.view.language(id);
                self.view
                    .text(id)
                    .zip(language)
                    .map(|(text, language)| SortableValue::Text(text, Some(language)))
            }
            _ => None,
        };
        text.unwrap_or_else(|| SortableValue::Other(TermValue::stored(self.view, id)))
    }
}

/// A value to be sorted. Strings, which may have a language, are not copied.
enum SortableValue<'v> {
    None,
    Text(&'v str, Option<&'v str>),
    Other(TermValue),
}

impl SortableValue<'_> {
    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            // Among equal strings, those with a language come first: the datatypes are compared.
            (Self::Text(left, language), Self::Text(right, other)) => {
                left.cmp(right).then_with(|| (language.is_none(), language).cmp(&(other.is_none(), other)))
            }
            (Self::None, Self::None) => Ordering::Equal,
            (Self::None, _) => Ordering::Less,
            (_, Self::None) => Ordering::Greater,
            (left, right) => compare(&left.value(), &right.value()),
        }
    }

    /// The bytes of a string; empty for any other value.
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text, _) => text.as_bytes(),
            _ => &[],
        }
    }

    /// Eight bytes of a string from an offset as a number, padded with zeros.
    fn head(&self, from: usize) -> u64 {
        let mut head = [0; size_of::<u64>()];
        let rest = self.bytes().get(from..).unwrap_or_default();
        let length = rest.len().min(head.len());
        head[..length].copy_from_slice(&rest[..length]);
        u64::from_be_bytes(head)
    }

    fn value(&self) -> Cow<'_, TermValue> {
        Cow::Owned(match self {
            Self::None => TermValue::String(String::new()),
            Self::Text(text, None) => TermValue::String((*text).to_owned()),
            Self::Text(text, Some(language)) => {
                TermValue::LanguageString((*text).to_owned(), (*language).to_owned())
            }
            Self::Other(value) => return Cow::Borrowed(value),
        })
    }
}
