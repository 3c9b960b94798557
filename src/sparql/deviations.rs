//! Rewrites the algebra where `spareval` deviates from the recommendation: property paths ([`paths`](super::paths)),
//! `GRAPH` ([`graph_scope`](super::graph_scope)), MINUS inside of EXISTS ([`minus`](super::minus)), ORDER BY in
//! subqueries ([`order_keys`](super::order_keys)), COUNT of expressions that fail and of distinct solutions,
//! GROUP_CONCAT over texts with a language, BNODE of a text, SERVICE of a variable, triples that several graphs of FROM
//! share. Functions of texts ([`matching`](super::matching)), functions of literals as they are written
//! ([`written_terms`](super::written_terms)), comparisons and conditions ([`comparisons`](super::comparisons)) replace
//! the evaluator's own.

use oxrdf::{Literal, NamedNode, Term, Variable};
use spareval::QueryableDataset;
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, Function, GraphPattern};
use spargebra::term::NamedNodePattern;

use super::algebra::{
    expressions, expressions_mut, in_scope, operands, operands_mut, parts, parts_mut, pattern_of,
    pattern_of_mut,
};
use super::bindings::certainly_bound;
use super::blank_nodes::{has_blank_nodes, mark_blank_nodes};
use super::comparisons::{self, Role};
use super::graph_scope::{GraphScopes, answers_without_graph};
use super::matching::{self, is_match};
use super::minus::MinusInExists;
use super::named_values::{counts_distinct, name_values};
use super::order_keys::{has_orders, rewrite_orders};
use super::paths::{has_paths, rewrite_paths};
use super::point::Queryable;
use super::private_variables::Renamer;
use super::written_terms;
use crate::rdf::vocabulary::evaluator;

/// Tells whether a query may need a rewrite of this file.
pub(super) fn deviates(query: &Query) -> bool {
    fn in_pattern(pattern: &GraphPattern) -> bool {
        let is_of_interest = match pattern {
            GraphPattern::Graph { name: NamedNodePattern::Variable(name), inner } => {
                !matches!(inner.as_ref(), GraphPattern::Bgp { .. }) || in_scope(inner).contains(name)
            }
            GraphPattern::Graph { name: NamedNodePattern::NamedNode(_), inner } => {
                answers_without_graph(inner)
            }
            GraphPattern::Group { aggregates, .. } => aggregates.iter().any(|(_, aggregate)| {
                is_group_concat(aggregate)
                    || counts_values(aggregate)
                    || counts_distinct(aggregate)
                    || written_terms::picks(aggregate)
            }),
            GraphPattern::Service { name: NamedNodePattern::Variable(_), .. } => true,
            _ => false,
        };
        let place = Role::in_pattern(pattern);
        is_of_interest
            || expressions(pattern).into_iter().any(|expression| in_expression(expression, place))
            || place == Role::Condition && expressions(pattern).into_iter().any(comparisons::may_lack_truth)
            || parts(pattern).into_iter().any(in_pattern)
    }
    fn in_expression(expression: &Expression, place: Role) -> bool {
        match expression {
            Expression::Exists(_) => true,
            _ if is_match(expression)
                || comparisons::is_of_interest(expression, place)
                || written_terms::is_of_interest(expression) =>
            {
                true
            }
            _ => {
                let place = place.in_expression(expression);
                operands(expression).into_iter().any(|operand| in_expression(operand, place))
            }
        }
    }
    let pattern = pattern_of(query);
    in_pattern(pattern)
        || has_paths(pattern)
        || has_orders(pattern)
        || has_blank_nodes(pattern)
        || query.dataset().is_some_and(|dataset| dataset.default.len() > 1)
}

/// Rewrites a query, so that its answers over the dataset are those of the recommendation.
pub(super) fn put_right<'a, D: Queryable<'a>>(query: &mut Query, dataset: &D) {
    let from = query.dataset().cloned();
    let names = || match from.as_ref().and_then(|from| from.named.clone()) {
        Some(names) => Some(names),
        None => named_graphs(dataset),
    };
    let is_node = |term: &Term| from.is_none() && is_node(dataset, term);
    rewrite_orders(query);
    Renamer::default().rename(pattern_of_mut(query));
    let pattern = pattern_of_mut(query);
    rewrite_paths(pattern, &is_node);
    MinusInExists::default().rewrite(pattern);
    let written = dataset.written();
    let mut count = 0;
    if has_blank_nodes(pattern) {
        mark_blank_nodes(pattern, &mut count);
    }
    let mut rewriter = Rewriter { count, has_written: written.is_some(), wants_written: false };
    rewriter.pattern(pattern);
    if let Some(written) = written.filter(|_| rewriter.wants_written) {
        written.want();
    }
    let has_graph = |name: &NamedNode| match from.as_ref().and_then(|from| from.named.as_ref()) {
        Some(names) => names.contains(name),
        None => has_graph(dataset, name),
    };
    GraphScopes::new(&names, &has_graph).pattern(pattern);
    if dataset.has_unions() {
        merge_graphs(query);
    }
}

/// Merges the graphs of several FROM into one (section 13.2): a triple that two graphs share occurs once.
fn merge_graphs(query: &mut Query) {
    let (Query::Select { dataset, .. }
    | Query::Construct { dataset, .. }
    | Query::Describe { dataset, .. }
    | Query::Ask { dataset, .. }) = query;
    let Some(dataset) = dataset.as_mut().filter(|dataset| dataset.default.len() > 1) else { return };
    let mut name = evaluator::UNION_OF.to_owned();
    for graph in &dataset.default {
        // No IRI has a space.
        name.push(' ');
        name.push_str(graph.as_str());
    }
    dataset.default = vec![NamedNode::new_unchecked(name)];
}

/// The names of the named graphs; none where a graph's name is a blank node and the dataset cannot look it up.
fn named_graphs<'a, D: Queryable<'a>>(dataset: &D) -> Option<Vec<NamedNode>> {
    let name = |name: Result<D::InternalTerm, D::Error>| match dataset.externalize_term(name.ok()?).ok()? {
        Term::NamedNode(node) => Some(node),
        Term::BlankNode(node) if dataset.names_blank_nodes() => {
            Some(NamedNode::new_unchecked(node.to_string()))
        }
        _ => None,
    };
    dataset.internal_named_graphs().map(name).collect()
}

/// Tells whether a dataset has a graph of that name.
fn has_graph<'a, D: QueryableDataset<'a>>(dataset: &D, name: &NamedNode) -> bool {
    let Ok(name) = dataset.internalize_term(name.clone().into()) else { return true };
    dataset.contains_internal_graph_name(&name).unwrap_or(true)
}

/// Tells whether a term is a subject or an object in the default graph.
fn is_node<'a, D: QueryableDataset<'a>>(dataset: &D, term: &Term) -> bool {
    let Ok(term) = dataset.internalize_term(term.clone()) else { return true };
    dataset.internal_quads_for_pattern(Some(&term), None, None, Some(None)).next().is_some()
        || dataset.internal_quads_for_pattern(None, None, Some(&term), Some(None)).next().is_some()
}

struct Rewriter {
    count: usize,
    /// Whether the dataset can tell how literals are written, and whether that is asked for.
    has_written: bool,
    wants_written: bool,
}

impl Rewriter {
    fn pattern(&mut self, pattern: &mut GraphPattern) {
        count_distinct(pattern);
        group_concat(pattern);
        if self.has_written {
            self.wants_written |= written_terms::put_right(pattern, &mut self.count);
        }
        let place = Role::in_pattern(pattern);
        for expression in expressions_mut(pattern) {
            self.expression(expression, place);
            if place == Role::Condition {
                comparisons::as_boolean(expression);
            }
        }
        match pattern {
            GraphPattern::Service { .. } => return,
            _ => parts_mut(pattern).into_iter().for_each(|part| self.pattern(part)),
        }
        match pattern {
            GraphPattern::Group { .. } => {
                // COUNT of an expression leaves out solutions for which the expression fails (section
                // 18.5.1.2), as COUNT of a variable leaves out solutions that do not bind the variable.
                name_values(pattern, counts_values, "counted");
            }
            GraphPattern::Join { .. } | GraphPattern::LeftJoin { .. } => service(pattern),
            _ => {}
        }
    }

    fn expression(&mut self, expression: &mut Expression, place: Role) {
        let of_operands = place.in_expression(expression);
        if let Expression::Exists(pattern) = expression {
            self.pattern(pattern);
        }
        for operand in operands_mut(expression) {
            self.expression(operand, of_operands);
        }
        matching::put_right(expression);
        comparisons::put_right(expression, place);
    }
}

fn is_group_concat(aggregate: &AggregateExpression) -> bool {
    matches!(aggregate, AggregateExpression::FunctionCall { name: AggregateFunction::GroupConcat { .. }, .. })
}

fn counts_values(aggregate: &AggregateExpression) -> bool {
    let name = AggregateFunction::Count;
    matches!(aggregate, AggregateExpression::FunctionCall { name: own, expr, .. }
        if *own == name && !matches!(expr, Expression::Variable(_)))
}

/// Makes COUNT(DISTINCT *) count solutions without the blank nodes of the query (section 18.2.1).
fn count_distinct(pattern: &mut GraphPattern) {
    let GraphPattern::Group { inner, aggregates, .. } = pattern else { return };
    if !aggregates.iter().any(|(_, aggregate)| counts_distinct(aggregate)) {
        return;
    }
    let mut variables: Vec<Variable> = in_scope(inner).into_iter().collect();
    // Variables that a rewrite made do not count either.
    variables.retain(|variable| !variable.as_str().contains('.'));
    variables.sort_unstable();
    **inner = GraphPattern::Project { inner: Box::new(std::mem::take(inner.as_mut())), variables };
}

/// Makes GROUP_CONCAT take the texts of its values, which gives a plain text whatever these are (section 18.5.1.7).
fn group_concat(pattern: &mut GraphPattern) {
    let GraphPattern::Group { aggregates, .. } = pattern else { return };
    for (_, aggregate) in aggregates.iter_mut() {
        if let AggregateExpression::FunctionCall {
            name: AggregateFunction::GroupConcat { .. }, expr, ..
        } = aggregate
        {
            let own = std::mem::replace(expr, Literal::from(false).into());
            *expr = Expression::FunctionCall(Function::Str, vec![own]);
        }
    }
}

/// Asks `SERVICE ?endpoint` for each solution of the pattern that binds the variable (SPARQL 1.1 Federated
/// Query, section 4).
fn service(pattern: &mut GraphPattern) {
    let needs = |side: &GraphPattern, other: &GraphPattern| match side {
        GraphPattern::Service { name: NamedNodePattern::Variable(name), .. } => {
            certainly_bound(other).contains(name)
        }
        _ => false,
    };
    match pattern {
        GraphPattern::Join { left, right } if needs(right, left) => {
            *pattern = GraphPattern::Lateral { left: std::mem::take(left), right: std::mem::take(right) };
        }
        GraphPattern::Join { left, right } if needs(left, right) => {
            *pattern = GraphPattern::Lateral { left: std::mem::take(right), right: std::mem::take(left) };
        }
        GraphPattern::LeftJoin { left, right, expression } if needs(right, left) => {
            // A left join with the single empty solution is asked for each solution of the left side.
            let optional = GraphPattern::LeftJoin {
                left: Box::default(),
                right: std::mem::take(right),
                expression: expression.take(),
            };
            *pattern = GraphPattern::Lateral { left: std::mem::take(left), right: Box::new(optional) };
        }
        _ => {}
    }
}
