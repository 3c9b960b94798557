//! The resources below `/api/`, and the methods that each has.

use hyper::Method;

/// A resource below `/api/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ApiResource {
    /// A few numbers about the data.
    Summary,
    /// The list of questions.
    Questions,
    /// One question, with everything that belongs to it.
    Question,
    /// The findings of validation and of the check, as JSON or as a file.
    Findings(FindingsForm),
    /// The named queries.
    Queries,
    /// The classes and properties that the data have.
    Vocabulary,
    /// The faults of a query that is being written.
    Parse,
    /// A change of one question.
    Change,
}

impl ApiResource {
    /// Returns the resource of a path below `/api/`.
    pub(super) fn from_path(path: &str) -> Option<Self> {
        Some(match path {
            "summary" => Self::Summary,
            "questions" => Self::Questions,
            "question" => Self::Question,
            "queries" => Self::Queries,
            "vocabulary" => Self::Vocabulary,
            "parse" => Self::Parse,
            "change" => Self::Change,
            path => Self::Findings(FindingsForm::from_suffix(path.strip_prefix("findings")?)?),
        })
    }

    /// Returns the name of the resource in metrics.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Summary => "api-summary",
            Self::Questions => "api-questions",
            Self::Question => "api-question",
            Self::Findings(_) => "api-findings",
            Self::Queries => "api-queries",
            Self::Vocabulary => "api-vocabulary",
            Self::Parse => "api-parse",
            Self::Change => "api-change",
        }
    }

    /// Returns the methods, as in the `Allow` header.
    pub(super) fn allowed(self) -> &'static str {
        match self {
            Self::Parse | Self::Change => "POST, OPTIONS",
            _ => "GET, HEAD, OPTIONS",
        }
    }

    /// Returns whether a request with this method changes data.
    pub(super) fn is_write(self, method: &Method) -> bool {
        self == Self::Change && method == Method::POST
    }
}

/// The requested form of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FindingsForm {
    /// A page of the list, as JSON.
    Page,
    /// All findings, as a file.
    Sarif,
    Html,
    Csv,
    Json,
}

impl FindingsForm {
    /// Returns the form that the rest of a path asks for.
    fn from_suffix(rest: &str) -> Option<Self> {
        Some(match rest {
            "" => Self::Page,
            ".sarif" => Self::Sarif,
            ".html" => Self::Html,
            ".csv" => Self::Csv,
            ".json" => Self::Json,
            _ => return None,
        })
    }
}
