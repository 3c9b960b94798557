//! Evaluates constraints and components in SPARQL once for all focus nodes of a shape, if the answers are the same as
//! for one query per node.
//!
//! `BulkAnswers` is defined in `bulk_answers.rs`.

use std::collections::HashSet;

use oxrdf::Term;

use super::bindings::{bindings_of, borrowed, shape_bindings};
use super::bulk_answers::{BulkAnswers, ConstraintAnswer};
use super::duplicates::DuplicateFocusNodes;
use super::evaluation::{ShapeEvaluation, ValidationStop};
use super::ids::ShapeId;
use super::property_path::PropertyPath;
use super::shape::ConstraintCheck;
use super::validation_plan::ValidationPlan;
use evalgraph_sparql::{CancellationToken, PreboundQuery};
use evalgraph_store::TermId;

/// How many values one query covers at most.
const VALUES_AT_ONCE: usize = 1 << 16;

/// How many focus nodes one query covers at most. A query may read all data each time it is evaluated.
const NODES_AT_ONCE: usize = 1 << 18;

impl BulkAnswers {
    /// Evaluates the constraints of shapes for their focus nodes, those of other shapes with the same focus nodes, and
    /// those of inner shapes whose focus nodes are the values of a path.
    pub(super) fn ask(
        plan: &ValidationPlan<'_, '_>,
        shapes: &[ShapeId],
        nodes: &[TermId],
        cancellation: &CancellationToken,
    ) -> Result<Self, ValidationStop> {
        let mut answers = Self::default();
        let mut asked = HashSet::new();
        answers.ask_about(&BulkQuestionPlan { plan, cancellation }, shapes, nodes, &mut asked)?;
        Ok(answers)
    }

    /// Evaluates constraints for focus nodes, then for the values of paths that start there. No shape is evaluated
    /// twice: if it comes up again, its queries are evaluated node by node.
    fn ask_about(
        &mut self,
        of: &BulkQuestionPlan<'_, '_, '_>,
        shapes: &[ShapeId],
        nodes: &[TermId],
        asked: &mut HashSet<ShapeId>,
    ) -> Result<(), ValidationStop> {
        let mut shapes = same_focus(of.plan, shapes);
        shapes.retain(|shape| asked.insert(*shape));
        for shape in &shapes {
            let questions =
                ShapeQuestions { plan: of.plan, shape: *shape, nodes, cancellation: of.cancellation };
            for (place, constraint) in of.plan.shape(*shape).constraints.iter().enumerate() {
                let answer = match &constraint.check {
                    ConstraintCheck::Sparql(constraint) => questions.select(&constraint.query, &[])?,
                    ConstraintCheck::Component(component) if component.is_ask => {
                        questions.ask(&component.query, &component.bindings)?
                    }
                    ConstraintCheck::Component(component) => {
                        questions.select(&component.query, &component.bindings)?
                    }
                    _ => None,
                };
                if let Some(answer) = answer {
                    self.add(*shape, place, answer);
                }
            }
        }
        for shape in shapes {
            let mut inner = inner_shapes(of.plan, shape);
            // The values of a path take a walk over all nodes, so they are computed only for shapes with a query.
            inner.retain(|inner| has_questions(of.plan, *inner, &mut HashSet::new()));
            if let Some(path) = of.plan.shape(shape).path.as_ref().filter(|_| !inner.is_empty()) {
                let values = of.values(nodes, path);
                self.ask_about(of, &inner, &values, asked)?;
            }
        }
        Ok(())
    }
}

/// The plan that the queries belong to.
struct BulkQuestionPlan<'q, 's, 'd> {
    plan: &'q ValidationPlan<'s, 'd>,
    cancellation: &'q CancellationToken,
}

impl BulkQuestionPlan<'_, '_, '_> {
    /// The values of a path at nodes, sorted.
    fn values(&self, nodes: &[TermId], path: &PropertyPath) -> Vec<TermId> {
        // The evaluation only follows paths here, so it needs neither duplicates nor answers.
        let (duplicates, answers) = (DuplicateFocusNodes::default(), BulkAnswers::default());
        let evaluation = ShapeEvaluation::new(self.plan, &duplicates, &answers, self.cancellation);
        let mut values = Vec::new();
        nodes.iter().for_each(|node| evaluation.push_values(*node, path, &mut values));
        values.sort_unstable();
        values.dedup();
        values
    }
}

/// The queries of a shape for focus nodes.
struct ShapeQuestions<'q, 's, 'd> {
    plan: &'q ValidationPlan<'s, 'd>,
    shape: ShapeId,
    nodes: &'q [TermId],
    cancellation: &'q CancellationToken,
}

impl ShapeQuestions<'_, '_, '_> {
    fn select(
        &self,
        query: &PreboundQuery,
        more: &[(String, Term)],
    ) -> Result<Option<ConstraintAnswer>, ValidationStop> {
        let Some(query) = query.in_bulk(&["this"]) else { return Ok(None) };
        let terms = &self.plan.terms;
        let bindings = [more, &shape_bindings(self.plan, self.shape)].concat();
        let mut answer = ConstraintAnswer { nodes: self.nodes.to_vec(), ..ConstraintAnswer::default() };
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

    fn ask(
        &self,
        query: &PreboundQuery,
        more: &[(String, Term)],
    ) -> Result<Option<ConstraintAnswer>, ValidationStop> {
        let Some(query) = query.in_bulk(&["this", "value"]) else { return Ok(None) };
        let (terms, shape) = (&self.plan.terms, self.plan.shape(self.shape));
        let (duplicates, answers) = (DuplicateFocusNodes::default(), BulkAnswers::default());
        let evaluation = ShapeEvaluation::new(self.plan, &duplicates, &answers, self.cancellation);
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
        let mut answer = ConstraintAnswer { nodes: self.nodes.to_vec(), ..ConstraintAnswer::default() };
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

/// Shapes, and the shapes that apply to the same focus nodes: those of their properties and nodes.
fn same_focus(plan: &ValidationPlan<'_, '_>, roots: &[ShapeId]) -> Vec<ShapeId> {
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

/// The shapes of properties and nodes that a shape applies to its values.
fn inner_shapes(plan: &ValidationPlan<'_, '_>, shape: ShapeId) -> Vec<ShapeId> {
    let mut inner = Vec::new();
    for constraint in &plan.shape(shape).constraints {
        if let ConstraintCheck::Property(shape) | ConstraintCheck::Node(shape) = &constraint.check
            && !inner.contains(shape)
        {
            inner.push(*shape);
        }
    }
    inner
}

/// Returns whether a shape, or one within it, has a constraint in SPARQL.
fn has_questions(plan: &ValidationPlan<'_, '_>, shape: ShapeId, seen: &mut HashSet<ShapeId>) -> bool {
    if plan.shape(shape).is_deactivated || !seen.insert(shape) {
        return false;
    }
    let is_in_sparql =
        |check: &ConstraintCheck| matches!(check, ConstraintCheck::Sparql(_) | ConstraintCheck::Component(_));
    plan.shape(shape).constraints.iter().any(|constraint| is_in_sparql(&constraint.check))
        || inner_shapes(plan, shape).into_iter().any(|inner| has_questions(plan, inner, seen))
}
