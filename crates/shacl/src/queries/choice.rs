//! The choice of shapes that become queries, and of nodes that the queries cover.
//!
//! `QueryMaker` is defined in `queries/mod.rs`.

use std::collections::HashSet;

use oxrdf::{NamedNode, Variable};
use spargebra::algebra::GraphPattern;
use spargebra::term::GroundTerm;

use super::algebra_builders::{join, union};
use super::{QueryMaker, ShapeTranslation};
use crate::ids::ShapeId;
use crate::shape::Shape;

/// The choice of shapes and focus nodes, as given by the options of a validation.
#[derive(Debug, Default)]
pub(crate) struct QuerySelection {
    /// The named shapes; none means all shapes with targets.
    pub(crate) shapes: Option<HashSet<ShapeId>>,
    /// The focus nodes; none means all that targets choose.
    pub(crate) nodes: Vec<NamedNode>,
}

impl QuerySelection {
    /// Returns whether a shape is validated separately, for any node.
    pub(super) fn has(&self, id: ShapeId, shape: &Shape) -> bool {
        match &self.shapes {
            Some(named) => named.contains(&id) && (shape.has_targets() || !self.nodes.is_empty()),
            None => shape.has_targets(),
        }
    }
}

impl QueryMaker<'_> {
    /// The patterns of the nodes that a shape is validated for separately. A node has to match only one of them.
    pub(super) fn chosen(&mut self, id: ShapeId, node: &Variable) -> ShapeTranslation<Vec<GraphPattern>> {
        if !self.choice.has(id, &self.shapes.shapes[id.index()]) {
            return Ok(Vec::new());
        }
        if self.choice.nodes.is_empty() {
            return self.targets(id, node);
        }
        let nodes = self.choice.nodes.iter().map(|node| vec![Some(GroundTerm::NamedNode(node.clone()))]);
        let nodes = GraphPattern::Values { variables: vec![node.clone()], bindings: nodes.collect() };
        if self.choice.shapes.is_some() {
            return Ok(vec![nodes]);
        }
        let targets = self.targets(id, node)?;
        Ok(if targets.is_empty() { targets } else { vec![join([nodes, union(targets)])] })
    }
}
