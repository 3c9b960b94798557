//! The context that makes a checkpoint of Karenina comply with schema.org, while its keys, nesting and values stay as
//! they are: its own context, with another meaning for the keys that schema.org does not define, or does not define for
//! that class.
//!
//! A rating becomes the `contentRating` that it is for Karenina's own library, a Dataset of items becomes the DataFeed
//! that has items, and terms that schema.org lacks move to Karenina's namespace; objects without a type are JSON there.

use std::borrow::Cow;

use super::context_terms::{ClassKeyMeaning, ComplyingIri, ComplyingTerms, JSON};
use super::inline_context::InlineContext;
use super::lexical::is_url;
use super::vocabulary_terms::{SchemaOrgVocabulary, VocabularyTerm};
use evalgraph_json::{JsonDocument, JsonStyle, StyledJson, TokenId};

/// A context document that makes a checkpoint comply with schema.org, to be used instead of its own context. `root` is
/// the checkpoint's node.
///
/// Some problems cannot be fixed by a context and remain: ids that are not IRIs, and strings in place of nodes.
pub fn complying_context(document: &JsonDocument, root: TokenId, vocabulary: &SchemaOrgVocabulary) -> String {
    let context = InlineContext::from_node(document, root);
    let mut walk = ComplyingWalk { document, vocabulary, context, terms: ComplyingTerms::default() };
    walk.nodes(root);
    let ComplyingWalk { context, terms, .. } = walk;
    let mut json = StyledJson::new(JsonStyle { end: "\n".to_owned(), ..JsonStyle::default() });
    json.open('{').key("@context");
    terms.write_behind(document, &context, &mut json);
    json.close('}');
    json.finish()
}

struct ComplyingWalk<'d> {
    document: &'d JsonDocument,
    vocabulary: &'d SchemaOrgVocabulary,
    context: InlineContext<'d>,
    terms: ComplyingTerms<'d>,
}

impl<'d> ComplyingWalk<'d> {
    /// Visits a node and all nodes below it that are not JSON.
    fn nodes(&mut self, root: TokenId) {
        let mut waiting = vec![root];
        while let Some(value) = waiting.pop() {
            if self.document.is_array(value) {
                waiting.extend(self.document.items(value));
            }
            let class = self.class(value);
            if !class.is_empty() && self.is_unknown(class) {
                self.terms.set_class(class, ComplyingIri::Own);
            }
            for member in self.document.members(value) {
                let key = self.document.symbol_text(member.symbol);
                let is_json = !matches!(key, "@graph" | "@included" | "@list" | "@set")
                    && (key.starts_with('@') || self.key(class, key, member.value));
                if !is_json {
                    waiting.push(member.value);
                }
            }
        }
    }

    /// The class of a node, in a form that the context can name; the first one if there are several.
    fn class(&self, node: TokenId) -> &'d str {
        let document = self.document;
        let Some(types) = document.get(node, "@type") else { return "" };
        let first = if document.is_array(types) { document.items(types).next() } else { Some(types) };
        let class = first.and_then(|class| document.plain_string(class)).unwrap_or_default();
        if class.contains(':') { "" } else { class }
    }

    /// Returns whether a class is in the namespace of schema.org but does not exist there.
    fn is_unknown(&self, class: &str) -> bool {
        self.context.name("", class).is_some() && self.known_class(class).is_none()
    }

    /// The class in schema.org that corresponds to a class of the document.
    fn known_class(&self, class: &str) -> Option<VocabularyTerm<'d>> {
        self.vocabulary.class(&self.context.name("", class)?)
    }

    /// Finds the meaning of a key on a node of a class; returns whether its value is JSON.
    fn key(&mut self, class: &'d str, key: &'d str, value: TokenId) -> bool {
        let mut coercion = self.context.term(class, key).and_then(|term| term.coercion);
        let is_term = !key.is_empty() && !key.contains(':');
        let name = if is_term { self.context.name(class, key) } else { None };
        let Some(name) = name else { return coercion.as_deref() == Some(JSON) };
        let mut iri = self.iri(class, &name, value);
        if coercion.as_deref() != Some(JSON) && self.holds_json(value, iri == ComplyingIri::Own) {
            coercion = Some(Cow::Borrowed(JSON));
            if iri == ComplyingIri::Kept {
                iri = ComplyingIri::SchemaOrg(Cow::Owned(name.into_owned()));
            }
        }
        let is_json = coercion.as_deref() == Some(JSON);
        self.terms.add(class, key, ClassKeyMeaning { iri, coercion }, self.document.is_array(value));
        is_json
    }

    /// The IRI with which a property of nodes of a class complies with a value.
    fn iri(&mut self, class: &'d str, name: &str, value: TokenId) -> ComplyingIri<'d> {
        let Some(property) = self.vocabulary.property(name) else {
            let is_rating = name == "rating";
            return if is_rating {
                ComplyingIri::SchemaOrg(Cow::Borrowed("contentRating"))
            } else {
                ComplyingIri::Own
            };
        };
        if name == "hasPart"
            && class == "Dataset"
            && self.items(value).any(|item| self.class(item) == "DataFeedItem")
        {
            self.terms.set_class(class, ComplyingIri::SchemaOrg(Cow::Borrowed("DataFeed")));
            return ComplyingIri::SchemaOrg(Cow::Borrowed("dataFeedElement"));
        }
        match self.is_in_domain(property, class) && self.is_in_range(property, value) {
            true => ComplyingIri::Kept,
            false => ComplyingIri::Own,
        }
    }

    fn is_in_domain(&self, property: VocabularyTerm<'_>, class: &str) -> bool {
        let Some(class) = self.known_class(class) else { return true };
        let mut domain = property.domain().peekable();
        domain.peek().is_none() || domain.any(|expected| class.is_below(expected))
    }

    /// Returns whether the strings and the nodes of known classes in a value are expected there.
    fn is_in_range(&self, property: VocabularyTerm<'_>, value: TokenId) -> bool {
        let takes_texts = property.range().any(|name| name != "URL");
        self.items(value).all(|item| match self.document.string(item) {
            Some(text) => takes_texts || is_url(&text),
            None => {
                let class = self.known_class(self.class(item));
                class.is_none_or(|class| property.range().any(|expected| class.is_below(expected)))
            }
        })
    }

    /// The items of an array, or the value itself.
    fn items(&self, value: TokenId) -> impl Iterator<Item = TokenId> + use<'d> {
        let alone = (!self.document.is_array(value)).then_some(value);
        alone.into_iter().chain(self.document.items(value))
    }

    /// Returns whether a value contains an object that is not a node: one without a type, and with keys that are not
    /// properties. Under one of Karenina's own keys, objects without a type are never nodes.
    fn holds_json(&self, value: TokenId, is_own: bool) -> bool {
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            waiting.extend(self.document.items(value));
            let mut members = self.document.members(value).peekable();
            let keys = ["@type", "@id", "@value", "@list"];
            if members.peek().is_none() || keys.iter().any(|key| self.document.get(value, key).is_some()) {
                continue;
            }
            for member in members {
                let key = self.document.symbol_text(member.symbol);
                let is_property = key.starts_with('@') || self.vocabulary.property(key).is_some();
                if is_own || !is_property {
                    return true;
                }
                waiting.push(member.value);
            }
        }
        false
    }
}
