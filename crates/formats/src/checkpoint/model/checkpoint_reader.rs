//! The reader of checkpoints: the document and the findings about it.

use super::value::{PlacedValue, TokenOrigin};
use crate::checkpoint::checkpoint_keys::KeyedDocument;
use crate::checkpoint::dialect::CheckpointDialect;
use crate::records::{MisplacedValue, PlaceExpectation};
use evalgraph_diagnostics::article::with_article;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, SourceText};
use evalgraph_json::{JsonDocument, JsonKind, JsonObjectMembers, TokenId};
use hashbrown::HashSet;

/// Reads the parts of a checkpoint and collects findings.
///
/// Other methods are in `json_ld_checkpoint.rs`, `metadata.rs`, `rating_traits.rs`, `rubric.rs`, `trait_texts.rs` and
/// `version_2_checkpoint.rs`.
pub(super) struct CheckpointReader<'d> {
    pub(super) document: &'d JsonDocument,
    /// The dialect of the file.
    pub(super) dialect: CheckpointDialect,
    pub(super) keyed: KeyedDocument<'d>,
    source: SourceText<'d>,
    pub(super) findings: Vec<Diagnostic>,
    /// The ratings on questions in which global traits were seen first.
    pub(super) first_copies: HashSet<TokenId>,
}

impl<'d> CheckpointReader<'d> {
    pub(super) fn new(document: &'d JsonDocument, dialect: CheckpointDialect) -> Self {
        let source = document.source_text();
        Self {
            document,
            dialect,
            keyed: KeyedDocument::new(document),
            source,
            findings: Vec::new(),
            first_copies: HashSet::new(),
        }
    }

    pub(super) fn origin(&self, token: TokenId) -> TokenOrigin<'d> {
        TokenOrigin { document: self.document, token }
    }

    /// Reads the scalars under the given keys of an object; its other members go to `rest`.
    pub(super) fn scalars<const N: usize>(
        &mut self,
        object: TokenId,
        keys: [&str; N],
        mut rest: impl FnMut(&mut Self, &'d str, TokenId),
    ) -> [Option<PlacedValue<'d>>; N] {
        let document = self.document;
        let mut found = [const { None }; N];
        for member in document.members(object) {
            let (key, value) = (document.symbol_text(member.symbol), member.value);
            match keys.iter().position(|known| *known == key) {
                Some(at) => found[at] = self.scalar(key, value),
                None => rest(self, key, value),
            }
        }
        found
    }

    /// Returns a required part of an object; a missing part is an error.
    pub(super) fn need<T>(
        &mut self,
        part: Option<T>,
        code: &'static str,
        message: &str,
        object: TokenId,
    ) -> Option<T> {
        if part.is_none() {
            self.find(FindingSeverity::Error, code, message, object);
        }
        part
    }

    /// Adds a finding at a value.
    pub(super) fn find(
        &mut self,
        severity: FindingSeverity,
        code: &'static str,
        message: impl Into<String>,
        token: TokenId,
    ) {
        let place = self.document.place_in(&self.source, token);
        self.findings.push(Diagnostic::new(severity, code, message).at(place));
    }

    /// Warns if `@type` does not name `class`. Returns the value then, since every writer names that class.
    pub(super) fn expect_class(&mut self, types: TokenId, class: &str) -> Option<PlacedValue<'d>> {
        let is_other = self.keyed.each(types).next().is_some() && !self.keyed.names(types, class);
        if is_other {
            let found = self.document.raw(types);
            let message =
                format!("`@type` is `{found}`: it is read as {}", with_article(&format!("`{class}`")));
            self.find(FindingSeverity::Warning, "karenina::class", message, types);
        }
        is_other.then(|| PlacedValue::at(self.document, types))
    }

    /// Adds a finding at a value and points to a related value.
    pub(super) fn find_beside(
        &mut self,
        diagnostic: Diagnostic,
        token: TokenId,
        other: TokenId,
        label: &str,
    ) {
        let place = self.document.place_in(&self.source, token);
        let related = self.document.place_in(&self.source, other);
        self.findings.push(diagnostic.at(place).with_related(related, label));
    }

    /// Reports a value that is not allowed in its place. `null` is reported only in a list.
    pub(super) fn misplaced(&mut self, value: TokenId, expected: PlaceExpectation) {
        let is_in_list = matches!(expected, PlaceExpectation::Object(_) | PlaceExpectation::Item(_));
        if self.document.kind(value) != JsonKind::Null || is_in_list {
            let place = self.document.place_in(&self.source, value);
            let told = MisplacedValue { value, expected }.diagnostic(self.document);
            self.findings.push(told.at(place));
        }
    }

    /// Returns the members of the object under a key. Any other value is reported and has no members.
    pub(super) fn members_under(&mut self, key: &'static str, value: TokenId) -> JsonObjectMembers<'d> {
        if !self.document.is_object(value) {
            self.misplaced(value, PlaceExpectation::Member(key));
        }
        self.document.members(value)
    }

    /// Returns the single value of a key, or `None` for `null`. A second value is an error.
    pub(super) fn one(&mut self, key: &str, token: TokenId) -> Option<TokenId> {
        let mut values = self.keyed.each(token);
        let first = values.next()?;
        if let Some(second) = values.next() {
            let message = format!("`{key}` has several values, and one is expected");
            let fault = Diagnostic::error("karenina::several-values", message);
            self.find_beside(fault, second, first, "the first");
        }
        if first != token && self.document.kind(first) == JsonKind::Null {
            let message = format!("`{key}` is a list of null, which has no meaning");
            self.find(FindingSeverity::Warning, MisplacedValue::CODE, message, first);
        }
        let value = self.document.get(first, "@value").unwrap_or(first);
        (self.document.kind(value) != JsonKind::Null).then_some(value)
    }

    /// Returns the single value of a key that takes a scalar.
    pub(super) fn scalar(&mut self, key: &str, token: TokenId) -> Option<PlacedValue<'d>> {
        let value = self.one(key, token)?;
        if self.document.is_object(value) {
            let message = format!("`{key}` is an object; a string is expected");
            self.find(FindingSeverity::Error, "karenina::wrong-value", message, value);
            return None;
        }
        Some(PlacedValue::at(self.document, value))
    }
}
