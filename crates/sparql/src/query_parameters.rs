//! Parameters of queries as given on the command line, `name=TERM`: a term in SPARQL notation, or a bare string. They
//! are put into the query as terms, never as text.

use std::fmt;

use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNode, NamedNodeRef, Term};
use oxsdatatypes::{Date, DateTime};

use super::text::prefixes::QueryPrefixes;
use super::text::tokens::{SparqlToken, SparqlTokenKind, tokenize};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_rdf::short_forms::has_short_form;

/// The type that a named query declares for a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterType {
    /// Any string.
    String,
    /// A whole number.
    Integer,
    /// A number with a fraction.
    Decimal,
    /// `true` or `false`.
    Boolean,
    /// An IRI, in angle brackets, with a prefix or bare.
    Iri,
    /// A date, `2025-01-31`.
    Date,
    /// A date with a time of day, `2025-01-31T12:00:00Z`.
    DateTime,
}

/// The name of each type, the datatype of its literals and an example, in the order of [`ParameterType::ALL`].
const FACTS: [(&str, Option<NamedNodeRef<'static>>, &str); 7] = [
    ("string", Some(xsd::STRING), "\"text\""),
    ("integer", Some(xsd::INTEGER), "10"),
    ("decimal", Some(xsd::DECIMAL), "0.5"),
    ("boolean", Some(xsd::BOOLEAN), "true"),
    ("iri", None, "<http://example.org/1>"),
    ("date", Some(xsd::DATE), "2025-01-31"),
    ("dateTime", Some(xsd::DATE_TIME), "2025-01-31T12:00:00Z"),
];

impl ParameterType {
    /// Every type, in the order of the documentation.
    pub const ALL: [Self; 7] =
        [Self::String, Self::Integer, Self::Decimal, Self::Boolean, Self::Iri, Self::Date, Self::DateTime];

    /// The type by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// The name as written in the header of a query.
    pub fn name(self) -> &'static str {
        FACTS[self as usize].0
    }

    fn datatype(self) -> Option<NamedNodeRef<'static>> {
        FACTS[self as usize].1
    }

    fn example(self) -> &'static str {
        FACTS[self as usize].2
    }

    fn accepts(self, text: &str) -> bool {
        let is = |datatype: NamedNodeRef<'_>| has_short_form(text, datatype.as_str());
        match self {
            Self::String => true,
            Self::Integer => is(xsd::INTEGER),
            Self::Decimal => is(xsd::INTEGER) || is(xsd::DECIMAL),
            Self::Boolean => is(xsd::BOOLEAN),
            Self::Iri => NamedNode::new(text).is_ok(),
            Self::Date => text.parse::<Date>().is_ok(),
            Self::DateTime => text.parse::<DateTime>().is_ok(),
        }
    }
}

impl fmt::Display for ParameterType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A variable of a query and the text given for it, not yet read as a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryParameter {
    /// The name of the variable, without `?`.
    pub name: String,
    /// The text after `=`.
    pub text: String,
}

impl QueryParameter {
    /// Splits `name=TERM`; a leading `?` or `$` of the name is left out.
    ///
    /// # Errors
    ///
    /// If `=` is missing, or the text before it cannot be the name of a variable.
    pub fn parse(argument: &str) -> Result<Self, Box<Diagnostic>> {
        let Some((name, text)) = argument.split_once('=') else {
            return Err(Diagnostic::error(
                "sparql::parameter",
                format!("`{argument}` is not a parameter: `=` is missing"),
            )
            .with_help("write `-p name=TERM`, for example `-p keyword=\"oncology\"`")
            .into());
        };
        let name = name.trim().trim_start_matches(['?', '$']);
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return Err(Diagnostic::error("sparql::parameter", format!("`{name}` cannot name a variable"))
                .with_help("write `-p name=TERM`")
                .into());
        }
        Ok(Self { name: name.to_owned(), text: text.to_owned() })
    }

    /// Reads the text as a term: in SPARQL notation, else as a bare value of the declared type,
    /// else as a string.
    ///
    /// # Errors
    ///
    /// If the text is not a value of the declared type, or if a quoted string or an IRI is malformed.
    pub fn term(
        &self,
        declared: Option<ParameterType>,
        prefixes: &QueryPrefixes,
    ) -> Result<Term, Box<Diagnostic>> {
        let text = self.text.trim();
        let Some(expected) = declared else { return self.any_term(text, prefixes) };
        if expected == ParameterType::Iri {
            return self.iri_term(text, prefixes);
        }
        let term = match text.chars().next() {
            Some('"' | '\'') => self.any_term(text, prefixes)?,
            _ => Term::from(Literal::new_simple_literal(&self.text)),
        };
        let Term::Literal(literal) = term else { return Err(self.is_not(expected)) };
        let is_plain = literal.datatype() == xsd::STRING;
        let datatype = expected.datatype().unwrap_or(xsd::STRING);
        if expected == ParameterType::String || literal.datatype() == datatype {
            return Ok(literal.into());
        }
        let value = literal.value().trim();
        if !is_plain || !expected.accepts(value) {
            return Err(self.is_not(expected));
        }
        Ok(Literal::new_typed_literal(value, datatype).into())
    }

    fn is_not(&self, expected: ParameterType) -> Box<Diagnostic> {
        let message =
            format!("the parameter `{}` is of type {expected}, and `{}` is not", self.name, self.text);
        Diagnostic::error("sparql::parameter-type", message)
            .with_help(format!("write for example `-p {}={}`", self.name, expected.example()))
            .into()
    }

    fn iri_term(&self, text: &str, prefixes: &QueryPrefixes) -> Result<Term, Box<Diagnostic>> {
        let is_known_prefix =
            text.split_once(':').is_some_and(|(prefix, _)| prefixes.namespace(prefix).is_some());
        if text.starts_with('<') || is_known_prefix {
            return self.any_term(text, prefixes);
        }
        NamedNode::new(text).map(Term::from).map_err(|_| self.is_not(ParameterType::Iri))
    }

    fn any_term(&self, text: &str, prefixes: &QueryPrefixes) -> Result<Term, Box<Diagnostic>> {
        let tokens = tokenize(text);
        if let [token, rest @ ..] = tokens.as_slice() {
            let word = &text[token.span.clone()];
            match (token.kind, rest) {
                (SparqlTokenKind::String, rest) => return self.quoted(text, word, rest, prefixes),
                (SparqlTokenKind::UnclosedString, _) => return Err(self.malformed("its quote is not closed")),
                (SparqlTokenKind::Iri, []) => return self.iri(&word[1..word.len() - 1]),
                (SparqlTokenKind::PrefixedName, []) if prefixes.namespace(prefix_of(word)).is_some() => {
                    return self.prefixed(word, prefixes);
                }
                _ => {}
            }
            // Anything in angle brackets was meant as an IRI.
            if text.starts_with('<') && text.ends_with('>') {
                return Err(self.malformed("it is not an IRI"));
            }
        }
        Ok(bare(text, &self.text))
    }

    fn quoted(
        &self,
        text: &str,
        word: &str,
        rest: &[SparqlToken],
        prefixes: &QueryPrefixes,
    ) -> Result<Term, Box<Diagnostic>> {
        let quotes = if word.starts_with("\"\"\"") || word.starts_with("'''") { 3 } else { 1 };
        let value = unescape(&word[quotes..word.len() - quotes])
            .ok_or_else(|| self.malformed("an escape sequence is wrong"))?;
        match rest {
            [] => Ok(Literal::new_simple_literal(value).into()),
            [tag] if tag.kind == SparqlTokenKind::LanguageTag => {
                Literal::new_language_tagged_literal(value, &text[tag.span.start + 1..tag.span.end])
                    .map(Term::from)
                    .map_err(|_| self.malformed("the language tag is wrong"))
            }
            [carets, datatype] if &text[carets.span.clone()] == "^^" => {
                let name = &text[datatype.span.clone()];
                let datatype = match datatype.kind {
                    SparqlTokenKind::Iri => self.iri(&name[1..name.len() - 1])?,
                    SparqlTokenKind::PrefixedName => self.prefixed(name, prefixes)?,
                    _ => return Err(self.malformed("an IRI is expected after `^^`")),
                };
                let Term::NamedNode(datatype) = datatype else {
                    return Err(self.malformed("an IRI is expected after `^^`"));
                };
                Ok(Literal::new_typed_literal(value, datatype).into())
            }
            _ => Err(self.malformed("only a language or a datatype can follow the quoted string")),
        }
    }

    fn iri(&self, iri: &str) -> Result<Term, Box<Diagnostic>> {
        NamedNode::new(iri).map(Term::from).map_err(|_| self.malformed("it is not an absolute IRI"))
    }

    fn prefixed(&self, name: &str, prefixes: &QueryPrefixes) -> Result<Term, Box<Diagnostic>> {
        let prefix = prefix_of(name);
        let Some(namespace) = prefixes.namespace(prefix) else {
            let message = format!("the prefix `{prefix}:` of the parameter `{}` is not declared", self.name);
            let error = Diagnostic::error("sparql::undeclared-prefix", message);
            let nearest = nearest(prefix, prefixes.iter().map(|(known, _)| known));
            return Err(match nearest {
                Some(name) => error.with_help(format!("did you mean `{name}:`?")).into(),
                None => error.into(),
            });
        };
        let local: String = name[prefix.len() + 1..].replace('\\', "");
        self.iri(&format!("{namespace}{local}"))
    }

    fn malformed(&self, why: &str) -> Box<Diagnostic> {
        let message =
            format!("the value `{}` of the parameter `{}` cannot be read: {why}", self.text, self.name);
        Diagnostic::error("sparql::parameter", message).with_help(
            "a value is written as in SPARQL: `\"text\"`, `\"text\"@en`, `\"2025-01-31\"^^xsd:date`, `<iri>`, `10`",
        ).into()
    }
}

fn prefix_of(name: &str) -> &str {
    name.split(':').next().unwrap_or_default()
}

/// A value without quotes and brackets: a number, a boolean, else a string as it was given.
fn bare(text: &str, given: &str) -> Term {
    let datatypes = [xsd::BOOLEAN, xsd::INTEGER, xsd::DECIMAL, xsd::DOUBLE];
    match datatypes.into_iter().find(|datatype| has_short_form(text, datatype.as_str())) {
        Some(datatype) => Literal::new_typed_literal(text, datatype).into(),
        None => Literal::new_simple_literal(given).into(),
    }
}

/// The escape sequences of SPARQL strings.
fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(match characters.next()? {
            't' => '\t',
            'b' => '\u{8}',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{c}',
            'u' => code_point(&mut characters, 4)?,
            'U' => code_point(&mut characters, 8)?,
            c @ ('"' | '\'' | '\\') => c,
            _ => return None,
        });
    }
    Some(out)
}

fn code_point(characters: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let hexadecimal: String = characters.by_ref().take(digits).collect();
    if hexadecimal.len() != digits {
        return None;
    }
    u32::from_str_radix(&hexadecimal, 16).ok().and_then(char::from_u32)
}
