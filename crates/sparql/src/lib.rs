//! SPARQL 1.1: named queries with typed parameters, evaluation, result formats.
//!
//! `spargebra` makes the algebra, and the engine evaluates it over columns. This module adds messages that point at the fault,
//! parameters, and the writers of results.

mod algebra;
mod dataset;
mod deadline;
mod engine;
mod environment;
mod evaluate;
mod expect;
mod explain;
mod expression;
mod parameters;
mod query;
mod remote;
mod results;
mod text;
mod update;

pub use algebra::prebinding::{BulkQuery, PreboundQuery};
pub use algebra::prebinding::{MOST_SOLUTIONS, too_many_solutions};
pub use dataset::SparqlDataset;
pub use deadline::GRACE;
pub use environment::{Environment, Remarks, ServiceAnswer, Services};
pub use evalgraph_work::Cancellation;
pub use evaluate::{EvaluationError, ExecuteOptions, QueryResults, Solutions};
pub use expect::{Expectation, Outcome};
pub use expression::matching::xpath_regex;
pub use parameters::{Parameter, ParameterType};
pub use query::variables_of;
pub use query::{ParameterDeclaration, Prologue, Query, QueryForm};
pub use remote::server::{Seen, ServerQuads, SparqlServer};
pub use remote::server_request::ServerQuery;
pub use remote::server_template::ServerTemplate;
pub use remote::services::DatasetServices;
pub use remote::standard::standard_text;
pub use results::display::display_term;
pub use results::graph_triples::GraphTriples;
pub use results::table::{TableForm, TableLayout};
pub use results::write::write_rows;
pub use results::write::{ResultFormat, WriteError, write_boolean, write_solutions};
pub use text::hints::KnownTerm;
pub use text::prefixes::is_built_in;
pub use text::prefixes::move_to_store_namespace;
pub use text::prefixes::{BUILT_IN_PREFIXES, Prefixes};
pub use text::tokens::is_unfinished;
pub use update::{Loader, Update, UpdateOptions};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
