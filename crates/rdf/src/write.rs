//! Writes a [`QuadBuffer`] as N-Triples, N-Quads, Turtle, TriG or RDF/XML.
//!
//! The same quads in the same order give the same bytes. Blank nodes are numbered in the order in which they were
//! added. JSON-LD is written by the JSON-LD processor.

use std::io::{self, Write};

use super::format::RdfFormat;
use super::quad_buffer::{BufferLiteralKind, BufferQuad, BufferTermId, QuadBuffer, TermRef};
pub use super::rdf_xml::InexpressibleQuads;
use super::term_text::{write_blank_node, write_iri, write_quoted};
use super::{rdf_xml, turtle_pretty};

/// Writes the quads in a format, except those in [`left_out`]. Quads in named graphs need a format with named graphs;
/// see [`QuadBuffer::without_graph_names`] and [`named_graph_quads`].
///
/// # Errors
///
/// The errors of the output; [`io::ErrorKind::Unsupported`] for JSON-LD and N3, which are not
/// written here, and for named graphs in a format without them.
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

/// Returns the quads that a format cannot express, by reason. Only RDF/XML has such limits.
pub fn left_out(quads: &QuadBuffer, format: RdfFormat) -> Vec<InexpressibleQuads> {
    if format == RdfFormat::RdfXml { rdf_xml::left_out(quads) } else { Vec::new() }
}

/// Returns how many quads are in named graphs, and in how many graphs.
pub fn named_graph_quads(quads: &QuadBuffer) -> (u64, u64) {
    let mut graphs: Vec<BufferTermId> = quads.quads().iter().filter_map(|quad| quad.graph).collect();
    let count = graphs.len() as u64;
    graphs.sort_unstable();
    graphs.dedup();
    (count, graphs.len() as u64)
}

fn write_lines(quads: &QuadBuffer, out: &mut impl Write) -> io::Result<()> {
    for BufferQuad { subject, predicate, object, graph } in quads.quads() {
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

fn write_term(quads: &QuadBuffer, id: BufferTermId, out: &mut impl Write) -> io::Result<()> {
    match quads.term(id) {
        TermRef::Iri(iri) => write_iri(iri, out),
        TermRef::BlankNode => write_blank_node(quads, id, out),
        TermRef::Literal { lexical, kind } => {
            write_quoted(lexical, out)?;
            match kind {
                BufferLiteralKind::String => Ok(()),
                BufferLiteralKind::Language(language) => write!(out, "@{language}"),
                BufferLiteralKind::Datatype(_, datatype) => {
                    out.write_all(b"^^")?;
                    write_iri(datatype, out)
                }
            }
        }
    }
}
