//! SPARQL queries as SQL over the Parquet export: a statement that gives exactly what evalgraph gives, or a refusal that
//! names the place in the query.

mod active_graphs;
mod casts;
mod column_names;
mod comparisons;
mod date_parts;
mod dialect;
mod exists;
mod expressions;
mod functions;
mod groups;
mod joins;
mod paths;
mod pattern_variables;
mod patterns;
mod patterns_of_text;
mod selects;
mod sql_functions;
mod sql_refusal;
mod sql_relation;
mod sql_value;
mod strings;
mod translator;
mod value_kinds;
mod variable_uses;

pub use dialect::SqlDialect;

use evalgraph_diagnostics::Diagnostic;
use evalgraph_sparql::Query;
use sql_refusal::SqlRefusal;
use translator::SqlTranslator;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Writes a query as SQL over the views of an export (`views.duckdb.sql` and its siblings).
///
/// SELECT has two columns for each variable: its text, and its type (`iri`, `blank`, the IRI of a datatype, or a language
/// after `@`). ASK has the column `answer`.
///
/// # Errors
///
/// `sql::unsupported`, at the part of the query that SQL cannot answer exactly.
pub fn sql_of(query: &Query, dialect: SqlDialect) -> Result<String, Box<Diagnostic>> {
    let translator = SqlTranslator::new(query, dialect);
    let text = match query.algebra() {
        spargebra::Query::Select { pattern, .. } => translator.answer(pattern),
        spargebra::Query::Ask { pattern, .. } => translator.truth_of_pattern(pattern),
        spargebra::Query::Construct { .. } | spargebra::Query::Describe { .. } => {
            let form = query.form().name().to_uppercase();
            Err(SqlRefusal::new(
                format!("{form} is not written as SQL: its answer is a graph"),
                "write a SELECT with the variables of the template",
            )
            .at(&form))
        }
    };
    text.map_err(|refusal| Box::new(refusal.into_diagnostic(query)))
}
