//! The requests of an export to its server: listing graphs, sending and reading them, and putting them in place.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Read};

use oxrdf::{Term, Triple};
use oxttl::{NTriplesParser, TurtleParseError};
use sparesults::QueryResultsFormat;

use super::pieces::{BatchPiece, PieceReader, StagedGraph};
use super::place_addresses::{DatasetCreation, PlaceAddresses};
use crate::export::verification::ServerProduct;
use crate::net::{
    ClientRequest, ClientResponse, FORM, HttpClient, HttpMethod, RequestPayload, fault_of, form, may_be_done,
    table,
};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_sparql::CancellationToken;

/// The maximum size in bytes of a response about graphs.
const MOST_ANSWER: u64 = 64 << 20;

/// The requests to one server.
pub(super) struct ServerRequests {
    server: HttpClient,
    pub(super) remote: PlaceAddresses,
    pub(super) cancellation: CancellationToken,
    count: Cell<u64>,
    bytes: Cell<u64>,
    has_arrived: Cell<bool>,
}

impl ServerRequests {
    pub(super) fn new(server: HttpClient, remote: PlaceAddresses, cancellation: CancellationToken) -> Self {
        Self {
            server,
            remote,
            cancellation,
            count: Cell::new(0),
            bytes: Cell::new(0),
            has_arrived: Cell::new(false),
        }
    }

    /// How many requests were sent, and how many bytes of quads.
    pub(super) fn sent(&self) -> (u64, u64) {
        (self.count.get(), self.bytes.get())
    }

    /// Returns whether the server may have received some of these.
    pub(super) fn has_arrived(&self) -> bool {
        self.has_arrived.get()
    }

    /// Creates the dataset or repository, unless it exists.
    ///
    /// # Errors
    ///
    /// `export::no-creation` if the server has no way to create it; the server's faults.
    pub(super) fn create(&self) -> Result<(), Box<Diagnostic>> {
        let no_creation = |why: &str| {
            let fault = Diagnostic::error("export::no-creation", why);
            Box::new(fault.with_help(help!["make it in the server, and export without ", setting("create")]))
        };
        let Some(creation) = &self.remote.creation else {
            return Err(no_creation("evalgraph cannot create repositories of GraphDB"));
        };
        // 409 means that it already exists.
        let (method, url, media_type, body, accepts): (_, _, _, _, &[u16]) = match creation {
            DatasetCreation::Fuseki { url, form } => (HttpMethod::Post, url, FORM, form, &[404, 405, 409]),
            DatasetCreation::Rdf4j { url, configuration } => {
                (HttpMethod::Put, url, "text/turtle", configuration, &[409])
            }
        };
        let fields = [("content-type", media_type)];
        let body = RequestPayload::Bytes(body.as_bytes());
        let status =
            self.tell(&ClientRequest { method, url, fields: &fields, body, repeats: false, accepts })?;
        match status {
            404 | 405 => Err(no_creation("the server makes no datasets: it runs without its administration")),
            _ => Ok(()),
        }
    }

    /// The number of triples in each of some graphs.
    pub(super) fn counts(&self, graphs: &[&str]) -> Result<Vec<u64>, RunFailure> {
        let Some(_) = &self.remote.query else {
            return graphs.iter().map(|graph| self.count_by_reading(graph)).collect();
        };
        let names: String = graphs.iter().map(|graph| format!(" <{graph}>")).collect();
        let query = format!(
            "SELECT ?g (COUNT(*) AS ?n) WHERE {{ VALUES ?g {{{names} }} GRAPH ?g {{ ?s ?p ?o }} }} GROUP BY ?g"
        );
        let mut counts = vec![0; graphs.len()];
        for row in self.rows(&query)? {
            let [Some(Term::NamedNode(graph)), Some(Term::Literal(count))] = row.as_slice() else { continue };
            if let Some(at) = graphs.iter().position(|known| graph.as_str() == *known) {
                counts[at] = count.value().parse().unwrap_or(0);
            }
        }
        Ok(counts)
    }

    fn count_by_reading(&self, graph: &str) -> Result<u64, RunFailure> {
        self.graph(graph, |triples| {
            let mut count = 0;
            for triple in triples {
                triple?;
                count += 1;
            }
            Ok(count)
        })
    }

    /// The rows that a query returns.
    pub(super) fn rows(&self, query: &str) -> Result<Vec<Vec<Option<Term>>>, RunFailure> {
        let url = self.remote.query.as_deref().unwrap_or(&self.remote.graph_store);
        let body = form([("query", query)]);
        let fields = [("content-type", FORM), ("accept", "application/sparql-results+json")];
        let body = RequestPayload::Bytes(body.as_bytes());
        // Without a dataset at this address, Fuseki serves a page and rejects queries.
        let accepts = &[404, 405];
        let question =
            ClientRequest { method: HttpMethod::Post, url, fields: &fields, body, repeats: true, accepts };
        self.read(&question, |answer| {
            if accepts.contains(&answer.status) {
                return Err(self.nothing_there(url, answer).into());
            }
            let answer = answer.bytes(MOST_ANSWER)?;
            let unreadable = |why: &str| {
                let why = self.server.unless_secret(why);
                let message = format!("the answer of `{url}` is not a table of results: {why}");
                Diagnostic::error("server::answer", message)
            };
            let (_, rows) = table(&answer, QueryResultsFormat::Json).map_err(|why| unreadable(&why))?;
            Ok(rows)
        })
    }

    fn nothing_there(&self, url: &str, answer: ClientResponse) -> Box<Diagnostic> {
        let url = url.split('?').next().unwrap_or(url);
        let what = if answer.status == 404 { "does not exist (404)" } else { "takes no queries (405)" };
        let words = self.server.words_of(answer).map(|words| format!(": {words}")).unwrap_or_default();
        let fault = Diagnostic::error("server::not-found", format!("`{url}` {what}{words}"));
        Box::new(match self.remote.creation {
            Some(_) => fault.with_help(help![setting("create"), " makes what is missing"]),
            None => fault.with_help("is this the address of the dataset or repository?"),
        })
    }

    /// Runs an update. The request is sent only once, unless it can be repeated.
    pub(super) fn update(&self, update: &str, repeats: bool) -> Result<(), Box<Diagnostic>> {
        let Some(url) = &self.remote.update else { return Ok(()) };
        // Most servers accept a long update as a plain body but not as a form; Virtuoso accepts only forms. Fuseki
        // reports success with an HTML page if any media type is accepted.
        let (media_type, body) = match self.remote.product {
            ServerProduct::Virtuoso => (FORM, Cow::Owned(form([("update", update)]))),
            _ => ("application/sparql-update", Cow::Borrowed(update)),
        };
        let fields = [("content-type", media_type), ("accept", "text/plain, */*;q=0.1")];
        let body = RequestPayload::Bytes(body.as_bytes());
        self.tell(&ClientRequest {
            method: HttpMethod::Post,
            url,
            fields: &fields,
            body,
            repeats,
            accepts: &[],
        })?;
        Ok(())
    }

    /// Reads the triples of a graph as a stream. If the response is cut off, it is read again from the first triple.
    pub(super) fn graph<T>(
        &self,
        graph: &str,
        mut read: impl FnMut(&mut dyn Iterator<Item = Result<Triple, RunFailure>>) -> Result<T, RunFailure>,
    ) -> Result<T, RunFailure> {
        let url = self.remote.graph_to_read(graph);
        let fields = [("accept", "application/n-triples"), ("accept-encoding", "gzip")];
        let body = RequestPayload::Nothing;
        let accepts = &[404];
        let unreadable = |error| match error {
            TurtleParseError::Io(error) => fault_of(error).into(),
            TurtleParseError::Syntax(error) => {
                let why = error.to_string();
                let why = self.server.unless_secret(&why);
                let message = format!("the answer of `{url}` is not N-Triples: {why}");
                Diagnostic::error("server::answer", message).into()
            }
        };
        let question = ClientRequest {
            method: HttpMethod::Get,
            url: &url,
            fields: &fields,
            body,
            repeats: true,
            accepts,
        };
        self.read(&question, |answer| {
            // Virtuoso reports a missing graph with an HTML page.
            let triples = (answer.status != 404).then(|| NTriplesParser::new().for_reader(answer.reader()));
            read(&mut triples.into_iter().flatten().map(|triple| triple.map_err(unreadable)))
        })
    }

    /// Sends a piece of a batch to its staging graphs.
    pub(super) fn send(
        &self,
        batch: &[StagedGraph<'_, '_>],
        piece: &BatchPiece,
    ) -> Result<(), Box<Diagnostic>> {
        let url = match (&self.remote.quads, batch) {
            (Some(quads), _) => quads.clone(),
            (None, [staged, ..]) => self.remote.graph(&staged.staging),
            (None, []) => return Ok(()),
        };
        // Repeating quads without blank nodes does no harm.
        let repeats = matches!(piece, BatchPiece::Plain(_));
        self.put(HttpMethod::Post, &url, batch, piece, repeats)
    }

    /// Sends pieces straight to a graph that is replaced or extended, if the server has no updates.
    pub(super) fn send_to_place(
        &self,
        staged: &StagedGraph<'_, '_>,
        replaces: bool,
    ) -> Result<(), Box<Diagnostic>> {
        let method = if replaces { HttpMethod::Put } else { HttpMethod::Post };
        let url = self.remote.graph(&staged.graph.name);
        self.put(method, &url, std::slice::from_ref(staged), &BatchPiece::All, replaces)
    }

    fn put(
        &self,
        method: HttpMethod,
        url: &str,
        batch: &[StagedGraph<'_, '_>],
        piece: &BatchPiece,
        repeats: bool,
    ) -> Result<(), Box<Diagnostic>> {
        let form = self.remote.form();
        let media_type = if form.has_graph_names { "application/n-quads" } else { "application/n-triples" };
        let length = match form.is_compressed {
            true => None,
            // The piece is generated twice, since the server needs its length first.
            false => Some(self.length(batch, piece)?),
        };
        let of_length =
            length.map_or(("content-encoding", "gzip".to_owned()), |n| ("content-length", n.to_string()));
        let fields = [("content-type", media_type), (of_length.0, &of_length.1)];
        let stream = || -> Box<dyn Read + '_> {
            let reader = PieceReader::new(batch, piece, form, &self.cancellation);
            Box::new(PieceByteCounter { reader, bytes: &self.bytes })
        };
        let body = RequestPayload::Stream(&stream);
        let told = self.tell(&ClientRequest { method, url, fields: &fields, body, repeats, accepts: &[] });
        if told.as_ref().err().is_none_or(|fault| may_be_done(fault)) {
            self.has_arrived.set(true);
        }
        told.map(drop)
    }

    /// How many bytes a piece has.
    fn length(&self, batch: &[StagedGraph<'_, '_>], piece: &BatchPiece) -> Result<u64, Box<Diagnostic>> {
        let mut reader = PieceReader::new(batch, piece, self.remote.form(), &self.cancellation);
        let length = io::copy(&mut reader, &mut io::sink());
        self.cancellation.check()?;
        length.map_err(fault_of)
    }

    /// Removes a graph by the Graph Store Protocol.
    pub(super) fn delete(&self, graph: &str) -> Result<(), Box<Diagnostic>> {
        let url = self.remote.graph(graph);
        let (method, body) = (HttpMethod::Delete, RequestPayload::Nothing);
        self.tell(&ClientRequest { method, url: &url, fields: &[], body, repeats: true, accepts: &[404] })?;
        Ok(())
    }

    /// Sends a read request. A response that is an HTML page is an error.
    fn read<T>(
        &self,
        question: &ClientRequest<'_>,
        mut read: impl FnMut(ClientResponse) -> Result<T, RunFailure>,
    ) -> Result<T, RunFailure> {
        self.count.set(self.count.get() + 1);
        self.server.read(question, |answer| match is_page(&answer) {
            true => Err(page(question.url, self.server.words_of(answer)).into()),
            false => read(answer),
        })
    }

    /// Sends a request for a change, and returns the status. Virtuoso reports success with an empty page; a page with a
    /// title asks for a login or for something else.
    fn tell(&self, question: &ClientRequest<'_>) -> Result<u16, Box<Diagnostic>> {
        self.count.set(self.count.get() + 1);
        let answer = self.server.ask(question)?;
        let status = answer.status;
        let title = if is_page(&answer) { self.server.words_of(answer) } else { None };
        if title.is_some() { Err(page(question.url, title)) } else { Ok(status) }
    }
}

/// Returns whether a response is an HTML page instead of data.
fn is_page(answer: &ClientResponse) -> bool {
    matches!(answer.status, 200..300) && answer.media_type() == "text/html"
}

fn page(url: &str, title: Option<String>) -> Box<Diagnostic> {
    let url = url.split('?').next().unwrap_or(url);
    let title = title.map(|title| format!(": {title}")).unwrap_or_default();
    let message = format!("`{url}` answers with a page in HTML{title}");
    Box::new(
        Diagnostic::error("server::answer", message)
            .with_help("is this the address of the dataset or repository?"),
    )
}

/// A reader that counts the bytes of a piece.
struct PieceByteCounter<'c, R> {
    reader: R,
    bytes: &'c Cell<u64>,
}

impl<R: Read> Read for PieceByteCounter<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.bytes.set(self.bytes.get() + count as u64);
        Ok(count)
    }
}
