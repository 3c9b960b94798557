//! The entries of a local context: what [Create Term Definition](crate::jsonld::context::term_definition) reads.

use crate::json::{Document, Kind, TokenId};
use crate::jsonld::context::LocalContext;
use crate::jsonld::warning::shorten;
use crate::jsonld::{JsonLdError, JsonLdErrorCode};
use hashbrown::HashMap;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// One entry of a local context, with its place.
pub(in crate::jsonld) struct Entry<'a> {
    pub(in crate::jsonld) term: Cow<'a, str>,
    pub(in crate::jsonld) document: &'a Arc<Document>,
    pub(in crate::jsonld) base_url: Option<&'a Rc<str>>,
    pub(in crate::jsonld) key: TokenId,
    pub(in crate::jsonld) value: TokenId,
    /// Whether the entry is in the context itself, not in the context that it imports.
    own: bool,
}

/// The entries of a local context, which override those of the context that it imports.
pub(in crate::jsonld) struct LocalEntries<'a> {
    entries: Vec<Entry<'a>>,
    index: HashMap<Box<str>, usize>,
}

impl<'a> LocalEntries<'a> {
    pub(in crate::jsonld) fn new(local: &'a LocalContext, imported: Option<&'a LocalContext>) -> Self {
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
            self.entries.push(Entry { term, document, base_url, key: member.key, value: member.value, own });
        }
    }

    pub(in crate::jsonld) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(in crate::jsonld) fn find(&self, term: &str) -> Option<usize> {
        self.index.get(term).copied()
    }

    /// Finds an entry as `find` does, but only in the context itself.
    pub(in crate::jsonld) fn find_own(&self, term: &str) -> Option<usize> {
        self.find(term).filter(|&entry| self.entries[entry].own)
    }

    pub(in crate::jsonld) fn entry(&self, entry: usize) -> &Entry<'a> {
        &self.entries[entry]
    }

    pub(in crate::jsonld) fn term(&self, entry: usize) -> &str {
        &self.entries[entry].term
    }

    pub(in crate::jsonld) fn kind(&self, entry: usize) -> Kind {
        self.entries[entry].document.kind(self.entries[entry].value)
    }

    pub(in crate::jsonld) fn string(&self, entry: usize) -> Option<Cow<'a, str>> {
        self.entries[entry].document.string(self.entries[entry].value)
    }

    pub(in crate::jsonld) fn number(&self, entry: usize) -> Option<&'a str> {
        self.entries[entry].document.number(self.entries[entry].value)
    }

    /// Returns the value as it is written, shortened for messages.
    pub(in crate::jsonld) fn shown(&self, entry: usize) -> String {
        shorten(self.entries[entry].document.raw(self.entries[entry].value))
    }

    pub(in crate::jsonld) fn error(
        &self,
        entry: usize,
        code: JsonLdErrorCode,
        message: impl Into<String>,
    ) -> Box<JsonLdError> {
        JsonLdError::new(code, message, self.entries[entry].document, self.entries[entry].value)
    }

    pub(in crate::jsonld) fn error_at_key(
        &self,
        entry: usize,
        code: JsonLdErrorCode,
        message: impl Into<String>,
    ) -> Box<JsonLdError> {
        JsonLdError::new(code, message, self.entries[entry].document, self.entries[entry].key)
    }
}

/// The members of an expanded term definition; a simple definition counts as the members that it abbreviates.
pub(in crate::jsonld) struct Source<'a> {
    pub(in crate::jsonld) document: &'a Arc<Document>,
    pub(in crate::jsonld) base_url: Option<&'a Rc<str>>,
    pub(in crate::jsonld) key: TokenId,
    pub(in crate::jsonld) term: &'a str,
    /// The object, if the definition is one.
    pub(in crate::jsonld) object: Option<TokenId>,
    /// The value of `@id`, or the string or null that the definition is.
    pub(in crate::jsonld) id: Option<TokenId>,
    /// Whether the definition is only a string.
    pub(in crate::jsonld) simple: bool,
}

impl<'a> Source<'a> {
    pub(in crate::jsonld) fn get(&self, key: &str) -> Option<TokenId> {
        self.document.get(self.object?, key)
    }

    pub(in crate::jsonld) fn string(&self, value: TokenId) -> Option<Cow<'a, str>> {
        self.document.string(value)
    }

    pub(in crate::jsonld) fn shown(&self, value: TokenId) -> String {
        shorten(self.document.raw(value))
    }

    pub(in crate::jsonld) fn error(
        &self,
        code: JsonLdErrorCode,
        value: TokenId,
        message: String,
    ) -> Box<JsonLdError> {
        JsonLdError::new(code, message, self.document, value)
    }
}
