//! Plans a query from its algebra.

use std::collections::{HashMap, HashSet};

use oxiri::Iri;
use oxrdf::{Term, Variable};
use oxsdatatypes::DateTime;
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, GraphPattern, OrderExpression};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};

use super::equality::{compared, joined_by};
use super::limits::SolutionTableError;
use super::node::{
    AggregateCall, AlgebraNode, ExistsStrategy, PlaceholderValue, PlannedExpression, VariableAggregate,
    joined,
};
use super::plan_evaluator::known;
use super::quad_pattern::{PatternGraph, PatternTerm, QuadPattern};
use super::queryable_dataset::QueryableDataset;
use super::solution_table::{SolutionColumn, SolutionTable, VariableNumber, VariableSet, number};
use crate::algebra::bindings::certainly_bound;
use crate::algebra::blank_node_marks::{has_blank_nodes, mark_blank_nodes};
use crate::algebra::{columns, in_scope, is_chain, mentioned, operands, pattern_of};
use crate::environment::EvaluationError;
use crate::evaluate::unknown_function;
use evalgraph_diagnostics::Diagnostic;

/// How a query is evaluated.
#[derive(Debug)]
pub(super) struct QueryPlan {
    pub(super) root: AlgebraNode,
    /// The columns of the answer.
    pub(super) columns: Vec<Variable>,
    pub(super) vars: Vec<VariableNumber>,
    /// The names of all variables.
    pub(super) names: Vec<Variable>,
    /// How many solutions to skip, and how many of the others are wanted at most.
    pub(super) start: usize,
    pub(super) length: Option<usize>,
    /// `true` if only distinct solutions are wanted.
    pub(super) is_distinct: bool,
}

impl QueryPlan {
    /// The plan of a query.
    ///
    /// # Errors
    ///
    /// An unknown function, or more variables than [`VariableSet`] has room for.
    pub(super) fn from_query(query: &Query, data: &QueryableDataset<'_>) -> Result<Self, EvaluationError> {
        let mut planner = QueryPlanner {
            data,
            base: query.base_iri(),
            numbers: HashMap::new(),
            names: Vec::new(),
            made: 0,
            now: None,
            refusal: None,
        };
        let plan = match pattern_of(query) {
            pattern if has_blank_nodes(pattern) => {
                let mut pattern = pattern.clone();
                mark_blank_nodes(&mut pattern, &mut 0);
                planner.plan(query, &pattern)
            }
            pattern => planner.plan(query, pattern),
        };
        match plan {
            Some(plan) => Ok(Self { names: planner.names, ..plan }),
            None => Err(planner.refusal.unwrap_or_else(|| SolutionTableError::Unforeseen.into_error())),
        }
    }
}

/// Plans one query. Other methods are in `exists.rs`, `graphs.rs`, `path_plans.rs` and `service.rs`.
pub(super) struct QueryPlanner<'p, 'd> {
    pub(super) data: &'p QueryableDataset<'d>,
    /// The base against which relative IRIs are resolved.
    pub(super) base: Option<&'p Iri<String>>,
    numbers: HashMap<Variable, VariableNumber>,
    names: Vec<Variable>,
    made: usize,
    /// The time of the evaluation, once it is needed.
    pub(super) now: Option<DateTime>,
    /// The reason why there is no plan, if a node is `None`.
    pub(super) refusal: Option<EvaluationError>,
}

impl QueryPlanner<'_, '_> {
    /// The plan of a query with a pattern.
    fn plan(&mut self, query: &Query, mut pattern: &GraphPattern) -> Option<QueryPlan> {
        let mut length = None;
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
        // Slice is outermost, and DISTINCT is next (section 18.2.5). Both are applied while parts arrive, so the
        // evaluation ends early. ORDER BY needs all solutions: below a Slice node it keeps only the first ones.
        let (mut start, mut is_distinct) = (0, false);
        if let GraphPattern::Slice { inner, start: first, length: most } = pattern
            && (!needs_all(inner) || are_many(*first, *most))
        {
            (pattern, start) = (inner, *first);
            length = length.into_iter().chain(*most).min();
        }
        if let GraphPattern::Distinct { inner } | GraphPattern::Reduced { inner } = pattern
            && !needs_all(inner)
        {
            (pattern, is_distinct) = (inner, true);
        }
        let root = self.node(pattern, None)?;
        let vars = shown.iter().map(|variable| self.var(variable)).collect::<Option<_>>()?;
        Some(QueryPlan { root, columns: shown, vars, names: Vec::new(), start, length, is_distinct })
    }

    pub(super) fn var(&mut self, variable: &Variable) -> Option<VariableNumber> {
        if let Some(var) = self.numbers.get(variable) {
            return Some(*var);
        }
        let var = self.names.len();
        self.names.push(variable.clone());
        self.numbers.insert(variable.clone(), var);
        // The number after the last variable is used as a key of joins.
        if var + 1 < VariableSet::MOST {
            return Some(var);
        }
        let message =
            format!("a query may have at most {} variables, and this one has more", VariableSet::MOST - 2);
        let help = "ask in several queries; blank nodes and computed values count, too";
        self.refusal = Some(Box::new(Diagnostic::error("sparql::too-large", message).with_help(help)));
        None
    }

    /// A new variable that the query does not have.
    pub(super) fn fresh(&mut self) -> Option<VariableNumber> {
        self.made += 1;
        // No variable of a query has a dot in its name.
        self.var(&Variable::new_unchecked(format!("value.{}", self.made)))
    }

    pub(super) fn name(&self, var: VariableNumber) -> Variable {
        self.names[var].clone()
    }

    /// The two variables that an expression compares, if it does nothing else.
    fn equal_vars(&mut self, expression: &Expression) -> Option<[VariableNumber; 2]> {
        let [left, right] = compared(expression)?;
        Some([self.var(left)?, self.var(right)?])
    }

    pub(super) fn vars<'v>(
        &mut self,
        variables: impl IntoIterator<Item = &'v Variable>,
    ) -> Option<VariableSet> {
        let vars = variables.into_iter().map(|variable| self.var(variable));
        Some(VariableSet::from_numbers(vars.collect::<Option<Vec<_>>>()?))
    }

    fn boxed(&mut self, pattern: &GraphPattern, scope: PatternGraph) -> Option<Box<AlgebraNode>> {
        self.node(pattern, scope).map(Box::new)
    }

    pub(super) fn node(&mut self, pattern: &GraphPattern, scope: PatternGraph) -> Option<AlgebraNode> {
        Some(match pattern {
            GraphPattern::Bgp { patterns } => {
                let patterns = patterns.iter().map(|triple| self.quad_pattern(triple, scope));
                AlgebraNode::BasicGraphPattern(patterns.collect::<Option<_>>()?)
            }
            GraphPattern::Graph { name, inner } => self.graph(name, inner)?,
            GraphPattern::Service { name, inner, silent } => self.service(name, inner, *silent)?,
            GraphPattern::Path { subject, path, object } => {
                let ends = [self.slot(subject)?, self.slot(object)?];
                self.path(ends, path, scope)?
            }
            GraphPattern::Join { left, right } => joined(self.node(left, scope)?, self.node(right, scope)?),
            // Triple patterns and paths that are looked up for each row of a table.
            GraphPattern::Lateral { left, right } if is_chain(right) => {
                joined(self.node(left, scope)?, self.node(right, scope)?)
            }
            GraphPattern::Lateral { left, right } => {
                let mut found = HashSet::new();
                mentioned(right, &mut found);
                let asked = self.vars(found.iter())?;
                AlgebraNode::Lateral(self.boxed(left, scope)?, self.boxed(right, scope)?, asked)
            }
            GraphPattern::Union { left, right } => {
                AlgebraNode::Union(self.boxed(left, scope)?, self.boxed(right, scope)?)
            }
            GraphPattern::Minus { left, right } => {
                let (left, right) = (self.node(left, scope)?, self.node(right, scope)?);
                // Without a variable in common nothing is removed. A service is asked anyway, since it may fail.
                match left.vars().both(right.vars()) == VariableSet::default() && right.is_repeatable() {
                    true => left,
                    false => AlgebraNode::Minus(Box::new(left), Box::new(right)),
                }
            }
            GraphPattern::LeftJoin { left, right, expression } => {
                let condition = match expression {
                    Some(expression) => Some(self.condition(expression, &[left, right], scope)?),
                    None => None,
                };
                AlgebraNode::LeftJoin(self.boxed(left, scope)?, self.boxed(right, scope)?, condition)
            }
            GraphPattern::Filter { expr, inner } => self.filter(expr, inner, scope)?,
            GraphPattern::Extend { inner, variable, expression } => {
                let value = self.condition(expression, &[inner], scope)?;
                AlgebraNode::Extend(self.boxed(inner, scope)?, self.var(variable)?, value)
            }
            GraphPattern::Values { variables, bindings } => {
                AlgebraNode::Values(self.values(variables, bindings)?)
            }
            GraphPattern::Project { inner, variables } => {
                // Subqueries also project the graph that they are in.
                let vars =
                    self.vars(variables)?.and(VariableSet::from_numbers(scope.and_then(PatternTerm::var)));
                AlgebraNode::Project(self.boxed(inner, scope)?, vars)
            }
            GraphPattern::Distinct { inner } | GraphPattern::Reduced { inner } => match in_order(inner) {
                Some((distinct, keys)) => self.ordered(&distinct, keys, scope)?,
                None => AlgebraNode::Distinct(self.boxed(inner, scope)?),
            },
            GraphPattern::OrderBy { inner, expression } => self.ordered(inner, expression, scope)?,
            GraphPattern::Slice { inner, start, length } => {
                AlgebraNode::Slice(self.boxed(inner, scope)?, *start, *length)
            }
            GraphPattern::Group { inner, variables, aggregates } => {
                self.group(inner, variables, aggregates, scope)?
            }
        })
    }

    fn quad_pattern(&mut self, triple: &TriplePattern, scope: PatternGraph) -> Option<QuadPattern> {
        let TriplePattern { subject, predicate, object } = triple;
        let predicate = match predicate {
            NamedNodePattern::NamedNode(node) => self.constant(node.clone().into()),
            NamedNodePattern::Variable(variable) => PatternTerm::Variable(self.var(variable)?),
        };
        Some(QuadPattern { triple: [self.slot(subject)?, predicate, self.slot(object)?], scope })
    }

    pub(super) fn constant(&self, term: Term) -> PatternTerm {
        PatternTerm::Constant(known(&self.data.view, term))
    }

    fn slot(&mut self, term: &TermPattern) -> Option<PatternTerm> {
        Some(match term {
            TermPattern::NamedNode(node) => self.constant(node.clone().into()),
            TermPattern::Literal(literal) => self.constant(literal.clone().into()),
            // A blank node of a query is a variable. Its label is in one basic graph pattern only.
            TermPattern::BlankNode(node) => {
                let variable = Variable::new_unchecked(format!("node.{}", node.as_str()));
                PatternTerm::Variable(self.var(&variable)?)
            }
            TermPattern::Variable(variable) => PatternTerm::Variable(self.var(variable)?),
        })
    }

    fn values(
        &mut self,
        variables: &[Variable],
        bindings: &[Vec<Option<GroundTerm>>],
    ) -> Option<SolutionTable> {
        let mut table = SolutionTable { rows: bindings.len(), ..SolutionTable::default() };
        for (place, variable) in variables.iter().enumerate() {
            let value = |row: &Vec<Option<GroundTerm>>| match &row[place] {
                Some(term) => number(known(&self.data.view, term.clone().into())),
                None => 0,
            };
            let column = SolutionColumn::from_numbers(bindings.iter().map(value).collect());
            table.set(self.var(variable)?, column);
        }
        Some(table)
    }

    /// A table of the terms that a variable may have, each once.
    fn column(&mut self, variable: &Variable, terms: Vec<Term>) -> Option<SolutionTable> {
        let mut numbers: Vec<_> =
            terms.into_iter().map(|term| number(known(&self.data.view, term))).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut table = SolutionTable { rows: numbers.len(), ..SolutionTable::default() };
        table.set(self.var(variable)?, SolutionColumn::bound(numbers));
        Some(table)
    }

    /// FILTER: each EXISTS of a conjunction becomes a semi-join or an anti-join if it can be evaluated separately.
    fn filter(
        &mut self,
        expression: &Expression,
        inner: &GraphPattern,
        scope: PatternGraph,
    ) -> Option<AlgebraNode> {
        let mut conditions = Vec::new();
        // A conjunction is true only if each conjunct is (section 17.2), so each can be a separate filter.
        conjuncts(expression, &mut conditions);
        let mut node = self.node(inner, scope)?;
        // Conditions without EXISTS come first and leave fewer rows for those with one.
        conditions.sort_by_key(|condition| has_pattern(condition));
        for condition in conditions {
            let condition = self.condition(condition, &[inner], scope)?;
            if let Some(pair) = self.equal_vars(&condition.expression) {
                node = joined_by(node, pair);
            } else if let Some((variable, terms)) = given(&condition.expression)
                && certainly_bound(inner).contains(variable)
            {
                // The patterns can then begin with the listed terms. If the variable were unbound, the join would
                // bind it, and a condition that is an error would become true.
                let values = self.column(variable, terms)?;
                node = AlgebraNode::Join(Box::new(AlgebraNode::Values(values)), Box::new(node));
            }
            node = filtered(node, condition);
        }
        Some(node)
    }

    fn ordered(
        &mut self,
        inner: &GraphPattern,
        keys: &[OrderExpression],
        scope: PatternGraph,
    ) -> Option<AlgebraNode> {
        let mut node = self.node(inner, scope)?;
        let mut vars = Vec::new();
        for key in keys {
            let (key, descends) = match key {
                OrderExpression::Asc(key) => (key, false),
                OrderExpression::Desc(key) => (key, true),
            };
            let (extended, var) = self.named(node, key, inner, scope)?;
            node = extended;
            vars.push((var, descends));
        }
        Some(AlgebraNode::OrderBy(Box::new(node), vars))
    }

    /// A node that binds the value of an expression to a variable.
    fn named(
        &mut self,
        node: AlgebraNode,
        expression: &Expression,
        inner: &GraphPattern,
        scope: PatternGraph,
    ) -> Option<(AlgebraNode, VariableNumber)> {
        if let Expression::Variable(variable) = expression {
            return Some((node, self.var(variable)?));
        }
        let (condition, var) = (self.condition(expression, &[inner], scope)?, self.fresh()?);
        Some((AlgebraNode::Extend(Box::new(node), var, condition), var))
    }

    fn group(
        &mut self,
        inner: &GraphPattern,
        keys: &[Variable],
        aggregates: &[(Variable, AggregateExpression)],
        scope: PatternGraph,
    ) -> Option<AlgebraNode> {
        let mut node = self.node(inner, scope)?;
        let mut known = Vec::new();
        for (variable, aggregate) in aggregates {
            let told = match aggregate {
                AggregateExpression::CountSolutions { distinct: false } => AggregateCall::CountSolutions,
                AggregateExpression::CountSolutions { distinct: true } => {
                    // Marks of solutions do not count. Their names have a dot.
                    let variables = in_scope(inner).into_iter().filter(|name| !name.as_str().contains('.'));
                    AggregateCall::CountDistinctSolutions(self.vars(&variables.collect::<Vec<_>>())?)
                }
                AggregateExpression::FunctionCall { name: AggregateFunction::Custom(name), .. } => {
                    self.refusal = Some(unknown_function(name));
                    return None;
                }
                AggregateExpression::FunctionCall {
                    name: AggregateFunction::Count,
                    expr: Expression::Variable(variable),
                    distinct: false,
                } if certainly_bound(inner).contains(variable) => AggregateCall::CountSolutions,
                AggregateExpression::FunctionCall { name, expr, distinct } => {
                    let (extended, var) = self.named(node, expr, inner, scope)?;
                    node = extended;
                    AggregateCall::Aggregate(VariableAggregate {
                        function: name.clone(),
                        var,
                        is_distinct: *distinct,
                    })
                }
            };
            known.push((self.var(variable)?, told));
        }
        let mut keys = keys.iter().map(|key| self.var(key)).collect::<Option<Vec<_>>>()?;
        if !keys.is_empty() {
            // Each graph of GRAPH has its own groups. Without keys even an empty graph has a group, so `graphs`
            // evaluates such a pattern graph by graph.
            keys.extend(scope.and_then(PatternTerm::var));
        }
        Some(AlgebraNode::Group { inner: Box::new(node), keys, aggregates: known })
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

/// A node for the solutions for which a condition is true.
fn filtered(node: AlgebraNode, mut condition: PlannedExpression) -> AlgebraNode {
    let (is_wanted, pattern) = match (&condition.expression, condition.parts.pop()) {
        (Expression::Bound(_), Some((_, PlaceholderValue::Exists(exists))))
            if matches!(exists.way, ExistsStrategy::SemiJoin) =>
        {
            (true, exists.pattern)
        }
        (Expression::Not(inner), Some((_, PlaceholderValue::Exists(exists))))
            if matches!((&exists.way, inner.as_ref()), (ExistsStrategy::SemiJoin, Expression::Bound(_))) =>
        {
            (false, exists.pattern)
        }
        (_, part) => {
            condition.parts.extend(part);
            return AlgebraNode::Filter(Box::new(node), condition);
        }
    };
    AlgebraNode::Exists { inner: Box::new(node), pattern, has_one: is_wanted }
}

/// The terms that a condition allows for a variable, if it lists them.
fn given<'e>(expression: &'e Expression) -> Option<(&'e Variable, Vec<Term>)> {
    // Only IRIs: equal literals may be different terms, such as 1 and 01.
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

/// From this number of first solutions on, ORDER BY sorts all solutions.
const MANY: usize = 1 << 22;

/// Returns whether so many solutions are wanted that all are sorted, in a temporary file if necessary.
fn are_many(start: usize, length: Option<usize>) -> bool {
    length.is_none_or(|length| start.saturating_add(length) > MANY)
}

/// Returns whether the first solutions of a pattern need all of them.
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

/// For a projection that is ordered by variables that it shows: its distinct solutions and the order. DISTINCT first
/// leaves fewer solutions to sort.
fn in_order(pattern: &GraphPattern) -> Option<(GraphPattern, &[OrderExpression])> {
    let GraphPattern::Project { inner, variables } = pattern else { return None };
    let GraphPattern::OrderBy { inner, expression: keys } = inner.as_ref() else { return None };
    let is_shown = |key: &OrderExpression| {
        let (OrderExpression::Asc(key) | OrderExpression::Desc(key)) = key;
        matches!(key, Expression::Variable(variable) if variables.contains(variable))
    };
    if !keys.iter().all(is_shown) {
        return None;
    }
    let shown = GraphPattern::Project { inner: inner.clone(), variables: variables.clone() };
    Some((GraphPattern::Distinct { inner: Box::new(shown) }, keys))
}
