//! SPARQL 1.1: named queries with typed parameters, evaluation, result formats.
//!
//! `spargebra` makes the algebra, and the engine evaluates it over columns. This crate adds messages that point at the
//! fault, parameters, and the writers of results.

mod algebra;
mod deadline;
mod engine;
mod environment;
mod evaluate;
mod expect;
mod explain;
mod expression;
mod query;
mod query_parameters;
mod remote;
mod results;
mod sparql_dataset;
mod text;
mod update;

pub use algebra::prebound_query::{BulkQuery, PreboundQuery};
pub use algebra::prebound_query::{MOST_SOLUTIONS, too_many_solutions};
pub use algebra::walks::{
    expressions_of, operands_of, operands_of_mut, parts_of, variables_in_expression, variables_in_pattern,
};
pub use deadline::GRACE;
pub use environment::{EvaluationEnvironment, EvaluationRemarks, ServiceAnswer, ServiceHandler};
pub use evalgraph_work::CancellationToken;
pub use evaluate::{EvaluationError, ExecuteOptions, QueryResults, SolutionSequence};
pub use expect::{ExpectedOutcome, QueryOutcome};
pub use expression::column_value::ColumnValue;
pub use expression::regex_matching::{xpath_pattern, xpath_regex, xpath_replacement};
pub use query::variables_of;
pub use query::{ParameterDeclaration, Prologue, Query, QueryForm};
pub use query_parameters::{ParameterType, QueryParameter};
pub use remote::dataset_services::DatasetServices;
pub use remote::server_request::ServerQuery;
pub use remote::server_template::ServerTemplate;
pub use remote::sparql_server::{ServerQuads, ServerQueryScope, SparqlServer};
pub use remote::standard::standard_text;
pub use results::clipped_text::clipped_front;
pub use results::display::display_term;
pub use results::graph_triples::QueryTriples;
pub use results::result_format::write_rows;
pub use results::result_format::{ResultFormat, WriteError, write_boolean, write_solutions};
pub use results::terminal_table::{TableCell, TableForm, TableLayout, TerminalTable};
pub use sparql_dataset::SparqlDataset;
pub use text::hints::KnownTerm;
pub use text::prefixes::is_built_in;
pub use text::prefixes::move_to_store_namespace;
pub use text::prefixes::{BUILT_IN_PREFIXES, QueryPrefixes};
pub use text::tokens::is_unfinished;
pub use update::{Update, UpdateLoader, UpdateOptions};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
