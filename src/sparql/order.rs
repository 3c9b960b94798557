//! ORDER BY at the top of a query, done outside of the evaluator: the key of each solution is computed once,
//! and with LIMIT only the solutions that will be shown are kept.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use oxrdf::Variable;
use oxsdatatypes::{DateTime, Decimal, Double, TimezoneOffset};
use spareval::ExpressionTerm;
use spargebra::algebra::{Expression, GraphPattern, OrderExpression};

use super::algebra::{extend, order_key};

/// The ORDER BY and LIMIT that were taken off the pattern for the evaluator.
#[derive(Debug, Clone)]
pub(super) struct OrderPlan {
    /// The columns that hold the keys, the most important first, and whether they descend.
    pub(super) keys: Vec<(Variable, bool)>,
    /// How many solutions are passed over.
    pub(super) start: usize,
    /// How many solutions are shown.
    pub(super) length: Option<usize>,
}

/// Tells whether ORDER BY stands at the top of a pattern.
pub(super) fn is_ordered(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Project { inner, .. } => is_ordered(inner),
        GraphPattern::OrderBy { .. } => true,
        _ => false,
    }
}

/// Takes ORDER BY and the LIMIT above it off a pattern. The pattern then yields its columns and the keys, in
/// any order. The pattern stays as it is where DISTINCT drops the keys.
pub(super) fn take_order(pattern: &mut GraphPattern) -> Option<OrderPlan> {
    if !is_ordered(pattern) {
        return None;
    }
    let mut copy = pattern.clone();
    let (start, length) = match copy {
        GraphPattern::Slice { inner, start, length } => {
            copy = *inner;
            (start, length)
        }
        _ => (0, None),
    };
    let is_distinct = match copy {
        GraphPattern::Distinct { inner } | GraphPattern::Reduced { inner } => {
            copy = *inner;
            true
        }
        _ => false,
    };
    let GraphPattern::Project { inner, variables } = copy else { return None };
    let GraphPattern::OrderBy { inner, expression } = *inner else { return None };
    if is_distinct && !keys_are_shown(&expression, &variables) {
        return None;
    }
    let mut keys = Vec::new();
    let mut computed = Vec::new();
    for (at, key) in expression.into_iter().enumerate() {
        let (expression, descends) = match key {
            OrderExpression::Asc(key) => (key, false),
            OrderExpression::Desc(key) => (key, true),
        };
        let variable = match expression {
            Expression::Variable(variable) => variable,
            expression => {
                let variable = Variable::new_unchecked(format!("_order.{at}"));
                computed.push((variable.clone(), expression));
                variable
            }
        };
        keys.push((variable, descends));
    }
    *pattern = with_keys(*inner, variables, &keys, computed, is_distinct);
    Some(OrderPlan { keys, start, length })
}

fn keys_are_shown(keys: &[OrderExpression], shown: &[Variable]) -> bool {
    let mut used = std::collections::HashSet::new();
    keys.iter().for_each(|key| super::algebra::mentioned_by_expression(order_key(key), &mut used));
    used.iter().all(|variable| shown.contains(variable))
}

fn with_keys(
    inner: GraphPattern,
    mut variables: Vec<Variable>,
    keys: &[(Variable, bool)],
    computed: Vec<(Variable, Expression)>,
    is_distinct: bool,
) -> GraphPattern {
    let mut pattern = inner;
    if is_distinct {
        let projected = GraphPattern::Project { inner: Box::new(pattern), variables: variables.clone() };
        pattern = GraphPattern::Distinct { inner: Box::new(projected) };
    }
    for (variable, expression) in computed {
        extend(&mut pattern, variable, expression);
    }
    for (key, _) in keys {
        if !variables.contains(key) {
            variables.push(key.clone());
        }
    }
    GraphPattern::Project { inner: Box::new(pattern), variables }
}

/// One solution with its keys. The order is that in which solutions are shown; solutions with
/// equal keys stay in the order in which they came.
struct Ranked<T> {
    keys: Vec<Option<ExpressionTerm>>,
    came: usize,
    descends: std::rc::Rc<[bool]>,
    solution: T,
}

impl<T> Ord for Ranked<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        compare_keys(&self.keys, &other.keys, &self.descends).then(self.came.cmp(&other.came))
    }
}

impl<T> PartialOrd for Ranked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Ranked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Ranked<T> {}

/// Collects solutions and gives them back in order.
///
/// The sorter is a heap, because a sort may give up on an order that is not transitive, such as that of
/// integers beyond 2^53 and doubles.
pub(super) struct Sorter<T> {
    descends: std::rc::Rc<[bool]>,
    keep: usize,
    came: usize,
    heap: BinaryHeap<Ranked<T>>,
}

impl<T> Sorter<T> {
    /// A sorter that keeps the first `keep` solutions, or all.
    pub(super) fn new(descends: Vec<bool>, keep: Option<usize>) -> Self {
        Self { descends: descends.into(), keep: keep.unwrap_or(usize::MAX), came: 0, heap: BinaryHeap::new() }
    }

    /// Adds a solution if it may be shown; `solution` is only called then.
    pub(super) fn push(&mut self, keys: Vec<Option<ExpressionTerm>>, solution: impl FnOnce() -> T) {
        let came = self.came;
        self.came += 1;
        if self.heap.len() >= self.keep {
            let Some(last) = self.heap.peek() else { return };
            if compare_keys(&keys, &last.keys, &self.descends) != Ordering::Less {
                return;
            }
            self.heap.pop();
        }
        let descends = std::rc::Rc::clone(&self.descends);
        self.heap.push(Ranked { keys, came, descends, solution: solution() });
    }

    /// The solutions in order.
    pub(super) fn finish(self) -> Vec<T> {
        self.heap.into_sorted_vec().into_iter().map(|ranked| ranked.solution).collect()
    }
}

fn compare_keys(
    left: &[Option<ExpressionTerm>],
    right: &[Option<ExpressionTerm>],
    descends: &[bool],
) -> Ordering {
    for ((left, right), descends) in left.iter().zip(right).zip(descends) {
        let order = compare(left.as_ref(), right.as_ref());
        if order != Ordering::Equal {
            return if *descends { order.reverse() } else { order };
        }
    }
    Ordering::Equal
}

/// The order of SPARQL 1.1, section 15.1: no value, blank nodes, IRIs, literals. Literals that SPARQL does
/// not order (a number and a text) are ordered by kind, so that the order is always total.
pub(super) fn compare(left: Option<&ExpressionTerm>, right: Option<&ExpressionTerm>) -> Ordering {
    let (left, right) = match (left, right) {
        (None, None) => return Ordering::Equal,
        (None, Some(_)) => return Ordering::Less,
        (Some(_), None) => return Ordering::Greater,
        (Some(left), Some(right)) => (left, right),
    };
    kind(left).cmp(&kind(right)).then_with(|| match (left, right) {
        (ExpressionTerm::BlankNode(left), ExpressionTerm::BlankNode(right)) => {
            left.as_str().cmp(right.as_str())
        }
        (ExpressionTerm::NamedNode(left), ExpressionTerm::NamedNode(right)) => {
            left.as_str().cmp(right.as_str())
        }
        (ExpressionTerm::StringLiteral(left), ExpressionTerm::StringLiteral(right)) => left.cmp(right),
        (ExpressionTerm::DateTimeLiteral(left), ExpressionTerm::DateTimeLiteral(right)) => {
            compare_times(*left, *right)
        }
        (ExpressionTerm::BooleanLiteral(left), ExpressionTerm::BooleanLiteral(right)) => {
            bool::from(*left).cmp(&bool::from(*right))
        }
        (ExpressionTerm::DateLiteral(left), ExpressionTerm::DateLiteral(right)) => {
            match (DateTime::try_from(*left), DateTime::try_from(*right)) {
                (Ok(left), Ok(right)) => compare_times(left, right),
                _ => left.to_string().cmp(&right.to_string()),
            }
        }
        _ if kind(left) == NUMBER => compare_numbers(left, right),
        _ => match (place_in_time(left), place_in_time(right)) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => compare_texts(left, right),
        },
    })
}

const NUMBER: u8 = 2;

/// The rank of literals whose values have no order, which are ordered by their texts.
const TEXT: u8 = 13;

/// The rank of a term's kind.
pub(super) fn kind(term: &ExpressionTerm) -> u8 {
    match term {
        ExpressionTerm::BlankNode(_) => 0,
        ExpressionTerm::NamedNode(_) => 1,
        ExpressionTerm::IntegerLiteral(_)
        | ExpressionTerm::DecimalLiteral(_)
        | ExpressionTerm::FloatLiteral(_)
        | ExpressionTerm::DoubleLiteral(_) => NUMBER,
        ExpressionTerm::DateTimeLiteral(_) => 3,
        ExpressionTerm::DateLiteral(_) => 4,
        ExpressionTerm::BooleanLiteral(_) => 5,
        ExpressionTerm::TimeLiteral(_) => 6,
        ExpressionTerm::GYearLiteral(_) => 7,
        ExpressionTerm::GYearMonthLiteral(_) => 8,
        ExpressionTerm::GMonthLiteral(_) => 9,
        ExpressionTerm::GMonthDayLiteral(_) => 10,
        ExpressionTerm::GDayLiteral(_) => 11,
        ExpressionTerm::DurationLiteral(_)
        | ExpressionTerm::YearMonthDurationLiteral(_)
        | ExpressionTerm::DayTimeDurationLiteral(_) => 12,
        _ => TEXT,
    }
}

/// A number by which times of the day, years and their kin, and durations are in order: seconds, in 10⁻¹⁸. Without a zone they
/// count as UTC, and a month counts as its part of a year in the Gregorian calendar.
pub(super) fn place_in_time(term: &ExpressionTerm) -> Option<i128> {
    // The first sixteen bytes are the seconds since a fixed time.
    fn seconds(bytes: [u8; 18]) -> i128 {
        let [seconds @ .., _, _] = bytes;
        i128::from_be_bytes(seconds)
    }
    fn length(months: i64, seconds: Decimal) -> i128 {
        const SECONDS_IN_MONTH: i128 = 2_629_746;
        const IN_SECOND: i128 = 1_000_000_000_000_000_000;
        let months = i128::from(months).saturating_mul(SECONDS_IN_MONTH).saturating_mul(IN_SECOND);
        months.saturating_add(i128::from_be_bytes(seconds.to_be_bytes()))
    }
    Some(match term {
        ExpressionTerm::TimeLiteral(value) => seconds(value.to_be_bytes()),
        ExpressionTerm::GYearLiteral(value) => seconds(value.to_be_bytes()),
        ExpressionTerm::GYearMonthLiteral(value) => seconds(value.to_be_bytes()),
        ExpressionTerm::GMonthLiteral(value) => seconds(value.to_be_bytes()),
        ExpressionTerm::GMonthDayLiteral(value) => seconds(value.to_be_bytes()),
        ExpressionTerm::GDayLiteral(value) => seconds(value.to_be_bytes()),
        ExpressionTerm::DurationLiteral(value) => {
            let [months @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = value.to_be_bytes();
            let [_, _, _, _, _, _, _, _, seconds @ ..] = value.to_be_bytes();
            length(i64::from_be_bytes(months), Decimal::from_be_bytes(seconds))
        }
        ExpressionTerm::YearMonthDurationLiteral(value) => {
            length(i64::from_be_bytes(value.to_be_bytes()), Decimal::default())
        }
        ExpressionTerm::DayTimeDurationLiteral(value) => {
            length(0, Decimal::from_be_bytes(value.to_be_bytes()))
        }
        _ => return None,
    })
}

/// Compares times. A time without a zone counts as UTC: SPARQL leaves its order open, and a sort needs one.
fn compare_times(left: DateTime, right: DateTime) -> Ordering {
    let in_utc = |time: DateTime| match time.timezone_offset() {
        Some(_) => Some(time),
        None => time.adjust(Some(TimezoneOffset::UTC)),
    };
    in_utc(left)
        .zip(in_utc(right))
        .and_then(|(left, right)| left.partial_cmp(&right))
        .unwrap_or_else(|| left.to_string().cmp(&right.to_string()))
}

fn compare_numbers(left: &ExpressionTerm, right: &ExpressionTerm) -> Ordering {
    let exact = |term: &ExpressionTerm| match term {
        ExpressionTerm::IntegerLiteral(value) => Some(Decimal::from(*value)),
        ExpressionTerm::DecimalLiteral(value) => Some(*value),
        _ => None,
    };
    if let (ExpressionTerm::IntegerLiteral(left), ExpressionTerm::IntegerLiteral(right)) = (left, right) {
        return left.cmp(right);
    }
    if let (Some(left), Some(right)) = (exact(left), exact(right)) {
        return left.cmp(&right);
    }
    let double = |term| f64::from(as_double(term).unwrap_or_default());
    double(left).total_cmp(&double(right))
}

/// The value of a number.
pub(super) fn as_double(term: &ExpressionTerm) -> Option<Double> {
    match term {
        ExpressionTerm::IntegerLiteral(value) => Some((*value).into()),
        ExpressionTerm::DecimalLiteral(value) => Some((*value).into()),
        ExpressionTerm::FloatLiteral(value) => Some((*value).into()),
        ExpressionTerm::DoubleLiteral(value) => Some(*value),
        _ => None,
    }
}

fn compare_texts(left: &ExpressionTerm, right: &ExpressionTerm) -> Ordering {
    let (left, right): (oxrdf::Term, oxrdf::Term) = (left.clone().into(), right.clone().into());
    match (&left, &right) {
        (oxrdf::Term::Literal(left), oxrdf::Term::Literal(right)) => (
            left.value(),
            left.datatype(),
            left.language(),
        )
            .cmp(&(right.value(), right.datatype(), right.language())),
        _ => left.to_string().cmp(&right.to_string()),
    }
}
