//! Quads in the canonical form of N-Quads (RDF 1.1 N-Quads, "A Canonical form of N-Quads", with the escapes that RDF
//! Dataset Canonicalization requires). The caller names the blank nodes.

use std::fmt::Write as _;

use evalgraph_rdf::quad_buffer::{BufferLiteralKind, BufferQuad, BufferTermId, QuadBuffer, TermRef};

/// Appends a quad as a line; `name` appends the label of a blank node by its number.
pub(super) fn write_canonical_quad(
    quads: &QuadBuffer,
    quad: &BufferQuad,
    mut name: impl FnMut(u32, &mut String),
    text: &mut String,
) {
    for term in
        [Some(quad.subject), Some(quad.predicate), Some(quad.object), quad.graph].into_iter().flatten()
    {
        write_term(quads, term, &mut name, text);
        text.push(' ');
    }
    text.push_str(".\n");
}

/// Appends a term.
pub(super) fn write_term(
    quads: &QuadBuffer,
    id: BufferTermId,
    name: &mut impl FnMut(u32, &mut String),
    text: &mut String,
) {
    match quads.term(id) {
        TermRef::Iri(iri) => write_iri(iri, text),
        TermRef::BlankNode => {
            text.push_str("_:");
            name(quads.blank_node_number(id).unwrap_or_default(), text);
        }
        TermRef::Literal { lexical, kind } => {
            write_quoted(lexical, text);
            match kind {
                BufferLiteralKind::String => {}
                BufferLiteralKind::Language(language) => {
                    text.push('@');
                    text.push_str(language);
                }
                BufferLiteralKind::Datatype(_, datatype) => {
                    text.push_str("^^");
                    write_iri(datatype, text);
                }
            }
        }
    }
}

fn write_iri(iri: &str, text: &mut String) {
    let is_outside = |byte: u8| {
        byte <= b' ' || matches!(byte, b'<' | b'>' | b'"' | b'{' | b'}' | b'|' | b'^' | b'`' | b'\\')
    };
    text.push('<');
    if iri.bytes().any(is_outside) {
        // No well-formed IRI has such characters; the escapes keep a malformed one on one line.
        for c in iri.chars() {
            match u8::try_from(c) {
                Ok(byte) if is_outside(byte) => {
                    let _ = write!(text, "\\u{byte:04X}");
                }
                _ => text.push(c),
            }
        }
    } else {
        text.push_str(iri);
    }
    text.push('>');
}

fn write_quoted(lexical: &str, text: &mut String) {
    text.push('"');
    let mut copied = 0;
    for (at, byte) in lexical.bytes().enumerate() {
        if byte >= b' ' && !matches!(byte, b'"' | b'\\' | 0x7F) {
            continue;
        }
        text.push_str(&lexical[copied..at]);
        copied = at + 1;
        match byte {
            0x08 => text.push_str("\\b"),
            b'\t' => text.push_str("\\t"),
            b'\n' => text.push_str("\\n"),
            0x0C => text.push_str("\\f"),
            b'\r' => text.push_str("\\r"),
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            _ => {
                let _ = write!(text, "\\u{byte:04X}");
            }
        }
    }
    text.push_str(&lexical[copied..]);
    text.push('"');
}
