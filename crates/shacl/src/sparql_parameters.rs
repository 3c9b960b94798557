//! Reads the parts of shapes that are in SPARQL: constraints (SHACL, section 5), components (section 6) and targets.

use std::sync::Arc;

use oxrdf::Term;

use super::compilation::ShapesCompilation;
use super::component::{ComponentParameter, ConstraintComponent, SparqlValidator, local_name};
use super::query_text::{messages, query_text};
use super::shape::{AppliedComponent, Constraint, ConstraintCheck, SparqlConstraint, SparqlTarget};
use super::shapes_graph::{BoxedShapesFault, ShapesGraph, ShapesStatement, shown};
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_store::TermId;

/// The variables that may be bound before a constraint is evaluated (section 5.3.1).
const PRE_BOUND: [&str; 3] = ["this", "shapesGraph", "currentShape"];

/// Reads the value of `sh:sparql`.
pub(super) fn read_constraint(
    compiler: &mut ShapesCompilation<'_, '_>,
    shape: TermId,
    node: TermId,
    at: ShapesStatement,
) -> Result<SparqlConstraint, BoxedShapesFault> {
    let graph = compiler.graph;
    let text = query_text(graph, node, at)?;
    if text.is_ask {
        let message = "a constraint has a `sh:select`; `sh:ask` is for validators".to_owned();
        return Err(graph.fault("shacl::sparql", message, text.at));
    }
    let path = graph.values(shape, "path").first().copied();
    let path = path.and_then(|path| compiler.path(path, compiler.statement(shape, "path", path)));
    let query = text.parse(graph, path.as_deref(), &PRE_BOUND, compiler.plain)?;
    Ok(SparqlConstraint { node: text.node, query, messages: messages(graph, node)? })
}

/// Reads the value of `sh:target`: a SPARQL-based target, or an instance of a type of such targets.
pub(super) fn read_target(
    graph: &ShapesGraph<'_>,
    node: TermId,
    at: ShapesStatement,
    plain: bool,
) -> Result<SparqlTarget, BoxedShapesFault> {
    if !graph.values(node, "select").is_empty() {
        let query = query_text(graph, node, at)?.parse(graph, None, &[], plain)?;
        return Ok(SparqlTarget { query, bindings: Vec::new() });
    }
    for class in graph.objects(node, graph.find(rdf::TYPE)) {
        if graph.values(class, "select").is_empty() {
            continue;
        }
        let text = query_text(graph, class, at)?;
        let mut bindings = Vec::new();
        for parameter in graph.values(class, "parameter") {
            for path in graph.values(parameter, "path") {
                let variable = local_name(graph.text(path)).to_owned();
                let values = graph.objects(node, Some(path));
                bindings.extend(values.first().map(|value| (variable, graph.term(*value))));
            }
        }
        let names: Vec<&str> = bindings.iter().map(|(name, _)| name.as_str()).collect();
        let query = text.parse(graph, None, &names, plain)?;
        return Ok(SparqlTarget { query, bindings });
    }
    let message = "the target has no `sh:select`, and no type of it has one".to_owned();
    Err(graph.fault("shacl::target", message, at))
}

/// The components of the shapes graph that a shape uses: those for which it has every mandatory parameter.
pub(super) fn applied_components(
    compiler: &mut ShapesCompilation<'_, '_>,
    shape: TermId,
    has_path: bool,
) -> Vec<Constraint> {
    let mut constraints = Vec::new();
    for component in compiler.components.clone() {
        let graph = compiler.graph;
        let values: Vec<Vec<TermId>> = component
            .parameters
            .iter()
            .map(|parameter| graph.objects(shape, Some(parameter.predicate)))
            .collect();
        let lacks = |(parameter, values): (&ComponentParameter, &Vec<TermId>)| {
            values.is_empty() && !parameter.is_optional
        };
        if component.parameters.iter().zip(&values).any(lacks) {
            continue;
        }
        // If a component has one parameter, the parameter may have several values, and each is a constraint. If it has
        // several parameters, each has one value (section 6.2.3).
        let single = component.parameters.len() == 1;
        if !single && let Some(many) = values.iter().position(|values| values.len() > 1) {
            let predicate = component.parameters[many].predicate;
            let message =
                format!("the shape has several values of {}; one is allowed", graph.shown(predicate));
            compiler.fault(
                "shacl::parameter",
                message,
                ShapesStatement::new(shape, predicate, values[many][1]),
            );
            continue;
        }
        let rounds = if single { values[0].len() } else { 1 };
        for round in 0..rounds {
            let bindings = component.parameters.iter().zip(&values).filter_map(|(parameter, values)| {
                let value = values.get(if single { round } else { 0 })?;
                Some((parameter.variable.clone(), graph.term(*value)))
            });
            let bindings = bindings.collect();
            let applied = apply(compiler, shape, &component, bindings, has_path);
            if let Some(applied) = compiler.told(applied).flatten() {
                constraints.push(Constraint { check: ConstraintCheck::Component(Arc::new(applied)) });
            }
        }
    }
    constraints
}

fn apply(
    compiler: &mut ShapesCompilation<'_, '_>,
    shape: TermId,
    component: &ConstraintComponent,
    bindings: Vec<(String, Term)>,
    has_path: bool,
) -> Result<Option<AppliedComponent>, BoxedShapesFault> {
    let graph = compiler.graph;
    let special = if has_path { &component.property_validator } else { &component.node_validator };
    let Some(SparqlValidator { query: text, messages }) = special.as_ref().or(component.validator.as_ref())
    else {
        let message = format!("{} has no validator for shapes of this kind", shown(&component.node));
        return Err(graph.fault("shacl::component", message, ShapesStatement::node(shape)));
    };
    let path = graph.values(shape, "path").first().copied();
    let path = path.and_then(|path| compiler.path(path, compiler.statement(shape, "path", path)));
    let mut names: Vec<&str> = bindings.iter().map(|(name, _)| name.as_str()).collect();
    names.extend(PRE_BOUND);
    if text.is_ask {
        names.push("value");
    }
    let query = text.parse(graph, path.as_deref(), &names, compiler.plain)?;
    Ok(Some(AppliedComponent {
        component: component.node.clone(),
        bindings,
        query,
        is_ask: text.is_ask,
        messages: messages.clone(),
    }))
}
