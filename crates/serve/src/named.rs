//! The named queries as resources, `/query/NAME`: the parameters of the URL or of a form are those of the query.

use std::rc::Rc;

use super::asked::Asked;
use super::channel::Reply;
use super::context::Context;
use super::problem::Problem;
use super::query::{evaluate, over};
use evalgraph_sparql::{Cancellation, Parameter};

/// Parameters of the protocol, which a query cannot have.
const OF_PROTOCOL: [&str; 2] = ["default-graph-uri", "named-graph-uri"];

/// Answers a named query.
///
/// # Errors
///
/// `sparql::unknown-query`, a parameter that is unknown or missing, and those of the evaluation.
pub(super) fn answer(
    context: &Context,
    asked: &Asked,
    name: &str,
    cancellation: Cancellation,
    reply: &Rc<Reply>,
) -> Result<(), Problem> {
    let named = context.named.get(name)?;
    let parameters = asked.with_form()?;
    let given = parameters.iter().filter(|(name, _)| !OF_PROTOCOL.contains(name));
    let given: Vec<Parameter> =
        given.map(|(name, text)| Parameter { name: name.to_owned(), text: text.to_owned() }).collect();
    let query = named.query()?.with_parameters(&given, &named.parameters)?;
    evaluate(context, asked, over(query, &parameters)?, cancellation, reply)
}
