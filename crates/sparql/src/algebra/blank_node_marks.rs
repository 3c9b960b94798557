//! Within one solution, `BNODE(string)` returns the same node for the same string; in the next solution it returns
//! another node (SPARQL 1.1, section 17.4.2.9). The node is computed from the string and a mark that each solution of a
//! group gets.

use oxrdf::{NamedNode, Variable};
use spargebra::algebra::{Expression, Function, GraphPattern};

use crate::algebra::{
    any, exists_mut, expressions, expressions_mut, extend, operands, operands_mut, parts_mut,
};
use evalgraph_rdf::vocabulary::evaluator;

/// Returns whether a pattern contains `BNODE(string)`.
pub(crate) fn has_blank_nodes(pattern: &GraphPattern) -> bool {
    any(pattern, &|pattern| expressions(pattern).into_iter().any(in_expression))
}

/// Adds a mark to the solutions of each pattern that contains `BNODE(string)`.
pub(crate) fn mark_blank_nodes(pattern: &mut GraphPattern, count: &mut usize) {
    if chain_has_blank_nodes(pattern) {
        *count += 1;
        let mark = Variable::new_unchecked(format!("solution.{count}"));
        let mut step = &mut *pattern;
        while is_step(step) {
            expressions_mut(step).into_iter().for_each(|expression| mark_expression(expression, &mark));
            match step {
                GraphPattern::Extend { inner, .. }
                | GraphPattern::Filter { inner, .. }
                | GraphPattern::OrderBy { inner, .. } => step = inner.as_mut(),
                _ => break,
            }
        }
        extend(step, mark, Expression::FunctionCall(Function::StrUuid, Vec::new()));
    }
    exists_mut(pattern).into_iter().for_each(|inside| mark_blank_nodes(inside, count));
    parts_mut(pattern).into_iter().for_each(|part| mark_blank_nodes(part, count));
}

/// Returns whether a pattern passes on the solutions of its inner pattern, without joining or grouping them.
fn is_step(pattern: &GraphPattern) -> bool {
    matches!(
        pattern,
        GraphPattern::Extend { .. } | GraphPattern::Filter { .. } | GraphPattern::OrderBy { .. }
    )
}

fn chain_has_blank_nodes(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Extend { inner, .. }
        | GraphPattern::Filter { inner, .. }
        | GraphPattern::OrderBy { inner, .. } => {
            expressions(pattern).into_iter().any(in_expression) || chain_has_blank_nodes(inner)
        }
        _ => false,
    }
}

fn in_expression(expression: &Expression) -> bool {
    match expression {
        Expression::FunctionCall(Function::BNode, arguments) if !arguments.is_empty() => true,
        _ => operands(expression).into_iter().any(in_expression),
    }
}

fn mark_expression(expression: &mut Expression, mark: &Variable) {
    operands_mut(expression).into_iter().for_each(|operand| mark_expression(operand, mark));
    if let Expression::FunctionCall(function @ Function::BNode, arguments) = expression
        && !arguments.is_empty()
    {
        *function = Function::Custom(NamedNode::new_unchecked(evaluator::BLANK_NODE_OF_SOLUTION));
        arguments.insert(0, mark.clone().into());
    }
}
