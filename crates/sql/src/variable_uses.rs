//! Which parts of each variable a query needs, so that tables have no more columns.

use std::collections::HashSet;

use spargebra::Query;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, GraphPattern};

use super::sql_value::ValuePart;
use super::value_kinds::ValueKinds;
use evalgraph_sparql::{expressions_of, operands_of, parts_of};

/// The variables of the two ends of a path. No query can have them.
pub(crate) const PATH_START: &str = "path:start";
pub(crate) const PATH_END: &str = "path:end";

/// The variables of a query by their use. A name counts everywhere, also in a sub-select of its own.
#[derive(Debug, Default)]
pub(crate) struct VariableUses {
    /// Variables that may have terms which are not in the export, and which therefore have no number.
    computed: HashSet<String>,
    /// Variables whose text and type are read.
    as_terms: HashSet<String>,
    /// Variables whose values are read.
    as_values: HashSet<String>,
}

impl VariableUses {
    pub(crate) fn from_query(query: &Query) -> Self {
        let mut uses = Self::default();
        for end in [PATH_START, PATH_END] {
            uses.as_terms.insert(end.to_owned());
            uses.as_values.insert(end.to_owned());
        }
        let (Query::Select { pattern, .. }
        | Query::Ask { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }) = query;
        if let Query::Select { .. } = query {
            uses.project(pattern);
        }
        // A variable that is bound to a computed one is computed, too.
        let mut count = usize::MAX;
        while count != uses.computed.len() {
            count = uses.computed.len();
            uses.pattern(pattern);
        }
        uses
    }

    /// Notes the columns of the answer.
    fn project(&mut self, pattern: &GraphPattern) {
        match pattern {
            GraphPattern::Slice { inner, .. }
            | GraphPattern::Distinct { inner }
            | GraphPattern::Reduced { inner } => self.project(inner),
            GraphPattern::Project { variables, .. } => {
                self.as_terms.extend(variables.iter().map(|variable| variable.as_str().to_owned()));
            }
            _ => {}
        }
    }

    fn pattern(&mut self, pattern: &GraphPattern) {
        match pattern {
            GraphPattern::Extend { variable, expression, .. } => {
                let is_term = match expression {
                    Expression::Variable(other) => !self.computed.contains(other.as_str()),
                    Expression::NamedNode(_) | Expression::Literal(_) => true,
                    _ => false,
                };
                if !is_term {
                    self.computed.insert(variable.as_str().to_owned());
                }
                self.expression(expression);
            }
            GraphPattern::Group { aggregates, .. } => {
                for (variable, aggregate) in aggregates {
                    self.computed.insert(variable.as_str().to_owned());
                    self.aggregate(aggregate);
                }
            }
            other => expressions_of(other).into_iter().for_each(|expression| self.expression(expression)),
        }
        parts_of(pattern).into_iter().for_each(|part| self.pattern(part));
    }

    fn aggregate(&mut self, aggregate: &AggregateExpression) {
        match aggregate {
            AggregateExpression::CountSolutions { .. } => {}
            // A count needs no values.
            AggregateExpression::FunctionCall {
                name: AggregateFunction::Count,
                expr: Expression::Variable(counted),
                ..
            } => {
                self.as_terms.insert(counted.as_str().to_owned());
            }
            AggregateExpression::FunctionCall { expr, .. } => self.expression(expr),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Variable(variable) => {
                self.as_terms.insert(variable.as_str().to_owned());
                self.as_values.insert(variable.as_str().to_owned());
            }
            Expression::Bound(variable) => {
                self.as_terms.insert(variable.as_str().to_owned());
            }
            Expression::Exists(pattern) => self.pattern(pattern),
            other => operands_of(other).into_iter().for_each(|operand| self.expression(operand)),
        }
    }

    /// Adds a variable that is not in the query.
    pub(crate) fn add_computed(&mut self, variable: &str) {
        self.computed.insert(variable.to_owned());
    }

    /// Returns whether a variable may have a term without a number.
    pub(crate) fn is_computed(&self, variable: &str) -> bool {
        self.computed.contains(variable)
    }

    /// Returns the parts of a variable that have columns, for values of these kinds.
    pub(crate) fn parts(&self, variable: &str, kinds: ValueKinds) -> Vec<ValuePart> {
        let is_computed = self.computed.contains(variable);
        let has_text = is_computed || self.as_terms.contains(variable);
        let has_values = self.as_values.contains(variable) || is_computed;
        let is_there = |part: &ValuePart| match part {
            ValuePart::Number => !is_computed,
            ValuePart::Text | ValuePart::Type => has_text,
            ValuePart::Exact => has_values && kinds.may_be(ValueKinds::EXACT),
            ValuePart::Double => has_values && kinds.may_be(ValueKinds::NUMBER),
            ValuePart::Boolean => has_values && kinds.may_be(ValueKinds::BOOLEAN),
            ValuePart::Time | ValuePart::Zoned => has_values && kinds.may_be(ValueKinds::TIME),
        };
        ValuePart::ALL.into_iter().filter(is_there).collect()
    }
}
