//! Asks constraints and components in SPARQL once for all focus nodes of a shape, where that gives the answers of one query
//! for each node.

use std::collections::HashSet;

use oxrdf::Term;

use super::bindings::{bindings_of, borrowed, shape_bindings};
use super::bulk_answers::{Answer, BulkAnswers};
use super::duplicates::Duplicates;
use super::evaluation::{Evaluation, Stop};
use super::ids::ShapeId;
use super::path::Path;
use super::plan::Plan;
use super::shape::Check;
use evalgraph_sparql::{Cancellation, PreboundQuery};
use evalgraph_store::TermId;

/// How many values one query is about at most.
const VALUES_AT_ONCE: usize = 1 << 16;

/// How many focus nodes one query is about at most. A query may read all data each time that it is asked.
const NODES_AT_ONCE: usize = 1 << 18;

impl BulkAnswers {
    /// Asks the constraints of shapes about their focus nodes, of the shapes that are about the same ones, and of those within them that
    /// are about the values of a path.
    pub(super) fn ask(
        plan: &Plan<'_, '_>,
        shapes: &[ShapeId],
        nodes: &[TermId],
        cancellation: &Cancellation,
    ) -> Result<Self, Stop> {
        let mut answers = Self::default();
        let mut asked = HashSet::new();
        answers.ask_about(&Asked { plan, cancellation }, shapes, nodes, &mut asked)?;
        Ok(answers)
    }

    /// Asks about focus nodes, then about the values of paths that lead on from these. No shape is asked twice: where it is met
    /// again, its queries are asked for each node.
    fn ask_about(
        &mut self,
        of: &Asked<'_, '_, '_>,
        shapes: &[ShapeId],
        nodes: &[TermId],
        asked: &mut HashSet<ShapeId>,
    ) -> Result<(), Stop> {
        let mut shapes = same_focus(of.plan, shapes);
        shapes.retain(|shape| asked.insert(*shape));
        for shape in &shapes {
            let questions = Questions { plan: of.plan, shape: *shape, nodes, cancellation: of.cancellation };
            for (place, constraint) in of.plan.shape(*shape).constraints.iter().enumerate() {
                let answer = match &constraint.check {
                    Check::Sparql(constraint) => questions.select(&constraint.query, &[])?,
                    Check::Component(component) if component.is_ask => {
                        questions.ask(&component.query, &component.bindings)?
                    }
                    Check::Component(component) => questions.select(&component.query, &component.bindings)?,
                    _ => None,
                };
                if let Some(answer) = answer {
                    self.add(*shape, place, answer);
                }
            }
        }
        for shape in shapes {
            let mut inner = inner_shapes(of.plan, shape);
            inner.retain(|inner| has_questions(of.plan, *inner, &mut HashSet::new()));
            if let Some(path) = of.plan.shape(shape).path.as_ref().filter(|_| !inner.is_empty()) {
                let values = of.values(nodes, path);
                self.ask_about(of, &inner, &values, asked)?;
            }
        }
        Ok(())
    }
}

/// The plan that questions are about.
struct Asked<'q, 's, 'd> {
    plan: &'q Plan<'s, 'd>,
    cancellation: &'q Cancellation,
}

impl Asked<'_, '_, '_> {
    /// The values of a path at nodes, sorted.
    fn values(&self, nodes: &[TermId], path: &Path) -> Vec<TermId> {
        let (duplicates, answers) = (Duplicates::default(), BulkAnswers::default());
        let evaluation = Evaluation::new(self.plan, &duplicates, &answers, self.cancellation);
        let mut values = Vec::new();
        nodes.iter().for_each(|node| evaluation.push_values(*node, path, &mut values));
        values.sort_unstable();
        values.dedup();
        values
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
        let bindings = [more, &shape_bindings(self.plan, self.shape)].concat();
        let mut answer = Answer { nodes: self.nodes.to_vec(), ..Answer::default() };
        for nodes in self.nodes.chunks(NODES_AT_ONCE) {
            let rows: Vec<Vec<Term>> = nodes.iter().map(|node| vec![terms.term(*node)]).collect();
            for solution in query.select(self.plan.view(), &rows, &borrowed(&bindings), self.cancellation)? {
                if let Some(this) = solution.get("this") {
                    answer.solutions.entry(terms.of_query(this)).or_default().push(bindings_of(&solution));
                }
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
        let inner = inner_shapes(plan, shape);
        let new: Vec<ShapeId> = inner.into_iter().filter(|inner| !shapes.contains(inner)).collect();
        shapes.extend(new);
    }
    shapes.retain(|shape| !plan.shape(*shape).is_deactivated);
    shapes
}

/// The shapes of properties and nodes that a shape asks about its values.
fn inner_shapes(plan: &Plan<'_, '_>, shape: ShapeId) -> Vec<ShapeId> {
    let mut inner = Vec::new();
    for constraint in &plan.shape(shape).constraints {
        if let Check::Property(shape) | Check::Node(shape) = &constraint.check
            && !inner.contains(shape)
        {
            inner.push(*shape);
        }
    }
    inner
}

/// Tells whether a shape, or one within it, has a constraint in SPARQL.
fn has_questions(plan: &Plan<'_, '_>, shape: ShapeId, seen: &mut HashSet<ShapeId>) -> bool {
    if plan.shape(shape).is_deactivated || !seen.insert(shape) {
        return false;
    }
    let is_in_sparql = |check: &Check| matches!(check, Check::Sparql(_) | Check::Component(_));
    plan.shape(shape).constraints.iter().any(|constraint| is_in_sparql(&constraint.check))
        || inner_shapes(plan, shape).into_iter().any(|inner| has_questions(plan, inner, seen))
}
