//! Constraints in SPARQL that are asked once for all focus nodes of a shape, where that gives the answers of one query for
//! each node.

use std::collections::HashMap;

use oxrdf::Term;
use spareval::QuerySolution;

use super::ids::ShapeId;
use super::plan::Plan;
use super::shape::{Check, SparqlConstraint};
use crate::diagnostic::Diagnostic;
use crate::sparql::Cancellation;
use crate::store::TermId;

/// The values of variables.
pub(super) type Bindings = Vec<(String, Term)>;

/// How many focus nodes one query is about at most.
const NODES_AT_ONCE: usize = 1 << 16;

/// The solutions of constraints by shape, constraint and focus node.
#[derive(Debug, Default)]
pub(super) struct BulkAnswers(HashMap<(ShapeId, usize), Answer>);

#[derive(Debug, Default)]
struct Answer {
    /// The focus nodes that the query was about, sorted.
    nodes: Vec<TermId>,
    solutions: HashMap<TermId, Vec<Bindings>>,
}

impl BulkAnswers {
    /// The solutions of a constraint for a focus node; none where the query was not about it.
    pub(super) fn of(&self, shape: ShapeId, constraint: usize, focus: TermId) -> Option<&[Bindings]> {
        let answer = self.0.get(&(shape, constraint))?;
        answer.nodes.binary_search(&focus).ok()?;
        Some(answer.solutions.get(&focus).map_or(&[], Vec::as_slice))
    }

    /// Asks the constraints of a shape, and of the shapes that are about the same focus nodes.
    pub(super) fn ask(
        plan: &Plan<'_, '_>,
        shape: ShapeId,
        nodes: &[TermId],
        cancellation: &Cancellation,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut answers = HashMap::new();
        for shape in same_focus(plan, shape) {
            for (place, constraint) in plan.shape(shape).constraints.iter().enumerate() {
                if let Check::Sparql(constraint) = &constraint.check
                    && let Some(answer) = ask(plan, shape, constraint, nodes, cancellation)?
                {
                    answers.insert((shape, place), answer);
                }
            }
        }
        Ok(Self(answers))
    }
}

/// A shape and the shapes that are asked about its focus nodes: those of its properties and nodes.
fn same_focus(plan: &Plan<'_, '_>, root: ShapeId) -> Vec<ShapeId> {
    let (mut shapes, mut next) = (vec![root], 0);
    while let Some(shape) = shapes.get(next).copied() {
        next += 1;
        if plan.shape(shape).path.is_some() {
            continue;
        }
        for constraint in &plan.shape(shape).constraints {
            if let Check::Property(inner) | Check::Node(inner) = &constraint.check
                && !shapes.contains(inner)
            {
                shapes.push(*inner);
            }
        }
    }
    shapes.retain(|shape| !plan.shape(*shape).is_deactivated);
    shapes
}

fn ask(
    plan: &Plan<'_, '_>,
    shape: ShapeId,
    constraint: &SparqlConstraint,
    nodes: &[TermId],
    cancellation: &Cancellation,
) -> Result<Option<Answer>, Box<Diagnostic>> {
    let Some(query) = constraint.query.in_bulk(&["this"]) else { return Ok(None) };
    let bindings = shape_bindings(plan, shape);
    let bindings: Vec<(&str, Term)> =
        bindings.iter().map(|(name, term)| (name.as_str(), term.clone())).collect();
    let mut answer = Answer { nodes: nodes.to_vec(), ..Answer::default() };
    for nodes in nodes.chunks(NODES_AT_ONCE) {
        let rows: Vec<Vec<Term>> = nodes.iter().map(|node| vec![plan.terms.term(*node)]).collect();
        for solution in query.select(plan.view(), &rows, &bindings, cancellation)? {
            if let Some(this) = solution.get("this") {
                answer.solutions.entry(plan.terms.of_query(this)).or_default().push(bindings_of(&solution));
            }
        }
    }
    Ok(Some(answer))
}

/// The bindings that are the same for all focus nodes of a shape.
pub(super) fn shape_bindings(plan: &Plan<'_, '_>, shape: ShapeId) -> Bindings {
    let mut bindings = Vec::new();
    // A blank node of the shapes is none of the data: its name could be that of another one there.
    if plan.shape_node(shape).is_named_node() {
        bindings.push(("currentShape".to_owned(), plan.shape_node(shape).clone()));
    }
    if let Some(graph) = &plan.shapes.graph_name {
        bindings.push(("shapesGraph".to_owned(), graph.clone().into()));
    }
    bindings
}

/// A solution as bindings.
pub(super) fn bindings_of(solution: &QuerySolution) -> Bindings {
    solution.iter().map(|(variable, term)| (variable.as_str().to_owned(), term.clone())).collect()
}
