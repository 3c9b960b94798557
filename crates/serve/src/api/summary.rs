//! `/api/summary`: a few numbers about the data.

use std::rc::Rc;

use serde_json::{Value, json};

use super::json_answer;
use super::resource_parameters::check_known;
use crate::channel::ReplySender;
use crate::problem::ProblemDetails;
use crate::received_request::ReceivedRequest;
use crate::server_context::ServerContext;
use crate::server_options::WriteAccess;
use evalgraph_sparql::CancellationToken;

/// Answers with the summary.
///
/// # Errors
///
/// The errors of the request and of the data.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    cancellation: &CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    check_known(&asked.parameters, &[])?;
    let seen = context.data.now()?;
    let make = || {
        let questions = context.questions(&seen, cancellation)?;
        let systems: Vec<Value> = questions
            .systems()
            .into_iter()
            .map(|count| json!({"value": count.system, "count": count.questions}))
            .collect();
        let writes = &context.options.writes;
        Ok(json!({
            "version": env!("CARGO_PKG_VERSION"),
            "write": context.data.is_store() && !matches!(writes, WriteAccess::Refused),
            "needsToken": matches!(writes, WriteAccess::WithToken(_)),
            "state": seen.name,
            "questions": questions.len(),
            "files": seen.loaded.files()?.len(),
            "systems": systems,
            "prefixes": context.prefixes(),
        }))
    };
    json_answer::answer_of(asked, &seen.name, make, reply)
}
