//! The functions of SPARQL 1.1, section 17.4, and those of evalgraph. `RowExpression` is defined in `mod.rs`.

use memchr::memmem;
use oxiri::Iri;
use oxrdf::vocab::rdf;
use oxrdf::{Literal, NamedNode, Term};
use oxsdatatypes::TimezoneOffset;
use spargebra::algebra::Function;

use super::functions;
use super::text::is_in_range;
use super::time::{DurationValue, TemporalValue};
use super::value::{TermValue, is_numeric};
use super::{ExpressionNode, ExpressionResult, RowExpression};
use evalgraph_store::{RdfTermKind, TermId};

impl RowExpression<'_, '_> {
    /// The result of a function in a row.
    pub(super) fn call(
        &self,
        function: &Function,
        arguments: &[ExpressionNode<'_>],
        row: usize,
    ) -> Option<ExpressionResult> {
        use Function as F;
        match function {
            F::Timezone | F::Tz | F::Adjust => {
                self.of_moment(function, arguments, row).map(ExpressionResult::Made)
            }
            F::LangMatches | F::Contains | F::StrStarts | F::StrEnds => {
                self.of_text(function, arguments, row).map(ExpressionResult::Made)
            }
            _ => self.of_term(function, arguments, row),
        }
    }

    /// Functions on terms (sections 17.4.2, 17.4.3.14 and 17.4.3.15), casts, and functions of evalgraph.
    fn of_term(
        &self,
        function: &Function,
        arguments: &[ExpressionNode<'_>],
        row: usize,
    ) -> Option<ExpressionResult> {
        let item = |at: usize| self.item(arguments.get(at)?, row);
        let value = |at: usize| self.value_of(arguments.get(at)?, row);
        let plain = |at: usize| match self.value_of(arguments.get(at)?, row)? {
            TermValue::String(text) => Some(text),
            _ => None,
        };
        Some(ExpressionResult::Made(match function {
            Function::Datatype => match self.term(item(0)?) {
                Term::Literal(literal) if literal.language().is_some() => {
                    TermValue::Iri(rdf::LANG_STRING.as_str().to_owned())
                }
                Term::Literal(literal) => TermValue::Iri(literal.datatype().as_str().to_owned()),
                _ => return None,
            },
            Function::Iri => match value(0)? {
                TermValue::Iri(_) => return item(0),
                TermValue::String(text) => TermValue::Iri(self.resolved(text)?),
                _ => return None,
            },
            Function::StrLang => {
                let literal = Literal::new_language_tagged_literal(plain(0)?, plain(1)?).ok()?;
                TermValue::from_term(literal.into())
            }
            Function::StrDt => {
                let (text, datatype) = (plain(0)?, value(1)?);
                let TermValue::Iri(datatype) = datatype else { return None };
                // The literal keeps its spelling, whatever its value.
                let literal = Literal::new_typed_literal(text, NamedNode::new_unchecked(datatype));
                return Some(self.as_written(literal.into()));
            }
            Function::IsIri => TermValue::Boolean(matches!(self.term(item(0)?), Term::NamedNode(_))),
            Function::IsBlank => TermValue::Boolean(matches!(self.term(item(0)?), Term::BlankNode(_))),
            Function::IsLiteral => TermValue::Boolean(matches!(self.term(item(0)?), Term::Literal(_))),
            Function::IsNumeric => TermValue::Boolean(match self.term(item(0)?) {
                Term::Literal(literal) => is_numeric(literal.as_ref()),
                _ => false,
            }),
            Function::Regex => {
                let terms = self.terms(arguments, row)?;
                return self.patterns[0].regex(&terms).map(|term| self.as_written(term));
            }
            Function::Replace => {
                let terms = self.terms(arguments, row)?;
                return self.patterns[1]
                    .replace(&terms, self.context.cancellation)
                    .map(|term| self.as_written(term));
            }
            Function::Custom(name) => {
                let terms = self.terms(arguments, row)?;
                let files = self.context.files;
                return functions::call(name, &terms, files, self.context.cancellation)
                    .map(|term| self.as_written(term));
            }
            _ => return None,
        }))
    }

    /// Conditions on strings (section 17.4.3).
    fn of_text(
        &self,
        function: &Function,
        arguments: &[ExpressionNode<'_>],
        row: usize,
    ) -> Option<TermValue> {
        match function {
            Function::Contains => {
                self.search(arguments, row, |text, part| memmem::find(text, part).is_some())
            }
            Function::StrStarts => self.search(arguments, row, <[u8]>::starts_with),
            Function::StrEnds => self.search(arguments, row, <[u8]>::ends_with),
            _ => {
                let [tag, range] = arguments else { return None };
                let is_in = self.with_text(tag, row, |tag, language| {
                    self.with_text(range, row, |range, other| {
                        (language.is_none() && other.is_none()).then(|| is_in_range(tag, range))
                    })
                });
                is_in??.map(TermValue::Boolean)
            }
        }
    }

    /// Searches a string for another one by bytes. Both are UTF-8, and strings in files need not be checked for that.
    fn search(
        &self,
        arguments: &[ExpressionNode<'_>],
        row: usize,
        holds: fn(&[u8], &[u8]) -> bool,
    ) -> Option<TermValue> {
        let view = self.context.view;
        if let [ExpressionNode::Column(numbers), ExpressionNode::Constant(_, TermValue::String(part))] =
            arguments
            && let Some(id) = TermId::of_number(numbers[row])
            && matches!(view.kind_of(id), RdfTermKind::String | RdfTermKind::LangString)
            && let Some(found) = view.with_bytes(id, |text| holds(text, part.as_bytes()))
        {
            return Some(TermValue::Boolean(found));
        }
        let holds = |text: &str, _: Option<&str>, part: &str| holds(text.as_bytes(), part.as_bytes());
        self.with_texts(arguments, row, holds).map(TermValue::Boolean)
    }

    /// Functions on times whose value is not a number (section 17.4.5).
    fn of_moment(
        &self,
        function: &Function,
        arguments: &[ExpressionNode<'_>],
        row: usize,
    ) -> Option<TermValue> {
        let TermValue::Moment(moment) = self.value_of(arguments.first()?, row)? else { return None };
        Some(match function {
            Function::Timezone => TermValue::Span(DurationValue::DayTime(moment.timezone()?)),
            Function::Tz => {
                let offset = moment.offset();
                TermValue::String(offset.map_or_else(String::new, |offset| offset.to_string()))
            }
            Function::Adjust => {
                TermValue::Moment(Self::adjusted(moment, self.value_of(arguments.get(1)?, row)?)?)
            }
            _ => return None,
        })
    }

    /// A term that keeps its lexical form.
    fn as_written(&self, term: Term) -> ExpressionResult {
        ExpressionResult::Known(self.context.view.intern(term))
    }

    fn terms(&self, arguments: &[ExpressionNode<'_>], row: usize) -> Option<Vec<Term>> {
        arguments.iter().map(|argument| self.item(argument, row).map(|item| self.term(item))).collect()
    }

    fn resolved(&self, text: String) -> Option<String> {
        let iri = match self.context.base {
            Some(base) => base.resolve(&text).ok()?,
            None => Iri::parse(text).ok()?,
        };
        Some(iri.into_inner())
    }

    /// ADJUST (SPARQL Extension Proposal 2): a moment with another offset. An empty string removes the offset.
    fn adjusted(moment: TemporalValue, offset: TermValue) -> Option<TemporalValue> {
        match offset {
            TermValue::Span(DurationValue::DayTime(offset)) => {
                moment.adjusted(Some(TimezoneOffset::try_from(offset).ok()?))
            }
            TermValue::Span(DurationValue::Duration(offset)) => {
                moment.adjusted(Some(TimezoneOffset::try_from(offset).ok()?))
            }
            TermValue::String(text) if text.is_empty() => moment.adjusted(None),
            _ => None,
        }
    }
}
