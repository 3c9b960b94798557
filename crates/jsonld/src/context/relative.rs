//! How a relative IRI is resolved.

/// The rules for a string that is neither a keyword, a term nor a compact IRI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RelativeIriRule {
    /// `vocab` true, `documentRelative` false: keys and terms.
    Vocab,
    /// `vocab` true, `documentRelative` true: types.
    VocabThenDocument,
    /// `vocab` false, `documentRelative` true: ids.
    Document,
}

impl RelativeIriRule {
    pub(crate) fn vocab(self) -> bool {
        self != Self::Document
    }

    pub(crate) fn document(self) -> bool {
        self != Self::Vocab
    }
}
