//! SPARQL 1.1: named queries with typed parameters, evaluation, result formats.
//!
//! `spargebra` makes the algebra and `spareval` evaluates it; what is written here is what stands
//! around them: messages that point at the fault, parameters, rewrites that keep EXISTS linear,
//! ordering, and the writers of results.

mod algebra;
mod bindings;
mod comparisons;
mod construct;
mod deadline;
mod deviations;
mod diagnosis;
mod display;
mod environment;
mod evaluate;
mod exists;
mod expect;
mod explain;
mod fault;
mod functions;
mod grammar;
mod grammar_expression;
mod grammar_pattern;
mod grammar_update;
mod graph_scope;
mod hints;
mod late_terms;
mod long_joins;
mod matching;
mod minus;
mod named;
mod named_values;
mod nested_loop;
mod operations;
mod order;
mod order_keys;
mod parameters;
mod paths;
mod point;
mod prefixes;
mod private_variables;
mod query;
mod regular_expression;
mod services;
mod size;
mod spelling;
mod statistics;
mod substitution;
mod table;
mod tokens;
mod ungrouped;
mod unicode_blocks;
mod update;
mod update_algebra;
mod write;
mod written_terms;

pub use deadline::GRACE;
pub use display::display_term;
pub use environment::{Cancellation, Environment, Remarks, ServiceAnswer, Services};
pub use evaluate::{EvaluationError, ExecuteOptions, GraphTriples, QueryResults, Solutions};
pub use exists::ExistsStrategy;
pub use expect::{Expectation, Outcome};
pub use named::{NamedQueries, NamedQuery};
pub use parameters::{Parameter, ParameterType};
pub use point::Queryable;
pub use prefixes::{BUILT_IN_PREFIXES, Prefixes};
pub use query::{ParameterDeclaration, Query, QueryForm};
pub use services::DatasetServices;
pub use update::{Loader, Update, UpdateOptions};
pub use write::{ResultFormat, TableLayout, WriteError, write_boolean, write_solutions};
