//! A network: the nodes and lines of some statements.

use hashbrown::HashMap;

use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkNodeKind {
    /// An IRI.
    Iri,
    /// A blank node.
    Blank,
    /// A literal.
    Literal,
}

impl NetworkNodeKind {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Iri => "iri",
            Self::Blank => "blank",
            Self::Literal => "literal",
        }
    }
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkNode {
    /// Its kind.
    pub kind: NetworkNodeKind,
    /// The IRI, the text of the literal, or a label.
    pub text: String,
    /// What is drawn: a short name or text.
    pub label: String,
    /// `true` if the network is drawn around it.
    pub is_centre: bool,
}

/// A line between two nodes, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkEdge {
    /// The subject.
    pub from: usize,
    /// The object.
    pub to: usize,
    /// The IRIs of the properties.
    pub properties: Vec<String>,
    /// Their short names.
    pub label: String,
}

/// The nodes and lines of some statements.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatementNetwork {
    /// The nodes.
    pub nodes: Vec<NetworkNode>,
    /// The lines.
    pub edges: Vec<NetworkEdge>,
    /// How many statements are left out, because there would be too many nodes.
    pub left_out: usize,
}

impl StatementNetwork {
    /// Makes the network of a buffer's statements with at most `most` nodes, those of the centre first. `shorten`
    /// returns the short name of an IRI.
    ///
    /// Equal literals of two subjects are two nodes, since lines across the whole picture are of no use.
    pub fn from_quads(
        quads: &QuadBuffer,
        centre: Option<&str>,
        most: usize,
        shorten: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let centre = centre.and_then(|iri| quads.find_iri(iri));
        let mut statements: Vec<_> = quads.quads().to_vec();
        // The sort is stable, so the statements of the centre come first and all others stay in their order.
        statements
            .sort_by_key(|quad| centre.is_none_or(|centre| quad.subject != centre && quad.object != centre));
        let mut network = Self::default();
        let mut numbers: HashMap<(BufferTermId, Option<BufferTermId>), usize> = HashMap::new();
        let mut lines: HashMap<[usize; 2], usize> = HashMap::new();
        for quad in statements {
            let is_literal = matches!(quads.term(quad.object), TermRef::Literal { .. });
            let keys = [(quad.subject, None), (quad.object, is_literal.then_some(quad.subject))];
            let new = keys.iter().filter(|key| !numbers.contains_key(*key)).count();
            if network.nodes.len() + new > most {
                network.left_out += 1;
                continue;
            }
            let [from, to] = keys.map(|key| {
                *numbers.entry(key).or_insert_with(|| {
                    let number = network.nodes.len();
                    let is_centre = centre == Some(key.0);
                    network.nodes.push(node(quads, key.0, number, is_centre, shorten));
                    number
                })
            });
            let TermRef::Iri(property) = quads.term(quad.predicate) else { continue };
            let edges = &mut network.edges;
            let line = *lines.entry([from, to]).or_insert_with(|| {
                edges.push(NetworkEdge { from, to, properties: Vec::new(), label: String::new() });
                edges.len() - 1
            });
            let edge = &mut edges[line];
            edge.properties.push(property.to_owned());
            let name = short_name(property, shorten);
            edge.label = if edge.label.is_empty() { name } else { format!("{}, {name}", edge.label) };
        }
        network
    }
}

fn node(
    quads: &QuadBuffer,
    term: BufferTermId,
    number: usize,
    is_centre: bool,
    shorten: &dyn Fn(&str) -> Option<String>,
) -> NetworkNode {
    let (kind, text, label) = match quads.term(term) {
        TermRef::Iri(iri) => (NetworkNodeKind::Iri, iri.to_owned(), short_name(iri, shorten)),
        TermRef::BlankNode => (NetworkNodeKind::Blank, format!("_:n{number}"), String::new()),
        TermRef::Literal { lexical, .. } => {
            (NetworkNodeKind::Literal, lexical.to_owned(), lexical.to_owned())
        }
    };
    NetworkNode { kind, text, label, is_centre }
}

/// A prefixed name, or the last part of an IRI.
fn short_name(iri: &str, shorten: &dyn Fn(&str) -> Option<String>) -> String {
    let last = || iri.rsplit(['/', '#', ':']).next().filter(|last| !last.is_empty()).unwrap_or(iri);
    shorten(iri).unwrap_or_else(|| last().to_owned())
}
