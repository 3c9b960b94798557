//! `/api/queries`: the named queries, with what a form for their parameters and a picture of their answers need.

use std::rc::Rc;

use serde_json::{Value, json};

use super::given::check_known;
use super::json;
use crate::serve::asked::Asked;
use crate::serve::channel::Reply;
use crate::serve::context::Context;
use crate::serve::problem::Problem;

/// Lists the named queries.
///
/// # Errors
///
/// `serve::parameter`.
pub(super) fn answer(context: &Context, asked: &Asked, reply: &Rc<Reply>) -> Result<(), Problem> {
    check_known(&asked.parameters, &[])?;
    let queries = context.named.iter().map(|query| query.to_json()).collect::<Result<Value, _>>()?;
    json::answer(asked, None, &json!({ "queries": queries }), reply)
}
