//! Numbers of all datatypes, which arithmetic and comparisons promote as XPath does (SPARQL 1.1, section 17.3).

use std::cmp::Ordering;
use std::str::FromStr;

use oxrdf::vocab::xsd;
use oxrdf::{Literal, Term};
use oxsdatatypes::{Decimal, Double, Float, Integer};

use super::decimal;
use evalgraph_store::RdfTermKind;

/// A number. Other methods are in `stored_values.rs`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum NumericValue {
    Integer(Integer),
    Decimal(Decimal),
    Float(Float),
    Double(Double),
}

impl NumericValue {
    /// The number of a lexical form, or `None` if it is ill-formed or its kind has no numbers.
    #[inline]
    pub(super) fn parse(text: &str, kind: RdfTermKind) -> Option<Self> {
        match kind {
            RdfTermKind::Integer => text.parse().ok().map(Self::Integer),
            RdfTermKind::Decimal => text.parse().ok().map(Self::Decimal),
            RdfTermKind::Double => floating(text).map(Self::Double),
            RdfTermKind::Float => floating(text).map(Self::Float),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        if let Some((left, right)) = doubles(self, other) {
            return Some(Self::Double(left + right));
        }
        Some(match promoted(self, other)? {
            PromotedPair::Integer(left, right) => Self::Integer(left.checked_add(right)?),
            PromotedPair::Decimal(left, right) => Self::Decimal(left.checked_add(right)?),
            PromotedPair::Float(left, right) => Self::Float(left + right),
        })
    }

    #[inline]
    pub(super) fn minus(self, other: Self) -> Option<Self> {
        if let Some((left, right)) = doubles(self, other) {
            return Some(Self::Double(left - right));
        }
        Some(match promoted(self, other)? {
            PromotedPair::Integer(left, right) => Self::Integer(left.checked_sub(right)?),
            PromotedPair::Decimal(left, right) => Self::Decimal(left.checked_sub(right)?),
            PromotedPair::Float(left, right) => Self::Float(left - right),
        })
    }

    #[inline]
    pub(super) fn times(self, other: Self) -> Option<Self> {
        if let Some((left, right)) = doubles(self, other) {
            return Some(Self::Double(left * right));
        }
        if let (Self::Decimal(decimal), Self::Integer(integer))
        | (Self::Integer(integer), Self::Decimal(decimal)) = (self, other)
        {
            return decimal::multiple(decimal, integer).map(Self::Decimal);
        }
        Some(match promoted(self, other)? {
            PromotedPair::Integer(left, right) => Self::Integer(left.checked_mul(right)?),
            PromotedPair::Decimal(left, right) => Self::Decimal(decimal::product(left, right)?),
            PromotedPair::Float(left, right) => Self::Float(left * right),
        })
    }

    /// The quotient. The quotient of integers is a decimal.
    #[inline]
    pub(super) fn over(self, other: Self) -> Option<Self> {
        if let Some((left, right)) = doubles(self, other) {
            return Some(Self::Double(left / right));
        }
        if let (Self::Decimal(decimal), Self::Integer(integer)) = (self, other) {
            return decimal::part(decimal, integer).map(Self::Decimal);
        }
        Some(match promoted(self, other)? {
            PromotedPair::Integer(left, right) => {
                Self::Decimal(decimal::quotient(left.into(), right.into())?)
            }
            PromotedPair::Decimal(left, right) => Self::Decimal(decimal::quotient(left, right)?),
            PromotedPair::Float(left, right) => Self::Float(left / right),
        })
    }

    pub(super) fn negated(self) -> Option<Self> {
        Some(match self {
            Self::Integer(value) => Self::Integer(value.checked_neg()?),
            Self::Decimal(value) => Self::Decimal(value.checked_neg()?),
            Self::Float(value) => Self::Float(-value),
            Self::Double(value) => Self::Double(-value),
        })
    }

    #[inline]
    pub(super) fn absolute(self) -> Option<Self> {
        Some(match self {
            Self::Integer(value) => Self::Integer(value.checked_abs()?),
            Self::Decimal(value) => Self::Decimal(value.checked_abs()?),
            Self::Float(value) => Self::Float(value.abs()),
            Self::Double(value) => Self::Double(value.abs()),
        })
    }

    pub(super) fn ceiling(self) -> Option<Self> {
        Some(match self {
            Self::Integer(_) => self,
            Self::Decimal(value) => Self::Decimal(value.checked_ceil()?),
            Self::Float(value) => Self::Float(value.ceil()),
            Self::Double(value) => Self::Double(value.ceil()),
        })
    }

    pub(super) fn floor(self) -> Option<Self> {
        Some(match self {
            Self::Integer(_) => self,
            Self::Decimal(value) => Self::Decimal(value.checked_floor()?),
            Self::Float(value) => Self::Float(value.floor()),
            Self::Double(value) => Self::Double(value.floor()),
        })
    }

    pub(super) fn rounded(self) -> Option<Self> {
        Some(match self {
            Self::Integer(_) => self,
            Self::Decimal(value) => Self::Decimal(value.checked_round()?),
            Self::Float(value) => Self::Float(value.round()),
            Self::Double(value) => Self::Double(value.round()),
        })
    }

    pub(super) fn is_zero_or_nan(self) -> bool {
        match self {
            Self::Integer(value) => i64::from(value) == 0,
            Self::Decimal(value) => value == Decimal::from(0),
            Self::Float(value) => value.is_nan() || f32::from(value) == 0.0,
            Self::Double(value) => value.is_nan() || f64::from(value) == 0.0,
        }
    }

    /// The number as a string: doubles and floats of a million and more, or less than a millionth, have an exponent
    /// (Functions and Operators, section 17.1.2).
    pub(super) fn text(self) -> String {
        let scientific = |size: f64, text: String| {
            let is_short = !size.is_finite() || size == 0.0 || (1e-6..1e6).contains(&size.abs());
            (!is_short).then(|| if text.contains('.') { text } else { text.replace('E', ".0E") })
        };
        match self {
            Self::Integer(value) => value.to_string(),
            Self::Decimal(value) => value.to_string(),
            Self::Float(value) => {
                let own = f32::from(value);
                scientific(own.into(), format!("{own:E}")).unwrap_or_else(|| value.to_string())
            }
            Self::Double(value) => {
                let own = f64::from(value);
                scientific(own, format!("{own:E}")).unwrap_or_else(|| value.to_string())
            }
        }
    }

    pub(crate) fn divided_by(self, count: i64) -> Option<Self> {
        if count == 0 {
            // The average of nothing is 0 (section 18.5.1.4).
            return Some(Self::Integer(0.into()));
        }
        let count = Integer::from(count);
        Some(match self {
            Self::Float(sum) => Self::Float(sum / Float::from(count)),
            Self::Double(sum) => Self::Double(sum / Double::from(count)),
            sum => Self::Decimal(decimal::quotient(sum.decimal()?, count.into())?),
        })
    }

    /// The order of two numbers, or `None` for NaN.
    #[inline]
    pub(crate) fn compare(self, other: Self) -> Option<Ordering> {
        if let Some((left, right)) = doubles(self, other) {
            return left.partial_cmp(&right);
        }
        match promoted(self, other)? {
            PromotedPair::Integer(left, right) => Some(left.cmp(&right)),
            PromotedPair::Decimal(left, right) => left.partial_cmp(&right),
            PromotedPair::Float(left, right) => left.partial_cmp(&right),
        }
    }

    /// A total order of numbers, in which NaN is at one end.
    #[inline]
    pub(crate) fn in_order(self, other: Self) -> Ordering {
        if let Some((left, right)) = doubles(self, other) {
            return f64::from(left).total_cmp(&f64::from(right));
        }
        match promoted(self, other) {
            Some(PromotedPair::Integer(left, right)) => left.cmp(&right),
            Some(PromotedPair::Decimal(left, right)) => left.cmp(&right),
            _ => f64::from(self.double()).total_cmp(&f64::from(other.double())),
        }
    }

    fn decimal(self) -> Option<Decimal> {
        match self {
            Self::Integer(value) => Some(value.into()),
            Self::Decimal(value) => Some(value),
            Self::Float(_) | Self::Double(_) => None,
        }
    }

    pub(super) fn float(self) -> Float {
        match self {
            Self::Integer(value) => value.into(),
            // Parsed from the digits, since going through a double would round twice.
            Self::Decimal(value) => value.to_string().parse().unwrap_or_else(|_| value.into()),
            Self::Float(value) => value,
            Self::Double(value) => value.into(),
        }
    }

    #[inline]
    pub(crate) fn double(self) -> Double {
        match self {
            Self::Integer(value) => value.into(),
            Self::Decimal(value) => decimal::to_double(value),
            Self::Float(value) => value.into(),
            Self::Double(value) => value,
        }
    }

    pub(crate) fn into_term(self) -> Term {
        let (text, datatype) = match self {
            Self::Integer(value) => (value.to_string(), xsd::INTEGER),
            Self::Decimal(value) => (value.to_string(), xsd::DECIMAL),
            Self::Float(value) => (value.to_string(), xsd::FLOAT),
            Self::Double(value) => (value.to_string(), xsd::DOUBLE),
        };
        Literal::new_typed_literal(text, datatype).into()
    }
}

/// The value of a double or a float. Rust's parser accepts more names for infinity and NaN.
fn floating<T: FromStr>(text: &str) -> Option<T> {
    let is_word = text.bytes().next_back().is_some_and(|byte| byte.is_ascii_alphabetic());
    let is_right = !is_word || matches!(text, "INF" | "+INF" | "-INF" | "NaN");
    is_right.then(|| text.parse().ok()).flatten()
}

/// Two numbers as doubles, if one of them is a double.
#[inline]
fn doubles(left: NumericValue, right: NumericValue) -> Option<(Double, Double)> {
    match (left, right) {
        (NumericValue::Double(left), NumericValue::Double(right)) => Some((left, right)),
        (NumericValue::Double(left), right) => Some((left, right.double())),
        (left, NumericValue::Double(right)) => Some((left.double(), right)),
        _ => None,
    }
}

/// Two numbers of the same type other than double.
enum PromotedPair {
    Integer(Integer, Integer),
    Decimal(Decimal, Decimal),
    Float(Float, Float),
}

/// Two numbers in the first of the types integer, decimal and float that has both. `None` for doubles.
#[inline]
fn promoted(left: NumericValue, right: NumericValue) -> Option<PromotedPair> {
    Some(match (left, right) {
        (NumericValue::Integer(left), NumericValue::Integer(right)) => PromotedPair::Integer(left, right),
        (NumericValue::Float(_), _) | (_, NumericValue::Float(_)) => {
            PromotedPair::Float(left.float(), right.float())
        }
        _ => PromotedPair::Decimal(left.decimal()?, right.decimal()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_have_an_exponent_from_a_million_on() {
        let double = |text: &str| NumericValue::Double(text.parse().expect("a double")).text();
        for (text, expected) in
            [("1e30", "1.0E30"), ("-1.5e6", "-1.5E6"), ("999999", "999999"), ("1e-7", "1.0E-7"), ("0", "0")]
        {
            assert_eq!(double(text), expected);
        }
        assert_eq!(NumericValue::Float("1e7".parse().expect("a float")).text(), "1.0E7");
        assert_eq!(NumericValue::Integer(7.into()).text(), "7");
    }

    #[test]
    fn a_decimal_is_rounded_once_to_a_float() {
        let decimal = NumericValue::Decimal("1.000000059604644776".parse().expect("a decimal"));
        assert_eq!(decimal.compare(NumericValue::Float(1.000_000_1_f32.into())), Some(Ordering::Equal));
        assert_eq!(decimal.compare(NumericValue::Float(1.0_f32.into())), Some(Ordering::Greater));
    }
}
