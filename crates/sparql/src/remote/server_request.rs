//! Queries and updates in the form that servers accept: in SPARQL 1.1, with declared prefixes, with the values of
//! parameters put in, and without functions that only this program has. `Update` is defined in `update/mod.rs`.

use std::collections::HashMap;

use spargebra::GraphUpdateOperation;
use spargebra::algebra::{Expression, Function, GraphPattern};
use spargebra::term::{GraphName, GraphNamePattern, QuadPattern, TriplePattern};

use crate::algebra::{
    any, columns_mut, exists, exists_mut, expressions_mut, operands_mut, parts, parts_mut, pattern_of,
    pattern_of_mut,
};
use crate::query::{Query, QueryForm, used_undeclared_prefixes};
use crate::remote::server_functions::{file_of, member_of};
use crate::remote::server_template::ServerTemplate;
use crate::remote::standard::{standard_query, standard_update};
use crate::text::prefixes::QueryPrefixes;
use crate::text::tokens::tokenize;
use crate::update::Update;
use crate::update::update_algebra::variables_of_templates;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::vocabulary::EVALGRAPH_FUNCTION;

/// A query for a server.
#[derive(Debug, Clone)]
pub struct ServerQuery {
    algebra: spargebra::Query,
    prefixes: QueryPrefixes,
}

impl ServerQuery {
    /// A query for a server. `files` has the file names of graphs by the IRIs of the graphs. The functions that return
    /// the file of a graph and the member of a JSON object are replaced.
    ///
    /// # Errors
    ///
    /// `sparql::own-function` for any other function that servers do not have.
    pub fn new(
        query: &Query,
        files: impl FnOnce() -> Result<HashMap<String, String>, Box<Diagnostic>>,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut algebra = query.algebra().clone();
        let (mut asks_for_files, mut other) = (false, None);
        in_expressions(pattern_of_mut(&mut algebra), &mut |expression| match own_call(expression) {
            Some(("file", [_])) => asks_for_files = true,
            Some(("member", [_, Expression::Literal(_)])) | None => {}
            Some((name, _)) => other = other.take().or_else(|| Some(name.to_owned())),
        });
        if let Some(other) = other {
            return Err(own_function(&other));
        }
        let mut files: Vec<_> = if asks_for_files { files()?.into_iter().collect() } else { Vec::new() };
        files.sort_unstable();
        in_expressions(pattern_of_mut(&mut algebra), &mut |expression| {
            let said = match own_call(expression) {
                Some(("file", [graph])) => file_of(graph, &files),
                Some(("member", [json, Expression::Literal(key)])) => member_of(json, key.value()),
                _ => return,
            };
            *expression = said;
        });
        Ok(Self { algebra, prefixes: query.prefixes().clone() })
    }

    /// The form of the query.
    pub fn form(&self) -> QueryForm {
        QueryForm::from_algebra(&self.algebra)
    }

    /// Returns whether the query names its graphs with FROM.
    pub fn has_sources(&self) -> bool {
        self.algebra.dataset().is_some()
    }

    /// Returns whether the query reads named graphs.
    pub fn asks_named_graphs(&self) -> bool {
        any(pattern_of(&self.algebra), &|pattern| matches!(pattern, GraphPattern::Graph { .. }))
    }

    /// Returns whether the query mentions an IRI.
    pub fn mentions(&self, iri: &str) -> bool {
        self.algebra.to_string().contains(&format!("<{iri}>"))
    }

    /// The most solutions that the query asks for.
    pub fn most(&self) -> Option<usize> {
        match pattern_of(&self.algebra) {
            GraphPattern::Slice { length, .. } => *length,
            _ => None,
        }
    }

    /// The query for a part of its solutions: at most `most`, beginning with number `from`.
    pub fn part(mut self, from: usize, most: Option<usize>) -> Self {
        let pattern = pattern_of_mut(&mut self.algebra);
        let whole = std::mem::take(pattern);
        let (inner, start, length) = match whole {
            GraphPattern::Slice { inner, start, length } => (inner, start, length),
            whole => (Box::new(whole), 0, None),
        };
        let left = length.map(|length| length.saturating_sub(from));
        let length = left.into_iter().chain(most).min();
        *pattern = GraphPattern::Slice { inner, start: start.saturating_add(from), length };
        self
    }

    /// For CONSTRUCT, the SELECT query for its solutions, and the template that they fill: tables can be requested in
    /// parts, graphs cannot.
    pub fn solutions_of_construct(&self) -> Option<(Self, ServerTemplate)> {
        let spargebra::Query::Construct { template, dataset, pattern, base_iri } = &self.algebra else {
            return None;
        };
        let in_default_graph = |triple: &TriplePattern| QuadPattern {
            subject: triple.subject.clone(),
            predicate: triple.predicate.clone(),
            object: triple.object.clone(),
            graph_name: GraphNamePattern::DefaultGraph,
        };
        let template: Vec<QuadPattern> = template.iter().map(in_default_graph).collect();
        let variables = variables_of_templates(template.iter());
        let mut pattern = pattern.clone();
        if let Some(columns) = columns_mut(&mut pattern) {
            columns.retain(|column| variables.contains(column));
        }
        let algebra =
            spargebra::Query::Select { dataset: dataset.clone(), pattern, base_iri: base_iri.clone() };
        Some((Self { algebra, prefixes: self.prefixes.clone() }, ServerTemplate(template)))
    }

    /// The text of the query.
    ///
    /// # Errors
    ///
    /// `sparql::not-standard` if SPARQL 1.1 cannot express it.
    pub fn text(&self) -> Result<String, Box<Diagnostic>> {
        standard_query(&self.algebra, &self.prefixes).map_err(|why| not_standard("query", &why))
    }
}

impl Update {
    /// The text of the update. If nothing was put into it, this is the original text, preceded by declarations of its
    /// implicit prefixes.
    ///
    /// # Errors
    ///
    /// `sparql::not-standard` if SPARQL 1.1 cannot express it.
    pub fn server_text(&self) -> Result<String, Box<Diagnostic>> {
        let Some(text) = self.unchanged_text() else {
            let text = standard_update(self.operations(), &self.prefixes());
            return text.map_err(|why| not_standard("update", &why));
        };
        let prefixes = self.prefixes();
        let used = used_undeclared_prefixes(text, &tokenize(text), &prefixes);
        let declarations = used.iter().map(|(name, namespace)| format!("PREFIX {name}: <{namespace}> "));
        // Declarations are on the first line of the text, so that line numbers in messages of a server are those of the
        // text.
        Ok(declarations.chain([text.to_owned()]).collect())
    }
}

impl Update {
    /// Returns whether the update reads or changes anything outside GRAPH, WITH and USING.
    pub fn is_about_default_graph(&self) -> bool {
        self.operations().iter().any(|operation| match operation {
            GraphUpdateOperation::InsertData { data } => {
                data.iter().any(|quad| quad.graph_name == GraphName::DefaultGraph)
            }
            GraphUpdateOperation::DeleteData { data } => {
                data.iter().any(|quad| quad.graph_name == GraphName::DefaultGraph)
            }
            GraphUpdateOperation::DeleteInsert { delete, insert, using, pattern } => {
                let deleted = delete.iter().map(|quad| &quad.graph_name);
                let mut graphs = deleted.chain(insert.iter().map(|quad| &quad.graph_name));
                graphs.any(|graph| *graph == GraphNamePattern::DefaultGraph)
                    || using.is_none() && matches_outside(pattern)
            }
            _ => false,
        })
    }
}

/// Returns whether a pattern matches triples outside GRAPH.
fn matches_outside(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Bgp { patterns } => !patterns.is_empty(),
        GraphPattern::Path { .. } => true,
        GraphPattern::Graph { .. } | GraphPattern::Service { .. } => false,
        pattern => exists(pattern).into_iter().chain(parts(pattern)).any(matches_outside),
    }
}

/// Calls `change` for each expression of a pattern, inner ones first.
fn in_expressions(pattern: &mut GraphPattern, change: &mut dyn FnMut(&mut Expression)) {
    exists_mut(pattern).into_iter().for_each(|inside| in_expressions(inside, change));
    expressions_mut(pattern).into_iter().for_each(|expression| in_expression(expression, change));
    parts_mut(pattern).into_iter().for_each(|part| in_expressions(part, change));
}

fn in_expression(expression: &mut Expression, change: &mut dyn FnMut(&mut Expression)) {
    operands_mut(expression).into_iter().for_each(|operand| in_expression(operand, change));
    change(expression);
}

/// The local name and the arguments of a call of one of evalgraph's functions.
fn own_call(expression: &Expression) -> Option<(&str, &[Expression])> {
    let Expression::FunctionCall(Function::Custom(name), arguments) = expression else { return None };
    Some((name.as_str().strip_prefix(EVALGRAPH_FUNCTION)?, arguments))
}

fn own_function(name: &str) -> Box<Diagnostic> {
    let message = format!("`egf:{name}` is a function of this program, and no server has it");
    Box::new(Diagnostic::error("sparql::own-function", message))
}

fn not_standard(what: &str, why: &str) -> Box<Diagnostic> {
    let message = format!("the {what} cannot be sent to a server in SPARQL 1.1: {why}");
    Box::new(Diagnostic::error("sparql::not-standard", message))
}
