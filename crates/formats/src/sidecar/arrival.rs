//! Compares a graph with the file that was written from it: the file is read again, and the resulting graph is compared
//! with the first.

use super::graph_digest::{beside, graph_digest};
use super::reading_again::ReadingAgain;
use crate::rewriting::IndexedGraph;
use evalgraph_canonicalization::CanonicalizationOptions;
use evalgraph_canonicalization::difference::{DatasetDifference, difference};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::article::with_article;
use evalgraph_jsonld::JsonLdOptions;
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::{SCHEMA_ORG, rdf};
use evalgraph_rdf::{BlankNodeLabels, QuadBuffer, QuadSink};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;

/// How many values of a property a message includes.
const VALUES: usize = 3;
/// How many characters of a value a message includes.
const CHARACTERS: usize = 80;

/// A comparison of a graph with the file that was written from it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArrivalComparison {
    /// The differences between the two graphs, by node and property.
    pub unwritten: Vec<UnwrittenStatements>,
    /// `true` if the graphs differ only in names of nodes that are derived from the places of records in the file.
    pub is_renamed: bool,
    /// `true` if nothing in the file shows which system it belongs to.
    pub is_untold: bool,
}

impl ArrivalComparison {
    /// Returns whether the graph and the file have the same content.
    pub fn is_complete(&self) -> bool {
        self.unwritten.is_empty() && !self.is_renamed
    }
}

/// Statements about a node that only the graph or only its file has, all with the same property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnwrittenStatements {
    /// The node, as messages name it.
    pub subject: String,
    /// The local name of the property, or `None` if only one side has the node, in which case the values are those of
    /// all its properties.
    pub property: Option<String>,
    /// The values in the graph that are not in the file.
    pub in_graph: Vec<String>,
    /// The values in the file that are not in the graph.
    pub in_file: Vec<String>,
}

impl UnwrittenStatements {
    /// Returns how many statements are on one side only.
    pub fn count(&self) -> usize {
        self.in_graph.len() + self.in_file.len()
    }
}

impl std::fmt::Display for UnwrittenStatements {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { subject, property, in_graph, in_file } = self;
        let Some(property) = property else {
            return match in_graph.len() {
                0 => write!(f, "the file has {subject}, which is not in the graph"),
                1 => write!(f, "{subject} is not in the file, with 1 statement"),
                count => write!(f, "{subject} is not in the file, with {count} statements"),
            };
        };
        let (left, right) = (shown(in_graph), shown(in_file));
        match (in_graph.is_empty(), in_file.is_empty()) {
            (false, false) => {
                write!(f, "`{property}` of {subject} is {left} in the graph and {right} in the file")
            }
            (false, true) => write!(f, "`{property}` {left} of {subject} is not in the file"),
            (true, _) => write!(f, "`{property}` {right} of {subject} is in the file and not in the graph"),
        }
    }
}

fn shown(values: &[String]) -> String {
    let first: Vec<&str> = values.iter().take(VALUES).map(String::as_str).collect();
    let more = if values.len() > VALUES { ", …" } else { "" };
    format!("{}{more}", first.join(", "))
}

/// Compares a graph with the file that was written from it. A file of records has no statements about the files of a
/// corpus, so they are left out.
///
/// # Errors
/// A diagnostic if the file cannot be read again.
pub fn arrival(
    graph: &IndexedGraph<'_>,
    reading: &ReadingAgain,
    text: &str,
    options: JsonLdOptions,
) -> Result<ArrivalComparison, Box<Diagnostic>> {
    let (mut again, is_told) = reading.read(text, options)?;
    let equal = ArrivalComparison { is_untold: !is_told, ..ArrivalComparison::default() };
    let digest = |graph: &IndexedGraph<'_>| graph_digest(graph, |_, _| true);
    let wanted = digest(graph);
    // Equal digests suffice. Only different graphs need the comparison of blank nodes below.
    if wanted == digest(&IndexedGraph::new(&again, None)) {
        return Ok(equal);
    }
    let beside = beside(graph);
    if reading.shape.is_some() && !beside.is_empty() {
        graph.copy_into(|subject, predicate| beside.has(subject, predicate), &mut again);
        if wanted == digest(&IndexedGraph::new(&again, None)) {
            return Ok(equal);
        }
    }
    let mut names =
        RecordNodeNames { repeated: repeated([graph.quads(), &again]), ..RecordNodeNames::default() };
    let wanted = names.hidden(graph, reading);
    let found = names.hidden(&IndexedGraph::new(&again, None), reading);
    let compared = difference(&wanted, &found, CanonicalizationOptions::default());
    let compared =
        compared.map_err(|error| Box::new(Diagnostic::error("sidecar::not-compared", error.to_string())))?;
    let unwritten = by_node(&compared, &wanted, &found, &names);
    let is_renamed = unwritten.is_empty();
    Ok(ArrivalComparison { unwritten, is_renamed, ..equal })
}

/// The names of nodes that are derived from the places of records. Such nodes are compared by their statements.
#[derive(Debug, Default)]
struct RecordNodeNames {
    by_label: HashMap<String, String>,
    /// The IRIs of records that share their id with a later record. Only the IRIs of the later ones contain their
    /// places.
    repeated: Vec<String>,
}

/// Returns the IRIs of records that share their id with another one, without their places.
fn repeated(graphs: [&QuadBuffer; 2]) -> Vec<String> {
    let iris = graphs.into_iter().flat_map(QuadBuffer::iris);
    let mut found: Vec<String> =
        iris.filter_map(|iri| iri.split_once("~~")).map(|(iri, _)| iri.to_owned()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The beginning of the labels of nodes whose names are hidden.
const HIDDEN: &str = "byPlace";

impl RecordNodeNames {
    /// Copies a graph. Nodes that are named after the place of a record become blank nodes.
    fn hidden(&mut self, graph: &IndexedGraph<'_>, reading: &ReadingAgain) -> QuadBuffer {
        let mut hidden = QuadBuffer::new();
        let mut hiding = NameHidingSink { quads: &mut hidden, reading, names: self, known: HashMap::new() };
        graph.copy_into(|_, _| true, &mut hiding);
        hidden
    }

    /// Returns whether a record shares its id with another one, or is a node in such a record.
    fn is_repeated(&self, iri: &str) -> bool {
        let rest = |record: &String| iri.strip_prefix(record.as_str());
        self.repeated.iter().filter_map(rest).any(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Returns the name of a node by its label, which is spelled as in a subject or object.
    fn name_of(&self, label: &str) -> Option<&str> {
        // The comparison of two graphs appends an `r` to the label of a node that only the second graph has.
        let label = label.trim_start_matches("_:").trim_end_matches('r');
        self.by_label.get(label).map(String::as_str)
    }
}

/// Passes quads on. Nodes that are named after the place of a record lose their names.
struct NameHidingSink<'h> {
    quads: &'h mut QuadBuffer,
    reading: &'h ReadingAgain,
    names: &'h mut RecordNodeNames,
    known: HashMap<String, BufferTermId>,
}

impl QuadSink for NameHidingSink<'_> {
    type Term = BufferTermId;

    fn iri(&mut self, iri: &str) -> BufferTermId {
        if !self.reading.goes_by_place(iri) && !self.names.is_repeated(iri) {
            return self.quads.iri(iri);
        }
        if let Some(known) = self.known.get(iri) {
            return *known;
        }
        let label = format!("{HIDDEN}{}", self.names.by_label.len());
        let node = self.quads.labelled_blank_node(&label);
        self.names.by_label.insert(label, iri.to_owned());
        self.known.insert(iri.to_owned(), node);
        node
    }

    fn blank_node(&mut self) -> BufferTermId {
        self.quads.blank_node()
    }

    fn string(&mut self, value: &str) -> BufferTermId {
        self.quads.string(value)
    }

    fn typed_literal(&mut self, lexical: &str, datatype: BufferTermId) -> BufferTermId {
        self.quads.typed_literal(lexical, datatype)
    }

    fn language_string(&mut self, value: &str, language: &str) -> BufferTermId {
        self.quads.language_string(value, language)
    }

    fn quad(
        &mut self,
        subject: BufferTermId,
        predicate: BufferTermId,
        object: BufferTermId,
        graph: Option<BufferTermId>,
    ) {
        self.quads.quad(subject, predicate, object, graph);
    }
}

/// Groups the differences by node and property.
fn by_node(
    difference: &DatasetDifference,
    wanted: &QuadBuffer,
    found: &QuadBuffer,
    names: &RecordNodeNames,
) -> Vec<UnwrittenStatements> {
    let nodes = ShownNodeNames::new(wanted, names);
    let (left, right) = (subjects(wanted), subjects(found));
    let mut by_node: BTreeMap<(String, Option<String>), UnwrittenStatements> = BTreeMap::new();
    let lines = difference.removed.iter().map(|line| (line, true));
    for (line, is_in_graph) in lines.chain(difference.added.iter().map(|line| (line, false))) {
        let Some((subject, property, value)) = parts(line) else { continue };
        let others = if is_in_graph { &right } else { &left };
        let is_lone = subject.starts_with('<') && !others.contains(subject);
        let property = (!is_lone).then(|| local_name(property).to_owned());
        let entry =
            by_node.entry((subject.to_owned(), property.clone())).or_insert_with(|| UnwrittenStatements {
                subject: nodes.shown(subject),
                property,
                in_graph: Vec::new(),
                in_file: Vec::new(),
            });
        let values = if is_in_graph { &mut entry.in_graph } else { &mut entry.in_file };
        values.push(shortened(value, &nodes));
    }
    by_node.into_values().collect()
}

/// Returns the subjects that have a name, in angle brackets.
fn subjects(quads: &QuadBuffer) -> HashSet<String> {
    let iri = |term| match quads.term(term) {
        TermRef::Iri(iri) => Some(format!("<{iri}>")),
        _ => None,
    };
    quads.quads().iter().filter_map(|quad| iri(quad.subject)).collect()
}

/// Splits a line of N-Quads in the default graph into subject, predicate and object.
fn parts(line: &str) -> Option<(&str, &str, &str)> {
    let (subject, rest) = line.split_once(' ')?;
    let (predicate, rest) = rest.split_once(' ')?;
    Some((subject, predicate, rest.strip_suffix(" .").unwrap_or(rest)))
}

fn local_name(predicate: &str) -> &str {
    let iri = predicate.trim_start_matches('<').trim_end_matches('>');
    let own = iri.strip_prefix(SCHEMA_ORG).or_else(|| iri.rsplit(['#', '/', ':']).next());
    own.filter(|name| !name.is_empty()).unwrap_or(iri)
}

fn shortened(value: &str, nodes: &ShownNodeNames<'_>) -> String {
    let value = match value.rfind("\"^^<") {
        Some(end) if value.starts_with('"') => &value[..=end],
        _ => value,
    };
    if value.starts_with("_:") || value.starts_with('<') {
        return nodes.shown(value);
    }
    match value.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…\"", &value[..end]),
        None => value.to_owned(),
    }
}

/// The names of nodes in messages.
struct ShownNodeNames<'n> {
    names: &'n RecordNodeNames,
    /// The class of each blank node and the node above it, by label.
    blank: HashMap<String, (Option<String>, Option<String>)>,
}

impl<'n> ShownNodeNames<'n> {
    fn new(quads: &QuadBuffer, names: &'n RecordNodeNames) -> Self {
        let labels = BlankNodeLabels::from_quads(quads);
        let label = |term| quads.blank_node_number(term).map(|number| labels.label(number));
        let name = |term: BufferTermId| match quads.term(term) {
            TermRef::Iri(iri) => Some(format!("<{iri}>")),
            _ => label(term).map(|label| match names.name_of(&label) {
                Some(iri) => format!("<{iri}>"),
                None => label,
            }),
        };
        let mut blank: HashMap<String, (Option<String>, Option<String>)> = HashMap::new();
        let rdf_type = quads.find_iri(rdf::TYPE);
        for quad in quads.quads() {
            if quads.blank_node_number(quad.object).is_some() {
                let node = name(quad.object).unwrap_or_default();
                blank.entry(node).or_default().1 = name(quad.subject);
            }
            if Some(quad.predicate) == rdf_type && quads.blank_node_number(quad.subject).is_some() {
                let node = name(quad.subject).unwrap_or_default();
                let class = name(quad.object).map(|class| local_name(&class).to_owned());
                blank.entry(node).or_default().0 = class;
            }
        }
        Self { names, blank }
    }

    /// Returns an IRI in backticks, or for a blank node its class and the IRI above it.
    fn shown(&self, node: &str) -> String {
        let quoted = |iri: &str| format!("`{}`", iri.trim_start_matches('<').trim_end_matches('>'));
        if let Some(iri) = self.names.name_of(node).filter(|_| node.starts_with("_:")) {
            return quoted(iri);
        }
        let Some((class, parent)) = self.blank.get(node) else { return quoted(node) };
        let class = class.as_deref().unwrap_or("node");
        let mut above = parent.as_deref();
        // Blank nodes may form cycles.
        for _ in 0..self.blank.len() {
            let Some((_, parent)) = above.and_then(|above| self.blank.get(above)) else { break };
            above = parent.as_deref();
        }
        match above.filter(|above| above.starts_with('<')) {
            Some(above) => format!("{} of {}", with_article(class), quoted(above)),
            None => with_article(class),
        }
    }
}
