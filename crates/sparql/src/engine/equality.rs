//! `FILTER(?a = ?b)` as a key of a join: equal values get the same number. The filter itself is evaluated unchanged
//! afterwards. `PlanEvaluator` is defined in `plan_evaluator.rs`.

use hashbrown::HashMap;
use oxrdf::Variable;
use spargebra::algebra::Expression;

use super::limits::SolutionTableError;
use super::node::{AlgebraNode, PlannedExpression};
use super::plan_evaluator::PlanEvaluator;
use super::quad_pattern::QuadPattern;
use super::seeds::seed_of;
use super::solution_table::{BindingNumber, SolutionColumn, SolutionTable, VariableNumber, VariableSet};
use crate::expression::{TemporalValue, TermValue};
use evalgraph_store::{RdfTermKind, TermId};

/// The two variables that an expression compares, if it does nothing else.
pub(super) fn compared(expression: &Expression) -> Option<[&Variable; 2]> {
    match expression {
        Expression::Equal(left, right) | Expression::SameTerm(left, right) => {
            match (left.as_ref(), right.as_ref()) {
                (Expression::Variable(left), Expression::Variable(right)) => Some([left, right]),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A node for the solutions in which two variables have equal values, and maybe others: a product becomes a join by
/// these values.
pub(super) fn joined_by(node: AlgebraNode, pair: [VariableNumber; 2]) -> AlgebraNode {
    let [one, other] = pair;
    match node {
        AlgebraNode::BasicGraphPattern(patterns) => match divided(&patterns, pair) {
            Some(own) => {
                let (left, right): (Vec<_>, Vec<_>) =
                    patterns.into_iter().zip(own).partition(|(_, is_left)| *is_left);
                let node = |patterns: Vec<(QuadPattern, bool)>| {
                    Box::new(AlgebraNode::BasicGraphPattern(
                        patterns.into_iter().map(|(own, _)| own).collect(),
                    ))
                };
                AlgebraNode::EqualJoin(node(left), node(right), pair)
            }
            None => AlgebraNode::BasicGraphPattern(patterns),
        },
        AlgebraNode::Join(left, right) => {
            let (lefts, rights) = (left.vars(), right.vars());
            let is_between = |left: VariableNumber, right: VariableNumber| {
                lefts.has(left) && rights.has(right) && !rights.has(left) && !lefts.has(right)
            };
            if lefts.both(rights) != VariableSet::default() {
                AlgebraNode::Join(left, right)
            } else if is_between(one, other) {
                AlgebraNode::EqualJoin(left, right, [one, other])
            } else if is_between(other, one) {
                AlgebraNode::EqualJoin(left, right, [other, one])
            } else {
                AlgebraNode::Join(left, right)
            }
        }
        AlgebraNode::Filter(inner, condition) => {
            AlgebraNode::Filter(Box::new(joined_by(*inner, pair)), condition)
        }
        other => other,
    }
}

/// For each pattern, whether it goes to the side of the first variable, provided that the patterns of the two sides
/// share no variable.
fn divided(patterns: &[QuadPattern], pair: [VariableNumber; 2]) -> Option<Vec<bool>> {
    let [one, other] = pair;
    let mut reached = VariableSet::from_numbers([other]);
    let mut is_right = vec![false; patterns.len()];
    // A chain of patterns needs at most one round for each pattern.
    for _ in patterns {
        for (is_right, pattern) in is_right.iter_mut().zip(patterns) {
            if pattern.vars().both(reached) != VariableSet::default() {
                *is_right = true;
                reached = reached.and(pattern.vars());
            }
        }
    }
    let lefts = patterns.iter().zip(&is_right).filter(|(_, is_right)| !**is_right);
    let has_one = lefts.into_iter().any(|(pattern, _)| pattern.vars().has(one));
    (has_one && !reached.has(one)).then(|| is_right.into_iter().map(|is_right| !is_right).collect())
}

/// The numbers of missing values, one for each side, since these are equal to nothing.
const UNEQUAL: [BindingNumber; 2] = [BindingNumber::MAX, BindingNumber::MAX - 1];

impl PlanEvaluator<'_, '_> {
    /// The two variables, one of each side, that a condition requires to be equal.
    pub(super) fn equal_pair(
        &self,
        condition: &PlannedExpression,
        sides: [VariableSet; 2],
    ) -> Option<[VariableNumber; 2]> {
        let mut conjuncts = vec![&condition.expression];
        while let Some(expression) = conjuncts.pop() {
            if let Expression::And(left, right) = expression {
                conjuncts.extend([left.as_ref(), right.as_ref()]);
            }
            let Some(pair) = compared(expression) else { continue };
            let var = |variable: &Variable| self.names.iter().position(|name| name == variable);
            let (Some(one), Some(other)) = (var(pair[0]), var(pair[1])) else { continue };
            let is_only =
                |var: VariableNumber, side: usize| sides[side].has(var) && !sides[1 - side].has(var);
            if is_only(one, 0) && is_only(other, 1) {
                return Some([one, other]);
            }
            if is_only(other, 0) && is_only(one, 1) {
                return Some([other, one]);
            }
        }
        None
    }

    /// Both tables with one more column, which has the same number for values that may be equal.
    pub(super) fn with_equal_numbers(
        &self,
        left: &SolutionTable,
        right: &SolutionTable,
        pair: [VariableNumber; 2],
    ) -> Result<[SolutionTable; 2], SolutionTableError> {
        let mut known = HashMap::default();
        // No variable has this number: the key is that of two variables.
        let key = self.names.len();
        let mut with_key = |table: &SolutionTable,
                            side: usize|
         -> Result<SolutionTable, SolutionTableError> {
            let mut numbers = table.numbers(pair[side]).map_or_else(|| vec![0; table.rows], <[_]>::to_vec);
            for number in &mut numbers {
                self.ticks.tick(8)?;
                *number = match TermId::of_number(*number) {
                    Some(id) => self.number_of_value(id, &mut known),
                    None => UNEQUAL[side],
                };
            }
            let mut table = table.clone();
            table.sorted_by = table.sorted_by.filter(|var| table.vars().has(*var));
            table.columns.push((key, SolutionColumn::bound(numbers)));
            Ok(table)
        };
        Ok([with_key(left, 0)?, with_key(right, 1)?])
    }

    /// The values that the second variable may have, if the first one has few values and each is equal only to itself.
    pub(super) fn seed_of_equal(
        &self,
        table: &SolutionTable,
        [one, other]: [VariableNumber; 2],
    ) -> Result<Option<SolutionTable>, SolutionTableError> {
        let Some(mut seed) = seed_of(table, VariableSet::from_numbers([one]), &self.ticks)? else {
            return Ok(None);
        };
        let is_node = |number: &BindingNumber| {
            TermId::of_number(*number)
                .is_some_and(|id| matches!(self.view.kind_of(id), RdfTermKind::Iri | RdfTermKind::BlankNode))
        };
        let column = seed.columns.pop().filter(|(_, column)| column.numbers.iter().all(is_node));
        let columns = column.map(|(_, column)| vec![(other, column)]);
        Ok(columns.map(|columns| SolutionTable { rows: seed.rows, columns, sorted_by: None }))
    }

    /// The number of the first term with an equal value, or of one whose value is close.
    fn number_of_value(&self, id: TermId, known: &mut HashMap<ValueKey, BindingNumber>) -> BindingNumber {
        let own = id.number();
        match self.view.kind_of(id) {
            RdfTermKind::Iri | RdfTermKind::BlankNode | RdfTermKind::String => own,
            _ => match ValueKey::from_value(&TermValue::stored(self.view, id)) {
                Some(key) => *known.entry(key).or_insert(own),
                None => own,
            },
        }
    }
}

/// Equal values have equal keys.
#[derive(Debug, PartialEq, Eq, Hash)]
enum ValueKey {
    /// A number as a float, the type that has the fewest values.
    Number(u32),
    Boolean(bool),
    /// A place on the time line, in UTC unless the time has an offset.
    Instant([u8; 16]),
    /// Any value of a kind that has no other key.
    Other,
}

impl ValueKey {
    /// The key of a term's value, or `None` for a term that is equal only to itself.
    fn from_value(value: &TermValue) -> Option<Self> {
        /// All integers up to this one are also doubles.
        const EXACT: f32 = 9_007_199_254_740_992.0;
        Some(match value {
            TermValue::Number(number) => {
                // Adding 0 turns -0 into 0, which it is equal to.
                #[expect(clippy::cast_possible_truncation, reason = "equal numbers are equal as floats")]
                let value = f64::from(number.double()) as f32 + 0.0;
                Self::Number(if value.abs() < EXACT { value } else { f32::MAX }.to_bits())
            }
            TermValue::Boolean(value) => Self::Boolean(*value),
            TermValue::Moment(TemporalValue::DateTime(value)) => {
                // The offset, which comes last, does not count.
                let mut instant = [0; 16];
                instant.copy_from_slice(&value.to_be_bytes()[..16]);
                Self::Instant(instant)
            }
            TermValue::String(_)
            | TermValue::Iri(_)
            | TermValue::BlankNode(_)
            | TermValue::LanguageString(..)
            | TermValue::Other(_) => return None,
            TermValue::Moment(_) | TermValue::Span(_) => Self::Other,
        })
    }
}
