//! `/api/queries`: the named queries, with everything needed for a form for their parameters and a chart of their
//! answers.

use std::rc::Rc;

use serde_json::{Value, json};

use super::json_answer;
use super::resource_parameters::check_known;
use crate::channel::ReplySender;
use crate::problem::ProblemDetails;
use crate::received_request::ReceivedRequest;
use crate::server_context::ServerContext;

/// Lists the named queries.
///
/// # Errors
///
/// `serve::parameter`.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    check_known(&asked.parameters, &[])?;
    let queries = context.named.iter().map(|query| query.to_json()).collect::<Result<Value, _>>()?;
    json_answer::answer(asked, None, &json!({ "queries": queries }), reply)
}
