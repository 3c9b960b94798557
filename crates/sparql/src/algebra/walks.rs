//! Walks over the algebra for other crates.

use std::collections::HashSet;

use oxrdf::Variable;
use spargebra::algebra::{Expression, GraphPattern};

use super::{expressions, mentioned, mentioned_by_expression, operands, operands_mut, parts};

/// Returns the patterns directly inside a pattern, except those inside EXISTS.
pub fn parts_of(pattern: &GraphPattern) -> Vec<&GraphPattern> {
    parts(pattern)
}

/// Returns the expressions directly in a pattern.
pub fn expressions_of(pattern: &GraphPattern) -> Vec<&Expression> {
    expressions(pattern)
}

/// Returns the expressions directly inside an expression.
pub fn operands_of(expression: &Expression) -> Vec<&Expression> {
    operands(expression)
}

/// Like [`operands_of`], to change them.
pub fn operands_of_mut(expression: &mut Expression) -> Vec<&mut Expression> {
    operands_mut(expression)
}

/// Returns the variables that a pattern shares with its surroundings, bound or only used.
pub fn variables_in_pattern(pattern: &GraphPattern) -> HashSet<Variable> {
    let mut found = HashSet::new();
    mentioned(pattern, &mut found);
    found
}

/// Returns the variables of an expression, with those of the patterns of EXISTS.
pub fn variables_in_expression(expression: &Expression) -> HashSet<Variable> {
    let mut found = HashSet::new();
    mentioned_by_expression(expression, &mut found);
    found
}
