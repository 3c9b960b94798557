//! What is reported once for a document: its namespaces, prefixes that are not declared, terms that are pending.

use std::collections::BTreeMap;

use super::code::CheckRule;
use super::namespace::{SchemaIri, undeclared_prefix};
use super::teller::{CheckTeller, FaultDescription, StatementPart};
use super::vocabulary_terms::VocabularyTerm;

/// What a walk over a document has seen, each with the first statement.
#[derive(Debug, Default)]
pub(super) struct DocumentObservations {
    has_term: bool,
    http: Option<StatementPart>,
    https: Option<StatementPart>,
    alias: Option<(String, StatementPart)>,
    prefixes: BTreeMap<&'static str, StatementPart>,
    pending: BTreeMap<String, StatementPart>,
}

impl DocumentObservations {
    /// Notes the spelling of a predicate, type or datatype of schema.org.
    pub(super) fn namespace(&mut self, iri: &str, at: StatementPart) {
        let Some(found) = SchemaIri::from_iri(iri) else { return };
        if found.is_https { &mut self.https } else { &mut self.http }.get_or_insert(at);
        self.value(iri, at);
    }

    /// Notes a term of schema.org as a value. Under schema.org's own context, whose terms are `http`, its documentation
    /// writes values with `https`: they mix no namespaces.
    pub(super) fn value(&mut self, iri: &str, at: StatementPart) {
        self.has_term = true;
        if let Some(found) = SchemaIri::from_iri(iri).filter(|found| found.is_alias) {
            self.alias.get_or_insert_with(|| (found.namespace(iri).to_owned(), at));
        }
    }

    pub(super) fn prefix(&mut self, prefix: Option<&'static str>, at: StatementPart) {
        if let Some(prefix) = prefix {
            self.prefixes.entry(prefix).or_insert(at);
        }
    }

    /// Notes an IRI that may have a prefix that was meant for schema.org.
    pub(super) fn iri(&mut self, iri: &str, at: StatementPart) {
        self.prefix(undeclared_prefix(iri), at);
    }

    pub(super) fn pending(&mut self, term: VocabularyTerm<'_>, at: StatementPart) {
        if term.is_pending() && !self.pending.contains_key(term.name()) {
            self.pending.insert(term.name().to_owned(), at);
        }
    }

    /// Returns whether the document has or means to have a term of schema.org.
    pub(super) fn has_schema_org(&self) -> bool {
        self.has_term || !self.prefixes.is_empty()
    }

    pub(super) fn tell(&self, teller: &mut CheckTeller<'_>) {
        for (prefix, at) in &self.prefixes {
            let message =
                format!("`{prefix}:` is declared nowhere, so that its terms are none of schema.org");
            teller.tell_of_document(
                CheckRule::UndefinedPrefix,
                prefix,
                Some(*at),
                FaultDescription::new(message),
            );
        }
        if let (Some(http), Some(https)) = (self.http, self.https) {
            let message = "terms of `http://schema.org/` and of `https://schema.org/` stand side by side: for queries they are different";
            teller.tell_of_document(
                CheckRule::NamespaceMixed,
                "",
                Some(http.max(https)),
                FaultDescription::new(message),
            );
        }
        if let Some((namespace, at)) = &self.alias {
            let message =
                format!("`{namespace}` is not the namespace of schema.org: for queries its terms are others");
            teller.tell_of_document(CheckRule::NamespaceAlias, "", Some(*at), FaultDescription::new(message));
        }
        for (name, at) in &self.pending {
            let message = format!("`{name}` is pending: schema.org may still change it");
            let fault = FaultDescription::of_term(name, None, message).about(name);
            teller.tell_of_document(CheckRule::Pending, name, Some(*at), fault);
        }
        if !self.has_schema_org() {
            let message = "the document has no term of schema.org: its context may be missing";
            teller.tell_of_document(CheckRule::NoSchemaOrg, "", None, FaultDescription::new(message));
        }
    }
}
