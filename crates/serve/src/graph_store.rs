//! The SPARQL 1.1 Graph Store HTTP Protocol. A graph is named by the parameter `graph`, by `default`, or by its URL.
//! Without any of these, the request is for all graphs.
//!
//! Writing uses the updates that define it (sections 5.3 to 5.5), and so takes the same path as all changes.

use std::cell::RefCell;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::rc::Rc;

use hyper::header::{HeaderValue, LOCATION};
use hyper::{HeaderMap, Method, StatusCode};
use oxrdf::NamedNodeRef;

use super::channel::ReplySender;
use super::documents::documents;
use super::head::ResponseHead;
use super::pieces::ReplyWriter;
use super::problem::ProblemDetails;
use super::query_answer::{NegotiatedForm, write_dataset};
use super::query_operation::evaluate;
use super::received_request::ReceivedRequest;
use super::served_data::DataSnapshot;
use super::server_context::ServerContext;
use super::states::{begin, is_read};
use super::update_operation::change;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::iri::is_iri;
use evalgraph_rdf::minted::DEFAULT_GRAPH;
use evalgraph_sparql::{CancellationToken, Query, Update};

/// The graph that a request is about.
enum RequestedGraph {
    Named(String),
    /// A new graph, which the server has given this name.
    New(String),
    /// All graphs.
    All,
}

/// Answers a request of the protocol.
///
/// # Errors
///
/// The errors of the request, of its document and of the store.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    cancellation: CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    let graph = graph_of(asked)?;
    let (RequestedGraph::Named(name) | RequestedGraph::New(name)) = &graph else {
        let form = NegotiatedForm::of_graphs(&asked.headers)?;
        let seen = context.data.now()?;
        if !begin(asked, form.head(), Some(&seen.name), reply) {
            return Ok(());
        }
        let output = ReplyWriter::new(reply, asked.compression());
        return write_dataset(seen.loaded.dataset(), form, &cancellation, &output);
    };
    let is_there = match graph {
        RequestedGraph::Named(_) => has_graph(&context.data.now()?, name),
        _ => false,
    };
    match &asked.method {
        &Method::GET | &Method::HEAD | &Method::DELETE if !is_there && name != DEFAULT_GRAPH => {
            Err(missing(name))
        }
        &Method::GET | &Method::HEAD => {
            let text = format!("CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH <{name}> {{ ?s ?p ?o }} }}");
            evaluate(context, asked, Query::parse_plain(&text, "graph")?, cancellation, reply)
        }
        &Method::DELETE => {
            let update = format!("DROP SILENT GRAPH <{name}>");
            write(context, asked, &update, Vec::new(), cancellation, reply)?;
            reply.begin(ResponseHead { status: StatusCode::NO_CONTENT, headers: HeaderMap::new() });
            Ok(())
        }
        method => {
            let documents = documents(asked, name, &cancellation)?;
            let mut update = String::new();
            if method == Method::PUT {
                update.push_str(&format!("DROP SILENT GRAPH <{name}> ; CREATE SILENT GRAPH <{name}> ; "));
            }
            for number in 0..documents.len() {
                update.push_str(&format!("LOAD <document:{number}> INTO GRAPH <{name}> ; "));
            }
            write(context, asked, &update, documents, cancellation, reply)?;
            reply.begin(written(&graph, is_there));
            Ok(())
        }
    }
}

/// Makes an update whose LOAD reads the documents of the request, by number.
fn write(
    context: &ServerContext,
    asked: &ReceivedRequest,
    update: &str,
    documents: Vec<QuadBuffer>,
    cancellation: CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    let documents = RefCell::new(documents.into_iter().map(Some).collect::<Vec<_>>());
    let read = |url: &str| {
        let number = url.rsplit(':').next().and_then(|number| number.parse::<usize>().ok());
        let document = number.and_then(|number| documents.borrow_mut().get_mut(number)?.take());
        document.ok_or_else(|| Box::new(Diagnostic::error("sparql::load", "there is no such document")))
    };
    change(context, asked, Update::parse_plain(update, "graph")?, &read, cancellation, reply)
}

fn written(graph: &RequestedGraph, was_there: bool) -> ResponseHead {
    let status = if was_there { StatusCode::NO_CONTENT } else { StatusCode::CREATED };
    let mut headers = HeaderMap::new();
    if let RequestedGraph::New(name) = graph
        && let Ok(location) = HeaderValue::from_str(name)
    {
        headers.insert(LOCATION, location);
    }
    ResponseHead { status, headers }
}

/// Returns the graph of a request.
fn graph_of(asked: &ReceivedRequest) -> Result<RequestedGraph, ProblemDetails> {
    let parameters = &asked.parameters;
    let named = parameters.one("graph")?;
    let (is_default, path) = (parameters.has("default"), asked.path.trim_start_matches('/'));
    let below = path.split_once('/').map(|(_, below)| below).filter(|below| !below.is_empty());
    let here = asked.url();
    let name = match (named, is_default, below) {
        (Some(name), false, None) => name.to_owned(),
        (None, true, None) => DEFAULT_GRAPH.to_owned(),
        (None, false, Some(_)) => here,
        (None, false, None) if asked.method == Method::POST => {
            let number = || RandomState::new().build_hasher().finish();
            return Ok(RequestedGraph::New(format!(
                "{}/{:016x}{:016x}",
                here.trim_end_matches('/'),
                number(),
                number()
            )));
        }
        (None, false, None) if is_read(&asked.method) => return Ok(RequestedGraph::All),
        _ => {
            let message = "name the graph in one way: by `?graph=IRI`, by `?default` or by its own URL";
            return Err(ProblemDetails::bad("serve::parameter", message));
        }
    };
    match is_iri(&name) {
        true => Ok(RequestedGraph::Named(name)),
        false => Err(ProblemDetails::bad("serve::parameter", "the name of the graph is not an absolute IRI")),
    }
}

fn has_graph(seen: &DataSnapshot, name: &str) -> bool {
    let dataset = seen.loaded.dataset();
    let id = dataset.dictionary().find(NamedNodeRef::new_unchecked(name).into());
    id.is_some_and(|id| dataset.graphs().any(|graph| graph == id))
}

fn missing(name: &str) -> ProblemDetails {
    ProblemDetails::new(StatusCode::NOT_FOUND, "serve::no-graph", format!("there is no graph `{name}`"))
}
