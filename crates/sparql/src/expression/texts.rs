//! The strings of expressions (SPARQL 1.1, section 17.4.3), passed on by reference: reading a string or taking a part
//! of it copies nothing. `RowExpression` and `ExpressionNode` are defined in `mod.rs`.

use std::cmp::Ordering;
use std::fmt::Write as _;

use md5::{Digest, Md5};
use oxrdf::Term;
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};
use spargebra::algebra::Function;

use super::numeral::NumericValue;
use super::regex_matching::{LONGEST_TEXT, note_length};
use super::text::{are_one_language, encoded_for_uri, is_searched_for, substring};
use super::value::TermValue;
use super::{ExpressionNode, RowExpression};
use evalgraph_store::{RdfTermKind, TermId};

/// Receives a string and its language.
type TextConsumer<'t> = dyn FnMut(&str, Option<&str>) + 't;

/// Returns whether a function either makes a new string literal or fails.
fn makes_text(function: &Function) -> bool {
    matches!(
        function,
        Function::Str
            | Function::Lang
            | Function::SubStr
            | Function::UCase
            | Function::LCase
            | Function::StrBefore
            | Function::StrAfter
            | Function::EncodeForUri
            | Function::Concat
            | Function::Md5
            | Function::Sha1
            | Function::Sha256
            | Function::Sha384
            | Function::Sha512
    )
}

impl ExpressionNode<'_> {
    /// Returns whether each value is a computed string literal.
    pub(super) fn makes_text(&self) -> bool {
        match self {
            Self::Call(function, _) => makes_text(function),
            Self::Replace(..) => true,
            _ => false,
        }
    }
}

impl RowExpression<'_, '_> {
    /// Passes on the value of a string literal and its language. Returns `None` for any other value.
    pub(super) fn with_text<R>(
        &self,
        node: &ExpressionNode<'_>,
        row: usize,
        take: impl FnOnce(&str, Option<&str>) -> R,
    ) -> Option<R> {
        let (mut take, mut taken) = (Some(take), None);
        self.text(node, row, &mut |text, language| taken = take.take().map(|take| take(text, language)));
        taken
    }

    /// Passes on two strings if the second may be searched for in the first, which may have a language.
    pub(super) fn with_texts<R>(
        &self,
        nodes: &[ExpressionNode<'_>],
        row: usize,
        take: impl FnOnce(&str, Option<&str>, &str) -> R,
    ) -> Option<R> {
        let [text, part] = nodes else { return None };
        let taken = self.with_text(text, row, |text, language| {
            self.with_text(part, row, |part, other| {
                is_searched_for(other, language).then(|| take(text, language, part))
            })
        });
        taken??
    }

    /// Returns whether the value in a row is a string literal, or an error of a function that makes string literals.
    pub(super) fn has_text(&self, node: &ExpressionNode<'_>, row: usize) -> bool {
        match node {
            ExpressionNode::Constant(_, value) => {
                matches!(value, TermValue::String(_) | TermValue::LanguageString(..))
            }
            ExpressionNode::Column(numbers) => TermId::of_number(numbers[row]).is_some_and(|id| {
                matches!(self.context.view.kind_of(id), RdfTermKind::String | RdfTermKind::LangString)
            }),
            node => node.makes_text(),
        }
    }

    /// Returns whether two strings are equal.
    pub(super) fn are_equal_texts(
        &self,
        left: &ExpressionNode<'_>,
        right: &ExpressionNode<'_>,
        row: usize,
    ) -> Option<bool> {
        self.with_text(left, row, |left, language| {
            self.with_text(right, row, |right, other| left == right && are_one_language(language, other))
        })?
    }

    /// The order of two strings. An error if their languages differ.
    pub(super) fn compare_texts(
        &self,
        left: &ExpressionNode<'_>,
        right: &ExpressionNode<'_>,
        row: usize,
    ) -> Option<Ordering> {
        self.with_text(left, row, |left, language| {
            self.with_text(right, row, |right, other| {
                are_one_language(language, other).then(|| left.cmp(right))
            })
        })??
    }

    fn text(&self, node: &ExpressionNode<'_>, row: usize, take: &mut TextConsumer<'_>) {
        match node {
            ExpressionNode::Constant(_, TermValue::String(text)) => take(text, None),
            ExpressionNode::Constant(_, TermValue::LanguageString(text, language)) => {
                take(text, Some(language));
            }
            ExpressionNode::Column(numbers) => {
                if let Some(id) = TermId::of_number(numbers[row]) {
                    self.text_of_term(id, take);
                }
            }
            ExpressionNode::Call(function, arguments) if makes_text(function) => {
                // On an error, `take` is not called.
                let _ = self.made_text(function, arguments, row, take);
            }
            ExpressionNode::Replace(text, compiled, replacement) => {
                self.text(text, row, &mut |text, language| {
                    if let Some(text) =
                        compiled.replaced(text, replacement, self.context.remarks, self.context.cancellation)
                    {
                        take(&text, language);
                    }
                });
            }
            node => match self.value_of(node, row) {
                Some(TermValue::String(text)) => take(&text, None),
                Some(TermValue::LanguageString(text, language)) => take(&text, Some(&language)),
                _ => {}
            },
        }
    }

    fn text_of_term(&self, id: TermId, take: &mut TextConsumer<'_>) {
        let view = self.context.view;
        let taken = match view.kind_of(id) {
            kind @ RdfTermKind::String => view.with_text_of(id, kind, |text| take(text, None)),
            RdfTermKind::LangString => view
                .with_language(id, |language| {
                    view.with_text_of(id, RdfTermKind::LangString, |text| take(text, Some(language)))
                })
                .flatten(),
            _ => return,
        };
        // A term that the query has computed.
        if taken.is_none()
            && let Term::Literal(literal) = view.term(id)
        {
            take(literal.value(), literal.language());
        }
    }

    fn made_text(
        &self,
        function: &Function,
        arguments: &[ExpressionNode<'_>],
        row: usize,
        take: &mut TextConsumer<'_>,
    ) -> Option<()> {
        let first = arguments.first();
        let integer = |at: usize| match self.value_of(arguments.get(at)?, row)? {
            TermValue::Number(NumericValue::Integer(value)) => Some(i64::from(value)),
            _ => None,
        };
        match function {
            Function::Str => self.written(first?, row, take),
            Function::Lang => self.language(first?, row, take),
            Function::Concat => self.concatenated(arguments, row, take),
            Function::SubStr => {
                let start = integer(1)?;
                let length = if arguments.len() > 2 { Some(integer(2)?) } else { None };
                self.with_text(first?, row, |text, language| take(substring(text, start, length), language))
            }
            Function::UCase => {
                self.with_text(first?, row, |text, language| take(&text.to_uppercase(), language))
            }
            Function::LCase => {
                self.with_text(first?, row, |text, language| take(&text.to_lowercase(), language))
            }
            Function::EncodeForUri => {
                self.with_text(first?, row, |text, _| take(&encoded_for_uri(text), None))
            }
            Function::StrBefore => {
                self.with_texts(arguments, row, |text, language, part| match text.find(part) {
                    Some(at) => take(&text[..at], language),
                    None => take("", None),
                })
            }
            Function::StrAfter => {
                self.with_texts(arguments, row, |text, language, part| match text.find(part) {
                    Some(at) => take(&text[at + part.len()..], language),
                    None => take("", None),
                })
            }
            _ => {
                let digest = match function {
                    Function::Md5 => digest::<Md5>,
                    Function::Sha1 => digest::<Sha1>,
                    Function::Sha256 => digest::<Sha256>,
                    Function::Sha384 => digest::<Sha384>,
                    _ => digest::<Sha512>,
                };
                self.with_text(first?, row, |text, language| {
                    if language.is_none() {
                        take(&digest(text), None);
                    }
                })
            }
        }
    }

    /// STR: the string of any term except a blank node.
    fn written(&self, node: &ExpressionNode<'_>, row: usize, take: &mut TextConsumer<'_>) -> Option<()> {
        if let ExpressionNode::Column(numbers) = node {
            let id = TermId::of_number(numbers[row])?;
            let kind = self.context.view.kind_of(id);
            if kind == RdfTermKind::BlankNode {
                return None;
            }
            if let Some(taken) = self.context.view.with_text_of(id, kind, |text| take(text, None)) {
                return Some(taken);
            }
        }
        if node.makes_text() {
            return self.with_text(node, row, |text, _| take(text, None));
        }
        match self.term(self.item(node, row)?) {
            Term::NamedNode(node) => take(node.as_str(), None),
            Term::Literal(literal) => take(literal.value(), None),
            Term::BlankNode(_) => return None,
        }
        Some(())
    }

    /// LANG: the language of a literal, empty if it has none.
    fn language(&self, node: &ExpressionNode<'_>, row: usize, take: &mut TextConsumer<'_>) -> Option<()> {
        if let ExpressionNode::Column(numbers) = node {
            let id = TermId::of_number(numbers[row])?;
            let view = self.context.view;
            match view.kind_of(id) {
                RdfTermKind::Iri | RdfTermKind::BlankNode => return None,
                RdfTermKind::LangString => {}
                _ => {
                    take("", None);
                    return Some(());
                }
            }
            if let Some(taken) = view.with_language(id, |language| take(language, None)) {
                return Some(taken);
            }
        }
        match self.term(self.item(node, row)?) {
            Term::Literal(literal) => take(literal.language().unwrap_or_default(), None),
            _ => return None,
        }
        Some(())
    }

    /// CONCAT: the result has a language if all strings have the same one.
    fn concatenated(
        &self,
        arguments: &[ExpressionNode<'_>],
        row: usize,
        take: &mut TextConsumer<'_>,
    ) -> Option<()> {
        let mut joined = String::new();
        let mut language: Option<Option<String>> = None;
        for argument in arguments {
            self.with_text(argument, row, |text, other| {
                joined.push_str(text);
                language = Some(match language.take() {
                    None => other.map(str::to_owned),
                    Some(own) => own.filter(|own| other.is_some() && are_one_language(Some(own), other)),
                });
            })?;
            if joined.len() > LONGEST_TEXT {
                note_length(self.context.remarks);
                return None;
            }
        }
        take(&joined, language.flatten().as_deref());
        Some(())
    }
}

/// A digest in hexadecimal digits (section 17.4.6).
fn digest<D: Digest>(text: &str) -> String {
    let mut digits = String::new();
    for byte in D::digest(text) {
        // Writing to a string never fails.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
