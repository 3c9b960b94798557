//! Comparisons and conditions that the evaluator cannot answer: `<` and its kin between booleans and with NaN (SPARQL
//! 1.1, section 17.3; Functions and Operators, 6.3), texts with a language and ill-formed numbers as conditions
//! (17.2.2); doubles as texts (17.5). A function of this file answers where the evaluator does not.

use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNode, Term};
use spareval::{ExpressionTerm, QueryEvaluator};
use spargebra::algebra::{Expression, Function, GraphPattern};

use super::algebra::operands;
use super::expression::is_numeric_type;
use super::written_terms;
use crate::rdf::vocabulary::evaluator;

/// The size of the largest expression that a rewrite repeats, so that nested ones do not grow without bounds.
const MOST_WRITTEN_TWICE: usize = 24;

/// The place of an expression. A condition without a value counts as false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Condition,
    Value,
}

impl Role {
    /// The place of the expressions of a pattern.
    pub(super) fn in_pattern(pattern: &GraphPattern) -> Self {
        match pattern {
            GraphPattern::Filter { .. } | GraphPattern::LeftJoin { .. } => Self::Condition,
            _ => Self::Value,
        }
    }

    /// The place of the operands of an expression.
    pub(super) fn in_expression(self, expression: &Expression) -> Self {
        match expression {
            Expression::And(..) | Expression::Or(..) => self,
            _ => Self::Value,
        }
    }
}

/// Tells whether [`put_right`] changes an expression itself; nested expressions are not looked at.
pub(super) fn is_of_interest(expression: &Expression, place: Role) -> bool {
    match expression {
        Expression::Less(left, right) | Expression::Greater(left, right) => {
            may_lack_order(left, right, place)
        }
        Expression::LessOrEqual(left, right) | Expression::GreaterOrEqual(left, right) => {
            may_lack_order(left, right, place) || may_be_nan(left, right)
        }
        Expression::Not(operand) | Expression::If(operand, ..) => may_lack_truth(operand),
        Expression::And(left, right) | Expression::Or(left, right) => {
            may_lack_truth(left) || may_lack_truth(right)
        }
        Expression::FunctionCall(Function::Custom(name), arguments) => is_cast(name, arguments),
        _ => false,
    }
}

fn is_cast(name: &NamedNode, arguments: &[Expression]) -> bool {
    name.as_ref() == xsd::STRING && arguments.len() == 1
}

/// The kinds of values that an expression may have, as far as comparisons depend on them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Kinds {
    boolean: bool,
    number: bool,
    nan: bool,
    other: bool,
}

impl Kinds {
    const OTHER: Self = Self { boolean: false, number: false, nan: false, other: true };
    const BOOLEAN: Self = Self { boolean: true, other: false, ..Self::OTHER };
    const INTEGER: Self = Self { number: true, other: false, ..Self::OTHER };
    const NUMBER: Self = Self { nan: true, ..Self::INTEGER };
    const ANY: Self = Self { boolean: true, number: true, nan: true, other: true };

    fn or(self, other: Self) -> Self {
        Self {
            boolean: self.boolean | other.boolean,
            number: self.number | other.number,
            nan: self.nan | other.nan,
            other: self.other | other.other,
        }
    }

    fn of(expression: &Expression) -> Self {
        match expression {
            Expression::NamedNode(_) => Self::OTHER,
            Expression::Literal(literal) => Self::of_literal(literal),
            Expression::Variable(_) => Self::ANY,
            Expression::Add(..)
            | Expression::Subtract(..)
            | Expression::Multiply(..)
            | Expression::Divide(..)
            | Expression::UnaryPlus(_)
            | Expression::UnaryMinus(_) => Self::NUMBER.or(Self::OTHER),
            Expression::If(_, then, otherwise) => Self::of(then).or(Self::of(otherwise)),
            Expression::Coalesce(list) => list.iter().map(Self::of).reduce(Self::or).unwrap_or(Self::OTHER),
            Expression::FunctionCall(function, _) => Self::of_function(function),
            _ => Self::BOOLEAN,
        }
    }

    fn of_literal(literal: &Literal) -> Self {
        match ExpressionTerm::from(Term::from(literal.clone())) {
            ExpressionTerm::BooleanLiteral(_) => Self::BOOLEAN,
            ExpressionTerm::IntegerLiteral(_) | ExpressionTerm::DecimalLiteral(_) => Self::INTEGER,
            ExpressionTerm::FloatLiteral(value) => Self { nan: f32::from(value).is_nan(), ..Self::INTEGER },
            ExpressionTerm::DoubleLiteral(value) => Self { nan: f64::from(value).is_nan(), ..Self::INTEGER },
            _ => Self::OTHER,
        }
    }

    fn of_function(function: &Function) -> Self {
        match function {
            Function::Abs | Function::Ceil | Function::Floor | Function::Round => Self::NUMBER,
            Function::StrLen
            | Function::Rand
            | Function::Year
            | Function::Month
            | Function::Day
            | Function::Hours
            | Function::Minutes
            | Function::Seconds => Self::INTEGER,
            Function::LangMatches
            | Function::Contains
            | Function::StrStarts
            | Function::StrEnds
            | Function::Regex
            | Function::IsIri
            | Function::IsBlank
            | Function::IsLiteral
            | Function::IsNumeric => Self::BOOLEAN,
            Function::StrDt | Function::Custom(_) => Self::ANY,
            _ => Self::OTHER,
        }
    }
}

/// Tells whether a comparison may have a value that the evaluator does not compute.
fn may_lack_order(left: &Expression, right: &Expression, place: Role) -> bool {
    let (of_left, of_right) = (Kinds::of(left), Kinds::of(right));
    let has_booleans = of_left.boolean && of_right.boolean;
    let has_nan = of_left.nan && of_right.number || of_left.number && of_right.nan;
    (has_booleans || has_nan && place == Role::Value)
        && (is_boolean(of_left, of_right) || size(left) + size(right) <= MOST_WRITTEN_TWICE)
}

/// Tells whether both sides of a comparison may be NaN, which the evaluator takes for equal to itself in `<=` and `>=`.
fn may_be_nan(left: &Expression, right: &Expression) -> bool {
    Kinds::of(left).nan && Kinds::of(right).nan && size(left).min(size(right)) <= MOST_WRITTEN_TWICE
}

/// Tells whether a comparison has a value only if both sides are booleans.
fn is_boolean(left: Kinds, right: Kinds) -> bool {
    left == Kinds::BOOLEAN || right == Kinds::BOOLEAN
}

/// The size of an expression; one with EXISTS is beyond the limit.
fn size(expression: &Expression) -> usize {
    match expression {
        Expression::Exists(_) => MOST_WRITTEN_TWICE + 1,
        _ => operands(expression).into_iter().fold(1, |count, operand| count + size(operand)),
    }
}

/// Tells whether the value of an expression may be a text with a language, or an ill-formed number or
/// boolean. [`as_boolean`] then changes the condition, even that of a FILTER: the dataset knows the truth of
/// its terms, but is not asked where the optimizer merges two filters into one condition.
pub(super) fn may_lack_truth(expression: &Expression) -> bool {
    match expression {
        Expression::Variable(_) => true,
        Expression::Literal(literal) => literal.language().is_some() || is_ill_formed(literal),
        Expression::Coalesce(list) => list.iter().any(may_lack_truth),
        Expression::If(_, then, otherwise) => may_lack_truth(then) || may_lack_truth(otherwise),
        Expression::FunctionCall(Function::Custom(name), _) => name.as_str() == evaluator::REPLACE,
        Expression::FunctionCall(function, _) => matches!(
            function,
            Function::Concat
                | Function::SubStr
                | Function::UCase
                | Function::LCase
                | Function::StrBefore
                | Function::StrAfter
                | Function::Replace
                | Function::StrLang
                | Function::StrDt
        ),
        _ => false,
    }
}

/// Makes an expression give the answer of the recommendation; nested expressions are left as they are.
pub(super) fn put_right(expression: &mut Expression, place: Role) {
    if !is_of_interest(expression, place) {
        return;
    }
    match expression {
        Expression::Less(left, right) | Expression::Greater(right, left) => {
            let operands = [(**left).clone(), (**right).clone()];
            compare(expression, evaluator::LESS, operands);
        }
        Expression::LessOrEqual(left, right) | Expression::GreaterOrEqual(right, left) => {
            let operands = [(**left).clone(), (**right).clone()];
            let smaller = if size(&operands[0]) < size(&operands[1]) { &operands[0] } else { &operands[1] };
            let is_number = may_be_nan(&operands[0], &operands[1])
                .then(|| Expression::Equal(Box::new(smaller.clone()), Box::new(smaller.clone())));
            if may_lack_order(&operands[0], &operands[1], place) {
                compare(expression, evaluator::LESS_OR_EQUAL, operands);
            }
            if let Some(is_number) = is_number {
                let own = std::mem::replace(expression, Literal::from(false).into());
                *expression = Expression::And(Box::new(own), Box::new(is_number));
            }
        }
        Expression::Not(operand) | Expression::If(operand, ..) => as_boolean(operand),
        Expression::And(left, right) | Expression::Or(left, right) => {
            as_boolean(left);
            as_boolean(right);
        }
        Expression::FunctionCall(name, _) => {
            *name = Function::Custom(NamedNode::new_unchecked(evaluator::TEXT));
        }
        _ => {}
    }
}

fn call(name: &str, arguments: Vec<Expression>) -> Expression {
    Expression::FunctionCall(Function::Custom(NamedNode::new_unchecked(name)), arguments)
}

/// Makes an expression fall back to another one where it has no value.
fn or_else(expression: &mut Expression, other: Expression) {
    let own = std::mem::replace(expression, Literal::from(false).into());
    *expression = Expression::Coalesce(vec![own, other]);
}

fn compare(expression: &mut Expression, name: &str, [left, right]: [Expression; 2]) {
    let is_boolean = is_boolean(Kinds::of(&left), Kinds::of(&right));
    let own = call(name, vec![left, right]);
    if is_boolean {
        *expression = own;
    } else {
        or_else(expression, own);
    }
}

/// Makes a condition give the effective boolean value of the recommendation.
pub(super) fn as_boolean(expression: &mut Expression) {
    if !may_lack_truth(expression) {
        return;
    }
    if size(expression) > MOST_WRITTEN_TWICE {
        let own = std::mem::replace(expression, Literal::from(false).into());
        *expression = call(evaluator::TRUTH, vec![own]);
        return;
    }
    let truth = call(evaluator::TRUTH, vec![expression.clone()]);
    let own = std::mem::replace(expression, Literal::from(false).into());
    *expression = Expression::Not(Box::new(Expression::Not(Box::new(own))));
    or_else(expression, truth);
}

/// Makes the functions known to an evaluator.
pub(super) fn with_comparisons(evaluator: QueryEvaluator) -> QueryEvaluator {
    evaluator
        .with_custom_function(NamedNode::new_unchecked(evaluator::LESS), |arguments| {
            less(arguments, |l, r| !l & r)
        })
        .with_custom_function(NamedNode::new_unchecked(evaluator::LESS_OR_EQUAL), |arguments| {
            less(arguments, |l, r| !l | r)
        })
        .with_custom_function(NamedNode::new_unchecked(evaluator::TRUTH), |arguments| {
            truth(arguments.first()?)
        })
        .with_custom_function(NamedNode::new_unchecked(evaluator::TEXT), |arguments| text(arguments.first()?))
}

/// Compares two booleans; NaN is neither less than a number nor equal to one, itself included.
fn less(arguments: &[Term], of_booleans: fn(bool, bool) -> bool) -> Option<Term> {
    let [left, right] = arguments else { return None };
    let (left, right) = (ExpressionTerm::from(left.clone()), ExpressionTerm::from(right.clone()));
    let answer = match (&left, &right) {
        (ExpressionTerm::BooleanLiteral(left), ExpressionTerm::BooleanLiteral(right)) => {
            of_booleans((*left).into(), (*right).into())
        }
        _ if is_nan(&left)? | is_nan(&right)? => false,
        _ => return None,
    };
    Some(Literal::from(answer).into())
}

/// Tells whether a number is NaN.
fn is_nan(value: &ExpressionTerm) -> Option<bool> {
    match value {
        ExpressionTerm::IntegerLiteral(_) | ExpressionTerm::DecimalLiteral(_) => Some(false),
        ExpressionTerm::FloatLiteral(value) => Some(f32::from(*value).is_nan()),
        ExpressionTerm::DoubleLiteral(value) => Some(f64::from(*value).is_nan()),
        _ => None,
    }
}

/// The boolean of a text with a language or of an ill-formed literal; other literals are left to the evaluator.
fn truth(term: &Term) -> Option<Term> {
    let Term::Literal(literal) = term else { return None };
    if literal.language().is_some() {
        return Some(Literal::from(!literal.value().is_empty()).into());
    }
    Some(if is_ill_formed(literal) { Literal::from(is_large(literal.value())).into() } else { term.clone() })
}

/// Tells whether a literal is a number or boolean by its datatype, but the evaluator reads no value from it.
fn is_ill_formed(literal: &Literal) -> bool {
    let datatype = literal.datatype();
    (datatype == xsd::BOOLEAN || is_numeric_type(datatype))
        && matches!(
            ExpressionTerm::from(Term::from(literal.clone())),
            ExpressionTerm::OtherTypedLiteral { .. }
        )
}

/// Tells whether an ill-formed text is a number other than zero, which is only too large for the evaluator.
fn is_large(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && digits.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
}

/// A term as a text (Functions and Operators, section 17.1.2).
fn text(term: &Term) -> Option<Term> {
    let text = match ExpressionTerm::from(term.clone()) {
        ExpressionTerm::DoubleLiteral(value) => {
            let value = f64::from(value);
            scientific(value, format!("{value:E}"))
        }
        ExpressionTerm::FloatLiteral(value) => {
            let value = f32::from(value);
            scientific(value.into(), format!("{value:E}"))
        }
        _ => None,
    };
    text.map_or_else(|| written_terms::text(term), |text| Some(Literal::new_simple_literal(text).into()))
}

/// The text of a number that needs an exponent, with at least one digit on both sides of the point.
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
