//! A quad sink that keeps what it is given, lost quads too, for comparison.

use crate::isomorphism::{Quad, Term};
use evalgraph_rdf::sink::{self, QuadSink};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Terms interned in comparable form, and the quads over them.
#[derive(Debug, Default)]
pub struct CollectingSink {
    terms: Vec<Term>,
    handles: HashMap<Term, usize>,
    /// Terms that only a lost quad may hold: IRIs and language tags that are none.
    ill_formed: BTreeSet<usize>,
    blank_nodes: usize,
    quads: BTreeSet<[Option<usize>; 4]>,
    lost: Vec<([Option<usize>; 4], u32)>,
}

impl CollectingSink {
    /// The distinct quads.
    pub fn quads(&self) -> BTreeSet<Quad> {
        let term = |handle: Option<usize>| {
            handle.map_or_else(|| Term::Ground(String::new()), |handle| self.terms[handle].clone())
        };
        self.quads.iter().map(|quad| quad.map(term)).collect()
    }

    fn intern(&mut self, term: Term) -> usize {
        let next = self.terms.len();
        let handle = *self.handles.entry(term.clone()).or_insert(next);
        if handle == next {
            self.terms.push(term);
        }
        handle
    }

    fn literal(&mut self, literal: &oxrdf::Literal) -> usize {
        self.intern(Term::Ground(literal.to_string()))
    }
}

impl QuadSink for CollectingSink {
    type Term = usize;

    fn iri(&mut self, iri: &str) -> usize {
        let handle = self.intern(Term::Ground(format!("<{iri}>")));
        if oxrdf::NamedNode::new(iri).is_err() {
            self.ill_formed.insert(handle);
        }
        handle
    }

    fn blank_node(&mut self) -> usize {
        self.blank_nodes += 1;
        self.intern(Term::Blank(format!("b{}", self.blank_nodes)))
    }

    fn string(&mut self, value: &str) -> usize {
        self.literal(&oxrdf::Literal::new_simple_literal(value))
    }

    fn typed_literal(&mut self, lexical: &str, datatype: usize) -> usize {
        let Term::Ground(datatype) = &self.terms[datatype] else { panic!("a datatype is an IRI") };
        let datatype = oxrdf::NamedNode::new_unchecked(&datatype[1..datatype.len() - 1]);
        self.literal(&oxrdf::Literal::new_typed_literal(lexical, datatype))
    }

    fn language_string(&mut self, value: &str, language: &str) -> usize {
        match oxrdf::Literal::new_language_tagged_literal(value, language) {
            Ok(literal) => self.literal(&literal),
            Err(_) => {
                let handle = self.intern(Term::Ground(format!("{value:?}@{language}")));
                self.ill_formed.insert(handle);
                handle
            }
        }
    }

    fn quad(&mut self, subject: usize, predicate: usize, object: usize, graph: Option<usize>) {
        let quad = [Some(subject), Some(predicate), Some(object), graph];
        for handle in quad.iter().flatten() {
            assert!(!self.ill_formed.contains(handle), "{:?} is not a term of RDF", self.terms[*handle]);
        }
        self.quads.insert(quad);
    }

    fn lost_quad(&mut self, quad: sink::HandleQuad<usize>, cause: u32) {
        self.lost.push(([Some(quad.subject), Some(quad.predicate), Some(quad.object), quad.graph], cause));
    }

    /// How many distinct quads were lost to each cause: one that is there all the same is not
    /// lost, one that was lost twice counts for the first cause.
    fn take_lost_costs(&mut self) -> BTreeMap<u32, u64> {
        let mut seen = BTreeSet::new();
        let mut costs = BTreeMap::new();
        for (quad, cause) in std::mem::take(&mut self.lost) {
            if !self.quads.contains(&quad) && seen.insert(quad) {
                *costs.entry(cause).or_default() += 1;
            }
        }
        costs
    }
}
