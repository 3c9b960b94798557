//! Finds the places of the triples of a text by reading the text again: the store keeps no places.

use oxiri::Iri;
use oxrdf::Triple;
use std::cell::Cell;

use super::format::RdfFormat;
use super::rdf_xml_parser::RdfXmlParser;
use super::read::ReadOptions;
use super::triple_span::TripleSpan;
use super::turtle_tokens::{TurtleToken, TurtleTokenKind, TurtleTokens};
use super::turtle_walk;
use evalgraph_json::Limits;

/// Calls `take` with the spans of each quad of a document, in the order in which [`read`](super::read::read) passes the
/// quads to a sink, and returns how many there are. The document must be one that `read` accepts.
///
/// Returns none if the format has no places (N3, JSON-LD), or if `read` does not accept the document.
pub fn each_triple_span(
    bytes: &[u8],
    options: ReadOptions<'_>,
    mut take: impl FnMut(u64, TripleSpan),
) -> Option<u64> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let skipped = bytes.len() - text.len();
    let mut number = 0;
    let mut taken = |span: TripleSpan| {
        take(number, span.moved(skipped));
        number += 1;
    };
    let is_read = match options.format {
        RdfFormat::NTriples | RdfFormat::NQuads => lines(text, taken),
        RdfFormat::Turtle => turtle_walk::walk(text, false, taken),
        RdfFormat::TriG => turtle_walk::walk(text, true, taken),
        RdfFormat::RdfXml => rdf_xml(text, options.base, &mut taken),
        RdfFormat::N3 | RdfFormat::JsonLd => false,
    };
    is_read.then_some(number)
}

/// Reads N-Triples or N-Quads: three terms (the last may be a literal), an optional graph, and a dot.
fn lines(text: &[u8], mut take: impl FnMut(TripleSpan)) -> bool {
    let mut tokens = TurtleTokens::new(text);
    while let Some(TurtleToken { span: subject, .. }) = tokens.next() {
        let (Some(predicate), Some(object)) = (tokens.next(), tokens.next()) else { return false };
        let (predicate, mut object) = (predicate.span, object.span);
        loop {
            let Some(token) = tokens.next() else { return false };
            match token.kind {
                TurtleTokenKind::Mark(b'.') => break,
                TurtleTokenKind::At => object.end = token.span.end,
                TurtleTokenKind::Datatype => {
                    let Some(datatype) = tokens.next() else { return false };
                    object.end = datatype.span.end;
                }
                _ => {}
            }
        }
        take(TripleSpan { subject, predicate, object });
    }
    true
}

/// Reads RDF/XML.
fn rdf_xml(text: &[u8], base: Option<&str>, take: &mut impl FnMut(TripleSpan)) -> bool {
    let Ok(base) = base.map(|base| Iri::parse(base.to_owned())).transpose() else { return false };
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let mut sink = |_: Triple, span: TripleSpan| take(span);
    RdfXmlParser::new(text, base, Limits::default().size, &mut sink)
        .and_then(|mut parser| parser.read(&Cell::new(false)))
        .is_ok()
}
