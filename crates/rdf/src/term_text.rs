//! Writes terms in N-Triples syntax.

use std::io::{self, Write};

use super::quad_buffer::{BufferTermId, QuadBuffer};

pub(super) fn write_blank_node(quads: &QuadBuffer, id: BufferTermId, out: &mut impl Write) -> io::Result<()> {
    match quads.blank_node_number(id) {
        Some(number) => write!(out, "_:b{number}"),
        None => Ok(()),
    }
}

/// Writes an IRI between angle brackets; characters that are not allowed there are escaped.
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

/// Writes the inside of a string. Backslashes and control characters are always escaped, quotes and line ends only if
/// `escapes` says so.
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
