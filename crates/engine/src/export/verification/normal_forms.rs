//! One form for each value of a datatype, so a rewritten number or time compares as equal.

use std::fmt::{Display, LowerExp};
use std::str::FromStr;

/// How many digits of a decimal Virtuoso keeps after the point.
const MOST_DECIMALS: usize = 15;

/// How many digits of a second Virtuoso keeps.
const MOST_OF_SECOND: usize = 6;

/// An integer of any size, without plus sign and leading zeros.
pub(super) fn integer(text: &str) -> Option<String> {
    let (sign, digits) = sign_of(text.trim());
    if digits.is_empty() || !is_digits(digits) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    Some(if digits.is_empty() { "0".to_owned() } else { format!("{sign}{digits}") })
}

/// A decimal without plus sign and redundant zeros.
pub(super) fn decimal(text: &str) -> Option<String> {
    let (sign, digits) = sign_of(text.trim());
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.len() + part.len() == 0 || !is_digits(whole) || !is_digits(part) {
        return None;
    }
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(match part {
        "" if whole == "0" => whole.to_owned(),
        "" => format!("{sign}{whole}"),
        part => format!("{sign}{whole}.{part}"),
    })
}

/// A decimal with as many digits after the point as Virtuoso keeps, rounded half away from zero.
pub(super) fn decimal_of_virtuoso(text: &str) -> Option<String> {
    let text = decimal(text)?;
    let Some((whole, part)) = text.split_once('.').filter(|(_, part)| part.len() > MOST_DECIMALS) else {
        return Some(text);
    };
    let is_up = part.as_bytes()[MOST_DECIMALS] >= b'5';
    let (sign, whole) = sign_of(whole);
    let mut digits: Vec<u8> = [b"0", whole.as_bytes(), &part.as_bytes()[..MOST_DECIMALS]].concat();
    if is_up {
        // The zero before the number is never a nine.
        let nines = digits.iter().rev().take_while(|digit| **digit == b'9').count();
        let end = digits.len() - nines;
        let (before, after) = digits.split_at_mut(end);
        after.fill(b'0');
        before.iter_mut().next_back().into_iter().for_each(|digit| *digit += 1);
    }
    let digits = String::from_utf8(digits).ok()?;
    let (whole, part) = digits.split_at(digits.len() - MOST_DECIMALS);
    // Rounding may leave zeros at the end, and the zero in front is needed only for a carry.
    decimal(&format!("{sign}{whole}.{part}"))
}

/// An `xsd:double`, in the shortest form that is parsed as the same number.
pub(super) fn double(text: &str) -> Option<String> {
    floating::<f64>(text, |number| format!("{number:e}"))
}

/// An `xsd:float`, in the shortest form that is parsed as the same number.
pub(super) fn float(text: &str) -> Option<String> {
    floating::<f32>(text, |number| format!("{number:e}"))
}

/// An `xsd:double` with the six digits that Virtuoso writes.
pub(super) fn double_of_virtuoso(text: &str) -> Option<String> {
    floating::<f64>(text, |number| format!("{number:.5e}"))
}

/// An `xsd:float` with the six digits that Virtuoso writes.
pub(super) fn float_of_virtuoso(text: &str) -> Option<String> {
    floating::<f32>(text, |number| format!("{number:.5e}"))
}

fn floating<F: FromStr + LowerExp>(text: &str, write: impl Fn(F) -> String) -> Option<String> {
    match text.trim() {
        "INF" | "+INF" => Some("INF".to_owned()),
        special @ ("-INF" | "NaN") => Some(special.to_owned()),
        // Rust's parser accepts names of infinity that are not in XML Schema.
        number if number.bytes().all(|byte| b"+-.eE0123456789".contains(&byte)) => {
            number.parse().ok().map(write)
        }
        _ => None,
    }
}

/// `true` or `false`.
pub(super) fn boolean(text: &str) -> Option<String> {
    match text.trim() {
        "true" | "1" => Some("true".to_owned()),
        "false" | "0" => Some("false".to_owned()),
        _ => None,
    }
}

/// The canonical form of a time or a duration.
pub(super) fn canonical<T: FromStr + Display>(text: &str) -> Option<String> {
    text.trim().parse::<T>().ok().map(|value| value.to_string())
}

/// A time, truncated to the digits of a second that Virtuoso keeps.
pub(super) fn cut_second(text: &str) -> Option<String> {
    let (before, after) = text.split_once('.')?;
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    (digits > MOST_OF_SECOND).then(|| {
        let kept = after[..MOST_OF_SECOND].trim_end_matches('0');
        let point = if kept.is_empty() { "" } else { "." };
        format!("{before}{point}{kept}{}", &after[digits..])
    })
}

/// An integer that does not fit into 32 bits.
pub(super) fn large_integer(text: &str) -> Option<String> {
    integer(text).filter(|number| number.parse::<i32>().is_err())
}

/// Splits off a minus sign, and drops a plus sign.
fn sign_of(text: &str) -> (&str, &str) {
    match text.as_bytes().first() {
        Some(b'-') => text.split_at(1),
        Some(b'+') => ("", &text[1..]),
        _ => ("", text),
    }
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts the normal form of each text; `None` if it has none.
    fn assert_forms(form: fn(&str) -> Option<String>, pairs: &[(&str, Option<&str>)]) {
        for (text, expected) in pairs {
            assert_eq!(form(text).as_deref(), *expected, "{text}");
        }
    }

    #[test]
    fn integers_and_decimals_have_one_form() {
        assert_forms(
            integer,
            &[
                ("-007", Some("-7")),
                ("+1", Some("1")),
                ("-0", Some("0")),
                (" 1 ", Some("1")),
                ("123456789012345678901", Some("123456789012345678901")),
                ("", None),
                ("-", None),
                ("1.0", None),
            ],
        );
        assert_forms(large_integer, &[("2147483647", None), ("-2147483649", Some("-2147483649"))]);
        assert_forms(
            decimal,
            &[
                ("01.50", Some("1.5")),
                ("-.5", Some("-0.5")),
                ("5.", Some("5")),
                ("-0.0", Some("0")),
                (".", None),
                ("1e0", None),
            ],
        );
        assert_forms(
            decimal_of_virtuoso,
            &[
                ("0.5714285714285714", Some("0.571428571428571")),
                ("-9.9999999999999995", Some("-10")),
                ("0.9999999999999994", Some("0.999999999999999")),
                ("0.0000000000000001", Some("0")),
            ],
        );
    }

    #[test]
    fn floating_numbers_have_one_form() {
        let forms = [("100", Some("1e2")), ("1.0E2", Some("1e2")), ("inf", None), ("+INF", Some("INF"))];
        assert_forms(double, &forms);
        assert_forms(float, &[("0.30000000000000004", Some("3e-1")), ("16777217", Some("1.6777216e7"))]);
        assert_forms(
            double_of_virtuoso,
            &[("123456.789", Some("1.23457e5")), ("123457.0", Some("1.23457e5"))],
        );
    }

    #[test]
    fn times_are_cut_as_virtuoso_cuts_them() {
        let forms = [
            ("2024-01-01T00:00:00.1234567Z", Some("2024-01-01T00:00:00.123456Z")),
            ("2024-01-01T00:00:00.0000001", Some("2024-01-01T00:00:00")),
            ("2024-01-01T00:00:00.123456Z", None),
        ];
        assert_forms(cut_second, &forms);
    }
}
