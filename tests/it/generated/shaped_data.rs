//! Data for shapes to look at, over few terms: instances and subclasses, cycles, lists, and literals of many datatypes, well
//! formed and not.

use super::choices::Choices;
use std::collections::BTreeSet;

pub(crate) const CLASSES: [&str; 4] = ["<e:C>", "<e:D>", "<e:E>", "<e:F>"];
pub(crate) const PREDICATES: [&str; 4] = ["<e:p>", "<e:q>", "<e:r>", "<e:s>"];
pub(crate) const NODES: [&str; 7] = ["<e:a>", "<e:b>", "<e:c>", "<e:d>", "<e:p>", "_:x", "_:y"];
pub(crate) const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
pub(crate) const RDFS: &str = "http://www.w3.org/2000/01/rdf-schema#";

/// Subclasses with their classes, and some that come back to themselves.
const SUBCLASSES: [(&str, &str); 6] = [
    ("<e:C>", "<e:D>"),
    ("<e:C>", "<e:E>"),
    ("<e:D>", "<e:E>"),
    ("<e:D>", "<e:F>"),
    ("<e:E>", "<e:F>"),
    ("_:x", "<e:C>"),
];
const CIRCLES: [(&str, &str); 3] = [("<e:F>", "<e:C>"), ("<e:E>", "<e:D>"), ("<e:C>", "<e:C>")];

/// Lexical forms with their datatypes below `xsd:`; a tag of a language begins with `@`, another datatype with `<`.
const LITERALS: [(&str, &str); 51] = [
    ("1", "integer"),
    ("01", "integer"),
    ("2", "integer"),
    ("10", "integer"),
    ("-3", "integer"),
    ("x", "integer"),
    ("1.0", "integer"),
    ("1.0", "decimal"),
    ("2.5", "decimal"),
    ("1e0", "decimal"),
    ("1", "double"),
    ("1.5E0", "double"),
    ("NaN", "double"),
    ("INF", "double"),
    ("2", "float"),
    ("true", "boolean"),
    ("0", "boolean"),
    ("maybe", "boolean"),
    ("7", "byte"),
    ("300", "byte"),
    ("-1", "nonNegativeInteger"),
    ("5", "nonNegativeInteger"),
    ("2025-01-02T03:04:05Z", "dateTime"),
    ("2025-01-02T03:04:05", "dateTime"),
    ("2025-01-02T03:04:05.500+02:00", "dateTime"),
    ("2025-01-02", "date"),
    ("2025-02-30", "date"),
    ("2024-12-31Z", "date"),
    ("03:04:05", "time"),
    ("P1D", "dayTimeDuration"),
    ("P1Y", "duration"),
    ("2025", "gYear"),
    ("0FB7", "hexBinary"),
    ("0F7", "hexBinary"),
    ("99999999999999999999.5", "decimal"),
    ("99999999999999999999", "integer"),
    ("inf", "double"),
    ("P1DT", "dayTimeDuration"),
    ("P1M", "yearMonthDuration"),
    ("2025-01-02T03:04:05", "dateTimeStamp"),
    ("\u{1f600}", ""),
    ("http://example.org/", "anyURI"),
    ("a", ""),
    ("b", ""),
    ("", ""),
    ("1", ""),
    ("abc\\ndef", ""),
    ("a", "@en"),
    ("b", "@en-gb"),
    ("a", "@de"),
    ("1", "<e:datatype>"),
];

/// The lines of a graph in N-Triples, each once.
pub(crate) fn lines(choices: &mut Choices<'_>) -> Vec<String> {
    let count = 4 + choices.below(choices.clone().pick(&[6, 14, 30]));
    let mut lines: BTreeSet<String> = (0..count).map(|_| statement(choices)).collect();
    for _ in 0..choices.below(4) {
        let (class, other) =
            if choices.once_in(8) { choices.pick(&CIRCLES) } else { choices.pick(&SUBCLASSES) };
        lines.insert(format!("{class} <{RDFS}subClassOf> {other} ."));
    }
    if choices.once_in(4) {
        let node = choices.pick(&NODES);
        lines.insert(format!("{node} {} _:list0 .", choices.pick(&PREDICATES)));
        let count = 1 + choices.below(3);
        for place in 0..count {
            lines.insert(format!("_:list{place} <{RDF}first> {} .", object(choices)));
            let rest = if place + 1 < count { format!("_:list{}", place + 1) } else { format!("<{RDF}nil>") };
            lines.insert(format!("_:list{place} <{RDF}rest> {rest} ."));
        }
    }
    lines.into_iter().collect()
}

fn statement(choices: &mut Choices<'_>) -> String {
    let node = choices.pick(&NODES);
    if choices.below(8) < 3 {
        let class = if choices.once_in(12) { object(choices) } else { choices.pick(&CLASSES).to_owned() };
        return format!("{node} <{RDF}type> {class} .");
    }
    format!("{node} {} {} .", choices.pick(&PREDICATES), object(choices))
}

fn object(choices: &mut Choices<'_>) -> String {
    if choices.once_in(2) { literal(choices) } else { choices.pick(&NODES).to_owned() }
}

/// A literal in the syntax of N-Triples.
pub(crate) fn literal(choices: &mut Choices<'_>) -> String {
    let (lexical, kind) = choices.pick(&LITERALS);
    match kind {
        "" => format!("\"{lexical}\""),
        tag if tag.starts_with('@') => format!("\"{lexical}\"{tag}"),
        datatype if datatype.starts_with('<') => format!("\"{lexical}\"^^{datatype}"),
        datatype => format!("\"{lexical}\"^^<http://www.w3.org/2001/XMLSchema#{datatype}>"),
    }
}
