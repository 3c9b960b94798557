//! The error of a request: a status, and findings with codes and places, as problem JSON (RFC 9457) or as text.

use hyper::header::{ALLOW, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::{HeaderMap, StatusCode};
use serde_json::{Map, Value, json};

use super::head::ResponseHead;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::api::{Error, panicked};

/// How many seconds a client should wait if there was no room for its request.
const WAIT: &str = "1";

/// The reason why a request has no answer.
#[derive(Debug)]
pub(super) struct ProblemDetails {
    pub(super) status: StatusCode,
    findings: Vec<Diagnostic>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl ProblemDetails {
    /// Makes a problem with one finding.
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self::from_findings(status, vec![Diagnostic::error(code, message)])
    }

    fn from_findings(status: StatusCode, findings: Vec<Diagnostic>) -> Self {
        Self { status, findings, headers: Vec::new() }
    }

    /// Makes the problem of a bad request.
    pub(super) fn bad(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// Makes the problem that a resource does not have a method.
    pub(super) fn method(allowed: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "serve::method", message)
            .with_header(ALLOW, HeaderValue::from_static(allowed))
    }

    /// Makes the problem that a request lacks the required token.
    pub(super) fn unauthorized(message: &str) -> Self {
        // All clients know how to send a password. Some cannot handle two schemes.
        let challenge = HeaderValue::from_static("Basic realm=\"evalgraph\"");
        Self::new(StatusCode::UNAUTHORIZED, "serve::token", message).with_header(WWW_AUTHENTICATE, challenge)
    }

    /// Makes the problem that an evaluation hit a bug of the program.
    pub(super) fn panicked() -> Self {
        Self::from_findings(StatusCode::INTERNAL_SERVER_ERROR, vec![panicked()])
    }

    /// Returns the first finding.
    pub(super) fn into_finding(self) -> Box<Diagnostic> {
        Box::new(self.findings.into_iter().next().unwrap_or_else(panicked))
    }

    fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Returns the code of the first finding.
    #[cfg(test)]
    pub(super) fn code(&self) -> &str {
        self.findings.first().map_or("", |finding| &finding.code)
    }

    /// Returns the status, the headers and the text, in the form that the client reads.
    pub(super) fn response(&self, is_json: bool) -> (ResponseHead, Vec<u8>) {
        let mut headers: HeaderMap = self.headers.iter().cloned().collect();
        let media_type = if is_json { "application/problem+json" } else { "text/plain; charset=utf-8" };
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
        let text = if is_json { format!("{:#}\n", self.to_json()) } else { self.to_text() };
        (ResponseHead { status: self.status, headers }, text.into_bytes())
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            text.push_str(&format!("{finding}\n"));
            finding.help.iter().for_each(|help| text.push_str(&format!("  {help}\n")));
        }
        text
    }

    fn to_json(&self) -> Value {
        let title = self.status.canonical_reason().unwrap_or_default();
        let mut problem = Map::new();
        problem.insert("title".to_owned(), json!(title));
        problem.insert("status".to_owned(), json!(self.status.as_u16()));
        if let [first, others @ ..] = self.findings.as_slice() {
            problem.extend(finding_to_json(first));
            if !others.is_empty() {
                let others: Vec<_> = others.iter().map(finding_to_json).collect();
                problem.insert("others".to_owned(), json!(others));
            }
        }
        Value::Object(problem)
    }
}

fn finding_to_json(finding: &Diagnostic) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("detail".to_owned(), json!(finding.message));
    object.insert("code".to_owned(), json!(finding.code));
    if let Some(place) = &finding.place {
        object.insert("source".to_owned(), json!(&*place.source));
        object.insert("line".to_owned(), json!(place.line));
        object.insert("column".to_owned(), json!(place.column));
    }
    if !finding.help.is_empty() {
        let help: Vec<String> = finding.help.iter().map(ToString::to_string).collect();
        object.insert("help".to_owned(), json!(help));
    }
    object
}

impl From<Box<Diagnostic>> for ProblemDetails {
    fn from(finding: Box<Diagnostic>) -> Self {
        let (status, is_for_now) = status_of(&finding.code);
        let problem = Self::from_findings(status, vec![*finding]);
        if is_for_now { problem.with_header(RETRY_AFTER, HeaderValue::from_static(WAIT)) } else { problem }
    }
}

impl From<Error> for ProblemDetails {
    fn from(error: Error) -> Self {
        let findings: Vec<Diagnostic> = error.findings().cloned().collect();
        let code = findings.first().map_or("", |first| &first.code);
        Self::from_findings(status_of(code).0, findings)
    }
}

/// The findings that have another status than "bad request", and whether the status may change soon.
const STATUSES: [(&str, StatusCode, bool); 15] = [
    ("input::too-large", StatusCode::PAYLOAD_TOO_LARGE, false),
    ("limit::bodies", StatusCode::SERVICE_UNAVAILABLE, true),
    ("limit::busy", StatusCode::SERVICE_UNAVAILABLE, true),
    ("limit::given-up", StatusCode::SERVICE_UNAVAILABLE, true),
    ("limit::memory", StatusCode::SERVICE_UNAVAILABLE, true),
    ("limit::panic", StatusCode::INTERNAL_SERVER_ERROR, false),
    ("serve::changed", StatusCode::PRECONDITION_FAILED, false),
    ("sparql::dataset", StatusCode::INTERNAL_SERVER_ERROR, false),
    ("sparql::timeout", StatusCode::SERVICE_UNAVAILABLE, false),
    ("sparql::unknown-query", StatusCode::NOT_FOUND, false),
    ("store::busy", StatusCode::SERVICE_UNAVAILABLE, true),
    ("store::disk-full", StatusCode::INSUFFICIENT_STORAGE, false),
    ("store::locked", StatusCode::SERVICE_UNAVAILABLE, true),
    ("store::edited", StatusCode::CONFLICT, false),
    ("store::unknown-graph", StatusCode::NOT_FOUND, false),
];

/// Returns the status for a finding, and whether it may change soon.
fn status_of(code: &str) -> (StatusCode, bool) {
    let known = STATUSES.iter().find(|(known, ..)| *known == code);
    let is_of_store = code.starts_with("store::");
    let usual = if is_of_store { StatusCode::INTERNAL_SERVER_ERROR } else { StatusCode::BAD_REQUEST };
    known.map_or((usual, false), |(_, status, is_for_now)| (*status, *is_for_now))
}
