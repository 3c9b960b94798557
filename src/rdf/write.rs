//! Writes a [`QuadBuffer`] as N-Triples, N-Quads, Turtle, TriG or RDF/XML.
//!
//! The same quads in the same order give the same bytes. Blank nodes are numbered in the order
//! of arrival. JSON-LD is left to [`jsonld`](crate::jsonld).

use std::io::{self, Write};

use super::format::RdfFormat;
use super::quad_buffer::{LiteralKind, Quad, QuadBuffer, TermId, TermRef};
use super::{rdf_xml, turtle_pretty};

/// Quads that a format cannot express for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The reason, as the middle of a sentence.
    pub reason: &'static str,
    /// The first offending text.
    pub example: String,
    /// How many quads.
    pub quads: u64,
}

/// Writes the quads in a format, those in [`left_out`] aside. Quads in named graphs need a format that can name graphs; see
/// [`QuadBuffer::without_graph_names`] and [`named_graph_quads`].
///
/// # Errors
///
/// Those of the output; [`io::ErrorKind::Unsupported`] for JSON-LD and N3, which are not written
/// here, and for named graphs in a format without them.
pub fn write(quads: &QuadBuffer, format: RdfFormat, out: &mut impl Write) -> io::Result<()> {
    if !format.has_graph_names() && quads.quads().iter().any(|quad| quad.graph.is_some()) {
        return Err(io::Error::new(io::ErrorKind::Unsupported, format!("{format} has no named graphs")));
    }
    match format {
        RdfFormat::NTriples | RdfFormat::NQuads => write_lines(quads, out),
        RdfFormat::Turtle | RdfFormat::TriG => turtle_pretty::write(quads, out),
        RdfFormat::RdfXml => rdf_xml::write(quads, out),
        RdfFormat::JsonLd | RdfFormat::N3 => {
            Err(io::Error::new(io::ErrorKind::Unsupported, format!("{format} is not written")))
        }
    }
}

/// What a format cannot express, by reason. Only RDF/XML has such limits.
pub fn left_out(quads: &QuadBuffer, format: RdfFormat) -> Vec<LeftOut> {
    if format == RdfFormat::RdfXml { rdf_xml::left_out(quads) } else { Vec::new() }
}

/// How many quads stand in named graphs, and in how many graphs.
pub fn named_graph_quads(quads: &QuadBuffer) -> (u64, u64) {
    let mut graphs: Vec<TermId> = quads.quads().iter().filter_map(|quad| quad.graph).collect();
    let count = graphs.len() as u64;
    graphs.sort_unstable();
    graphs.dedup();
    (count, graphs.len() as u64)
}

fn write_lines(quads: &QuadBuffer, out: &mut impl Write) -> io::Result<()> {
    for Quad { subject, predicate, object, graph } in quads.quads() {
        write_term(quads, *subject, out)?;
        out.write_all(b" ")?;
        write_term(quads, *predicate, out)?;
        out.write_all(b" ")?;
        write_term(quads, *object, out)?;
        if let Some(graph) = graph {
            out.write_all(b" ")?;
            write_term(quads, *graph, out)?;
        }
        out.write_all(b" .\n")?;
    }
    Ok(())
}

fn write_term(quads: &QuadBuffer, id: TermId, out: &mut impl Write) -> io::Result<()> {
    match quads.term(id) {
        TermRef::Iri(iri) => write_iri(iri, out),
        TermRef::BlankNode => write_blank_node(quads, id, out),
        TermRef::Literal { lexical, kind } => {
            write_quoted(lexical, out)?;
            match kind {
                LiteralKind::String => Ok(()),
                LiteralKind::Language(language) => write!(out, "@{language}"),
                LiteralKind::Datatype(_, datatype) => {
                    out.write_all(b"^^")?;
                    write_iri(datatype, out)
                }
            }
        }
    }
}

pub(super) fn write_blank_node(quads: &QuadBuffer, id: TermId, out: &mut impl Write) -> io::Result<()> {
    match quads.blank_node_number(id) {
        Some(number) => write!(out, "_:b{number}"),
        None => Ok(()),
    }
}

/// Writes an IRI between angle brackets; characters that may not stand there are escaped.
pub(super) fn write_iri(iri: &str, out: &mut impl Write) -> io::Result<()> {
    let needs_escape =
        |c: char| c <= ' ' || matches!(c, '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`' | '\\');
    out.write_all(b"<")?;
    if iri.contains(needs_escape) {
        for c in iri.chars() {
            if needs_escape(c) { write!(out, "\\u{:04X}", c as u32)? } else { write!(out, "{c}")? }
        }
    } else {
        out.write_all(iri.as_bytes())?;
    }
    out.write_all(b">")
}

/// Writes a string between quotes, on one line.
pub(super) fn write_quoted(text: &str, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"\"")?;
    write_escaped(text, |byte| byte == b'"' || byte == b'\n', out)?;
    out.write_all(b"\"")
}

/// Writes the inside of a string. Backslashes and control characters are always escaped; quotes
/// and line ends where `escapes` says so.
pub(super) fn write_escaped(
    text: &str,
    escapes: impl Fn(u8) -> bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let bytes = text.as_bytes();
    let mut written = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if byte >= b' ' && !matches!(byte, b'"' | b'\\' | 0x7F) {
            continue;
        }
        let is_optional = matches!(byte, b'"' | b'\n');
        if byte == b'\t' || (is_optional && !escapes(byte)) {
            continue;
        }
        out.write_all(&bytes[written..at])?;
        written = at + 1;
        match byte {
            b'"' => out.write_all(b"\\\"")?,
            b'\\' => out.write_all(b"\\\\")?,
            b'\n' => out.write_all(b"\\n")?,
            b'\r' => out.write_all(b"\\r")?,
            _ => write!(out, "\\u{byte:04X}")?,
        }
    }
    out.write_all(&bytes[written..])
}
