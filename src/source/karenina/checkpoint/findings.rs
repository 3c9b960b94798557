//! The reader of checkpoints: the document, and what is wrong with it.

use super::value::{Origin, Value};
use crate::diagnostic::{Diagnostic, Severity, SourceText};
use crate::json::{Document, Kind, TokenId};
use crate::source::karenina::dialect::Dialect;
use crate::source::karenina::keys::Keyed;
use hashbrown::HashSet;

/// Reads the parts of a checkpoint and collects findings.
pub(super) struct Reader<'d> {
    pub(super) document: &'d Document,
    /// The dialect of the file.
    pub(super) dialect: Dialect,
    pub(super) keyed: Keyed<'d>,
    source: SourceText<'d>,
    pub(super) findings: Vec<Diagnostic>,
    /// The ratings on questions that global traits were first seen in.
    pub(super) first_copies: HashSet<TokenId>,
}

impl<'d> Reader<'d> {
    pub(super) fn new(document: &'d Document, dialect: Dialect) -> Self {
        let source = document.source_text();
        Self {
            document,
            dialect,
            keyed: Keyed::new(document),
            source,
            findings: Vec::new(),
            first_copies: HashSet::new(),
        }
    }

    pub(super) fn origin(&self, token: TokenId) -> Origin<'d> {
        Origin { document: self.document, token }
    }

    /// Adds a finding at a value.
    pub(super) fn find(&mut self, severity: Severity, code: &'static str, message: String, token: TokenId) {
        let place = self.document.place_in(&self.source, token);
        self.findings.push(Diagnostic::new(severity, code, message).at(place));
    }

    /// Warns of a value of `@type` that does not name the class which its place wants: every writer names that class.
    pub(super) fn expect_class(&mut self, types: TokenId, class: &str) {
        if self.keyed.each(types).next().is_some() && !self.keyed.names(types, class) {
            let found = self.document.raw(types);
            let message = format!("`@type` is `{found}`: it is read as a `{class}`");
            self.find(Severity::Warning, "karenina::class", message, types);
        }
    }

    /// Adds a finding at a value, beside another value that belongs to it.
    pub(super) fn find_beside(
        &mut self,
        diagnostic: Diagnostic,
        token: TokenId,
        (other, label): (TokenId, &str),
    ) {
        let place = self.document.place_in(&self.source, token);
        let related = self.document.place_in(&self.source, other);
        self.findings.push(diagnostic.at(place).with_related(related, label));
    }

    /// The one value that a key has; none for `null`. A second value is an error.
    pub(super) fn one(&mut self, key: &str, token: TokenId) -> Option<TokenId> {
        let mut values = self.keyed.each(token);
        let (first, second) = (values.next()?, values.next());
        drop(values);
        if let Some(second) = second {
            let message = format!("`{key}` has several values, and one is expected");
            let fault = Diagnostic::error("karenina::several-values", message);
            self.find_beside(fault, second, (first, "the first"));
        }
        let value = self.document.get(first, "@value").unwrap_or(first);
        (self.document.kind(value) != Kind::Null).then_some(value)
    }

    /// The one value of a key that has a scalar.
    pub(super) fn scalar(&mut self, key: &str, token: TokenId) -> Option<Value<'d>> {
        let value = self.one(key, token)?;
        if self.document.is_object(value) {
            let message = format!("`{key}` is an object, and a text is expected");
            self.find(Severity::Error, "karenina::wrong-value", message, value);
            return None;
        }
        Some(Value::at(self.document, value))
    }
}
