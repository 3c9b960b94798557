//! Writes the answer to a query in the form that the client asked for.

use std::io::Write;

use hyper::header::{CONTENT_TYPE, HeaderValue, VARY};
use hyper::{HeaderMap, StatusCode};
use oxrdf::Triple;

use super::head::ResponseHead;
use super::negotiation::{self, NAMED_GRAPHS, OfferedForm};
use super::pieces::ReplyWriter;
use super::problem::ProblemDetails;
use evalgraph_engine::api::Loader;
use evalgraph_engine::convert::json_ld_shape::JsonLdShape;
use evalgraph_engine::convert::rdf::write_format;
use evalgraph_engine::convert::write_failure::WriteFailure;
use evalgraph_rdf::{self as rdf, QuadBuffer, RdfFormat};
use evalgraph_sparql::{
    CancellationToken, QueryForm, QueryPrefixes, QueryResults, QueryTriples, ResultFormat, SolutionSequence,
    TableLayout, WriteError, write_boolean, write_rows,
};
use evalgraph_store::Dataset;

/// A graph with more triples is written line by line while it is found.
const READABLE: usize = 5_000;

/// The form of an answer.
#[derive(Debug, Clone, Copy)]
pub(super) enum NegotiatedForm {
    Table(OfferedForm<ResultFormat>),
    Graph(OfferedForm<RdfFormat>),
}

impl NegotiatedForm {
    /// Returns the form of the answer to a query that the client prefers.
    ///
    /// # Errors
    ///
    /// `serve::not-acceptable`.
    pub(super) fn from_query_form(query: QueryForm, headers: &HeaderMap) -> Result<Self, ProblemDetails> {
        match query {
            QueryForm::Select | QueryForm::Ask => {
                negotiation::table(headers).map(Self::Table).ok_or_else(|| unacceptable("tables", &tables()))
            }
            QueryForm::Construct | QueryForm::Describe => Self::of_graph(headers),
        }
    }

    /// Returns the form of a graph that the client prefers.
    ///
    /// # Errors
    ///
    /// `serve::not-acceptable`.
    pub(super) fn of_graph(headers: &HeaderMap) -> Result<Self, ProblemDetails> {
        negotiation::graph(headers).map(Self::Graph).ok_or_else(|| unacceptable("graphs", &graphs()))
    }

    /// Returns the form of several graphs that the client prefers.
    ///
    /// # Errors
    ///
    /// `serve::not-acceptable`.
    pub(super) fn of_graphs(headers: &HeaderMap) -> Result<Self, ProblemDetails> {
        let known = || NAMED_GRAPHS.iter().map(|format| format.media_type()).collect::<Vec<_>>();
        negotiation::graphs(headers).map(Self::Graph).ok_or_else(|| unacceptable("several graphs", &known()))
    }

    /// Returns whether prefixes shorten IRIs in this form.
    pub(super) fn has_prefixes(self) -> bool {
        match self {
            Self::Table(offer) => offer.form == ResultFormat::Table,
            Self::Graph(offer) => !matches!(offer.form, RdfFormat::NTriples | RdfFormat::NQuads),
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Table(offer) => offer.media_type,
            Self::Graph(offer) => offer.media_type,
        }
    }

    /// Returns the status and the headers of an answer in this form.
    pub(super) fn head(self) -> ResponseHead {
        let media_type = self.media_type();
        let charset = if media_type.starts_with("text/") { "; charset=utf-8" } else { "" };
        let mut headers = HeaderMap::new();
        if let Ok(value) = HeaderValue::from_str(&format!("{media_type}{charset}")) {
            headers.insert(CONTENT_TYPE, value);
        }
        headers.append(VARY, HeaderValue::from_static("accept"));
        ResponseHead { status: StatusCode::OK, headers }
    }
}

fn tables() -> Vec<&'static str> {
    negotiation::TABLES.iter().map(|format| format.media_types()[0]).collect()
}

fn graphs() -> Vec<&'static str> {
    RdfFormat::WRITTEN.iter().map(|format| format.media_type()).collect()
}

fn unacceptable(of: &str, known: &[&str]) -> ProblemDetails {
    let message = format!("the request accepts none of the available forms of {of}: {}", known.join(", "));
    ProblemDetails::new(StatusCode::NOT_ACCEPTABLE, "serve::not-acceptable", message)
}

/// Writes results. The head must be set before.
///
/// # Errors
///
/// The error of an evaluation, or of a form that cannot represent the answer. If the client has disconnected, the error
/// is dropped.
pub(super) fn write(
    results: QueryResults<'_>,
    form: NegotiatedForm,
    prefixes: &QueryPrefixes,
    output: &ReplyWriter,
) -> Result<(), ProblemDetails> {
    match (results, form) {
        (QueryResults::Boolean(answer), NegotiatedForm::Table(offer)) => {
            write_boolean(answer, offer.form, output.clone()).map_err(|error| gone(&error))?;
        }
        (QueryResults::Solutions(solutions), NegotiatedForm::Table(offer)) => {
            write_table(solutions, offer.form, prefixes, output)?;
        }
        (QueryResults::Graph(triples), NegotiatedForm::Graph(_)) => {
            write_graph(triples, form, prefixes, output)?;
        }
        _ => return Err(ProblemDetails::panicked()),
    }
    output.finish().map_err(|error| gone(&error))
}

fn write_table(
    solutions: SolutionSequence<'_>,
    format: ResultFormat,
    prefixes: &QueryPrefixes,
    output: &ReplyWriter,
) -> Result<(), ProblemDetails> {
    let (variables, sent) = (solutions.variables().into(), output.clone());
    let mut solutions = solutions;
    let rows = std::iter::from_fn(move || {
        // If the client has disconnected, the next row fails.
        let _ = sent.send();
        solutions.next()
    });
    let layout = TableLayout::new(prefixes);
    write_rows(SolutionSequence::new(variables, rows), format, &layout, output.clone()).map(drop).map_err(
        |error| match error {
            WriteError::Io(error) => gone(&error),
            WriteError::Evaluation(fault) => fault.into(),
        },
    )
}

/// Writes a graph: a small one in readable form, a larger one triple by triple if the format allows that.
fn write_graph(
    mut triples: QueryTriples<'_>,
    form: NegotiatedForm,
    prefixes: &QueryPrefixes,
    output: &ReplyWriter,
) -> Result<(), ProblemDetails> {
    let NegotiatedForm::Graph(OfferedForm { form: format, .. }) = form else {
        return Err(ProblemDetails::panicked());
    };
    let has_lines = !matches!(format, RdfFormat::JsonLd | RdfFormat::RdfXml | RdfFormat::N3);
    let is_of_lines = matches!(format, RdfFormat::NTriples | RdfFormat::NQuads);
    let most = if is_of_lines {
        0
    } else if has_lines {
        READABLE
    } else {
        usize::MAX
    };
    let mut quads = QuadBuffer::new();
    if most == usize::MAX {
        triples.copy_into(&mut quads)?;
        return write_buffer(quads, form, prefixes, output);
    }
    let mut first: Vec<Triple> = Vec::new();
    while first.len() < most
        && let Some(triple) = triples.next()
    {
        first.push(triple?);
    }
    if first.len() < most {
        quads.extend_triples(first.into_iter().map(Ok::<_, ProblemDetails>))?;
        return write_buffer(quads, form, prefixes, output);
    }
    for triple in first {
        write_line(&triple, output).map_err(|error| gone(&error))?;
    }
    loop {
        output.send().map_err(|error| gone(&error))?;
        let Some(triple) = triples.next() else { return Ok(()) };
        write_line(&triple?, output).map_err(|error| gone(&error))?;
    }
}

fn write_line(triple: &Triple, output: &ReplyWriter) -> std::io::Result<()> {
    writeln!(output.clone(), "{triple} .")
}

/// Writes all quads of the data, line by line if the format allows that. The head must be set before.
///
/// # Errors
///
/// The errors of [`write`], and damage to the store's files.
pub(super) fn write_dataset(
    dataset: &Dataset,
    form: NegotiatedForm,
    cancellation: &CancellationToken,
    output: &ReplyWriter,
) -> Result<(), ProblemDetails> {
    let quads = dataset.quads_of_data().take_while(|_| cancellation.check().is_ok());
    if matches!(form, NegotiatedForm::Graph(OfferedForm { form: RdfFormat::NQuads, .. })) {
        let (mut line, mut output) = (Vec::new(), output.clone());
        for quad in quads {
            line.clear();
            dataset.dictionary().write_n_quad(quad, &mut line);
            output.write_all(&line).map_err(|error| gone(&error))?;
        }
    } else {
        let mut buffer = QuadBuffer::new();
        dataset.dictionary().copy_into(quads, &mut buffer);
        cancellation.check()?;
        write_buffer(buffer, form, &QueryPrefixes::new(), output)?;
    }
    cancellation.check()?;
    if let Some(fault) = dataset.fault() {
        return Err(Box::new(fault.clone()).into());
    }
    output.finish().map_err(|error| gone(&error))
}

/// Writes an existing graph. The head must be set before.
///
/// # Errors
///
/// The errors of [`write`].
pub(super) fn write_whole(
    quads: QuadBuffer,
    form: NegotiatedForm,
    prefixes: &QueryPrefixes,
    output: &ReplyWriter,
) -> Result<(), ProblemDetails> {
    write_buffer(quads, form, prefixes, output)?;
    output.finish().map_err(|error| gone(&error))
}

fn write_buffer(
    mut quads: QuadBuffer,
    form: NegotiatedForm,
    prefixes: &QueryPrefixes,
    output: &ReplyWriter,
) -> Result<(), ProblemDetails> {
    let NegotiatedForm::Graph(OfferedForm { form: format, .. }) = form else {
        return Err(ProblemDetails::panicked());
    };
    for (name, namespace) in prefixes.iter() {
        quads.declare_prefix(name, namespace);
    }
    let mut output = output.clone();
    if format != RdfFormat::JsonLd {
        return rdf::write(&quads, format, &mut output).map_err(|error| gone(&error));
    }
    let loader = Loader::new();
    let write = |report: &mut _| {
        let session = loader.session()?;
        match write_format(&quads, format, &session, &JsonLdShape::Expanded, &mut output, report) {
            Ok(()) => Ok(Ok(())),
            Err(WriteFailure::Failed(failure)) => Err(failure),
            Err(WriteFailure::Io(error)) => Ok(Err(error)),
        }
    };
    let (written, _) = loader.reported_here(write)?;
    written.map_err(|error| gone(&error))
}

/// The error if the client has disconnected. It is not reported.
fn gone(error: &std::io::Error) -> ProblemDetails {
    ProblemDetails::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "serve::gone",
        format!("the answer cannot be sent: {error}"),
    )
}
