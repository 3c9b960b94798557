//! The handles of terms in a buffer of quads.

/// The handle of a term in a [`QuadBuffer`](super::QuadBuffer).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub(super) u32);

impl TermId {
    /// The handle as an index, for tables beside the buffer.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The handle of the term that came as the `index`-th.
    pub(crate) fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("inputs are limited to far fewer terms"))
    }
}
