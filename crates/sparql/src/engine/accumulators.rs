//! The state of aggregates for each group (SPARQL 1.1, section 18.5.1), updated value by value. `PlanEvaluator` is
//! defined in `plan_evaluator.rs`.

use std::cmp::Ordering;

use hashbrown::HashMap;
use oxrdf::{Literal, Term};
use oxsdatatypes::Integer;
use spargebra::algebra::AggregateFunction;

use super::distinct::DistinctRows;
use super::limits::{BLOCK, SolutionTableError};
use super::node::AggregateCall;
use super::plan_evaluator::PlanEvaluator;
use super::solution_table::{BindingNumber, SolutionColumn, number};
use crate::expression::NumericValue;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_store::{RdfTermKind, TermId};

/// The values of some solutions and the group of each. Without `places`, all belong to one group.
pub(super) struct GroupedValues<'v> {
    pub(super) column: &'v SolutionColumn,
    pub(super) places: Option<&'v [u32]>,
}

impl GroupedValues<'_> {
    fn iter(&self) -> impl Iterator<Item = (usize, BindingNumber)> {
        let place = |row: usize| self.places.map_or(0, |places| places[row] as usize);
        self.column.numbers.iter().enumerate().map(move |(row, value)| (place(row), *value))
    }
}

/// The state of one aggregate for each group.
pub(super) enum AggregateAccumulator<'n> {
    Count(Vec<i64>),
    /// The first value, or 0 if there is none.
    Sample(Vec<BindingNumber>),
    /// The best value so far, if there is any.
    Extreme(Vec<Option<BindingNumber>>, fn(Ordering) -> bool),
    /// The sum and the number of the values.
    Sum(Vec<(Option<NumericValue>, i64)>, bool),
    /// The concatenated strings, or `None` if a value is not a string; and whether there is any value.
    Concatenated(Vec<(Option<String>, bool)>, &'n str),
}

impl<'n> AggregateAccumulator<'n> {
    /// The state before the first solution.
    pub(super) fn new(told: &'n AggregateCall) -> Result<Self, SolutionTableError> {
        let AggregateCall::Aggregate(aggregate) = told else { return Ok(Self::Count(Vec::new())) };
        Ok(match &aggregate.function {
            AggregateFunction::Count => Self::Count(Vec::new()),
            AggregateFunction::Sample => Self::Sample(Vec::new()),
            AggregateFunction::Min => Self::Extreme(Vec::new(), Ordering::is_lt),
            AggregateFunction::Max => Self::Extreme(Vec::new(), Ordering::is_gt),
            AggregateFunction::Sum => Self::Sum(Vec::new(), false),
            AggregateFunction::Avg => Self::Sum(Vec::new(), true),
            AggregateFunction::GroupConcat { separator } => {
                Self::Concatenated(Vec::new(), separator.as_deref().unwrap_or(" "))
            }
            AggregateFunction::Custom(_) => return Err(SolutionTableError::Unforeseen),
        })
    }

    /// The counts of the groups, if the aggregate counts.
    pub(super) fn counts(&mut self) -> &mut [i64] {
        match self {
            Self::Count(counts) => counts,
            _ => &mut [],
        }
    }

    /// Makes room for this number of groups.
    pub(super) fn grow(&mut self, groups: usize) {
        match self {
            Self::Count(counts) => counts.resize(groups, 0),
            Self::Sample(samples) => samples.resize(groups, 0),
            Self::Extreme(best, _) => best.resize(groups, None),
            Self::Sum(sums, _) => sums.resize(groups, (Some(NumericValue::Integer(Integer::from(0))), 0)),
            Self::Concatenated(texts, _) => texts.resize(groups, (Some(String::new()), false)),
        }
    }
}

impl PlanEvaluator<'_, '_> {
    /// Adds values to the state of their groups.
    pub(super) fn accumulate(
        &self,
        known: &mut AggregateAccumulator<'_>,
        values: &GroupedValues<'_>,
    ) -> Result<(), SolutionTableError> {
        match known {
            AggregateAccumulator::Count(counts) => self.each(values, |group, value| {
                counts[group] += i64::from(value != 0);
            }),
            AggregateAccumulator::Sample(samples) => self.each(values, |group, value| {
                if samples[group] == 0 {
                    samples[group] = value;
                }
            }),
            AggregateAccumulator::Extreme(best, is_better) => self.add_to_extremes(best, values, *is_better),
            AggregateAccumulator::Sum(sums, _) => self.add_to_sums(sums, values),
            AggregateAccumulator::Concatenated(texts, separator) => {
                self.add_to_texts(texts, values, separator)
            }
        }
    }

    fn each(
        &self,
        values: &GroupedValues<'_>,
        mut take: impl FnMut(usize, BindingNumber),
    ) -> Result<(), SolutionTableError> {
        for (row, (group, value)) in values.iter().enumerate() {
            if row.is_multiple_of(BLOCK) {
                self.ticks.tick(BLOCK)?;
            }
            take(group, value);
        }
        Ok(())
    }

    /// Adds the strings of values in the order of rows. Section 18.5.1.7 takes strings only; like most engines, this
    /// also takes other terms, since users who join numbers want to see them. A blank node has no string and leaves its
    /// group without a value.
    fn add_to_texts(
        &self,
        texts: &mut [(Option<String>, bool)],
        values: &GroupedValues<'_>,
        separator: &str,
    ) -> Result<(), SolutionTableError> {
        for (group, value) in values.iter() {
            let (text, has_text) = &mut texts[group];
            let Some(own) = text else { continue };
            if std::mem::replace(has_text, true) {
                own.push_str(separator);
            }
            let before = own.len();
            if self.add_text(value, own) {
                self.ticks.tick(1 + (own.len() - before) / 16)?;
            } else {
                *text = None;
            }
        }
        Ok(())
    }

    fn add_text(&self, value: BindingNumber, text: &mut String) -> bool {
        let Some(id) = TermId::of_number(value) else { return false };
        if let Some(own) = self.view.text(id).filter(|_| self.view.kind_of(id) != RdfTermKind::BlankNode) {
            text.push_str(own);
            return true;
        }
        match self.view.term(id) {
            Term::Literal(literal) => text.push_str(literal.value()),
            Term::NamedNode(node) => text.push_str(node.as_str()),
            node @ Term::BlankNode(_) => {
                let message =
                    format!("a group has no GROUP_CONCAT, since the blank node `{node}` has no text");
                self.evaluation.remarks().add_first(Diagnostic::warning("sparql::aggregate", message));
                return false;
            }
        }
        true
    }

    /// Keeps the first best value of each group. A group has no value if any of its solutions has none.
    fn add_to_extremes(
        &self,
        best: &mut [Option<BindingNumber>],
        values: &GroupedValues<'_>,
        is_better: fn(Ordering) -> bool,
    ) -> Result<(), SolutionTableError> {
        if values.places.is_none() && values.column.numbers.len() > BLOCK {
            // With one group, each distinct value needs to be compared only once.
            let first = DistinctRows::new(&[values.column], values.column.numbers.len(), &self.ticks)?.first;
            if first.len() < values.column.numbers.len() {
                let column = &values.column.gathered(&first, &self.ticks)?;
                return self.add_to_extremes(best, &GroupedValues { column, places: None }, is_better);
            }
        }
        for (group, value) in values.iter() {
            self.ticks.tick(8)?;
            let known = best[group].unwrap_or(value);
            // A missing value is final: the group then has no value.
            let is_first = best[group].is_none() || value == 0;
            if is_first || known != 0 && known != value && is_better(self.compare(value, known)) {
                best[group] = Some(value);
            }
        }
        Ok(())
    }

    fn add_to_sums(
        &self,
        sums: &mut [(Option<NumericValue>, i64)],
        values: &GroupedValues<'_>,
    ) -> Result<(), SolutionTableError> {
        let column = values.column;
        // Each distinct term is read once.
        let distinct = DistinctRows::new(&[column], column.numbers.len(), &self.ticks)?;
        let summand = |at: usize| self.summand(column.numbers[distinct.first[at] as usize]);
        let numerals = self.ticks.collect(distinct.first.len(), 16, summand)?;
        for ((group, _), place) in values.iter().zip(&distinct.place) {
            self.ticks.tick(4)?;
            let (sum, count) = &mut sums[group];
            *count += 1;
            // An error is final: the group then has no sum (section 18.5.1.3).
            *sum = sum.zip(numerals[*place as usize]).and_then(|(sum, value)| sum.plus(value));
        }
        Ok(())
    }

    /// The numeric value of a term. Adds a remark if the term is not a number.
    pub(super) fn summand(&self, value: BindingNumber) -> Option<NumericValue> {
        let id = TermId::of_number(value)?;
        let numeral = NumericValue::stored(self.view, id);
        if numeral.is_none() {
            let term = self.view.term(id);
            let message = format!("a group has no sum or average, since `{term}` is not a number");
            let warning = Diagnostic::warning("sparql::aggregate", message);
            let help = "leave it out with `FILTER(isNumeric(…))`, or cast it, as in `SUM(xsd:decimal(?x))`";
            self.evaluation.remarks().add_first(warning.with_help(help));
        }
        numeral
    }

    /// The values of an aggregate, one for each group.
    pub(super) fn told(&self, known: AggregateAccumulator<'_>) -> Result<SolutionColumn, SolutionTableError> {
        let term = |term: Option<Term>| term.map_or(0, |term| number(self.view.intern(term)));
        Ok(match known {
            AggregateAccumulator::Count(counts) => {
                let counts: Vec<Option<i64>> = counts.into_iter().map(Some).collect();
                SolutionColumn::bound(self.numbers_of_counts(&counts)?)
            }
            AggregateAccumulator::Sample(samples) => SolutionColumn::from_numbers(samples),
            AggregateAccumulator::Extreme(best, _) => {
                SolutionColumn::from_numbers(best.into_iter().map(Option::unwrap_or_default).collect())
            }
            AggregateAccumulator::Sum(sums, is_average) => {
                SolutionColumn::from_numbers(self.ticks.collect(sums.len(), 32, |group| {
                    let (sum, count) = sums[group];
                    let sum = if is_average { sum.and_then(|sum| sum.divided_by(count)) } else { sum };
                    term(sum.map(NumericValue::into_term))
                })?)
            }
            AggregateAccumulator::Concatenated(texts, _) => {
                let mut numbers = Vec::with_capacity(texts.len());
                for (text, _) in texts {
                    self.ticks.tick(32)?;
                    numbers.push(term(text.map(|text| Literal::from(text).into())));
                }
                SolutionColumn::from_numbers(numbers)
            }
        })
    }

    /// The numbers of the terms for counts, or 0 where there is no count. Many groups have few different counts, so
    /// each term is looked up once.
    pub(super) fn numbers_of_counts(
        &self,
        counts: &[Option<i64>],
    ) -> Result<Vec<BindingNumber>, SolutionTableError> {
        let new = |count: i64| number(self.view.intern(Literal::from(count).into()));
        let (mut small, mut large) = ([0; 256], HashMap::<i64, BindingNumber>::default());
        let mut numbers = Vec::with_capacity(counts.len());
        for block in counts.chunks(BLOCK) {
            self.ticks.tick(block.len() * 4)?;
            numbers.extend(block.iter().map(|count| {
                let Some(count) = *count else { return 0 };
                match usize::try_from(count).ok().and_then(|count| small.get_mut(count)) {
                    Some(0) => {
                        let number = new(count);
                        small[usize::try_from(count).unwrap_or(0)] = number;
                        number
                    }
                    Some(number) => *number,
                    None => *large.entry(count).or_insert_with(|| new(count)),
                }
            }));
        }
        Ok(numbers)
    }
}
