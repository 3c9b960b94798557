//! The functions of SPARQL 1.1, section 17.4, and our own.

use std::fmt::Write as _;

use md5::{Digest, Md5};
use oxiri::Iri;
use oxrdf::vocab::rdf;
use oxrdf::{Literal, NamedNode, Term};
use oxsdatatypes::TimezoneOffset;
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};
use spargebra::algebra::Function;

use super::cast::cast;
use super::functions;
use super::numeral::Numeral;
use super::text::{Text, encoded_for_uri, in_language, is_in_range, substring};
use super::time::{Moment, Span};
use super::value::{Value, is_numeric};
use super::{Item, Node, RowExpression};
use crate::sparql::expression::matching::{LONGEST_TEXT, note_length};

impl RowExpression<'_, '_> {
    /// The result of a function in a row.
    pub(super) fn call(&self, function: &Function, arguments: &[Node<'_>], row: usize) -> Option<Item> {
        use Function as F;
        match function {
            F::Abs | F::Ceil | F::Floor | F::Round => {
                self.of_number(function, arguments, row).map(Item::Made)
            }
            F::Year
            | F::Month
            | F::Day
            | F::Hours
            | F::Minutes
            | F::Seconds
            | F::Timezone
            | F::Tz
            | F::Adjust => self.of_moment(function, arguments, row).map(Item::Made),
            F::Md5 | F::Sha1 | F::Sha256 | F::Sha384 | F::Sha512 => {
                self.of_digest(function, arguments, row).map(Item::Made)
            }
            F::LangMatches
            | F::Concat
            | F::SubStr
            | F::StrLen
            | F::UCase
            | F::LCase
            | F::EncodeForUri
            | F::Contains
            | F::StrStarts
            | F::StrEnds
            | F::StrBefore
            | F::StrAfter => self.of_text(function, arguments, row).map(Item::Made),
            _ => self.of_term(function, arguments, row),
        }
    }

    /// Functions on terms (sections 17.4.2 and 17.4.3.14 and 15), casts and our own.
    fn of_term(&self, function: &Function, arguments: &[Node<'_>], row: usize) -> Option<Item> {
        let item = |at: usize| self.item(arguments.get(at)?, row);
        let value = |at: usize| self.value_of(arguments.get(at)?, row);
        let plain = |at: usize| match self.value_of(arguments.get(at)?, row)? {
            Value::String(text) => Some(text),
            _ => None,
        };
        Some(Item::Made(match function {
            Function::Str => match self.term(item(0)?) {
                Term::NamedNode(node) => Value::String(node.into_string()),
                Term::Literal(literal) => Value::String(literal.destruct().0),
                Term::BlankNode(_) => return None,
            },
            Function::Lang => match self.term(item(0)?) {
                Term::Literal(literal) => Value::String(literal.language().unwrap_or_default().to_owned()),
                _ => return None,
            },
            Function::Datatype => match self.term(item(0)?) {
                Term::Literal(literal) if literal.language().is_some() => {
                    Value::Iri(rdf::LANG_STRING.as_str().to_owned())
                }
                Term::Literal(literal) => Value::Iri(literal.datatype().as_str().to_owned()),
                _ => return None,
            },
            Function::Iri => match value(0)? {
                Value::Iri(_) => return item(0),
                Value::String(text) => Value::Iri(self.resolved(text)?),
                _ => return None,
            },
            Function::StrLang => {
                let literal = Literal::new_language_tagged_literal(plain(0)?, plain(1)?).ok()?;
                Value::of(literal.into())
            }
            Function::StrDt => {
                let (text, datatype) = (plain(0)?, value(1)?);
                let Value::Iri(datatype) = datatype else { return None };
                // As it is written, whatever its value.
                let literal = Literal::new_typed_literal(text, NamedNode::new_unchecked(datatype));
                return Some(self.written(literal.into()));
            }
            Function::IsIri => Value::Boolean(matches!(self.term(item(0)?), Term::NamedNode(_))),
            Function::IsBlank => Value::Boolean(matches!(self.term(item(0)?), Term::BlankNode(_))),
            Function::IsLiteral => Value::Boolean(matches!(self.term(item(0)?), Term::Literal(_))),
            Function::IsNumeric => Value::Boolean(match self.term(item(0)?) {
                Term::Literal(literal) => is_numeric(literal.as_ref()),
                _ => false,
            }),
            Function::Regex => {
                let terms = self.terms(arguments, row)?;
                return self.patterns[0].regex(&terms).map(|term| self.written(term));
            }
            Function::Replace => {
                let terms = self.terms(arguments, row)?;
                return self.patterns[1]
                    .replace(&terms, self.context.cancellation)
                    .map(|term| self.written(term));
            }
            Function::Custom(name) => {
                if super::is_cast(name.as_ref()) && arguments.len() == 1 {
                    return cast(value(0)?, name.as_ref()).map(Item::Made);
                }
                let terms = self.terms(arguments, row)?;
                let files = self.context.files;
                return functions::call(name, &terms, files, self.context.cancellation)
                    .map(|term| self.written(term));
            }
            _ => return None,
        }))
    }

    /// Functions on numbers (section 17.4.4).
    fn of_number(&self, function: &Function, arguments: &[Node<'_>], row: usize) -> Option<Value> {
        let number = |at: usize| match self.value_of(arguments.get(at)?, row)? {
            Value::Number(number) => Some(number),
            _ => None,
        };
        Some(match function {
            Function::Abs => Value::Number(number(0)?.absolute()?),
            Function::Ceil => Value::Number(number(0)?.ceiling()?),
            Function::Floor => Value::Number(number(0)?.floor()?),
            Function::Round => Value::Number(number(0)?.rounded()?),
            _ => return None,
        })
    }

    /// Functions on strings (section 17.4.3).
    fn of_text(&self, function: &Function, arguments: &[Node<'_>], row: usize) -> Option<Value> {
        let text = |at: usize| Text::of(self.value_of(arguments.get(at)?, row)?);
        let plain = |at: usize| match self.value_of(arguments.get(at)?, row)? {
            Value::String(text) => Some(text),
            _ => None,
        };
        let integer = |at: usize| match self.value_of(arguments.get(at)?, row)? {
            Value::Number(Numeral::Integer(value)) => Some(i64::from(value)),
            _ => None,
        };
        let changed = |change: &dyn Fn(&str) -> String| {
            let changed = |text: &str, language: Option<&str>| in_language(change(text), language);
            self.with_text(arguments.first()?, row, changed)
        };
        // Two texts of which the second may be looked for in the first.
        let texts = || {
            let (text, part) = (text(0)?, text(1)?);
            text.takes(&part).then_some((text, part.text))
        };
        Some(match function {
            Function::LangMatches => Value::Boolean(is_in_range(&plain(0)?, &plain(1)?)),
            Function::Concat => self.concatenated(arguments, row)?,
            Function::SubStr => {
                let start = integer(1)?;
                let length = match arguments.len() {
                    2 => None,
                    _ => Some(integer(2)?),
                };
                changed(&|text| substring(text, start, length))?
            }
            Function::StrLen => {
                let length = self.with_text(arguments.first()?, row, |text, _| text.chars().count())?;
                Value::Number(Numeral::Integer(i64::try_from(length).ok()?.into()))
            }
            Function::UCase => changed(&|text| text.to_uppercase())?,
            Function::LCase => changed(&|text| text.to_lowercase())?,
            Function::EncodeForUri => Value::String(encoded_for_uri(&text(0)?.text)),
            Function::Contains => {
                let (text, part) = texts()?;
                Value::Boolean(text.text.contains(&part))
            }
            Function::StrStarts => {
                let (text, part) = texts()?;
                Value::Boolean(text.text.starts_with(&part))
            }
            Function::StrEnds => {
                let (text, part) = texts()?;
                Value::Boolean(text.text.ends_with(&part))
            }
            Function::StrBefore => {
                let (text, part) = texts()?;
                match text.text.find(&part).map(|at| text.text[..at].to_owned()) {
                    Some(before) => text.with(before),
                    None => Value::String(String::new()),
                }
            }
            Function::StrAfter => {
                let (text, part) = texts()?;
                match text.text.find(&part).map(|at| text.text[at + part.len()..].to_owned()) {
                    Some(after) => text.with(after),
                    None => Value::String(String::new()),
                }
            }
            _ => return None,
        })
    }

    /// Functions on dates and times (section 17.4.5).
    fn of_moment(&self, function: &Function, arguments: &[Node<'_>], row: usize) -> Option<Value> {
        let Value::Moment(moment) = self.value_of(arguments.first()?, row)? else { return None };
        let whole = |value: i64| Value::Number(Numeral::Integer(value.into()));
        Some(match function {
            Function::Year => whole(moment.year()?),
            Function::Month => whole(moment.month()?),
            Function::Day => whole(moment.day()?),
            Function::Hours => whole(moment.hours()?),
            Function::Minutes => whole(moment.minutes()?),
            Function::Seconds => Value::Number(Numeral::Decimal(moment.seconds()?)),
            Function::Timezone => Value::Span(Span::DayTime(moment.timezone()?)),
            Function::Tz => {
                let offset = moment.offset();
                Value::String(offset.map_or_else(String::new, |offset| offset.to_string()))
            }
            Function::Adjust => {
                Value::Moment(Self::adjusted(moment, self.value_of(arguments.get(1)?, row)?)?)
            }
            _ => return None,
        })
    }

    /// Hash functions (section 17.4.6).
    fn of_digest(&self, function: &Function, arguments: &[Node<'_>], row: usize) -> Option<Value> {
        let digest = match function {
            Function::Md5 => digest::<Md5>,
            Function::Sha1 => digest::<Sha1>,
            Function::Sha256 => digest::<Sha256>,
            Function::Sha384 => digest::<Sha384>,
            _ => digest::<Sha512>,
        };
        let digested = |text: &str, language: Option<&str>| language.is_none().then(|| digest(text));
        self.with_text(arguments.first()?, row, digested).flatten().map(Value::String)
    }

    /// A term that keeps its lexical form.
    fn written(&self, term: Term) -> Item {
        Item::Known(self.context.view.intern(term))
    }

    fn terms(&self, arguments: &[Node<'_>], row: usize) -> Option<Vec<Term>> {
        arguments.iter().map(|argument| self.item(argument, row).map(|item| self.term(item))).collect()
    }

    fn resolved(&self, text: String) -> Option<String> {
        let iri = match self.context.base {
            Some(base) => base.resolve(&text).ok()?,
            None => Iri::parse(text).ok()?,
        };
        Some(iri.into_inner())
    }

    /// CONCAT: the language of all texts, if it is one.
    fn concatenated(&self, arguments: &[Node<'_>], row: usize) -> Option<Value> {
        let mut joined = String::new();
        let mut language: Option<Option<String>> = None;
        for argument in arguments {
            let text = Text::of(self.value_of(argument, row)?)?;
            joined.push_str(&text.text);
            if joined.len() > LONGEST_TEXT {
                note_length(self.context.remarks);
                return None;
            }
            language = match language {
                None => Some(text.language),
                Some(own) => Some(own.filter(|own| {
                    text.language.as_ref().is_some_and(|other| own.eq_ignore_ascii_case(other))
                })),
            };
        }
        Some(match language.flatten() {
            Some(language) => Value::LanguageString(joined, language),
            None => Value::String(joined),
        })
    }

    /// ADJUST (SPARQL Extension Proposal 2): a moment with another offset; an empty text takes the offset away.
    fn adjusted(moment: Moment, offset: Value) -> Option<Moment> {
        match offset {
            Value::Span(Span::DayTime(offset)) => {
                moment.adjusted(Some(TimezoneOffset::try_from(offset).ok()?))
            }
            Value::Span(Span::Duration(offset)) => {
                moment.adjusted(Some(TimezoneOffset::try_from(offset).ok()?))
            }
            Value::String(text) if text.is_empty() => moment.adjusted(None),
            _ => None,
        }
    }
}

/// A digest in hexadecimal digits.
fn digest<D: Digest>(text: &str) -> String {
    let mut digits = String::new();
    for byte in D::digest(text) {
        // Text always takes what is written.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
