//! Writes quads one after the other, in constant memory: N-Quads and N-Triples with one line each, TriG and Turtle with
//! the subject and predicate that consecutive quads share written once. Terms are written as in N-Triples, since
//! programs read the files. [`rdf::write`](evalgraph_rdf::write) writes Turtle for people, but needs the whole graph.

use evalgraph_rdf::RdfFormat;
use evalgraph_store::{EncodedQuad, TermDictionary};

/// The quads of one file.
pub(super) struct StatementSerializer {
    format: RdfFormat,
    /// The quad whose statement is still open, in TriG and Turtle.
    last: Option<EncodedQuad>,
}

impl StatementSerializer {
    /// No quads yet.
    pub(super) fn new(format: RdfFormat) -> Self {
        Self { format, last: None }
    }

    /// Appends a quad. In a format without graph names, all quads must belong to one graph.
    pub(super) fn quad(&mut self, quad: EncodedQuad, terms: &TermDictionary, text: &mut Vec<u8>) {
        let quad = if self.format.has_graph_names() { quad } else { EncodedQuad { graph: None, ..quad } };
        if matches!(self.format, RdfFormat::NQuads | RdfFormat::NTriples) {
            return terms.write_n_quad(quad, text);
        }
        match self.last.replace(quad) {
            Some(last) if last.graph == quad.graph && last.subject == quad.subject => {
                if last.predicate == quad.predicate {
                    text.extend_from_slice(b" ,\n        ");
                    return terms.write_n_triples(quad.object, text);
                }
                text.extend_from_slice(b" ;\n    ");
            }
            last => {
                close(last, last.is_some_and(|last| last.graph != quad.graph), text);
                if let Some(graph) = quad.graph.filter(|_| last.is_none_or(|last| last.graph != quad.graph)) {
                    terms.write_n_triples(graph, text);
                    text.extend_from_slice(b" {\n");
                }
                terms.write_n_triples(quad.subject, text);
                text.push(b' ');
            }
        }
        terms.write_n_triples(quad.predicate, text);
        text.push(b' ');
        terms.write_n_triples(quad.object, text);
    }

    /// Ends the last statement.
    pub(super) fn end(&mut self, text: &mut Vec<u8>) {
        close(self.last.take(), true, text);
    }
}

/// Closes the statement of a quad, and its graph if that ends as well.
fn close(last: Option<EncodedQuad>, ends_graph: bool, text: &mut Vec<u8>) {
    let Some(last) = last else { return };
    text.extend_from_slice(b" .\n");
    if ends_graph && last.graph.is_some() {
        text.extend_from_slice(b"}\n");
    }
}
