//! The answer that a script expects: `--expect empty|nonempty|rows=N|true|false`.

use std::fmt;

use evalgraph_diagnostics::Diagnostic;

/// The outcome of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryOutcome {
    /// The number of solutions or triples.
    Rows(u64),
    /// The answer of ASK.
    Boolean(bool),
}

/// The expected outcome of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedOutcome {
    /// No solution and no triple.
    Empty,
    /// At least one solution or triple.
    NonEmpty,
    /// Exactly this number of solutions or triples.
    Rows(u64),
    /// The answer of ASK.
    Boolean(bool),
}

impl ExpectedOutcome {
    /// Reads `empty`, `nonempty`, `rows=N`, `true` or `false`.
    ///
    /// # Errors
    ///
    /// If the text is none of these.
    pub fn parse(text: &str) -> Result<Self, Box<Diagnostic>> {
        match text {
            "empty" => Ok(Self::Empty),
            "nonempty" => Ok(Self::NonEmpty),
            "true" => Ok(Self::Boolean(true)),
            "false" => Ok(Self::Boolean(false)),
            _ => text.strip_prefix("rows=").and_then(|count| count.parse().ok()).map(Self::Rows).ok_or_else(
                || {
                    Diagnostic::error("sparql::expectation", format!("`{text}` is not an expectation"))
                        .with_help("write `empty`, `nonempty`, `rows=N`, `true` or `false`")
                        .into()
                },
            ),
        }
    }

    /// Compares the expectation with the outcome.
    ///
    /// # Errors
    ///
    /// If the outcome is different.
    pub fn check(self, outcome: QueryOutcome) -> Result<(), Box<Diagnostic>> {
        let is_met = match (self, outcome) {
            (Self::Empty, QueryOutcome::Rows(rows)) => rows == 0,
            (Self::NonEmpty, QueryOutcome::Rows(rows)) => rows > 0,
            (Self::Rows(expected), QueryOutcome::Rows(rows)) => rows == expected,
            (Self::Boolean(expected), QueryOutcome::Boolean(answer)) => answer == expected,
            _ => false,
        };
        if is_met {
            return Ok(());
        }
        let message = format!("expected {self}, got {outcome}");
        let error = Diagnostic::error("sparql::unexpected-answer", message);
        let error = match (self, outcome) {
            (Self::Boolean(_), QueryOutcome::Rows(_)) => error.with_help(
                "`true` and `false` are answers of ASK; for a table, expect `rows=N` or `nonempty`",
            ),
            (_, QueryOutcome::Boolean(_)) if !matches!(self, Self::Boolean(_)) => {
                error.with_help("ASK answers with `true` or `false`; expect one of them")
            }
            _ => error,
        };
        Err(error.into())
    }
}

impl fmt::Display for ExpectedOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no rows"),
            Self::NonEmpty => f.write_str("at least one row"),
            Self::Rows(count) => write_rows(*count, f),
            Self::Boolean(answer) => write!(f, "`{answer}`"),
        }
    }
}

impl fmt::Display for QueryOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows(0) => f.write_str("no rows"),
            Self::Rows(count) => write_rows(*count, f),
            Self::Boolean(answer) => write!(f, "`{answer}`"),
        }
    }
}

fn write_rows(count: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{count} row{}", if count == 1 { "" } else { "s" })
}
