//! The strings of a document that have to change, for names and for namespaces.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::contexts::DocumentContexts;
use super::datatypes::datatype_at;
use super::namespaces::NamespaceRelocation;
use super::renamings::{NameCorrections, NameRole};
use super::trace::{DocumentTrace, TracedTerm};
use crate::namespace::SchemaIri;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use evalgraph_rdf::vocabulary::rdf;

/// Strings and keys, with their new contents.
pub(super) type TokenContents = BTreeMap<TokenId, String>;

pub(super) struct FixSites<'s> {
    pub(super) document: &'s JsonDocument,
    pub(super) contexts: &'s DocumentContexts<'s>,
    pub(super) contents: TokenContents,
}

impl FixSites<'_> {
    /// Finds the strings with wrong names. If a context of the document defines a term, its IRI changes there, and the
    /// term stays.
    pub(super) fn rename(&mut self, trace: &DocumentTrace, renamings: &NameCorrections) {
        for quad in &trace.quads {
            let Some((key, value)) = quad.tokens else { continue };
            let predicate = trace.iri(quad.quad.predicate);
            let role = if predicate == rdf::TYPE { NameRole::Class } else { NameRole::Value(predicate) };
            self.rename_iri(Some(key), predicate, NameRole::Property, renamings);
            match trace.term(quad.quad.object) {
                TracedTerm::Iri(iri) => self.rename_iri(Some(value), iri, role, renamings),
                TracedTerm::Literal { lexical, datatype, .. } => {
                    let at = datatype_at(self.document, value);
                    self.rename_iri(at, trace.iri(*datatype), NameRole::Datatype, renamings);
                    self.rename_name(
                        value,
                        SchemaIri::from_iri(lexical).map_or(lexical, |iri| iri.local),
                        role,
                        renamings,
                    );
                }
                TracedTerm::BlankNode(_) | TracedTerm::StandIn(_) => {}
            }
        }
    }

    /// Finds the strings with IRIs of other namespaces.
    pub(super) fn relocate(&mut self, trace: &DocumentTrace, target: NamespaceRelocation) {
        for token in self.contexts.iris.clone() {
            self.relocate_iri(token, target, false);
        }
        for quad in &trace.quads {
            let Some((key, value)) = quad.tokens else { continue };
            self.relocate_iri(key, target, false);
            if trace.iri(quad.quad.predicate) == rdf::TYPE {
                self.relocate_iri(value, target, false);
            }
            if SchemaIri::from_iri(trace.datatype(quad.quad.object)).is_some()
                && let Some(datatype) = datatype_at(self.document, value)
            {
                self.relocate_iri(datatype, target, false);
            }
        }
        for (token, node) in &trace.nodes {
            let iri = trace.iri(*node);
            if SchemaIri::from_iri(iri).is_some()
                && let Some(token) = self.string_with(*token, |text| text == iri)
            {
                self.relocate_iri(token, target, true);
            }
        }
    }

    fn rename_iri(
        &mut self,
        token: Option<TokenId>,
        iri: &str,
        role: NameRole<'_>,
        renamings: &NameCorrections,
    ) {
        if let (Some(token), Some(iri)) = (token, SchemaIri::from_iri(iri)) {
            self.rename_name(token, iri.local, role, renamings);
        }
    }

    fn rename_name(&mut self, token: TokenId, name: &str, role: NameRole<'_>, renamings: &NameCorrections) {
        let Some(right) = renamings.get(role, name) else { return };
        let Some(token) = self.string_with(token, |text| renamed(text, name, right).is_some()) else {
            return self.rename_definitions(token, name, right);
        };
        let text = self.text(token).into_owned();
        if self.contexts.definitions(&text).is_empty() {
            self.set(token, renamed(&text, name, right));
        } else {
            self.rename_definitions(token, name, right);
        }
    }

    fn rename_definitions(&mut self, token: TokenId, name: &str, right: &str) {
        let Some(text) = self.document.string(token) else { return };
        for definition in self.contexts.definitions(&text) {
            match definition.iri {
                Some(iri) => self.set(iri, renamed(&self.text(iri), name, right)),
                // The term is the name.
                None => {
                    self.set(definition.key, renamed(&text, name, right));
                    self.set(token, renamed(&text, name, right));
                }
            }
        }
    }

    fn relocate_iri(&mut self, token: TokenId, target: NamespaceRelocation, is_value: bool) {
        let text = match self.contents.get(&token) {
            Some(content) => Cow::Borrowed(content.as_str()),
            None => self.document.string(token).unwrap_or_default(),
        };
        let moved = target.moved(&text, is_value);
        if moved.is_some() {
            self.contents.remove(&token);
        }
        self.set(token, moved);
    }

    /// The string of a value, or the only member of a node, that has a given text.
    fn string_with(&self, token: TokenId, is_it: impl Fn(&str) -> bool) -> Option<TokenId> {
        let is_wanted = |token: &TokenId| self.document.string(*token).is_some_and(|text| is_it(&text));
        match self.document.kind(token) {
            JsonKind::Object => self.document.members(token).map(|member| member.value).find(is_wanted),
            _ => Some(token).filter(is_wanted),
        }
    }

    fn text(&self, token: TokenId) -> Cow<'_, str> {
        self.document.string(token).unwrap_or_default()
    }

    fn set(&mut self, token: TokenId, content: Option<String>) {
        if let Some(content) = content {
            self.contents.entry(token).or_insert(content);
        }
    }
}

/// A name, a compact IRI or an IRI, with another name.
fn renamed(text: &str, name: &str, right: &str) -> Option<String> {
    let before = text.strip_suffix(name)?;
    (before.is_empty() || before.ends_with(['/', '#', ':'])).then(|| format!("{before}{right}"))
}
