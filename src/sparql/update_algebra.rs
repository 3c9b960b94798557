//! The parts of an update that a query lacks: quads, and templates of quads. Walking over them, filling
//! them with a solution, and putting terms in the place of their variables.

use std::collections::HashMap;

use oxrdf::{BlankNode, NamedNode, NamedOrBlankNode, Term, Variable};
use spareval::QuerySolution;
use spargebra::term::{
    GraphName, GraphNamePattern, GroundQuad, GroundQuadPattern, GroundTerm, GroundTermPattern,
    NamedNodePattern, QuadPattern, TermPattern,
};
use spargebra::{GraphUpdateOperation, Update};

use super::algebra::pattern_iris;
use super::substitution::{
    SubstitutionError, Substitutions, in_name, in_pattern, in_subject, in_term, iri_of,
};

/// A change that an operation asks for; no graph is the default graph.
pub(super) struct Change {
    pub(super) is_insertion: bool,
    pub(super) triple: [Term; 3],
    pub(super) graph: Option<Term>,
}

/// The name of a graph as a term; none is the default graph.
pub(super) fn graph_term(name: &GraphName) -> Option<Term> {
    match name {
        GraphName::NamedNode(node) => Some(node.clone().into()),
        GraphName::DefaultGraph => None,
    }
}

/// The deletion of a quad.
pub(super) fn deletion_of(quad: &GroundQuad) -> Change {
    let triple = [quad.subject.clone().into(), quad.predicate.clone().into(), quad.object.clone().into()];
    Change { is_insertion: false, triple, graph: graph_term(&quad.graph_name) }
}

/// The deletion that a solution asks for; none where it has no value for a variable.
pub(super) fn deletion(quad: &GroundQuadPattern, solution: &QuerySolution) -> Option<Change> {
    let term = |term: &GroundTermPattern| -> Option<Term> {
        match term {
            GroundTermPattern::NamedNode(node) => Some(node.clone().into()),
            GroundTermPattern::Literal(literal) => Some(literal.clone().into()),
            GroundTermPattern::Variable(variable) => solution.get(variable).cloned(),
        }
    };
    let triple = [term(&quad.subject)?, name(&quad.predicate, solution)?, term(&quad.object)?];
    let graph = graph(&quad.graph_name, solution)?;
    Some(Change { is_insertion: false, triple, graph })
}

/// The insertion that a solution asks for; none where that would be no quad.
pub(super) fn insertion(
    quad: &QuadPattern,
    solution: &QuerySolution,
    blank_nodes: &mut HashMap<BlankNode, BlankNode>,
) -> Option<Change> {
    let mut term = |term: &TermPattern| -> Option<Term> {
        match term {
            TermPattern::NamedNode(node) => Some(node.clone().into()),
            TermPattern::Literal(literal) => Some(literal.clone().into()),
            TermPattern::BlankNode(node) => Some(blank_nodes.entry(node.clone()).or_default().clone().into()),
            TermPattern::Variable(variable) => solution.get(variable).cloned(),
        }
    };
    let subject = term(&quad.subject).filter(|subject| !subject.is_literal())?;
    let predicate = name(&quad.predicate, solution).filter(Term::is_named_node)?;
    let triple = [subject, predicate, term(&quad.object)?];
    let graph = graph(&quad.graph_name, solution)?;
    Some(Change { is_insertion: true, triple, graph })
}

fn name(name: &NamedNodePattern, solution: &QuerySolution) -> Option<Term> {
    match name {
        NamedNodePattern::NamedNode(node) => Some(node.clone().into()),
        NamedNodePattern::Variable(variable) => solution.get(variable).cloned(),
    }
}

/// The graph of a template: nothing where a solution gives no name of a graph, an inner nothing for the
/// default graph.
fn graph(name: &GraphNamePattern, solution: &QuerySolution) -> Option<Option<Term>> {
    match name {
        GraphNamePattern::NamedNode(node) => Some(Some(node.clone().into())),
        GraphNamePattern::DefaultGraph => Some(None),
        GraphNamePattern::Variable(variable) => {
            solution.get(variable).filter(|term| !term.is_literal()).map(|term| Some(term.clone()))
        }
    }
}

/// The variables of templates, in their order.
pub(super) fn variables_of_templates(delete: &[GroundQuadPattern], insert: &[QuadPattern]) -> Vec<Variable> {
    let mut variables: Vec<Variable> = Vec::new();
    let mut add = |variable: Option<&Variable>| {
        if let Some(variable) = variable
            && !variables.contains(variable)
        {
            variables.push(variable.clone());
        }
    };
    let ground = |term: &GroundTermPattern| match term {
        GroundTermPattern::Variable(variable) => Some(variable.clone()),
        _ => None,
    };
    let any = |term: &TermPattern| match term {
        TermPattern::Variable(variable) => Some(variable.clone()),
        _ => None,
    };
    for quad in delete {
        add(ground(&quad.subject).as_ref());
        add(variable_of_name(&quad.predicate));
        add(ground(&quad.object).as_ref());
        add(variable_of_graph(&quad.graph_name));
    }
    for quad in insert {
        add(any(&quad.subject).as_ref());
        add(variable_of_name(&quad.predicate));
        add(any(&quad.object).as_ref());
        add(variable_of_graph(&quad.graph_name));
    }
    variables
}

fn variable_of_name(name: &NamedNodePattern) -> Option<&Variable> {
    match name {
        NamedNodePattern::Variable(variable) => Some(variable),
        NamedNodePattern::NamedNode(_) => None,
    }
}

fn variable_of_graph(name: &GraphNamePattern) -> Option<&Variable> {
    match name {
        GraphNamePattern::Variable(variable) => Some(variable),
        GraphNamePattern::NamedNode(_) | GraphNamePattern::DefaultGraph => None,
    }
}

/// Calls `change` for each IRI that stands for a node, a property or a class; names of functions,
/// datatypes and graphs are left out.
pub(super) fn for_each_iri_of_update(update: &mut Update, change: &mut dyn FnMut(&mut NamedNode)) {
    for operation in &mut update.operations {
        match operation {
            GraphUpdateOperation::InsertData { data } => {
                for quad in data {
                    if let NamedOrBlankNode::NamedNode(node) = &mut quad.subject {
                        change(node);
                    }
                    change(&mut quad.predicate);
                    if let Term::NamedNode(node) = &mut quad.object {
                        change(node);
                    }
                }
            }
            GraphUpdateOperation::DeleteData { data } => {
                for quad in data {
                    change(&mut quad.subject);
                    change(&mut quad.predicate);
                    if let GroundTerm::NamedNode(node) = &mut quad.object {
                        change(node);
                    }
                }
            }
            GraphUpdateOperation::DeleteInsert { delete, insert, pattern, .. } => {
                iris_of_templates(delete, insert, change);
                pattern_iris(pattern, change);
            }
            _ => {}
        }
    }
}

fn iris_of_templates(
    delete: &mut [GroundQuadPattern],
    insert: &mut [QuadPattern],
    change: &mut dyn FnMut(&mut NamedNode),
) {
    for quad in delete {
        for term in [&mut quad.subject, &mut quad.object] {
            if let GroundTermPattern::NamedNode(node) = term {
                change(node);
            }
        }
        if let NamedNodePattern::NamedNode(node) = &mut quad.predicate {
            change(node);
        }
    }
    for quad in insert {
        for term in [&mut quad.subject, &mut quad.object] {
            if let TermPattern::NamedNode(node) = term {
                change(node);
            }
        }
        if let NamedNodePattern::NamedNode(node) = &mut quad.predicate {
            change(node);
        }
    }
}

/// Puts the terms in the place of their variables, in patterns and templates.
pub(super) fn substitute_in_update(
    update: &mut Update,
    terms: &Substitutions,
) -> Result<(), SubstitutionError> {
    for operation in &mut update.operations {
        let GraphUpdateOperation::DeleteInsert { delete, insert, pattern, .. } = operation else { continue };
        for quad in delete {
            if let GroundTermPattern::Variable(variable) = &quad.subject {
                iri_of(variable, terms)?;
            }
            in_ground_term(&mut quad.subject, terms);
            in_name(&mut quad.predicate, terms)?;
            in_ground_term(&mut quad.object, terms);
            in_graph_name(&mut quad.graph_name, terms)?;
        }
        for quad in insert {
            in_subject(&mut quad.subject, terms)?;
            in_name(&mut quad.predicate, terms)?;
            in_term(&mut quad.object, terms);
            in_graph_name(&mut quad.graph_name, terms)?;
        }
        in_pattern(pattern, terms)?;
    }
    Ok(())
}

fn in_ground_term(term: &mut GroundTermPattern, terms: &Substitutions) {
    if let GroundTermPattern::Variable(variable) = term {
        match terms.get(variable) {
            Some(Term::NamedNode(node)) => *term = GroundTermPattern::NamedNode(node.clone()),
            Some(Term::Literal(literal)) => *term = GroundTermPattern::Literal(literal.clone()),
            Some(Term::BlankNode(_)) | None => {}
        }
    }
}

fn in_graph_name(name: &mut GraphNamePattern, terms: &Substitutions) -> Result<(), SubstitutionError> {
    if let GraphNamePattern::Variable(variable) = name
        && let Some(node) = iri_of(variable, terms)?
    {
        *name = GraphNamePattern::NamedNode(node.clone());
    }
    Ok(())
}
