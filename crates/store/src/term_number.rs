//! Numbers of terms that are the same in every dataset: hashes of how N-Triples writes them.

use oxrdf::{Literal, Term};
use twox_hash::XxHash3_64;

use super::n_quads::write_quoted;

/// Returns the number of a term that N-Triples writes so: XXH3 of 64 bits, as a signed integer.
pub fn hashed_number(n_triples: &[u8]) -> i64 {
    XxHash3_64::oneshot(n_triples).cast_signed()
}

/// Returns the number of an IRI or a literal. A blank node has a number only in its graph, so this is that of its label.
pub fn term_number(term: &Term) -> i64 {
    hashed_number(&hashed_text(term))
}

/// Returns the text of a term whose hash is its number.
pub fn hashed_text(term: &Term) -> Vec<u8> {
    let mut text = Vec::new();
    let iri = |iri: &str, text: &mut Vec<u8>| {
        text.push(b'<');
        text.extend_from_slice(iri.as_bytes());
        text.push(b'>');
    };
    match term {
        Term::NamedNode(node) => iri(node.as_str(), &mut text),
        Term::BlankNode(node) => text.extend_from_slice(node.to_string().as_bytes()),
        Term::Literal(literal) => {
            write_quoted(literal.value(), &mut text);
            add_type(literal, &mut text, iri);
        }
    }
    text
}

fn add_type(literal: &Literal, text: &mut Vec<u8>, iri: impl Fn(&str, &mut Vec<u8>)) {
    if let Some(language) = literal.language() {
        text.push(b'@');
        text.extend_from_slice(language.as_bytes());
    } else if literal.datatype() != oxrdf::vocab::xsd::STRING {
        text.extend_from_slice(b"^^");
        iri(literal.datatype().as_str(), text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dictionary::TermDictionary;
    use oxrdf::vocab::xsd;

    #[test]
    fn a_term_has_the_number_of_its_text_in_a_dictionary() {
        let mut terms = TermDictionary::new();
        let (integer, other) =
            (terms.intern_iri(xsd::INTEGER.as_str()), terms.intern_iri("http://example.org/ä"));
        let text = "a \"b\" \\ \n\r\t\u{8}\u{c}\u{1}\u{7f} é";
        for id in [
            other,
            terms.intern_string(text),
            terms.intern_language_string(text, "de-at"),
            terms.intern_typed_literal("01", integer),
            terms.intern_typed_literal("x", other),
        ] {
            let mut text = Vec::new();
            terms.write_n_triples(id, &mut text);
            let term = terms.term(id);
            assert_eq!(hashed_number(&text), term_number(&term), "{term}");
        }
    }
}
