//! Compiled shapes in the terms of the data: each constant is looked up once, and so are the subclasses of each class.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use oxrdf::{NamedNode, Term};

use super::ids::{ConstantId, ShapeId};
use super::ready_shapes::Shapes;
use super::shacl_vocabulary::RDFS;
use super::shape::{ConstraintCheck, Shape, ShapeTarget};
use super::validation_terms::ValidationTerms;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_sparql::{MOST_SOLUTIONS, too_many_solutions};
use evalgraph_store::{Dataset, DatasetView, DefaultGraph, TermId};

/// The shapes of a shapes graph, ready for one dataset.
pub(super) struct ValidationPlan<'s, 'd> {
    pub(super) shapes: &'s Shapes,
    dataset: &'d Dataset,
    /// The graphs that make up the data graph, if they are not all graphs.
    graphs: Option<Vec<TermId>>,
    pub(super) terms: ValidationTerms<'d>,
    ids: Vec<TermId>,
    constants: HashMap<TermId, ConstantId>,
    /// The subclasses of each constant that is a class, including itself, sorted.
    subclasses: Vec<Box<[TermId]>>,
    pub(super) rdf_type: TermId,
    pub(super) sub_class_of: TermId,
    pub(super) first: TermId,
    pub(super) rest: TermId,
    pub(super) nil: TermId,
    /// For each shape: `true` if it refers to itself, directly or indirectly.
    is_recursive: Vec<bool>,
    /// For each shape: `true` if it checks only the node itself, value by value.
    tests_node: Vec<bool>,
    /// How many solutions of queries have become results.
    solutions: AtomicUsize,
}

impl<'s, 'd> ValidationPlan<'s, 'd> {
    pub(super) fn new(shapes: &'s Shapes, dataset: &'d Dataset, graphs: Option<Vec<TermId>>) -> Self {
        let terms = ValidationTerms::new(dataset.dictionary());
        let ids: Vec<TermId> = shapes.constants.iter().map(|term| terms.of_shapes(term)).collect();
        let constants = (0..).map(ConstantId);
        let constants = ids.iter().copied().zip(constants).collect();
        let iri = |iri: &str| terms.of_shapes(&NamedNode::new_unchecked(iri).into());
        let [rdf_type, first, rest, nil] = [rdf::TYPE, rdf::FIRST, rdf::REST, rdf::NIL].map(iri);
        let sub_class_of = iri(&format!("{RDFS}subClassOf"));
        let is_recursive = recursive(&shapes.shapes);
        let tests_node = shapes.shapes.iter().map(tests_node).collect();
        let subclasses = Vec::new();
        let mut plan = Self {
            shapes,
            dataset,
            graphs,
            terms,
            ids,
            constants,
            subclasses,
            rdf_type,
            sub_class_of,
            first,
            rest,
            nil,
            is_recursive,
            tests_node,
            solutions: AtomicUsize::default(),
        };
        plan.find_subclasses();
        plan
    }

    /// Counts solutions of queries that become results.
    ///
    /// # Errors
    ///
    /// `shacl::too-many` if there are more than can be kept in memory.
    pub(super) fn count_solutions(&self, count: usize) -> Result<(), Box<Diagnostic>> {
        match self.solutions.fetch_add(count, Ordering::Relaxed).saturating_add(count) <= MOST_SOLUTIONS {
            true => Ok(()),
            false => Err(too_many_solutions()),
        }
    }

    pub(super) fn view(&self) -> DatasetView<'d> {
        let view = self.dataset.view(DefaultGraph::Union);
        match &self.graphs {
            Some(graphs) => view.of_graphs(graphs),
            None if self.shapes.with_catalog => view.with_catalog(),
            None => view,
        }
    }

    pub(super) fn shape(&self, id: ShapeId) -> &'s Shape {
        &self.shapes.shapes[id.index()]
    }

    /// The number of a constant in the data.
    #[inline]
    pub(super) fn id(&self, constant: ConstantId) -> TermId {
        self.ids[constant.index()]
    }

    /// The constant that is a term of the data.
    pub(super) fn constant(&self, id: TermId) -> Option<ConstantId> {
        self.constants.get(&id).copied()
    }

    /// The constant's subclasses and itself, sorted.
    #[inline]
    pub(super) fn subclasses(&self, class: ConstantId) -> &[TermId] {
        &self.subclasses[class.index()]
    }

    pub(super) fn is_recursive(&self, shape: ShapeId) -> bool {
        self.is_recursive[shape.index()]
    }

    /// Returns whether a shape is a list of tests of the node, without a path and without other shapes.
    pub(super) fn tests_node(&self, shape: ShapeId) -> bool {
        self.tests_node[shape.index()]
    }

    fn find_subclasses(&mut self) {
        let mut classes: HashSet<ConstantId> = HashSet::new();
        for shape in &self.shapes.shapes {
            for target in &shape.targets {
                classes.extend(match target {
                    ShapeTarget::Class(class) => Some(*class),
                    _ => None,
                });
            }
            for constraint in &shape.constraints {
                match &constraint.check {
                    ConstraintCheck::Class(names) | ConstraintCheck::RootClass(names) => {
                        classes.extend(names);
                    }
                    ConstraintCheck::Closed(closed) => {
                        classes.extend(closed.by_types.iter().flatten().map(|(class, _)| *class));
                    }
                    _ => {}
                }
            }
        }
        let view = self.view();
        self.subclasses = vec![Box::default(); self.ids.len()];
        for class in classes {
            let mut found = vec![self.id(class)];
            let mut seen = HashSet::from([self.id(class)]);
            let mut next = 0;
            while let Some(class) = found.get(next).copied().filter(|class| self.terms.is_of_data(*class)) {
                next += 1;
                let subclasses = view.default_triples(None, Some(self.sub_class_of), Some(class));
                found.extend(
                    subclasses.map(|[subclass, ..]| subclass).filter(|subclass| seen.insert(*subclass)),
                );
            }
            found.sort_unstable();
            self.subclasses[class.index()] = found.into();
        }
    }

    /// The node of a shape as a term.
    pub(super) fn shape_node(&self, id: ShapeId) -> &'s Term {
        &self.shape(id).node
    }
}

fn tests_node(shape: &Shape) -> bool {
    let mut checks = shape.constraints.iter().map(|constraint| &constraint.check);
    !shape.is_deactivated && shape.path.is_none() && checks.all(ConstraintCheck::tests_value)
}

/// Returns for each shape whether it refers to itself.
fn recursive(shapes: &[Shape]) -> Vec<bool> {
    let components = super::recursion::components(shapes);
    components.into_iter().map(|component| component.is_recursive).collect()
}
