//! Why a query is not written as SQL.

use evalgraph_diagnostics::Diagnostic;
use evalgraph_sparql::Query;

/// A part of a query that SQL cannot answer exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SqlRefusal {
    /// What is not possible, and why.
    message: String,
    /// What to write instead.
    help: String,
    /// A word of the query at which the part begins.
    word: Option<String>,
}

impl SqlRefusal {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into(), word: None }
    }

    /// Returns the refusal with a word of the query that it is about.
    #[must_use]
    pub(crate) fn at(mut self, word: &str) -> Self {
        self.word = Some(word.to_owned());
        self
    }

    /// Returns the refusal of a function.
    pub(crate) fn from_function(name: &str, why: &str) -> Self {
        let help = "bind the value before, or ask evalgraph itself";
        Self::new(format!("{name} is not written as SQL: {why}"), help).at(name)
    }

    pub(crate) fn into_diagnostic(self, query: &Query) -> Diagnostic {
        let Self { message, help, word } = self;
        let place = word.and_then(|word| query.place_of_word(&word));
        let error = Diagnostic::error("sql::unsupported", message).with_help(help);
        match place {
            Some(place) => error.at(place),
            None => error,
        }
    }
}
