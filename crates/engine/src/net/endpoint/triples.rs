//! The triples of DESCRIBE, as a stream.

use oxrdf::Triple;
use oxttl::{NTriplesParser, TurtleParseError, TurtleParser};

use super::protocol::ProtocolClient;
use crate::net::answer::{ClientResponse, fault_of};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::{QuadBuffer, RdfFormat, ReadOptions, read_within, write};
use evalgraph_sparql::QueryTriples;

/// The supported formats of graphs, the preferred one first.
pub(super) const ACCEPT: &str = "application/n-triples, text/turtle;q=0.8, application/rdf+xml;q=0.5";

/// The maximum size in bytes of a graph in a format that cannot be streamed.
const MOST: u64 = 1 << 30;

type DescribeTriples = Box<dyn Iterator<Item = Result<Triple, TurtleParseError>>>;

/// The triples of a response, without duplicates.
pub(super) fn triples(
    protocol: &ProtocolClient,
    answer: ClientResponse,
) -> Result<QueryTriples<'_>, Box<Diagnostic>> {
    let url = protocol.addresses.query.as_str();
    let triples: DescribeTriples = match answer.media_type().as_str() {
        "application/n-triples" | "text/ntriples" => {
            Box::new(NTriplesParser::new().for_reader(answer.reader()))
        }
        "text/turtle" | "application/x-turtle" => {
            let parser = TurtleParser::new().with_base_iri(url).unwrap_or_else(|_| TurtleParser::new());
            Box::new(parser.for_reader(answer.reader()))
        }
        "application/rdf+xml" => Box::new(of_rdf_xml(protocol, answer)?),
        _ => return Err(protocol.unexpected("a query", answer)),
    };
    let fault = move |error: TurtleParseError| match error {
        TurtleParseError::Io(error) => fault_of(error),
        TurtleParseError::Syntax(error) => protocol.malformed(&error.to_string()),
    };
    Ok(QueryTriples::distinct(triples.map(move |triple| triple.map_err(fault))))
}

/// The triples of RDF/XML, converted to N-Triples first.
fn of_rdf_xml(
    protocol: &ProtocolClient,
    answer: ClientResponse,
) -> Result<impl Iterator<Item = Result<Triple, TurtleParseError>> + 'static, Box<Diagnostic>> {
    let bytes = answer.bytes(MOST)?;
    let options = ReadOptions { format: RdfFormat::RdfXml, base: Some(&protocol.addresses.query) };
    let mut quads = QuadBuffer::new();
    let name = &protocol.addresses.query;
    let faults = read_within(name, &bytes, options, MOST, &mut quads).err().unwrap_or_default();
    if let Some(fault) = faults.into_iter().next() {
        return Err(protocol.malformed(&fault.message));
    }
    let mut lines = Vec::new();
    let written = write(&quads, RdfFormat::NTriples, &mut lines);
    written.map_err(|error| protocol.malformed(&error.to_string()))?;
    Ok(NTriplesParser::new().for_reader(std::io::Cursor::new(lines)))
}
