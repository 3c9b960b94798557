//! Solutions as JSON objects with plain values: numbers, booleans and texts. All objects have the same keys.

use std::io::{self, Write};

use oxrdf::vocab::xsd;
use oxrdf::{Literal, Term, Variable};

use crate::expression::is_integer_of;

/// Writes each solution as an object whose keys are the variables, in their order.
pub(crate) struct PlainRowWriter {
    /// What comes before each value: a brace or a comma, and the key.
    keys: Vec<String>,
    is_array: bool,
    is_empty: bool,
}

impl PlainRowWriter {
    /// Returns a writer of one object per line.
    pub(crate) fn new(variables: &[Variable]) -> Self {
        let mut keys: Vec<String> = Vec::with_capacity(variables.len());
        for variable in variables {
            let before = if keys.is_empty() { '{' } else { ',' };
            keys.push(format!("{before}{}:", serde_json::Value::from(variable.as_str())));
        }
        Self { keys, is_array: false, is_empty: true }
    }

    /// Begins one array around all objects, which still have one line each.
    ///
    /// # Errors
    ///
    /// If the output cannot be written to.
    pub(crate) fn in_array(mut self, output: &mut impl Write) -> io::Result<Self> {
        self.is_array = true;
        output.write_all(b"[")?;
        Ok(self)
    }

    /// Writes a row. An unbound variable is `null`.
    ///
    /// # Errors
    ///
    /// If the output cannot be written to.
    pub(crate) fn add(&mut self, values: &[Option<Term>], output: &mut impl Write) -> io::Result<()> {
        if self.is_array {
            output.write_all(if self.is_empty { b"\n" } else { b",\n" })?;
        }
        self.is_empty = false;
        for (key, value) in self.keys.iter().zip(values) {
            output.write_all(key.as_bytes())?;
            write_value(value.as_ref(), output)?;
        }
        output.write_all(if self.keys.is_empty() { b"{}" } else { b"}" })?;
        if self.is_array { Ok(()) } else { output.write_all(b"\n") }
    }

    /// Ends the array, if there is one.
    ///
    /// # Errors
    ///
    /// If the output cannot be written to.
    pub(crate) fn finish(self, output: &mut impl Write) -> io::Result<()> {
        match (self.is_array, self.is_empty) {
            (false, _) => Ok(()),
            (true, true) => output.write_all(b"]\n"),
            (true, false) => output.write_all(b"\n]\n"),
        }
    }
}

fn write_value(term: Option<&Term>, output: &mut impl Write) -> io::Result<()> {
    match term {
        None => output.write_all(b"null"),
        Some(Term::NamedNode(node)) => write_text(node.as_str(), output),
        Some(Term::BlankNode(node)) => write!(output, "\"{node}\""),
        Some(Term::Literal(literal)) => match NumberSpelling::of_literal(literal) {
            Some(number) => number.write(output),
            None => match (literal.datatype(), literal.value()) {
                (xsd::BOOLEAN, "true" | "1") => output.write_all(b"true"),
                (xsd::BOOLEAN, "false" | "0") => output.write_all(b"false"),
                // JSON has neither infinite numbers nor NaN.
                (xsd::FLOAT | xsd::DOUBLE, "INF" | "+INF" | "-INF" | "NaN") => output.write_all(b"null"),
                (_, text) => write_text(text, output),
            },
        },
    }
}

fn write_text(text: &str, output: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(output, text).map_err(io::Error::from)
}

/// The parts of a number in the spelling of XML Schema 1.1, part 2.
struct NumberSpelling<'t> {
    is_negative: bool,
    /// The digits before the point, which may be none.
    whole: &'t str,
    /// The digits after the point, which may be none. `None` without a point.
    fraction: Option<&'t str>,
    /// The exponent with its letter, or nothing.
    exponent: &'t str,
    /// `false` if the datatype rounds it to infinity.
    is_finite: bool,
}

impl<'t> NumberSpelling<'t> {
    /// Returns the parts of a literal with a numeric datatype. `None` for all other literals, for those that are
    /// invalid for their datatype, and for the names of infinity and NaN.
    fn of_literal(literal: &'t Literal) -> Option<Self> {
        let (text, datatype) = (literal.value(), literal.datatype());
        match datatype {
            xsd::STRING => None,
            xsd::DECIMAL => Self::parse(text).filter(|number| number.exponent.is_empty()),
            xsd::DOUBLE => Self::parse(text)
                .map(|number| Self { is_finite: text.parse().is_ok_and(f64::is_finite), ..number }),
            xsd::FLOAT => Self::parse(text)
                .map(|number| Self { is_finite: text.parse().is_ok_and(f32::is_finite), ..number }),
            _ if is_integer_of(text, datatype) => {
                let number = Self::parse(text)?;
                // An integer has no negative zero, but `-0` of JSON is one in JavaScript.
                let is_zero = number.whole.bytes().all(|digit| digit == b'0');
                Some(Self { is_negative: number.is_negative && !is_zero, ..number })
            }
            _ => None,
        }
    }

    /// Returns the parts of a number. `None` for any other text.
    fn parse(text: &'t str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (digits, exponent) = unsigned.split_at(unsigned.find(['e', 'E']).unwrap_or(unsigned.len()));
        let (whole, fraction) = match digits.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (digits, None),
        };
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let has_digits = !(whole.is_empty() && fraction.is_none_or(str::is_empty));
        let power = exponent.get(1..).map(|power| power.strip_prefix(['+', '-']).unwrap_or(power));
        let is_power = power.is_none_or(|power| !power.is_empty() && are_digits(power));
        let is_number = has_digits && are_digits(whole) && fraction.is_none_or(are_digits) && is_power;
        let is_negative = text.starts_with('-');
        is_number.then_some(Self { is_negative, whole, fraction, exponent, is_finite: true })
    }

    /// Writes the number as JSON spells it: with all its digits, without a plus sign and leading zeros, and with a digit
    /// on each side of the point.
    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        if !self.is_finite {
            return output.write_all(b"null");
        }
        let digits_or_zero = |digits: &'t str| if digits.is_empty() { "0" } else { digits };
        let sign = if self.is_negative { "-" } else { "" };
        for part in [sign, digits_or_zero(self.whole.trim_start_matches('0'))] {
            output.write_all(part.as_bytes())?;
        }
        if let Some(fraction) = self.fraction {
            output.write_all(b".")?;
            output.write_all(digits_or_zero(fraction).as_bytes())?;
        }
        output.write_all(self.exponent.as_bytes())
    }
}
