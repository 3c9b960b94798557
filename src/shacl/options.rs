//! The options of a validation.

use super::shape::Severity;
use crate::sparql::Cancellation;

/// The options of a validation.
#[derive(Debug, Clone, Default)]
pub struct ValidationOptions {
    /// The severities whose results stand against conformance (SHACL 1.2, `sh:conformanceDisallows`); none stands for all
    /// but `sh:Debug` and `sh:Trace`.
    pub conformance_disallows: Option<Vec<Severity>>,
    /// The graphs whose union is the data graph, each by its IRI or by the name of its dataset; none stands for all graphs.
    /// Queries of shapes reach the others by `GRAPH`.
    pub graphs: Vec<String>,
    /// The graphs that hold the shapes: no part of the data graph, unless they are named as such.
    pub shapes_graphs: Vec<String>,
    /// Ends the validation when it is told to.
    pub cancellation: Cancellation,
}
