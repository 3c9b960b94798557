//! Evaluates expressions over rows of term numbers (SPARQL 1.1, section 17).
//!
//! An expression is compiled once for a table and then asked row by row. What it passes on stays the number of a term, so that
//! the lexical form survives; a [`Value`] is only made where an operator looks at one. An error is the absence of a value.
//!
//! ```text
//! COALESCE(?b, 1 + 1)      ?b is 12, "01"^^xsd:integer
//!   ?b      Item::Known(12)                 the term as it is written
//!   1 + 1   Item::Made(Value::Number(2))    a term when the column is made
//! ```

mod call;
mod cast;
mod compile;
mod decimal;
pub(super) mod functions;
pub(super) mod matching;
mod members;
mod numeral;
pub(super) mod order;
pub(super) mod regular_expression;
mod text;
mod time;
pub(super) mod unicode_blocks;
mod value;

use std::cmp::Ordering;
use std::collections::HashMap;

use oxiri::Iri;
use oxrdf::Term;
use spargebra::algebra::Function;

use super::environment::{Cancellation, Remarks};
use crate::store::{DatasetView, Kind, TermId};
use matching::{Compiled, Patterns};
use members::Members;

pub(super) use cast::is_cast;
pub(super) use numeral::Numeral;
pub(super) use text::is_in_range;
pub(super) use time::{Moment, Span};
pub(super) use value::Value;

/// What expressions are evaluated with.
pub(super) struct ExpressionContext<'e, 'd> {
    pub(super) view: &'e DatasetView<'d>,
    /// The IRI that others are resolved against.
    pub(super) base: Option<&'e Iri<String>>,
    /// Hears of wrong regular expressions.
    pub(super) remarks: &'e Remarks,
    /// The files of graphs.
    pub(super) files: &'e HashMap<String, String>,
    pub(super) cancellation: &'e Cancellation,
}

/// The numbers of terms, as tables have them; 0 is no value.
pub(super) type Numbers = [u32];

/// An expression that is ready to be asked.
pub(super) struct RowExpression<'e, 'd> {
    context: &'e ExpressionContext<'e, 'd>,
    root: Node<'e>,
    patterns: [Patterns; 2],
}

enum Node<'e> {
    /// A term of the query.
    Constant(TermId, Value),
    /// The terms of a variable.
    Column(&'e Numbers),
    /// A variable without a column.
    Unbound,
    /// Whether a variable has a term.
    Bound(Option<&'e Numbers>),
    Or(Box<Self>, Box<Self>),
    And(Box<Self>, Box<Self>),
    Not(Box<Self>),
    Equal(Box<Self>, Box<Self>),
    SameTerm(Box<Self>, Box<Self>),
    Ordered(Box<Self>, Box<Self>, fn(Ordering) -> bool),
    /// IN: the members that are constant, and the others.
    In(Box<Self>, Members, Vec<Self>),
    Arithmetic(Box<Self>, Box<Self>, Operator),
    Plus(Box<Self>),
    Minus(Box<Self>),
    If(Box<[Self; 3]>),
    Coalesce(Vec<Self>),
    Call(Function, Vec<Self>),
    /// REGEX with a constant pattern.
    Regex(Box<Self>, Box<Compiled>),
    /// REPLACE with a constant pattern and replacement.
    Replace(Box<Self>, Box<Compiled>, String),
}

#[derive(Clone, Copy)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// The result of an expression.
#[derive(Clone)]
enum Item {
    Known(TermId),
    Made(Value),
}

impl RowExpression<'_, '_> {
    /// The number of the value in a row; 0 where it is an error.
    pub(super) fn number(&self, row: usize) -> u32 {
        match self.item(&self.root, row) {
            Some(Item::Known(id)) => id.number(),
            Some(Item::Made(value)) => self.context.view.intern(value.into_term()).number(),
            None => 0,
        }
    }

    /// The effective boolean value in a row; none where it is an error.
    pub(super) fn truth(&self, row: usize) -> Option<bool> {
        self.truth_of(&self.root, row)
    }

    fn truth_of(&self, node: &Node<'_>, row: usize) -> Option<bool> {
        match node {
            Node::And(left, right) => match (self.truth_of(left, row), right) {
                (Some(false), _) => Some(false),
                (Some(true), right) => self.truth_of(right, row),
                (None, right) => self.truth_of(right, row).filter(|truth| !truth),
            },
            Node::Or(left, right) => match (self.truth_of(left, row), right) {
                (Some(true), _) => Some(true),
                (Some(false), right) => self.truth_of(right, row),
                (None, right) => self.truth_of(right, row).filter(|truth| *truth),
            },
            Node::Not(inner) => Some(!self.truth_of(inner, row)?),
            Node::Bound(numbers) => Some(numbers.is_some_and(|numbers| numbers[row] != 0)),
            Node::Equal(left, right) => {
                let (left, right) = (self.item(left, row)?, self.item(right, row)?);
                self.are_equal(left, right)
            }
            Node::SameTerm(left, right) => {
                let (left, right) = (self.item(left, row)?, self.item(right, row)?);
                Some(match (left, right) {
                    (Item::Known(left), Item::Known(right)) => left == right,
                    (left, right) => self.term(left) == self.term(right),
                })
            }
            Node::Ordered(left, right, holds) => {
                let (left, right) = (self.value_of(left, row)?, self.value_of(right, row)?);
                Some(left.compare(&right)?.is_some_and(holds))
            }
            Node::In(inner, members, others) => self.is_in(inner, members, others, row),
            Node::Regex(text, compiled) => self.with_text(text, row, |text, _| compiled.is_match(text)),
            node => match self.value_of(node, row)? {
                Value::Boolean(truth) => Some(truth),
                value => value.truth(),
            },
        }
    }

    fn item(&self, node: &Node<'_>, row: usize) -> Option<Item> {
        Some(match node {
            Node::Constant(id, _) => Item::Known(*id),
            Node::Column(numbers) => Item::Known(TermId::of_number(numbers[row])?),
            Node::Unbound => return None,
            Node::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                let next = if self.truth_of(condition, row)? { then } else { otherwise };
                return self.item(next, row);
            }
            Node::Coalesce(list) => return list.iter().find_map(|node| self.item(node, row)),
            Node::Plus(inner) => match self.value_of(inner, row)? {
                value @ (Value::Number(_) | Value::Span(_)) => Item::Made(value),
                _ => return None,
            },
            Node::Minus(inner) => Item::Made(match self.value_of(inner, row)? {
                Value::Number(number) => Value::Number(number.negated()?),
                Value::Span(span) => Value::Span(span.negated()?),
                _ => return None,
            }),
            Node::Arithmetic(left, right, operator) => {
                let (left, right) = (self.value_of(left, row)?, self.value_of(right, row)?);
                Item::Made(computed(left, right, *operator)?)
            }
            Node::Call(function, arguments) => return self.call(function, arguments, row),
            Node::Replace(text, compiled, replacement) => {
                let replaced = self.with_text(text, row, |text, language| {
                    let replaced = compiled.replaced(
                        text,
                        replacement,
                        self.context.remarks,
                        self.context.cancellation,
                    )?;
                    Some(text::in_language(replaced, language))
                });
                Item::Made(replaced??)
            }
            truth => Item::Made(Value::Boolean(self.truth_of(truth, row)?)),
        })
    }

    /// Hands over the text of a string literal and its language. That of a variable, or of STR of one, is not copied.
    fn with_text<R>(
        &self,
        node: &Node<'_>,
        row: usize,
        take: impl FnOnce(&str, Option<&str>) -> R,
    ) -> Option<R> {
        let mut take = Some(take);
        let column = match node {
            Node::Column(numbers) => Some((numbers, false)),
            Node::Call(Function::Str, arguments) => match arguments.as_slice() {
                [Node::Column(numbers)] => Some((numbers, true)),
                _ => None,
            },
            _ => None,
        };
        if let Some((numbers, is_any)) = column {
            let id = TermId::of_number(numbers[row])?;
            let kind = self.context.view.kind_of(id);
            if kind == Kind::String || is_any && kind != Kind::BlankNode {
                let taken = |text: &str| take.take().map(|take| take(text, None));
                if let Some(taken) = self.context.view.with_text(id, taken) {
                    return taken;
                }
            }
        }
        let text = text::Text::of(self.value_of(node, row)?)?;
        take.map(|take| take(&text.text, text.language.as_deref()))
    }

    fn value_of(&self, node: &Node<'_>, row: usize) -> Option<Value> {
        match node {
            Node::Constant(_, value) => Some(value.clone()),
            node => self.item(node, row).map(|item| self.value(item)),
        }
    }

    fn value(&self, item: Item) -> Value {
        match item {
            Item::Known(id) => Value::stored(self.context.view, id),
            // Literals of derived types are made as they are written.
            Item::Made(Value::Other(literal)) => Value::of(literal.into()),
            Item::Made(value) => value,
        }
    }

    fn term(&self, item: Item) -> Term {
        match item {
            Item::Known(id) => self.context.view.term(id),
            Item::Made(value) => value.into_term(),
        }
    }

    fn are_equal(&self, left: Item, right: Item) -> Option<bool> {
        self.value(left).equals(&self.value(right))
    }

    /// IN: a disjunction of equalities (section 17.4.1.9).
    fn is_in(&self, inner: &Node<'_>, members: &Members, others: &[Node<'_>], row: usize) -> Option<bool> {
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
fn computed(left: Value, right: Value, operator: Operator) -> Option<Value> {
    Some(match (left, right, operator) {
        (Value::Number(left), Value::Number(right), operator) => Value::Number(match operator {
            Operator::Add => left.plus(right)?,
            Operator::Subtract => left.minus(right)?,
            Operator::Multiply => left.times(right)?,
            Operator::Divide => left.over(right)?,
        }),
        (Value::Moment(moment), Value::Span(span), Operator::Add)
        | (Value::Span(span), Value::Moment(moment), Operator::Add) => Value::Moment(moment.plus(span)?),
        (Value::Moment(moment), Value::Span(span), Operator::Subtract) => {
            Value::Moment(moment.minus_span(span)?)
        }
        (Value::Moment(left), Value::Moment(right), Operator::Subtract) => Value::Span(left.minus(right)?),
        (Value::Span(left), Value::Span(right), Operator::Add) => Value::Span(left.plus(right)?),
        (Value::Span(left), Value::Span(right), Operator::Subtract) => Value::Span(left.minus(right)?),
        _ => return None,
    })
}
