//! SPARQL 1.1: named queries with typed parameters, evaluation, result formats.
//!
//! `spargebra` makes the algebra, and the engine evaluates it over columns. This module adds messages that point at the fault,
//! parameters, and the writers of results.

mod algebra;
mod bindings;
mod blank_nodes;
mod bulk;
mod chart;
mod composition;
mod construct;
#[cfg(any(feature = "cli", feature = "serve"))]
mod copied_triples;
mod dataset;
mod deadline;
mod diagnosis;
mod display;
mod engine;
mod environment;
mod evaluate;
mod expect;
mod explain;
mod expression;
mod fault;
mod functions;
mod grammar;
mod grammar_expression;
mod grammar_pattern;
mod grammar_update;
mod graph_triples;
mod grouped_forms;
mod hints;
mod html_page;
mod markdown_table;
mod matching;
mod named;
#[cfg(any(feature = "cli", feature = "serve"))]
mod named_json;
mod operations;
mod order;
mod parameters;
mod point;
mod prebinding;
mod prebound_path;
mod prebound_rules;
mod prebound_values;
mod prefixes;
mod query;
mod query_files;
mod regular_expression;
mod renaming;
mod server;
mod server_functions;
mod server_request;
mod server_template;
mod services;
mod size;
mod spelling;
mod standard;
mod substitution;
mod table;
mod tokens;
mod ungrouped;
mod unicode_blocks;
mod update;
mod update_algebra;
mod web_link;
mod write;

pub use chart::{Chart, ChartKind};
pub use dataset::SparqlDataset;
pub use deadline::GRACE;
pub use display::display_term;
pub use environment::{Cancellation, Environment, Remarks, ServiceAnswer, Services};
pub use evaluate::{EvaluationError, ExecuteOptions, QueryResults, Solutions};
pub use expect::{Expectation, Outcome};
pub use graph_triples::GraphTriples;
#[cfg(feature = "serve")]
pub(crate) use hints::KnownTerm;
pub use matching::xpath_regex;
pub use named::{NamedQueries, NamedQuery};
pub use parameters::{Parameter, ParameterType};
pub use prebinding::{BulkQuery, PreboundQuery};
pub(crate) use prebinding::{MOST_SOLUTIONS, too_many_solutions};
#[cfg(feature = "net")]
pub(crate) use prefixes::is_built_in;
pub(crate) use prefixes::move_to_store_namespace;
pub use prefixes::{BUILT_IN_PREFIXES, Prefixes};
#[cfg(feature = "serve")]
pub(crate) use query::variables_of;
pub use query::{ParameterDeclaration, Prologue, Query, QueryForm};
pub(crate) use query_files::QueryFolder;
pub use server::{Seen, ServerQuads, SparqlServer};
pub use server_request::ServerQuery;
pub use server_template::ServerTemplate;
pub use services::DatasetServices;
pub(crate) use standard::standard_text;
pub use table::{TableForm, TableLayout};
#[cfg(feature = "cli")]
pub(crate) use tokens::is_unfinished;
pub use update::{Loader, Update, UpdateOptions};
#[cfg(feature = "serve")]
pub(crate) use write::write_rows;
pub use write::{ResultFormat, WriteError, write_boolean, write_solutions};
