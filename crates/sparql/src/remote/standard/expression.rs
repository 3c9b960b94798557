//! Expressions, with the necessary brackets. Long operands of `&&` and `||` are on separate lines. `AlgebraWriter` is
//! defined in `mod.rs`.

use spargebra::algebra::{Expression, Function};

use super::AlgebraWriter;

/// The longest expression that is written on one line.
const LINE: usize = 90;

/// The precedence of an operator; greater numbers bind more tightly.
fn binding(expression: &Expression) -> u8 {
    match expression {
        Expression::Or(..) => 0,
        Expression::And(..) => 1,
        Expression::Equal(..)
        | Expression::Greater(..)
        | Expression::GreaterOrEqual(..)
        | Expression::Less(..)
        | Expression::LessOrEqual(..)
        | Expression::In(..) => 2,
        Expression::Not(inner) if matches!(**inner, Expression::Equal(..) | Expression::In(..)) => 2,
        Expression::Add(..) | Expression::Subtract(..) => 3,
        Expression::Multiply(..) | Expression::Divide(..) => 4,
        Expression::UnaryPlus(_) | Expression::UnaryMinus(_) | Expression::Not(_) => 5,
        _ => 6,
    }
}

impl<'w> AlgebraWriter<'w> {
    pub(super) fn filter(&mut self, expression: &'w Expression) {
        self.line();
        let is_exists = |expression: &Expression| matches!(expression, Expression::Exists(_));
        let stands_alone = match expression {
            Expression::Not(inner) => is_exists(inner),
            expression => is_exists(expression),
        };
        if stands_alone {
            self.push("FILTER ");
            return self.expression(expression);
        }
        self.push("FILTER (");
        self.expression(expression);
        self.push(")");
    }

    pub(super) fn expression(&mut self, expression: &'w Expression) {
        match expression {
            Expression::NamedNode(node) => self.iri(node),
            Expression::Literal(literal) => self.literal(literal),
            Expression::Variable(variable) => match self.aggregates.get(variable).copied() {
                Some(aggregate) => self.aggregate(aggregate),
                None => self.variable(variable),
            },
            Expression::Or(..) => self.chain(expression, "||"),
            Expression::And(..) => self.chain(expression, "&&"),
            Expression::Equal(left, right) => self.binary(left, "=", right, 3, 3),
            Expression::Greater(left, right) => self.binary(left, ">", right, 3, 3),
            Expression::GreaterOrEqual(left, right) => self.binary(left, ">=", right, 3, 3),
            Expression::Less(left, right) => self.binary(left, "<", right, 3, 3),
            Expression::LessOrEqual(left, right) => self.binary(left, "<=", right, 3, 3),
            Expression::Add(left, right) => self.binary(left, "+", right, 3, 4),
            Expression::Subtract(left, right) => self.binary(left, "-", right, 3, 4),
            Expression::Multiply(left, right) => self.binary(left, "*", right, 4, 5),
            Expression::Divide(left, right) => self.binary(left, "/", right, 4, 5),
            Expression::In(value, list) => self.within(value, "IN", list),
            Expression::UnaryPlus(inner) => self.unary("+", inner),
            Expression::UnaryMinus(inner) => self.unary("-", inner),
            Expression::Not(inner) => match inner.as_ref() {
                Expression::Equal(left, right) => self.binary(left, "!=", right, 3, 3),
                Expression::In(value, list) => self.within(value, "NOT IN", list),
                Expression::Exists(pattern) => {
                    self.push("NOT EXISTS ");
                    self.group(pattern);
                }
                inner => self.unary("!", inner),
            },
            Expression::Exists(pattern) => {
                self.push("EXISTS ");
                self.group(pattern);
            }
            Expression::SameTerm(left, right) => self.call("sameTerm", [&**left, &**right]),
            Expression::Bound(variable) => {
                self.push("BOUND(");
                self.variable(variable);
                self.push(")");
            }
            Expression::If(condition, one, other) => self.call("IF", [&**condition, &**one, &**other]),
            Expression::Coalesce(list) => self.call("COALESCE", list),
            Expression::FunctionCall(function, list) => self.function(function, list),
        }
    }

    fn function(&mut self, function: &Function, arguments: &'w [Expression]) {
        match function {
            Function::Custom(node) => {
                self.iri(node);
                self.call("", arguments);
            }
            Function::Adjust => self.object("it uses ADJUST, which is not part of SPARQL 1.1"),
            Function::IsBlank => self.call("isBlank", arguments),
            Function::IsLiteral => self.call("isLiteral", arguments),
            Function::IsNumeric => self.call("isNumeric", arguments),
            function => self.call(&function.to_string(), arguments),
        }
    }

    fn call(&mut self, name: &str, arguments: impl IntoIterator<Item = &'w Expression>) {
        self.push(name);
        self.push("(");
        for (place, argument) in arguments.into_iter().enumerate() {
            self.push(if place == 0 { "" } else { ", " });
            self.expression(argument);
        }
        self.push(")");
    }

    fn within(&mut self, value: &'w Expression, operator: &str, list: &'w [Expression]) {
        self.bracketed(value, 3);
        self.push(" ");
        self.call(&format!("{operator} "), list);
    }

    fn unary(&mut self, sign: &str, inner: &'w Expression) {
        self.push(sign);
        self.bracketed(inner, 6);
    }

    fn binary(
        &mut self,
        left: &'w Expression,
        sign: &str,
        right: &'w Expression,
        least: u8,
        least_right: u8,
    ) {
        self.bracketed(left, least);
        self.push(&format!(" {sign} "));
        self.bracketed(right, least_right);
    }

    fn bracketed(&mut self, expression: &'w Expression, least: u8) {
        if binding(expression) >= least {
            return self.expression(expression);
        }
        self.push("(");
        self.expression(expression);
        self.push(")");
    }

    /// Writes the operands of an associative operator.
    fn chain(&mut self, expression: &'w Expression, sign: &str) {
        let mut operands = Vec::new();
        flatten(expression, binding(expression), &mut operands);
        self.indent += 1;
        // `&&` within `||` needs no brackets, and reads better with them.
        let texts: Vec<String> =
            operands.iter().map(|operand| self.apart(|writer| writer.bracketed(operand, 2))).collect();
        let is_long = texts.iter().any(|text| text.contains('\n'))
            || texts.iter().map(|text| text.len() + sign.len() + 2).sum::<usize>() > LINE;
        for (place, text) in texts.iter().enumerate() {
            match (place, is_long) {
                (_, true) => self.line(),
                (0, false) => {}
                (_, false) => self.push(" "),
            }
            self.push(text);
            if place + 1 < texts.len() {
                self.push(" ");
                self.push(sign);
            }
        }
        self.indent -= 1;
        if is_long {
            self.line();
        }
    }
}

fn flatten<'e>(expression: &'e Expression, level: u8, operands: &mut Vec<&'e Expression>) {
    match expression {
        Expression::Or(left, right) | Expression::And(left, right) if binding(expression) == level => {
            flatten(left, level, operands);
            flatten(right, level, operands);
        }
        _ => operands.push(expression),
    }
}
