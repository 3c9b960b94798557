//! Evaluates expressions over rows of term numbers (SPARQL 1.1, section 17).
//!
//! An expression is compiled once for a table and then evaluated row by row. Terms that are only passed on stay
//! numbers, so the lexical form survives; a [`TermValue`] is only made if an operator needs it. An error is the absence
//! of a value. Functions on strings and numbers read them directly in the store, without making values.
//!
//! ```text
//! COALESCE(?b, 1 + 1)      ?b is 12, "01"^^xsd:integer
//!   ?b      ExpressionResult::Known(12)                 the term as it is written
//!   1 + 1   ExpressionResult::Made(TermValue::Number(2))    a term when the column is made
//! ```

mod call;
mod cast;
pub(super) mod column_value;
mod compile;
mod date_time_parts;
mod decimal;
pub(super) mod functions;
mod members;
mod numbers;
mod numeral;
mod recent_term_numbers;
pub(super) mod regex_matching;
pub(super) mod regular_expression;
mod stored_values;
mod text;
mod texts;
mod time;
pub(super) mod unicode_blocks;
mod value;
pub(super) mod value_order;

use std::cmp::Ordering;
use std::collections::HashMap;

use oxiri::Iri;
use oxrdf::{NamedNodeRef, Term};
use spargebra::algebra::Function;

use self::cast::{cast, cast_text};
use self::recent_term_numbers::RecentTermNumbers;
use self::text::in_language;
use super::environment::EvaluationRemarks;
use evalgraph_store::{DatasetView, RdfTermKind, TermId};
use evalgraph_work::CancellationToken;
use members::InConstants;
use regex_matching::{CompiledPattern, CompiledPatterns};

pub(super) use cast::is_cast;
pub(super) use numeral::NumericValue;
pub(super) use text::is_in_range;
pub(super) use time::{DurationValue, TemporalValue};
pub(super) use value::{TermValue, is_integer_of, is_numeric_type};

/// The context in which expressions are evaluated.
pub(super) struct ExpressionContext<'e, 'd> {
    pub(super) view: &'e DatasetView<'d>,
    /// The base against which relative IRIs are resolved.
    pub(super) base: Option<&'e Iri<String>>,
    /// Receives remarks on invalid regular expressions.
    pub(super) remarks: &'e EvaluationRemarks,
    /// The files of graphs.
    pub(super) files: &'e HashMap<String, String>,
    pub(super) cancellation: &'e CancellationToken,
}

/// The numbers of terms, as tables have them; 0 is not a value.
pub(super) type BindingNumbers = [u32];

/// A compiled expression. Other methods are in `call.rs`, `compile.rs`, `numbers.rs` and `texts.rs`.
pub(super) struct RowExpression<'e, 'd> {
    context: &'e ExpressionContext<'e, 'd>,
    root: ExpressionNode<'e>,
    /// `true` if each value is a computed number.
    makes_number: bool,
    /// The columns that it reads.
    columns: Vec<&'e BindingNumbers>,
    patterns: [CompiledPatterns; 2],
    made: RecentTermNumbers,
}

/// A node of a compiled expression. Its methods are in `numbers.rs` and `texts.rs`.
enum ExpressionNode<'e> {
    /// A term of the query.
    Constant(TermId, TermValue),
    /// The terms of a variable.
    Column(&'e BindingNumbers),
    /// A variable without a column.
    Unbound,
    /// BOUND: `true` if the variable has a term.
    Bound(Option<&'e BindingNumbers>),
    Or(Box<Self>, Box<Self>),
    And(Box<Self>, Box<Self>),
    Not(Box<Self>),
    Equal(Box<Self>, Box<Self>),
    SameTerm(Box<Self>, Box<Self>),
    Ordered(Box<Self>, Box<Self>, fn(Ordering) -> bool),
    /// IN: the members that are constant, and the others.
    In(Box<Self>, InConstants, Vec<Self>),
    Arithmetic(Box<Self>, Box<Self>, ArithmeticOperator),
    Plus(Box<Self>),
    Minus(Box<Self>),
    If(Box<[Self; 3]>),
    Coalesce(Vec<Self>),
    Call(Function, Vec<Self>),
    /// A cast, and the kind of the numbers that it makes.
    Cast(Box<Self>, NamedNodeRef<'static>, Option<RdfTermKind>),
    /// REGEX with a constant pattern.
    Regex(Box<Self>, Box<CompiledPattern>),
    /// REPLACE with a constant pattern and replacement.
    Replace(Box<Self>, Box<CompiledPattern>, String),
}

#[derive(Clone, Copy)]
enum ArithmeticOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl ArithmeticOperator {
    #[inline]
    fn of_numbers(self, left: NumericValue, right: NumericValue) -> Option<NumericValue> {
        match self {
            Self::Add => left.plus(right),
            Self::Subtract => left.minus(right),
            Self::Multiply => left.times(right),
            Self::Divide => left.over(right),
        }
    }
}

/// The result of an expression.
#[derive(Clone)]
enum ExpressionResult {
    Known(TermId),
    Made(TermValue),
}

/// The value of an expression, for computing with numbers.
#[derive(Clone, Copy)]
pub(super) enum ComputedResult {
    /// A computed number that is not a term.
    Number(NumericValue),
    Term(u32),
    Error,
}

impl RowExpression<'_, '_> {
    /// Prepares for these rows.
    pub(super) fn approach(&self, rows: &(impl Iterator<Item = usize> + Clone)) {
        for column in &self.columns {
            self.context.view.approach(rows.clone().map(|row| column[row]));
        }
    }

    /// The number of the value in a row, or 0 for an error.
    pub(super) fn number(&self, row: usize) -> u32 {
        let view = self.context.view;
        if self.root.makes_text() {
            let number = |text: &str, language: Option<&str>| self.made.text(text, language, view);
            return self.with_text(&self.root, row, number).unwrap_or(0);
        }
        match self.item(&self.root, row) {
            Some(ExpressionResult::Known(id)) => id.number(),
            Some(ExpressionResult::Made(value)) => self.made.value(value, view),
            None => 0,
        }
    }

    /// The value in a row. A computed number does not become a term.
    pub(super) fn computed(&self, row: usize) -> ComputedResult {
        if self.makes_number {
            return self.number_in(&self.root, row).map_or(ComputedResult::Error, ComputedResult::Number);
        }
        match self.number(row) {
            0 => ComputedResult::Error,
            number => ComputedResult::Term(number),
        }
    }

    /// The value in a row for a sum, in which numbers need not keep their spelling.
    pub(super) fn summand(&self, row: usize) -> ComputedResult {
        self.number_in(&self.root, row).map_or_else(|| self.computed(row), ComputedResult::Number)
    }

    /// The effective boolean value in a row, or `None` for an error.
    pub(super) fn truth(&self, row: usize) -> Option<bool> {
        self.truth_of(&self.root, row)
    }

    fn truth_of(&self, node: &ExpressionNode<'_>, row: usize) -> Option<bool> {
        match node {
            // Section 17.2: false on one side outweighs an error on the other; with OR, true does.
            ExpressionNode::And(left, right) => match (self.truth_of(left, row), right) {
                (Some(false), _) => Some(false),
                (Some(true), right) => self.truth_of(right, row),
                (None, right) => self.truth_of(right, row).filter(|truth| !truth),
            },
            ExpressionNode::Or(left, right) => match (self.truth_of(left, row), right) {
                (Some(true), _) => Some(true),
                (Some(false), right) => self.truth_of(right, row),
                (None, right) => self.truth_of(right, row).filter(|truth| *truth),
            },
            ExpressionNode::Not(inner) => Some(!self.truth_of(inner, row)?),
            ExpressionNode::Bound(numbers) => Some(numbers.is_some_and(|numbers| numbers[row] != 0)),
            ExpressionNode::Equal(left, right) if self.has_text(right, row) && self.has_text(left, row) => {
                self.are_equal_texts(left, right, row)
            }
            ExpressionNode::Equal(left, right) => {
                if self.has_number(right, row)
                    && self.has_number(left, row)
                    && let (Some(left), Some(right)) = (self.number_in(left, row), self.number_in(right, row))
                {
                    return Some(left.compare(right) == Some(Ordering::Equal));
                }
                let (left, right) = (self.item(left, row)?, self.item(right, row)?);
                self.are_equal(left, right)
            }
            ExpressionNode::SameTerm(left, right) => {
                let (left, right) = (self.item(left, row)?, self.item(right, row)?);
                Some(match (left, right) {
                    (ExpressionResult::Known(left), ExpressionResult::Known(right)) => left == right,
                    (left, right) => self.term(left) == self.term(right),
                })
            }
            ExpressionNode::Ordered(left, right, holds)
                if self.has_number(right, row) && self.has_number(left, row) =>
            {
                let (left, right) = (self.number_in(left, row)?, self.number_in(right, row)?);
                Some(left.compare(right).is_some_and(holds))
            }
            ExpressionNode::Ordered(left, right, holds)
                if self.has_text(right, row) && self.has_text(left, row) =>
            {
                self.compare_texts(left, right, row).map(holds)
            }
            ExpressionNode::Ordered(left, right, holds) => {
                if let (Some(left), Some(right)) = (self.instant(left, row), self.instant(right, row)) {
                    return Some(holds(left.cmp(&right)));
                }
                let (left, right) = (self.value_of(left, row)?, self.value_of(right, row)?);
                Some(left.compare(&right)?.is_some_and(holds))
            }
            ExpressionNode::In(inner, members, others) => self.is_in(inner, members, others, row),
            ExpressionNode::Regex(text, compiled) => {
                self.with_text(text, row, |text, _| compiled.is_match(text))
            }
            node if node.makes_number() => Some(!self.number_in(node, row)?.is_zero_or_nan()),
            node => self.value_of(node, row)?.truth(),
        }
    }

    fn item(&self, node: &ExpressionNode<'_>, row: usize) -> Option<ExpressionResult> {
        Some(match node {
            ExpressionNode::Constant(id, _) => ExpressionResult::Known(*id),
            ExpressionNode::Column(numbers) => ExpressionResult::Known(TermId::of_number(numbers[row])?),
            ExpressionNode::Unbound => return None,
            ExpressionNode::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                let next = if self.truth_of(condition, row)? { then } else { otherwise };
                return self.item(next, row);
            }
            ExpressionNode::Coalesce(list) => return list.iter().find_map(|node| self.item(node, row)),
            node if node.makes_number() => {
                ExpressionResult::Made(TermValue::Number(self.number_in(node, row)?))
            }
            ExpressionNode::Plus(inner) => match self.value_of(inner, row)? {
                value @ (TermValue::Number(_) | TermValue::Span(_)) => ExpressionResult::Made(value),
                _ => return None,
            },
            ExpressionNode::Minus(inner) => ExpressionResult::Made(match self.value_of(inner, row)? {
                TermValue::Number(number) => TermValue::Number(number.negated()?),
                TermValue::Span(span) => TermValue::Span(span.negated()?),
                _ => return None,
            }),
            ExpressionNode::Arithmetic(left, right, operator) => {
                let (left, right) = (self.value_of(left, row)?, self.value_of(right, row)?);
                ExpressionResult::Made(computed(left, right, *operator)?)
            }
            ExpressionNode::Cast(inner, datatype, _) if self.has_text(inner, row) => {
                let value = self.with_text(inner, row, |text, language| cast_text(text, language, *datatype));
                ExpressionResult::Made(value??)
            }
            ExpressionNode::Cast(inner, datatype, _) => {
                ExpressionResult::Made(cast(self.value_of(inner, row)?, *datatype)?)
            }
            node if node.makes_text() => ExpressionResult::Made(self.with_text(node, row, in_language)?),
            ExpressionNode::Call(function, arguments) => return self.call(function, arguments, row),
            truth => ExpressionResult::Made(TermValue::Boolean(self.truth_of(truth, row)?)),
        })
    }

    fn value_of(&self, node: &ExpressionNode<'_>, row: usize) -> Option<TermValue> {
        match node {
            ExpressionNode::Constant(_, value) => Some(value.clone()),
            node => self.item(node, row).map(|item| self.value(item)),
        }
    }

    fn value(&self, item: ExpressionResult) -> TermValue {
        match item {
            ExpressionResult::Known(id) => TermValue::stored(self.context.view, id),
            // A literal of a derived type has a numeric value, too.
            ExpressionResult::Made(TermValue::Other(literal)) => TermValue::from_term(literal.into()),
            ExpressionResult::Made(value) => value,
        }
    }

    fn term(&self, item: ExpressionResult) -> Term {
        match item {
            ExpressionResult::Known(id) => self.context.view.term(id),
            ExpressionResult::Made(value) => value.into_term(),
        }
    }

    fn are_equal(&self, left: ExpressionResult, right: ExpressionResult) -> Option<bool> {
        self.value(left).equals(&self.value(right))
    }

    /// IN: a disjunction of equalities (section 17.4.1.9).
    fn is_in(
        &self,
        inner: &ExpressionNode<'_>,
        members: &InConstants,
        others: &[ExpressionNode<'_>],
        row: usize,
    ) -> Option<bool> {
        let value = self.value_of(inner, row)?;
        let among = members.has(&value);
        if among == Some(true) {
            return Some(true);
        }
        let mut has_failed = among.is_none();
        for other in others {
            match self.value_of(other, row).and_then(|other| value.equals(&other)) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => has_failed = true,
            }
        }
        (!has_failed).then_some(false)
    }
}

/// The value of an arithmetic operator (section 17.3), also with times and durations (SPARQL Extension Proposal 2).
fn computed(left: TermValue, right: TermValue, operator: ArithmeticOperator) -> Option<TermValue> {
    Some(match (left, right, operator) {
        (TermValue::Number(left), TermValue::Number(right), operator) => {
            TermValue::Number(operator.of_numbers(left, right)?)
        }
        (TermValue::Moment(moment), TermValue::Span(span), ArithmeticOperator::Add)
        | (TermValue::Span(span), TermValue::Moment(moment), ArithmeticOperator::Add) => {
            TermValue::Moment(moment.plus(span)?)
        }
        (TermValue::Moment(moment), TermValue::Span(span), ArithmeticOperator::Subtract) => {
            TermValue::Moment(moment.minus_span(span)?)
        }
        (TermValue::Moment(left), TermValue::Moment(right), ArithmeticOperator::Subtract) => {
            TermValue::Span(left.minus(right)?)
        }
        (TermValue::Span(left), TermValue::Span(right), ArithmeticOperator::Add) => {
            TermValue::Span(left.plus(right)?)
        }
        (TermValue::Span(left), TermValue::Span(right), ArithmeticOperator::Subtract) => {
            TermValue::Span(left.minus(right)?)
        }
        _ => return None,
    })
}
