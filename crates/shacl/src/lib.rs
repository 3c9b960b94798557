//! SHACL (W3C Recommendation, 20 July 2017; some components of SHACL 1.2): a shapes graph is read, checked and compiled
//! once, and data are validated against it, using the sorted orders of the store.
//!
//! [`Shapes::compile`] takes a dataset with shapes, [`Shapes::validate`] a dataset with data.

mod bindings;
mod bulk_answers;
mod bulk_questions;
mod by_queries;
mod checks;
mod comparable_literals;
mod compilation;
mod compiler;
mod component;
mod data_graph;
mod details;
mod duplicates;
mod evaluation;
mod focus_nodes;
mod ids;
mod last_step;
mod lexical_forms;
mod list_checks;
mod message_words;
mod messages;
mod numeral;
mod path_values;
mod property_pairs;
mod property_path;
mod queries;
mod query_text;
mod ready_shapes;
mod recursion;
mod report_graph;
mod result;
mod selection;
mod shacl_vocabulary;
mod shape;
mod shape_parameters;
mod shapes_graph;
mod sparql_checks;
mod sparql_parameters;
mod unique_values;
mod validation;
mod validation_options;
mod validation_plan;
mod validation_report;
mod validation_terms;

pub use by_queries::{SelectFunction, ValidationByQueries};
pub use ids::{ConstantId, ShapeId};
pub use property_path::PropertyPath;
pub use queries::ConstraintQuery;
pub use ready_shapes::{Shapes, ShapesOptions};
pub use report_graph::ReportGraph;
pub use shape::{Severity, Shape};
pub use shapes_graph::ShapesFault;
pub use validation_options::ValidationOptions;
pub use validation_report::{ResultPath, ValidationReport, ValidationResult};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
