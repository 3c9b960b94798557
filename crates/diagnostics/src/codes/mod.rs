//! The codes of findings, each explained in a sentence or two. The codes that the specification of JSON-LD names
//! are with its processor, the rules of file formats with the formats.

mod code_table;

use super::FindingSeverity;
pub use code_table::CODES;

// Codes that the program treats in a special way.
/// The new form needs a value that the data do not have.
pub const CONVERT_DEFAULT: &str = "convert::default";
/// The new form cannot hold a value.
pub const CONVERT_LOSS: &str = "convert::loss";
/// An input is larger than its limit.
pub const INPUT_TOO_LARGE: &str = "input::too-large";
/// An input cannot be read.
pub const INPUT_UNREADABLE: &str = "input::unreadable";
/// A file has no JSON.
pub const JSON_EMPTY: &str = "json::empty";
/// A file has one document in each line.
pub const JSON_RECORDS: &str = "json::records";
/// A document is larger than documents may be.
pub const JSON_SIZE: &str = "json::size";
/// Text follows the document.
pub const JSON_TRAILING_TEXT: &str = "json::trailing-text";
/// A document ends before it is whole.
pub const JSON_TRUNCATED: &str = "json::truncated";
/// A query uses a prefix that is not declared.
pub const SPARQL_UNDECLARED_PREFIX: &str = "sparql::undeclared-prefix";
/// A command needs a store, and neither this folder nor one above it has one.
pub const STORE_MISSING: &str = "store::missing";

/// A code of a finding, as `area::name`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FindingCode {
    /// Its stable name.
    pub code: &'static str,
    /// How bad its findings are; several severities if that depends on the command.
    pub severities: &'static [FindingSeverity],
    /// What happened, what it means for the data, and what to do.
    pub explanation: &'static str,
}

const fn error(code: &'static str, explanation: &'static str) -> FindingCode {
    FindingCode { code, severities: &[FindingSeverity::Error], explanation }
}

const fn warning(code: &'static str, explanation: &'static str) -> FindingCode {
    FindingCode { code, severities: &[FindingSeverity::Warning], explanation }
}

const fn note(code: &'static str, explanation: &'static str) -> FindingCode {
    FindingCode { code, severities: &[FindingSeverity::Note], explanation }
}

const fn warning_or_error(code: &'static str, explanation: &'static str) -> FindingCode {
    FindingCode { code, severities: &[FindingSeverity::Warning, FindingSeverity::Error], explanation }
}

const fn note_or_error(code: &'static str, explanation: &'static str) -> FindingCode {
    FindingCode { code, severities: &[FindingSeverity::Note, FindingSeverity::Error], explanation }
}

/// The row of a code; none for a code of a specification or of rules.
pub fn explain(code: &str) -> Option<&'static FindingCode> {
    let at = CODES.binary_search_by(|known| known.code.cmp(code)).ok()?;
    CODES.get(at)
}
