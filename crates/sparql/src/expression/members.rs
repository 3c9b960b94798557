//! The constants of IN (SPARQL 1.1, section 17.4.1.9). Strings, IRIs and numbers among them are found by a lookup.

use std::collections::{HashMap, HashSet};

use super::numeral::NumericValue;
use super::value::TermValue;

/// The constants with which a value is compared.
#[derive(Default)]
pub(super) struct InConstants {
    texts: HashSet<String>,
    iris: HashSet<String>,
    /// Numbers by their places among the floats, the numeric type with the fewest values.
    numbers: HashMap<i32, Vec<NumericValue>>,
    others: Vec<TermValue>,
    /// `true` if there is a string or a number: comparing it with a literal of unknown value is an error.
    has_known_literals: bool,
}

impl InConstants {
    pub(super) fn add(&mut self, value: TermValue) {
        self.has_known_literals |= matches!(value, TermValue::String(_) | TermValue::Number(_));
        match value {
            TermValue::String(text) => drop(self.texts.insert(text)),
            TermValue::Iri(iri) => drop(self.iris.insert(iri)),
            TermValue::Number(number) => self.numbers.entry(place(number)).or_default().push(number),
            other => self.others.push(other),
        }
    }

    /// Returns whether a value is equal to one of them. `None` if it is equal to none, and some cannot be compared with
    /// it.
    pub(super) fn has(&self, value: &TermValue) -> Option<bool> {
        let (is_found, mut has_failed) = match value {
            TermValue::String(text) => (self.texts.contains(text), false),
            TermValue::Iri(iri) => (self.iris.contains(iri), false),
            TermValue::Number(number) => (self.has_number(*number), false),
            TermValue::Other(_) => (false, self.has_known_literals),
            _ => (false, false),
        };
        if is_found {
            return Some(true);
        }
        for member in &self.others {
            match value.equals(member) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => has_failed = true,
            }
        }
        (!has_failed).then_some(false)
    }

    /// Numbers are compared in the wider type of the two, so equal ones may be neighbouring floats.
    fn has_number(&self, number: NumericValue) -> bool {
        let place = place(number);
        let near = [Some(place), place.checked_sub(1), place.checked_add(1)].into_iter().flatten();
        near.filter_map(|place| self.numbers.get(&place))
            .flatten()
            .any(|member| TermValue::Number(*member).equals(&TermValue::Number(number)) == Some(true))
    }
}

/// The place of a number among the floats in their order. All large numbers have the same place.
fn place(number: NumericValue) -> i32 {
    /// All integers up to this one are also doubles.
    const EXACT: f32 = 9_007_199_254_740_992.0;
    let float = f32::from(number.float());
    if float.abs() >= EXACT {
        return i32::MAX;
    }
    let bits = (float + 0.0).to_bits().cast_signed();
    if bits < 0 { i32::MIN.wrapping_sub(bits) } else { bits }
}

#[cfg(test)]
mod tests {
    use oxrdf::Literal;
    use oxrdf::vocab::xsd;

    use super::*;

    #[test]
    fn numbers_are_found_whatever_their_type() {
        let value = |text: &str| {
            let datatype = match text {
                text if text.contains('e') => xsd::DOUBLE,
                text if text.contains('.') => xsd::DECIMAL,
                _ => xsd::INTEGER,
            };
            TermValue::from_term(Literal::new_typed_literal(text, datatype).into())
        };
        let mut members = InConstants::default();
        for text in ["1", "-2", "0", "0.1", "3e0", "9007199254740993", "1e300"] {
            members.add(value(text));
        }
        for text in ["1", "1.0", "1e0", "-2.0", "-0e0", "1e-1", "3", "9007199254740993", "1e300"] {
            assert_eq!(members.has(&value(text)), Some(true), "{text}");
        }
        for text in ["2", "0.10000001", "9007199254740994", "1e301"] {
            assert_eq!(members.has(&value(text)), Some(false), "{text}");
        }
        assert_eq!(members.has(&TermValue::String("1".to_owned())), Some(false));
        let unknown = TermValue::from_term(Literal::new_typed_literal("1", xsd::HEX_BINARY).into());
        assert_eq!(members.has(&unknown), None);
    }
}
