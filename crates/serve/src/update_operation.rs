//! Changes of the store by requests: the update operation of the SPARQL 1.1 Protocol (section 2.2), and the turn that
//! each change waits for. A change uses the same path as changes by commands, so the catalog and the sidecars follow.

use std::rc::Rc;

use hyper::{HeaderMap, Method, StatusCode};

use super::channel::ReplySender;
use super::head::ResponseHead;
use super::problem::ProblemDetails;
use super::query_operation::{graphs_of, unknown_media_type};
use super::received_request::{FORM, ReceivedRequest};
use super::request_parameters::RequestParameters;
use super::server_context::ServerContext;
use super::states::check_is_meant;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::api::StoreUpdate;
use evalgraph_engine::workspace::oversight::RunOversight;
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::minted::DEFAULT_GRAPH;
use evalgraph_sparql::{CancellationToken, EvaluationEnvironment, Update, UpdateLoader};

/// The media type of an update in a body.
const UPDATE: &str = "application/sparql-update";

/// Makes the update of a request.
///
/// # Errors
///
/// The errors of the request, of the update and of the store.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    cancellation: CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    let (text, parameters) = text_of(asked)?;
    let update = Update::parse_in(&text, "update", &context.prologue(&asked.url()))?;
    let update = match graphs_of(&parameters, "using-graph-uri", "using-named-graph-uri")? {
        Some((default, named)) => update.using(default, named)?,
        None => update,
    };
    change(context, asked, update, &closed, cancellation, reply)?;
    reply.begin(ResponseHead { status: StatusCode::NO_CONTENT, headers: HeaderMap::new() });
    Ok(())
}

/// Changes the store by an update, completely or not at all. Statements without a graph are written to the server's own
/// graph for them. `read` reads the documents of LOAD.
///
/// # Errors
///
/// The errors of the update and of the store; then nothing has changed.
pub(super) fn change(
    context: &ServerContext,
    asked: &ReceivedRequest,
    update: Update,
    read: &UpdateLoader<'_>,
    cancellation: CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    check_is_meant(asked, &context.data.now()?.name)?;
    let environment =
        EvaluationEnvironment { cancellation: cancellation.clone(), ..EvaluationEnvironment::default() };
    let update = update.with_environment(environment);
    let oversight = UpdateTurn { context, asked, cancellation, reply };
    let change =
        StoreUpdate { update: &update, graph: Some(DEFAULT_GRAPH), read: Some(read), oversight: &oversight };
    context.data.change(&change, context.options.timeout / 2)
}

/// The last check before a change counts: the store must still be in the state that the change is meant for. At that
/// time no other change can alter it. After this, the answer cannot be cancelled any more.
struct UpdateTurn<'t> {
    context: &'t ServerContext,
    asked: &'t ReceivedRequest,
    cancellation: CancellationToken,
    reply: &'t ReplySender,
}

impl RunOversight for UpdateTurn<'_> {
    fn cancellation(&self) -> CancellationToken {
        self.cancellation.clone()
    }

    fn settle(&self) -> Result<(), Box<Diagnostic>> {
        let seen = self.context.data.now().map_err(ProblemDetails::into_finding)?;
        check_is_meant(self.asked, &seen.name)?;
        self.reply.settle()?;
        self.cancellation.check()
    }
}

/// Refuses the documents of LOAD.
fn closed(_url: &str) -> Result<QuadBuffer, Box<Diagnostic>> {
    let fault = Diagnostic::error("sparql::load", "this server does not load documents with LOAD");
    Err(Box::new(fault.with_help("send the document itself, by the Graph Store Protocol")))
}

/// Returns the text of the update, and the parameters beside it.
fn text_of(asked: &ReceivedRequest) -> Result<(String, RequestParameters), ProblemDetails> {
    if asked.method != Method::POST {
        return Err(ProblemDetails::panicked());
    }
    let parameters = asked.with_form()?;
    if parameters.has("query") {
        return Err(ProblemDetails::bad(
            "serve::parameter",
            "this resource takes updates; send queries to `/query`",
        ));
    }
    let is_direct = match asked.media_type().as_deref() {
        Some(UPDATE) => true,
        Some(FORM) => false,
        _ => return Err(unknown_media_type(UPDATE)),
    };
    if asked.parameters.has("update") {
        return Err(ProblemDetails::bad("serve::parameter", "send an update in the body, not in the URL"));
    }
    match (parameters.one("update")?, is_direct) {
        (_, true) => Ok((asked.text()?, parameters)),
        (Some(text), false) => Ok((text.to_owned(), parameters)),
        (None, false) => Err(ProblemDetails::bad("serve::parameter", "the parameter `update` is missing")),
    }
}
