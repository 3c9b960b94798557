//! Literals that Turtle writes without quotes.

use super::vocabulary::xsd;

/// Returns whether Turtle has a short form for this literal that keeps its lexical form.
pub fn has_short_form(lexical: &str, datatype: &str) -> bool {
    match datatype {
        xsd::BOOLEAN => matches!(lexical, "true" | "false"),
        xsd::INTEGER => is_digits(unsigned(lexical)),
        xsd::DECIMAL => is_decimal(unsigned(lexical)),
        xsd::DOUBLE => is_double(unsigned(lexical)),
        _ => false,
    }
}

fn unsigned(lexical: &str) -> &str {
    lexical.strip_prefix(['+', '-']).unwrap_or(lexical)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_decimal(text: &str) -> bool {
    text.split_once('.')
        .is_some_and(|(whole, part)| (whole.is_empty() || is_digits(whole)) && is_digits(part))
}

fn is_double(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else {
        return false;
    };
    // `1.e0` is a double as well, but the long form is used, since it cannot be misread.
    is_digits(unsigned(exponent)) && (is_digits(mantissa) || is_decimal(mantissa))
}
