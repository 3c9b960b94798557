//! Writes N-Quads directly from ids, in the canonical form of RDF 1.1 N-Quads: one line per quad. `TermDictionary` is
//! defined in `dictionary.rs`.

use memchr::memchr2;

use super::dictionary::{RdfTermKind, TermDictionary, TermId};
use super::document_builder::EncodedQuad;

impl TermDictionary {
    /// Appends a quad as a line of N-Quads.
    pub fn write_n_quad(&self, quad: EncodedQuad, output: &mut Vec<u8>) {
        self.write_n_triples(quad.subject, output);
        output.push(b' ');
        self.write_n_triples(quad.predicate, output);
        output.push(b' ');
        self.write_n_triples(quad.object, output);
        if let Some(graph) = quad.graph {
            output.push(b' ');
            self.write_n_triples(graph, output);
        }
        output.extend_from_slice(b" .\n");
    }

    /// Appends a term in its N-Triples form.
    pub fn write_n_triples(&self, id: TermId, output: &mut Vec<u8>) {
        match self.kind(id) {
            RdfTermKind::Iri => self.write_iri(id, output),
            RdfTermKind::BlankNode => {
                output.extend_from_slice(b"_:b");
                output.extend_from_slice(id.to_string().as_bytes());
            }
            RdfTermKind::String => write_quoted(self.lexical(id), output),
            RdfTermKind::LangString => {
                write_quoted(self.lexical(id), output);
                output.push(b'@');
                output.extend_from_slice(self.language(id).unwrap_or_default().as_bytes());
            }
            _ => {
                write_quoted(self.lexical(id), output);
                output.extend_from_slice(b"^^");
                if let Some(datatype) = self.datatype(id) {
                    self.write_iri(datatype, output);
                }
            }
        }
    }

    fn write_iri(&self, id: TermId, output: &mut Vec<u8>) {
        output.push(b'<');
        output.extend_from_slice(self.lexical(id).as_bytes());
        output.push(b'>');
    }
}

pub(super) fn write_quoted(value: &str, output: &mut Vec<u8>) {
    output.push(b'"');
    let bytes = value.as_bytes();
    if memchr2(b'"', b'\\', bytes).is_none() && !bytes.iter().any(|byte| byte.is_ascii_control()) {
        output.extend_from_slice(bytes);
    } else {
        write_escaped(bytes, output);
    }
    output.push(b'"');
}

fn write_escaped(bytes: &[u8], output: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in bytes {
        let letter = match byte {
            b'"' | b'\\' => *byte,
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0c => b'f',
            control if control.is_ascii_control() => {
                output.extend_from_slice(b"\\u00");
                output.push(HEX[usize::from(control >> 4)]);
                output.push(HEX[usize::from(control & 0xf)]);
                continue;
            }
            other => {
                output.push(*other);
                continue;
            }
        };
        output.extend_from_slice(&[b'\\', letter]);
    }
}
