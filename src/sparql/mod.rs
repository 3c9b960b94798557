//! SPARQL 1.1: named queries with typed parameters, evaluation, result formats.
//!
//! `spargebra` makes the algebra, and the engine evaluates it over columns. This module adds messages that point at the fault,
//! parameters, and the writers of results.

mod algebra;
mod chart;
mod dataset;
mod deadline;
mod engine;
mod environment;
mod evaluate;
mod expect;
mod explain;
mod expression;
mod named;
#[cfg(any(feature = "cli", feature = "serve"))]
mod named_json;
mod parameters;
mod query;
mod query_files;
mod remote;
mod results;
mod text;
mod update;

pub use algebra::prebinding::{BulkQuery, PreboundQuery};
pub(crate) use algebra::prebinding::{MOST_SOLUTIONS, too_many_solutions};
pub use chart::{Chart, ChartKind};
pub use dataset::SparqlDataset;
pub use deadline::GRACE;
#[cfg(feature = "serve")]
pub(crate) use environment::Turns;
pub use environment::{Cancellation, Environment, Remarks, ServiceAnswer, Services};
pub use evaluate::{EvaluationError, ExecuteOptions, QueryResults, Solutions};
pub use expect::{Expectation, Outcome};
pub use expression::matching::xpath_regex;
pub use named::{NamedQueries, NamedQuery};
pub use parameters::{Parameter, ParameterType};
#[cfg(feature = "serve")]
pub(crate) use query::variables_of;
pub use query::{ParameterDeclaration, Prologue, Query, QueryForm};
pub(crate) use query_files::QueryFolder;
pub use remote::server::{Seen, ServerQuads, SparqlServer};
pub use remote::server_request::ServerQuery;
pub use remote::server_template::ServerTemplate;
pub use remote::services::DatasetServices;
pub(crate) use remote::standard::standard_text;
pub use results::display::display_term;
pub use results::graph_triples::GraphTriples;
pub use results::table::{TableForm, TableLayout};
#[cfg(feature = "serve")]
pub(crate) use results::write::write_rows;
pub use results::write::{ResultFormat, WriteError, write_boolean, write_solutions};
#[cfg(feature = "serve")]
pub(crate) use text::hints::KnownTerm;
#[cfg(feature = "net")]
pub(crate) use text::prefixes::is_built_in;
pub(crate) use text::prefixes::move_to_store_namespace;
pub use text::prefixes::{BUILT_IN_PREFIXES, Prefixes};
#[cfg(feature = "cli")]
pub(crate) use text::tokens::is_unfinished;
pub use update::{Loader, Update, UpdateOptions};
