//! The named queries as resources, `/query/NAME`: the parameters in the URL or in a form are the parameters of the
//! query.

use std::rc::Rc;

use super::channel::ReplySender;
use super::problem::ProblemDetails;
use super::query_operation::{evaluate, over};
use super::received_request::ReceivedRequest;
use super::server_context::ServerContext;
use evalgraph_sparql::{CancellationToken, QueryParameter};

/// The parameters of the protocol, which a query cannot have.
const OF_PROTOCOL: [&str; 2] = ["default-graph-uri", "named-graph-uri"];

/// Answers a named query.
///
/// # Errors
///
/// `sparql::unknown-query`, an unknown or missing parameter, and the errors of the evaluation.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    name: &str,
    cancellation: CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    let named = context.named.get(name)?;
    let parameters = asked.with_form()?;
    let given = parameters.iter().filter(|(name, _)| !OF_PROTOCOL.contains(name));
    let given: Vec<QueryParameter> =
        given.map(|(name, text)| QueryParameter { name: name.to_owned(), text: text.to_owned() }).collect();
    let query = named.query()?.with_parameters(&given, &named.parameters)?;
    evaluate(context, asked, over(query, &parameters)?, cancellation, reply)
}
