//! ORDER BY over values read once: the evaluator reads both terms anew at every comparison, and
//! sorts all rows where LIMIT asks for ten. SPARQL 1.1, section 15.1.
//!
//! Only columns whose terms are all of one kind are sorted here; for others, where the order is the
//! evaluator's choice, [`evaluate`] leaves the query to it.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use oxrdf::Variable;
use oxsdatatypes::DateTime;
use spareval::{QueryEvaluationError, QueryEvaluator, QueryResults, QuerySolutionIter};
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern, OrderExpression};

use crate::store::{DatasetView, Kind, TermId};

/// Evaluates a SELECT query with ORDER BY. Gives nothing where the query is of another form or its
/// keys have no order that all evaluators share: the query is then to be evaluated as it is.
///
/// # Errors
/// Where the evaluation fails; see [`QueryEvaluator`].
pub fn evaluate<'d>(
    evaluator: &QueryEvaluator,
    query: &Query,
    view: &DatasetView<'d>,
) -> Result<Option<QuerySolutionIter<'d>>, QueryEvaluationError> {
    let Query::Select { dataset, pattern, base_iri } = query else { return Ok(None) };
    let Some(ordered) = OrderedPattern::recognize(pattern) else { return Ok(None) };
    let (pattern, keys) = ordered.unordered_pattern();
    let select = Query::Select { dataset: dataset.clone(), pattern, base_iri: base_iri.clone() };
    let QueryResults::Solutions(solutions) = evaluator.prepare(&select).execute(view.with_handles())? else {
        return Ok(None);
    };
    let mut rows = TopRows::new(ordered.expressions, ordered.start.saturating_add(ordered.length));
    let mut columns = vec![None; keys.len()];
    for solution in solutions {
        let solution = solution?;
        let ids: Vec<_> =
            solution.values().iter().map(|term| term.as_ref().and_then(DatasetView::id_of_handle)).collect();
        let mut row = Vec::with_capacity(keys.len());
        for (place, column) in keys.iter().zip(&mut columns) {
            let Some(key) = key_in_column(view, ids[*place], column) else { return Ok(None) };
            row.push(key);
        }
        rows.push(Row { keys: row, ids });
    }
    let variables: Arc<[Variable]> = ordered.variables.into();
    let width = variables.len();
    let view = view.clone();
    let tuples = rows
        .into_sorted()
        .into_iter()
        .skip(ordered.start)
        .map(move |row| Ok(row.ids.iter().take(width).map(|id| id.map(|id| view.term(id))).collect()));
    Ok(Some(QuerySolutionIter::from_tuples(variables, tuples)))
}

/// A projection of ordered solutions, and the slice of it that is wanted.
struct OrderedPattern<'q> {
    inner: &'q GraphPattern,
    expressions: &'q [OrderExpression],
    variables: &'q [Variable],
    start: usize,
    length: usize,
}

impl<'q> OrderedPattern<'q> {
    fn recognize(pattern: &'q GraphPattern) -> Option<Self> {
        let (pattern, start, length) = match pattern {
            GraphPattern::Slice { inner, start, length } => (&**inner, *start, length.unwrap_or(usize::MAX)),
            other => (other, 0, usize::MAX),
        };
        let GraphPattern::Project { inner, variables } = pattern else { return None };
        let GraphPattern::OrderBy { inner, expression } = &**inner else { return None };
        Some(Self { inner, expressions: expression, variables, start, length })
    }

    /// The pattern without its order, whose solutions hold the keys as well, and the keys' places.
    fn unordered_pattern(&self) -> (GraphPattern, Vec<usize>) {
        let mut inner = self.inner.clone();
        let mut variables = self.variables.to_vec();
        let mut keys = Vec::with_capacity(self.expressions.len());
        for (number, expression) in self.expressions.iter().enumerate() {
            let (OrderExpression::Asc(expression) | OrderExpression::Desc(expression)) = expression;
            let variable = if let Expression::Variable(variable) = expression {
                variable.clone()
            } else {
                // No query can name a variable with a space.
                let variable = Variable::new_unchecked(format!("order {number}"));
                let expression = expression.clone();
                inner =
                    GraphPattern::Extend { inner: Box::new(inner), variable: variable.clone(), expression };
                variable
            };
            let place = variables.iter().position(|other| *other == variable).unwrap_or(variables.len());
            if place == variables.len() {
                variables.push(variable);
            }
            keys.push(place);
        }
        (GraphPattern::Project { inner: Box::new(inner), variables }, keys)
    }
}

/// What a row is sorted by. Unbound comes first; keys of two classes never meet.
#[derive(Debug, Clone)]
enum Key<'d> {
    Unbound,
    Text(Cow<'d, str>),
    Number(f64),
    Moment(DateTime),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Iri,
    String,
    Number,
    Moment,
}

/// The key of a term, where it is of the class that the column's keys have had so far.
fn key_in_column<'d>(
    view: &DatasetView<'d>,
    id: Option<TermId>,
    column: &mut Option<Class>,
) -> Option<Key<'d>> {
    let Some(id) = id else { return Some(Key::Unbound) };
    let (class, key) = key(view, id)?;
    (*column.get_or_insert(class) == class).then_some(key)
}

fn key<'d>(view: &DatasetView<'d>, id: TermId) -> Option<(Class, Key<'d>)> {
    let (kind, lexical) = view.kind_and_lexical(id);
    Some(match kind {
        Kind::Iri => (Class::Iri, Key::Text(lexical)),
        Kind::String => (Class::String, Key::Text(lexical)),
        Kind::Integer => (Class::Number, Key::Number(exact_number(&lexical)?)),
        Kind::Double => (Class::Number, Key::Number(number(&lexical)?)),
        Kind::DateTime => (Class::Moment, Key::Moment(moment(&lexical)?)),
        _ => return None,
    })
}

/// An integer that a double holds exactly.
fn exact_number(lexical: &str) -> Option<f64> {
    let integer = lexical.parse::<oxsdatatypes::Integer>().ok()?;
    let number = i64::from(integer);
    (number.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS).then_some(number as f64)
}

fn number(lexical: &str) -> Option<f64> {
    let number = f64::from(lexical.parse::<oxsdatatypes::Double>().ok()?);
    (!number.is_nan()).then_some(number)
}

/// A moment on the time line: without a time zone it would be before some and after none.
fn moment(lexical: &str) -> Option<DateTime> {
    lexical.parse::<DateTime>().ok().filter(|moment| moment.timezone_offset().is_some())
}

impl Key<'_> {
    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Text(left), Self::Text(right)) => left.cmp(right),
            (Self::Number(left), Self::Number(right)) => left.partial_cmp(right).unwrap_or(Ordering::Equal),
            (Self::Moment(left), Self::Moment(right)) => left.partial_cmp(right).unwrap_or(Ordering::Equal),
            (Self::Unbound, Self::Unbound) => Ordering::Equal,
            (Self::Unbound, _) => Ordering::Less,
            _ => Ordering::Greater,
        }
    }
}

struct Row<'d> {
    keys: Vec<Key<'d>>,
    ids: Vec<Option<TermId>>,
}

/// The first rows in an order, of rows that come in any.
struct TopRows<'d, 'q> {
    order: &'q [OrderExpression],
    wanted: usize,
    rows: Vec<Row<'d>>,
    /// Whether the row at place `wanted - 1` is the last that may be wanted.
    is_bounded: bool,
}

/// Rows beyond those wanted that are kept before the lot is cut down again.
const SLACK: usize = 1024;

impl<'d, 'q> TopRows<'d, 'q> {
    fn new(order: &'q [OrderExpression], wanted: usize) -> Self {
        Self { order, wanted, rows: Vec::new(), is_bounded: false }
    }

    fn push(&mut self, row: Row<'d>) {
        if self.wanted == 0 {
            return;
        }
        if self.is_bounded && compare(self.order, &row, &self.rows[self.wanted - 1]) != Ordering::Less {
            return;
        }
        self.rows.push(row);
        if self.rows.len() > self.wanted.saturating_mul(2).saturating_add(SLACK) {
            let order = self.order;
            self.rows.select_nth_unstable_by(self.wanted - 1, |left, right| compare(order, left, right));
            self.rows.truncate(self.wanted);
            self.is_bounded = true;
        }
    }

    fn into_sorted(mut self) -> Vec<Row<'d>> {
        self.rows.sort_by(|left, right| compare(self.order, left, right));
        self.rows.truncate(self.wanted);
        self.rows
    }
}

fn compare(order: &[OrderExpression], left: &Row<'_>, right: &Row<'_>) -> Ordering {
    for (place, expression) in order.iter().enumerate() {
        let ordering = left.keys[place].compare(&right.keys[place]);
        let ordering = match expression {
            OrderExpression::Asc(_) => ordering,
            OrderExpression::Desc(_) => ordering.reverse(),
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
    Ordering::Equal
}
