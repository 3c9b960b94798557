//! Property paths (SHACL, section 2.3.1): read from a shapes graph, written as SPARQL, and as RDF in reports.

use std::fmt;

use oxrdf::NamedNode;

use super::ids::ConstantId;
use super::shapes_graph::{BoxedShapesFault, ShapesGraph, ShapesStatement};
use evalgraph_store::{RdfTermKind, TermId};

/// How deep paths may be nested.
const MAX_DEPTH: usize = 100;

/// How many steps a path may have.
const MAX_STEPS: usize = 10_000;

/// A property path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PropertyPath {
    /// A predicate, and its number among the constants of the shapes.
    Predicate(NamedNode, ConstantId),
    /// The path backwards.
    Inverse(Box<PropertyPath>),
    /// The paths one after the other.
    Sequence(Vec<PropertyPath>),
    /// Any of the paths.
    Alternative(Vec<PropertyPath>),
    /// The path any number of times.
    ZeroOrMore(Box<PropertyPath>),
    /// The path at least once.
    OneOrMore(Box<PropertyPath>),
    /// The path once or not at all.
    ZeroOrOne(Box<PropertyPath>),
}

/// Reads paths of a shapes graph.
pub(super) struct PathReader<'r, 'd> {
    pub(super) graph: &'r ShapesGraph<'d>,
    /// Returns the number of an IRI among the constants.
    pub(super) constant: &'r mut dyn FnMut(TermId) -> ConstantId,
    /// The statement whose object is the path.
    pub(super) at: ShapesStatement,
    steps: usize,
}

impl<'r, 'd> PathReader<'r, 'd> {
    pub(super) fn new(
        graph: &'r ShapesGraph<'d>,
        constant: &'r mut dyn FnMut(TermId) -> ConstantId,
        at: ShapesStatement,
    ) -> Self {
        Self { graph, constant, at, steps: 0 }
    }

    /// Reads the path of a node.
    ///
    /// # Errors
    ///
    /// A node that is not a path, or two paths at once.
    pub(super) fn read(&mut self, node: TermId) -> Result<PropertyPath, BoxedShapesFault> {
        self.path(node, 0)
    }

    fn path(&mut self, node: TermId, depth: usize) -> Result<PropertyPath, BoxedShapesFault> {
        self.steps += 1;
        if depth > MAX_DEPTH || self.steps > MAX_STEPS {
            let message =
                format!("the path is too long: {MAX_STEPS} steps and {MAX_DEPTH} levels are allowed");
            return Err(self.fault(message));
        }
        let graph = self.graph;
        match graph.kind(node) {
            RdfTermKind::Iri if !graph.is_list(node) => return Ok(self.predicate(node)),
            RdfTermKind::Iri | RdfTermKind::BlankNode => {}
            _ => return Err(self.fault(format!("{} is not a path but a literal", graph.shown(node)))),
        }
        if graph.is_list(node) {
            let items = graph.list(node, self.at)?;
            if items.len() < 2 {
                let message =
                    format!("a sequence path must have at least two members, but this has {}", items.len());
                return Err(self.fault(message));
            }
            let members = items.into_iter().map(|item| self.path(item, depth + 1));
            // A list is a sequence, whatever else its first node states.
            return Ok(PropertyPath::Sequence(members.collect::<Result<_, _>>()?));
        }
        let mut found = Vec::new();
        for (predicate, object) in graph.statements(node) {
            let path = match graph.sh_name(predicate) {
                Some("alternativePath") => {
                    let items = graph.list(object, self.at)?;
                    if items.len() < 2 {
                        let message = format!(
                            "an alternative path must have at least two members, but this has {}",
                            items.len()
                        );
                        return Err(self.fault(message));
                    }
                    let members = items.into_iter().map(|item| self.path(item, depth + 1));
                    PropertyPath::Alternative(members.collect::<Result<_, _>>()?)
                }
                Some("inversePath") => PropertyPath::Inverse(Box::new(self.path(object, depth + 1)?)),
                Some("zeroOrMorePath") => PropertyPath::ZeroOrMore(Box::new(self.path(object, depth + 1)?)),
                Some("oneOrMorePath") => PropertyPath::OneOrMore(Box::new(self.path(object, depth + 1)?)),
                Some("zeroOrOnePath") => PropertyPath::ZeroOrOne(Box::new(self.path(object, depth + 1)?)),
                _ => continue,
            };
            found.push(path);
        }
        match found.len() {
            1 => Ok(found.swap_remove(0)),
            0 => Err(self.fault(
                "a blank node is a path only as a list or with `sh:inversePath`, `sh:alternativePath`, \
                 `sh:zeroOrMorePath`, `sh:oneOrMorePath` or `sh:zeroOrOnePath`"
                    .to_owned(),
            )),
            _ => Err(self.fault("the node has two paths".to_owned())),
        }
    }

    fn predicate(&mut self, node: TermId) -> PropertyPath {
        PropertyPath::Predicate(NamedNode::new_unchecked(self.graph.text(node)), (self.constant)(node))
    }

    fn fault(&self, message: String) -> BoxedShapesFault {
        self.graph.fault("shacl::path", message, self.at)
    }
}

impl PropertyPath {
    /// The predicate that the path is, if it is one.
    pub fn as_predicate(&self) -> Option<&NamedNode> {
        match self {
            Self::Predicate(node, _) => Some(node),
            _ => None,
        }
    }

    /// The path as it appears in reports: the IRI for a predicate, SPARQL syntax for any other path.
    pub fn text(&self) -> String {
        self.as_predicate().map_or_else(|| self.to_string(), |predicate| predicate.as_str().to_owned())
    }
}

/// Writes the path as a property path of SPARQL 1.1, with full IRIs and the brackets that it needs.
impl fmt::Display for PropertyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(&NamedNode::to_string))
    }
}

impl PropertyPath {
    /// The path as a property path of SPARQL 1.1, with the brackets that it needs; `name` names its predicates.
    pub(super) fn written(&self, name: &dyn Fn(&NamedNode) -> String) -> String {
        let joined = |paths: &[Self], write: &dyn Fn(&Self) -> String, operator: &str| {
            paths.iter().map(write).collect::<Vec<_>>().join(operator)
        };
        match self {
            Self::Predicate(node, _) => name(node),
            Self::Inverse(path) => format!("^{}", path.element(name)),
            Self::Sequence(paths) => joined(paths, &|path| path.step(name), "/"),
            Self::Alternative(paths) => format!("({})", joined(paths, &|path| path.written(name), "|")),
            Self::ZeroOrMore(path) => format!("{}*", path.primary(name)),
            Self::OneOrMore(path) => format!("{}+", path.primary(name)),
            Self::ZeroOrOne(path) => format!("{}?", path.primary(name)),
        }
    }

    /// The path as a step of a sequence.
    fn step(&self, name: &dyn Fn(&NamedNode) -> String) -> String {
        self.in_brackets(matches!(self, Self::Sequence(_)), name)
    }

    /// The path after `^`.
    fn element(&self, name: &dyn Fn(&NamedNode) -> String) -> String {
        self.in_brackets(matches!(self, Self::Sequence(_) | Self::Inverse(_)), name)
    }

    /// The path before `*`, `+` or `?`.
    fn primary(&self, name: &dyn Fn(&NamedNode) -> String) -> String {
        self.in_brackets(!matches!(self, Self::Predicate(..) | Self::Alternative(_)), name)
    }

    fn in_brackets(&self, needs_them: bool, name: &dyn Fn(&NamedNode) -> String) -> String {
        let written = self.written(name);
        if needs_them { format!("({written})") } else { written }
    }
}
