//! The state of the compilation of a shapes graph: numbers of shapes and terms, values of parameters, faults.

use std::collections::HashMap;
use std::sync::Arc;

use oxrdf::{NamedNode, Term};

use super::component::ConstraintComponent;
use super::ids::{ConstantId, ShapeId};
use super::property_path::{PathReader, PropertyPath};
use super::shape::Shape;
use super::shapes_graph::{BoxedShapesFault, ShapesFault, ShapesGraph, ShapesStatement};
use evalgraph_sparql::move_to_store_namespace;
use evalgraph_store::{RdfTermKind, TermId};

/// The role in which a shape is referred to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShapeRole {
    /// The object of `sh:property`, which must have a path.
    Property,
    Any,
}

/// The state of a compilation.
///
/// Other methods are in `compiler.rs`.
pub(super) struct ShapesCompilation<'c, 'd> {
    pub(super) graph: &'c ShapesGraph<'d>,
    /// `true` if IRIs of schema.org in queries stay as they are written.
    pub(super) plain: bool,
    pub(super) components: Vec<Arc<ConstraintComponent>>,
    pub(super) shapes: Vec<Shape>,
    pub(super) nodes: Vec<(TermId, ShapeRole, ShapesStatement)>,
    shape_ids: HashMap<TermId, ShapeId>,
    pub(super) constants: Vec<Term>,
    constant_ids: HashMap<TermId, ConstantId>,
    term_ids: HashMap<Term, ConstantId>,
    pub(super) faults: Vec<ShapesFault>,
    /// How many IRIs of schema.org were moved into the namespace of loaded data.
    pub(super) mapped_iris: usize,
}

impl<'c, 'd> ShapesCompilation<'c, 'd> {
    pub(super) fn new(graph: &'c ShapesGraph<'d>, plain: bool) -> Self {
        Self {
            graph,
            plain,
            components: Vec::new(),
            shapes: Vec::new(),
            nodes: Vec::new(),
            shape_ids: HashMap::new(),
            constants: Vec::new(),
            constant_ids: HashMap::new(),
            term_ids: HashMap::new(),
            faults: Vec::new(),
            mapped_iris: 0,
        }
    }

    pub(super) fn fault(&mut self, code: &'static str, message: String, at: ShapesStatement) {
        self.faults.push(*self.graph.fault(code, message, at));
    }

    /// Returns a value, or records the fault.
    pub(super) fn told<T>(&mut self, result: Result<T, BoxedShapesFault>) -> Option<T> {
        result.map_err(|fault| self.faults.push(*fault)).ok()
    }

    /// The number of a shape; its node is read later, if it was not read before.
    pub(super) fn shape(&mut self, node: TermId, role: ShapeRole, at: ShapesStatement) -> ShapeId {
        if let Some(id) = self.shape_ids.get(&node).copied() {
            if role == ShapeRole::Property {
                self.nodes[id.index()].1 = role;
                if self.shapes.get(id.index()).is_some_and(|shape| shape.path.is_none()) {
                    self.lacks_path(at);
                }
            }
            return id;
        }
        let id = ShapeId(u32::try_from(self.nodes.len()).expect("graphs have fewer nodes than 2^32"));
        self.nodes.push((node, role, at));
        self.shape_ids.insert(node, id);
        id
    }

    /// The shape of a node, if it has been read.
    pub(super) fn known(&self, node: TermId) -> Option<&Shape> {
        self.shapes.get(self.shape_ids.get(&node)?.index())
    }

    /// The number of a term among the constants.
    pub(super) fn constant(&mut self, term: TermId) -> ConstantId {
        if let Some(id) = self.constant_ids.get(&term) {
            return *id;
        }
        let mut known = self.graph.term(term);
        if let Term::NamedNode(node) = &mut known
            && !self.plain
        {
            self.mapped_iris += usize::from(move_to_store_namespace(node));
        }
        let id = self.constant_of(&known);
        self.constant_ids.insert(term, id);
        id
    }

    fn constant_of(&mut self, term: &Term) -> ConstantId {
        let next =
            ConstantId(u32::try_from(self.constants.len()).expect("graphs have fewer terms than 2^32"));
        let id = *self.term_ids.entry(term.clone()).or_insert(next);
        if id == next {
            self.constants.push(term.clone());
        }
        id
    }

    /// The number of an IRI, which need not be in the graph.
    pub(super) fn constant_iri(&mut self, iri: &str) -> ConstantId {
        self.constant_of(&NamedNode::new_unchecked(iri).into())
    }

    pub(super) fn path(&mut self, node: TermId, at: ShapesStatement) -> Option<Arc<PropertyPath>> {
        let graph = self.graph;
        let mut constant = |term| self.constant(term);
        let path = PathReader::new(graph, &mut constant, at).read(node);
        self.told(path).map(Arc::new)
    }

    pub(super) fn lacks_path(&mut self, at: ShapesStatement) {
        let message = "the property shape has no `sh:path`".to_owned();
        self.fault("shacl::path", message, at);
    }

    /// The only value of a property; several values are a fault.
    pub(super) fn single(&mut self, node: TermId, name: &str) -> Option<TermId> {
        let values = self.graph.values(node, name);
        if let [_, second, ..] = values.as_slice() {
            let message = format!("the shape has {} values of `sh:{name}`; one is allowed", values.len());
            self.fault("shacl::parameter", message, self.statement(node, name, *second));
        }
        values.first().copied()
    }

    pub(super) fn statement(&self, node: TermId, name: &str, object: TermId) -> ShapesStatement {
        ShapesStatement { subject: node, predicate: self.graph.sh(name), object: Some(object) }
    }

    /// Records that a parameter has a value of the wrong kind.
    pub(super) fn wrong(&mut self, node: TermId, name: &str, value: TermId, wanted: &str) {
        let message =
            format!("the value of `sh:{name}` must be {wanted}, but this is {}", self.graph.shown(value));
        self.fault("shacl::parameter", message, self.statement(node, name, value));
    }

    pub(super) fn boolean(&mut self, node: TermId, name: &str) -> Option<bool> {
        let value = self.single(node, name)?;
        self.boolean_of(node, name, value)
    }

    pub(super) fn boolean_of(&mut self, node: TermId, name: &str, value: TermId) -> Option<bool> {
        let is_boolean = self.graph.kind(value) == RdfTermKind::Boolean;
        match self.graph.text(value) {
            "true" | "1" if is_boolean => Some(true),
            "false" | "0" if is_boolean => Some(false),
            _ => {
                self.wrong(node, name, value, "`true` or `false`");
                None
            }
        }
    }

    pub(super) fn count(&mut self, node: TermId, name: &str) -> Option<u64> {
        let value = self.single(node, name)?;
        self.count_of(node, name, value)
    }

    pub(super) fn count_of(&mut self, node: TermId, name: &str, value: TermId) -> Option<u64> {
        let text = self.graph.text(value);
        let digits = text.strip_prefix('+').unwrap_or(text);
        let is_count = self.graph.kind(value) == RdfTermKind::Integer
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_count {
            // No node has so many values that 64 bits cannot count them.
            return Some(digits.parse().unwrap_or(u64::MAX));
        }
        if self.graph.kind(value) == RdfTermKind::Integer
            && text.strip_prefix('-').is_some_and(|rest| rest.bytes().all(|byte| byte == b'0'))
        {
            return Some(0);
        }
        self.wrong(node, name, value, "a non-negative integer");
        None
    }
}
