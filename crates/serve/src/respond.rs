//! Turns a request into a response: checks, the body, the operation on an evaluation thread, and the headers of all
//! responses.

use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ALLOW, CONNECTION,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use tokio::sync::SemaphorePermit;
use tokio::time::timeout;

use super::body::{AccessRecord, ReplyBody, ReplyContent};
use super::channel::{ReplyBeginning, ReplyReceiver, ReplySender, channel};
use super::connections::ConnectionStatus;
use super::guard::{allowed_origin, authority, check_page, check_read, check_write};
use super::head::ResponseHead;
use super::negotiation::reads_json;
use super::observer::AnsweredRequest;
use super::problem::ProblemDetails;
use super::received_request::{BodyLimits, ReceivedRequest, is_near, read_body};
use super::request_parameters::RequestParameters;
use super::route::ServerRoute;
use super::server_context::ServerContext;
use super::server_options::ServerOptions;
use super::{api, brief, description, graph_store, named_query, query_operation, update_operation};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::api::RunningEvaluation;
use evalgraph_sparql::CancellationToken;

/// A client: its address, and the state of its connection.
#[derive(Debug, Clone)]
pub(super) struct ConnectedClient {
    pub(super) address: IpAddr,
    pub(super) seat: Arc<ConnectionStatus>,
}

/// Answers a request of a client.
pub(super) async fn respond(
    context: Arc<ServerContext>,
    client: ConnectedClient,
    request: Request<Incoming>,
) -> Response<ReplyBody> {
    let begin = Instant::now();
    let (parts, body) = request.into_parts();
    let (method, is_json) = (parts.method.clone(), reads_json(&parts.headers));
    let path = parts.uri.path().to_owned();
    let origin = allowed_origin(&context.options, &parts.headers).cloned();
    let route = ServerRoute::from_path(&path).map(|route| route.shown(&parts.headers));
    let resource = route.as_ref().map_or("none", ServerRoute::name);
    let answered = match route.and_then(|route| checked(&context, &parts, route)) {
        Ok((route, authority)) => answer(&context, &client, parts, body, route, authority).await,
        Err(problem) => Err(problem),
    };
    let (mut head, mut content) = answered.unwrap_or_else(|problem| {
        let (mut head, text) = problem.response(is_json);
        // Otherwise the rest of the body would be read as the next request.
        if method != Method::GET && method != Method::HEAD {
            head.headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        (head, ReplyContent::Whole(text.into()))
    });
    if method == Method::HEAD {
        content = ReplyContent::Whole(Bytes::new());
    }
    add_safety(&mut head.headers);
    add_origin(&mut head.headers, origin);
    let status = head.status.as_u16();
    let method = method.as_str().to_owned();
    let ConnectedClient { address, seat } = client;
    seat.is_answered(true);
    let access = AnsweredRequest {
        client: address,
        method,
        path,
        status,
        sent: 0,
        time: Duration::ZERO,
        is_whole: false,
    };
    let record = AccessRecord { context, seat, resource, begin, access };
    let mut response = Response::new(ReplyBody::new(content, record));
    *response.status_mut() = head.status;
    *response.headers_mut() = head.headers;
    response
}

/// Checks the head of a request before anything else is read.
fn checked(
    context: &ServerContext,
    parts: &Parts,
    route: ServerRoute,
) -> Result<(ServerRoute, String), ProblemDetails> {
    let options = &context.options;
    let authority = authority(&parts.uri, &parts.headers, &options.hosts)?;
    route.check(&parts.method)?;
    if parts.method == Method::OPTIONS {
        check_preflight(options, &authority, parts, &route)?;
        return Ok((route, authority));
    }
    if route.is_open() {
        return Ok((route, authority));
    }
    match route.is_write(&parts.method) {
        true => check_write(options, &authority, &parts.headers)?,
        false => check_read(options, &parts.headers)?,
    }
    Ok((route, authority))
}

/// Checks the question that a browser asks before it sends a page's request. A change that would be refused is refused
/// here.
fn check_preflight(
    options: &ServerOptions,
    authority: &str,
    parts: &Parts,
    route: &ServerRoute,
) -> Result<(), ProblemDetails> {
    let meant = parts.headers.get(ACCESS_CONTROL_REQUEST_METHOD);
    match meant.and_then(|method| Method::from_bytes(method.as_bytes()).ok()) {
        Some(method) if route.is_write(&method) => check_page(options, authority, &parts.headers),
        _ => Ok(()),
    }
}

/// Answers a request whose head was accepted.
async fn answer(
    context: &Arc<ServerContext>,
    client: &ConnectedClient,
    parts: Parts,
    body: Incoming,
    route: ServerRoute,
    authority: String,
) -> Result<(ResponseHead, ReplyContent), ProblemDetails> {
    if parts.method == Method::OPTIONS {
        let may_write = check_page(&context.options, &authority, &parts.headers).is_ok();
        return Ok(methods(&route, may_write));
    }
    match route {
        ServerRoute::Health => return Ok(text("ok\n".to_owned())),
        ServerRoute::Page(asset) => {
            let (head, body) = asset.answer(&parts.headers)?;
            return Ok((head, ReplyContent::Whole(body)));
        }
        ServerRoute::Metrics => {
            let max_connections = context.options.max_connections;
            return Ok(text(context.metrics.text(&context.evaluations, max_connections)));
        }
        _ => {}
    }
    let options = &context.options;
    let max_body = options.most_of_body();
    let parameters = RequestParameters::read(parts.uri.query().unwrap_or_default())?;
    let limits = BodyLimits { most: options.max_body, most_kept: max_body, pause: options.idle };
    let body = read_body(&parts.headers, body, limits, &context.bodies).await?.into();
    client.seat.is_answered(true);
    let client_is_near = is_near(client.address, &parts.headers);
    let Parts { method, headers, uri, .. } = parts;
    let path = uri.path().to_owned();
    let asked = ReceivedRequest {
        method,
        route,
        path,
        authority,
        parameters,
        headers,
        client_is_near,
        body,
        max_body,
    };
    evaluated(context, asked).await
}

/// Does the work of a request on an evaluation thread.
async fn evaluated(
    context: &Arc<ServerContext>,
    asked: ReceivedRequest,
) -> Result<(ResponseHead, ReplyContent), ProblemDetails> {
    let is_write = asked.route.is_write(&asked.method);
    let _turn = match is_write {
        true => Some(turn(context).await?),
        false => None,
    };
    let (reply, ending, answer) = channel(&context.moments);
    let Some(reply) = brief::answer(context, &asked, reply) else { return begun(answer).await };
    let on_thread = context.clone();
    let work = move |cancellation: CancellationToken, running: RunningEvaluation| {
        let reply = Rc::new(reply.at(running.place()));
        let cancellation = match asked.route {
            // While these wait, they have nothing that others need.
            ServerRoute::Query | ServerRoute::Named(_) => cancellation.in_turns(running.place()),
            _ => cancellation,
        };
        let done = operate(&on_thread, &asked, cancellation, &reply);
        on_thread.data.let_go(on_thread.options.cache);
        // This frees the thread before the client can send another request.
        drop((on_thread, asked, running));
        reply.finish(done);
    };
    let evaluation = context.evaluations.begin(work, move |why| ending.give_up(why))?;
    begun(answer.with_evaluation(evaluation)).await
}

/// Returns the beginning of an answer, and the rest of it.
async fn begun(mut answer: ReplyReceiver) -> Result<(ResponseHead, ReplyContent), ProblemDetails> {
    match answer.beginning().await {
        ReplyBeginning::Whole(head, bytes) => Ok((head, ReplyContent::Whole(bytes))),
        ReplyBeginning::Begun(head) => Ok((head, ReplyContent::Answer(answer))),
        ReplyBeginning::Failed(problem) => Err(problem),
    }
}

/// Waits for the turn to change the data.
async fn turn(context: &ServerContext) -> Result<SemaphorePermit<'_>, ProblemDetails> {
    let turn = timeout(context.options.timeout, context.turn.acquire()).await;
    turn.ok().and_then(Result::ok).ok_or_else(|| {
        let busy = Diagnostic::error("limit::busy", "other requests are still changing the data");
        ProblemDetails::from(Box::new(busy))
    })
}

/// Runs the operation of a resource.
fn operate(
    context: &Arc<ServerContext>,
    asked: &ReceivedRequest,
    cancellation: CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    match &asked.route {
        ServerRoute::Query => query_operation::answer(context, asked, cancellation, reply),
        ServerRoute::Named(name) => named_query::answer(context, asked, name, cancellation, reply),
        ServerRoute::Update => update_operation::answer(context, asked, cancellation, reply),
        ServerRoute::Store => graph_store::answer(context, asked, cancellation, reply),
        ServerRoute::Api(resource) => api::answer(context, asked, *resource, cancellation, reply),
        ServerRoute::Root => description::answer(context, asked, reply),
        ServerRoute::Health | ServerRoute::Metrics | ServerRoute::Page(_) => Err(ProblemDetails::panicked()),
    }
}

/// Answers with the methods of a resource, and those that the page of a preflight may use.
fn methods(route: &ServerRoute, may_write: bool) -> (ResponseHead, ReplyContent) {
    let mut headers = HeaderMap::new();
    headers.insert(ALLOW, HeaderValue::from_static(route.allowed()));
    let is_usable = |name: &&str| {
        let is_write = |method: Method| method != Method::OPTIONS && route.is_write(&method);
        may_write || !Method::from_bytes(name.as_bytes()).is_ok_and(is_write)
    };
    let usable: Vec<&str> = route.allowed().split(", ").filter(is_usable).collect();
    if let Ok(usable) = HeaderValue::from_str(&usable.join(", ")) {
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, usable);
    }
    let asked = HeaderValue::from_static(
        "accept, authorization, content-encoding, content-type, if-match, if-none-match",
    );
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked);
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    (ResponseHead { status: StatusCode::NO_CONTENT, headers }, ReplyContent::Whole(Bytes::new()))
}

fn text(text: String) -> (ResponseHead, ReplyContent) {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    (ResponseHead { status: StatusCode::OK, headers }, ReplyContent::Whole(text.into()))
}

/// What a browser may do with an answer: load files of this server, and not show it in a frame of another page.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/// Forbids answers to do anything in a browser, whatever the data are. Queries in URLs are not passed on.
fn add_safety(headers: &mut HeaderMap) {
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}

/// Lets pages of an allowed server read the answer, and no other pages.
fn add_origin(headers: &mut HeaderMap, allowed: Option<HeaderValue>) {
    let Some(origin) = allowed else {
        headers.remove(ACCESS_CONTROL_ALLOW_METHODS);
        headers.remove(ACCESS_CONTROL_ALLOW_HEADERS);
        headers.remove(ACCESS_CONTROL_MAX_AGE);
        return;
    };
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("etag, location"));
    headers.append(VARY, HeaderValue::from_static("origin"));
}
