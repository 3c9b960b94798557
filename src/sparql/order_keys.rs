//! ORDER BY where the evaluator sorts: in subqueries, and below DISTINCT with keys that are not shown. The
//! evaluator's comparison of terms of different kinds has circles, on which a sort may give up. Therefore it
//! gets texts in place of the terms, which sort as in [`order`](super::order) (SPARQL 1.1, section 15.1).

use oxrdf::{Literal, NamedNode, Term, Variable};
use oxsdatatypes::{DateTime, Decimal, Double};
use spareval::ExpressionTerm;
use spargebra::Query;
use spargebra::algebra::{
    AggregateExpression, AggregateFunction, Expression, Function, GraphPattern, OrderExpression,
};

use super::algebra::{any, exists_mut, extend, order_key, parts, parts_mut, pattern_of_mut};
use super::order::{kind, place_in_time, take_order};
use crate::rdf::vocabulary::evaluator;

/// Tells whether a pattern has an ORDER BY.
pub(super) fn has_orders(pattern: &GraphPattern) -> bool {
    any(pattern, &|pattern| matches!(pattern, GraphPattern::OrderBy { .. }))
}

/// Rewrites each ORDER BY of a query that the evaluator will see.
pub(super) fn rewrite_orders(query: &mut Query) {
    let is_table = matches!(query, Query::Select { .. } | Query::Construct { .. });
    let pattern = pattern_of_mut(query);
    let is_taken = is_table && take_order(&mut pattern.clone()).is_some();
    Orders { count: 0 }.pattern(pattern, is_taken);
}

struct Orders {
    count: usize,
}

impl Orders {
    /// `is_taken` says that the ORDER BY at the top is not left to the evaluator.
    fn pattern(&mut self, pattern: &mut GraphPattern, is_taken: bool) {
        exists_mut(pattern).into_iter().for_each(|inside| self.pattern(inside, false));
        let is_above = matches!(
            pattern,
            GraphPattern::Slice { .. }
                | GraphPattern::Distinct { .. }
                | GraphPattern::Reduced { .. }
                | GraphPattern::Project { .. }
        );
        parts_mut(pattern).into_iter().for_each(|part| self.pattern(part, is_taken && is_above));
        if let GraphPattern::OrderBy { inner, expression } = pattern
            && !is_taken
        {
            self.order_by(inner, expression);
        }
    }

    fn order_by(&mut self, inner: &mut GraphPattern, keys: &mut [OrderExpression]) {
        for key in keys {
            if has_one_kind(order_key(key), inner) {
                continue;
            }
            self.count += 1;
            // No name in a query's text holds a dot.
            let variable = Variable::new_unchecked(format!("order.{}", self.count));
            let (OrderExpression::Asc(expression) | OrderExpression::Desc(expression)) = key;
            let term = std::mem::replace(expression, variable.clone().into());
            let function = Function::Custom(NamedNode::new_unchecked(evaluator::ORDER_KEY));
            extend(inner, variable, Expression::FunctionCall(function, vec![term]));
        }
    }
}

/// Tells whether all values of a key are texts, or all are integers, so that the evaluator has one order for
/// them.
fn has_one_kind(key: &Expression, pattern: &GraphPattern) -> bool {
    match key {
        Expression::FunctionCall(function, _) => {
            matches!(function, Function::Str | Function::LCase | Function::UCase | Function::StrLen)
        }
        Expression::Variable(variable) => is_count(variable, pattern),
        _ => false,
    }
}

/// Tells whether the value of a variable is a result of COUNT.
fn is_count(variable: &Variable, pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Extend { variable: name, expression, .. } if name == variable => {
            matches!(parts(pattern).as_slice(), [inner] if has_one_kind(expression, inner))
        }
        GraphPattern::Extend { inner, .. } | GraphPattern::Filter { inner, .. } => is_count(variable, inner),
        GraphPattern::Group { aggregates, .. } => aggregates.iter().any(|(name, aggregate)| {
            let counts = match aggregate {
                AggregateExpression::CountSolutions { .. } => true,
                AggregateExpression::FunctionCall { name, .. } => *name == AggregateFunction::Count,
            };
            counts && name == variable
        }),
        _ => false,
    }
}

/// The text for a term.
pub(super) fn order_text(arguments: &[Term]) -> Option<Term> {
    let [term] = arguments else { return None };
    Some(Literal::new_simple_literal(text_of(term.clone())).into())
}

/// A text that begins with the rank of the kind of a term.
fn text_of(term: Term) -> String {
    let term = ExpressionTerm::from(term);
    if let Some(place) = place_in_time(&term) {
        return format!("{:x}{}", kind(&term), in_order(place));
    }
    match term {
        ExpressionTerm::BlankNode(node) => format!("0{}", node.as_str()),
        ExpressionTerm::NamedNode(node) => format!("1{}", node.as_str()),
        ExpressionTerm::IntegerLiteral(value) => number(value.into(), Some(value.into())),
        ExpressionTerm::DecimalLiteral(value) => number(value.into(), Some(value)),
        ExpressionTerm::FloatLiteral(value) => number(value.into(), None),
        ExpressionTerm::DoubleLiteral(value) => number(value, None),
        ExpressionTerm::DateTimeLiteral(value) => format!("3{}", time(value)),
        ExpressionTerm::DateLiteral(value) => match DateTime::try_from(value) {
            Ok(value) => format!("4{}", time(value)),
            Err(_) => format!("4{value}"),
        },
        ExpressionTerm::BooleanLiteral(value) => format!("5{}", u8::from(bool::from(value))),
        other => match Term::from(other) {
            Term::Literal(literal) => format!(
                "d{}\0{}\0{}",
                literal.value(),
                literal.datatype().as_str(),
                literal.language().unwrap_or_default()
            ),
            other => format!("d{other}"),
        },
    }
}

/// The text of a number, which sorts as a double, and among equal doubles by the exact value if known.
fn number(double: Double, exact: Option<Decimal>) -> String {
    // Both zeros are one number.
    let bits = (f64::from(double) + 0.0).to_bits();
    let sign = 1 << 63;
    let ordered = if bits & sign == 0 { bits | sign } else { !bits };
    let exact = exact.or_else(|| Decimal::try_from(double).ok()).unwrap_or_default();
    format!("2{ordered:016x}{}", in_order(i128::from_be_bytes(exact.to_be_bytes())))
}

/// The text of a time in UTC; a time without a zone counts as UTC.
fn time(value: DateTime) -> String {
    let [seconds @ .., _, _] = value.to_be_bytes();
    in_order(i128::from_be_bytes(seconds))
}

/// Digits that sort as the numbers do.
fn in_order(value: i128) -> String {
    format!("{:032x}", value.cast_unsigned() ^ (1 << 127))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Terms in their order.
    const ORDERED: [&str; 21] = [
        "<http://e/a>",
        "<http://e/b>",
        "-1e300",
        "-2",
        "-1.5",
        "0",
        "1e-3",
        "0.5",
        "50",
        "100",
        "9007199254740993",
        "9007199254740994",
        "1e300",
        "\"2025-01-01T00:00:00+02:00\"^^<http://www.w3.org/2001/XMLSchema#dateTime>",
        "\"2025-01-01T00:00:00Z\"^^<http://www.w3.org/2001/XMLSchema#dateTime>",
        "\"2024-01-01\"^^<http://www.w3.org/2001/XMLSchema#date>",
        "\"9999\"^^<http://www.w3.org/2001/XMLSchema#gYear>",
        "\"10000\"^^<http://www.w3.org/2001/XMLSchema#gYear>",
        "\"PT36H\"^^<http://www.w3.org/2001/XMLSchema#dayTimeDuration>",
        "\"P2D\"^^<http://www.w3.org/2001/XMLSchema#duration>",
        "\"a\"",
    ];

    #[test]
    fn texts_sort_as_their_terms() {
        let texts: Vec<String> = ORDERED.iter().map(|term| text_of(parsed(term))).collect();
        let mut sorted = texts.clone();
        sorted.sort();
        assert_eq!(sorted, texts);
        assert_eq!(
            text_of(parsed("\"-0\"^^<http://www.w3.org/2001/XMLSchema#double>")),
            text_of(parsed("0e0"))
        );
    }

    fn parsed(term: &str) -> Term {
        let number = |datatype| Literal::new_typed_literal(term, datatype).into();
        match term.as_bytes() {
            [b'<' | b'"', ..] => term.parse().expect("a term"),
            digits if digits.contains(&b'e') => number(oxrdf::vocab::xsd::DOUBLE),
            digits if digits.contains(&b'.') => number(oxrdf::vocab::xsd::DECIMAL),
            _ => number(oxrdf::vocab::xsd::INTEGER),
        }
    }
}
