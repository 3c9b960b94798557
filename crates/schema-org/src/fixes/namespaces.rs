//! The namespace of schema.org that a document should use throughout.

use super::contexts::DocumentContexts;
use super::datatypes::datatype_at;
use super::trace::DocumentTrace;
use crate::code::CheckRule;
use crate::namespace::SchemaIri;
use crate::schema_org_finding::SchemaOrgFinding;
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::vocabulary::rdf;

/// A namespace of schema.org.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaNamespace {
    /// `http://schema.org/`
    Http,
    /// `https://schema.org/`
    Https,
}

impl SchemaNamespace {
    /// Its IRI.
    pub fn iri(self) -> &'static str {
        match self {
            Self::Http => "http://schema.org/",
            Self::Https => "https://schema.org/",
        }
    }

    fn from_iri(iri: SchemaIri<'_>) -> Self {
        if iri.is_https { Self::Https } else { Self::Http }
    }
}

/// The namespace of a document, and which IRIs are to be moved to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamespaceRelocation {
    pub(super) namespace: SchemaNamespace,
    /// `true` if terms of the other namespace are moved.
    moves_terms: bool,
    /// `true` if values are moved, too.
    moves_values: bool,
}

impl NamespaceRelocation {
    /// The target of a document: the requested namespace, or else the one that most of its terms have.
    pub(super) fn from_trace(
        trace: &DocumentTrace,
        document: &JsonDocument,
        contexts: &DocumentContexts<'_>,
        findings: &[SchemaOrgFinding],
        wish: Option<SchemaNamespace>,
    ) -> Option<Self> {
        let is_found = |code| findings.iter().any(|finding| finding.code == code);
        let is_mixed = is_found(CheckRule::NamespaceMixed);
        if wish.is_none() && !is_mixed && !is_found(CheckRule::NamespaceAlias) {
            return None;
        }
        let (mut http, mut https, mut fixed) = (0_u64, 0_u64, None);
        for quad in &trace.quads {
            let Some((key, value)) = quad.tokens else { continue };
            let predicate = trace.iri(quad.quad.predicate);
            let class = if predicate == rdf::TYPE { trace.iri(quad.quad.object) } else { "" };
            let datatype = trace.datatype(quad.quad.object);
            let datatype_at = datatype_at(document, value);
            let is_own = |token: TokenId| document.string(token).is_none_or(|text| contexts.is_own(&text));
            for (iri, is_own) in [
                (predicate, is_own(key)),
                (class, is_own(value)),
                (datatype, datatype_at.map_or_else(|| contexts.defines(key), is_own)),
            ] {
                let Some(found) = SchemaIri::from_iri(iri) else { continue };
                *if found.is_https { &mut https } else { &mut http } += 1;
                if !is_own {
                    fixed = Some(SchemaNamespace::from_iri(found));
                }
            }
        }
        let most = if https > http { SchemaNamespace::Https } else { SchemaNamespace::Http };
        // A context from elsewhere cannot be changed, so everything else has to follow it.
        let namespace = fixed.or(wish).unwrap_or(most);
        let is_granted = wish == Some(namespace);
        Some(Self { namespace, moves_terms: is_granted || is_mixed, moves_values: is_granted })
    }

    /// A term of schema.org in the namespace; none if it stays as it is.
    pub(super) fn moved(self, text: &str, is_value: bool) -> Option<String> {
        let iri = SchemaIri::from_iri(text).filter(|iri| iri.local.is_empty() || iri.is_term())?;
        let is_other = SchemaNamespace::from_iri(iri) != self.namespace;
        let moves = if is_value { self.moves_values } else { self.moves_terms };
        (iri.is_alias || is_other && moves).then(|| format!("{}{}", self.namespace.iri(), iri.local))
    }
}
