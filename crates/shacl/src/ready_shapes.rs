//! Shapes that are ready for use: a shapes graph that was read, checked and compiled.

use oxrdf::{Literal, NamedNode, Term};

use super::compiler::{CompiledShapes, compile};
use super::property_path::PropertyPath;
use super::recursion::negated_recursion;
use super::shape::{ConstraintCheck, Shape};
use super::shapes_graph::{ShapesFault, ShapesGraph, shown};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::minted::CATALOG_GRAPH;
use evalgraph_store::Dataset;

/// The shapes of a shapes graph, checked and compiled.
///
/// Other methods are in `by_queries.rs`, `queries/mod.rs`, `selection.rs` and `validation.rs`.
#[derive(Debug, Clone)]
pub struct Shapes {
    pub(super) shapes: Vec<Shape>,
    pub(super) constants: Vec<Term>,
    /// The name of the graph in which queries find the shapes, if there is one.
    pub(super) graph_name: Option<NamedNode>,
    /// The prefixes that the shapes declare, with their namespaces.
    pub(super) prefixes: Vec<(String, String)>,
    /// `true` if the catalog belongs to the data.
    pub(super) with_catalog: bool,
    mapped_iris: usize,
}

/// The options for reading shapes.
#[derive(Debug, Clone, Default)]
pub struct ShapesOptions {
    /// The name of the graph in which queries find the shapes (`$shapesGraph`), if the data have them as a graph.
    pub graph_name: Option<NamedNode>,
    /// Leaves IRIs of schema.org as they are written; otherwise they are moved into the namespace of loaded data.
    pub plain: bool,
}

impl Shapes {
    /// Reads the shapes of a dataset, from the union of its graphs.
    ///
    /// The cost grows with the number of statements in the shapes.
    ///
    /// # Errors
    ///
    /// Every fault of the shapes graph, 100 at most, with the faulty statement: violations of the syntax rules of
    /// SHACL, terms of SHACL that do not exist or are not supported, recursion through a negation.
    pub fn compile(dataset: &Dataset, options: &ShapesOptions) -> Result<Self, Vec<ShapesFault>> {
        let graph = ShapesGraph::new(dataset);
        let compiled = compile(&graph, options.plain)?;
        if let Some((shape, other)) = negated_recursion(&compiled.shapes) {
            let [shape, other] = [shape, other].map(|id| &compiled.shapes[id.index()].node);
            let message =
                format!("{} and {} refer to each other through a negation", shown(shape), shown(other));
            let fault = Diagnostic::error("shacl::recursion", message);
            return Err(vec![ShapesFault {
                diagnostic: fault,
                subject: shape.clone(),
                predicate: None,
                object: None,
            }]);
        }
        let graph_name = options.graph_name.clone();
        let CompiledShapes { shapes, constants, mapped_iris } = compiled;
        let (prefixes, with_catalog) = (graph.prefixes(), graph.requires(CATALOG_GRAPH));
        Ok(Self { shapes, constants, graph_name, prefixes, with_catalog, mapped_iris })
    }

    /// Returns whether a query of the shapes mentions `$shapesGraph`.
    pub fn asks_for_shapes_graph(&self) -> bool {
        let mut checks = self.shapes.iter().flat_map(|shape| &shape.constraints).map(|one| &one.check);
        checks.any(|check| match check {
            ConstraintCheck::Sparql(constraint) => constraint.query.mentions_variable("shapesGraph"),
            ConstraintCheck::Component(component) => component.query.mentions_variable("shapesGraph"),
            _ => false,
        })
    }

    /// Returns whether the catalog belongs to the data that are validated, as the shapes demand with
    /// `dcterms:requires`. Otherwise the catalog is separate from the graphs of documents.
    pub fn with_catalog(&self) -> bool {
        self.with_catalog
    }

    /// Finds the graph that queries of the shapes refer to: if it did not exist, they would return nothing.
    pub(super) fn find_shapes_graph(&self, dataset: &Dataset) -> Result<(), Box<Diagnostic>> {
        if !self.asks_for_shapes_graph() {
            return Ok(());
        }
        let name = self.graph_name.as_ref().and_then(|name| dataset.dictionary().find(name.as_ref().into()));
        if name.is_some_and(|name| dataset.graph_quad_count(name) > 0) {
            return Ok(());
        }
        let message = "a query of the shapes asks for `$shapesGraph`, and the data have no such graph";
        Err(Box::new(Diagnostic::error("shacl::shapes-graph", message)))
    }

    /// The shapes; those with targets or a type come first.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// A shape by its IRI, and the shapes that are its properties, directly or indirectly; empty if there is no such
    /// shape.
    pub fn with_properties(&self, iri: &str) -> Vec<&Shape> {
        let is_named = |shape: &&Shape| matches!(&shape.node, Term::NamedNode(node) if node.as_str() == iri);
        let mut found: Vec<&Shape> = self.shapes.iter().filter(is_named).collect();
        let mut is_found = vec![false; self.shapes.len()];
        let mut next = 0;
        while let Some(shape) = found.get(next).copied() {
            next += 1;
            for constraint in &shape.constraints {
                if let ConstraintCheck::Property(inner) = constraint.check
                    && !std::mem::replace(&mut is_found[inner.index()], true)
                {
                    found.push(&self.shapes[inner.index()]);
                }
            }
        }
        found
    }

    /// Returns how many IRIs of schema.org were moved into the namespace of loaded data.
    pub fn mapped_iris(&self) -> usize {
        self.mapped_iris
    }
}

impl Shape {
    /// Returns whether the shape itself chooses nodes.
    pub fn has_targets(&self) -> bool {
        !self.targets.is_empty()
    }

    /// The name of the shape: its IRI. A shape without an IRI is named by the shape that refers to it and its path.
    pub fn name(&self) -> String {
        let text = |term: &Term| match term {
            Term::NamedNode(node) => node.as_str().to_owned(),
            other => other.to_string(),
        };
        match (&self.node, &self.parent, self.path()) {
            (Term::BlankNode(_), Some(parent), Some(path)) => format!("{} {path}", text(parent)),
            (Term::BlankNode(_), Some(parent), None) => format!("{} (inner shape)", text(parent)),
            (node, ..) => text(node),
        }
    }

    /// The path of a property shape; none for a node shape.
    pub fn path(&self) -> Option<&PropertyPath> {
        self.path.as_deref()
    }

    /// The messages of a constraint of the shape, or else those of the shape.
    pub(super) fn messages_of<'s>(&'s self, check: &'s ConstraintCheck) -> &'s [Literal] {
        let own: &[Literal] = match check {
            ConstraintCheck::Sparql(constraint) => &constraint.messages,
            ConstraintCheck::Component(component) => &component.messages,
            _ => &[],
        };
        if own.is_empty() { &self.messages } else { own }
    }

    /// The parameters of the constraints of the shape, each once, such as `sh:minCount`.
    pub fn parameters(&self) -> Vec<String> {
        let of_shacl = self.constraints.iter().filter(|constraint| constraint.check.component().is_some());
        let mut parameters: Vec<String> = of_shacl.map(|constraint| constraint.check.parameter()).collect();
        parameters.dedup();
        parameters
    }
}
