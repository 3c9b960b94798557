//! Gives names to the arguments of aggregates, because the evaluator treats an expression unlike a variable.

use oxrdf::Variable;
use spargebra::algebra::{AggregateExpression, Expression, Function, GraphPattern};

use super::algebra::{extend, operands};
use crate::rdf::vocabulary::evaluator;

/// Replaces the expressions of some aggregates with variables, which the solutions of the group bind first.
pub(super) fn name_values(
    pattern: &mut GraphPattern,
    is_meant: fn(&AggregateExpression) -> bool,
    ending: &str,
) {
    let GraphPattern::Group { inner, aggregates, .. } = pattern else { return };
    // A new variable makes more solutions distinct, unless equal solutions give it equal values.
    let is_repeatable = |aggregate: &AggregateExpression| match aggregate {
        AggregateExpression::FunctionCall { expr, .. } => is_repeatable(expr),
        AggregateExpression::CountSolutions { .. } => true,
    };
    if aggregates.iter().any(|(_, aggregate)| counts_distinct(aggregate))
        && !aggregates.iter().all(|(_, aggregate)| is_repeatable(aggregate))
    {
        return;
    }
    for (variable, aggregate) in aggregates.iter_mut().filter(|(_, aggregate)| is_meant(aggregate)) {
        let AggregateExpression::FunctionCall { expr, .. } = aggregate else { continue };
        if matches!(expr, Expression::Variable(_)) {
            continue;
        }
        let named = Variable::new_unchecked(format!("{}.{ending}", variable.as_str()));
        let expression = std::mem::replace(expr, named.clone().into());
        extend(inner, named, expression);
    }
}

/// Tells whether an aggregate counts the distinct solutions.
pub(super) fn counts_distinct(aggregate: &AggregateExpression) -> bool {
    matches!(aggregate, AggregateExpression::CountSolutions { distinct: true })
}

/// Tells whether an expression always has the same value for the same solution.
fn is_repeatable(expression: &Expression) -> bool {
    let is_alike = match expression {
        Expression::FunctionCall(Function::Custom(name), _) => {
            name.as_str() != evaluator::BLANK_NODE_OF_SOLUTION
        }
        Expression::FunctionCall(function, _) => {
            !matches!(function, Function::Rand | Function::Uuid | Function::StrUuid | Function::BNode)
        }
        _ => true,
    };
    is_alike && operands(expression).into_iter().all(is_repeatable)
}
