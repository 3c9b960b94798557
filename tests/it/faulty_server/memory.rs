//! The protocols over a store in memory: SPARQL 1.1 Protocol and Graph Store Protocol, at the addresses of Fuseki, of RDF4J
//! and of Virtuoso, with quads for the whole dataset.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::GzDecoder;
use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{GraphName, GraphNameRef, NamedNode, NamedNodeRef};
use oxigraph::sparql::results::{QueryResultsFormat, QueryResultsSerializer};
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use oxigraph::store::Store;

use crate::http_server::{Answer, Request};

/// The addresses, all of which take what any of them takes.
const ADDRESSES: [&str; 11] = [
    "/ds",
    "/ds/",
    "/ds/sparql",
    "/ds/query",
    "/ds/update",
    "/ds/data",
    REPOSITORY,
    "/repositories/ds/statements",
    "/repositories/ds/rdf-graphs/service",
    "/sparql",
    VIRTUOSO,
];
const REPOSITORY: &str = "/repositories/ds";
const VIRTUOSO: &str = "/sparql-graph-crud";

/// The name of the union of all graphs for Fuseki.
const UNION: &str = "urn:x-arq:UnionGraph";

type Done = Result<Answer, (u16, String)>;

pub(super) struct Memory {
    pub(super) store: Store,
}

/// The parameters of a query string or of a form.
struct Parameters(Vec<(String, String)>);

impl Parameters {
    fn of(text: &str) -> Self {
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        Self(pairs.map(|(name, value)| (decoded(name), decoded(value))).collect())
    }

    fn all<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s str> {
        self.0.iter().filter(move |(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    fn first<'s>(&'s self, name: &'s str) -> Option<&'s str> {
        self.all(name).next()
    }
}

fn bad(error: impl std::fmt::Display) -> (u16, String) {
    (400, error.to_string())
}

impl Memory {
    pub(super) fn new() -> Self {
        Self { store: Store::new().expect("memory can be had") }
    }

    pub(super) fn lines(&self, graph: &str) -> Vec<String> {
        let graph = NamedNodeRef::new(graph).expect("an IRI");
        let mut lines: Vec<String> = self
            .store
            .quads_for_pattern(None, None, None, Some(graph.into()))
            .map(|quad| quad.expect("memory can be read").into())
            .map(|triple: oxigraph::model::Triple| format!("{triple} ."))
            .collect();
        lines.sort();
        lines
    }

    pub(super) fn answers(&self, request: &Request) -> Answer {
        let query = request.path.split_once('?').map(|(_, query)| query).unwrap_or_default();
        let done = match request.bare_path() {
            // Whatever is to be made is there.
            "/$/datasets" => Err((409, "there is one".to_owned())),
            REPOSITORY if request.method == "PUT" => Err((409, "there is one".to_owned())),
            path if ADDRESSES.contains(&path) => self.dataset(request, &Parameters::of(query)),
            "/$/ping" => Ok(Answer::status(200, "2026-01-01T00:00:00.000+00:00")),
            path => Err((404, format!("there is no {path}"))),
        };
        done.unwrap_or_else(|(status, text)| Answer::status(status, &text))
    }

    /// Does so many operations of an update, each of which is a transaction of its own for Virtuoso.
    pub(super) fn begins(&self, request: &Request, operations: usize) {
        let body = String::from_utf8_lossy(&request.body);
        let form = Parameters::of(&body);
        for operation in form.first("update").unwrap_or_default().split(" ;\n").take(operations) {
            assert!(self.update(operation).is_ok(), "{operation}");
        }
    }

    fn dataset(&self, request: &Request, asked: &Parameters) -> Done {
        let body = opened(request)?;
        let media_type =
            request.field("content-type").unwrap_or_default().split(';').next().unwrap_or_default();
        let is_post = request.method == "POST";
        let text = || std::str::from_utf8(&body).map_err(bad);
        if is_post && media_type == "application/x-www-form-urlencoded" {
            let form = Parameters::of(text()?);
            return match (form.first("update"), form.first("query")) {
                (Some(update), _) => self.update(update),
                (None, Some(query)) => self.query(query, &form, request),
                (None, None) => Err(bad("neither a query nor an update")),
            };
        }
        match media_type {
            "application/sparql-query" if is_post => self.query(text()?, asked, request),
            "application/sparql-update" if is_post => self.update(text()?),
            _ => match asked.first("query") {
                Some(query) => self.query(query, asked, request),
                None => self.graph(request, asked, media_type, &body),
            },
        }
    }

    fn query(&self, text: &str, asked: &Parameters, request: &Request) -> Done {
        let mut query = SparqlEvaluator::new().parse_query(text).map_err(bad)?;
        let node = |name: &str| NamedNode::new(name).map_err(bad);
        let defaults = asked.all("default-graph-uri").map(node).collect::<Result<Vec<_>, _>>()?;
        let is_union = defaults.is_empty() && !request.path.starts_with("/ds");
        if is_union || defaults.iter().any(|graph| graph.as_str() == UNION) {
            query.dataset_mut().set_default_graph_as_union();
        } else if !defaults.is_empty() {
            query.dataset_mut().set_default_graph(defaults.into_iter().map(GraphName::from).collect());
        }
        let named = asked.all("named-graph-uri").map(node).collect::<Result<Vec<_>, _>>()?;
        if !named.is_empty() {
            query.dataset_mut().set_available_named_graphs(named.into_iter().map(Into::into).collect());
        }
        let results = query.on_store(&self.store).execute().map_err(bad)?;
        written(results, request.field("accept").unwrap_or("*/*"))
    }

    fn update(&self, text: &str) -> Done {
        let update = SparqlEvaluator::new().parse_update(text).map_err(bad)?;
        update.on_store(&self.store).execute().map_err(bad)?;
        Ok(Answer::Whole { status: 204, fields: Vec::new(), body: Vec::new() })
    }

    /// The Graph Store Protocol, and quads for the whole dataset.
    fn graph(&self, request: &Request, asked: &Parameters, media_type: &str, body: &[u8]) -> Done {
        let of_rdf4j = asked.first("context").map(|name| name.trim_matches(['<', '>']));
        let graph = match asked.first("graph").or(of_rdf4j) {
            Some(name) => Some(GraphName::from(NamedNode::new(name).map_err(bad)?)),
            None => asked.first("default").map(|_| GraphName::DefaultGraph),
        };
        let is_there = graph.as_ref().is_some_and(|graph| self.has(graph.as_ref()));
        match (request.method.as_str(), graph) {
            ("GET" | "HEAD", Some(_)) if !is_there && of_rdf4j.is_none() => {
                Err((404, "there is no such graph".to_owned()))
            }
            ("GET" | "HEAD", Some(graph)) => {
                let dumped = self.store.dump_graph_to_writer(graph.as_ref(), RdfFormat::NTriples, Vec::new());
                Ok(Answer::ok("application/n-triples", dumped.map_err(bad)?))
            }
            ("GET", None) => {
                let dumped = self.store.dump_to_writer(RdfFormat::NQuads, Vec::new()).map_err(bad)?;
                Ok(Answer::ok("application/n-quads", dumped))
            }
            ("DELETE", Some(graph)) => {
                self.store.clear_graph(graph.as_ref()).map_err(bad)?;
                Ok(Answer::status(200, ""))
            }
            (method @ ("PUT" | "POST"), graph) => {
                let format = RdfFormat::from_media_type(media_type).ok_or((415, media_type.to_owned()))?;
                let mut parser = RdfParser::from_format(format).rename_blank_nodes();
                if let Some(graph) = &graph {
                    parser = parser.with_default_graph(graph.clone()).without_named_graphs();
                }
                let quads = parser.for_slice(body).collect::<Result<Vec<_>, _>>().map_err(bad)?;
                let mut changes = self.store.start_transaction().map_err(bad)?;
                if let Some(graph) = graph.filter(|_| method == "PUT") {
                    changes.clear_graph(graph.as_ref()).map_err(bad)?;
                }
                changes.extend(quads.iter().map(|quad| quad.as_ref()));
                changes.commit().map_err(bad)?;
                Ok(Answer::status(if is_there { 200 } else { 201 }, ""))
            }
            (method, _) => Err((405, format!("{method} is not for this address"))),
        }
    }

    fn has(&self, graph: GraphNameRef<'_>) -> bool {
        self.store.quads_for_pattern(None, None, None, Some(graph)).next().is_some()
    }
}

/// The body without its compression; a stream that is cut is a fault. Virtuoso takes a body of unknown length for an empty one.
fn opened(request: &Request) -> Result<Cow<'_, [u8]>, (u16, String)> {
    if request.bare_path() == VIRTUOSO && request.field("transfer-encoding").is_some() {
        return Ok(Cow::Borrowed(&[]));
    }
    match request.field("content-encoding") {
        None => Ok(Cow::Borrowed(&request.body)),
        Some("gzip") => {
            let mut opened = Vec::new();
            GzDecoder::new(request.body.as_slice()).read_to_end(&mut opened).map_err(bad)?;
            Ok(Cow::Owned(opened))
        }
        Some(coding) => Err((415, coding.to_owned())),
    }
}

/// Results in the form that is asked for: JSON unless another one is.
fn written(results: QueryResults<'static>, accept: &str) -> Done {
    let format = [QueryResultsFormat::Xml, QueryResultsFormat::Tsv, QueryResultsFormat::Csv]
        .into_iter()
        .filter(|_| !accept.contains("json"))
        .find(|format| accept.contains(format.media_type()))
        .unwrap_or(QueryResultsFormat::Json);
    let serializer = QueryResultsSerializer::from_format(format);
    match results {
        QueryResults::Boolean(is_so) => {
            let written = serializer.serialize_boolean_to_writer(Vec::new(), is_so).map_err(bad)?;
            Ok(Answer::ok(format.media_type(), written))
        }
        QueryResults::Solutions(solutions) => {
            let variables = solutions.variables().to_vec();
            let mut writer = serializer.serialize_solutions_to_writer(Vec::new(), variables).map_err(bad)?;
            for solution in solutions {
                writer.serialize(&solution.map_err(bad)?).map_err(bad)?;
            }
            Ok(Answer::ok(format.media_type(), writer.finish().map_err(bad)?))
        }
        QueryResults::Graph(triples) => {
            let mut lines = String::new();
            for triple in triples {
                lines.push_str(&format!("{} .\n", triple.map_err(bad)?));
            }
            Ok(Answer::ok("application/n-triples", lines))
        }
    }
}

/// The text of a percent-encoded one, in which `+` is a blank.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let encoded = hex.filter(|_| *first == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(encoded.unwrap_or(if *first == b'+' { b' ' } else { *first }));
        rest = if encoded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
