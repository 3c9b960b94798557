//! `/api/queries`: the named queries, with what a form for their parameters and a picture of their answers need.

use std::rc::Rc;

use serde_json::{Value, json};

use super::given::check_known;
use super::json;
use crate::asked::Asked;
use crate::channel::Reply;
use crate::context::Context;
use crate::problem::Problem;

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
