//! Decimals of eighteen digits after the point: products and quotients that need more digits in between, and their
//! nearest doubles and floats (Functions and Operators, sections 6.2 and 17.1.3).

use oxsdatatypes::{Decimal, Double, Integer};

/// The number of digits after the point, and the unit that decimals are counted in.
const DIGITS: u32 = 18;
const ONE: u128 = 10_u128.pow(DIGITS);

/// The product; digits beyond the last one are cut off. `None` if it is too large.
pub(super) fn product(left: Decimal, right: Decimal) -> Option<Decimal> {
    let (left, right) = (units(left), units(right));
    if let Some(units) = left.checked_mul(right) {
        return Some(of_units(units / ONE.cast_signed()));
    }
    // Whole parts and fractions are multiplied separately: a × b = a·⌊b⌋ + ⌊a⌋·{b} + {a}·{b}.
    let (one, other) = (left.unsigned_abs(), right.unsigned_abs());
    let (whole, rest) = (other / ONE, other % ONE);
    let (own_whole, own_rest) = (one / ONE, one % ONE);
    let size = one.checked_mul(whole)?.checked_add(own_whole.checked_mul(rest)?)?;
    signed(size.checked_add(own_rest * rest / ONE)?, left.is_negative() != right.is_negative())
}

/// The product with an integer.
pub(super) fn multiple(decimal: Decimal, integer: Integer) -> Option<Decimal> {
    units(decimal).checked_mul(i64::from(integer).into()).map(of_units)
}

/// The quotient of a division by an integer; digits beyond the last one are cut off.
pub(super) fn part(decimal: Decimal, integer: Integer) -> Option<Decimal> {
    units(decimal).checked_div(i64::from(integer).into()).map(of_units)
}

/// The quotient; digits beyond the last one are cut off. `None` if it is too large or the divisor is zero.
pub(super) fn quotient(left: Decimal, right: Decimal) -> Option<Decimal> {
    let (left, right) = (units(left), units(right));
    let (size, divisor) = (left.unsigned_abs(), right.unsigned_abs());
    if divisor == 0 {
        return None;
    }
    let is_negative = left.is_negative() != right.is_negative();
    if let Some(shifted) = size.checked_mul(ONE) {
        return signed(shifted / divisor, is_negative);
    }
    // Digit by digit: ten times the rest would be too large, so the rest is added up ten times.
    let (mut quotient, mut rest) = (size / divisor, size % divisor);
    for _ in 0..DIGITS {
        let (mut digit, mut sum) = (0, 0);
        for _ in 0..10 {
            sum += rest;
            if sum >= divisor {
                sum -= divisor;
                digit += 1;
            }
        }
        quotient = quotient.checked_mul(10)?.checked_add(digit)?;
        rest = sum;
    }
    signed(quotient, is_negative)
}

/// The nearest double.
pub(super) fn to_double(decimal: Decimal) -> Double {
    /// All integers up to this one are doubles, so one division rounds only once.
    const EXACT: u128 = 1 << 53;
    let (mut size, mut divisor) = (units(decimal).unsigned_abs(), ONE);
    while divisor > 1 && size.is_multiple_of(10) {
        (size, divisor) = (size / 10, divisor / 10);
    }
    if size > EXACT {
        // Parsing the digits always gives the nearest double.
        return decimal.to_string().parse().unwrap_or_else(|_| decimal.into());
    }
    #[expect(clippy::cast_precision_loss, reason = "both are exact")]
    let size = size as f64 / divisor as f64;
    if units(decimal).is_negative() { (-size).into() } else { size.into() }
}

/// The decimal that is nearest to a double; of two equally near ones, the one nearer to zero. `None` if it is too
/// large, or the double is not a number.
pub(super) fn of_double(double: Double) -> Option<Decimal> {
    let bits = f64::from(double).abs().to_bits();
    let exponent = i32::try_from(bits >> 52).ok()?;
    if exponent == 0x7FF {
        return None;
    }
    // The value is `fraction` · 2^`power`.
    let fraction = u128::from(bits & ((1 << 52) - 1)) | if exponent == 0 { 0 } else { 1 << 52 };
    let power = exponent.max(1) - 1075;
    let size = match u32::try_from(power) {
        Ok(power) if fraction == 0 || power < fraction.leading_zeros() => {
            (fraction << power).checked_mul(ONE)?
        }
        Ok(_) => return None,
        Err(_) => divided_by_power(fraction * ONE, power.unsigned_abs()),
    };
    signed(size, f64::from(double).is_sign_negative())
}

/// A number divided by a power of two and rounded, halves down.
fn divided_by_power(number: u128, power: u32) -> u128 {
    let Some(quotient) = number.checked_shr(power) else { return 0 };
    let rest = number - (quotient << power);
    quotient + u128::from(rest > 1 << (power - 1))
}

/// The integer part of a double, or `None` if it is too large or not a number.
pub(super) fn integer_of_double(double: Double) -> Option<Integer> {
    /// The least double that exceeds 64-bit integers.
    const END: f64 = 9_223_372_036_854_775_808.0;
    let whole = f64::from(double).trunc();
    #[expect(clippy::cast_possible_truncation, reason = "it is within bounds")]
    (-END..END).contains(&whole).then(|| Integer::from(whole as i64))
}

/// The value of a decimal in units of the last digit.
pub(super) fn units(decimal: Decimal) -> i128 {
    i128::from_be_bytes(decimal.to_be_bytes())
}

fn of_units(units: i128) -> Decimal {
    Decimal::from_be_bytes(units.to_be_bytes())
}

fn signed(size: u128, is_negative: bool) -> Option<Decimal> {
    let size = i128::try_from(size).ok()?;
    Some(of_units(if is_negative { -size } else { size }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().expect("a decimal")
    }

    #[test]
    fn a_product_is_cut_off_behind_the_last_digit() {
        for (left, right, expected) in [
            ("0.1234567890123", "0.1234567890123", "0.015241578753227558"),
            ("-1234567890.123456789", "1234567890.123456789", "-1524157875323883675.019051998750190521"),
            ("0.000000000000000001", "0.5", "0"),
            ("99999999999", "1000000000.5", "100000000048999999999.5"),
            ("-0.5", "-0.5", "0.25"),
        ] {
            let found = product(decimal(left), decimal(right));
            assert_eq!(found, decimal(expected).checked_add(Decimal::from(0)), "{left} {right}");
        }
        assert_eq!(product(decimal("99999999999"), decimal("99999999999")), None);
    }

    #[test]
    fn a_quotient_is_cut_off_behind_the_last_digit() {
        for (left, right, expected) in [
            ("2", "3", "0.666666666666666666"),
            ("-1000000000000000", "3.000000000000000001", "-333333333333333.333222222222222222"),
            ("170141183460469231731", "170141183460469231730", "1"),
            ("1", "0.000000000000000001", "1000000000000000000"),
        ] {
            let found = quotient(decimal(left), decimal(right));
            assert_eq!(found, decimal(expected).checked_add(Decimal::from(0)), "{left} {right}");
        }
        assert_eq!(quotient(decimal("1000"), decimal("0.000000000000000001")), None);
        assert_eq!(quotient(decimal("1"), decimal("0")), None);
    }

    #[test]
    fn a_double_is_the_nearest_one() {
        for text in ["0.1", "-1.123456789012345678", "12345678901234567890.123456789012345678", "0", "3"] {
            let expected: f64 = text.parse().expect("a double");
            assert_eq!(f64::from(to_double(decimal(text))), expected, "{text}");
        }
    }

    #[test]
    fn a_decimal_is_nearest_to_its_double() {
        for (double, expected) in [
            (1.1, "1.100000000000000089"),
            (-0.1, "-0.100000000000000006"),
            (1e20, "100000000000000000000"),
            (5e-324, "0"),
            (0.0, "0"),
            (123.5, "123.5"),
        ] {
            assert_eq!(of_double(double.into()), Some(decimal(expected)), "{double}");
        }
        for double in [f64::NAN, f64::INFINITY, 1e21, 1e300] {
            assert_eq!(of_double(double.into()), None, "{double}");
        }
    }

    #[test]
    fn an_integer_of_a_double_has_no_fraction() {
        for (double, expected) in [
            (123_456_789_012_345_680.0, Some(123_456_789_012_345_680_i64)),
            (-1.9, Some(-1)),
            (9.3e18, None),
            (f64::NAN, None),
        ] {
            assert_eq!(integer_of_double(double.into()), expected.map(Integer::from), "{double}");
        }
    }
}
