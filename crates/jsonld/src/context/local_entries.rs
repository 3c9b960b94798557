//! The entries of a local context, as [Create Term Definition](crate::context::term_definition) reads them.

use crate::context::LocalContext;
use crate::warning::shorten;
use crate::{JsonLdError, JsonLdErrorCode};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use hashbrown::HashMap;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// One entry of a local context, with its place.
pub(crate) struct ContextEntry<'a> {
    pub(crate) term: Cow<'a, str>,
    pub(crate) document: &'a Arc<JsonDocument>,
    pub(crate) base_url: Option<&'a Rc<str>>,
    pub(crate) key: TokenId,
    pub(crate) value: TokenId,
    /// `true` if the entry is in the context itself, not in the imported context.
    own: bool,
}

/// The entries of a local context. They override those of the imported context.
pub(crate) struct LocalEntries<'a> {
    entries: Vec<ContextEntry<'a>>,
    index: HashMap<Box<str>, usize>,
}

impl<'a> LocalEntries<'a> {
    pub(crate) fn new(local: &'a LocalContext, imported: Option<&'a LocalContext>) -> Self {
        let mut all = Self { entries: Vec::new(), index: HashMap::new() };
        all.add(local, true);
        if let Some(imported) = imported {
            all.add(imported, false);
        }
        all
    }

    fn add(&mut self, layer: &'a LocalContext, own: bool) {
        let document = &layer.document;
        for member in document.members(layer.value) {
            let term = Cow::Borrowed(document.symbol_text(member.symbol));
            if self.index.contains_key(term.as_ref()) {
                continue;
            }
            self.index.insert(term.as_ref().into(), self.entries.len());
            let base_url = layer.base_url.as_ref();
            self.entries.push(ContextEntry {
                term,
                document,
                base_url,
                key: member.key,
                value: member.value,
                own,
            });
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn find(&self, term: &str) -> Option<usize> {
        self.index.get(term).copied()
    }

    /// Finds an entry like [`Self::find`], but only in the context itself.
    pub(crate) fn find_own(&self, term: &str) -> Option<usize> {
        self.find(term).filter(|&entry| self.entries[entry].own)
    }

    pub(crate) fn entry(&self, entry: usize) -> &ContextEntry<'a> {
        &self.entries[entry]
    }

    pub(crate) fn term(&self, entry: usize) -> &str {
        &self.entries[entry].term
    }

    pub(crate) fn kind(&self, entry: usize) -> JsonKind {
        self.entries[entry].document.kind(self.entries[entry].value)
    }

    pub(crate) fn string(&self, entry: usize) -> Option<Cow<'a, str>> {
        self.entries[entry].document.string(self.entries[entry].value)
    }

    pub(crate) fn number(&self, entry: usize) -> Option<&'a str> {
        self.entries[entry].document.number(self.entries[entry].value)
    }

    /// Returns the value as written, shortened for messages.
    pub(crate) fn shown(&self, entry: usize) -> String {
        shorten(self.entries[entry].document.raw(self.entries[entry].value))
    }

    pub(crate) fn error(
        &self,
        entry: usize,
        code: JsonLdErrorCode,
        message: impl Into<String>,
    ) -> Box<JsonLdError> {
        JsonLdError::new(code, message, self.entries[entry].document, self.entries[entry].value)
    }

    pub(crate) fn error_at_key(
        &self,
        entry: usize,
        code: JsonLdErrorCode,
        message: impl Into<String>,
    ) -> Box<JsonLdError> {
        JsonLdError::new(code, message, self.entries[entry].document, self.entries[entry].key)
    }
}

/// The members of an expanded term definition. A simple definition has the members that it abbreviates.
pub(crate) struct ExpandedTermDefinition<'a> {
    pub(crate) document: &'a Arc<JsonDocument>,
    pub(crate) base_url: Option<&'a Rc<str>>,
    pub(crate) key: TokenId,
    pub(crate) term: &'a str,
    /// The object, if the definition is one.
    pub(crate) object: Option<TokenId>,
    /// The value of `@id`, or the definition itself if it is a string or null.
    pub(crate) id: Option<TokenId>,
    /// `true` if the definition is only a string.
    pub(crate) simple: bool,
}

impl<'a> ExpandedTermDefinition<'a> {
    pub(crate) fn get(&self, key: &str) -> Option<TokenId> {
        self.document.get(self.object?, key)
    }

    pub(crate) fn string(&self, value: TokenId) -> Option<Cow<'a, str>> {
        self.document.string(value)
    }

    pub(crate) fn shown(&self, value: TokenId) -> String {
        shorten(self.document.raw(value))
    }

    pub(crate) fn error(&self, code: JsonLdErrorCode, value: TokenId, message: String) -> Box<JsonLdError> {
        JsonLdError::new(code, message, self.document, value)
    }
}
