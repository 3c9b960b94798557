//! The rule that says which queries the engine takes, and the plan that it makes of their algebra.
//!
//! It takes all forms of queries over the default graph and named graphs with basic graph patterns, property paths, joins, OPTIONAL, UNION, MINUS,
//! FILTER, BIND, VALUES, subqueries, GROUP BY, DISTINCT, ORDER BY and LIMIT; and EXISTS where it is a condition of its own whose pattern means the
//! same when it is evaluated by itself. It leaves to `spareval`, as a whole, queries with anything else: SERVICE, FROM, paths of any
//! length within `GRAPH ?g`, functions whose value changes from row to row, and LIMIT without an order or groups in a subquery.

use std::collections::{HashMap, HashSet};

use oxrdf::vocab::xsd;
use oxrdf::{NamedNode, Term, Variable};
use spargebra::Query;
use spargebra::algebra::{
    AggregateExpression, AggregateFunction, Expression, Function, GraphPattern, OrderExpression,
};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};

use super::context::known;
use super::equality::{compared, joined_by};
use super::node::{Aggregate, Condition, Node, Told, joined};
use super::quad_pattern::{QuadPattern, Scope, Slot};
use super::table::{Column, Table, Var, Vars, number};
use crate::rdf::vocabulary::EVALGRAPH_FUNCTION;
use crate::sparql::algebra::{any, columns, in_scope, mentioned_by_expression, operands, pattern_of};
use crate::sparql::bindings::certainly_bound;
use crate::sparql::exists::shared_keys;
use crate::sparql::functions::OWN_FUNCTIONS;
use crate::sparql::graph_scope::answers_without_graph;
use crate::sparql::paths::is_nullable;
use crate::store::DatasetView;

/// A query that the engine takes.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) root: Node,
    /// The columns of the answer.
    pub(super) columns: Vec<Variable>,
    pub(super) vars: Vec<Var>,
    /// The names of all variables.
    pub(super) names: Vec<Variable>,
    /// How many solutions are left out, and how many are wanted of the others, whichever they are.
    pub(super) start: usize,
    pub(super) length: Option<usize>,
    /// Whether equal solutions are one.
    pub(super) is_distinct: bool,
}

impl Plan {
    /// The plan of a query; none if the engine does not take it.
    pub(super) fn of(query: &Query, view: &DatasetView<'_>) -> Option<Self> {
        let (mut pattern, mut length) = (pattern_of(query), None);
        if query.dataset().is_some() {
            return None;
        }
        let mut shown = columns(pattern).cloned().unwrap_or_default();
        match query {
            Query::Select { .. } | Query::Describe { .. } => {}
            Query::Construct { template, .. } => {
                let used = variables_of_template(template);
                shown = match columns(pattern) {
                    Some(columns) => used.into_iter().filter(|variable| columns.contains(variable)).collect(),
                    None => used,
                };
            }
            Query::Ask { .. } => (shown, length) = (Vec::new(), Some(1)),
        }
        let (mut start, mut is_distinct) = (0, false);
        if let GraphPattern::Slice { inner, start: first, length: most } = pattern
            && !needs_all(inner)
        {
            (pattern, start) = (inner, *first);
            length = length.into_iter().chain(*most).min();
        }
        if let GraphPattern::Distinct { inner } | GraphPattern::Reduced { inner } = pattern
            && !needs_all(inner)
        {
            (pattern, is_distinct) = (inner, true);
        }
        let mut planner = Planner { view, numbers: HashMap::new(), names: Vec::new(), made: 0 };
        let root = planner.node(pattern, None)?;
        let vars = shown.iter().map(|variable| planner.var(variable)).collect::<Option<_>>()?;
        Some(Self { root, columns: shown, vars, names: planner.names, start, length, is_distinct })
    }
}

pub(super) struct Planner<'p, 'd> {
    view: &'p DatasetView<'d>,
    numbers: HashMap<Variable, Var>,
    names: Vec<Variable>,
    made: usize,
}

impl Planner<'_, '_> {
    pub(super) fn var(&mut self, variable: &Variable) -> Option<Var> {
        if let Some(var) = self.numbers.get(variable) {
            return Some(*var);
        }
        let var = self.names.len();
        self.names.push(variable.clone());
        self.numbers.insert(variable.clone(), var);
        (var < Vars::MOST).then_some(var)
    }

    /// A variable that the query does not have.
    pub(super) fn fresh(&mut self) -> Option<Var> {
        self.made += 1;
        // No variable of a query has a dot in its name.
        self.var(&Variable::new_unchecked(format!("value.{}", self.made)))
    }

    pub(super) fn name(&self, var: Var) -> Variable {
        self.names[var].clone()
    }

    /// The variables that an expression compares, if it does nothing else.
    fn equal_vars(&mut self, expression: &Expression) -> Option<[Var; 2]> {
        let [left, right] = compared(expression)?;
        Some([self.var(left)?, self.var(right)?])
    }

    fn vars(&mut self, variables: &[Variable]) -> Option<Vars> {
        Some(Vars::of(variables.iter().map(|variable| self.var(variable)).collect::<Option<Vec<_>>>()?))
    }

    fn boxed(&mut self, pattern: &GraphPattern, scope: Scope) -> Option<Box<Node>> {
        self.node(pattern, scope).map(Box::new)
    }

    fn node(&mut self, pattern: &GraphPattern, scope: Scope) -> Option<Node> {
        // Within `GRAPH ?g` all solutions have the name of the graph, also those of patterns that look at no triple.
        let looks_at_triples = matches!(
            pattern,
            GraphPattern::Bgp { .. }
                | GraphPattern::Path { .. }
                | GraphPattern::Join { .. }
                | GraphPattern::Union { .. }
        );
        if matches!(scope, Some(Slot::Variable(_))) && !looks_at_triples {
            return None;
        }
        Some(match pattern {
            GraphPattern::Bgp { patterns } => {
                if patterns.is_empty() && scope.is_some() {
                    return None;
                }
                let patterns = patterns.iter().map(|triple| self.quad_pattern(triple, scope));
                Node::BasicGraphPattern(patterns.collect::<Option<_>>()?)
            }
            GraphPattern::Graph { name, inner } if scope.is_none() && !answers_without_graph(inner) => {
                let graph = match name {
                    NamedNodePattern::NamedNode(name) => self.constant(name.clone().into()),
                    NamedNodePattern::Variable(name) => Slot::Variable(self.var(name)?),
                };
                self.node(inner, Some(graph))?
            }
            GraphPattern::Path { subject, path, object } => {
                let ends = [self.slot(subject)?, self.slot(object)?];
                self.path(ends, path, scope)?
            }
            GraphPattern::Join { left, right } => joined(self.node(left, scope)?, self.node(right, scope)?),
            GraphPattern::Union { left, right } => {
                Node::Union(self.boxed(left, scope)?, self.boxed(right, scope)?)
            }
            GraphPattern::Minus { left, right } => {
                Node::Minus(self.boxed(left, scope)?, self.boxed(right, scope)?)
            }
            GraphPattern::LeftJoin { left, right, expression } => {
                let condition = match expression {
                    Some(expression) => Some(self.condition(expression)?),
                    None => None,
                };
                Node::LeftJoin(self.boxed(left, scope)?, self.boxed(right, scope)?, condition)
            }
            GraphPattern::Filter { expr, inner } => self.filter(expr, inner, scope)?,
            GraphPattern::Extend { inner, variable, expression } => {
                let value = self.condition(expression)?;
                Node::Extend(self.boxed(inner, scope)?, self.var(variable)?, value)
            }
            GraphPattern::Values { variables, bindings } => Node::Values(self.values(variables, bindings)?),
            GraphPattern::Project { inner, variables } => {
                Node::Project(self.boxed(inner, scope)?, self.vars(variables)?)
            }
            GraphPattern::Distinct { inner } | GraphPattern::Reduced { inner } => {
                Node::Distinct(self.boxed(inner, scope)?)
            }
            GraphPattern::OrderBy { inner, expression } => self.ordered(inner, expression, scope)?,
            GraphPattern::Slice { inner, start, length } if needs_all(inner) => {
                Node::Slice(self.boxed(inner, scope)?, *start, *length)
            }
            GraphPattern::Group { inner, variables, aggregates } => {
                self.group(inner, variables, aggregates, scope)?
            }
            _ => return None,
        })
    }

    fn quad_pattern(&mut self, triple: &TriplePattern, scope: Scope) -> Option<QuadPattern> {
        let TriplePattern { subject, predicate, object } = triple;
        let predicate = match predicate {
            NamedNodePattern::NamedNode(node) => self.constant(node.clone().into()),
            NamedNodePattern::Variable(variable) => Slot::Variable(self.var(variable)?),
        };
        Some(QuadPattern { triple: [self.slot(subject)?, predicate, self.slot(object)?], scope })
    }

    pub(super) fn constant(&self, term: Term) -> Slot {
        Slot::Constant(known(self.view, term))
    }

    fn slot(&mut self, term: &TermPattern) -> Option<Slot> {
        Some(match term {
            TermPattern::NamedNode(node) => self.constant(node.clone().into()),
            TermPattern::Literal(literal) => self.constant(literal.clone().into()),
            // A blank node of a query is a variable; its label stands in one basic graph pattern only.
            TermPattern::BlankNode(node) => {
                let variable = Variable::new_unchecked(format!("node.{}", node.as_str()));
                Slot::Variable(self.var(&variable)?)
            }
            TermPattern::Variable(variable) => Slot::Variable(self.var(variable)?),
        })
    }

    fn values(&mut self, variables: &[Variable], bindings: &[Vec<Option<GroundTerm>>]) -> Option<Table> {
        let mut table = Table { rows: bindings.len(), ..Table::default() };
        for (place, variable) in variables.iter().enumerate() {
            let value = |row: &Vec<Option<GroundTerm>>| match &row[place] {
                Some(term) => number(known(self.view, term.clone().into())),
                None => 0,
            };
            let column = Column::of(bindings.iter().map(value).collect());
            table.set(self.var(variable)?, column);
        }
        Some(table)
    }

    /// A table of the terms that a variable may have, each once.
    fn column(&mut self, variable: &Variable, terms: Vec<Term>) -> Option<Table> {
        let mut numbers: Vec<_> = terms.into_iter().map(|term| number(known(self.view, term))).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut table = Table { rows: numbers.len(), ..Table::default() };
        table.set(self.var(variable)?, Column::bound(numbers));
        Some(table)
    }

    pub(super) fn condition(&mut self, expression: &Expression) -> Option<Condition> {
        is_repeatable(expression).then_some(())?;
        let mut mentioned = HashSet::new();
        mentioned_by_expression(expression, &mut mentioned);
        let vars = self.vars(&mentioned.into_iter().collect::<Vec<_>>())?;
        Some(Condition { expression: expression.clone(), vars })
    }

    /// FILTER: each EXISTS of a conjunction is a semi-join or an anti-join.
    fn filter(&mut self, expression: &Expression, inner: &GraphPattern, scope: Scope) -> Option<Node> {
        let mut conditions = Vec::new();
        conjuncts(expression, &mut conditions);
        let mut node = self.node(inner, scope)?;
        // Conditions without a pattern leave fewer rows for those with one.
        conditions.sort_by_key(|condition| has_pattern(condition));
        for condition in conditions {
            let (pattern, has_one) = match condition {
                Expression::Exists(pattern) => (pattern, true),
                Expression::Not(inner) if matches!(inner.as_ref(), Expression::Exists(_)) => {
                    let Expression::Exists(pattern) = inner.as_ref() else { return None };
                    (pattern, false)
                }
                _ => {
                    let condition = self.condition(condition)?;
                    if let Some(pair) = self.equal_vars(&condition.expression) {
                        node = joined_by(node, pair);
                    } else if let Some((variable, terms)) = given(&condition.expression)
                        && certainly_bound(inner).contains(variable)
                    {
                        let values = self.column(variable, terms)?;
                        node = Node::Join(Box::new(Node::Values(values)), Box::new(node));
                    }
                    node = Node::Filter(Box::new(node), condition);
                    continue;
                }
            };
            shared_keys(inner, pattern)?;
            // Any term that EXISTS puts into a path of length zero is its end, also one that is no node of the graph.
            if any(
                pattern,
                &|pattern| matches!(pattern, GraphPattern::Path { path, .. } if is_nullable(path)),
            ) {
                return None;
            }
            let pattern = self.boxed(pattern, scope)?;
            node = Node::Exists { inner: Box::new(node), pattern, has_one };
        }
        Some(node)
    }

    fn ordered(&mut self, inner: &GraphPattern, keys: &[OrderExpression], scope: Scope) -> Option<Node> {
        let mut node = self.node(inner, scope)?;
        let mut vars = Vec::new();
        for key in keys {
            let (key, descends) = match key {
                OrderExpression::Asc(key) => (key, false),
                OrderExpression::Desc(key) => (key, true),
            };
            let (extended, var) = self.named(node, key)?;
            node = extended;
            vars.push((var, descends));
        }
        Some(Node::OrderBy(Box::new(node), vars))
    }

    /// A node that gives an expression's value to a variable.
    fn named(&mut self, node: Node, expression: &Expression) -> Option<(Node, Var)> {
        if let Expression::Variable(variable) = expression {
            return Some((node, self.var(variable)?));
        }
        let (condition, var) = (self.condition(expression)?, self.fresh()?);
        Some((Node::Extend(Box::new(node), var, condition), var))
    }

    fn group(
        &mut self,
        inner: &GraphPattern,
        keys: &[Variable],
        aggregates: &[(Variable, AggregateExpression)],
        scope: Scope,
    ) -> Option<Node> {
        let mut node = self.node(inner, scope)?;
        let mut known = Vec::new();
        for (variable, aggregate) in aggregates {
            let told = match aggregate {
                AggregateExpression::CountSolutions { distinct: false } => Told::CountSolutions,
                AggregateExpression::CountSolutions { distinct: true } => {
                    let variables: Vec<Variable> = in_scope(inner).into_iter().collect();
                    Told::CountDistinctSolutions(self.vars(&variables)?)
                }
                AggregateExpression::FunctionCall { name: AggregateFunction::Custom(_), .. } => return None,
                AggregateExpression::FunctionCall {
                    name: AggregateFunction::Count,
                    expr: Expression::Variable(variable),
                    distinct: false,
                } if certainly_bound(inner).contains(variable) => Told::CountSolutions,
                AggregateExpression::FunctionCall { name, expr, distinct } => {
                    let (extended, var) = self.named(node, expr)?;
                    node = extended;
                    Told::Aggregate(Aggregate { function: name.clone(), var, is_distinct: *distinct })
                }
            };
            known.push((self.var(variable)?, told));
        }
        let keys = keys.iter().map(|key| self.var(key)).collect::<Option<_>>()?;
        Some(Node::Group { inner: Box::new(node), keys, aggregates: known })
    }
}

fn conjuncts<'e>(expression: &'e Expression, found: &mut Vec<&'e Expression>) {
    match expression {
        Expression::And(left, right) => {
            conjuncts(left, found);
            conjuncts(right, found);
        }
        _ => found.push(expression),
    }
}

/// The terms that a condition allows a variable to have, where these are given.
fn given<'e>(expression: &'e Expression) -> Option<(&'e Variable, Vec<Term>)> {
    let node = |expression: &Expression| match expression {
        Expression::NamedNode(node) => Some(node.clone().into()),
        _ => None,
    };
    let one = |left: &'e Expression, right: &'e Expression| match (left, right) {
        (Expression::Variable(variable), term) | (term, Expression::Variable(variable)) => {
            Some((variable, vec![node(term)?]))
        }
        _ => None,
    };
    match expression {
        Expression::Equal(left, right) | Expression::SameTerm(left, right) => one(left, right),
        Expression::In(variable, terms) => match variable.as_ref() {
            Expression::Variable(variable) => {
                Some((variable, terms.iter().map(node).collect::<Option<_>>()?))
            }
            _ => None,
        },
        _ => None,
    }
}

fn has_pattern(expression: &Expression) -> bool {
    matches!(expression, Expression::Exists(_)) || operands(expression).into_iter().any(has_pattern)
}

/// Tells whether an expression has the same value for the same values of its variables, and needs no pattern for it.
fn is_repeatable(expression: &Expression) -> bool {
    let is_alike = match expression {
        Expression::Exists(_) => false,
        Expression::FunctionCall(Function::Custom(name), _) => is_known(name),
        Expression::FunctionCall(function, _) => !matches!(
            function,
            Function::Rand | Function::Uuid | Function::StrUuid | Function::BNode | Function::Now
        ),
        _ => true,
    };
    is_alike && operands(expression).into_iter().all(is_repeatable)
}

/// Tells whether a function is a cast or one of our own. `spareval` tells of others before the first solution that it does not know them.
fn is_known(name: &NamedNode) -> bool {
    let casts =
        [xsd::BOOLEAN, xsd::DATE_TIME, xsd::DECIMAL, xsd::DOUBLE, xsd::FLOAT, xsd::INTEGER, xsd::STRING];
    let own = name.as_str().strip_prefix(EVALGRAPH_FUNCTION);
    casts.contains(&name.as_ref()) || own.is_some_and(|local| OWN_FUNCTIONS.contains(&local))
}

/// The variables of a template, each once.
fn variables_of_template(template: &[TriplePattern]) -> Vec<Variable> {
    let mut variables = Vec::new();
    for triple in template {
        for term in [&triple.subject, &triple.predicate.clone().into(), &triple.object] {
            if let TermPattern::Variable(variable) = term
                && !variables.contains(variable)
            {
                variables.push(variable.clone());
            }
        }
    }
    variables
}

/// Tells whether the first solutions of a pattern need all of them.
fn needs_all(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::Filter { inner, .. } => needs_all(inner),
        GraphPattern::OrderBy { .. } | GraphPattern::Group { .. } => true,
        _ => false,
    }
}
