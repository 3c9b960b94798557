//! The query operation of the SPARQL 1.1 Protocol (section 2.1).

use std::rc::Rc;

use hyper::{Method, StatusCode};
use oxrdf::NamedNode;

use super::channel::ReplySender;
use super::description;
use super::pieces::ReplyWriter;
use super::problem::ProblemDetails;
use super::query_answer::{NegotiatedForm, write};
use super::received_request::{FORM, ReceivedRequest};
use super::request_parameters::RequestParameters;
use super::served_data::DataSnapshot;
use super::server_context::ServerContext;
use super::states::{begin, is_read};
use evalgraph_rdf::iri::is_iri;
use evalgraph_sparql::{CancellationToken, ExecuteOptions, Query, QueryPrefixes};

/// The media type of a query in a body.
pub(super) const QUERY: &str = "application/sparql-query";

/// Functions whose value differs each time. The answer to a query with such a word gets no ETag.
const CHANGING: [&str; 3] = ["NOW", "RAND", "UUID"];

/// Answers a query.
///
/// # Errors
///
/// The errors of the request and of the evaluation.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    cancellation: CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    if is_read(&asked.method) && asked.parameters.is_empty() {
        return description::answer(context, asked, reply);
    }
    let (text, parameters) = text_of(asked)?;
    evaluate(context, asked, parsed(context, asked, &text, &parameters)?, cancellation, reply)
}

/// Parses the query of a request with a text and parameters.
///
/// # Errors
///
/// The errors of the query, and `serve::parameter`.
pub(super) fn parsed(
    context: &ServerContext,
    asked: &ReceivedRequest,
    text: &str,
    parameters: &RequestParameters,
) -> Result<Query, ProblemDetails> {
    let query = Query::parse_in(text, "query", &context.prologue(&asked.url()))?;
    over(query, parameters)
}

/// Returns the query over the graphs that parameters name, if they name any.
///
/// # Errors
///
/// `serve::parameter`.
pub(super) fn over(query: Query, parameters: &RequestParameters) -> Result<Query, ProblemDetails> {
    Ok(match graphs_of(parameters, "default-graph-uri", "named-graph-uri")? {
        Some((default, named)) => query.over_graphs(default, named),
        None => query,
    })
}

/// Evaluates a query over the current state, and writes the answer.
///
/// # Errors
///
/// The errors of the request and of the evaluation.
pub(super) fn evaluate(
    context: &ServerContext,
    asked: &ReceivedRequest,
    query: Query,
    cancellation: CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    evaluate_over(context.data.now()?, asked, query, cancellation, reply)
}

/// Evaluates a query over a state of the data, and writes the answer.
///
/// # Errors
///
/// The errors of the request and of the evaluation.
pub(super) fn evaluate_over(
    DataSnapshot { loaded, name }: DataSnapshot,
    asked: &ReceivedRequest,
    query: Query,
    cancellation: CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    let form = NegotiatedForm::from_query_form(query.form(), &asked.headers)?;
    let state = (is_read(&asked.method) && !is_changing(&query)).then_some(name.as_str());
    if !begin(asked, form.head(), state, reply) {
        return Ok(());
    }
    let prefixes = if form.has_prefixes() { query.prefixes().clone() } else { QueryPrefixes::new() };
    let loaded = loaded.cancelled_by(cancellation);
    let results = loaded.execute(query, ExecuteOptions::default())?;
    write(results, form, &prefixes, &ReplyWriter::new(reply, asked.compression()))
}

fn is_changing(query: &Query) -> bool {
    let text = query.text().to_ascii_uppercase();
    CHANGING.iter().any(|function| text.contains(function))
}

/// Returns the text of the query, and the parameters beside it.
///
/// # Errors
///
/// The errors of the request.
pub(super) fn text_of(asked: &ReceivedRequest) -> Result<(String, RequestParameters), ProblemDetails> {
    let media_type = asked.media_type();
    let parameters = asked.with_form()?;
    if parameters.has("update") {
        return Err(ProblemDetails::bad(
            "serve::parameter",
            "this resource takes queries; send updates to `/update`",
        ));
    }
    let is_direct = match (&asked.method, media_type.as_deref()) {
        (&Method::POST, Some(QUERY)) => true,
        (&Method::POST, Some(FORM)) => false,
        (&Method::POST, _) => return Err(unknown_media_type(QUERY)),
        _ => false,
    };
    match (parameters.one("query")?, is_direct) {
        (Some(_), true) => {
            Err(ProblemDetails::bad("serve::parameter", "there is a query in the URL and in the body"))
        }
        (None, true) => Ok((asked.text()?, parameters)),
        (Some(text), false) => Ok((text.to_owned(), parameters)),
        (None, false) => Err(ProblemDetails::bad("serve::parameter", "the parameter `query` is missing")),
    }
}

/// The error that the operation does not accept the form of the body.
pub(super) fn unknown_media_type(direct: &str) -> ProblemDetails {
    let message = format!("the body must have the type {FORM} or {direct}");
    ProblemDetails::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "serve::media-type", message)
}

/// Two lists of graphs: those whose union is the default graph, and the named graphs.
pub(super) type ProtocolDataset = (Vec<NamedNode>, Vec<NamedNode>);

/// Returns the graphs that two parameters name; `None` if neither is given.
///
/// # Errors
///
/// `serve::parameter` if a name is not an IRI.
pub(super) fn graphs_of(
    parameters: &RequestParameters,
    default: &str,
    named: &str,
) -> Result<Option<ProtocolDataset>, ProblemDetails> {
    let graphs = |name: &str| {
        let graph = |iri: &str| match is_iri(iri) {
            true => Ok(NamedNode::new_unchecked(iri)),
            false => Err(ProblemDetails::bad(
                "serve::parameter",
                format!("`{name}` is not an absolute IRI: `{iri}`"),
            )),
        };
        parameters.all(name).map(graph).collect::<Result<Vec<_>, _>>()
    };
    let (default, named) = (graphs(default)?, graphs(named)?);
    let is_there = !default.is_empty() || !named.is_empty();
    Ok(is_there.then_some((default, named)))
}
