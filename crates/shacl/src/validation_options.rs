//! The options of a validation.

use oxrdf::NamedNode;

use super::shape::Severity;
use evalgraph_work::CancellationToken;

/// The options of a validation.
#[derive(Debug, Clone, Default)]
pub struct ValidationOptions {
    /// The severities whose results prevent conformance (SHACL 1.2, `sh:conformanceDisallows`); none means all except
    /// `sh:Debug` and `sh:Trace`.
    pub conformance_disallows: Option<Vec<Severity>>,
    /// The graphs whose union is the data graph, each by its IRI or by the name of its dataset; none means all graphs.
    /// Queries of shapes can use the others with `GRAPH`.
    pub graphs: Vec<String>,
    /// The graphs that contain the shapes. They are not part of the data graph, unless `graphs` names them.
    pub shapes_graphs: Vec<String>,
    /// The nodes to validate; none means all that the targets choose. If no shapes are named, each shape checks those
    /// of the nodes that are among its targets.
    pub focus_nodes: Vec<NamedNode>,
    /// The shapes to validate with; none means all with targets. Together with `focus_nodes`, the shapes check these
    /// nodes, whatever their targets are.
    pub shapes: Vec<NamedNode>,
    /// Ends the validation when it is cancelled.
    pub cancellation: CancellationToken,
}
