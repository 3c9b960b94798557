//! Evaluates expressions over rows of term numbers (SPARQL 1.1, section 17).
//!
//! An expression is compiled once for a table and then asked row by row. What it passes on stays the number of a term, so that
//! the lexical form survives; a [`Value`] is only made where an operator looks at one. An error is the absence of a value.
//! Functions on texts and on numbers read them where they lie in the store and make no values on the way.
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
mod fields;
pub(super) mod functions;
mod made;
pub(super) mod matching;
mod members;
mod numbers;
mod numeral;
pub(super) mod order;
pub(super) mod regular_expression;
mod stored;
mod text;
mod texts;
mod time;
pub(super) mod unicode_blocks;
mod value;

use std::cmp::Ordering;
use std::collections::HashMap;

use oxiri::Iri;
use oxrdf::{NamedNodeRef, Term};
use spargebra::algebra::Function;

use self::cast::{cast, cast_text};
use self::made::Made;
use self::text::in_language;
use super::environment::Remarks;
use evalgraph_store::{DatasetView, Kind, TermId};
use evalgraph_work::Cancellation;
use matching::{Compiled, Patterns};
use members::Members;

pub(super) use cast::is_cast;
pub(super) use numeral::Numeral;
pub(super) use text::is_in_range;
pub(super) use time::{Moment, Span};
pub(super) use value::{Value, is_numeric_type};

/// What expressions are evaluated with.
pub(super) struct ExpressionContext<'e, 'd> {
    pub(super) view: &'e DatasetView<'d>,
    /// The IRI that others are resolved against.
    pub(super) base: Option<&'e Iri<String>>,
    /// Receives wrong regular expressions.
    pub(super) remarks: &'e Remarks,
    /// The files of graphs.
    pub(super) files: &'e HashMap<String, String>,
    pub(super) cancellation: &'e Cancellation,
}

/// The numbers of terms, as tables have them; 0 is not a value.
pub(super) type Numbers = [u32];

/// An expression that is ready to be asked.
pub(super) struct RowExpression<'e, 'd> {
    context: &'e ExpressionContext<'e, 'd>,
    root: Node<'e>,
    /// Whether each value is a number that is made here.
    makes_number: bool,
    /// The columns that it reads.
    columns: Vec<&'e Numbers>,
    patterns: [Patterns; 2],
    made: Made,
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
    /// A cast, and the kind of the numbers that it makes.
    Cast(Box<Self>, NamedNodeRef<'static>, Option<Kind>),
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

impl Operator {
    #[inline]
    fn of_numbers(self, left: Numeral, right: Numeral) -> Option<Numeral> {
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
enum Item {
    Known(TermId),
    Made(Value),
}

/// The value of an expression, for those who compute with numbers.
#[derive(Clone, Copy)]
pub(super) enum Computed {
    /// A number that no term is written as.
    Number(Numeral),
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

    /// The number of the value in a row; 0 where it is an error.
    pub(super) fn number(&self, row: usize) -> u32 {
        let view = self.context.view;
        if self.root.makes_text() {
            let number = |text: &str, language: Option<&str>| self.made.text(text, language, view);
            return self.with_text(&self.root, row, number).unwrap_or(0);
        }
        match self.item(&self.root, row) {
            Some(Item::Known(id)) => id.number(),
            Some(Item::Made(value)) => self.made.value(value, view),
            None => 0,
        }
    }

    /// The value in a row; a number that is computed does not become a term.
    pub(super) fn computed(&self, row: usize) -> Computed {
        if self.makes_number {
            return self.number_in(&self.root, row).map_or(Computed::Error, Computed::Number);
        }
        match self.number(row) {
            0 => Computed::Error,
            number => Computed::Term(number),
        }
    }

    /// The value in a row, where numbers need not be written as they are.
    pub(super) fn summand(&self, row: usize) -> Computed {
        self.number_in(&self.root, row).map_or_else(|| self.computed(row), Computed::Number)
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
            Node::Equal(left, right) if self.has_text(right, row) && self.has_text(left, row) => {
                self.are_equal_texts(left, right, row)
            }
            Node::Equal(left, right) => {
                if self.has_number(right, row)
                    && self.has_number(left, row)
                    && let (Some(left), Some(right)) = (self.number_in(left, row), self.number_in(right, row))
                {
                    return Some(left.compare(right) == Some(Ordering::Equal));
                }
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
            Node::Ordered(left, right, holds)
                if self.has_number(right, row) && self.has_number(left, row) =>
            {
                let (left, right) = (self.number_in(left, row)?, self.number_in(right, row)?);
                Some(left.compare(right).is_some_and(holds))
            }
            Node::Ordered(left, right, holds) if self.has_text(right, row) && self.has_text(left, row) => {
                self.compare_texts(left, right, row).map(holds)
            }
            Node::Ordered(left, right, holds) => {
                if let (Some(left), Some(right)) = (self.instant(left, row), self.instant(right, row)) {
                    return Some(holds(left.cmp(&right)));
                }
                let (left, right) = (self.value_of(left, row)?, self.value_of(right, row)?);
                Some(left.compare(&right)?.is_some_and(holds))
            }
            Node::In(inner, members, others) => self.is_in(inner, members, others, row),
            Node::Regex(text, compiled) => self.with_text(text, row, |text, _| compiled.is_match(text)),
            node if node.makes_number() => Some(!self.number_in(node, row)?.is_zero_or_nan()),
            node => self.value_of(node, row)?.truth(),
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
            node if node.makes_number() => Item::Made(Value::Number(self.number_in(node, row)?)),
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
            Node::Cast(inner, datatype, _) if self.has_text(inner, row) => {
                let value = self.with_text(inner, row, |text, language| cast_text(text, language, *datatype));
                Item::Made(value??)
            }
            Node::Cast(inner, datatype, _) => Item::Made(cast(self.value_of(inner, row)?, *datatype)?),
            node if node.makes_text() => Item::Made(self.with_text(node, row, in_language)?),
            Node::Call(function, arguments) => return self.call(function, arguments, row),
            truth => Item::Made(Value::Boolean(self.truth_of(truth, row)?)),
        })
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
        (Value::Number(left), Value::Number(right), operator) => {
            Value::Number(operator.of_numbers(left, right)?)
        }
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
