//! Writes RDF/XML: one `rdf:Description` for each run of quads with the same subject.
//!
//! Unlike the serializer of `oxrdfxml`, it keeps carriage returns. It also counts quads that XML cannot express
//! (control characters, predicates that do not end in a name), for which that serializer would write a broken file.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use super::quad_buffer::{BufferLiteralKind, BufferTermId, QuadBuffer, TermRef};

/// The namespace of RDF.
pub(super) const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

/// Names of the RDF namespace that no element may have, and that attributes may have only as syntax (RDF 1.1 XML
/// Syntax, 5.1).
pub(super) const SYNTAX_NAMES: [&str; 10] = [
    "RDF",
    "ID",
    "about",
    "parseType",
    "resource",
    "nodeID",
    "datatype",
    "aboutEach",
    "aboutEachPrefix",
    "bagID",
];

/// Quads that a format cannot express for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InexpressibleQuads {
    /// The reason, as the middle of a sentence.
    pub reason: &'static str,
    /// The first offending text.
    pub example: String,
    /// How many quads.
    pub quads: u64,
}

/// Writes the triples that XML can express.
pub(super) fn write(quads: &QuadBuffer, out: &mut impl Write) -> io::Result<()> {
    let fits = |at: &usize| {
        let quad = &quads.quads()[*at];
        obstacle(quads, quad.predicate, quad.object).is_none()
    };
    let mut fitting: Vec<usize> = (0..quads.len()).filter(fits).collect();
    // Statements about one subject are written together, subjects in the order in which they were added.
    fitting.sort_by_key(|&at| (quads.quads()[at].subject, at));
    let namespaces = PredicateNamespaces::from_quads(quads, &fitting);
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rdf:RDF xmlns:rdf=\"")?;
    out.write_all(RDF.as_bytes())?;
    out.write_all(b"\"")?;
    for (namespace, prefix) in &namespaces.prefixes {
        write!(out, "\n         xmlns:{prefix}=\"")?;
        escape(namespace, out)?;
        out.write_all(b"\"")?;
    }
    out.write_all(b">\n")?;
    for statements in
        fitting.chunk_by(|&left, &right| quads.quads()[left].subject == quads.quads()[right].subject)
    {
        write_description(quads, statements, &namespaces, out)?;
    }
    out.write_all(b"</rdf:RDF>\n")
}

/// The triples that XML cannot express.
pub(super) fn left_out(quads: &QuadBuffer) -> Vec<InexpressibleQuads> {
    let mut left_out: Vec<InexpressibleQuads> = Vec::new();
    for quad in quads.quads() {
        let Some((reason, example)) = obstacle(quads, quad.predicate, quad.object) else {
            continue;
        };
        match left_out.iter_mut().find(|known| known.reason == reason) {
            Some(known) => known.quads += 1,
            None => left_out.push(InexpressibleQuads { reason, example: example.to_owned(), quads: 1 }),
        }
    }
    left_out
}

/// Returns why XML cannot express a triple, with the offending text.
fn obstacle(
    quads: &QuadBuffer,
    predicate: BufferTermId,
    object: BufferTermId,
) -> Option<(&'static str, &str)> {
    match quads.term(predicate) {
        TermRef::Iri(iri) => match split(iri) {
            None => return Some(("a predicate that does not end in an XML name", iri)),
            Some((RDF, local)) if SYNTAX_NAMES.contains(&local) || ["Description", "li"].contains(&local) => {
                return Some(("a predicate that is syntax in RDF/XML", iri));
            }
            Some(_) => {}
        },
        _ => return Some(("a predicate that is not an IRI", "_:")),
    }
    match quads.term(object) {
        TermRef::Literal { lexical, .. } if !lexical.chars().all(is_xml_character) => {
            Some(("a character that XML does not allow", lexical))
        }
        _ => None,
    }
}

/// XML 1.0, production 2.
fn is_xml_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// Splits an IRI into a namespace and the longest XML name at its end.
fn split(iri: &str) -> Option<(&str, &str)> {
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let tail =
        iri.rfind(|c| !is_name(c)).map_or(0, |at| at + iri[at..].chars().next().map_or(0, char::len_utf8));
    let start = tail + iri[tail..].find(is_start)?;
    (start > 0).then(|| iri.split_at(start))
}

/// A prefix for every namespace of a predicate.
struct PredicateNamespaces<'q> {
    prefixes: BTreeMap<&'q str, String>,
}

impl<'q> PredicateNamespaces<'q> {
    fn from_quads(quads: &'q QuadBuffer, fitting: &[usize]) -> Self {
        let mut prefixes = BTreeMap::new();
        let names = super::prefixes::names(quads.prefixes());
        let mut taken: HashSet<String> = HashSet::from(["rdf".to_owned()]);
        let mut numbers = 1u64..;
        for &at in fitting {
            let TermRef::Iri(iri) = quads.term(quads.quads()[at].predicate) else {
                continue;
            };
            let Some((namespace, _)) = split(iri) else {
                continue;
            };
            if namespace == RDF || prefixes.contains_key(namespace) {
                continue;
            }
            let known = names.get(namespace).filter(|name| !taken.contains(**name));
            let known = known.map(|name| (*name).to_owned());
            let mut minted = numbers.by_ref().map(|number| format!("ns{number}"));
            let prefix = known.or_else(|| minted.find(|name| !taken.contains(name)));
            let prefix = prefix.expect("there are more numbers than namespaces");
            taken.insert(prefix.clone());
            prefixes.insert(namespace, prefix);
        }
        Self { prefixes }
    }

    fn element_name(&self, iri: &'q str) -> (&str, &'q str) {
        let (namespace, local) = split(iri).unwrap_or((iri, ""));
        (self.prefixes.get(namespace).map_or("rdf", String::as_str), local)
    }
}

fn write_description<'q>(
    quads: &'q QuadBuffer,
    statements: &[usize],
    namespaces: &PredicateNamespaces<'q>,
    out: &mut impl Write,
) -> io::Result<()> {
    let subject = quads.quads()[statements[0]].subject;
    out.write_all(b"  <rdf:Description ")?;
    write_reference(quads, subject, "rdf:about", out)?;
    out.write_all(b">\n")?;
    for &at in statements {
        let quad = quads.quads()[at];
        let TermRef::Iri(predicate) = quads.term(quad.predicate) else {
            continue;
        };
        let (prefix, local) = namespaces.element_name(predicate);
        write!(out, "    <{prefix}:{local}")?;
        match quads.term(quad.object) {
            TermRef::Literal { lexical, kind } => {
                write_kind(kind, out)?;
                out.write_all(b">")?;
                escape(lexical, out)?;
                writeln!(out, "</{prefix}:{local}>")?;
            }
            TermRef::Iri(_) | TermRef::BlankNode => {
                out.write_all(b" ")?;
                write_reference(quads, quad.object, "rdf:resource", out)?;
                out.write_all(b"/>\n")?;
            }
        }
    }
    out.write_all(b"  </rdf:Description>\n")
}

fn write_kind(kind: BufferLiteralKind<'_>, out: &mut impl Write) -> io::Result<()> {
    match kind {
        BufferLiteralKind::String => Ok(()),
        BufferLiteralKind::Language(language) => write!(out, " xml:lang=\"{language}\""),
        BufferLiteralKind::Datatype(_, datatype) => {
            out.write_all(b" rdf:datatype=\"")?;
            escape(datatype, out)?;
            out.write_all(b"\"")
        }
    }
}

fn write_reference(
    quads: &QuadBuffer,
    id: BufferTermId,
    attribute: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    if let TermRef::Iri(iri) = quads.term(id) {
        write!(out, "{attribute}=\"")?;
        escape(iri, out)?;
        return out.write_all(b"\"");
    }
    let number = quads.blank_node_number(id).unwrap_or_default();
    write!(out, "rdf:nodeID=\"b{number}\"")
}

fn escape(text: &str, out: &mut impl Write) -> io::Result<()> {
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        let entity: &[u8] = match byte {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'"' => b"&quot;",
            // A parser would read a bare carriage return as a line feed.
            b'\r' => b"&#13;",
            _ => continue,
        };
        out.write_all(&text.as_bytes()[written..at])?;
        out.write_all(entity)?;
        written = at + 1;
    }
    out.write_all(&text.as_bytes()[written..])
}
