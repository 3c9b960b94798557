//! The values of variables in the queries of shapes.

use oxrdf::Term;
use sparesults::QuerySolution;

use super::ids::ShapeId;
use super::validation_plan::ValidationPlan;

/// The values of variables.
pub(super) type SolutionBindings = Vec<(String, Term)>;

/// The bindings that are the same for all focus nodes of a shape.
pub(super) fn shape_bindings(plan: &ValidationPlan<'_, '_>, shape: ShapeId) -> SolutionBindings {
    let mut bindings = Vec::new();
    // A blank node of the shapes is not in the data: its name could be that of another node there.
    if plan.shape_node(shape).is_named_node() {
        bindings.push(("currentShape".to_owned(), plan.shape_node(shape).clone()));
    }
    if let Some(graph) = &plan.shapes.graph_name {
        bindings.push(("shapesGraph".to_owned(), graph.clone().into()));
    }
    bindings
}

/// A solution as bindings.
pub(super) fn bindings_of(solution: &QuerySolution) -> SolutionBindings {
    solution.iter().map(|(variable, term)| (variable.as_str().to_owned(), term.clone())).collect()
}

/// The bindings in the form that queries take.
pub(super) fn borrowed(bindings: &[(String, Term)]) -> Vec<(&str, Term)> {
    bindings.iter().map(|(name, term)| (name.as_str(), term.clone())).collect()
}
