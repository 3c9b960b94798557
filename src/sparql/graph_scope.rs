//! `GRAPH ?g { … }` as the recommendation defines it (SPARQL 1.1, section 18.6): the pattern is evaluated in each named
//! graph by itself, where `?g` is a variable like others, and its solutions are joined with the name of the graph.
//!
//! `spareval` hands the variable down to the triple patterns instead. Most patterns give the same solutions
//! in this way, and faster; the other patterns are rewritten here: names are kept apart, subqueries show the
//! variable, and LIMIT and the count of nothing are evaluated graph by graph.
//!
//! A graph that does not exist has no solution, not even for a pattern that matches no triples.

use oxrdf::{NamedNode, Variable};
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{GroundTerm, NamedNodePattern};

use super::algebra::{exists_mut, exists_of, in_scope, parts, parts_mut};
use super::bindings::certainly_bound;
use super::private_variables::rename_variable;

/// The effect on a pattern when its triple patterns bind the variable of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Each solution binds the variable, as it should be.
    Binds,
    /// The pattern does not depend on the graph.
    Free,
    /// Only an evaluation graph by graph gives the right solutions.
    ByGraph,
}

/// Rewrites each `GRAPH` of a pattern. `names` returns the named graphs if all have IRIs, `has_graph` says
/// whether a graph exists.
pub(super) struct GraphScopes<'n> {
    names: &'n dyn Fn() -> Option<Vec<NamedNode>>,
    has_graph: &'n dyn Fn(&NamedNode) -> bool,
    count: usize,
}

impl<'n> GraphScopes<'n> {
    pub(super) fn new(
        names: &'n dyn Fn() -> Option<Vec<NamedNode>>,
        has_graph: &'n dyn Fn(&NamedNode) -> bool,
    ) -> Self {
        Self { names, has_graph, count: 0 }
    }

    pub(super) fn pattern(&mut self, pattern: &mut GraphPattern) {
        exists_mut(pattern).into_iter().for_each(|inside| self.pattern(inside));
        if let GraphPattern::Service { .. } = pattern {
            return;
        }
        if let GraphPattern::Graph { name: NamedNodePattern::NamedNode(name), inner } = pattern
            && answers_without_graph(inner)
            && !(self.has_graph)(name)
        {
            *pattern = nothing(in_scope(inner).into_iter().collect());
            return;
        }
        parts_mut(pattern).into_iter().for_each(|part| self.pattern(part));
        if let GraphPattern::Graph { name: NamedNodePattern::Variable(name), inner } = pattern {
            let (name, inner) = (name.clone(), std::mem::take(inner.as_mut()));
            *pattern = self.graph(name, inner);
        }
    }

    fn graph(&mut self, name: Variable, mut inner: GraphPattern) -> GraphPattern {
        self.count += 1;
        // No name in a query's text holds a dot.
        let other = Variable::new_unchecked(format!("{}.graph.{}", name.as_str(), self.count));
        rename_variable(&mut inner, &name, &other);
        let own = in_scope(&inner).contains(&other).then_some(other);
        let pattern = match form(&mut inner.clone(), &name) {
            Form::ByGraph => self.by_graph(&name, &inner),
            Form::Free => {
                let left = Box::new(graph(name.clone().into(), GraphPattern::default()));
                GraphPattern::Join { left, right: Box::new(inner) }
            }
            Form::Binds => {
                // The first call had a copy; this one makes subqueries show the variable.
                form(&mut inner, &name);
                graph(name.clone().into(), inner)
            }
        };
        match own {
            None => pattern,
            Some(own) => {
                let is_same = Expression::SameTerm(Box::new(own.clone().into()), Box::new(name.into()));
                let is_unbound = Expression::Not(Box::new(Expression::Bound(own)));
                let expr = Expression::Or(Box::new(is_unbound), Box::new(is_same));
                GraphPattern::Filter { expr, inner: Box::new(pattern) }
            }
        }
    }

    /// The union of the solutions of each named graph. The tree is as flat as possible, since walks over it recurse.
    fn by_graph(&self, name: &Variable, inner: &GraphPattern) -> GraphPattern {
        let Some(names) = (self.names)() else { return graph(name.clone().into(), inner.clone()) };
        let mut patterns: Vec<GraphPattern> = names
            .into_iter()
            .map(|graph_name| {
                let bindings = vec![vec![Some(GroundTerm::NamedNode(graph_name.clone()))]];
                let left = Box::new(GraphPattern::Values { variables: vec![name.clone()], bindings });
                let right = Box::new(graph(graph_name.into(), inner.clone()));
                GraphPattern::Join { left, right }
            })
            .collect();
        while patterns.len() > 1 {
            let mut pairs = Vec::with_capacity(patterns.len().div_ceil(2));
            let mut rest = patterns.into_iter();
            while let Some(left) = rest.next() {
                pairs.push(match rest.next() {
                    Some(right) => GraphPattern::Union { left: Box::new(left), right: Box::new(right) },
                    None => left,
                });
            }
            patterns = pairs;
        }
        patterns.pop().unwrap_or_else(|| {
            let mut variables: Vec<Variable> = in_scope(inner).into_iter().collect();
            variables.push(name.clone());
            nothing(variables)
        })
    }
}

/// A pattern without solutions.
fn nothing(variables: Vec<Variable>) -> GraphPattern {
    GraphPattern::Values { variables, bindings: Vec::new() }
}

/// Tells whether a part of a pattern has solutions that do not come from triples of its graph.
pub(super) fn answers_without_graph(pattern: &GraphPattern) -> bool {
    matches!(
        pattern,
        GraphPattern::Values { .. }
            | GraphPattern::Group { .. }
            | GraphPattern::Graph { .. }
            | GraphPattern::Service { .. }
    ) || parts(pattern).into_iter().any(answers_without_graph)
}

fn graph(name: NamedNodePattern, inner: GraphPattern) -> GraphPattern {
    GraphPattern::Graph { name, inner: Box::new(inner) }
}

/// The form of a pattern. Subqueries and groups are made to show the variable.
fn form(pattern: &mut GraphPattern, name: &Variable) -> Form {
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } => Form::Binds,
        GraphPattern::Values { .. } | GraphPattern::Graph { .. } | GraphPattern::Service { .. } => Form::Free,
        GraphPattern::Join { left, right } => match (form(left, name), form(right, name)) {
            (Form::ByGraph, _) | (_, Form::ByGraph) => Form::ByGraph,
            (Form::Free, Form::Free) => Form::Free,
            _ => Form::Binds,
        },
        GraphPattern::Union { left, right } => match (form(left, name), form(right, name)) {
            (left, right) if left == right => left,
            _ => Form::ByGraph,
        },
        GraphPattern::LeftJoin { left, right, expression } => match (form(left, name), form(right, name)) {
            (Form::Binds, Form::Binds | Form::Free) => Form::Binds,
            (Form::Free, Form::Free) if !expression.as_ref().is_some_and(asks_graph) => Form::Free,
            _ => Form::ByGraph,
        },
        GraphPattern::Minus { left, right } => minus_form(left, right, name),
        GraphPattern::Filter { inner, expr: expression } | GraphPattern::Extend { inner, expression, .. } => {
            match form(inner, name) {
                Form::Free if asks_graph(expression) => Form::ByGraph,
                other => other,
            }
        }
        GraphPattern::OrderBy { inner, .. } => form(inner, name),
        GraphPattern::Distinct { inner } | GraphPattern::Reduced { inner } => form(inner, name),
        GraphPattern::Project { inner, variables } => {
            let form = form(inner, name);
            if form == Form::Binds && !variables.contains(name) {
                variables.push(name.clone());
            }
            form
        }
        GraphPattern::Group { inner, variables, .. } => match form(inner, name) {
            Form::Binds if !variables.is_empty() => {
                if !variables.contains(name) {
                    variables.push(name.clone());
                }
                Form::Binds
            }
            Form::Free => Form::Free,
            _ => Form::ByGraph,
        },
        GraphPattern::Slice { inner, .. } => match form(inner, name) {
            Form::Free => Form::Free,
            _ => Form::ByGraph,
        },
        // The patterns that a table of values is handed to.
        GraphPattern::Lateral { left, right } if is_table(left) => form(right, name),
        GraphPattern::Lateral { .. } => Form::ByGraph,
    }
}

fn is_table(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Distinct { inner } => is_table(inner),
        GraphPattern::Values { .. } => true,
        _ => false,
    }
}

/// The form of MINUS, which depends on the variables that two solutions share: that of the graph must not count.
fn minus_form(left: &mut GraphPattern, right: &mut GraphPattern, name: &Variable) -> Form {
    let forms = (form(left, name), form(right, name));
    let shared: Vec<Variable> = in_scope(left).intersection(&in_scope(right)).cloned().collect();
    let (left, right) = (certainly_bound(left), certainly_bound(right));
    let always_shares =
        shared.iter().any(|shared| shared != name && left.contains(shared) && right.contains(shared));
    match forms {
        (Form::Binds, Form::Binds) if always_shares => Form::Binds,
        (form @ (Form::Binds | Form::Free), Form::Free) => form,
        _ => Form::ByGraph,
    }
}

/// Tells whether an expression has an EXISTS, which depends on the graph.
fn asks_graph(expression: &Expression) -> bool {
    !exists_of(expression).is_empty()
}
