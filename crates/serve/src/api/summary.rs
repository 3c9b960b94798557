//! `/api/summary`: what is there, in a few numbers.

use std::rc::Rc;

use serde_json::{Value, json};

use super::given::check_known;
use super::json;
use crate::asked::Asked;
use crate::channel::Reply;
use crate::context::Context;
use crate::options::Writes;
use crate::problem::Problem;
use evalgraph_sparql::Cancellation;

/// Answers with the summary.
///
/// # Errors
///
/// Those of the request and of the data.
pub(super) fn answer(
    context: &Context,
    asked: &Asked,
    cancellation: &Cancellation,
    reply: &Rc<Reply>,
) -> Result<(), Problem> {
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
            "write": context.data.is_store() && !matches!(writes, Writes::Refused),
            "needsToken": matches!(writes, Writes::WithToken(_)),
            "state": seen.name,
            "questions": questions.len(),
            "files": seen.loaded.files()?.len(),
            "systems": systems,
            "prefixes": context.prefixes(),
        }))
    };
    json::answer_of(asked, &seen.name, make, reply)
}
