//! Conditions on the numbers, kinds and strings of terms, evaluated without copying any. They decide the truth of a row
//! where they can. For the other rows, the [expression](crate::expression) itself is evaluated. `PlanEvaluator` is
//! defined in `plan_evaluator.rs`.

use std::borrow::Cow;
use std::cmp::Ordering;

use memchr::memmem::Finder;
use oxrdf::Variable;
use spargebra::algebra::{Expression, Function};

use super::plan_evaluator::{PlanEvaluator, known};
use super::solution_table::SolutionTable;
use crate::expression::regex_matching::bytes_regex;
use crate::expression::{NumericValue, is_in_range, is_numeric_type};
use evalgraph_store::{RdfTermKind, TermId};

/// The effective boolean value of a condition in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EffectiveBoolean {
    True,
    False,
    Error,
    /// Numbers, kinds and strings do not decide it.
    Unknown,
}

impl From<bool> for EffectiveBoolean {
    fn from(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

impl EffectiveBoolean {
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
            // Before errors: an unknown operand may be false, and then the conjunction is false despite an error.
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Error, _) | (_, Self::Error) => Self::Error,
            _ => Self::True,
        }
    }

    fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }
}

type RowTest<'t> = Box<dyn Fn(usize) -> EffectiveBoolean + 't>;
type TermOperand<'t> = Box<dyn Fn(usize) -> Option<TermId> + 't>;

/// An operand of a comparison, by row.
type ComparedOperand<'t> = Box<dyn Fn(usize) -> Option<ComparisonSide> + 't>;

#[derive(Clone, Copy)]
struct ComparisonSide {
    id: TermId,
    /// For a constant: its kind, and its numeric value if it has one.
    known: Option<(RdfTermKind, Option<NumericValue>)>,
}

/// Passes on the bytes of a string that a function reads. `Err` if there is none, or if it is not known here.
type TextOperand<'t> = Box<dyn Fn(usize, &mut dyn FnMut(&[u8])) -> Result<(), EffectiveBoolean> + 't>;

/// Applies a function to a string.
fn with<R>(text: &TextOperand<'_>, row: usize, take: impl FnOnce(&[u8]) -> R) -> Result<R, EffectiveBoolean> {
    let (mut take, mut taken) = (Some(take), None);
    text(row, &mut |own| taken = take.take().map(|take| take(own)))?;
    taken.ok_or(EffectiveBoolean::Unknown)
}

impl<'e> PlanEvaluator<'e, '_> {
    /// The truth of a condition in each row, or `None` if nothing can be decided here.
    pub(super) fn test<'t>(
        &'t self,
        expression: &'t Expression,
        table: &'t SolutionTable,
    ) -> Option<RowTest<'t>> {
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
                    None => EffectiveBoolean::Error,
                })
            }
            Expression::Equal(left, right)
                if let (Some(left), Some(right)) = (self.plain(left, table), self.plain(right, table)) =>
            {
                Box::new(move |row| {
                    let other = |own: &[u8]| with(&right, row, |other| own == other);
                    match with(&left, row, other) {
                        Ok(Ok(are_equal)) => are_equal.into(),
                        Ok(Err(truth)) => truth,
                        Err(EffectiveBoolean::Unknown) => EffectiveBoolean::Unknown,
                        Err(truth) => right(row, &mut |_| ()).err().unwrap_or(truth),
                    }
                })
            }
            Expression::Equal(left, right) => {
                let (left, right) = (self.compared(left, table)?, self.compared(right, table)?);
                Box::new(move |row| {
                    left(row)
                        .zip(right(row))
                        .map_or(EffectiveBoolean::Error, |(left, right)| self.are_equal(left, right))
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

    /// The term of a variable or of a constant, or `None` for other expressions.
    fn operand<'t>(&'t self, expression: &Expression, table: &'t SolutionTable) -> Option<TermOperand<'t>> {
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

    /// RDFterm-equal and the other equalities (section 17.4.1.7).
    fn are_equal(&self, left: ComparisonSide, right: ComparisonSide) -> EffectiveBoolean {
        let kind = self.kind_of(left);
        // A term is equal to itself, except NaN.
        if left.id == right.id && !matches!(kind, RdfTermKind::Double | RdfTermKind::Float) {
            return EffectiveBoolean::True;
        }
        let is_node = |kind: RdfTermKind| matches!(kind, RdfTermKind::Iri | RdfTermKind::BlankNode);
        // Most compared terms are nodes; the kind of the other side is then not needed.
        let other = if is_node(kind) { kind } else { self.kind_of(right) };
        if is_node(other) || (kind, other) == (RdfTermKind::String, RdfTermKind::String) {
            return (left.id == right.id).into();
        }
        match (self.number_of(left), self.number_of(right)) {
            (Some(left), Some(right)) => (left.compare(right) == Some(Ordering::Equal)).into(),
            _ => EffectiveBoolean::Unknown,
        }
    }

    fn ordered<'t>(
        &'t self,
        left: &'t Expression,
        right: &'t Expression,
        table: &'t SolutionTable,
        holds: fn(Ordering) -> bool,
    ) -> Option<RowTest<'t>> {
        // Other constants are left to the expression itself, which reads them once.
        let has_order = |expression: &Expression| match expression {
            Expression::Literal(literal) => {
                let datatype = literal.datatype();
                datatype == oxrdf::vocab::xsd::STRING || is_numeric_type(datatype)
            }
            _ => true,
        };
        if !has_order(left) || !has_order(right) {
            return None;
        }
        let (left, right) = (self.compared(left, table)?, self.compared(right, table)?);
        Some(Box::new(move |row| {
            let Some((left, right)) = left(row).zip(right(row)) else { return EffectiveBoolean::Error };
            match (self.kind_of(left), self.kind_of(right)) {
                (RdfTermKind::String, RdfTermKind::String) => {
                    // The order of UTF-8 bytes is that of code points.
                    let order = |own: &[u8]| self.view.with_bytes(right.id, |other| own.cmp(other));
                    let order = self.view.with_bytes(left.id, order).flatten();
                    order.map_or(EffectiveBoolean::Unknown, |order| holds(order).into())
                }
                _ => match (self.number_of(left), self.number_of(right)) {
                    (Some(left), Some(right)) => left.compare(right).is_some_and(holds).into(),
                    _ => EffectiveBoolean::Unknown,
                },
            }
        }))
    }

    /// The operand for a variable or a constant, or `None` for other expressions. A constant is read only once.
    fn compared<'t>(
        &'t self,
        expression: &Expression,
        table: &'t SolutionTable,
    ) -> Option<ComparedOperand<'t>> {
        let term = self.operand(expression, table)?;
        if let Expression::Variable(_) = expression {
            return Some(Box::new(move |row| term(row).map(|id| ComparisonSide { id, known: None })));
        }
        // A constant has no rows.
        let known = |id: TermId| Some((self.view.kind_of(id), self.numeral(id)));
        let side = term(0).map(|id| ComparisonSide { id, known: known(id) });
        Some(Box::new(move |_| side))
    }

    fn kind_of(&self, side: ComparisonSide) -> RdfTermKind {
        side.known.map_or_else(|| self.view.kind_of(side.id), |(kind, _)| kind)
    }

    fn number_of(&self, side: ComparisonSide) -> Option<NumericValue> {
        side.known.map_or_else(|| self.numeral(side.id), |(_, number)| number)
    }

    fn numeral(&self, id: TermId) -> Option<NumericValue> {
        NumericValue::stored(self.view, id)
    }

    fn call<'t>(
        &'t self,
        function: &Function,
        arguments: &'t [Expression],
        table: &'t SolutionTable,
    ) -> Option<RowTest<'t>> {
        let is_meant: fn(RdfTermKind) -> bool = match (function, arguments) {
            (Function::IsIri, [_]) => |kind| kind == RdfTermKind::Iri,
            (Function::IsBlank, [_]) => |kind| kind == RdfTermKind::BlankNode,
            (Function::IsLiteral, [_]) => |kind| !matches!(kind, RdfTermKind::Iri | RdfTermKind::BlankNode),
            (Function::Contains, [text, part]) => {
                if let Some(test) = self.contains_in_lower_case(text, part, table) {
                    return Some(test);
                }
                return self.searched(text, part, table, |text, part| part.find(text).is_some());
            }
            (Function::StrStarts, [text, part]) => {
                return self.searched(text, part, table, |text, part| text.starts_with(part.needle()));
            }
            (Function::StrEnds, [text, part]) => {
                return self.searched(text, part, table, |text, part| text.ends_with(part.needle()));
            }
            (Function::Regex, [text, pattern, flags @ ..]) if flags.len() < 2 => {
                let flags = flags.first().map_or(Some(""), plain_text)?;
                let regex = bytes_regex(plain_text(pattern)?, flags)?;
                let text = self.text(text, table)?;
                return Some(Box::new(move |row| {
                    with(&text, row, |text| regex.is_match(text))
                        .map_or_else(|truth| truth, EffectiveBoolean::from)
                }));
            }
            (Function::LangMatches, [tag, range]) => {
                let (tag, range) = (self.plain(tag, table)?, plain_text(range)?);
                return Some(Box::new(move |row| {
                    let is_in_range =
                        |tag: &[u8]| str::from_utf8(tag).is_ok_and(|tag| is_in_range(tag, range));
                    with(&tag, row, is_in_range).map_or_else(|truth| truth, EffectiveBoolean::from)
                }));
            }
            _ => return None,
        };
        let term = self.operand(&arguments[0], table)?;
        Some(Box::new(move |row| match term(row) {
            Some(id) => is_meant(self.view.kind_of(id)).into(),
            None => EffectiveBoolean::Error,
        }))
    }

    fn searched<'t>(
        &'t self,
        text: &'t Expression,
        part: &'t Expression,
        table: &'t SolutionTable,
        holds: fn(&[u8], &Finder<'_>) -> bool,
    ) -> Option<RowTest<'t>> {
        // No character of UTF-8 begins within another, so a search over bytes finds what one over characters finds.
        let (text, part) = (self.text(text, table)?, Finder::new(plain_text(part)?));
        Some(Box::new(move |row| {
            with(&text, row, |text| holds(text, &part)).map_or_else(|truth| truth, EffectiveBoolean::from)
        }))
    }

    /// `CONTAINS(LCASE(…), "…")` without making lower-case strings, for an ASCII part.
    fn contains_in_lower_case<'t>(
        &'t self,
        text: &'t Expression,
        part: &'t Expression,
        table: &'t SolutionTable,
    ) -> Option<RowTest<'t>> {
        let Expression::FunctionCall(Function::LCase, arguments) = text else { return None };
        let part = plain_text(part)?;
        if !part.is_ascii() || part.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return None;
        }
        let mut builder = regex::bytes::RegexBuilder::new(&regex::escape(part));
        let regex = builder.case_insensitive(true).unicode(false).build().ok()?;
        let text = self.text(arguments.first()?, table)?;
        // The only non-ASCII characters whose lower case has ASCII letters.
        let others = ["\u{130}", "\u{212a}"].map(Finder::new);
        let holds = move |text: &[u8]| {
            regex.is_match(text)
                || others.iter().any(|other| other.find(text).is_some())
                    && decoded(text).to_lowercase().contains(part)
        };
        Some(Box::new(move |row| with(&text, row, &holds).map_or_else(|truth| truth, EffectiveBoolean::from)))
    }

    /// A string without a language: a constant, or STR or LANG of a variable.
    fn plain<'t>(&'t self, expression: &'t Expression, table: &'t SolutionTable) -> Option<TextOperand<'t>> {
        match expression {
            Expression::FunctionCall(Function::Str, _) => self.text(expression, table),
            Expression::FunctionCall(Function::Lang, arguments) => {
                let [Expression::Variable(variable)] = arguments.as_slice() else { return None };
                let numbers = self.numbers_of(variable, table);
                Some(Box::new(move |row, take| {
                    let id = numbers
                        .and_then(|numbers| TermId::of_number(numbers[row]))
                        .ok_or(EffectiveBoolean::Error)?;
                    match self.view.kind_of(id) {
                        RdfTermKind::Iri | RdfTermKind::BlankNode => return Err(EffectiveBoolean::Error),
                        RdfTermKind::LangString => {
                            let take = |language: &str| take(language.as_bytes());
                            return self.view.with_language(id, take).ok_or(EffectiveBoolean::Unknown);
                        }
                        _ => take(b""),
                    }
                    Ok(())
                }))
            }
            _ => plain_text(expression).map(|text| {
                Box::new(move |_, take: &mut dyn FnMut(&[u8])| {
                    take(text.as_bytes());
                    Ok(())
                }) as TextOperand<'t>
            }),
        }
    }

    /// The string of a variable, of STR of a variable, or of a function of such a string.
    fn text<'t>(&'t self, expression: &'t Expression, table: &'t SolutionTable) -> Option<TextOperand<'t>> {
        let text = |expression: &'t Expression| self.text(expression, table);
        Some(match expression {
            Expression::Variable(variable) => self.text_of(variable, false, table),
            Expression::FunctionCall(function, arguments) => match (function, arguments.as_slice()) {
                (Function::Str, [Expression::Variable(variable)]) => self.text_of(variable, true, table),
                (Function::LCase, [inner]) => {
                    let text = text(inner)?;
                    Box::new(move |row, take| {
                        text(row, &mut |own| take(decoded(own).to_lowercase().as_bytes()))
                    })
                }
                (Function::UCase, [inner]) => {
                    let text = text(inner)?;
                    Box::new(move |row, take| {
                        text(row, &mut |own| take(decoded(own).to_uppercase().as_bytes()))
                    })
                }
                (Function::StrBefore, [inner, part]) => {
                    let (text, part) = (text(inner)?, Finder::new(plain_text(part)?));
                    let before = move |own: &[u8]| part.find(own).unwrap_or(0);
                    Box::new(move |row, take| text(row, &mut |own| take(&own[..before(own)])))
                }
                (Function::StrAfter, [inner, part]) => {
                    let (text, part) = (text(inner)?, Finder::new(plain_text(part)?));
                    let after =
                        move |own: &[u8]| part.find(own).map_or(own.len(), |at| at + part.needle().len());
                    Box::new(move |row, take| text(row, &mut |own| take(&own[after(own)..])))
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn text_of<'t>(&'t self, variable: &Variable, is_str: bool, table: &'t SolutionTable) -> TextOperand<'t> {
        let numbers = self.numbers_of(variable, table);
        Box::new(move |row, take| {
            let id =
                numbers.and_then(|numbers| TermId::of_number(numbers[row])).ok_or(EffectiveBoolean::Error)?;
            match self.view.kind_of(id) {
                RdfTermKind::String | RdfTermKind::LangString => {}
                // A blank node has no string. IRIs and other literals have one only for STR.
                RdfTermKind::BlankNode => return Err(EffectiveBoolean::Error),
                _ if !is_str => return Err(EffectiveBoolean::Error),
                _ => {}
            }
            self.view.with_bytes(id, take).ok_or(EffectiveBoolean::Unknown)
        })
    }
}

/// A string of the dataset, which is UTF-8.
fn decoded(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(text)
}

/// The value of a plain string literal.
fn plain_text(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::Literal(literal) if literal.datatype() == oxrdf::vocab::xsd::STRING => {
            Some(literal.value())
        }
        _ => None,
    }
}
