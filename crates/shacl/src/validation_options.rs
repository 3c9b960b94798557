//! The options of a validation.

use oxrdf::NamedNode;

use super::shape::Severity;
use evalgraph_work::CancellationToken;

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
    /// The nodes that are checked against the shapes; none stands for all that the targets choose. Without named shapes each
    /// shape takes the ones among its targets.
    pub focus_nodes: Vec<NamedNode>,
    /// The shapes that are asked; none stands for all with targets. Together with `focus_nodes` they are asked about these
    /// nodes, whatever their targets are.
    pub shapes: Vec<NamedNode>,
    /// Ends the validation when it is told to.
    pub cancellation: CancellationToken,
}
