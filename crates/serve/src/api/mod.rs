//! The resources of the page, `/api/…`: JSON for clients that do not use SPARQL (`docs/api.md`). `browse` makes the
//! answers; this module handles parameters, states and forms.

mod change_resource;
mod findings_resource;
mod json_answer;
mod parse;
mod queries;
mod question_resource;
mod questions_resource;
mod resource_parameters;
mod summary;
mod vocabulary_resource;

use std::rc::Rc;
use std::sync::Arc;

use super::channel::ReplySender;
use super::problem::ProblemDetails;
use super::received_request::ReceivedRequest;
use super::resource::ApiResource;
use super::server_context::ServerContext;
use evalgraph_sparql::CancellationToken;

/// Answers a request for a resource.
///
/// # Errors
///
/// The errors of the request and of the data.
pub(super) fn answer(
    context: &Arc<ServerContext>,
    asked: &ReceivedRequest,
    api: ApiResource,
    cancellation: CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    match api {
        ApiResource::Summary => summary::answer(context, asked, &cancellation, reply),
        ApiResource::Questions => questions_resource::answer(context, asked, &cancellation, reply),
        ApiResource::Question => question_resource::answer(context, asked, &cancellation, reply),
        ApiResource::Findings(download) => {
            findings_resource::answer(context, asked, download, &cancellation, reply)
        }
        ApiResource::Queries => queries::answer(context, asked, reply),
        ApiResource::Vocabulary => vocabulary_resource::answer(context, asked, &cancellation, reply),
        ApiResource::Parse => parse::answer(context, asked, reply),
        ApiResource::Change => change_resource::answer(context, asked, cancellation, reply),
    }
}
