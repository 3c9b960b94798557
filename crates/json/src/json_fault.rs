//! The faults of a JSON text, and the messages about them.

use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, SourceText, codes};
use std::ops::Range;

/// A fault in the JSON, with its bytes.
#[derive(Debug)]
pub(super) struct JsonFault {
    pub(super) bytes: Range<usize>,
    pub(super) problem: JsonProblem,
}

/// The kind of fault, with the facts for the message.
#[derive(Debug)]
pub(super) enum JsonProblem {
    Empty,
    Truncated { open: Option<usize> },
    TrailingComma,
    TrailingText,
    TooDeep { depth: usize },
    SingleQuotes,
    Comment,
    BareWord,
    Number,
    NotANumber,
    ControlCharacter(u8),
    Escape,
    LoneSurrogate,
    Expected(&'static str),
}

impl JsonFault {
    pub(super) fn diagnostic(self, source: &SourceText<'_>, text: &str) -> Diagnostic {
        let offender: String = text.get(self.bytes.clone()).unwrap_or_default().chars().take(40).collect();
        let (code, message) = self.problem.words(&offender);
        let diagnostic = Diagnostic::error(code, message).at(source.place(self.bytes.clone()));
        match self.problem {
            JsonProblem::Truncated { open: Some(open) } => {
                diagnostic.with_related(source.place(open..open + 1), "the innermost open bracket is here")
            }
            JsonProblem::SingleQuotes => diagnostic.with_help("write `\"` instead of `'`"),
            JsonProblem::Comment => {
                diagnostic.with_help("take the comment out, or keep it as a member such as `\"description\"`")
            }
            JsonProblem::TrailingComma => diagnostic.with_help("take the comma out"),
            JsonProblem::NotANumber => diagnostic.with_help("write `null` or a string"),
            JsonProblem::ControlCharacter(byte) => diagnostic.with_help(match byte {
                b'\t' => "write it as `\\t`".to_owned(),
                b'\n' => "write it as `\\n`, or close the string before the end of the line".to_owned(),
                _ => format!("write it as `\\u{byte:04x}`"),
            }),
            JsonProblem::TooDeep { .. } => {
                diagnostic.with_help(help!["raise the limit with ", setting("max-depth")])
            }
            _ => diagnostic,
        }
    }
}

impl JsonProblem {
    fn words(&self, offender: &str) -> (&'static str, String) {
        match self {
            Self::Empty => (codes::JSON_EMPTY, "the file is empty; JSON requires one value".to_owned()),
            Self::Truncated { .. } => {
                (codes::JSON_TRUNCATED, "unexpected end of input inside a value".to_owned())
            }
            Self::TrailingComma => ("json::trailing-comma", "a comma before the closing bracket".to_owned()),
            Self::TrailingText => {
                (codes::JSON_TRAILING_TEXT, format!("`{offender}` after the end of the value"))
            }
            Self::TooDeep { depth } => {
                ("json::depth", format!("more than {depth} arrays and objects inside each other"))
            }
            Self::SingleQuotes => ("json::single-quotes", "JSON strings need double quotes".to_owned()),
            Self::Comment => ("json::comment", "JSON has no comments".to_owned()),
            Self::BareWord => (
                "json::bare-word",
                format!("`{offender}` is neither a string in double quotes nor `true`, `false` or `null`"),
            ),
            Self::Number => ("json::number", format!("`{offender}` is not a number of JSON")),
            Self::NotANumber => ("json::number", format!("JSON has no `{offender}`")),
            Self::ControlCharacter(byte) => {
                ("json::control-character", format!("a string contains the control character U+{byte:04X}"))
            }
            Self::Escape => ("json::escape", format!("`{offender}` is not an escape of JSON")),
            Self::LoneSurrogate => ("json::surrogate", format!("`{offender}` is half of a surrogate pair")),
            Self::Expected(expected) => ("json::syntax", format!("`{offender}` where {expected} should be")),
        }
    }
}
