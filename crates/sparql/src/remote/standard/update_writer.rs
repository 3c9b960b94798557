//! The operations of updates. `AlgebraWriter` is defined in `mod.rs`.

use spargebra::GraphUpdateOperation;
use spargebra::algebra::QueryDataset;
use spargebra::term::{GraphNamePattern, QuadPattern, TriplePattern};

use super::AlgebraWriter;
use crate::update::update_algebra::template_of;
use evalgraph_rdf::vocabulary::evaluator;

impl<'w> AlgebraWriter<'w> {
    /// Writes one operation and its end.
    pub(super) fn operation(&mut self, operation: &'w GraphUpdateOperation) {
        match operation {
            GraphUpdateOperation::DeleteInsert { delete, insert, using, pattern } => {
                // The parser puts the graph of WITH into templates, and USING hides the named graphs.
                let (with, using): (Option<_>, _) = match using {
                    Some(QueryDataset { default, named: None }) => (default.first(), None),
                    using => (None, using.as_ref()),
                };
                if let Some(graph) = with {
                    self.push("WITH ");
                    self.iri(graph);
                    self.push(" ");
                }
                self.template("DELETE", delete.iter().map(template_of));
                self.template("INSERT", insert.iter().cloned());
                self.sources = using;
                self.sources("USING");
                self.push(" WHERE ");
                self.group(pattern);
            }
            GraphUpdateOperation::Load { source, .. } if source.as_str() == evaluator::SOURCE => {
                self.object("it asks whether a graph is there, by COPY, MOVE or ADD without SILENT");
            }
            operation => self.push(&operation.to_string()),
        }
        self.push(" ;");
        self.line_end();
    }

    /// Writes a template of quads. An empty template is left out.
    fn template(&mut self, keyword: &str, quads: impl Iterator<Item = QuadPattern>) {
        let mut quads = quads.peekable();
        if quads.peek().is_none() {
            return;
        }
        self.push(keyword);
        self.push(" {");
        self.indent += 1;
        for quad in quads {
            self.line();
            let QuadPattern { subject, predicate, object, graph_name } = quad;
            let triple = TriplePattern { subject, predicate, object };
            match &graph_name {
                GraphNamePattern::DefaultGraph => self.template_triple(&triple),
                GraphNamePattern::NamedNode(node) => {
                    self.push("GRAPH ");
                    self.iri(node);
                    self.in_braces(&triple);
                }
                GraphNamePattern::Variable(variable) => {
                    self.push("GRAPH ");
                    self.variable(variable);
                    self.in_braces(&triple);
                }
            }
        }
        self.indent -= 1;
        self.line();
        self.push("} ");
    }

    fn in_braces(&mut self, triple: &TriplePattern) {
        self.push(" { ");
        self.template_triple(triple);
        self.push(" }");
    }
}
