//! Numbers of all datatypes, for sums and comparisons.

use std::cmp::Ordering;

use oxrdf::Term;
use oxsdatatypes::{Decimal, Double, Float, Integer};
use spareval::ExpressionTerm;

/// A number, which meets others as XPath promotes them (section 17.3).
#[derive(Debug, Clone, Copy)]
pub(super) enum Numeral {
    Integer(Integer),
    Decimal(Decimal),
    Float(Float),
    Double(Double),
}

impl Numeral {
    pub(super) fn of(term: &ExpressionTerm) -> Option<Self> {
        Some(match term {
            ExpressionTerm::IntegerLiteral(value) => Self::Integer(*value),
            ExpressionTerm::DecimalLiteral(value) => Self::Decimal(*value),
            ExpressionTerm::FloatLiteral(value) => Self::Float(*value),
            ExpressionTerm::DoubleLiteral(value) => Self::Double(*value),
            _ => return None,
        })
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => Self::Integer(left.checked_add(right)?),
            (Self::Double(left), right) => Self::Double(left + right.double()),
            (left, Self::Double(right)) => Self::Double(left.double() + right),
            (Self::Float(left), right) => Self::Float(left + right.float()),
            (left, Self::Float(right)) => Self::Float(left.float() + right),
            (left, right) => Self::Decimal(left.decimal()?.checked_add(right.decimal()?)?),
        })
    }

    pub(super) fn divided_by(self, count: i64) -> Option<Self> {
        if count == 0 {
            return Some(Self::Integer(0.into()));
        }
        let count = Integer::from(count);
        Some(match self {
            Self::Float(sum) => Self::Float(sum / Float::from(count)),
            Self::Double(sum) => Self::Double(sum / Double::from(count)),
            sum => Self::Decimal(sum.decimal()?.checked_div(count)?),
        })
    }

    /// The order of two numbers; none for what is not a number.
    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => Some(left.cmp(&right)),
            (Self::Double(left), right) => left.partial_cmp(&right.double()),
            (left, Self::Double(right)) => left.double().partial_cmp(&right),
            (Self::Float(left), right) => left.partial_cmp(&right.float()),
            (left, Self::Float(right)) => left.float().partial_cmp(&right),
            (left, right) => left.decimal()?.partial_cmp(&right.decimal()?),
        }
    }

    fn decimal(self) -> Option<Decimal> {
        match self {
            Self::Integer(value) => Some(value.into()),
            Self::Decimal(value) => Some(value),
            Self::Float(_) | Self::Double(_) => None,
        }
    }

    fn float(self) -> Float {
        match self {
            Self::Integer(value) => value.into(),
            Self::Decimal(value) => value.into(),
            Self::Float(value) => value,
            Self::Double(value) => value.into(),
        }
    }

    fn double(self) -> Double {
        match self {
            Self::Integer(value) => value.into(),
            Self::Decimal(value) => value.into(),
            Self::Float(value) => value.into(),
            Self::Double(value) => value,
        }
    }

    pub(super) fn into_term(self) -> Term {
        match self {
            Self::Integer(value) => ExpressionTerm::IntegerLiteral(value),
            Self::Decimal(value) => ExpressionTerm::DecimalLiteral(value),
            Self::Float(value) => ExpressionTerm::FloatLiteral(value),
            Self::Double(value) => ExpressionTerm::DoubleLiteral(value),
        }
        .into()
    }
}
