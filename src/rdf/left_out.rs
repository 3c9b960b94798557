//! Quads that a format cannot express.

/// Quads that a format cannot express for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The reason, as the middle of a sentence.
    pub reason: &'static str,
    /// The first offending text.
    pub example: String,
    /// How many quads.
    pub quads: u64,
}
