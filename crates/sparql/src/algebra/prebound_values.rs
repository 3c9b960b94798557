//! Replaces variables with values in triples, paths and GRAPH. A value may be any term, even one that is not allowed in
//! that place: a pattern with a literal as its subject is not an error, but matches nothing.

use oxrdf::{NamedNode, Term};
use spargebra::algebra::GraphPattern;
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};

use crate::algebra::substitution::{TermSubstitutions, in_term};
use crate::algebra::{exists_mut, in_scope, parts_mut};

/// Puts the values into all triples, paths and names of graphs of a pattern, including those in EXISTS.
pub(crate) fn put_values(pattern: &mut GraphPattern, values: &TermSubstitutions) {
    // In the algebra, a blank node is an unnamed variable and cannot name a node of the dataset. The store identifies
    // its blank nodes by IRIs of the form `_:label`.
    put_names(pattern, &names_of(values));
}

/// Puts the values into the template of CONSTRUCT. A triple that cannot exist with its values makes none.
pub(crate) fn put_in_template(template: &mut [TriplePattern], values: &TermSubstitutions) {
    let names = names_of(values);
    for triple in template {
        put_in_triple(triple, &names);
    }
}

fn names_of(values: &TermSubstitutions) -> TermSubstitutions {
    values.iter().map(|(variable, term)| (variable.clone(), named(term).into())).collect()
}

/// The term as it is written in a query over the store.
pub(crate) fn named(term: &Term) -> GroundTerm {
    match term {
        Term::NamedNode(node) => GroundTerm::NamedNode(node.clone()),
        Term::Literal(literal) => GroundTerm::Literal(literal.clone()),
        Term::BlankNode(node) => GroundTerm::NamedNode(NamedNode::new_unchecked(node.to_string())),
    }
}

fn put_names(pattern: &mut GraphPattern, names: &TermSubstitutions) {
    exists_mut(pattern).into_iter().for_each(|inside| put_names(inside, names));
    let matches_nothing = match pattern {
        // Every triple gets its values, even after an impossible one: the later ones determine which variables are
        // left.
        GraphPattern::Bgp { patterns } => {
            let mut is_impossible = false;
            for triple in patterns {
                is_impossible |= put_in_triple(triple, names);
            }
            is_impossible
        }
        GraphPattern::Path { subject, object, .. } => {
            in_term(subject, names);
            in_term(object, names);
            false
        }
        GraphPattern::Graph { name, .. } => put_in_name(name, names),
        _ => false,
    };
    if matches_nothing {
        let variables = in_scope(pattern).into_iter().filter(|variable| !names.contains_key(variable));
        *pattern = GraphPattern::Values { variables: variables.collect(), bindings: Vec::new() };
        return;
    }
    parts_mut(pattern).into_iter().for_each(|part| put_names(part, names));
}

/// Puts the values into a triple; returns whether no triple can match it.
fn put_in_triple(triple: &mut TriplePattern, names: &TermSubstitutions) -> bool {
    in_term(&mut triple.subject, names);
    in_term(&mut triple.object, names);
    put_in_name(&mut triple.predicate, names) || matches!(triple.subject, TermPattern::Literal(_))
}

/// Puts a value into a name; returns whether the value is a literal, which names nothing.
fn put_in_name(name: &mut NamedNodePattern, names: &TermSubstitutions) -> bool {
    let NamedNodePattern::Variable(variable) = name else { return false };
    match names.get(variable) {
        Some(Term::NamedNode(node)) => *name = NamedNodePattern::NamedNode(node.clone()),
        Some(_) => return true,
        None => {}
    }
    false
}
