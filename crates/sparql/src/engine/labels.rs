//! The names of steps, as the explanation of an evaluation shows them.

use std::time::Instant;

use super::context::Engine;
use super::limits::Unfit;
use super::node::{Closure, Condition, Node, Part};
use super::quad_pattern::{QuadPattern, Slot};
use super::table::{Table, Var};
use evalgraph_store::TermId;

impl Engine<'_, '_> {
    /// Does a step, and notes it where the evaluation is explained.
    pub(super) fn step(
        &self,
        label: impl FnOnce() -> String,
        expected: Option<f64>,
        work: impl FnOnce() -> Result<Table, Unfit>,
    ) -> Result<Table, Unfit> {
        let Some(steps) = self.steps.get() else { return work().map_err(|unfit| unfit.in_step(label)) };
        let label = label();
        let place = steps.begin(label.clone(), expected);
        let begin = Instant::now();
        let table = work();
        steps.end(place, table.as_ref().ok(), begin.elapsed());
        table.map_err(|unfit| unfit.in_step(|| label))
    }

    /// Evaluates an expression that is bound to no variable over so many solutions, which is a step of its own.
    pub(super) fn valued<T>(
        &self,
        value: &Condition,
        rows: usize,
        work: impl FnOnce() -> Result<T, Unfit>,
    ) -> Result<T, Unfit> {
        let Some(steps) = self.steps.get() else { return work() };
        let place = steps.begin(format!("value of {}", self.written(value)), None);
        let begin = Instant::now();
        let done = work();
        let table = Table { rows, ..Table::default() };
        steps.end(place, done.is_ok().then_some(&table), begin.elapsed());
        done
    }

    pub(super) fn label_of_condition(&self, condition: &Condition) -> String {
        format!("FILTER {}", self.written(condition))
    }

    /// The expression of a condition as a query has it, without the patterns of EXISTS.
    fn written(&self, condition: &Condition) -> String {
        let mut text = condition.expression.to_string();
        for (var, part) in &condition.parts {
            let name = self.name(*var);
            text = match part {
                Part::Exists(_) => text.replace(&format!("BOUND({name})"), "EXISTS { … }"),
                Part::Fresh(function) => text.replace(&name, &format!("{function}()")),
                Part::Given(value) => match TermId::of_number(*value) {
                    Some(id) => text.replace(&name, &self.view.term(id).to_string()),
                    None => text,
                },
            }
        }
        text
    }

    fn name(&self, var: Var) -> String {
        self.names[var].to_string()
    }

    fn slot(&self, slot: Slot) -> String {
        match slot {
            Slot::Constant(term) => self.view.term(term).to_string(),
            Slot::Variable(var) => self.name(var),
        }
    }

    fn list(&self, vars: impl Iterator<Item = Var>) -> String {
        vars.map(|var| self.name(var)).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn label_of_pattern(&self, pattern: &QuadPattern) -> String {
        let triple = pattern.triple.map(|slot| self.slot(slot)).join(" ");
        match pattern.scope {
            Some(graph) => format!("GRAPH {} {{ {triple} }}", self.slot(graph)),
            None => triple,
        }
    }

    pub(super) fn label_of(&self, node: &Node) -> String {
        match node {
            Node::BasicGraphPattern(_) => "basic graph pattern".to_owned(),
            Node::Values(_) => "VALUES".to_owned(),
            Node::Given(_, given) => format!("for one value of {}", self.list(given.vars().iter())),
            Node::Closure(Closure { ends: [subject, object], has_zero, repeats, .. }) => {
                let times = match (has_zero, repeats) {
                    (true, true) => '*',
                    (false, _) => '+',
                    (true, false) => '?',
                };
                format!("{} (path){times} {}", self.slot(*subject), self.slot(*object))
            }
            Node::Graphs(graphs) => format!("GRAPH {}", self.slot(graphs.name)),
            Node::Service(service) => format!("SERVICE {}", self.slot(service.name)),
            Node::Join(..) => "join".to_owned(),
            Node::EqualJoin(_, _, [one, other]) => {
                format!("join by {} = {}", self.name(*one), self.name(*other))
            }
            Node::LeftJoin(_, _, Some(condition)) => format!("OPTIONAL, if {}", self.written(condition)),
            Node::LeftJoin(..) => "OPTIONAL".to_owned(),
            Node::Exists { has_one: true, .. } => "EXISTS, as a semi-join".to_owned(),
            Node::Exists { .. } => "NOT EXISTS, as an anti-join".to_owned(),
            Node::Minus(..) => "MINUS".to_owned(),
            Node::Lateral(..) => "LATERAL".to_owned(),
            Node::Union(..) => "UNION".to_owned(),
            Node::Filter(inner, _) => self.label_of(inner),
            Node::Extend(_, var, value) => format!("BIND {} AS {}", self.written(value), self.name(*var)),
            Node::Group { keys, .. } => format!("GROUP BY {}", self.list(keys.iter().copied())),
            Node::Project(_, vars) => format!("SELECT {}", self.list(vars.iter())),
            Node::Distinct(_) => "DISTINCT".to_owned(),
            Node::OrderBy(_, keys) => format!("ORDER BY {}", self.list(keys.iter().map(|(var, _)| *var))),
            Node::Slice(_, start, length) => match length {
                Some(length) => format!("LIMIT {length} OFFSET {start}"),
                None => format!("OFFSET {start}"),
            },
        }
    }
}
