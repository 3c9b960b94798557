//! The triples of CONSTRUCT: each solution is put into the template. Solutions are numbers of terms, and so are the
//! triples: their reader makes the terms, either each one once or anew for each triple.

use std::collections::HashMap;

use oxrdf::{BlankNode, Variable};
use spargebra::algebra::GraphPattern;
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use crate::deadline::EvaluationDeadline;
use crate::environment::EvaluationError;
use evalgraph_store::DatasetView;

/// The number of a term.
type TemplateTermNumber = u32;

/// One place of a template.
#[derive(Debug, Clone, Copy)]
enum TemplateSlot {
    /// The same term in each triple.
    Constant(TemplateTermNumber),
    /// The value of a column.
    Column(usize),
    /// A blank node that is new for each solution.
    Blank(usize),
    /// A variable that is never bound, so the template makes no triple.
    Unbound,
}

/// The triples of a template, whose variables are columns of the solutions.
pub(crate) struct ConstructTemplate {
    triples: Vec<[TemplateSlot; 3]>,
    blank_nodes: usize,
}

impl ConstructTemplate {
    pub(crate) fn new(template: &[TriplePattern], columns: &[Variable], view: &DatasetView<'_>) -> Self {
        let mut labels = HashMap::new();
        let column = |variable: &Variable| {
            columns
                .iter()
                .position(|known| known == variable)
                .map_or(TemplateSlot::Unbound, TemplateSlot::Column)
        };
        let mut term = |term: &TermPattern| match term {
            TermPattern::Variable(variable) => column(variable),
            TermPattern::BlankNode(node) => {
                let next = labels.len();
                TemplateSlot::Blank(*labels.entry(node.clone()).or_insert(next))
            }
            TermPattern::NamedNode(node) => {
                TemplateSlot::Constant(view.intern_named(node.clone().into()).number())
            }
            TermPattern::Literal(literal) => {
                TemplateSlot::Constant(view.intern(literal.clone().into()).number())
            }
        };
        let mut triples = Vec::new();
        for triple in template {
            let predicate = term(&triple.predicate.clone().into());
            triples.push([term(&triple.subject), predicate, term(&triple.object)]);
        }
        let blank_nodes = labels.len();
        Self { triples, blank_nodes }
    }
}

/// Returns whether all solutions make different triples: the template is one triple with all variables of the pattern,
/// and the solutions of the pattern are distinct.
pub(crate) fn makes_each_once(template: &[TriplePattern], pattern: &GraphPattern) -> bool {
    let [triple] = template else { return false };
    let terms = |triple: &TriplePattern| {
        [triple.subject.clone(), triple.predicate.clone().into(), triple.object.clone()]
    };
    let own = terms(triple);
    let mut pattern = pattern;
    loop {
        pattern = match pattern {
            GraphPattern::Filter { inner, .. }
            | GraphPattern::Slice { inner, .. }
            | GraphPattern::OrderBy { inner, .. }
            // A solution that lacks a value makes no triple.
            | GraphPattern::Project { inner, .. }
            | GraphPattern::Graph { name: NamedNodePattern::NamedNode(_), inner } => inner,
            GraphPattern::Bgp { patterns } => {
                // A blank node has several matches for the same solution.
                return patterns.iter().flat_map(terms).all(|term| match &term {
                    TermPattern::Variable(_) => own.contains(&term),
                    term => !matches!(term, TermPattern::BlankNode(_)),
                });
            }
            _ => return false,
        };
    }
}

/// The value of a slot in one solution.
#[derive(Debug, Clone)]
pub(crate) enum TemplateValue {
    /// A term of the dataset.
    Id(TemplateTermNumber),
    /// A blank node that is new for each solution.
    Blank(BlankNode),
}

/// The triples of the answer, each made when it is read. They may be repeated, and some may not be valid triples.
pub(crate) struct ConstructedTriples<R> {
    template: ConstructTemplate,
    rows: R,
    deadline: EvaluationDeadline,
    row: Vec<Option<TemplateTermNumber>>,
    blank_nodes: Vec<BlankNode>,
    next: usize,
    has_failed: bool,
}

impl<R> ConstructedTriples<R>
where
    R: Iterator<Item = Result<Vec<Option<TemplateTermNumber>>, EvaluationError>>,
{
    pub(crate) fn new(template: ConstructTemplate, rows: R, deadline: EvaluationDeadline) -> Self {
        let next = template.triples.len();
        Self { template, rows, deadline, row: Vec::new(), blank_nodes: Vec::new(), next, has_failed: false }
    }

    fn filled(&self, slot: TemplateSlot) -> Option<TemplateValue> {
        match slot {
            TemplateSlot::Constant(id) => Some(TemplateValue::Id(id)),
            TemplateSlot::Column(column) => self.row[column].map(TemplateValue::Id),
            TemplateSlot::Blank(number) => Some(TemplateValue::Blank(self.blank_nodes[number].clone())),
            TemplateSlot::Unbound => None,
        }
    }

    /// Fills one triple of the template. `None` if a variable has no value.
    fn triple(&self, [subject, predicate, object]: [TemplateSlot; 3]) -> Option<[TemplateValue; 3]> {
        Some([self.filled(subject)?, self.filled(predicate)?, self.filled(object)?])
    }

    fn advance(&mut self) -> Result<Option<[TemplateValue; 3]>, EvaluationError> {
        loop {
            while self.next < self.template.triples.len() {
                let slots = self.template.triples[self.next];
                self.next += 1;
                if let Some(triple) = self.triple(slots) {
                    return Ok(Some(triple));
                }
            }
            self.deadline.check()?;
            let Some(row) = self.rows.next() else { return Ok(None) };
            self.row = row?;
            self.blank_nodes = (0..self.template.blank_nodes).map(|_| BlankNode::default()).collect();
            self.next = 0;
        }
    }
}

impl<R> Iterator for ConstructedTriples<R>
where
    R: Iterator<Item = Result<Vec<Option<TemplateTermNumber>>, EvaluationError>>,
{
    type Item = Result<[TemplateValue; 3], EvaluationError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let result = self.advance().transpose();
        self.has_failed = matches!(result, Some(Err(_)));
        result
    }
}

#[cfg(test)]
mod tests {
    use spargebra::{Query, SparqlParser};

    use super::*;

    #[test]
    fn solutions_make_each_triple_once_where_it_tells_them_apart() {
        let is_once = |text: &str| match SparqlParser::new().parse_query(text).expect("it is a query") {
            Query::Construct { template, pattern, .. } => makes_each_once(&template, &pattern),
            _ => panic!("it is not a CONSTRUCT"),
        };
        for text in [
            "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }",
            "CONSTRUCT WHERE { ?s <urn:p> ?o }",
            "CONSTRUCT { ?o <urn:of> ?s } { ?s <urn:p> ?o ; <urn:q> 1 FILTER(?o > 1) } ORDER BY ?o LIMIT 9",
            "CONSTRUCT { ?s ?p ?o } { GRAPH <urn:g> { ?s ?p ?o } }",
        ] {
            assert!(is_once(text), "{text}");
        }
        for text in [
            "CONSTRUCT { ?s <urn:p> ?o } { ?s ?p ?o }",
            "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o . [] ?p ?o }",
            "CONSTRUCT { ?s ?p ?o } { GRAPH ?g { ?s ?p ?o } }",
            "CONSTRUCT { ?s ?p ?o } { { ?s ?p ?o } UNION { ?s ?p ?o } }",
            "CONSTRUCT { ?s ?p ?o . ?s ?p 1 } { ?s ?p ?o }",
        ] {
            assert!(!is_once(text), "{text}");
        }
    }
}
