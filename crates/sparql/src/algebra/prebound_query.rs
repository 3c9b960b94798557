//! Queries whose variables get their values from outside, before they are evaluated: the SELECT and ASK queries of
//! SHACL-SPARQL (SHACL, sections 5 and 6 and appendix A).
//!
//! A value replaces its variable everywhere, also in subqueries and EXISTS. SHACL joins each pattern with the values
//! instead. The answers are the same except for a path of length zero from a term that the graph does not have: here it
//! leads to the term itself, as for any term in a query.

use oxrdf::{Term, Variable};
use sparesults::QuerySolution;
use spargebra::SparqlParser;

use crate::algebra::bulk::{fill_tables, in_bulk};
use crate::algebra::prebound_path::{parse_path, put_path};
use crate::algebra::prebound_rules::{check_forms, check_stars, check_text};
use crate::algebra::prebound_values::put_values;
use crate::algebra::substitution::{SubstitutionError, TermSubstitutions, substitute};
use crate::algebra::{columns, for_each_iri, pattern_of, pattern_of_mut};
use crate::environment::{EvaluationEnvironment, EvaluationError};
use crate::evaluate::{ExecuteOptions, QueryResults};
use crate::query::{
    QueryForm, declared_prefixes, evaluate, has_iri_of_variables, read_spelled, variables_of,
};
use crate::text::diagnosis::diagnose;
use crate::text::grammar::first_fault;
use crate::text::prefixes::QueryPrefixes;
use crate::text::prefixes::move_to_store_namespace;
use crate::text::query_respelling::as_parsed;
use crate::text::query_text_fault::QueryTextFault;
use crate::text::size::{check_joins, check_size};
use crate::text::tokens::{SparqlToken, SparqlTokenKind, tokenize};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, SourceText, thousands};
use evalgraph_store::DatasetView;
use evalgraph_work::CancellationToken;

/// A SELECT or ASK query whose variables are bound from outside before it is evaluated. Other methods are in
/// `composition.rs`.
#[derive(Debug, Clone)]
pub struct PreboundQuery {
    pub(crate) algebra: spargebra::Query,
    /// The names of the variables in the text.
    pub(crate) names: Vec<String>,
    mapped_iris: usize,
}

impl PreboundQuery {
    /// Parses a query. `name` is the source of the text, as messages show it.
    ///
    /// The known prefixes are `prefixes`, each with its namespace, and those that the text declares. `path` is the
    /// property path that replaces `$PATH`, with full IRIs or the same prefixes. `prebound` names the variables that
    /// may get a value; the text must not give them another one. `moves_iris` moves IRIs of schema.org into the
    /// namespace of the store, see [`PreboundQuery::mapped_iris`].
    ///
    /// # Errors
    ///
    /// A finding at the first token that is not allowed in its place, if the text is not a SPARQL 1.1 query or breaks a
    /// SHACL rule for such queries.
    pub fn parse(
        text: &str,
        name: &str,
        prefixes: &[(String, String)],
        path: Option<&str>,
        prebound: &[&str],
        moves_iris: bool,
    ) -> Result<Self, Box<Diagnostic>> {
        let source = SourceText::new(name, text.as_bytes());
        let at_fault = |fault: QueryTextFault| Box::new(fault.into_diagnostic(&source));
        let tokens = tokenize(text);
        check_size(text, &tokens).map_err(at_fault)?;
        check_prefixes(text, &tokens, prefixes).map_err(at_fault)?;
        check_text(text, &tokens, prebound).map_err(at_fault)?;
        let mut known = QueryPrefixes::new();
        prefixes.iter().for_each(|(prefix, namespace)| known.declare(prefix, namespace));
        let first_fault = |text: &str| first_fault(text, &known);
        if text.contains("<?")
            && has_iri_of_variables(text)
            && let Some(fault) = first_fault(text)
        {
            return Err(at_fault(fault));
        }
        let parser = parser_with(prefixes, &[text, path.unwrap_or_default()])?;
        let spelled = as_parsed(text);
        let spelled = spelled.as_deref().unwrap_or(text);
        let mut algebra = read_spelled(text, spelled, |text| parser.clone().parse_query(text))
            .map_err(|refusal| Box::new(diagnose(text, &source, &refusal, first_fault)))?;
        check_joins(text, name, pattern_of(&algebra))?;
        check_forms(text, &tokens, &algebra).map_err(at_fault)?;
        check_stars(text, &tokens, &algebra, prebound).map_err(at_fault)?;
        let path = path.map(|path| parse_path(path, parser)).transpose()?;
        put_path(text, &tokens, &mut algebra, path.as_ref()).map_err(at_fault)?;
        let mut mapped_iris = 0;
        if moves_iris {
            for_each_iri(&mut algebra, &mut |node| {
                mapped_iris += usize::from(move_to_store_namespace(node));
            });
        }
        Ok(Self { algebra, names: variables_of(text), mapped_iris })
    }

    /// The form of the query: SELECT or ASK.
    pub fn form(&self) -> QueryForm {
        match self.algebra {
            spargebra::Query::Ask { .. } => QueryForm::Ask,
            _ => QueryForm::Select,
        }
    }

    /// The names of the columns of SELECT.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        columns(pattern_of(&self.algebra)).into_iter().flatten().map(Variable::as_str)
    }

    /// Returns whether SELECT has a column of that name. A constraint has to select `this`.
    pub fn selects(&self, name: &str) -> bool {
        self.variables().any(|variable| variable == name)
    }

    /// Returns whether the query mentions a variable anywhere.
    pub fn mentions_variable(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// Returns how many IRIs were written in a form of the schema.org namespace other than the store's.
    pub fn mapped_iris(&self) -> usize {
        self.mapped_iris
    }

    /// Evaluates SELECT with values for some of its variables. A value may be any term. A blank node is a node of the
    /// dataset, identified by the label that the view gives it.
    ///
    /// # Errors
    ///
    /// An unknown function, the cancellation, or an error of the dataset.
    pub fn select(
        &self,
        view: DatasetView<'_>,
        bindings: &[(&str, Term)],
        cancellation: &CancellationToken,
    ) -> Result<Vec<QuerySolution>, EvaluationError> {
        solutions(answer(self.algebra.clone(), view, bindings, cancellation)?)
    }

    /// Evaluates ASK with values for some of its variables.
    ///
    /// # Errors
    ///
    /// The errors of [`PreboundQuery::select`].
    pub fn ask(
        &self,
        view: DatasetView<'_>,
        bindings: &[(&str, Term)],
        cancellation: &CancellationToken,
    ) -> Result<bool, EvaluationError> {
        Ok(match answer(self.algebra.clone(), view, bindings, cancellation)? {
            QueryResults::Boolean(answer) => answer,
            results => !solutions(results)?.is_empty(),
        })
    }

    /// Returns a query that is evaluated once for many values of `variables`, such as `this` for all focus nodes, or
    /// `None` if the answers could differ from those of one evaluation for each value. Other variables may get values
    /// that are the same for all. SELECT must select `variables`.
    pub fn in_bulk(&self, variables: &[&str]) -> Option<BulkQuery> {
        let variables: Vec<Variable> = variables.iter().map(|name| Variable::new_unchecked(*name)).collect();
        let algebra = in_bulk(&self.algebra, &variables)?;
        Some(BulkQuery { algebra, variables })
    }
}

/// The most solutions of the queries of a shapes graph. Each one is a result in memory, of about 500 bytes.
pub const MOST_SOLUTIONS: usize = 2_000_000;

/// A query that is evaluated once for many values of some of its variables.
#[derive(Debug, Clone)]
pub struct BulkQuery {
    algebra: spargebra::Query,
    variables: Vec<Variable>,
}

impl BulkQuery {
    /// Returns the solutions for all rows, in any order. A row has a value for each variable that was passed to
    /// [`PreboundQuery::in_bulk`]; a row that is given twice counts once. The solutions of SELECT are those of
    /// [`PreboundQuery::select`] for each row, with the values of the row in its columns. ASK has one solution for each
    /// row for which the answer is yes: the row.
    ///
    /// The time grows with the number of rows and with what the query finds for each, not with the size of the dataset.
    ///
    /// # Errors
    ///
    /// The errors of [`PreboundQuery::select`].
    pub fn select(
        &self,
        view: DatasetView<'_>,
        rows: &[Vec<Term>],
        bindings: &[(&str, Term)],
        cancellation: &CancellationToken,
    ) -> Result<Vec<QuerySolution>, EvaluationError> {
        let mut algebra = self.algebra.clone();
        fill_tables(pattern_of_mut(&mut algebra), &self.variables, rows);
        let is_of_rows = |name: &str| self.variables.iter().any(|variable| variable.as_str() == name);
        let others: Vec<(&str, Term)> =
            bindings.iter().filter(|(name, _)| !is_of_rows(name)).cloned().collect();
        solutions(answer(algebra, view, &others, cancellation)?)
    }
}

/// Evaluates a query with values in place of variables.
fn answer<'a>(
    mut algebra: spargebra::Query,
    view: DatasetView<'a>,
    bindings: &[(&str, Term)],
    cancellation: &CancellationToken,
) -> Result<QueryResults<'a>, EvaluationError> {
    let values: TermSubstitutions =
        bindings.iter().map(|(name, term)| (Variable::new_unchecked(*name), term.clone())).collect();
    put_values(pattern_of_mut(&mut algebra), &values);
    substitute(&mut algebra, &values).map_err(|error| {
        let (SubstitutionError::NeedsIri(variable) | SubstitutionError::IsComputed(variable)) = error;
        let message = format!("`${}` cannot be prebound, since the query computes it", variable.as_str());
        Box::new(Diagnostic::error("shacl::prebinding", message))
    })?;
    let environment =
        EvaluationEnvironment { cancellation: cancellation.clone(), ..EvaluationEnvironment::default() };
    evaluate(&algebra, view, ExecuteOptions::default(), &environment)
}

fn solutions(results: QueryResults<'_>) -> Result<Vec<QuerySolution>, EvaluationError> {
    let QueryResults::Solutions(solutions) = results else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for solution in solutions {
        if found.len() == MOST_SOLUTIONS {
            return Err(too_many_solutions());
        }
        found.push(solution?);
    }
    Ok(found)
}

/// The error for shapes whose queries have more than [`MOST_SOLUTIONS`] solutions.
pub fn too_many_solutions() -> Box<Diagnostic> {
    let most = thousands(MOST_SOLUTIONS as u64);
    let message = format!("the queries of the shapes find more than {most} results, which is the limit");
    let help = help![
        "tie each pattern of a query to `$this`, or name the nodes to validate with ",
        setting("focus")
    ];
    Box::new(Diagnostic::error("shacl::too-many", message).with_help(help))
}

/// Refuses a prefix that is not declared.
fn check_prefixes(
    text: &str,
    tokens: &[SparqlToken],
    prefixes: &[(String, String)],
) -> Result<(), QueryTextFault> {
    let own = declared_prefixes(text, tokens, &QueryPrefixes::new());
    let around = || prefixes.iter().map(|(prefix, _)| prefix.as_str());
    for token in tokens.iter().filter(|token| token.kind == SparqlTokenKind::PrefixedName) {
        let prefix = text[token.span.clone()].split(':').next().unwrap_or_default();
        if own.is_declared(prefix) || around().any(|known| known == prefix) {
            continue;
        }
        let message = format!("the prefix `{prefix}:` is not declared");
        let fault = QueryTextFault::new("sparql::undeclared-prefix", token.span.clone(), message);
        return Err(match nearest(prefix, around()) {
            Some(name) => fault.with_help(format!("did you mean `{name}:`?")),
            None => fault.with_help(format!(
                "declare `{prefix}` with sh:declare, and name the declaration with sh:prefixes"
            )),
        });
    }
    Ok(())
}

/// A parser with only those prefixes that the texts use.
fn parser_with(prefixes: &[(String, String)], texts: &[&str]) -> Result<SparqlParser, Box<Diagnostic>> {
    let is_used = |prefix: &str| {
        let name = format!("{prefix}:");
        texts.iter().any(|text| text.contains(&name))
    };
    // The parser refuses some namespaces. A query that does not use them is not at fault.
    let mut used = prefixes.iter().filter(|(prefix, _)| is_used(prefix));
    used.try_fold(SparqlParser::new(), |parser, (prefix, namespace)| {
        parser.with_prefix(prefix, namespace).map_err(|_| {
            let message =
                format!("the namespace `{namespace}` of the prefix `{prefix}` is not an absolute IRI");
            Box::new(Diagnostic::error("shacl::prefix", message))
        })
    })
}
