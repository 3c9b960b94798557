//! The terms that a document's own `@context` defines, if they are defined in the document itself.

use std::borrow::Cow;

use super::namespace::SchemaIri;
use evalgraph_json::{JsonDocument, TokenId};

/// The namespace of schema.org if no context defines one.
const USUAL: &str = "http://schema.org/";

pub(super) struct InlineContext<'d> {
    document: &'d JsonDocument,
    /// The value of `@context`.
    pub(super) value: Option<TokenId>,
    /// Its objects; the last one takes precedence.
    objects: Vec<TokenId>,
}

/// A term, as a context defines it.
#[derive(Debug)]
pub(super) struct InlineTerm<'d> {
    iri: Cow<'d, str>,
    /// The datatype, or `@id`.
    pub(super) coercion: Option<Cow<'d, str>>,
}

impl<'d> InlineContext<'d> {
    /// The context of a node.
    pub(super) fn from_node(document: &'d JsonDocument, node: TokenId) -> Self {
        let value = document.get(node, "@context");
        let parts: Vec<TokenId> = match value {
            Some(value) if document.is_array(value) => document.items(value).collect(),
            _ => value.into_iter().collect(),
        };
        let objects = parts.into_iter().filter(|part| document.is_object(*part)).collect();
        Self { document, value, objects }
    }

    /// The parts of the context, in order.
    pub(super) fn parts(&self) -> Vec<TokenId> {
        match self.value {
            Some(value) if self.document.is_array(value) => self.document.items(value).collect(),
            value => value.into_iter().collect(),
        }
    }

    /// The namespace of schema.org that the context makes the vocabulary.
    pub(super) fn namespace(&self) -> Cow<'d, str> {
        let vocabulary = self.last(|object| self.document.get(object, "@vocab"));
        let iri = vocabulary.and_then(|value| self.document.string(value));
        iri.filter(|iri| SchemaIri::from_iri(iri).is_some_and(|iri| iri.local.is_empty()))
            .unwrap_or(Cow::Borrowed(USUAL))
    }

    /// The definition of a term, on nodes of a class.
    pub(super) fn term(&self, class: &str, name: &str) -> Option<InlineTerm<'d>> {
        let scoped = |object| {
            let context = self.document.get(self.document.get(object, class)?, "@context")?;
            self.document.get(context, name)
        };
        let value = self.last(scoped).or_else(|| self.last(|object| self.document.get(object, name)))?;
        let id = if self.document.is_object(value) { self.document.get(value, "@id") } else { Some(value) };
        let iri = id.map_or(Some(Cow::Owned(name.to_owned())), |id| self.document.string(id))?;
        let coercion = self.document.get(value, "@type").and_then(|value| self.document.string(value));
        Some(InlineTerm { iri, coercion })
    }

    /// The name in schema.org of a term on nodes of a class; none for a term of another vocabulary.
    pub(super) fn name<'n>(&self, class: &str, term: &'n str) -> Option<Cow<'n, str>>
    where
        'd: 'n,
    {
        let iri = self.term(class, term).map_or(Cow::Borrowed(term), |term| term.iri);
        let Some((prefix, suffix)) = iri.split_once(':') else { return Some(iri) };
        if let Some(iri) = SchemaIri::from_iri(&iri) {
            return Some(Cow::Owned(iri.local.to_owned()));
        }
        let namespace = self.term("", prefix)?;
        SchemaIri::from_iri(&namespace.iri)?.local.is_empty().then(|| Cow::Owned(suffix.to_owned()))
    }

    fn last(&self, find: impl Fn(TokenId) -> Option<TokenId>) -> Option<TokenId> {
        self.objects.iter().rev().find_map(|object| find(*object))
    }
}
