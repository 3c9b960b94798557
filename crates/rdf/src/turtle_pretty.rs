//! Writes Turtle and TriG for people: the prefixes that are used, subjects grouped, `a`, nested
//! blank nodes `[ … ]` and collections `( … )`.
//!
//! Writing takes one pass to sort and a few passes over the blank nodes; time is linear in the number of quads.
//! [`blank_node_nesting`](super::blank_node_nesting) finds the blank nodes that can be nested,
//! [`prefixes`](super::prefixes) the short names.

use std::io::{self, Write};

use super::blank_node_nesting::BlankNodeNesting;
use super::grouping::SubjectGroup;
use super::prefixes::DocumentPrefixes;
use super::quad_buffer::{BufferLiteralKind, BufferTermId, QuadBuffer, TermRef};
use super::short_forms::has_short_form;
use super::term_text::{write_blank_node, write_escaped, write_iri, write_quoted};

/// How far each level is indented.
const INDENT: usize = 4;

/// Writes Turtle, or TriG if there are named graphs.
pub(super) fn write(quads: &QuadBuffer, out: &mut impl Write) -> io::Result<()> {
    let nesting = BlankNodeNesting::from_quads(quads);
    let prefixes = DocumentPrefixes::from_quads(quads, &nesting);
    for (name, namespace) in prefixes.used() {
        write!(out, "@prefix {name}: ")?;
        write_iri(namespace, out)?;
        out.write_all(b" .\n")?;
    }
    let mut pretty = PrettyTurtleWriter { quads, nesting: &nesting, prefixes: &prefixes, out, indent: 0 };
    for (graph, subjects) in nesting.graphs() {
        pretty.graph(graph, subjects)?;
    }
    Ok(())
}

struct PrettyTurtleWriter<'p, W> {
    quads: &'p QuadBuffer,
    nesting: &'p BlankNodeNesting,
    prefixes: &'p DocumentPrefixes,
    out: &'p mut W,
    indent: usize,
}

impl<W: Write> PrettyTurtleWriter<'_, W> {
    fn graph(&mut self, graph: Option<BufferTermId>, subjects: &[SubjectGroup]) -> io::Result<()> {
        if let Some(graph) = graph {
            self.out.write_all(b"\n")?;
            self.term(graph)?;
            self.out.write_all(b" {")?;
            self.indent = INDENT;
        }
        for group in subjects {
            let subject = group.subject;
            if self.nesting.is_nested(self.quads, subject) {
                // It is written where it is used.
                continue;
            }
            self.out.write_all(b"\n")?;
            self.write_indent()?;
            if self.nesting.is_anonymous(self.quads, subject) {
                self.out.write_all(b"[]")?;
            } else {
                self.term(subject)?;
            }
            self.out.write_all(b" ")?;
            self.indent += INDENT;
            self.properties(*group)?;
            self.indent -= INDENT;
            self.out.write_all(b" .\n")?;
        }
        if graph.is_some() {
            self.out.write_all(b"}\n")?;
            self.indent = 0;
        }
        Ok(())
    }

    /// The predicates and objects of one subject; the first continues the current line.
    fn properties(&mut self, subject: SubjectGroup) -> io::Result<()> {
        let nesting = self.nesting;
        for (at, group) in nesting.by_predicate(self.quads, subject).enumerate() {
            if at > 0 {
                self.out.write_all(b" ;\n")?;
                self.write_indent()?;
            }
            let predicate = self.quads.quads()[group[0] as usize].predicate;
            if self.nesting.is_type(predicate) {
                self.out.write_all(b"a")?;
            } else {
                self.term(predicate)?;
            }
            self.objects(group)?;
        }
        Ok(())
    }

    fn objects(&mut self, group: &[u32]) -> io::Result<()> {
        if let [only] = group {
            self.out.write_all(b" ")?;
            return self.object(self.quads.quads()[*only as usize].object);
        }
        self.indent += INDENT;
        for (at, quad) in group.iter().enumerate() {
            self.out.write_all(if at > 0 { b" ,\n" } else { b"\n" })?;
            self.write_indent()?;
            self.object(self.quads.quads()[*quad as usize].object)?;
        }
        self.indent -= INDENT;
        Ok(())
    }

    fn object(&mut self, object: BufferTermId) -> io::Result<()> {
        if self.nesting.is_nil(object) {
            return self.out.write_all(b"()");
        }
        if !self.nesting.is_nested(self.quads, object) {
            return self.term(object);
        }
        if self.nesting.is_collection(self.quads, object) {
            return self.collection(object);
        }
        let Some(statements) = self.nesting.statements(self.quads, object) else {
            return self.out.write_all(b"[]");
        };
        self.out.write_all(b"[\n")?;
        self.indent += INDENT;
        self.write_indent()?;
        self.properties(statements)?;
        self.indent -= INDENT;
        self.out.write_all(b"\n")?;
        self.write_indent()?;
        self.out.write_all(b"]")
    }

    fn collection(&mut self, head: BufferTermId) -> io::Result<()> {
        let items = self.nesting.items(self.quads, head);
        let is_short = items.len() <= 8
            && items.iter().all(|item| !self.nesting.is_nested(self.quads, *item) && self.is_short(*item));
        self.out.write_all(b"(")?;
        self.indent += INDENT;
        for item in items {
            if is_short {
                self.out.write_all(b" ")?;
            } else {
                self.out.write_all(b"\n")?;
                self.write_indent()?;
            }
            self.object(item)?;
        }
        self.indent -= INDENT;
        if is_short {
            return self.out.write_all(b" )");
        }
        self.out.write_all(b"\n")?;
        self.write_indent()?;
        self.out.write_all(b")")
    }

    fn is_short(&self, item: BufferTermId) -> bool {
        match self.quads.term(item) {
            TermRef::Literal { lexical, .. } => lexical.len() <= 20,
            TermRef::Iri(_) => self.prefixes.short_name(self.quads, item).is_some(),
            TermRef::BlankNode => true,
        }
    }

    fn term(&mut self, id: BufferTermId) -> io::Result<()> {
        match self.quads.term(id) {
            TermRef::Iri(iri) => self.iri(id, iri),
            TermRef::BlankNode => write_blank_node(self.quads, id, self.out),
            TermRef::Literal { lexical, kind } => self.literal(lexical, kind),
        }
    }

    fn iri(&mut self, id: BufferTermId, iri: &str) -> io::Result<()> {
        match self.prefixes.short_name(self.quads, id) {
            Some((prefix, local)) => write!(self.out, "{prefix}:{local}"),
            None => write_iri(iri, self.out),
        }
    }

    fn literal(&mut self, lexical: &str, kind: BufferLiteralKind<'_>) -> io::Result<()> {
        if let BufferLiteralKind::Datatype(_, datatype) = kind
            && has_short_form(lexical, datatype)
        {
            return self.out.write_all(lexical.as_bytes());
        }
        if lexical.contains('\n') {
            write_long_quoted(lexical, self.out)?;
        } else {
            write_quoted(lexical, self.out)?;
        }
        match kind {
            BufferLiteralKind::String => Ok(()),
            BufferLiteralKind::Language(language) => write!(self.out, "@{language}"),
            BufferLiteralKind::Datatype(id, datatype) => {
                self.out.write_all(b"^^")?;
                self.iri(id, datatype)
            }
        }
    }

    fn write_indent(&mut self) -> io::Result<()> {
        const SPACES: [u8; 64] = [b' '; 64];
        let mut rest = self.indent;
        while rest > 0 {
            let now = rest.min(SPACES.len());
            self.out.write_all(&SPACES[..now])?;
            rest -= now;
        }
        Ok(())
    }
}

/// Writes a string of several lines between triple quotes.
fn write_long_quoted(text: &str, out: &mut impl Write) -> io::Result<()> {
    // Two quotes in a row, or one at the end, would close the string too early.
    let escapes_quotes = text.contains("\"\"") || text.ends_with('"');
    out.write_all(b"\"\"\"")?;
    write_escaped(text, |byte| byte == b'"' && escapes_quotes, out)?;
    out.write_all(b"\"\"\"")
}
