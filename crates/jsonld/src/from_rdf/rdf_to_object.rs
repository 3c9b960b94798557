//! RDF to Object Conversion (section 8.5): terms as value objects and node objects.
//!
//! `FromRdf` is defined in `from_rdf/mod.rs`.

use std::borrow::Cow;
use std::io::Write;

use super::literal::{CompoundLiteral, is_direction, parse_json_literal};
use crate::error::JsonLdOutcome;
use crate::from_rdf::FromRdf;
use crate::from_rdf::stream::KeywordKey;
use crate::json_ld_options::{ProcessingMode, RdfDirection};
use crate::to_rdf::object_to_rdf::{I18N, is_language_tag};
use evalgraph_json::canonical::write_canonical;
use evalgraph_json::number::ecmascript;
use evalgraph_rdf::quad_buffer::{BufferLiteralKind, BufferTermId, TermRef};

/// An integer with more digits than this becomes a double when it is read again (section 8.6).
const MOST_DIGITS: usize = 21;

impl<'q, W: Write> FromRdf<'q, W> {
    /// Writes the value object of a literal.
    pub(crate) fn literal(&mut self, lexical: &str, kind: BufferLiteralKind<'_>) -> JsonLdOutcome {
        match kind {
            BufferLiteralKind::String => self.value_object(lexical, None, None),
            BufferLiteralKind::Language(language) => self.value_object(lexical, Some(language), None),
            BufferLiteralKind::Datatype(datatype, iri) => return self.typed(lexical, datatype, iri),
        }
        Ok(())
    }

    fn typed(&mut self, lexical: &str, datatype: BufferTermId, iri: &str) -> JsonLdOutcome {
        if Some(datatype) == self.terms.json {
            return self.json_literal(lexical);
        }
        // Step 2.4: native types.
        if let Some(native) = self.native(lexical, datatype) {
            self.json.open_member(KeywordKey::VALUE);
            self.json.raw(&native);
            self.json.close("}", false);
            return Ok(());
        }
        if self.options.rdf_direction == Some(RdfDirection::I18nDatatype)
            && self.options.processing_mode == ProcessingMode::JsonLd1_1
            && let Some((language, direction)) = i18n(iri)
        {
            self.value_object(lexical, language, Some(direction));
            return Ok(());
        }
        self.json.open_member(KeywordKey::TYPE);
        self.json.string(iri);
        self.json.member(KeywordKey::VALUE);
        self.json.string(lexical);
        self.json.close("}", false);
        Ok(())
    }

    fn value_object(&mut self, value: &str, language: Option<&str>, direction: Option<&str>) {
        self.json.open_member(KeywordKey::VALUE);
        self.json.string(value);
        for (keyword, text) in [(KeywordKey::LANGUAGE, language), (KeywordKey::DIRECTION, direction)] {
            if let Some(text) = text {
                self.json.member(keyword);
                self.json.string(text);
            }
        }
        self.json.close("}", false);
    }

    /// Writes the value object of a blank node (step 6.1.7 of the serialization).
    pub(crate) fn compound(&mut self, literal: CompoundLiteral<'_>) {
        self.value_object(literal.value, literal.language, Some(literal.direction));
    }

    /// Returns the number or boolean of a literal under `useNativeTypes`.
    pub(crate) fn native<'t>(&self, lexical: &'t str, datatype: BufferTermId) -> Option<Cow<'t, str>> {
        let datatype = Some(datatype);
        if datatype == self.terms.boolean {
            return match lexical {
                "true" | "1" => Some(Cow::Borrowed("true")),
                "false" | "0" => Some(Cow::Borrowed("false")),
                _ => None,
            };
        }
        if datatype == self.terms.integer { integer(lexical) } else { None }
            .or_else(|| if datatype == self.terms.double { double(lexical) } else { None })
    }

    /// Writes a JSON literal. Its text stays as it is, without surrounding white space.
    fn json_literal(&mut self, lexical: &str) -> JsonLdOutcome {
        let document = parse_json_literal(lexical)?;
        self.json.open_member(KeywordKey::TYPE);
        self.json.raw("\"@json\"");
        self.json.member(KeywordKey::VALUE);
        self.json.raw(document.raw(document.root()));
        self.json.close("}", false);
        Ok(())
    }

    /// Returns a key that literals with equal value objects share, if a literal may equal another one.
    pub(crate) fn equality_key(&self, object: BufferTermId) -> Option<String> {
        let TermRef::Literal { lexical, kind: BufferLiteralKind::Datatype(datatype, _) } =
            self.quads.term(object)
        else {
            return None;
        };
        if Some(datatype) != self.terms.json {
            return self.native(lexical, datatype).map(Cow::into_owned);
        }
        // A literal that is not JSON is rejected when it is written.
        let document = parse_json_literal(lexical).ok()?;
        let mut key = "@json ".to_owned();
        write_canonical(&document, document.root(), &mut key);
        Some(key)
    }
}

/// Returns the language and direction of a datatype in the `i18n` namespace; `None` if JSON-LD could not read them
/// back.
fn i18n(datatype: &str) -> Option<(Option<&str>, &str)> {
    let (language, direction) = datatype.strip_prefix(I18N)?.split_once('_')?;
    let is_well_formed = is_direction(direction) && (language.is_empty() || is_language_tag(language));
    is_well_formed.then_some((Some(language).filter(|language| !language.is_empty()), direction))
}

/// Returns the JSON number of an `xsd:integer`, digit by digit; `None` for an integer that would be read back as a
/// double.
fn integer(lexical: &str) -> Option<Cow<'_, str>> {
    let (sign, digits) = match lexical.as_bytes().first()? {
        b'-' => ("-", &lexical[1..]),
        b'+' => ("", &lexical[1..]),
        _ => ("", lexical),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let plain = digits.trim_start_matches('0');
    match plain.len() {
        0 => Some(Cow::Borrowed("0")),
        length if length > MOST_DIGITS => None,
        length if sign.len() + length == lexical.len() => Some(Cow::Borrowed(lexical)),
        _ => Some(Cow::Owned(format!("{sign}{plain}"))),
    }
}

/// Returns the JSON number of an `xsd:double`; `None` if JSON has no such number.
fn double(lexical: &str) -> Option<Cow<'_, str>> {
    // Other strings that Rust can parse, such as `inf`, contain other letters.
    let is_number = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
    let value: f64 = lexical.bytes().all(is_number).then(|| lexical.parse().ok()).flatten()?;
    value.is_finite().then(|| Cow::Owned(ecmascript(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_keep_their_digits_and_doubles_become_the_shortest() {
        let integers = [("007", Some("7")), ("+5", Some("5")), ("-0", Some("0")), ("-012", Some("-12"))];
        for (lexical, number) in integers {
            assert_eq!(integer(lexical).as_deref(), number, "{lexical}");
        }
        assert_eq!(integer("123456789012345678901").as_deref(), Some("123456789012345678901"));
        for lexical in ["1234567890123456789012", "", "+", "1.0", "one", " 1"] {
            assert_eq!(integer(lexical), None, "{lexical}");
        }
        assert_eq!(double("1.1E-1").as_deref(), Some("0.11"));
        assert_eq!(double("-0.0E0").as_deref(), Some("0"));
        for lexical in ["INF", "NaN", "inf", "nan", "1e999", "", "0x1", "1e"] {
            assert_eq!(double(lexical), None, "{lexical}");
        }
    }

    #[test]
    fn only_well_formed_datatypes_hold_a_direction() {
        assert_eq!(i18n("https://www.w3.org/ns/i18n#en-us_rtl"), Some((Some("en-us"), "rtl")));
        assert_eq!(i18n("https://www.w3.org/ns/i18n#_ltr"), Some((None, "ltr")));
        for other in [
            "https://www.w3.org/ns/i18n#en",
            "https://www.w3.org/ns/i18n#en_up",
            "https://www.w3.org/ns/i18n#0_ltr",
        ] {
            assert_eq!(i18n(other), None, "{other}");
        }
    }
}
