//! Groups of graph patterns. A FILTER applies to its whole group, so a deeper one in the algebra gets its own group.
//! `AlgebraWriter` is defined in `mod.rs`.

use spargebra::algebra::GraphPattern;
use spargebra::term::GroundTerm;

use super::AlgebraWriter;

impl<'w> AlgebraWriter<'w> {
    /// Writes a pattern in braces.
    pub(super) fn group(&mut self, pattern: &'w GraphPattern) {
        self.push("{");
        self.indent += 1;
        self.whole(pattern);
        self.indent -= 1;
        self.line();
        self.push("}");
    }

    /// Writes a pattern that fills its whole group. A subquery then needs no further braces.
    fn whole(&mut self, pattern: &'w GraphPattern) {
        match pattern {
            GraphPattern::Project { .. }
            | GraphPattern::Distinct { .. }
            | GraphPattern::Reduced { .. }
            | GraphPattern::Slice { .. }
            | GraphPattern::OrderBy { .. }
            | GraphPattern::Group { .. } => {
                self.line();
                self.select(pattern);
            }
            _ => self.ending(pattern),
        }
    }

    /// Writes a pattern at the end of a group, where its filters are.
    fn ending(&mut self, pattern: &'w GraphPattern) {
        match pattern {
            GraphPattern::Filter { expr, inner } => {
                self.ending(inner);
                self.filter(expr);
            }
            GraphPattern::Join { left, right } if is_nothing(left) => self.ending(right),
            GraphPattern::Join { left, right } if is_nothing(right) => self.ending(left),
            _ => self.beginning(pattern),
        }
    }

    /// Writes a pattern at the beginning of a group. Others may follow.
    fn beginning(&mut self, pattern: &'w GraphPattern) {
        match pattern {
            GraphPattern::Join { left, right } if is_nothing(left) => self.beginning(right),
            GraphPattern::Join { left, right } => {
                self.beginning(left);
                self.following(right);
            }
            GraphPattern::LeftJoin { left, right, expression } => {
                self.beginning(left);
                self.line();
                self.push("OPTIONAL {");
                self.indent += 1;
                // Without another group, these filters would become conditions of OPTIONAL.
                match right.as_ref() {
                    GraphPattern::Filter { .. } => self.nested(right),
                    right => self.whole(right),
                }
                if let Some(expression) = expression {
                    self.filter(expression);
                }
                self.indent -= 1;
                self.line();
                self.push("}");
            }
            GraphPattern::Minus { left, right } => {
                self.beginning(left);
                self.line();
                self.push("MINUS ");
                self.group(right);
            }
            GraphPattern::Extend { inner, variable, expression } => {
                self.beginning(inner);
                self.line();
                self.push("BIND (");
                self.expression(expression);
                self.push(" AS ");
                self.variable(variable);
                self.push(")");
            }
            GraphPattern::Filter { .. } => self.nested(pattern),
            _ => self.following(pattern),
        }
    }

    /// Writes a pattern that is joined with those before it.
    fn following(&mut self, pattern: &'w GraphPattern) {
        match pattern {
            GraphPattern::Bgp { patterns } => {
                for triple in patterns {
                    self.line();
                    self.triple(triple);
                }
            }
            GraphPattern::Path { subject, path, object } => {
                self.line();
                self.term(subject);
                self.push(" ");
                self.path(path);
                self.push(" ");
                self.term(object);
                self.push(" .");
            }
            GraphPattern::Values { variables, bindings } => {
                let is_single = variables.len() == 1;
                self.line();
                self.push(if is_single { "VALUES " } else { "VALUES (" });
                for (place, variable) in variables.iter().enumerate() {
                    self.push(if place == 0 { "" } else { " " });
                    self.variable(variable);
                }
                self.push(if is_single { " {" } else { ") {" });
                bindings.iter().for_each(|row| self.row(row, is_single));
                self.push(" }");
            }
            GraphPattern::Union { .. } => {
                self.line();
                self.union(pattern);
            }
            GraphPattern::Graph { name, inner } => {
                self.line();
                self.push("GRAPH ");
                self.name(name);
                self.push(" ");
                self.group(inner);
            }
            GraphPattern::Service { name, inner, silent } => {
                self.line();
                self.push(if *silent { "SERVICE SILENT " } else { "SERVICE " });
                self.name(name);
                self.push(" ");
                self.group(inner);
            }
            GraphPattern::Join { left, right } if is_simple(left) && is_simple(right) => {
                self.following(left);
                self.following(right);
            }
            GraphPattern::Lateral { .. } => self.object("it uses LATERAL, which is not part of SPARQL 1.1"),
            _ => self.nested(pattern),
        }
    }

    fn nested(&mut self, pattern: &'w GraphPattern) {
        self.line();
        self.group(pattern);
    }

    fn union(&mut self, pattern: &'w GraphPattern) {
        let GraphPattern::Union { left, right } = pattern else { return self.group(pattern) };
        self.union(left);
        self.push(" UNION ");
        self.union(right);
    }

    fn row(&mut self, row: &[Option<GroundTerm>], is_single: bool) {
        self.push(if is_single { "" } else { " (" });
        for (place, value) in row.iter().enumerate() {
            self.push(if place == 0 && !is_single { "" } else { " " });
            match value {
                Some(term) => self.ground_term(term),
                None => self.push("UNDEF"),
            }
        }
        self.push(if is_single { "" } else { ")" });
    }
}

pub(super) fn is_nothing(pattern: &GraphPattern) -> bool {
    matches!(pattern, GraphPattern::Bgp { patterns } if patterns.is_empty())
}

/// Returns whether a pattern has the same meaning anywhere in a group.
fn is_simple(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } => true,
        GraphPattern::Join { left, right } => is_simple(left) && is_simple(right),
        _ => false,
    }
}
