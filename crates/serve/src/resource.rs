//! The resources below `/api/`, and the methods that each has.

use hyper::Method;

/// A resource below `/api/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ApiResource {
    /// What is there, in a few numbers.
    Summary,
    /// The list of questions.
    Questions,
    /// One question, with all that belongs to it.
    Question,
    /// What validation and the check found, as JSON or as a file.
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
    /// The resource of a path below `/api/`.
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

    /// The name of the resource in figures.
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

    /// The methods, as the header `Allow` has them.
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

/// The form in which findings are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FindingsForm {
    /// A page of the list, as JSON.
    Page,
    /// All of them, as a file.
    Sarif,
    Html,
    Csv,
    Json,
}

impl FindingsForm {
    /// The form that the rest of a path asks for.
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
