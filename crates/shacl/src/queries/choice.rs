//! The choice of shapes that become queries, and of nodes that the queries are about.

use std::collections::HashSet;

use oxrdf::{NamedNode, Variable};
use spargebra::algebra::GraphPattern;
use spargebra::term::GroundTerm;

use super::algebra_builders::{join, union};
use super::{QueryMaker, ShapeTranslation};
use crate::ids::ShapeId;
use crate::shape::Shape;

/// The choice of shapes and focus nodes, as the options of a validation make it.
#[derive(Debug, Default)]
pub(crate) struct QuerySelection {
    /// The shapes that are named; nothing stands for all with targets.
    pub(crate) shapes: Option<HashSet<ShapeId>>,
    /// The focus nodes; none stands for all that targets choose.
    pub(crate) nodes: Vec<NamedNode>,
}

impl QuerySelection {
    /// Returns whether a shape is asked by itself, and about any node.
    pub(super) fn has(&self, id: ShapeId, shape: &Shape) -> bool {
        match &self.shapes {
            Some(named) => named.contains(&id) && (shape.has_targets() || !self.nodes.is_empty()),
            None => shape.has_targets(),
        }
    }
}

impl QueryMaker<'_> {
    /// The patterns of the nodes that a shape is asked about by itself, of which a node matches any.
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
