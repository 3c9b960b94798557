//! Reads N-Triples, N-Quads, Turtle, TriG, RDF/XML and N3 into a [`QuadSink`].
//!
//! Terms stay as written, except that language tags become lower case, as RDF 1.1 allows. Labels of blank nodes are
//! local to their document. JSON-LD is read by the JSON-LD processor.

use std::cell::Cell;
use std::ops::Range;

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use oxiri::Iri;
use oxrdf::{GraphName, NamedNode, NamedOrBlankNode, Quad, Term, Triple};
use oxttl::n3::{N3Quad, N3Term};
use oxttl::{N3Parser, NQuadsParser, NTriplesParser, TriGParser, TurtleParser, TurtleSyntaxError};

use super::bases::too_long;
use super::format::RdfFormat;
use super::iri;
use super::rdf_xml_parser::RdfXmlParser;
use super::sink::QuadSink;
use super::syntax_error::syntax_error;
use super::vocabulary::xsd;
use super::xml::XmlFault;
use evalgraph_diagnostics::{Diagnostic, SourceText};
use evalgraph_json::Limits;

/// How many errors of one document are collected at most.
const MAX_ERRORS: usize = 1000;

/// Reads a text with a parser that takes a base and prefixes. These parsers have no common trait.
macro_rules! read_with {
    ($reader:ident, $parser:expr, $text:expr, $base:expr, $take:expr) => {{
        let parser = match $base {
            Some(base) => $parser.with_base_iri(base).map_err(|_| invalid_base(base)),
            None => Ok($parser),
        };
        match parser {
            Ok(parser) => {
                let mut items = parser.for_slice($text);
                $reader.take_all(&mut items, $take);
                $reader.hand_on_prefixes(items.prefixes());
            }
            Err(fault) => $reader.errors.push(fault),
        }
    }};
}

/// How to read a document.
#[derive(Debug, Clone, Copy)]
pub struct ReadOptions<'o> {
    /// The format it is in.
    pub format: RdfFormat,
    /// The base of relative IRIs; without it they are errors.
    pub base: Option<&'o str>,
}

/// The number of quads and the warnings of a document.
#[derive(Debug, Clone, Default)]
pub struct RdfReadOutcome {
    /// The number of quads read, including repeated ones.
    pub quads: u64,
    /// Warnings about content that was left out, with its cost.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a document into a sink. It may have as many bytes as [`Limits::default`] allows, with its entities expanded.
///
/// If errors are returned, the quads before the first fault have already reached the sink.
///
/// # Errors
///
/// Every syntax error found, up to 1,000, each with its place and the code `rdf::syntax`; `invalid base IRI` if the
/// base is not an absolute IRI.
pub fn read<S: QuadSink>(
    name: &str,
    bytes: &[u8],
    options: ReadOptions<'_>,
    sink: &mut S,
) -> Result<RdfReadOutcome, Vec<Diagnostic>> {
    read_within(name, bytes, options, Limits::default().size, sink)
}

/// Like [`read`], but with a limit on the bytes of the document with its entities expanded.
///
/// # Errors
///
/// The errors of [`read`]; `rdf::size` for a document beyond the limit.
pub fn read_within<S: QuadSink>(
    name: &str,
    bytes: &[u8],
    options: ReadOptions<'_>,
    max_size: u64,
    sink: &mut S,
) -> Result<RdfReadOutcome, Vec<Diagnostic>> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    // Offsets count from the start of the file, including the byte order mark.
    let skipped = bytes.len() - text.len();
    let source = SourceText::new(name, bytes);
    let mut reader = RdfReader::new(RdfReaderText { source: &source, bytes, skipped }, sink);
    // In other formats a node may have no label; the parsers then invent a different one each time.
    reader.has_labels = matches!(options.format, RdfFormat::NTriples | RdfFormat::NQuads);
    if matches!(options.format, RdfFormat::Turtle | RdfFormat::TriG | RdfFormat::N3)
        && let Some(span) = too_long(text, options.base)
    {
        return Err(vec![long_base(&source, reader.text.in_document(span))]);
    }
    match options.format {
        RdfFormat::NTriples => reader.take_all(NTriplesParser::new().for_slice(text), RdfReader::triple),
        RdfFormat::NQuads => reader.take_all(NQuadsParser::new().for_slice(text), RdfReader::quad),
        RdfFormat::Turtle => read_with!(reader, TurtleParser::new(), text, options.base, RdfReader::triple),
        RdfFormat::TriG => read_with!(reader, TriGParser::new(), text, options.base, RdfReader::quad),
        RdfFormat::N3 => read_with!(reader, N3Parser::new(), text, options.base, RdfReader::n3_quad),
        RdfFormat::RdfXml => reader.read_rdf_xml(text, options.base, max_size),
        RdfFormat::JsonLd => reader.errors.push(not_here()),
    }
    if reader.errors.is_empty() { Ok(reader.reading) } else { Err(reader.errors) }
}

fn not_here() -> Diagnostic {
    Diagnostic::error("rdf::format", "JSON-LD is read by the JSON-LD processor, not by the RDF readers")
}

fn long_base(source: &SourceText<'_>, span: Range<usize>) -> Diagnostic {
    Diagnostic::error("rdf::size", iri::too_long("a base or a namespace")).at(source.place(span))
}

fn invalid_base(base: &str) -> Diagnostic {
    Diagnostic::error("invalid base IRI", format!("the base `{base}` is not an absolute IRI"))
}

#[derive(Clone, Copy)]
struct RdfReaderText<'t> {
    source: &'t SourceText<'t>,
    bytes: &'t [u8],
    skipped: usize,
}

impl RdfReaderText<'_> {
    /// Converts bytes of the text to bytes of the document.
    fn in_document(&self, span: Range<usize>) -> Range<usize> {
        span.start + self.skipped..span.end + self.skipped
    }

    fn error(&self, span: Range<usize>, objection: &str) -> Diagnostic {
        syntax_error(self.source, self.bytes, self.in_document(span), objection)
    }
}

struct RdfReader<'r, S: QuadSink> {
    text: RdfReaderText<'r>,
    sink: &'r mut S,
    blank_nodes: HashMap<String, S::Term, RandomState>,
    /// `true` if every blank node has a label in the document.
    has_labels: bool,
    /// The last subject, predicate and datatype: they are often repeated, and comparing is cheaper than a lookup.
    last_subject: Option<(NamedNode, S::Term)>,
    last_predicate: Option<(NamedNode, S::Term)>,
    last_datatype: Option<(NamedNode, S::Term)>,
    reading: RdfReadOutcome,
    errors: Vec<Diagnostic>,
}

impl<'r, S: QuadSink> RdfReader<'r, S> {
    fn new(text: RdfReaderText<'r>, sink: &'r mut S) -> Self {
        Self {
            text,
            sink,
            blank_nodes: HashMap::default(),
            has_labels: false,
            last_subject: None,
            last_predicate: None,
            last_datatype: None,
            reading: RdfReadOutcome::default(),
            errors: Vec::new(),
        }
    }

    fn take_all<T>(
        &mut self,
        items: impl IntoIterator<Item = Result<T, TurtleSyntaxError>>,
        mut take: impl FnMut(&mut Self, T),
    ) {
        for item in items {
            if self.sink.is_over() {
                break;
            }
            match item {
                Ok(item) => take(self, item),
                Err(error) => {
                    let location = error.location();
                    // Offsets are those of a slice in memory.
                    let span = location.start.offset as usize..location.end.offset as usize;
                    self.push_error(self.text.error(span, error.message()));
                    if self.errors.len() == MAX_ERRORS {
                        break;
                    }
                }
            }
        }
    }

    /// A second error on one line is nearly always a consequence of the first.
    fn push_error(&mut self, error: Diagnostic) {
        let line = |error: &Diagnostic| error.place.as_ref().map(|place| place.line);
        if self.errors.last().is_none_or(|last| line(last) != line(&error)) {
            self.errors.push(error);
        }
    }

    fn read_rdf_xml(&mut self, text: &[u8], base: Option<&str>, max_size: u64) {
        let parsed = base.map(|base| Iri::parse(base.to_owned())).transpose();
        let Ok(parsed) = parsed else { return self.errors.extend(base.map(invalid_base)) };
        if let Err(fault) = self.xml_triples(text, parsed, max_size) {
            // Errors after the first fault in XML are rarely worth reading.
            self.errors.push(self.xml_error(fault));
        }
    }

    fn xml_triples(&mut self, text: &[u8], base: Option<Iri<String>>, max_size: u64) -> Result<(), XmlFault> {
        let text = std::str::from_utf8(text).map_err(|error| {
            let at = error.valid_up_to();
            XmlFault::new(at..at + 1, "this is not UTF-8, which RDF/XML must be")
        })?;
        let is_over = Cell::new(false);
        let mut sink = |triple, _| {
            self.triple(triple);
            is_over.set(self.sink.is_over());
        };
        let mut parser = RdfXmlParser::new(text, base, max_size, &mut sink)?;
        parser.read(&is_over)?;
        let prefixes: Vec<_> =
            parser.prefixes().map(|(name, namespace)| (name.to_owned(), namespace.to_owned())).collect();
        let ignored = parser.ignored().to_vec();
        self.hand_on_prefixes(prefixes.iter().map(|(name, namespace)| (name.as_str(), namespace.as_str())));
        for bytes in ignored {
            let message = "values that a document type gives to attributes are not read";
            let place = self.text.source.place(self.text.in_document(bytes));
            self.reading.warnings.push(Diagnostic::warning("rdf::document-type", message).at(place));
        }
        Ok(())
    }

    fn hand_on_prefixes<'p>(&mut self, prefixes: impl Iterator<Item = (&'p str, &'p str)>) {
        // The parsers return prefixes in no order.
        let mut prefixes: Vec<_> = prefixes.collect();
        prefixes.sort_unstable();
        for (name, namespace) in prefixes {
            self.sink.prefix(name, namespace);
        }
    }

    fn xml_error(&self, fault: XmlFault) -> Diagnostic {
        let place = self.text.source.place(self.text.in_document(fault.bytes));
        let error = Diagnostic::error(fault.code, fault.message).at(place);
        match fault.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }

    fn triple(&mut self, triple: Triple) {
        self.quad(triple.in_graph(GraphName::DefaultGraph));
    }

    fn quad(&mut self, quad: Quad) {
        let subject = match quad.subject {
            NamedOrBlankNode::NamedNode(iri) => Self::repeated(&mut self.last_subject, self.sink, iri),
            NamedOrBlankNode::BlankNode(node) => self.blank_node(node.as_str()),
        };
        let predicate = Self::repeated(&mut self.last_predicate, self.sink, quad.predicate);
        let object = self.term(&quad.object);
        let graph = match &quad.graph_name {
            GraphName::DefaultGraph => None,
            GraphName::NamedNode(iri) => Some(self.sink.iri(iri.as_str())),
            GraphName::BlankNode(node) => Some(self.blank_node(node.as_str())),
        };
        self.sink.quad(subject, predicate, object, graph);
        self.reading.quads += 1;
    }

    /// N3 has more than RDF: formulas, variables, and literals in any position are left out, and counted.
    fn n3_quad(&mut self, quad: N3Quad) {
        match rdf_quad(quad) {
            Ok(quad) => self.quad(quad),
            Err(reason) => {
                let message = format!("an N3 statement was left out: {reason} is not RDF");
                self.reading.warnings.push(
                    Diagnostic::warning("rdf::n3", message).at(self.text.source.place(0..0)).with_cost(1),
                );
            }
        }
    }

    fn term(&mut self, term: &Term) -> S::Term {
        match term {
            Term::NamedNode(iri) => self.sink.iri(iri.as_str()),
            Term::BlankNode(node) => self.blank_node(node.as_str()),
            Term::Literal(literal) => {
                if let Some(language) = literal.language() {
                    return self.sink.language_string(literal.value(), language);
                }
                if literal.datatype().as_str() == xsd::STRING {
                    return self.sink.string(literal.value());
                }
                let datatype = literal.datatype().into_owned();
                let datatype = Self::repeated(&mut self.last_datatype, self.sink, datatype);
                self.sink.typed_literal(literal.value(), datatype)
            }
        }
    }

    fn blank_node(&mut self, label: &str) -> S::Term {
        if let Some(&node) = self.blank_nodes.get(label) {
            return node;
        }
        let node =
            if self.has_labels { self.sink.labelled_blank_node(label) } else { self.sink.blank_node() };
        self.blank_nodes.insert(label.to_owned(), node);
        node
    }

    fn repeated(last: &mut Option<(NamedNode, S::Term)>, sink: &mut S, iri: NamedNode) -> S::Term {
        if let Some((known, term)) = last
            && *known == iri
        {
            return *term;
        }
        let term = sink.iri(iri.as_str());
        *last = Some((iri, term));
        term
    }
}

fn rdf_quad(quad: N3Quad) -> Result<Quad, &'static str> {
    if quad.graph_name != GraphName::DefaultGraph {
        return Err("a formula `{ … }`");
    }
    let subject = match quad.subject {
        N3Term::NamedNode(iri) => NamedOrBlankNode::NamedNode(iri),
        N3Term::BlankNode(node) => NamedOrBlankNode::BlankNode(node),
        N3Term::Literal(_) => return Err("a literal as subject"),
        N3Term::Variable(_) => return Err("a variable"),
    };
    let predicate = match quad.predicate {
        N3Term::NamedNode(iri) => iri,
        N3Term::BlankNode(_) => return Err("a blank node as predicate"),
        N3Term::Literal(_) => return Err("a literal as predicate"),
        N3Term::Variable(_) => return Err("a variable"),
    };
    let object = match quad.object {
        N3Term::NamedNode(iri) => Term::NamedNode(iri),
        N3Term::BlankNode(node) => Term::BlankNode(node),
        N3Term::Literal(literal) => Term::Literal(literal),
        N3Term::Variable(_) => return Err("a variable"),
    };
    Ok(Quad::new(subject, predicate, object, GraphName::DefaultGraph))
}
