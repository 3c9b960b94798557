//! Quads over few terms, so that patterns join: structure alone, with plain literals, or with literals whose
//! spelling, datatype and value are three things.

use super::choices::Choices;
use std::collections::BTreeMap;

/// A case for an engine of RDF: data and a request, which are made smaller separately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Case {
    /// Lines of N-Quads. What is in no graph is in the default graph of the first document.
    pub(crate) lines: Vec<String>,
    /// A query or an update.
    pub(crate) text: String,
    /// `true` if the default graph is the union of all graphs.
    pub(crate) union: bool,
}

/// A quad in the syntax of N-Quads, term by term; the default graph is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) subject: String,
    pub(crate) predicate: String,
    pub(crate) object: String,
    pub(crate) graph: String,
}

/// Which objects there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Literals {
    /// None.
    No,
    /// In canonical form, one kind of each.
    Plain,
    /// As files have them.
    Rich,
}

/// The quads that queries are made over.
#[derive(Debug, Clone)]
pub(crate) struct Data {
    pub(crate) statements: Vec<Statement>,
    pub(crate) literals: Literals,
}

pub(crate) const PREDICATES: [&str; 4] = ["<e:p>", "<e:q>", "<e:r>", "<e:s>"];
pub(crate) const GRAPHS: [&str; 3] = ["<e:g>", "<e:h>", "_:g"];
const NODES: [&str; 7] = ["<e:a>", "<e:b>", "<e:c>", "<e:d>", "<e:p>", "_:x", "_:y"];

/// Lexical forms with their datatypes below `xsd:`; a tag of a language begins with `@`.
const PLAIN: [(&str, &str); 10] = [
    ("1", "integer"),
    ("2", "integer"),
    ("10", "integer"),
    ("1.5", "decimal"),
    ("true", "boolean"),
    ("2025-01-02T03:04:05Z", "dateTime"),
    ("a", ""),
    ("b", ""),
    ("1", ""),
    ("a", "@en"),
];
const RICH: [(&str, &str); 26] = [
    ("1", "integer"),
    ("01", "integer"),
    ("-0", "integer"),
    ("2", "integer"),
    ("x", "integer"),
    ("1.50", "decimal"),
    ("1.0", "decimal"),
    ("2.5", "decimal"),
    ("1", "double"),
    ("1.5E0", "double"),
    ("NaN", "double"),
    ("INF", "double"),
    ("0", "boolean"),
    ("false", "boolean"),
    ("2025-01-02T03:04:05Z", "dateTime"),
    ("2025-01-02T03:04:05+00:00", "dateTime"),
    ("2025-01-02T03:04:05.500+02:00", "dateTime"),
    ("2025-01-02", "date"),
    ("7", "byte"),
    ("05", "nonNegativeInteger"),
    ("a", ""),
    ("", ""),
    ("B c", ""),
    ("a", "@en"),
    ("a", "@en-gb"),
    ("2", "token"),
];

impl Data {
    pub(crate) fn draw(choices: &mut Choices<'_>) -> Self {
        let literals = choices.pick(&[Literals::No, Literals::Plain, Literals::Plain, Literals::Rich]);
        let count = 3 + choices.below(choices.clone().pick(&[6, 12, 37]));
        let statements = (0..count).map(|_| statement(choices, literals)).collect();
        Self { statements, literals }
    }

    /// As lines of N-Quads, each once.
    pub(crate) fn lines(&self) -> Vec<String> {
        let line = |statement: &Statement| {
            let Statement { subject, predicate, object, graph } = statement;
            format!("{subject} {predicate} {object} {graph} .")
        };
        self.statements
            .iter()
            .map(|statement| (line(statement), ()))
            .collect::<BTreeMap<_, _>>()
            .into_keys()
            .collect()
    }

    pub(crate) fn pick(&self, choices: &mut Choices<'_>) -> Statement {
        self.statements[choices.below(self.statements.len())].clone()
    }
}

/// Each quad takes five numbers, so that one can go without the others changing.
fn statement(choices: &mut Choices<'_>, literals: Literals) -> Statement {
    let subject = choices.pick(&NODES).to_owned();
    let predicate = choices.pick(&PREDICATES).to_owned();
    let (is_literal, number) =
        (choices.below(5) < 2 && literals != Literals::No, choices.below(usize::from(u16::MAX)));
    let object = match literals {
        Literals::Rich if is_literal => literal(RICH[number % RICH.len()]),
        Literals::Plain if is_literal => literal(PLAIN[number % PLAIN.len()]),
        _ => NODES[number % NODES.len()].to_owned(),
    };
    let graph = choices.pick(&["", "", "", "", "<e:g>", "<e:g>", "<e:h>", "_:g"]).to_owned();
    Statement { subject, predicate, object, graph }
}

/// In the syntax of N-Triples.
fn literal((lexical, kind): (&str, &str)) -> String {
    match kind {
        "" => format!("\"{lexical}\""),
        tag if tag.starts_with('@') => format!("\"{lexical}\"{tag}"),
        datatype => format!("\"{lexical}\"^^<http://www.w3.org/2001/XMLSchema#{datatype}>"),
    }
}

/// A term of any kind, in no relation to the data.
pub(crate) fn any_term(choices: &mut Choices<'_>, literals: Literals) -> String {
    match literals {
        Literals::Rich if choices.once_in(2) => literal(choices.pick(&RICH)),
        Literals::Plain if choices.once_in(2) => literal(choices.pick(&PLAIN)),
        _ => choices.pick(&["<e:a>", "<e:b>", "<e:p>", "<e:nowhere>"]).to_owned(),
    }
}
