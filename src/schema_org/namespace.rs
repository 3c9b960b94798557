//! IRIs of schema.org in every spelling that people use.

/// An IRI of schema.org.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SchemaIri<'i> {
    pub(super) local: &'i str,
}

impl<'i> SchemaIri<'i> {
    pub(super) fn of(iri: &'i str) -> Option<Self> {
        let rest = iri.strip_prefix("https://").or_else(|| iri.strip_prefix("http://"))?;
        let rest = rest.strip_prefix("www.").unwrap_or(rest).strip_prefix("schema.org")?;
        let local = rest.strip_prefix("/#").or_else(|| rest.strip_prefix('#'));
        Some(Self { local: local.or_else(|| rest.strip_prefix('/'))? })
    }

    /// Tells whether it looks like a term, and not like a page of schema.org.
    pub(super) fn is_term(&self) -> bool {
        !self.local.is_empty() && self.local.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    }
}
