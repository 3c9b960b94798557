//! Numbers from their lexical form: exact integers, and the canonical doubles of JSON-LD and of
//! RFC 8785.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A JSON number as RDF sees it (JSON-LD API, Object to RDF Conversion, steps 10 and 11).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RdfNumber<'n> {
    /// No fraction and below 10^21: the digits of an `xsd:integer`.
    Integer(Cow<'n, str>),
    /// Anything else: an `xsd:double` in its canonical form.
    Double(String),
}

/// Returns whether a text is an integer in JSON's spelling: without fraction, exponent, plus sign or leading zeros.
pub fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_plain && (digits == "0" || !digits.starts_with('0'))
}

/// Returns whether a text is a number in JSON's spelling.
pub fn is_number(text: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(unsigned);
    if whole == 0 || (whole > 1 && unsigned.starts_with('0')) {
        return false;
    }
    let mut rest = &unsigned[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    let Some(exponent) = rest.strip_prefix(['e', 'E']) else { return rest.is_empty() };
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    !exponent.is_empty() && digits(exponent) == exponent.len()
}

/// Returns whether a JSON number is too large for a double, or so small that its double is zero although the number is
/// not.
///
/// ```
/// use evalgraph_json::number::is_out_of_range;
///
/// assert!(is_out_of_range("-1e400") && is_out_of_range("0.1e-400"));
/// assert!(!is_out_of_range("1e308") && !is_out_of_range("0.0e-400"));
/// ```
pub fn is_out_of_range(lexical: &str) -> bool {
    // Without an exponent, a number needs more than 300 digits to leave the range.
    if lexical.len() < 300 && memchr::memchr2(b'e', b'E', lexical.as_bytes()).is_none() {
        return false;
    }
    let value: f64 = lexical.parse().unwrap_or(f64::NAN);
    let is_zero = || {
        let mantissa = lexical.split(['e', 'E']).next().unwrap_or_default();
        !mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
    };
    value.is_infinite() || value == 0.0 && !is_zero()
}

/// Sorts a JSON number into integer or double.
///
/// Integers are taken from the text, not through a double, so all of twenty digits are kept. `1.0` and `1e3` are
/// integers (they have no fraction), `-0` is the integer 0 written `0`.
pub fn to_rdf(lexical: &str) -> RdfNumber<'_> {
    let digits = lexical.strip_prefix('-').unwrap_or(lexical);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain && digits.len() <= 21 {
        return RdfNumber::Integer(if digits == "0" { Cow::Borrowed("0") } else { Cow::Borrowed(lexical) });
    }
    let value: f64 = lexical.parse().unwrap_or(f64::NAN);
    if value.fract() == 0.0 && value.abs() < 1e21 {
        return RdfNumber::Integer(Cow::Owned(
            exact_integer(lexical).unwrap_or_else(|| format!("{value:.0}")),
        ));
    }
    RdfNumber::Double(canonical_double(value))
}

/// Returns the integer of a lexical form with an exponent or a fraction of zeros, digit by digit; `None` if the form is
/// not an integer (a fraction lost in rounding).
fn exact_integer(lexical: &str) -> Option<String> {
    let (sign, unsigned) = lexical.strip_prefix('-').map_or(("", lexical), |rest| ("-", rest));
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], unsigned[at + 1..].parse::<i32>().ok()?),
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let places = i32::try_from(fraction.len()).ok()?;
    let mut digits = format!("{whole}{fraction}");
    let shift = exponent - places;
    if shift >= 0 {
        digits.extend(std::iter::repeat_n('0', usize::try_from(shift).ok().filter(|&shift| shift < 400)?));
    } else {
        let kept = digits.len().checked_sub(usize::try_from(-shift).ok()?)?;
        if digits[kept..].bytes().any(|digit| digit != b'0') {
            return None;
        }
        digits.truncate(kept);
    }
    let digits = digits.trim_start_matches('0');
    Some(if digits.is_empty() { "0".to_owned() } else { format!("{sign}{digits}") })
}

/// The canonical lexical form of an `xsd:double` in JSON-LD (API, section 8.6, Data Round Tripping): one digit before
/// the point, at least one after it and at most 15, rounded. Zero has no sign.
pub fn canonical_double(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "INF" } else { "-INF" }.to_owned();
    }
    if value == 0.0 {
        return "0.0E0".to_owned();
    }
    let mut text = String::new();
    let _ = write!(text, "{value:.15E}");
    if let Some(exponent) = text.find('E') {
        let kept = text[..exponent].trim_end_matches('0').len();
        // One digit after the point always stays.
        let kept = if text[..kept].ends_with('.') { kept + 1 } else { kept };
        text.replace_range(kept..exponent, "");
    }
    text
}

/// Returns a number as ECMAScript writes it, which RFC 8785 requires (section 3.2.2.3).
pub fn ecmascript(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs();
    if (1e-6..1e21).contains(&magnitude) {
        return format!("{value}");
    }
    let text = format!("{value:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
        _ => text,
    }
}
