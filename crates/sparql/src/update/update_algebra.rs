//! The parts of an update that a query does not have: quads and templates of quads. This module walks over them, fills
//! them with a solution, and replaces their variables with terms.

use std::collections::HashMap;

use oxrdf::{BlankNode, NamedNode, NamedOrBlankNode, Term, Variable};
use sparesults::QuerySolution;
use spargebra::term::{
    GraphName, GraphNamePattern, GroundQuad, GroundQuadPattern, GroundTerm, GroundTermPattern,
    NamedNodePattern, QuadPattern, TermPattern,
};
use spargebra::{GraphUpdateOperation, Update};

use crate::algebra::substitution::{
    SubstitutionError, TermSubstitutions, in_name, in_pattern, in_subject, in_term, iri_of,
};
use crate::algebra::{name_iri, pattern_iris, term_iris};

/// A change that an operation requests. `None` as the graph is the default graph.
pub(crate) struct RequestedQuadChange {
    pub(crate) is_insertion: bool,
    pub(crate) triple: [Term; 3],
    pub(crate) graph: Option<Term>,
}

/// The name of a graph as a term, or `None` for the default graph.
pub(crate) fn graph_term(name: &GraphName) -> Option<Term> {
    match name {
        GraphName::NamedNode(node) => Some(node.clone().into()),
        GraphName::DefaultGraph => None,
    }
}

/// The deletion of a quad.
pub(crate) fn deletion_of(quad: &GroundQuad) -> RequestedQuadChange {
    let triple = [quad.subject.clone().into(), quad.predicate.clone().into(), quad.object.clone().into()];
    RequestedQuadChange { is_insertion: false, triple, graph: graph_term(&quad.graph_name) }
}

/// Turns a template of deletions into one of quads.
pub(crate) fn template_of(quad: &GroundQuadPattern) -> QuadPattern {
    let GroundQuadPattern { subject, predicate, object, graph_name } = quad.clone();
    QuadPattern { subject: subject.into(), predicate, object: object.into(), graph_name }
}

/// The change that a solution requests, or `None` if the solution has no value for a variable or an insertion would not
/// be a valid quad.
pub(crate) fn change(
    quad: &QuadPattern,
    is_insertion: bool,
    solution: &QuerySolution,
    blank_nodes: &mut HashMap<BlankNode, BlankNode>,
) -> Option<RequestedQuadChange> {
    let mut term = |term: &TermPattern| -> Option<Term> {
        match term {
            TermPattern::NamedNode(node) => Some(node.clone().into()),
            TermPattern::Literal(literal) => Some(literal.clone().into()),
            TermPattern::BlankNode(node) => Some(blank_nodes.entry(node.clone()).or_default().clone().into()),
            TermPattern::Variable(variable) => solution.get(variable).cloned(),
        }
    };
    let triple = [term(&quad.subject)?, name(&quad.predicate, solution)?, term(&quad.object)?];
    // A deletion of what is not a quad deletes nothing, so only insertions are checked.
    if is_insertion && (triple[0].is_literal() || !triple[1].is_named_node()) {
        return None;
    }
    let graph = graph(&quad.graph_name, solution)?;
    Some(RequestedQuadChange { is_insertion, triple, graph })
}

fn name(name: &NamedNodePattern, solution: &QuerySolution) -> Option<Term> {
    match name {
        NamedNodePattern::NamedNode(node) => Some(node.clone().into()),
        NamedNodePattern::Variable(variable) => solution.get(variable).cloned(),
    }
}

/// The graph of a template: `None` if the solution does not give the name of a graph, `Some(None)` for the default
/// graph.
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
pub(crate) fn variables_of_templates<'q>(templates: impl Iterator<Item = &'q QuadPattern>) -> Vec<Variable> {
    let of_term = |term: &'q TermPattern| match term {
        TermPattern::Variable(variable) => Some(variable),
        _ => None,
    };
    let mut variables: Vec<Variable> = Vec::new();
    for QuadPattern { subject, predicate, object, graph_name } in templates {
        let predicate = match predicate {
            NamedNodePattern::Variable(variable) => Some(variable),
            NamedNodePattern::NamedNode(_) => None,
        };
        let graph = match graph_name {
            GraphNamePattern::Variable(variable) => Some(variable),
            GraphNamePattern::NamedNode(_) | GraphNamePattern::DefaultGraph => None,
        };
        for variable in [of_term(subject), predicate, of_term(object), graph].into_iter().flatten() {
            if !variables.contains(variable) {
                variables.push(variable.clone());
            }
        }
    }
    variables
}

/// Calls `change` for each IRI of a node, a property or a class. Names of functions, datatypes and graphs are left out.
pub(crate) fn for_each_iri_of_update(update: &mut Update, change: &mut dyn FnMut(&mut NamedNode)) {
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
                for quad in delete {
                    for term in [&mut quad.subject, &mut quad.object] {
                        if let GroundTermPattern::NamedNode(node) = term {
                            change(node);
                        }
                    }
                    name_iri(&mut quad.predicate, change);
                }
                for quad in insert {
                    term_iris(&mut quad.subject, change);
                    name_iri(&mut quad.predicate, change);
                    term_iris(&mut quad.object, change);
                }
                pattern_iris(pattern, change);
            }
            _ => {}
        }
    }
}

/// Replaces variables with their terms, in patterns and templates.
pub(crate) fn substitute_in_update(
    update: &mut Update,
    terms: &TermSubstitutions,
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

fn in_ground_term(term: &mut GroundTermPattern, terms: &TermSubstitutions) {
    if let GroundTermPattern::Variable(variable) = term {
        match terms.get(variable) {
            Some(Term::NamedNode(node)) => *term = GroundTermPattern::NamedNode(node.clone()),
            Some(Term::Literal(literal)) => *term = GroundTermPattern::Literal(literal.clone()),
            Some(Term::BlankNode(_)) | None => {}
        }
    }
}

fn in_graph_name(name: &mut GraphNamePattern, terms: &TermSubstitutions) -> Result<(), SubstitutionError> {
    if let GraphNamePattern::Variable(variable) = name
        && let Some(node) = iri_of(variable, terms)?
    {
        *name = GraphNamePattern::NamedNode(node.clone());
    }
    Ok(())
}
