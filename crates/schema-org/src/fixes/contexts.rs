//! The contexts in a document, and where the IRIs of its terms are written.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::namespace::SchemaIri;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};

/// All contexts of a document, including those of nodes and of terms.
#[derive(Debug)]
pub(super) struct DocumentContexts<'d> {
    document: &'d JsonDocument,
    terms: HashMap<Cow<'d, str>, Vec<DefinitionTokens>>,
    /// The strings that may contain an IRI.
    pub(super) iris: Vec<TokenId>,
    /// `true` if one of them makes schema.org the vocabulary.
    has_vocabulary: bool,
    /// `true` if one of them is the address of a context.
    has_address: bool,
}

/// A definition of a term.
#[derive(Debug, Clone, Copy)]
pub(super) struct DefinitionTokens {
    pub(super) key: TokenId,
    /// The string with its IRI.
    pub(super) iri: Option<TokenId>,
}

impl<'d> DocumentContexts<'d> {
    /// Finds the contexts, in one walk over the keys.
    pub(super) fn from_document(document: &'d JsonDocument) -> Self {
        let (terms, iris) = (HashMap::new(), Vec::new());
        let mut contexts = Self { document, terms, iris, has_vocabulary: false, has_address: false };
        let Some(context) = document.find_symbol("@context") else { return contexts };
        let tokens = (0..document.token_count()).map(TokenId::from_index);
        for key in tokens.filter(|token| document.kind(*token) == JsonKind::Key) {
            if document.symbol(key) == context {
                contexts.add(TokenId::from_index(key.index() + 1));
            }
        }
        contexts
    }

    /// The definitions of a term.
    pub(super) fn definitions(&self, term: &str) -> &[DefinitionTokens] {
        self.terms.get(term).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a context of the document defines a key.
    pub(super) fn defines(&self, key: TokenId) -> bool {
        self.document.string(key).is_some_and(|key| !self.definitions(&key).is_empty())
    }

    /// Returns whether the document itself determines the IRI that a term, a compact IRI or an IRI expands to.
    pub(super) fn is_own(&self, text: &str) -> bool {
        let prefix = text.split_once(':').map(|(prefix, _)| prefix);
        SchemaIri::from_iri(text).is_some()
            || self.has_vocabulary && !self.has_address
            || self.definitions(text).iter().any(|definition| definition.iri.is_some())
            || prefix.is_some_and(|prefix| !self.definitions(prefix).is_empty())
    }

    fn add(&mut self, value: TokenId) {
        let document = self.document;
        for part in document.items(value).chain([value]) {
            self.has_address |= document.is_string(part);
            for member in document.members(part) {
                self.member(member.key, member.value);
            }
        }
    }

    fn member(&mut self, key: TokenId, value: TokenId) {
        let document = self.document;
        let name = document.string(key).unwrap_or_default();
        let own = |name: &str| document.get(value, name).filter(|value| document.is_string(*value));
        let text = Some(value).filter(|value| document.is_string(*value));
        if name == "@vocab" {
            let iri = text.and_then(|text| document.string(text));
            self.has_vocabulary |= iri.is_some_and(|iri| SchemaIri::from_iri(&iri).is_some());
        }
        let iri = text.or_else(|| own("@id"));
        self.iris.extend(iri.into_iter().chain(own("@type")).chain(own("@reverse")));
        if !name.starts_with('@') {
            self.terms.entry(name).or_default().push(DefinitionTokens { key, iri });
        }
    }
}
