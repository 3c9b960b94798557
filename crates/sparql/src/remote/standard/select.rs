//! SELECT, as a query or as a subquery: columns, groups, conditions on groups, order and number of solutions.
//! `AlgebraWriter` is defined in `mod.rs`.

use oxrdf::Variable;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, GraphPattern, OrderExpression};

use super::AlgebraWriter;

/// The parts of a SELECT, from the outside in.
#[derive(Default)]
struct SelectClauses<'w> {
    slice: Option<(usize, Option<usize>)>,
    keyword: &'static str,
    columns: Vec<&'w Variable>,
    order: &'w [OrderExpression],
    computed: Vec<(&'w Variable, &'w Expression)>,
    having: Vec<&'w Expression>,
    keys: Option<&'w [Variable]>,
    aggregates: &'w [(Variable, AggregateExpression)],
}

impl<'w> SelectClauses<'w> {
    /// Removes the parts from a pattern. Returns the rest, the pattern of WHERE.
    fn take(&mut self, mut pattern: &'w GraphPattern) -> &'w GraphPattern {
        if let GraphPattern::Slice { inner, start, length } = pattern {
            self.slice = Some((*start, *length));
            pattern = inner;
        }
        match pattern {
            GraphPattern::Distinct { inner } => (self.keyword, pattern) = (" DISTINCT", inner),
            GraphPattern::Reduced { inner } => (self.keyword, pattern) = (" REDUCED", inner),
            _ => {}
        }
        if let GraphPattern::Project { inner, variables } = pattern {
            self.columns = variables.iter().collect();
            pattern = inner;
        }
        if let GraphPattern::OrderBy { inner, expression } = pattern {
            (self.order, pattern) = (expression, inner);
        }
        while let GraphPattern::Extend { inner, variable, expression } = pattern
            && self.columns.contains(&variable)
        {
            self.computed.push((variable, expression));
            pattern = inner;
        }
        let mut having = pattern;
        while let GraphPattern::Filter { inner, .. } = having {
            having = inner;
        }
        let GraphPattern::Group { inner, variables, aggregates } = having else { return pattern };
        while let GraphPattern::Filter { inner, expr } = pattern {
            self.having.push(expr);
            pattern = inner;
        }
        self.keys = Some(variables);
        self.aggregates = aggregates;
        inner
    }
}

impl<'w> AlgebraWriter<'w> {
    pub(super) fn select(&mut self, pattern: &'w GraphPattern) {
        let mut parts = SelectClauses::default();
        let inside = parts.take(pattern);
        let of_select = parts.aggregates.iter().map(|(variable, aggregate)| (variable.clone(), aggregate));
        let outside = std::mem::replace(&mut self.aggregates, of_select.collect());
        self.push("SELECT");
        self.push(parts.keyword);
        if parts.columns.is_empty() {
            self.push(" *");
        }
        for column in &parts.columns {
            self.push(" ");
            match parts.computed.iter().find(|(variable, _)| variable == column) {
                Some((_, expression)) => {
                    self.push("(");
                    self.expression(expression);
                    self.push(" AS ");
                    self.variable(column);
                    self.push(")");
                }
                None => self.variable(column),
            }
        }
        self.sources("FROM");
        self.push(" WHERE ");
        let of_select = std::mem::take(&mut self.aggregates);
        self.group(inside);
        self.aggregates = of_select;
        self.modifiers(&parts);
        self.aggregates = outside;
    }

    fn modifiers(&mut self, parts: &SelectClauses<'w>) {
        if let Some(keys @ [_, ..]) = parts.keys {
            self.line();
            self.push("GROUP BY");
            for key in keys {
                self.push(" ");
                self.variable(key);
            }
        }
        for condition in parts.having.iter().rev() {
            self.push(" HAVING (");
            self.expression(condition);
            self.push(")");
        }
        if !parts.order.is_empty() {
            self.line();
            self.push("ORDER BY");
        }
        for key in parts.order {
            let (direction, key) = match key {
                OrderExpression::Asc(key) => (" ASC(", key),
                OrderExpression::Desc(key) => (" DESC(", key),
            };
            self.push(direction);
            self.expression(key);
            self.push(")");
        }
        if let Some((start, length)) = parts.slice {
            self.line();
            let offset = if start > 0 { format!("OFFSET {start} ") } else { String::new() };
            let limit = length.map_or_else(String::new, |length| format!("LIMIT {length}"));
            self.push(format!("{offset}{limit}").trim_end());
        }
    }

    pub(super) fn aggregate(&mut self, aggregate: &'w AggregateExpression) {
        let (name, argument, distinct) = match aggregate {
            AggregateExpression::CountSolutions { distinct } => (&AggregateFunction::Count, None, *distinct),
            AggregateExpression::FunctionCall { name, expr, distinct } => (name, Some(expr), *distinct),
        };
        match name {
            AggregateFunction::Custom(_) => {
                self.object("it uses an aggregate that is not part of SPARQL 1.1");
            }
            name => self.push(&name.to_string()),
        }
        self.push(if distinct { "(DISTINCT " } else { "(" });
        match argument {
            Some(argument) => self.expression(argument),
            None => self.push("*"),
        }
        if let AggregateFunction::GroupConcat { separator: Some(separator) } = name {
            self.push("; SEPARATOR = ");
            self.literal(&oxrdf::Literal::new_simple_literal(separator));
        }
        self.push(")");
    }
}
