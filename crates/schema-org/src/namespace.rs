//! IRIs of schema.org in every common spelling, and IRIs that were meant to be in schema.org.

/// A prefix that people expect to mean schema.org. If it is not declared, `schema:name` is an absolute IRI.
const EXPECTED_PREFIXES: [&str; 3] = ["schema", "sdo", "schemaorg"];

/// An IRI of schema.org.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SchemaIri<'i> {
    pub(super) local: &'i str,
    pub(super) is_https: bool,
    /// `true` if it has `www.schema.org` or a `#`: a namespace that schema.org does not use.
    pub(super) is_alias: bool,
}

impl<'i> SchemaIri<'i> {
    pub(super) fn from_iri(iri: &'i str) -> Option<Self> {
        let (rest, is_https) = match iri.strip_prefix("https://") {
            Some(rest) => (rest, true),
            None => (iri.strip_prefix("http://")?, false),
        };
        let host = rest.strip_prefix("www.");
        let rest = host.unwrap_or(rest).strip_prefix("schema.org")?;
        let local = rest.strip_prefix("/#").or_else(|| rest.strip_prefix('#'));
        let is_alias = host.is_some() || local.is_some();
        Some(Self { local: local.or_else(|| rest.strip_prefix('/'))?, is_https, is_alias })
    }

    /// Returns whether it looks like a term rather than a page of schema.org.
    pub(super) fn is_term(&self) -> bool {
        !self.local.is_empty() && self.local.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    }

    /// The namespace in this spelling.
    pub(super) fn namespace(&self, iri: &'i str) -> &'i str {
        &iri[..iri.len() - self.local.len()]
    }
}

/// The prefix of an IRI that was meant to be in schema.org.
pub(super) fn undeclared_prefix(iri: &str) -> Option<&'static str> {
    EXPECTED_PREFIXES.into_iter().find(|prefix| {
        let rest = iri.strip_prefix(prefix).and_then(|rest| rest.strip_prefix(':'));
        rest.is_some_and(|rest| !rest.starts_with("//"))
    })
}
