//! Conditions over the numbers, kinds and texts of terms, without a copy of any: what each row's truth is, as far as these
//! decide it. `spareval` is asked about the other rows ([`values`](super::values)).

use std::borrow::Cow;
use std::cmp::Ordering;
use std::slice::SliceIndex;

use oxrdf::Variable;
use regex::Regex;
use spareval::ExpressionTerm;
use spargebra::algebra::{Expression, Function};

use super::context::{Engine, known};
use super::limits::Unfit;
use super::numerals::Numeral;
use super::table::{Number, Table};
use crate::sparql::matching::xpath_regex;
use crate::store::{Kind, TermId};

/// The effective boolean value of a condition in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    True,
    False,
    Error,
    /// More than numbers, kinds and texts decides it.
    Unknown,
}

impl From<bool> for Truth {
    fn from(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

impl Truth {
    fn not(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            other => other,
        }
    }

    /// The truth tables of section 17.2.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::False, _) | (_, Self::False) => Self::False,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Error, _) | (_, Self::Error) => Self::Error,
            _ => Self::True,
        }
    }

    fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }
}

type Test<'t> = Box<dyn Fn(usize) -> Truth + 't>;
type Operand<'t> = Box<dyn Fn(usize) -> Option<TermId> + 't>;

/// A text that a function looks at; `Err` where there is none, or it is not known here.
type Text<'t> = Box<dyn Fn(usize) -> Result<Cow<'t, str>, Truth> + 't>;

/// The integer that an expression has in a row, if any; none where that is not known here.
type Integer<'t> = Box<dyn Fn(usize) -> Option<Option<i64>> + 't>;

impl<'e> Engine<'e, '_> {
    /// The truth of a condition in each row; none where nothing of it is decided here.
    pub(super) fn test<'t>(&'t self, expression: &'t Expression, table: &'t Table) -> Option<Test<'t>> {
        let test = |expression: &'t Expression| self.test(expression, table);
        Some(match expression {
            Expression::Bound(variable) => {
                let numbers = self.numbers_of(variable, table);
                Box::new(move |row| numbers.is_some_and(|numbers| numbers[row] != 0).into())
            }
            Expression::Not(inner) => {
                let inner = test(inner)?;
                Box::new(move |row| inner(row).not())
            }
            Expression::And(left, right) => {
                let (left, right) = (test(left)?, test(right)?);
                Box::new(move |row| left(row).and(right(row)))
            }
            Expression::Or(left, right) => {
                let (left, right) = (test(left)?, test(right)?);
                Box::new(move |row| left(row).or(right(row)))
            }
            Expression::SameTerm(left, right) => {
                let (left, right) = (self.operand(left, table)?, self.operand(right, table)?);
                Box::new(move |row| match left(row).zip(right(row)) {
                    Some((left, right)) => (left == right).into(),
                    None => Truth::Error,
                })
            }
            Expression::Equal(left, right)
                if let (Some(left), Some(right)) = (self.plain(left, table), self.plain(right, table)) =>
            {
                Box::new(move |row| match (left(row), right(row)) {
                    (Ok(left), Ok(right)) => (left == right).into(),
                    (Err(Truth::Unknown), _) | (_, Err(Truth::Unknown)) => Truth::Unknown,
                    _ => Truth::Error,
                })
            }
            Expression::Equal(left, right) => {
                let (left, right) = (self.operand(left, table)?, self.operand(right, table)?);
                Box::new(move |row| {
                    left(row)
                        .zip(right(row))
                        .map_or(Truth::Error, |(left, right)| self.are_equal(left, right))
                })
            }
            Expression::Less(left, right) => self.ordered(left, right, table, Ordering::is_lt)?,
            Expression::LessOrEqual(left, right) => self.ordered(left, right, table, Ordering::is_le)?,
            Expression::Greater(left, right) => self.ordered(left, right, table, Ordering::is_gt)?,
            Expression::GreaterOrEqual(left, right) => self.ordered(left, right, table, Ordering::is_ge)?,
            Expression::FunctionCall(function, arguments) => self.call(function, arguments, table)?,
            _ => return None,
        })
    }

    /// The term of a variable or of a constant; none for other expressions.
    fn operand<'t>(&'t self, expression: &Expression, table: &'t Table) -> Option<Operand<'t>> {
        let constant = match expression {
            Expression::Variable(variable) => {
                let numbers = self.numbers_of(variable, table);
                return Some(Box::new(move |row| {
                    numbers.and_then(|numbers| TermId::of_number(numbers[row]))
                }));
            }
            Expression::NamedNode(node) => known(self.view, node.clone().into()),
            Expression::Literal(literal) => known(self.view, literal.clone().into()),
            _ => return None,
        };
        Some(Box::new(move |_| Some(constant)))
    }

    /// RDFterm-equal and its kin (section 17.4.1.7).
    fn are_equal(&self, left: TermId, right: TermId) -> Truth {
        if left == right && !matches!(self.view.kind_of(left), Kind::Double | Kind::Float) {
            return Truth::True;
        }
        let is_node = |kind: Kind| matches!(kind, Kind::Iri | Kind::BlankNode);
        let one = self.view.kind_of(left);
        if is_node(one) {
            return (left == right).into();
        }
        let other = self.view.kind_of(right);
        if is_node(other) || (one, other) == (Kind::String, Kind::String) {
            return (left == right).into();
        }
        match (self.numeral(left), self.numeral(right)) {
            (Some(left), Some(right)) => (left.compare(right) == Some(Ordering::Equal)).into(),
            _ => Truth::Unknown,
        }
    }

    fn ordered<'t>(
        &'t self,
        left: &'t Expression,
        right: &'t Expression,
        table: &'t Table,
        holds: fn(Ordering) -> bool,
    ) -> Option<Test<'t>> {
        let (left, right) = (self.operand(left, table)?, self.operand(right, table)?);
        Some(Box::new(move |row| {
            let Some((left, right)) = left(row).zip(right(row)) else { return Truth::Error };
            match (self.view.kind_of(left), self.view.kind_of(right)) {
                (Kind::String, Kind::String) => match (self.view.text(left), self.view.text(right)) {
                    (Some(left), Some(right)) => holds(left.cmp(right)).into(),
                    _ => Truth::Unknown,
                },
                _ => match (self.numeral(left), self.numeral(right)) {
                    (Some(left), Some(right)) => left.compare(right).is_some_and(holds).into(),
                    _ => Truth::Unknown,
                },
            }
        }))
    }

    fn numeral(&self, id: TermId) -> Option<Numeral> {
        match self.view.kind_of(id) {
            Kind::Integer | Kind::Decimal | Kind::Double | Kind::Float => {
                Numeral::of(&self.view.expression_term(id))
            }
            _ => None,
        }
    }

    fn call<'t>(
        &'t self,
        function: &Function,
        arguments: &'t [Expression],
        table: &'t Table,
    ) -> Option<Test<'t>> {
        let is_meant: fn(Kind) -> bool = match (function, arguments) {
            (Function::IsIri, [_]) => |kind| kind == Kind::Iri,
            (Function::IsBlank, [_]) => |kind| kind == Kind::BlankNode,
            (Function::IsLiteral, [_]) => |kind| !matches!(kind, Kind::Iri | Kind::BlankNode),
            (Function::Contains, [text, part]) => {
                return self.searched(text, part, table, |text, part| text.contains(part));
            }
            (Function::StrStarts, [text, part]) => {
                return self.searched(text, part, table, |text, part| text.starts_with(part));
            }
            (Function::StrEnds, [text, part]) => {
                return self.searched(text, part, table, |text, part| text.ends_with(part));
            }
            (Function::Regex, [text, pattern, flags @ ..]) if flags.len() < 2 => {
                let flags = flags.first().map_or(Some(""), plain_text)?;
                let regex: Regex = xpath_regex(plain_text(pattern)?, flags).ok()?;
                let text = self.text(text, table)?;
                return Some(Box::new(move |row| {
                    text(row).map_or_else(|truth| truth, |text| regex.is_match(&text).into())
                }));
            }
            (Function::LangMatches, [tag, range]) => {
                let (tag, range) = (self.plain(tag, table)?, plain_text(range)?);
                return Some(Box::new(move |row| {
                    tag(row).map_or_else(|truth| truth, |tag| is_in_range(&tag, range).into())
                }));
            }
            _ => return None,
        };
        let term = self.operand(&arguments[0], table)?;
        Some(Box::new(move |row| match term(row) {
            Some(id) => is_meant(self.view.kind_of(id)).into(),
            None => Truth::Error,
        }))
    }

    fn searched<'t>(
        &'t self,
        text: &'t Expression,
        part: &'t Expression,
        table: &'t Table,
        holds: fn(&str, &str) -> bool,
    ) -> Option<Test<'t>> {
        let (text, part) = (self.text(text, table)?, plain_text(part)?);
        Some(Box::new(move |row| text(row).map_or_else(|truth| truth, |text| holds(&text, part).into())))
    }

    /// A text without a language: a constant, or STR or LANG of a variable.
    fn plain<'t>(&'t self, expression: &'t Expression, table: &'t Table) -> Option<Text<'t>> {
        match expression {
            Expression::FunctionCall(Function::Str, _) => self.text(expression, table),
            Expression::FunctionCall(Function::Lang, arguments) => {
                let [Expression::Variable(variable)] = arguments.as_slice() else { return None };
                let numbers = self.numbers_of(variable, table);
                Some(Box::new(move |row| {
                    let id =
                        numbers.and_then(|numbers| TermId::of_number(numbers[row])).ok_or(Truth::Error)?;
                    match self.view.kind_of(id) {
                        Kind::Iri | Kind::BlankNode => Err(Truth::Error),
                        Kind::LangString => self.view.language(id).map(Cow::from).ok_or(Truth::Unknown),
                        _ => Ok("".into()),
                    }
                }))
            }
            _ => plain_text(expression).map(|text| Box::new(move |_| Ok(text.into())) as Text<'t>),
        }
    }

    /// The text of a variable, of STR of a variable, or what a function makes of such a text.
    fn text<'t>(&'t self, expression: &'t Expression, table: &'t Table) -> Option<Text<'t>> {
        let text = |expression: &'t Expression| self.text(expression, table);
        Some(match expression {
            Expression::Variable(variable) => self.text_of(variable, false, table),
            Expression::FunctionCall(function, arguments) => match (function, arguments.as_slice()) {
                (Function::Str, [Expression::Variable(variable)]) => self.text_of(variable, true, table),
                (Function::LCase, [inner]) => {
                    let text = text(inner)?;
                    Box::new(move |row| Ok(text(row)?.to_lowercase().into()))
                }
                (Function::UCase, [inner]) => {
                    let text = text(inner)?;
                    Box::new(move |row| Ok(text(row)?.to_uppercase().into()))
                }
                (Function::StrBefore, [inner, part]) => {
                    let (text, part) = (text(inner)?, plain_text(part)?);
                    Box::new(move |row| Ok(slice(text(row)?, |text| ..text.find(part).unwrap_or(0))))
                }
                (Function::StrAfter, [inner, part]) => {
                    let (text, part) = (text(inner)?, plain_text(part)?);
                    let after = move |text: &str| text.find(part).map_or(text.len(), |at| at + part.len());
                    Box::new(move |row| Ok(slice(text(row)?, |text| after(text)..)))
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn text_of<'t>(&'t self, variable: &Variable, is_str: bool, table: &'t Table) -> Text<'t> {
        let numbers = self.numbers_of(variable, table);
        Box::new(move |row| {
            let id = numbers.and_then(|numbers| TermId::of_number(numbers[row])).ok_or(Truth::Error)?;
            match self.view.kind_of(id) {
                Kind::String | Kind::LangString => {}
                // A blank node has no text, and IRIs and other literals are texts for STR alone.
                Kind::BlankNode => return Err(Truth::Error),
                _ if !is_str => return Err(Truth::Error),
                _ => {}
            }
            self.view.text(id).map(Cow::from).ok_or(Truth::Unknown)
        })
    }

    /// The integers that an expression has: the length of a text, or a part of a time; none where one is not known here.
    pub(super) fn integers(
        &self,
        expression: &Expression,
        table: &Table,
    ) -> Result<Option<Vec<Number>>, Unfit> {
        let Some(integer) = self.integer(expression, table) else { return Ok(None) };
        let integers = self.ticks.collect(table.rows, 64, integer)?;
        let integers: Option<Vec<Option<i64>>> = integers.into_iter().collect();
        integers.map(|integers| self.numbers_of_counts(&integers)).transpose()
    }

    fn integer<'t>(&'t self, expression: &'t Expression, table: &'t Table) -> Option<Integer<'t>> {
        let Expression::FunctionCall(function, arguments) = expression else { return None };
        let [argument] = arguments.as_slice() else { return None };
        Some(match function {
            Function::StrLen => {
                let text = self.text(argument, table)?;
                Box::new(move |row| match text(row) {
                    Ok(text) => Some(i64::try_from(text.chars().count()).ok()),
                    Err(Truth::Unknown) => None,
                    Err(_) => Some(None),
                })
            }
            Function::Year | Function::Month | Function::Day => {
                let term = self.operand(argument, table)?;
                Box::new(move |row| {
                    let Some(id) = term(row) else { return Some(None) };
                    match self.view.kind_of(id) {
                        Kind::DateTime => {}
                        Kind::Date | Kind::OtherTyped => return None,
                        _ => return Some(None),
                    }
                    let ExpressionTerm::DateTimeLiteral(time) = self.view.expression_term(id) else {
                        return None;
                    };
                    Some(Some(match function {
                        Function::Year => time.year(),
                        Function::Month => i64::from(time.month()),
                        _ => i64::from(time.day()),
                    }))
                })
            }
            _ => return None,
        })
    }
}

/// A part of a text, without a copy of one that is not owned.
fn slice<'t, R: SliceIndex<str, Output = str>>(text: Cow<'t, str>, part: impl Fn(&str) -> R) -> Cow<'t, str> {
    match text {
        Cow::Borrowed(text) => text[part(text)].into(),
        Cow::Owned(text) => text[part(&text)].to_owned().into(),
    }
}

/// LANGMATCHES, with the basic ranges of RFC 4647.
fn is_in_range(tag: &str, range: &str) -> bool {
    if range == "*" {
        return !tag.is_empty();
    }
    let mut subtags = tag.split('-');
    range.split('-').all(|part| subtags.next().is_some_and(|subtag| subtag.eq_ignore_ascii_case(part)))
}

/// The value of a literal that is a plain text.
fn plain_text(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::Literal(literal) if literal.datatype() == oxrdf::vocab::xsd::STRING => {
            Some(literal.value())
        }
        _ => None,
    }
}
