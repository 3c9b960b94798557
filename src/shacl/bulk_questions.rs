//! Asks constraints and components in SPARQL once for all focus nodes of a shape, where that gives the answers of one query
//! for each node.

use oxrdf::Term;

use super::bindings::{bindings_of, borrowed, shape_bindings};
use super::bulk_answers::{Answer, BulkAnswers};
use super::duplicates::Duplicates;
use super::evaluation::{Evaluation, Stop};
use super::ids::ShapeId;
use super::plan::Plan;
use super::shape::Check;
use crate::sparql::{Cancellation, PreboundQuery};
use crate::store::TermId;

/// How many values one query is about at most.
const VALUES_AT_ONCE: usize = 1 << 16;

impl BulkAnswers {
    /// Asks the constraints of shapes about their focus nodes, and of the shapes that are about the same ones.
    pub(super) fn ask(
        plan: &Plan<'_, '_>,
        shapes: &[ShapeId],
        nodes: &[TermId],
        cancellation: &Cancellation,
    ) -> Result<Self, Stop> {
        let mut answers = Self::default();
        for shape in same_focus(plan, shapes) {
            let questions = Questions { plan, shape, nodes, cancellation };
            for (place, constraint) in plan.shape(shape).constraints.iter().enumerate() {
                let answer = match &constraint.check {
                    Check::Sparql(constraint) => questions.select(&constraint.query, &[])?,
                    Check::Component(component) if component.is_ask => {
                        questions.ask(&component.query, &component.bindings)?
                    }
                    Check::Component(component) => questions.select(&component.query, &component.bindings)?,
                    _ => None,
                };
                if let Some(answer) = answer {
                    answers.add(shape, place, answer);
                }
            }
        }
        Ok(answers)
    }
}

/// The questions of a shape about focus nodes.
struct Questions<'q, 's, 'd> {
    plan: &'q Plan<'s, 'd>,
    shape: ShapeId,
    nodes: &'q [TermId],
    cancellation: &'q Cancellation,
}

impl Questions<'_, '_, '_> {
    fn select(&self, query: &PreboundQuery, more: &[(String, Term)]) -> Result<Option<Answer>, Stop> {
        let Some(query) = query.in_bulk(&["this"]) else { return Ok(None) };
        let terms = &self.plan.terms;
        let rows: Vec<Vec<Term>> = self.nodes.iter().map(|node| vec![terms.term(*node)]).collect();
        let bindings = [more, &shape_bindings(self.plan, self.shape)].concat();
        let mut answer = Answer { nodes: self.nodes.to_vec(), ..Answer::default() };
        for solution in query.select(self.plan.view(), &rows, &borrowed(&bindings), self.cancellation)? {
            if let Some(this) = solution.get("this") {
                answer.solutions.entry(terms.of_query(this)).or_default().push(bindings_of(&solution));
            }
        }
        Ok(Some(answer))
    }

    fn ask(&self, query: &PreboundQuery, more: &[(String, Term)]) -> Result<Option<Answer>, Stop> {
        let Some(query) = query.in_bulk(&["this", "value"]) else { return Ok(None) };
        let (terms, shape) = (&self.plan.terms, self.plan.shape(self.shape));
        let (duplicates, answers) = (Duplicates::default(), BulkAnswers::default());
        let evaluation = Evaluation::new(self.plan, &duplicates, &answers, self.cancellation);
        let mut pairs = Vec::new();
        for node in self.nodes {
            let mut values = Vec::new();
            match &shape.path {
                Some(path) => evaluation.push_values(*node, path, &mut values),
                None => values.push(*node),
            }
            pairs.extend(values.into_iter().map(|value| [*node, value]));
        }
        let bindings = [more, &shape_bindings(self.plan, self.shape)].concat();
        let mut answer = Answer { nodes: self.nodes.to_vec(), ..Answer::default() };
        for pairs in pairs.chunks(VALUES_AT_ONCE) {
            let rows: Vec<Vec<Term>> =
                pairs.iter().map(|pair| pair.map(|node| terms.term(node)).to_vec()).collect();
            for row in query.select(self.plan.view(), &rows, &borrowed(&bindings), self.cancellation)? {
                if let (Some(this), Some(value)) = (row.get("this"), row.get("value")) {
                    answer.accepted.insert((terms.of_query(this), terms.of_query(value)));
                }
            }
        }
        Ok(Some(answer))
    }
}

/// Shapes and the shapes that are asked about their focus nodes: those of their properties and nodes.
fn same_focus(plan: &Plan<'_, '_>, roots: &[ShapeId]) -> Vec<ShapeId> {
    let (mut shapes, mut next) = (roots.to_vec(), 0);
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
