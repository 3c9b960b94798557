//! The observations that are reported once for a document: its namespaces, undeclared prefixes, pending terms.

use std::collections::BTreeMap;

use super::code::CheckRule;
use super::namespace::{SchemaIri, undeclared_prefix};
use super::teller::{CheckTeller, FaultDescription, StatementPart};
use super::vocabulary_terms::VocabularyTerm;

/// The observations of a walk over a document, each with the first statement.
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
    /// Records the spelling of a predicate, type or datatype of schema.org.
    pub(super) fn namespace(&mut self, iri: &str, at: StatementPart) {
        let Some(found) = SchemaIri::from_iri(iri) else { return };
        if found.is_https { &mut self.https } else { &mut self.http }.get_or_insert(at);
        self.value(iri, at);
    }

    /// Records a term of schema.org as a value. With schema.org's own context, whose terms are `http`, its
    /// documentation writes values with `https`: this does not count as mixing namespaces.
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

    /// Records an IRI with a prefix that may have been meant for schema.org.
    pub(super) fn iri(&mut self, iri: &str, at: StatementPart) {
        self.prefix(undeclared_prefix(iri), at);
    }

    pub(super) fn pending(&mut self, term: VocabularyTerm<'_>, at: StatementPart) {
        if term.is_pending() && !self.pending.contains_key(term.name()) {
            self.pending.insert(term.name().to_owned(), at);
        }
    }

    /// Returns whether the document has a term of schema.org, or tries to.
    pub(super) fn has_schema_org(&self) -> bool {
        self.has_term || !self.prefixes.is_empty()
    }

    pub(super) fn tell(&self, teller: &mut CheckTeller<'_>) {
        for (prefix, at) in &self.prefixes {
            let message = format!("`{prefix}:` is not declared, so its terms do not belong to schema.org");
            teller.tell_of_document(
                CheckRule::UndefinedPrefix,
                prefix,
                Some(*at),
                FaultDescription::new(message),
            );
        }
        if let (Some(http), Some(https)) = (self.http, self.https) {
            let message = "terms of `http://schema.org/` and of `https://schema.org/` are mixed: queries treat them as different";
            teller.tell_of_document(
                CheckRule::NamespaceMixed,
                "",
                Some(http.max(https)),
                FaultDescription::new(message),
            );
        }
        if let Some((namespace, at)) = &self.alias {
            let message = format!(
                "`{namespace}` is not the namespace of schema.org: queries treat its terms as different"
            );
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
