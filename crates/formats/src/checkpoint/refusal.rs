//! Diagnostics for files that are recognised but cannot be used as they are, each with a remedy.
//!
//! `CheckpointSurvey` is defined in `survey.rs`.

use super::checkpoint_profile::CheckpointProfile;
use super::dialect::{CheckpointDialect, DialectDetection};
use super::survey::{CheckpointSurvey, ContextForm, RootType};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::shortened::cut;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::vocabulary::EVALGRAPH_CONTEXT;

/// Keys under which web services report an error.
const ERROR_KEYS: [&str; 7] = ["detail", "error", "errors", "message", "msg", "reason", "title"];

/// Keys that accompany them in an error reply.
const ERROR_COMPANIONS: [&str; 19] = [
    "code",
    "documentation_url",
    "error_description",
    "instance",
    "ok",
    "param",
    "path",
    "request_id",
    "requestId",
    "status",
    "status_code",
    "statusCode",
    "success",
    "timestamp",
    "trace_id",
    "traceId",
    "type",
    "url",
    "exception",
];

/// How many characters of an error reply are shown.
const REPLY_SHOWN: usize = 60;

impl CheckpointSurvey {
    /// Returns why the file cannot be used, if that is known before it is read as JSON-LD.
    ///
    /// `has_context` says that the caller provides a context (`expandContext`), so the file needs none.
    pub fn refusal(
        &self,
        document: &JsonDocument,
        detection: &DialectDetection,
        has_context: bool,
    ) -> Option<Diagnostic> {
        let at_root = |diagnostic: Diagnostic| diagnostic.at(document.place(document.root()));
        match detection.dialect {
            // Version 2.0 has its own keys and no context.
            CheckpointDialect::V2a | CheckpointDialect::V2b | CheckpointDialect::V2c => None,
            CheckpointDialect::ResultsExport => {
                let message = "an export of Karenina's verification results, which is not read yet";
                let fault = Diagnostic::error("karenina::results-export", message);
                Some(at_root(fault.with_help("the checkpoint that the results belong to can be read")))
            }
            _ if has_context || self.marks.context != ContextForm::Absent => None,
            _ => self.without_context(document, detection).or_else(|| error_reply(document)).map(at_root),
        }
    }

    fn without_context(&self, document: &JsonDocument, detection: &DialectDetection) -> Option<Diagnostic> {
        let marks = &self.marks;
        let of_class = matches!(marks.root_type, RootType::Dataset | RootType::DataFeed);
        let bare_type = document
            .get(document.root(), "@type")
            .is_some_and(|types| document.string(types).is_some_and(|name| !name.contains(':')));
        let lists = marks.has_part || marks.data_feed_element;
        let looks_like_one =
            (of_class && (bare_type || lists)) || marks.items > 0 || marks.direct_questions > 0;
        if !looks_like_one && !marks.single_question {
            return None;
        }
        let dialect = match detection.dialect {
            CheckpointDialect::None | CheckpointDialect::Hybrid => "a Karenina checkpoint".to_owned(),
            dialect => format!("a Karenina checkpoint (dialect {dialect}, {})", dialect.description()),
        };
        let message = format!("{dialect} without `@context`: none of its keys has a meaning");
        let name = context_name(detection.dialect);
        let help = format!("add `\"@context\": \"{EVALGRAPH_CONTEXT}{name}\",` after the first brace");
        let other = "or add the `@context` of another checkpoint that the same program wrote";
        Some(Diagnostic::error("karenina::no-context", message).with_help(help).with_help(other))
    }
}

/// Returns the name of the built-in context that fits a dialect.
fn context_name(dialect: CheckpointDialect) -> &'static str {
    match dialect {
        CheckpointDialect::P2 | CheckpointDialect::X => CheckpointProfile::Library.name(),
        CheckpointDialect::G | CheckpointDialect::GDev | CheckpointDialect::M | CheckpointDialect::P1 => {
            CheckpointProfile::Interface.name()
        }
        CheckpointDialect::T => "schema.org",
        _ => CheckpointProfile::Spec.name(),
    }
}

/// Recognises an error reply: an object that has only the keys of an error, as the whole document or as the only item
/// of a list. A JSON lines file with one line is such a list.
fn error_reply(document: &JsonDocument) -> Option<Diagnostic> {
    let mut items = document.items(document.root());
    let only = items.next().filter(|_| items.next().is_none());
    let (mut said, mut code) = (None, None);
    for member in document.members(only.unwrap_or(document.root())) {
        let key = document.symbol_text(member.symbol);
        if ERROR_KEYS.contains(&key) {
            said = said.or(Some(member));
        } else if key == "error_code" {
            code = document.string(member.value);
        } else if !ERROR_COMPANIONS.contains(&key) {
            return None;
        }
    }
    let key = document.symbol_text(said?.symbol);
    let shown = cut(document.raw(said?.value), REPLY_SHOWN);
    let code = code.map(|code| format!(" (`error_code` is `{}`)", cut(&code, REPLY_SHOWN)));
    let message = format!(
        "an error reply of a web service, not data: `{key}` is `{shown}`{}",
        code.unwrap_or_default()
    );
    Some(Diagnostic::error("input::error-reply", message).with_help(
        "the service refused the request or failed; correct the request, then fetch the file again",
    ))
}
