//! Booleans where the evaluator has no answer: `<` and its kin between them, and texts with a language taken for one
//! (SPARQL 1.1, sections 17.3 and 17.2.2); doubles as texts (17.5).

use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNode, Term};
use spareval::{ExpressionTerm, QueryEvaluator};
use spargebra::algebra::{Expression, Function};

const LESS: &str = "urn:evalgraph:fn:.booleanLess";
const TEXT: &str = "urn:evalgraph:fn:.castToString";

/// Whether [`put_right`] changes an expression, apart from those in it.
pub(super) fn is_of_interest(expression: &Expression) -> bool {
    match expression {
        Expression::Less(left, right)
        | Expression::LessOrEqual(left, right)
        | Expression::Greater(left, right)
        | Expression::GreaterOrEqual(left, right) => may_be_boolean(left) && may_be_boolean(right),
        Expression::Not(operand) | Expression::If(operand, ..) => may_have_language(operand),
        Expression::And(left, right) | Expression::Or(left, right) => {
            may_have_language(left) || may_have_language(right)
        }
        Expression::FunctionCall(Function::Custom(name), arguments) => is_cast(name, arguments),
        _ => false,
    }
}

fn is_cast(name: &NamedNode, arguments: &[Expression]) -> bool {
    name.as_ref() == xsd::STRING && arguments.len() == 1
}

/// Whether an operand may be a boolean, of those that are short: it is written twice.
fn may_be_boolean(expression: &Expression) -> bool {
    match expression {
        Expression::Literal(literal) => literal.datatype() == xsd::BOOLEAN,
        Expression::Variable(_) | Expression::Bound(_) => true,
        _ => false,
    }
}

fn may_have_language(expression: &Expression) -> bool {
    match expression {
        Expression::Variable(_) => true,
        Expression::Literal(literal) => literal.language().is_some(),
        _ => false,
    }
}

/// Makes an expression one that has the answer of the recommendation; those in it are left as they are.
pub(super) fn put_right(expression: &mut Expression) {
    if !is_of_interest(expression) {
        return;
    }
    match expression {
        Expression::Less(left, right) => {
            let less = call(LESS, vec![(**left).clone(), (**right).clone()]);
            or_else(expression, less);
        }
        Expression::Greater(left, right) => {
            let less = call(LESS, vec![(**right).clone(), (**left).clone()]);
            or_else(expression, less);
        }
        Expression::LessOrEqual(left, right) => {
            let less = call(LESS, vec![(**right).clone(), (**left).clone()]);
            or_else(expression, Expression::Not(Box::new(less)));
        }
        Expression::GreaterOrEqual(left, right) => {
            let less = call(LESS, vec![(**left).clone(), (**right).clone()]);
            or_else(expression, Expression::Not(Box::new(less)));
        }
        Expression::Not(operand) | Expression::If(operand, ..) => as_boolean(operand),
        Expression::And(left, right) | Expression::Or(left, right) => {
            as_boolean(left);
            as_boolean(right);
        }
        Expression::FunctionCall(name, _) => *name = Function::Custom(NamedNode::new_unchecked(TEXT)),
        _ => {}
    }
}

fn call(name: &str, arguments: Vec<Expression>) -> Expression {
    Expression::FunctionCall(Function::Custom(NamedNode::new_unchecked(name)), arguments)
}

/// The value of an expression, or of another where it has none.
fn or_else(expression: &mut Expression, other: Expression) {
    let own = std::mem::replace(expression, Literal::from(false).into());
    *expression = Expression::Coalesce(vec![own, other]);
}

/// The effective boolean value of a term: of a text with a language that of the text.
fn as_boolean(expression: &mut Expression) {
    if !may_have_language(expression) {
        return;
    }
    let function = |function, argument: &Expression| {
        Box::new(Expression::FunctionCall(function, vec![argument.clone()]))
    };
    let constant = |value: i64| Box::new(Expression::from(Literal::from(value)));
    let no_language = Box::new(Expression::from(Literal::new_simple_literal("")));
    let has_none = Box::new(Expression::Equal(function(Function::Lang, expression), no_language));
    let has_text = Expression::Greater(function(Function::StrLen, expression), constant(0));
    // Other terms have no value here, as nothing has that is divided by zero.
    let fault = Expression::Divide(constant(1), constant(0));
    let other = Expression::If(has_none, Box::new(fault), Box::new(has_text));
    let own = std::mem::replace(expression, Literal::from(false).into());
    *expression = Expression::Not(Box::new(Expression::Not(Box::new(own))));
    or_else(expression, other);
}

/// Makes the functions known to an evaluator.
pub(super) fn with_comparisons(evaluator: QueryEvaluator) -> QueryEvaluator {
    evaluator
        .with_custom_function(NamedNode::new_unchecked(LESS), |arguments| {
            let [left, right] = arguments else { return None };
            Some(Literal::from(!boolean(left)? & boolean(right)?).into())
        })
        .with_custom_function(NamedNode::new_unchecked(TEXT), |arguments| text(arguments.first()?))
}

fn boolean(term: &Term) -> Option<bool> {
    match ExpressionTerm::from(term.clone()) {
        ExpressionTerm::BooleanLiteral(value) => Some(value.into()),
        _ => None,
    }
}

/// A term as a text (Functions and Operators, section 17.1.2).
fn text(term: &Term) -> Option<Term> {
    let text = match (term, ExpressionTerm::from(term.clone())) {
        (_, ExpressionTerm::DoubleLiteral(value)) => {
            let value = f64::from(value);
            scientific(value, format!("{value:E}"))
        }
        (_, ExpressionTerm::FloatLiteral(value)) => {
            let value = f32::from(value);
            scientific(value.into(), format!("{value:E}"))
        }
        _ => None,
    };
    Some(match (text, term) {
        (Some(text), _) => Literal::new_simple_literal(text).into(),
        (None, Term::NamedNode(node)) => Literal::new_simple_literal(node.as_str()).into(),
        (None, Term::Literal(literal)) => Literal::new_simple_literal(literal.value()).into(),
        (None, Term::BlankNode(_)) => return None,
    })
}

/// The text of a number that is written with an exponent: one digit at least stands on both sides of the point.
fn scientific(value: f64, text: String) -> Option<String> {
    let size = value.abs();
    if !size.is_finite() || size == 0.0 || (1e-6..1e6).contains(&size) {
        return None;
    }
    Some(if text.contains('.') { text } else { text.replace('E', ".0E") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_have_an_exponent_from_a_million_on() {
        let cast = |text: &str, datatype: oxrdf::NamedNodeRef<'_>| {
            super::text(&Literal::new_typed_literal(text, datatype).into()).map(|term| term.to_string())
        };
        for (text, expected) in
            [("1e30", "1.0E30"), ("-1.5e6", "-1.5E6"), ("999999", "999999"), ("1e-7", "1.0E-7"), ("0", "0")]
        {
            assert_eq!(cast(text, xsd::DOUBLE), Some(format!("\"{expected}\"")), "{text}");
        }
        assert_eq!(cast("1e7", xsd::FLOAT), Some("\"1.0E7\"".to_owned()));
        assert_eq!(cast("7", xsd::INTEGER), Some("\"7\"".to_owned()));
    }
}
