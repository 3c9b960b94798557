//! The codes of findings, each explained in a few sentences, with an example. The codes of the JSON-LD specification are
//! defined with the processor, and the rules of file formats with the formats; the examples of the former are here, too.

mod code_example;
mod code_examples;
mod code_examples_json_ld;
mod code_examples_queries;
mod code_examples_questions;
mod code_examples_reading;
mod code_examples_selection;
mod code_examples_servers;
mod code_examples_store;
mod code_examples_validation;
mod code_examples_writing;
mod code_table;

use super::FindingSeverity;
pub use code_example::{CodeExample, ExampleRun};
pub use code_examples::{CODE_EXAMPLES, example_of};
pub use code_table::CODES;

// The program treats these codes specially, so they have constants.
/// The output format needs a value that the data do not have.
pub const CONVERT_DEFAULT: &str = "convert::default";
/// The output format has no place for a value.
pub const CONVERT_LOSS: &str = "convert::loss";
/// An input is larger than its limit.
pub const INPUT_TOO_LARGE: &str = "input::too-large";
/// The API keys of an input are hidden.
pub const INPUT_SECRET: &str = "input::secret";
/// An input cannot be read.
pub const INPUT_UNREADABLE: &str = "input::unreadable";
/// A file has no JSON.
pub const JSON_EMPTY: &str = "json::empty";
/// A file has one document per line.
pub const JSON_RECORDS: &str = "json::records";
/// A document is larger than the limit.
pub const JSON_SIZE: &str = "json::size";
/// Text follows the document.
pub const JSON_TRAILING_TEXT: &str = "json::trailing-text";
/// A document ends in the middle.
pub const JSON_TRUNCATED: &str = "json::truncated";
/// A query uses a prefix that is not declared.
pub const SPARQL_UNDECLARED_PREFIX: &str = "sparql::undeclared-prefix";
/// A command needs a store, and neither the current folder nor a folder above it has one.
pub const STORE_MISSING: &str = "store::missing";
/// A store was written by a newer version of the program.
pub const STORE_VERSION: &str = "store::version";
/// The codes of what a conversion drops and fills in.
pub const LOSSES: [&str; 2] = [CONVERT_LOSS, CONVERT_DEFAULT];
/// The codes of what the programs of the systems write as a matter of course: ids that occur twice, and the other
/// namespace of schema.org. As long as nothing is lost, only a user who asks for all findings reads of them.
pub const MATTERS_OF_COURSE: [&str; 2] = ["load::changed", "load::schema-org"];

/// A code of a finding, as `area::name`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FindingCode {
    /// Its stable name.
    pub code: &'static str,
    /// The severities of its findings; several if they depend on the command.
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

/// Returns the row of a code; `None` for codes of a specification or of rules.
pub fn explain(code: &str) -> Option<&'static FindingCode> {
    let at = CODES.binary_search_by(|known| known.code.cmp(code)).ok()?;
    CODES.get(at)
}
