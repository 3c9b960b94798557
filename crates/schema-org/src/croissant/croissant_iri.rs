//! IRIs in the namespace of Croissant.

/// The namespace.
const NAMESPACE: &str = "mlcommons.org/croissant/";

/// The namespace before version 1.0, which had other terms.
pub(super) const OLD_NAMESPACE: &str = "http://mlcommons.org/schema/";

/// An IRI of Croissant's namespace; extensions have namespaces below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CroissantIri<'i> {
    pub(crate) local: &'i str,
    /// `true` if it begins with `https`: a namespace that Croissant does not use.
    pub(super) is_alias: bool,
}

impl<'i> CroissantIri<'i> {
    pub(crate) fn from_iri(iri: &'i str) -> Option<Self> {
        let (rest, is_alias) = match iri.strip_prefix("http://") {
            Some(rest) => (rest, false),
            None => (iri.strip_prefix("https://")?, true),
        };
        let local = rest.strip_prefix(NAMESPACE)?;
        let is_term = local.starts_with(|first: char| first.is_alphabetic()) && !local.contains(['/', '#']);
        is_term.then_some(Self { local, is_alias })
    }
}

/// The spellings of the IRI of a Croissant term, the correct one first.
pub(super) fn spellings(local: &str) -> [String; 2] {
    ["http", "https"].map(|scheme| format!("{scheme}://{NAMESPACE}{local}"))
}

/// The spellings of the IRI of a term of schema.org.
pub(super) fn schema_spellings(local: &str) -> [String; 2] {
    ["http", "https"].map(|scheme| format!("{scheme}://schema.org/{local}"))
}
