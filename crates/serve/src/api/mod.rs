//! The resources of the page, `/api/…`: JSON for those who write no SPARQL (`docs/api.md`). The answers are made in
//! `browse`; here are parameters, states and forms.

mod change;
mod findings;
mod given;
mod json;
mod parse;
mod queries;
mod question;
mod questions;
mod summary;
mod vocabulary;

use std::rc::Rc;
use std::sync::Arc;

use super::asked::Asked;
use super::channel::Reply;
use super::context::Context;
use super::problem::Problem;
use super::resource::Api;
use evalgraph_sparql::Cancellation;

/// Answers a request for a resource.
///
/// # Errors
///
/// Those of the request and of the data.
pub(super) fn answer(
    context: &Arc<Context>,
    asked: &Asked,
    api: Api,
    cancellation: Cancellation,
    reply: &Rc<Reply>,
) -> Result<(), Problem> {
    match api {
        Api::Summary => summary::answer(context, asked, &cancellation, reply),
        Api::Questions => questions::answer(context, asked, &cancellation, reply),
        Api::Question => question::answer(context, asked, &cancellation, reply),
        Api::Findings(download) => findings::answer(context, asked, download, &cancellation, reply),
        Api::Queries => queries::answer(context, asked, reply),
        Api::Vocabulary => vocabulary::answer(context, asked, &cancellation, reply),
        Api::Parse => parse::answer(context, asked, reply),
        Api::Change => change::answer(context, asked, cancellation, reply),
    }
}
