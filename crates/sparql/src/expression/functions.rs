//! The functions that SPARQL lacks: roots and logarithms, the keys of the catalog, the distance of two strings, the
//! member of a JSON object, the file of a graph. Their namespace is `urn:evalgraph:fn:`, the prefix `egf:`.
//!
//! As for every function of SPARQL, the result has no value if an argument has a wrong kind.

use std::collections::HashMap;

use md5::{Digest, Md5};
use oxrdf::{BlankNode, Literal, NamedNode, Term};

use crate::expression::{NumericValue, TermValue};
use evalgraph_json::{self as json, Limits};
use evalgraph_rdf::iri::percent_decode;
use evalgraph_rdf::minted::document_name;
use evalgraph_rdf::vocabulary::EVALGRAPH_FUNCTION;
use evalgraph_rdf::vocabulary::evaluator;
use evalgraph_text_keys::{loose_key, text_key};
use evalgraph_work::CancellationToken;

/// The local names of the functions.
pub(crate) const OWN_FUNCTIONS: [&str; 7] =
    ["sqrt", "log", "textKey", "looseKey", "levenshtein", "member", "file"];

/// The length in characters of the longest string whose distance to another one is computed.
const LONGEST: usize = 1 << 16;

/// The result of a function. Functions that may take long check the cancellation.
pub(crate) fn call(
    name: &NamedNode,
    arguments: &[Term],
    files: &HashMap<String, String>,
    cancellation: &CancellationToken,
) -> Option<Term> {
    match name.as_str() {
        evaluator::BLANK_NODE_OF_SOLUTION => return blank_node(arguments),
        evaluator::BLANK_NODE => {
            let [label] = arguments else { return None };
            return Some(BlankNode::new(string(label)?).ok()?.into());
        }
        _ => {}
    }
    match name.as_str().strip_prefix(EVALGRAPH_FUNCTION)? {
        "sqrt" => number(arguments, f64::sqrt),
        "log" => number(arguments, f64::ln),
        "textKey" => text(arguments, text_key),
        "looseKey" => text(arguments, loose_key),
        "levenshtein" => {
            let [left, right] = arguments else { return None };
            let distance = levenshtein(string(left)?, string(right)?, cancellation)?;
            Some(Literal::from(i64::try_from(distance).ok()?).into())
        }
        "member" => member(arguments),
        "file" => {
            let [Term::NamedNode(graph)] = arguments else { return None };
            Some(Literal::new_simple_literal(file_of(graph.as_str(), files)?).into())
        }
        _ => None,
    }
}

/// The file that a graph was read from, if known, else the name of the graph's dataset. `None` for other graphs.
fn file_of(graph: &str, files: &HashMap<String, String>) -> Option<String> {
    let dataset = || document_name(graph).map(percent_decode);
    files.get(graph).cloned().or_else(dataset)
}

fn number(arguments: &[Term], function: fn(f64) -> f64) -> Option<Term> {
    let [argument] = arguments else { return None };
    let TermValue::Number(value) = TermValue::from_term(argument.clone()) else { return None };
    Some(NumericValue::Double(function(value.double().into()).into()).into_term())
}

fn text(arguments: &[Term], function: fn(&str) -> String) -> Option<Term> {
    let [argument] = arguments else { return None };
    Some(Literal::new_simple_literal(function(string(argument)?)).into())
}

/// The string under a key of a JSON object. `None` if the argument is not an object or has no string there.
fn member(arguments: &[Term]) -> Option<Term> {
    let [Term::Literal(text), key] = arguments else { return None };
    if !text.value().trim_start().starts_with('{') {
        return None;
    }
    let object = json::parse("object", text.value().to_owned(), Limits::default()).ok()?;
    let value = object.get(object.root(), string(key)?)?;
    Some(Literal::new_simple_literal(object.string(value)?).into())
}

/// The value of a string literal, with or without a language.
pub(crate) fn string(term: &Term) -> Option<&str> {
    match term {
        Term::Literal(literal)
            if literal.language().is_some() || literal.datatype() == oxrdf::vocab::xsd::STRING =>
        {
            Some(literal.value())
        }
        _ => None,
    }
}

/// The fewest insertions, deletions and replacements of characters that turn one string into the other. `None` if a
/// string is too long or the evaluation was cancelled.
fn levenshtein(left: &str, right: &str, cancellation: &CancellationToken) -> Option<usize> {
    let (mut left, mut right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    while let (Some(l), Some(r)) = (left.last(), right.last())
        && l == r
    {
        left.pop();
        right.pop();
    }
    let same = left.iter().zip(&right).take_while(|(l, r)| l == r).count();
    let (left, right) = (&left[same..], &right[same..]);
    if left.len().max(right.len()) > LONGEST {
        return None;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.iter().enumerate() {
        if cancellation.is_cancelled() {
            return None;
        }
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, r) in right.iter().enumerate() {
            let edits = (diagonal + usize::from(l != r)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], edits);
        }
    }
    row.last().copied()
}

/// The blank node for a string in one solution, which is identified by its mark.
fn blank_node(arguments: &[Term]) -> Option<Term> {
    let [mark, text] = arguments else { return None };
    let digest = Md5::new().chain_update(string(mark)?).chain_update(string(text)?).finalize();
    Some(BlankNode::new_from_unique_id(u128::from_be_bytes(digest.into())).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use evalgraph_diagnostics::Diagnostic;

    #[test]
    fn the_distance_counts_characters() {
        let cancellation = CancellationToken::new();
        let distance = |left: &str, right: &str| levenshtein(left, right, &cancellation);
        assert_eq!(distance("kitten", "sitting"), Some(3));
        assert_eq!(distance("", "äöü"), Some(3));
        assert_eq!(distance("Straße", "Strasse"), Some(2));
        assert_eq!(distance("same", "same"), Some(0));
        assert_eq!(distance("ab", "ba"), Some(2));
    }

    #[test]
    fn a_member_is_a_string_of_an_object() {
        let found = |text: &str, key: &str| {
            let arguments = [text, key].map(|text| Term::from(Literal::new_simple_literal(text)));
            member(&arguments).map(|term| term.to_string())
        };
        let person = r#" {"name": "Zo\u00eb \"Z\" \u00d6z", "at": {"name": "Delft"}, "age": 41}"#;
        assert_eq!(found(person, "name").as_deref(), Some(r#""Zoë \"Z\" Öz""#));
        for (text, key) in [
            (person, "age"),
            (person, "at"),
            (person, "url"),
            ("Zoë", "name"),
            ("[{}]", "name"),
            ("{", "name"),
        ] {
            assert_eq!(found(text, key), None, "{text}: {key}");
        }
    }

    #[test]
    fn what_takes_too_long_has_no_distance() {
        let cancellation = CancellationToken::new();
        let (long, other) = ("a".repeat(LONGEST + 1), "b".repeat(LONGEST + 1));
        assert_eq!(levenshtein(&long, &other, &cancellation), None);
        cancellation.cancel(Diagnostic::error("sparql::cancelled", "enough"));
        assert_eq!(levenshtein("kitten", "sitting", &cancellation), None);
    }
}
