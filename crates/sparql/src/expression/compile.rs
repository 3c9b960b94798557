//! Compiles expressions of the algebra for the rows of a table. `RowExpression` is defined in `mod.rs`.

use std::cell::RefCell;
use std::cmp::Ordering;

use oxrdf::{Term, Variable};
use spargebra::algebra::{Expression, Function};

use super::cast::{cast_to, kind_of_numbers};
use super::members::InConstants;
use super::recent_term_numbers::RecentTermNumbers;
use super::{
    ArithmeticOperator, BindingNumbers, ExpressionContext, ExpressionNode, RowExpression, TermValue,
};
use crate::expression::functions::OWN_FUNCTIONS;
use crate::expression::regex_matching::{CompiledPatterns, RegexPattern};
use evalgraph_rdf::vocabulary::{EVALGRAPH_FUNCTION, evaluator};

impl<'e, 'd> RowExpression<'e, 'd> {
    /// Compiles an expression; `column` gives the terms of a variable. Returns `None` if a part of it cannot be
    /// evaluated from a row, such as EXISTS.
    pub(crate) fn new(
        expression: &Expression,
        context: &'e ExpressionContext<'e, 'd>,
        column: &dyn Fn(&Variable) -> Option<&'e BindingNumbers>,
    ) -> Option<Self> {
        let patterns = [(), ()].map(|()| CompiledPatterns::new(context.remarks));
        let columns = RefCell::new(Vec::<&BindingNumbers>::new());
        let read = |variable: &Variable| {
            let own = column(variable)?;
            let mut columns = columns.borrow_mut();
            if !columns.iter().any(|other| std::ptr::eq(*other, own)) {
                columns.push(own);
            }
            Some(own)
        };
        let root = compiled(expression, context, &read)?;
        let makes_number = root.makes_number();
        Some(Self {
            context,
            root,
            makes_number,
            columns: columns.take(),
            patterns,
            made: RecentTermNumbers::default(),
        })
    }
}

type ColumnLookup<'c, 'e> = dyn Fn(&Variable) -> Option<&'e BindingNumbers> + 'c;

fn compiled<'e>(
    expression: &Expression,
    context: &ExpressionContext<'_, '_>,
    column: &ColumnLookup<'_, 'e>,
) -> Option<ExpressionNode<'e>> {
    let node = |expression: &Expression| compiled(expression, context, column);
    let boxed = |expression: &Expression| node(expression).map(Box::new);
    let nodes = |list: &[Expression]| list.iter().map(node).collect::<Option<Vec<_>>>();
    let ordered = |left, right, holds: fn(Ordering) -> bool| {
        Some(ExpressionNode::Ordered(boxed(left)?, boxed(right)?, holds))
    };
    let arithmetic =
        |left, right, operator| Some(ExpressionNode::Arithmetic(boxed(left)?, boxed(right)?, operator));
    Some(match expression {
        Expression::NamedNode(name) => constant(name.clone().into(), context),
        Expression::Literal(literal) => constant(literal.clone().into(), context),
        Expression::Variable(variable) => match column(variable) {
            Some(numbers) => ExpressionNode::Column(numbers),
            None => ExpressionNode::Unbound,
        },
        Expression::Or(left, right) => ExpressionNode::Or(boxed(left)?, boxed(right)?),
        Expression::And(left, right) => ExpressionNode::And(boxed(left)?, boxed(right)?),
        Expression::Not(inner) => ExpressionNode::Not(boxed(inner)?),
        Expression::Equal(left, right) => ExpressionNode::Equal(boxed(left)?, boxed(right)?),
        Expression::SameTerm(left, right) => ExpressionNode::SameTerm(boxed(left)?, boxed(right)?),
        Expression::Less(left, right) => return ordered(left, right, Ordering::is_lt),
        Expression::LessOrEqual(left, right) => return ordered(left, right, Ordering::is_le),
        Expression::Greater(left, right) => return ordered(left, right, Ordering::is_gt),
        Expression::GreaterOrEqual(left, right) => return ordered(left, right, Ordering::is_ge),
        Expression::In(inner, list) => {
            let (mut members, mut others) = (InConstants::default(), Vec::new());
            for member in list {
                match member {
                    Expression::NamedNode(name) => members.add(TermValue::from_term(name.clone().into())),
                    Expression::Literal(literal) => members.add(TermValue::from_term(literal.clone().into())),
                    other => others.push(node(other)?),
                }
            }
            ExpressionNode::In(boxed(inner)?, members, others)
        }
        Expression::Add(left, right) => return arithmetic(left, right, ArithmeticOperator::Add),
        Expression::Subtract(left, right) => return arithmetic(left, right, ArithmeticOperator::Subtract),
        Expression::Multiply(left, right) => return arithmetic(left, right, ArithmeticOperator::Multiply),
        Expression::Divide(left, right) => return arithmetic(left, right, ArithmeticOperator::Divide),
        Expression::UnaryPlus(inner) => ExpressionNode::Plus(boxed(inner)?),
        Expression::UnaryMinus(inner) => ExpressionNode::Minus(boxed(inner)?),
        Expression::Bound(variable) => ExpressionNode::Bound(column(variable)),
        Expression::If(condition, then, otherwise) => {
            ExpressionNode::If(Box::new([node(condition)?, node(then)?, node(otherwise)?]))
        }
        Expression::Coalesce(list) => ExpressionNode::Coalesce(nodes(list)?),
        Expression::FunctionCall(function, arguments) => {
            if let Some(node) = matcher(function, arguments, context, column) {
                return node;
            }
            if let (Function::Custom(name), [inner]) = (function, arguments.as_slice())
                && let Some(datatype) = cast_to(name.as_ref())
            {
                return Some(ExpressionNode::Cast(boxed(inner)?, datatype, kind_of_numbers(datatype)));
            }
            if !is_known(function) {
                return None;
            }
            ExpressionNode::Call(function.clone(), nodes(arguments)?)
        }
        Expression::Exists(_) => return None,
    })
}

fn constant<'e>(term: Term, context: &ExpressionContext<'_, '_>) -> ExpressionNode<'e> {
    let value = TermValue::from_term(term.clone());
    ExpressionNode::Constant(context.view.intern(term), value)
}

/// REGEX or REPLACE with a valid constant pattern. Other patterns are compiled when they are evaluated, and faults are
/// then reported.
fn matcher<'e>(
    function: &Function,
    arguments: &[Expression],
    context: &ExpressionContext<'_, '_>,
    column: &ColumnLookup<'_, 'e>,
) -> Option<Option<ExpressionNode<'e>>> {
    if !matches!(function, Function::Regex | Function::Replace) {
        return None;
    }
    let compiled_pattern = RegexPattern::from_call(function, arguments)?.compile_for(function).ok()?;
    let text = |text: &Expression| compiled(text, context, column).map(Box::new);
    if *function == Function::Regex {
        return Some(text(&arguments[0]).map(|text| ExpressionNode::Regex(text, Box::new(compiled_pattern))));
    }
    let replacement = match arguments.get(2)? {
        Expression::Literal(literal) if literal.datatype() == oxrdf::vocab::xsd::STRING => literal.value(),
        _ => return None,
    };
    let replacement = compiled_pattern.replacement(replacement).ok()?;
    Some(
        text(&arguments[0])
            .map(|text| ExpressionNode::Replace(text, Box::new(compiled_pattern), replacement)),
    )
}

/// Returns whether a function can be evaluated from a row. RAND and similar functions have their own column.
fn is_known(function: &Function) -> bool {
    match function {
        Function::Custom(name) => {
            let own = name.as_str().strip_prefix(EVALGRAPH_FUNCTION);
            super::is_cast(name.as_ref())
                || own.is_some_and(|local| OWN_FUNCTIONS.contains(&local))
                || [evaluator::BLANK_NODE_OF_SOLUTION, evaluator::BLANK_NODE].contains(&name.as_str())
        }
        Function::Rand | Function::Now | Function::Uuid | Function::StrUuid | Function::BNode => false,
        _ => true,
    }
}
