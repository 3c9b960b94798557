//! Compiles a shapes graph: finds its shapes, reads their characteristics and targets, and numbers the terms that they
//! use.
//!
//! `ShapesCompilation` is defined in `compilation.rs`.

use std::sync::Arc;

use oxrdf::Term;

use super::compilation::{ShapeRole, ShapesCompilation};
use super::component::components;
use super::property_path::PropertyPath;
use super::query_text::messages;
use super::shacl_vocabulary::{DESCRIPTIONS, PROPERTIES, RDFS, REFUSED, SH};
use super::shape::{Severity, Shape, ShapeTarget};
use super::shape_parameters::read_parameters;
use super::shapes_graph::{ShapesFault, ShapesGraph, ShapesStatement};
use super::sparql_parameters::read_target;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_store::{RdfTermKind, TermId};

/// How many faults of one shapes graph are reported at most.
const MOST_FAULTS: usize = 100;

/// How many nodes there may be between a shape without a name and one with a name.
const MOST_AROUND: usize = 100;

/// The compiled shapes of a graph, and the terms that they use.
pub(super) struct CompiledShapes {
    pub(super) shapes: Vec<Shape>,
    pub(super) constants: Vec<Term>,
    pub(super) mapped_iris: usize,
}

/// Compiles the shapes of a graph.
///
/// # Errors
///
/// Every fault of the graph that is found, 100 at most.
pub(super) fn compile(graph: &ShapesGraph<'_>, plain: bool) -> Result<CompiledShapes, Vec<ShapesFault>> {
    let mut compiler = ShapesCompilation::new(graph, plain);
    compiler.refuse_entailment();
    match components(graph) {
        Ok(components) => compiler.components = components,
        Err(faults) => compiler.faults.extend(faults),
    }
    for node in compiler.roots() {
        compiler.shape(node, ShapeRole::Any, ShapesStatement::node(node));
    }
    // Shapes that other shapes refer to are found while those are read, and wait in a list, so nesting needs no stack.
    let mut next = 0;
    while let Some(&(node, role, at)) = compiler.nodes.get(next) {
        next += 1;
        let shape = compiler.read(node, role, at);
        compiler.shapes.push(shape);
        if compiler.faults.len() >= MOST_FAULTS {
            break;
        }
    }
    if !compiler.faults.is_empty() {
        return Err(compiler.faults);
    }
    let ShapesCompilation { shapes, constants, mapped_iris, .. } = compiler;
    Ok(CompiledShapes { shapes, constants, mapped_iris })
}

/// Reads shapes into a compilation.
impl ShapesCompilation<'_, '_> {
    /// The nodes that are shapes, whether or not others refer to them: typed ones and those with a target (section
    /// 2.1).
    fn roots(&self) -> Vec<TermId> {
        let graph = self.graph;
        let mut roots = Vec::new();
        for class in ["NodeShape", "PropertyShape", "ShapeClass"] {
            roots.extend(graph.instances(&format!("{SH}{class}")));
        }
        for target in
            ["targetClass", "targetNode", "targetObjectsOf", "targetSubjectsOf", "target", "targetWhere"]
        {
            roots.extend(graph.subjects(graph.sh(target), None));
        }
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    fn refuse_entailment(&mut self) {
        let entailment = self.graph.sh("entailment");
        for subject in self.graph.subjects(entailment, None) {
            for object in self.graph.objects(subject, entailment) {
                let message = format!("the entailment regime {} is not supported", self.graph.shown(object));
                let at = ShapesStatement { subject, predicate: entailment, object: Some(object) };
                self.fault("shacl::entailment", message, at);
            }
        }
    }

    fn read(&mut self, node: TermId, role: ShapeRole, at: ShapesStatement) -> Shape {
        let graph = self.graph;
        let statements = graph.statements(node);
        if graph.is_literal(node) {
            self.fault(
                "shacl::shape",
                format!("{} is not a shape: a literal cannot be a shape", graph.shown(node)),
                at,
            );
        }
        self.refuse_unknown(node, &statements);
        let path = self.read_path(node, role, at);
        let mut shape = Shape {
            node: graph.term(node),
            parent: if graph.kind(node) == RdfTermKind::BlankNode {
                self.named_around(node, at)
            } else {
                None
            },
            path,
            targets: self.read_targets(node, &statements),
            constraints: Vec::new(),
            severity: Severity::Violation,
            messages: Vec::new(),
            is_deactivated: false,
        };
        if let Some(value) = self.single(node, "severity") {
            match graph.term(value) {
                Term::NamedNode(severity) => shape.severity = Severity::from_iri(severity.as_str()),
                _ => self.wrong(node, "severity", value, "an IRI, such as `sh:Warning`"),
            }
        }
        shape.messages = self.told(messages(graph, node)).unwrap_or_default();
        shape.is_deactivated = self.boolean(node, "deactivated").unwrap_or(false);
        shape.constraints =
            read_parameters(self, node, shape.path.is_some() || self.has_to_have_path(node, role));
        shape
    }

    /// The named shape that contains a shape without a name.
    fn named_around(&self, node: TermId, at: ShapesStatement) -> Option<Term> {
        let graph = self.graph;
        let mut around = if at.subject == node { graph.mentioned_by(node)? } else { at.subject };
        // Nodes without names may form a cycle, so the number of steps is limited.
        for _ in 0..MOST_AROUND {
            if graph.kind(around) != RdfTermKind::BlankNode {
                return Some(graph.term(around));
            }
            if let Some(parent) = self.known(around).and_then(|shape| shape.parent.clone()) {
                return Some(parent);
            }
            // A shape without a name, or a list.
            around = graph.mentioned_by(around)?;
        }
        None
    }

    fn read_path(&mut self, node: TermId, role: ShapeRole, at: ShapesStatement) -> Option<Arc<PropertyPath>> {
        let graph = self.graph;
        let paths = graph.values(node, "path");
        let statement =
            |object| ShapesStatement { subject: node, predicate: graph.sh("path"), object: Some(object) };
        match paths.as_slice() {
            [] => {
                if self.has_to_have_path(node, role) {
                    self.lacks_path(at);
                }
                None
            }
            [path] if self.is_typed(node, "NodeShape") => {
                let message = "a `sh:NodeShape` has no `sh:path`; a `sh:PropertyShape` has one".to_owned();
                self.fault("shacl::path", message, statement(*path));
                None
            }
            [path] => self.path(*path, statement(*path)),
            [_, second, ..] => {
                let message = format!("the shape has {} values of `sh:path`; one is allowed", paths.len());
                self.fault("shacl::path", message, statement(*second));
                None
            }
        }
    }

    /// Returns whether a node must be a property shape.
    fn has_to_have_path(&self, node: TermId, role: ShapeRole) -> bool {
        role == ShapeRole::Property || self.is_typed(node, "PropertyShape")
    }

    /// Returns whether a node is typed with a class of SHACL.
    fn is_typed(&self, node: TermId, class: &str) -> bool {
        let (class, rdf_type) = (self.graph.sh(class), self.graph.find(rdf::TYPE));
        class.is_some_and(|class| self.graph.objects(node, rdf_type).contains(&class))
    }

    fn read_targets(&mut self, node: TermId, statements: &[(TermId, TermId)]) -> Vec<ShapeTarget> {
        let graph = self.graph;
        let mut targets = Vec::new();
        for (predicate, object) in statements {
            let at = ShapesStatement::new(node, *predicate, *object);
            let Some(name) = graph.sh_name(*predicate) else { continue };
            let wants_iri = matches!(name, "targetClass" | "targetSubjectsOf" | "targetObjectsOf");
            if wants_iri && graph.kind(*object) != RdfTermKind::Iri {
                self.wrong(node, name, *object, "an IRI");
                continue;
            }
            targets.push(match name {
                "targetNode" => ShapeTarget::Node(self.constant(*object)),
                "targetClass" => ShapeTarget::Class(self.constant(*object)),
                "targetSubjectsOf" => ShapeTarget::SubjectsOf(self.constant(*object)),
                "targetObjectsOf" => ShapeTarget::ObjectsOf(self.constant(*object)),
                "targetWhere" => ShapeTarget::Where(self.shape(*object, ShapeRole::Any, at)),
                "target" => {
                    let target = read_target(graph, *object, at, self.plain);
                    let Some(target) = self.told(target) else { continue };
                    ShapeTarget::Sparql(Arc::new(target))
                }
                _ => continue,
            });
        }
        if self.is_class(node) {
            targets.push(ShapeTarget::Class(self.constant(node)));
        }
        targets
    }

    /// Returns whether a shape is also a class, whose instances are then its targets (section 2.1.3.3).
    fn is_class(&self, node: TermId) -> bool {
        let graph = self.graph;
        if graph.kind(node) != RdfTermKind::Iri {
            return false;
        }
        let is_of = |class: &str| graph.instances(class).binary_search(&node).is_ok();
        is_of(&format!("{RDFS}Class")) || is_of(&format!("{SH}ShapeClass"))
    }

    /// Rejects terms of SHACL that have no meaning for a shape, and those that the engine does not support.
    fn refuse_unknown(&mut self, node: TermId, statements: &[(TermId, TermId)]) {
        for (predicate, object) in statements {
            let Some(name) = self.graph.sh_name(*predicate) else { continue };
            let at = ShapesStatement::new(node, *predicate, *object);
            if REFUSED.contains(&name) {
                let message = format!("`sh:{name}` is not supported");
                self.fault("shacl::unsupported", message, at);
            } else if !PROPERTIES.contains(&name) && !DESCRIPTIONS.contains(&name) {
                let mut fault = self.graph.fault(
                    "shacl::unknown-term",
                    format!("SHACL has no property `sh:{name}` of shapes"),
                    at,
                );
                if let Some(meant) = nearest(name, PROPERTIES.into_iter().chain(DESCRIPTIONS)) {
                    fault.diagnostic = fault.diagnostic.with_help(format!("did you mean `sh:{meant}`?"));
                }
                self.faults.push(*fault);
            }
        }
    }
}
