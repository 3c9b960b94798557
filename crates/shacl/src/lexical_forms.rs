//! Decides whether a lexical form is valid for its datatype (XML Schema 1.1, Part 2). An invalid form makes a literal
//! ill-typed, and such a literal has no value.

use std::str::FromStr;

use oxsdatatypes::{
    Date, DateTime, DayTimeDuration, Duration, GDay, GMonth, GMonthDay, GYear, GYearMonth, Time,
    YearMonthDuration,
};

use super::numeral::DecimalDigits;

/// The namespace of the datatypes of XML Schema.
pub(super) const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// Returns whether a lexical form is valid for a datatype. For an unknown datatype, every form is valid.
pub(super) fn is_well_formed(lexical: &str, datatype: &str) -> bool {
    let Some(name) = datatype.strip_prefix(XSD) else { return true };
    if name == "integer" {
        return is_integer(lexical);
    }
    if let Some((least, most)) = integer_range(name) {
        let is_in_range = || match lexical.parse::<i128>() {
            Ok(value) => (least..=most).contains(&value),
            // The number exceeds 128 bits, so it is below or above every bound.
            Err(_) => {
                if lexical.starts_with('-') {
                    least == i128::MIN
                } else {
                    most == i128::MAX
                }
            }
        };
        return is_integer(lexical) && is_in_range();
    }
    match name {
        "boolean" => matches!(lexical, "true" | "false" | "1" | "0"),
        "decimal" => DecimalDigits::from_lexical(lexical).is_some(),
        "double" | "float" => is_floating(lexical),
        "dateTime" => is::<DateTime>(lexical),
        "dateTimeStamp" => lexical.parse::<DateTime>().is_ok_and(|value| value.timezone_offset().is_some()),
        "date" => is::<Date>(lexical),
        "time" => is::<Time>(lexical),
        "duration" => is_duration::<Duration>(lexical),
        "yearMonthDuration" => is_duration::<YearMonthDuration>(lexical),
        "dayTimeDuration" => is_duration::<DayTimeDuration>(lexical),
        "gYear" => is::<GYear>(lexical),
        "gYearMonth" => is::<GYearMonth>(lexical),
        "gMonth" => is::<GMonth>(lexical),
        // The parser rejects February 29, which not every year has.
        "gMonthDay" => is::<GMonthDay>(&lexical.replacen("--02-29", "--02-28", 1)),
        "gDay" => is::<GDay>(lexical),
        "hexBinary" => {
            lexical.len().is_multiple_of(2) && lexical.bytes().all(|byte| byte.is_ascii_hexdigit())
        }
        "base64Binary" => is_base64(lexical),
        "language" => is_language(lexical),
        _ => true,
    }
}

/// The least and the greatest value of a datatype derived from `xsd:integer`.
pub(super) fn integer_range(name: &str) -> Option<(i128, i128)> {
    Some(match name {
        "integer" => (i128::MIN, i128::MAX),
        "nonNegativeInteger" => (0, i128::MAX),
        "positiveInteger" => (1, i128::MAX),
        "nonPositiveInteger" => (i128::MIN, 0),
        "negativeInteger" => (i128::MIN, -1),
        "long" => (i64::MIN.into(), i64::MAX.into()),
        "int" => (i32::MIN.into(), i32::MAX.into()),
        "short" => (i16::MIN.into(), i16::MAX.into()),
        "byte" => (i8::MIN.into(), i8::MAX.into()),
        "unsignedLong" => (0, u64::MAX.into()),
        "unsignedInt" => (0, u32::MAX.into()),
        "unsignedShort" => (0, u16::MAX.into()),
        "unsignedByte" => (0, u8::MAX.into()),
        _ => return None,
    })
}

fn is<T: FromStr>(lexical: &str) -> bool {
    lexical.parse::<T>().is_ok()
}

/// A `T` must precede hours, minutes or seconds, but the parser of durations does not require it.
fn is_duration<T: FromStr>(lexical: &str) -> bool {
    !lexical.ends_with('T') && is::<T>(lexical)
}

fn is_integer(lexical: &str) -> bool {
    let digits = lexical.strip_prefix(['+', '-']).unwrap_or(lexical);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_floating(lexical: &str) -> bool {
    if matches!(lexical, "INF" | "+INF" | "-INF" | "NaN") {
        return true;
    }
    match lexical.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => DecimalDigits::from_lexical(mantissa).is_some() && is_integer(exponent),
        None => DecimalDigits::from_lexical(lexical).is_some(),
    }
}

/// Groups of four letters, with at most one space between two letters. The unused bits of the last letter before `=`
/// must be zero.
fn is_base64(lexical: &str) -> bool {
    if lexical.starts_with(' ') || lexical.ends_with(' ') || lexical.contains("  ") {
        return false;
    }
    let letters: Vec<u8> = lexical.bytes().filter(|byte| *byte != b' ').collect();
    let padding = letters.iter().rev().take_while(|byte| **byte == b'=').count();
    let letters_alone = &letters[..letters.len() - padding];
    let ends_well = match (padding, letters_alone.last()) {
        (0, _) => true,
        (1, Some(last)) => b"AEIMQUYcgkosw048".contains(last),
        (2, Some(last)) => b"AQgw".contains(last),
        _ => false,
    };
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    letters.len().is_multiple_of(4) && ends_well && letters_alone.iter().all(is_letter)
}

fn is_language(lexical: &str) -> bool {
    lexical.split('-').enumerate().all(|(place, part)| {
        let is_letter = |byte: u8| byte.is_ascii_alphabetic() || (place > 0 && byte.is_ascii_digit());
        (1..=8).contains(&part.len()) && part.bytes().all(is_letter)
    })
}
