//! Queries of all forms: the parts around the pattern of WHERE. `AlgebraWriter` is defined in `mod.rs`.

use oxrdf::{NamedNode, Variable};
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{TermPattern, TriplePattern};

use super::AlgebraWriter;
use super::group_writer::is_nothing;
use crate::algebra::columns;

impl<'w> AlgebraWriter<'w> {
    pub(super) fn query(&mut self, query: &'w Query) {
        self.sources = query.dataset();
        match query {
            Query::Select { pattern, .. } => self.select(pattern),
            Query::Ask { pattern, .. } => {
                self.push("ASK");
                self.where_clause(without_columns(pattern));
            }
            Query::Construct { template, pattern, .. } => {
                self.push("CONSTRUCT {");
                self.indent += 1;
                for triple in template {
                    self.line();
                    self.template_triple(triple);
                }
                self.indent -= 1;
                self.line();
                self.push("}");
                self.where_clause(without_columns(pattern));
            }
            Query::Describe { pattern, .. } => self.describe(pattern),
        }
    }

    /// Writes the graphs of the dataset, but only once.
    pub(super) fn sources(&mut self, keyword: &str) {
        let Some(dataset) = self.sources.take() else { return };
        let named = dataset.named.iter().flatten();
        let graphs = dataset.default.iter().map(|graph| ("", graph));
        for (kind, graph) in graphs.chain(named.map(|graph| (" NAMED", graph))) {
            self.push(&format!(" {keyword}{kind} "));
            self.iri(graph);
        }
    }

    fn where_clause(&mut self, pattern: &'w GraphPattern) {
        self.sources("FROM");
        self.push(" WHERE ");
        self.group(pattern);
    }

    /// In the algebra, a named resource is the value of a column.
    fn describe(&mut self, pattern: &'w GraphPattern) {
        self.push("DESCRIBE");
        let columns = columns(pattern).map(Vec::as_slice).unwrap_or_default();
        let (rest, named) = match pattern {
            GraphPattern::Project { inner, .. } => named_resources(inner, columns),
            pattern => (pattern, Vec::new()),
        };
        for column in columns {
            self.push(" ");
            match named.iter().find(|(variable, _)| *variable == column) {
                Some((_, node)) => self.iri(node),
                None => self.variable(column),
            }
        }
        if is_nothing(rest) {
            return self.sources("FROM");
        }
        self.where_clause(rest);
    }

    /// Writes a triple of a template, in which blank nodes are new for each solution.
    pub(super) fn template_triple(&mut self, triple: &TriplePattern) {
        self.template_term(&triple.subject);
        self.push(" ");
        self.name(&triple.predicate);
        self.push(" ");
        self.template_term(&triple.object);
        self.push(" .");
    }

    pub(super) fn template_term(&mut self, term: &TermPattern) {
        match term {
            TermPattern::BlankNode(node) => self.push(&node.to_string()),
            term => self.term(term),
        }
    }
}

/// The pattern without its outermost projection, which does not matter if no columns are wanted.
fn without_columns(pattern: &GraphPattern) -> &GraphPattern {
    match pattern {
        GraphPattern::Project { inner, .. } => inner,
        pattern => pattern,
    }
}

/// Removes the columns that are named resources from the pattern of DESCRIBE.
fn named_resources<'w>(
    mut pattern: &'w GraphPattern,
    columns: &[Variable],
) -> (&'w GraphPattern, Vec<(&'w Variable, &'w NamedNode)>) {
    let mut named = Vec::new();
    while let GraphPattern::Extend { inner, variable, expression: Expression::NamedNode(node) } = pattern
        && columns.contains(variable)
    {
        named.push((variable, node));
        pattern = inner;
    }
    (pattern, named)
}
