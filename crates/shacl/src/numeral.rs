//! Decimal numbers of any length, by their digits (XML Schema 1.1, Part 2, section 3.3.3).

use std::cmp::Ordering;

/// A decimal number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DecimalDigits<'t> {
    lexical: &'t str,
    is_negative: bool,
    /// The digits before the point, without zeros at their front.
    whole: &'t str,
    /// The digits after the point, without zeros at their end.
    fraction: &'t str,
}

impl<'t> DecimalDigits<'t> {
    /// The number for a lexical form of `xsd:decimal`; none for any other string.
    pub(super) fn from_lexical(lexical: &'t str) -> Option<Self> {
        let digits = lexical.strip_prefix(['+', '-']).unwrap_or(lexical);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !are_digits(whole) || !are_digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
            return None;
        }
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        let is_zero = whole.is_empty() && fraction.is_empty();
        Some(Self { lexical, is_negative: lexical.starts_with('-') && !is_zero, whole, fraction })
    }

    /// The nearest number of `xsd:double`, or of `xsd:float`.
    pub(super) fn nearest<T: std::str::FromStr>(self) -> Option<T> {
        self.lexical.parse().ok()
    }

    /// Compares two numbers without their signs.
    fn compare_magnitudes(self, other: Self) -> Ordering {
        let lengths = self.whole.len().cmp(&other.whole.len());
        lengths.then_with(|| (self.whole, self.fraction).cmp(&(other.whole, other.fraction)))
    }

    pub(super) fn compare(self, other: Self) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.compare_magnitudes(other),
            (true, true) => other.compare_magnitudes(self),
        }
    }
}
