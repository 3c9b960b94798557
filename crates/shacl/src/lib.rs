//! SHACL (W3C Recommendation, 20 July 2017; some components of SHACL 1.2): a shapes graph is read, checked and compiled once,
//! and data are checked against it over the sorted orders of the store.
//!
//! [`Shapes::compile`] takes a dataset with shapes, [`Shapes::validate`] one with data.

mod bindings;
mod bulk_answers;
mod bulk_questions;
mod by_queries;
mod checks;
mod compilation;
mod compiler;
mod component;
mod data_graph;
mod details;
mod duplicates;
mod evaluation;
mod focus_nodes;
mod graph;
mod ids;
mod last_step;
mod lexical_forms;
mod lists;
mod messages;
mod numeral;
mod options;
mod parameters;
mod path;
mod path_values;
mod plan;
mod property_pairs;
mod queries;
mod query_text;
mod recursion;
mod report;
mod report_graph;
mod result;
mod selection;
mod shape;
mod shapes;
mod sparql_checks;
mod sparql_parameters;
mod terms;
mod unique_values;
mod validation;
mod values;
mod vocabulary;
mod wording;

pub use by_queries::{Ask, ValidationByQueries};
pub use graph::ShapesFault;
pub use ids::{ConstantId, ShapeId};
pub use options::ValidationOptions;
pub use path::Path;
pub use queries::ConstraintQuery;
pub use report::{ResultPath, ValidationReport, ValidationResult};
pub use report_graph::ReportGraph;
pub use shape::{Severity, Shape};
pub use shapes::{Shapes, ShapesOptions};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
