//! `GRAPH` around any pattern (SPARQL 1.1, section 18.6): the pattern is evaluated in each named graph separately,
//! where the variable of GRAPH is an ordinary variable. Its solutions are joined with the name of the graph.
//!
//! In the plan, the graph has its own variable. If each solution of the pattern gets that variable from a triple, one
//! evaluation covers all graphs. Other patterns need one evaluation for each graph, such as LIMIT, paths of any length
//! and the count of nothing. `PlanEvaluator` is defined in `plan_evaluator.rs`. `QueryPlanner` is defined in
//! `query_plan.rs`.

use oxrdf::Variable;
use spargebra::algebra::{GraphPattern, PropertyPathExpression};
use spargebra::term::NamedNodePattern;

use super::given_values::GivenValues;
use super::limits::SolutionTableError;
use super::node::{AlgebraNode, NamedGraphPattern};
use super::plan_evaluator::{PlanEvaluator, known};
use super::quad_pattern::PatternTerm;
use super::query_plan::QueryPlanner;
use super::seeds::seed_of;
use super::solution_table::{
    BindingNumber, SolutionColumn, SolutionTable, VariableNumber, VariableSet, number,
};
use crate::algebra::in_scope;
use evalgraph_store::TermId;

impl QueryPlanner<'_, '_> {
    /// The solutions of a pattern in named graphs.
    pub(super) fn graph(&mut self, name: &NamedNodePattern, inner: &GraphPattern) -> Option<AlgebraNode> {
        let variable = match name {
            NamedNodePattern::NamedNode(name) => {
                let graph = known(&self.data.view, name.clone().into());
                if self.data.has_graph(graph) {
                    return self.node(inner, Some(PatternTerm::Constant(graph)));
                }
                let variables: Vec<Variable> = in_scope(inner).into_iter().collect();
                return Some(AlgebraNode::Values(SolutionTable::empty(self.vars(&variables)?)));
            }
            NamedNodePattern::Variable(variable) => variable,
        };
        let name = PatternTerm::Variable(self.var(variable)?);
        if is_of_triples(inner) {
            return self.node(inner, Some(name));
        }
        let scope = self.fresh()?;
        let inner = self.node(inner, Some(PatternTerm::Variable(scope)))?;
        let is_bound = form(&inner, scope) == GraphDependence::Bound;
        Some(AlgebraNode::Graphs(NamedGraphPattern { inner: Box::new(inner), scope, name, is_bound }))
    }
}

/// Returns whether each solution of a pattern comes from triples of its graph, and nothing reads the name of the graph.
fn is_of_triples(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Bgp { patterns } => !patterns.is_empty(),
        GraphPattern::Path { path, .. } => is_of_steps(path),
        GraphPattern::Join { left, right } | GraphPattern::Union { left, right } => {
            is_of_triples(left) && is_of_triples(right)
        }
        _ => false,
    }
}

/// Returns whether a path has as many steps as it has properties.
fn is_of_steps(path: &PropertyPathExpression) -> bool {
    match path {
        PropertyPathExpression::NamedNode(_) => true,
        PropertyPathExpression::Reverse(inner) => is_of_steps(inner),
        PropertyPathExpression::Sequence(left, right) | PropertyPathExpression::Alternative(left, right) => {
            is_of_steps(left) && is_of_steps(right)
        }
        _ => false,
    }
}

/// How the solutions of a node depend on the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GraphDependence {
    /// Each solution binds the graph, and the solutions that bind a graph are the solutions in that graph.
    Bound,
    /// The solutions are the same in all graphs.
    Free,
    /// The pattern must be evaluated graph by graph.
    ByGraph,
}

pub(super) fn form(node: &AlgebraNode, scope: VariableNumber) -> GraphDependence {
    let of = |node: &AlgebraNode| form(node, scope);
    match node {
        AlgebraNode::BasicGraphPattern(patterns) => {
            match patterns.iter().any(|pattern| pattern.scope == Some(PatternTerm::Variable(scope))) {
                true => GraphDependence::Bound,
                false => GraphDependence::Free,
            }
        }
        AlgebraNode::Closure(closure) if closure.scope == Some(PatternTerm::Variable(scope)) => {
            GraphDependence::ByGraph
        }
        AlgebraNode::Values(_)
        | AlgebraNode::Closure(_)
        | AlgebraNode::Graphs(_)
        | AlgebraNode::Service(_) => GraphDependence::Free,
        AlgebraNode::Join(left, right) | AlgebraNode::EqualJoin(left, right, _) => {
            match (of(left), of(right)) {
                (GraphDependence::ByGraph, _) | (_, GraphDependence::ByGraph) => GraphDependence::ByGraph,
                (GraphDependence::Free, GraphDependence::Free) => GraphDependence::Free,
                _ => GraphDependence::Bound,
            }
        }
        // A free side has its solutions in each graph, but one evaluation would find them once.
        AlgebraNode::Union(left, right) => match (of(left), of(right)) {
            (left, right) if left == right => left,
            _ => GraphDependence::ByGraph,
        },
        AlgebraNode::LeftJoin(left, right, condition) => match (of(left), of(right)) {
            (GraphDependence::Bound, GraphDependence::Bound | GraphDependence::Free) => {
                GraphDependence::Bound
            }
            (GraphDependence::Free, GraphDependence::Free)
                if !condition.as_ref().is_some_and(|own| own.asks(scope)) =>
            {
                GraphDependence::Free
            }
            _ => GraphDependence::ByGraph,
        },
        AlgebraNode::Lateral(inner, pattern, _) | AlgebraNode::Exists { inner, pattern, .. } => {
            match (of(inner), of(pattern)) {
                (GraphDependence::Bound, GraphDependence::Bound | GraphDependence::Free) => {
                    GraphDependence::Bound
                }
                (GraphDependence::Free, GraphDependence::Free) => GraphDependence::Free,
                _ => GraphDependence::ByGraph,
            }
        }
        // MINUS depends on the variables that two solutions share, and the variable of the graph must not count.
        AlgebraNode::Minus(left, right) => match (of(left), of(right)) {
            (left, GraphDependence::Free) => left,
            _ => GraphDependence::ByGraph,
        },
        AlgebraNode::Filter(inner, condition) | AlgebraNode::Extend(inner, _, condition) => match of(inner) {
            GraphDependence::Free if condition.asks(scope) => GraphDependence::ByGraph,
            form => form,
        },
        AlgebraNode::Group { inner, keys, .. } => match of(inner) {
            // Without keys, a graph without solutions has a group, too.
            GraphDependence::Bound if keys.is_empty() => GraphDependence::ByGraph,
            form => form,
        },
        // LIMIT and OFFSET count the solutions of each graph separately.
        AlgebraNode::Slice(inner, ..) => match of(inner) {
            GraphDependence::Free => GraphDependence::Free,
            _ => GraphDependence::ByGraph,
        },
        AlgebraNode::Given(inner, _)
        | AlgebraNode::Project(inner, _)
        | AlgebraNode::Distinct(inner)
        | AlgebraNode::OrderBy(inner, _) => of(inner),
    }
}

impl PlanEvaluator<'_, '_> {
    /// The solutions of a pattern in named graphs: all that are compatible with a row of `seed`, and maybe others.
    pub(super) fn graphs(
        &self,
        graphs: &NamedGraphPattern,
        wanted: VariableSet,
        seed: Option<&SolutionTable>,
    ) -> Result<SolutionTable, SolutionTableError> {
        let NamedGraphPattern { inner, scope, name, is_bound } = graphs;
        let name = match name {
            PatternTerm::Variable(name) => *name,
            PatternTerm::Constant(graph) if self.data.has_graph(*graph) => {
                let inner = inner.with(&given(*scope, number(*graph)));
                return self.apart(|| self.run_for(&inner, wanted, seed));
            }
            PatternTerm::Constant(_) => return Ok(SolutionTable::empty(inner.vars().both(wanted))),
        };
        let own = VariableSet::from_numbers([name]);
        let needed = wanted.without(own).and(inner.vars().both(own));
        let names = self.names_of_graphs(name, seed)?;
        let seed = seed.map(|seed| seed_of(seed, inner.vars(), &self.ticks)).transpose()?.flatten();
        if *is_bound {
            let seed = seed.or_else(|| {
                let column = SolutionColumn::bound(names?);
                Some(SolutionTable {
                    rows: column.numbers.len(),
                    columns: vec![(*scope, column)],
                    sorted_by: None,
                })
            });
            let table =
                self.run_for(inner, needed.and(VariableSet::from_numbers([*scope])), seed.as_ref())?;
            return self.named(table, *scope, name, wanted);
        }
        let names = names.unwrap_or_else(|| self.data.named_graphs().into_iter().map(number).collect());
        let label = || format!("in each of {} graphs", names.len());
        self.step(label, None, || {
            let mut all = SolutionTable::empty(graphs.vars().both(wanted));
            for graph in &names {
                self.ticks.tick(64)?;
                let inner = inner.with(&given(*scope, *graph));
                let mut table = self.apart(|| self.run_for(&inner, needed, seed.as_ref()))?;
                table.set(*scope, SolutionColumn::bound(vec![*graph; table.rows]));
                all.append(&self.named(table, *scope, name, wanted)?, &self.ticks)?;
                self.ticks.grown(all.rows)?;
            }
            Ok(all)
        })
    }

    /// The names of the graphs that are needed, or `None` for all graphs.
    fn names_of_graphs(
        &self,
        name: VariableNumber,
        seed: Option<&SolutionTable>,
    ) -> Result<Option<Vec<BindingNumber>>, SolutionTableError> {
        let asked = seed
            .map(|seed| seed_of(seed, VariableSet::from_numbers([name]), &self.ticks))
            .transpose()?
            .flatten();
        let Some(asked) = asked else { return Ok(None) };
        let is_named: std::collections::HashSet<TermId> = self.data.named_graphs().into_iter().collect();
        let names = asked.numbers(name).unwrap_or_default().iter().copied();
        self.ticks.tick(asked.rows)?;
        let is_graph =
            |name: &BindingNumber| TermId::of_number(*name).is_some_and(|id| is_named.contains(&id));
        Ok(Some(names.filter(is_graph).collect()))
    }

    /// Turns the variable of the graph into that of its name. If the pattern mentions the variable of the name itself,
    /// only solutions in which it is the graph are kept.
    fn named(
        &self,
        mut table: SolutionTable,
        scope: VariableNumber,
        name: VariableNumber,
        wanted: VariableSet,
    ) -> Result<SolutionTable, SolutionTableError> {
        if let (Some(own), Some(graphs)) = (table.numbers(name), table.numbers(scope)) {
            let is_same = |row: &u32| [0, graphs[*row as usize]].contains(&own[*row as usize]);
            let rows: Vec<u32> = (0..table.height()?).filter(is_same).collect();
            table = table.filtered(&rows, &self.ticks)?;
        }
        let graphs = table.column(scope).cloned().unwrap_or_default();
        table.set(name, graphs);
        table.keep(wanted);
        Ok(table)
    }
}

fn given(scope: VariableNumber, graph: BindingNumber) -> GivenValues {
    GivenValues::new([(scope, graph)].into_iter())
}
