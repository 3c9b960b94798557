//! The template of CONSTRUCT, filled with the solutions of a server.

use std::collections::HashMap;

use oxrdf::{NamedOrBlankNode, Term, Triple};
use spargebra::term::QuadPattern;

use crate::evaluate::SolutionSequence;
use crate::results::graph_triples::QueryTriples;
use crate::update::update_algebra::change;

/// The template of CONSTRUCT.
#[derive(Debug, Clone)]
pub struct ServerTemplate(pub(crate) Vec<QuadPattern>);

impl ServerTemplate {
    /// The triples of solutions, each once.
    pub fn triples<'s>(self, solutions: SolutionSequence<'s>) -> QueryTriples<'s> {
        let filled = solutions.flat_map(move |solution| {
            let solution = match solution {
                Ok(solution) => solution,
                Err(fault) => return vec![Err(fault)],
            };
            let mut blank_nodes = HashMap::new();
            let triples = self.0.iter().filter_map(|quad| change(quad, true, &solution, &mut blank_nodes));
            triples.filter_map(|change| triple_of(change.triple)).map(Ok).collect()
        });
        QueryTriples::distinct(filled)
    }
}

fn triple_of(terms: [Term; 3]) -> Option<Triple> {
    let [subject, predicate, object] = terms;
    let subject: NamedOrBlankNode = match subject {
        Term::NamedNode(node) => node.into(),
        Term::BlankNode(node) => node.into(),
        Term::Literal(_) => return None,
    };
    let Term::NamedNode(predicate) = predicate else { return None };
    Some(Triple { subject, predicate, object })
}
