//! The versions of the specification, and the pages of their sections.

/// A version of Croissant whose rules are supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum KnownCroissantVersion {
    V1_0,
    V1_1,
}

/// The beginning of the IRIs of versions.
pub(super) const IRI: &str = "http://mlcommons.org/croissant/";

impl KnownCroissantVersion {
    pub(super) const ALL: [Self; 2] = [Self::V1_0, Self::V1_1];

    /// Its number.
    pub(super) fn number(self) -> &'static str {
        match self {
            Self::V1_0 => "1.0",
            Self::V1_1 => "1.1",
        }
    }

    /// The value of `conformsTo`.
    pub(super) fn iri(self) -> String {
        format!("{IRI}{}", self.number())
    }

    /// The page of a section of the specification, by the anchor of its heading.
    pub(crate) fn page(self, section: &str) -> String {
        format!("https://docs.mlcommons.org/croissant/docs/croissant-spec-{}.html#{section}", self.number())
    }
}

/// The number of the version that a value of `conformsTo` names, however it is spelled; extensions have names instead.
pub(super) fn stated_number(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"))?;
    let rest = rest.strip_prefix("www.").unwrap_or(rest).strip_prefix("mlcommons.org/croissant")?;
    let number = rest.trim_matches('/');
    number.chars().all(|c| c.is_ascii_digit() || c == '.').then_some(number)
}
