//! Examples of codes: for each a text that causes its finding, and the same text corrected.

/// A text that causes a finding, and the same text without the fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeExample {
    /// The code of the finding.
    pub code: &'static str,
    /// The text that causes it.
    pub wrong: &'static str,
    /// The text that does not.
    pub right: &'static str,
}

/// The examples, sorted by code.
pub const CODE_EXAMPLES: &[CodeExample] = &[];

/// Returns the example of a code, if there is one.
pub fn example_of(code: &str) -> Option<&'static CodeExample> {
    let at = CODE_EXAMPLES.binary_search_by(|known| known.code.cmp(code)).ok()?;
    CODE_EXAMPLES.get(at)
}
