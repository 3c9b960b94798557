//! STR, DATATYPE, isNumeric, STRDT, MIN, MAX and SAMPLE of literals as they are written (SPARQL 1.1, sections
//! 17.4.2 and 18.5.1). The evaluator has only the values of literals; the functions here ask the dataset for
//! the term that it looked at last ([`Written`]), which is their argument.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

use oxrdf::vocab::{rdf, xsd};
use oxrdf::{Literal, LiteralRef, NamedNode, Term, Variable};
use spareval::{AggregateFunctionAccumulator, ExpressionTerm, QueryEvaluator};
use spargebra::algebra::{
    AggregateExpression, AggregateFunction, Expression, Function, GraphPattern, OrderExpression,
};
use spargebra::term::{NamedNodePattern, TermPattern};

use super::algebra::{expressions, expressions_mut, extend, operands, operands_mut, parts};
use super::expression::INTEGERS;
use super::named_values::name_values;
use super::order::compare;
use crate::rdf::vocabulary::evaluator;
use crate::store::{Written, keep_written};

/// Tells whether an expression looks at a literal as it is written.
pub(super) fn is_of_interest(expression: &Expression) -> bool {
    match expression {
        Expression::FunctionCall(Function::Str | Function::Datatype | Function::IsNumeric, arguments) => {
            arguments.first().is_some_and(|one| matches!(one, Expression::Literal(_)) || passes_on(one))
        }
        Expression::FunctionCall(Function::StrDt, _) | Expression::Coalesce(_) | Expression::If(..) => true,
        _ => false,
    }
}

/// Tells whether an aggregate returns one of its input terms, and that term may be written in several ways;
/// computed terms are in canonical form.
pub(super) fn picks(aggregate: &AggregateExpression) -> bool {
    let AggregateExpression::FunctionCall { name, expr, .. } = aggregate else { return false };
    let is_written = matches!(
        expr,
        Expression::Variable(_) | Expression::Literal(_) | Expression::Coalesce(_) | Expression::If(..)
    );
    matches!(name, AggregateFunction::Min | AggregateFunction::Max | AggregateFunction::Sample)
        && (is_written || is_str_dt(expr))
}

/// Tells whether an expression returns the term that the evaluator looks at last, or a term that can be
/// written in one way only.
fn passes_on(expression: &Expression) -> bool {
    match expression {
        Expression::Variable(_) | Expression::NamedNode(_) => true,
        Expression::Literal(literal) => literal.language().is_some() || literal.datatype() == xsd::STRING,
        Expression::Coalesce(list) => list.iter().all(passes_on),
        Expression::If(_, then, otherwise) => passes_on(then) && passes_on(otherwise),
        _ => false,
    }
}

/// Makes the expressions and aggregates of a pattern, but not of its parts, see literals as they are written.
/// Returns whether any of them needs that.
pub(super) fn put_right(pattern: &mut GraphPattern, count: &mut usize) -> bool {
    let mut is_changed = name_operands(pattern, count);
    name_values(pattern, picks, "picked");
    let mut variables = HashSet::new();
    expressions(pattern).into_iter().for_each(|expression| arguments_of_str(expression, &mut variables));
    variables.retain(|variable| parts(pattern).into_iter().any(|part| is_node(part, variable)));
    for expression in expressions_mut(pattern) {
        is_changed |= rewrite(expression, &variables);
    }
    if let GraphPattern::Group { aggregates, .. } = pattern {
        for (_, aggregate) in aggregates.iter_mut().filter(|(_, aggregate)| picks(aggregate)) {
            is_changed |= pick(aggregate);
        }
    }
    name_parts(pattern, count);
    is_changed
}

fn arguments_of_str(expression: &Expression, found: &mut HashSet<Variable>) {
    if let Expression::FunctionCall(Function::Str, arguments) = expression
        && let [Expression::Variable(variable)] = arguments.as_slice()
    {
        found.insert(variable.clone());
    }
    operands(expression).into_iter().for_each(|operand| arguments_of_str(operand, found));
}

/// Tells whether no solution of a pattern binds a variable to a literal, since a triple has the variable as
/// its subject or property.
fn is_node(pattern: &GraphPattern, variable: &Variable) -> bool {
    let is_name =
        |name: &NamedNodePattern| matches!(name, NamedNodePattern::Variable(name) if name == variable);
    match pattern {
        GraphPattern::Bgp { patterns } => patterns.iter().any(|triple| {
            is_name(&triple.predicate)
                || matches!(&triple.subject, TermPattern::Variable(subject) if subject == variable)
        }),
        GraphPattern::Join { left, right } | GraphPattern::Lateral { left, right } => {
            is_node(left, variable) || is_node(right, variable)
        }
        GraphPattern::Union { left, right } => is_node(left, variable) && is_node(right, variable),
        GraphPattern::LeftJoin { left, .. } | GraphPattern::Minus { left, .. } => is_node(left, variable),
        GraphPattern::Graph { name, inner } => is_name(name) || is_node(inner, variable),
        GraphPattern::Extend { inner, variable: own, .. } => own != variable && is_node(inner, variable),
        GraphPattern::Filter { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => is_node(inner, variable),
        GraphPattern::Project { inner, variables } | GraphPattern::Group { inner, variables, .. } => {
            variables.contains(variable) && is_node(inner, variable)
        }
        GraphPattern::Path { .. } | GraphPattern::Values { .. } | GraphPattern::Service { .. } => false,
    }
}

fn rewrite(expression: &mut Expression, nodes: &HashSet<Variable>) -> bool {
    let mut is_changed = false;
    for operand in operands_mut(expression) {
        is_changed |= rewrite(operand, nodes);
    }
    let Expression::FunctionCall(function, arguments) = expression else { return is_changed };
    let [argument] = arguments.as_slice() else { return is_changed };
    let name = match function {
        Function::Str => evaluator::STR,
        Function::Datatype => evaluator::DATATYPE,
        Function::IsNumeric => evaluator::IS_NUMERIC,
        _ => return is_changed,
    };
    match argument {
        Expression::Literal(literal) if literal.language().is_none() => {
            *expression = match name {
                evaluator::STR => Literal::new_simple_literal(literal.value()).into(),
                evaluator::DATATYPE => literal.datatype().into_owned().into(),
                _ => Literal::from(is_numeric(literal.as_ref())).into(),
            };
            is_changed
        }
        Expression::Variable(variable) if name == evaluator::STR && nodes.contains(variable) => is_changed,
        argument if passes_on(argument) => {
            *function = Function::Custom(NamedNode::new_unchecked(name));
            true
        }
        _ => is_changed,
    }
}

/// Makes an aggregate look at its variable, but take a mark in place of the value. Returns whether it has a variable.
fn pick(aggregate: &mut AggregateExpression) -> bool {
    let AggregateExpression::FunctionCall { name, expr: expr @ Expression::Variable(_), distinct } =
        aggregate
    else {
        return false;
    };
    let mark = || Box::new(Expression::from(Literal::new_simple_literal("")));
    let is_iri = Expression::FunctionCall(Function::IsIri, vec![expr.clone()]);
    let looked_at = Expression::If(Box::new(is_iri), mark(), mark());
    let own = match name {
        AggregateFunction::Min => evaluator::MIN,
        AggregateFunction::Max => evaluator::MAX,
        _ => evaluator::SAMPLE,
    };
    // SAMPLE leaves out solutions without a value.
    *expr = match own {
        evaluator::SAMPLE => Expression::Coalesce(vec![looked_at, Literal::from(false).into()]),
        _ => looked_at,
    };
    *distinct = false;
    *name = AggregateFunction::Custom(NamedNode::new_unchecked(own));
    true
}

/// Binds each STRDT, and each COALESCE or IF that a function looks at, to a variable first: only values of
/// variables are kept as they are written. Returns whether there is an STRDT.
fn name_operands(pattern: &mut GraphPattern, count: &mut usize) -> bool {
    let (expressions, inner): (Vec<&mut Expression>, _) = match pattern {
        GraphPattern::Extend { expression, inner, .. } => {
            if is_str_dt(expression) {
                return make_typed(expression);
            }
            (vec![expression], inner)
        }
        GraphPattern::Filter { expr, inner } => (vec![expr], inner),
        GraphPattern::OrderBy { expression, inner } => {
            let keys = expression.iter_mut().map(|key| match key {
                OrderExpression::Asc(key) | OrderExpression::Desc(key) => key,
            });
            (keys.collect(), inner)
        }
        _ => return false,
    };
    let mut found = Vec::new();
    expressions.into_iter().for_each(|expression| collect_unnamed(expression, &mut found));
    let mut is_changed = false;
    for operand in found {
        let (variable, mut expression) = name_part(operand, count);
        is_changed |= is_str_dt(&expression) && make_typed(&mut expression);
        extend(inner, variable, expression);
    }
    is_changed
}

/// Collects the operands that get a name; none of them is inside another.
fn collect_unnamed<'e>(expression: &'e mut Expression, found: &mut Vec<&'e mut Expression>) {
    let is_looked_at = matches!(
        expression,
        Expression::FunctionCall(Function::Str | Function::Datatype | Function::IsNumeric, _)
    );
    for operand in operands_mut(expression) {
        let is_one_of_several = matches!(operand, Expression::Coalesce(_) | Expression::If(..));
        if is_str_dt(operand) || is_looked_at && is_one_of_several && !passes_on(operand) {
            found.push(operand);
        } else {
            collect_unnamed(operand, found);
        }
    }
}

fn is_str_dt(expression: &Expression) -> bool {
    matches!(expression, Expression::FunctionCall(Function::StrDt, _))
}

fn make_typed(expression: &mut Expression) -> bool {
    if let Expression::FunctionCall(function, _) = expression {
        *function = Function::Custom(NamedNode::new_unchecked(evaluator::STR_DT));
    }
    true
}

/// Puts a variable in the place of an expression.
fn name_part(place: &mut Expression, count: &mut usize) -> (Variable, Expression) {
    *count += 1;
    let variable = Variable::new_unchecked(format!("part.{count}"));
    let expression = std::mem::replace(place, variable.clone().into());
    (variable, expression)
}

/// Binds the computed results of COALESCE and IF to variables: without them, both pass terms on as written.
fn name_parts(pattern: &mut GraphPattern, count: &mut usize) {
    let GraphPattern::Extend { expression, inner, .. } = pattern else { return };
    if !matches!(expression, Expression::Coalesce(_) | Expression::If(..)) {
        return;
    }
    let mut ends = Vec::new();
    collect_ends(expression, &mut ends);
    let is_computed = |end: &Expression| {
        !matches!(end, Expression::Variable(_) | Expression::NamedNode(_) | Expression::Literal(_))
    };
    if !ends.iter().any(|end| is_computed(end)) || ends.iter().all(|end| is_computed(end)) {
        return;
    }
    for end in ends.into_iter().filter(|end| is_computed(end)) {
        let (variable, part) = name_part(end, count);
        extend(inner, variable, part);
    }
}

/// Collects the expressions of which one gives the value.
fn collect_ends<'e>(expression: &'e mut Expression, found: &mut Vec<&'e mut Expression>) {
    match expression {
        Expression::Coalesce(list) => list.iter_mut().for_each(|part| collect_ends(part, found)),
        Expression::If(_, then, otherwise) => {
            collect_ends(then, found);
            collect_ends(otherwise, found);
        }
        end => found.push(end),
    }
}

/// Makes the functions known to an evaluator.
pub(super) fn with_written_terms(evaluator: QueryEvaluator, written: &Arc<Written>) -> QueryEvaluator {
    let function = |local: fn(&Term) -> Option<Term>| {
        let written = Arc::clone(written);
        move |arguments: &[Term]| local(&as_written(&written, arguments.first()?))
    };
    let aggregate = |kept: Kept| {
        let written = Arc::clone(written);
        move || -> Box<dyn AggregateFunctionAccumulator + Send + Sync> {
            Box::new(Pick { written: Arc::clone(&written), kept, best: None })
        }
    };
    evaluator
        .with_custom_function(NamedNode::new_unchecked(evaluator::STR), function(text))
        .with_custom_function(NamedNode::new_unchecked(evaluator::DATATYPE), function(datatype))
        .with_custom_function(NamedNode::new_unchecked(evaluator::IS_NUMERIC), function(numeric))
        .with_custom_function(NamedNode::new_unchecked(evaluator::STR_DT), typed)
        .with_custom_aggregate_function(NamedNode::new_unchecked(evaluator::MIN), aggregate(Kept::Least))
        .with_custom_aggregate_function(NamedNode::new_unchecked(evaluator::MAX), aggregate(Kept::Greatest))
        .with_custom_aggregate_function(NamedNode::new_unchecked(evaluator::SAMPLE), aggregate(Kept::First))
}

/// The argument of a function as it is written.
fn as_written(written: &Written, argument: &Term) -> Term {
    match written.take() {
        Some(seen) if seen.literal.is_some() && seen.value == ExpressionTerm::from(argument.clone()) => {
            seen.literal.unwrap_or(seen.value.into())
        }
        _ => argument.clone(),
    }
}

/// The text of a term; a blank node has none.
pub(super) fn text(term: &Term) -> Option<Term> {
    match term {
        Term::NamedNode(node) => Some(Literal::new_simple_literal(node.as_str()).into()),
        Term::BlankNode(_) => None,
        Term::Literal(literal) => Some(Literal::new_simple_literal(literal.value()).into()),
    }
}

fn datatype(term: &Term) -> Option<Term> {
    match term {
        Term::Literal(literal) if literal.language().is_some() => Some(rdf::LANG_STRING.into_owned().into()),
        Term::Literal(literal) => Some(literal.datatype().into_owned().into()),
        _ => None,
    }
}

/// STRDT (section 17.4.2.12).
fn typed(arguments: &[Term]) -> Option<Term> {
    let [Term::Literal(text), Term::NamedNode(datatype)] = arguments else { return None };
    let is_simple = text.language().is_none() && text.datatype() == xsd::STRING;
    is_simple.then(|| keep_written(Literal::new_typed_literal(text.value(), datatype.clone()).into()))
}

fn numeric(term: &Term) -> Option<Term> {
    let is = matches!(term, Term::Literal(literal) if is_numeric(literal.as_ref()));
    Some(Literal::from(is).into())
}

/// Tells whether a literal has a numeric type and a value of that type.
pub(super) fn is_numeric(literal: LiteralRef<'_>) -> bool {
    let datatype = literal.datatype();
    if datatype == xsd::INTEGER {
        let digits = literal.value().trim_matches(['\t', '\n', '\r', ' ']);
        let digits = digits.strip_prefix(['+', '-']).unwrap_or(digits);
        return !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    }
    if [xsd::DECIMAL, xsd::DOUBLE, xsd::FLOAT].contains(&datatype) {
        return !matches!(
            ExpressionTerm::from(Term::from(literal.into_owned())),
            ExpressionTerm::OtherTypedLiteral { .. }
        );
    }
    let Some((_, least, greatest)) = INTEGERS.iter().find(|(name, ..)| *name == datatype) else {
        return false;
    };
    let value: Option<i128> = literal.value().trim_matches(['\t', '\n', '\r', ' ']).parse().ok();
    value.is_some_and(|value| (*least..=*greatest).contains(&value))
}

#[derive(Clone, Copy, PartialEq)]
enum Kept {
    Least,
    Greatest,
    First,
}

/// MIN, MAX and SAMPLE.
struct Pick {
    written: Arc<Written>,
    kept: Kept,
    best: Option<(ExpressionTerm, Term)>,
}

impl AggregateFunctionAccumulator for Pick {
    fn accumulate(&mut self, mark: Term) {
        if !matches!(&mark, Term::Literal(mark) if mark.value().is_empty()) {
            return;
        }
        let Some(seen) = self.written.take() else { return };
        let is_better = match (&self.best, self.kept) {
            (None, _) => true,
            (Some(_), Kept::First) => false,
            (Some((best, _)), Kept::Least) => compare(Some(&seen.value), Some(best)) == Ordering::Less,
            (Some((best, _)), Kept::Greatest) => compare(Some(&seen.value), Some(best)) == Ordering::Greater,
        };
        if is_better {
            let term = seen.literal.unwrap_or_else(|| seen.value.clone().into());
            self.best = Some((seen.value, term));
        }
    }

    fn finish(&mut self) -> Option<Term> {
        self.best.take().map(|(_, term)| keep_written(term))
    }
}
