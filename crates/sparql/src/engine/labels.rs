//! The names of steps, as the explanation of an evaluation shows them. `PlanEvaluator` is defined in
//! `plan_evaluator.rs`.

use std::time::Instant;

use super::limits::SolutionTableError;
use super::node::{AlgebraNode, PathClosure, PlaceholderValue, PlannedExpression};
use super::plan_evaluator::PlanEvaluator;
use super::quad_pattern::{PatternTerm, QuadPattern};
use super::solution_table::{SolutionTable, VariableNumber};
use evalgraph_store::TermId;

impl PlanEvaluator<'_, '_> {
    /// Does a step, and records it if the evaluation is being explained.
    pub(super) fn step(
        &self,
        label: impl FnOnce() -> String,
        expected: Option<f64>,
        work: impl FnOnce() -> Result<SolutionTable, SolutionTableError>,
    ) -> Result<SolutionTable, SolutionTableError> {
        let Some(steps) = self.steps.get() else { return work().map_err(|unfit| unfit.in_step(label)) };
        let label = label();
        let place = steps.begin(label.clone(), expected);
        let begin = Instant::now();
        let table = work();
        steps.end(place, table.as_ref().ok(), begin.elapsed());
        table.map_err(|unfit| unfit.in_step(|| label))
    }

    /// Evaluates an expression that is not bound to a variable, as a separate step.
    pub(super) fn valued<T>(
        &self,
        value: &PlannedExpression,
        rows: usize,
        work: impl FnOnce() -> Result<T, SolutionTableError>,
    ) -> Result<T, SolutionTableError> {
        let Some(steps) = self.steps.get() else { return work() };
        let place = steps.begin(format!("value of {}", self.written(value)), None);
        let begin = Instant::now();
        let done = work();
        let table = SolutionTable { rows, ..SolutionTable::default() };
        steps.end(place, done.is_ok().then_some(&table), begin.elapsed());
        done
    }

    pub(super) fn label_of_condition(&self, condition: &PlannedExpression) -> String {
        format!("FILTER {}", self.written(condition))
    }

    /// The expression of a condition as it is written in a query, without the patterns of EXISTS.
    fn written(&self, condition: &PlannedExpression) -> String {
        let mut text = condition.expression.to_string();
        for (var, part) in &condition.parts {
            let name = self.name(*var);
            text = match part {
                PlaceholderValue::Exists(_) => text.replace(&format!("BOUND({name})"), "EXISTS { … }"),
                PlaceholderValue::Fresh(function) => text.replace(&name, &format!("{function}()")),
                PlaceholderValue::Given(value) => match TermId::of_number(*value) {
                    Some(id) => text.replace(&name, &self.view.term(id).to_string()),
                    None => text,
                },
            }
        }
        text
    }

    fn name(&self, var: VariableNumber) -> String {
        self.names[var].to_string()
    }

    fn slot(&self, slot: PatternTerm) -> String {
        match slot {
            PatternTerm::Constant(term) => self.view.term(term).to_string(),
            PatternTerm::Variable(var) => self.name(var),
        }
    }

    fn list(&self, vars: impl Iterator<Item = VariableNumber>) -> String {
        vars.map(|var| self.name(var)).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn label_of_pattern(&self, pattern: &QuadPattern) -> String {
        let triple = pattern.triple.map(|slot| self.slot(slot)).join(" ");
        match pattern.scope {
            Some(graph) => format!("GRAPH {} {{ {triple} }}", self.slot(graph)),
            None => triple,
        }
    }

    pub(super) fn label_of(&self, node: &AlgebraNode) -> String {
        match node {
            AlgebraNode::BasicGraphPattern(_) => "basic graph pattern".to_owned(),
            AlgebraNode::Values(_) => "VALUES".to_owned(),
            AlgebraNode::Given(_, given) => format!("for one value of {}", self.list(given.vars().iter())),
            AlgebraNode::Closure(PathClosure { ends: [subject, object], has_zero, repeats, .. }) => {
                let times = match (has_zero, repeats) {
                    (true, true) => '*',
                    (false, _) => '+',
                    (true, false) => '?',
                };
                format!("{} (path){times} {}", self.slot(*subject), self.slot(*object))
            }
            AlgebraNode::Graphs(graphs) => format!("GRAPH {}", self.slot(graphs.name)),
            AlgebraNode::Service(service) => format!("SERVICE {}", self.slot(service.name)),
            AlgebraNode::Join(..) => "join".to_owned(),
            AlgebraNode::EqualJoin(_, _, [one, other]) => {
                format!("join by {} = {}", self.name(*one), self.name(*other))
            }
            AlgebraNode::LeftJoin(_, _, Some(condition)) => {
                format!("OPTIONAL, if {}", self.written(condition))
            }
            AlgebraNode::LeftJoin(..) => "OPTIONAL".to_owned(),
            AlgebraNode::Exists { has_one: true, .. } => "EXISTS, as a semi-join".to_owned(),
            AlgebraNode::Exists { .. } => "NOT EXISTS, as an anti-join".to_owned(),
            AlgebraNode::Minus(..) => "MINUS".to_owned(),
            AlgebraNode::Lateral(..) => "LATERAL".to_owned(),
            AlgebraNode::Union(..) => "UNION".to_owned(),
            AlgebraNode::Filter(inner, _) => self.label_of(inner),
            AlgebraNode::Extend(_, var, value) => {
                format!("BIND {} AS {}", self.written(value), self.name(*var))
            }
            AlgebraNode::Group { keys, .. } => format!("GROUP BY {}", self.list(keys.iter().copied())),
            AlgebraNode::Project(_, vars) => format!("SELECT {}", self.list(vars.iter())),
            AlgebraNode::Distinct(_) => "DISTINCT".to_owned(),
            AlgebraNode::OrderBy(_, keys) => {
                format!("ORDER BY {}", self.list(keys.iter().map(|(var, _)| *var)))
            }
            AlgebraNode::Slice(_, start, length) => match length {
                Some(length) => format!("LIMIT {length} OFFSET {start}"),
                None => format!("OFFSET {start}"),
            },
        }
    }
}
