//! The choice of shapes to validate, and of nodes to validate.
//!
//! `Shapes` is defined in `ready_shapes.rs`.

use std::collections::HashSet;

use oxrdf::{NamedNode, Term};

use super::evaluation::ValidationStop;
use super::ids::ShapeId;
use super::ready_shapes::Shapes;
use super::shape::Shape;
use super::validation_options::ValidationOptions;
use super::validation_plan::ValidationPlan;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_store::TermId;

/// The choice of shapes and focus nodes, in the terms of the data.
pub(super) struct FocusSelection {
    /// The focus nodes, sorted; none means all.
    nodes: Option<Vec<TermId>>,
    /// The named shapes; none means all shapes with targets.
    shapes: Option<HashSet<ShapeId>>,
}

impl FocusSelection {
    pub(super) fn new(
        plan: &ValidationPlan<'_, '_>,
        options: &ValidationOptions,
    ) -> Result<Self, ValidationStop> {
        let ValidationOptions { focus_nodes, shapes, .. } = options;
        let id = |node: &NamedNode| plan.terms.of_shapes(&node.clone().into());
        let mut nodes: Vec<TermId> = focus_nodes.iter().map(id).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let named = plan.shapes.named(shapes)?;
        Ok(Self { nodes: (!nodes.is_empty()).then_some(nodes), shapes: (!named.is_empty()).then_some(named) })
    }

    /// Returns whether a shape is validated separately, and not only through others.
    pub(super) fn has(&self, id: ShapeId, shape: &Shape) -> bool {
        self.shapes.as_ref().map_or_else(|| shape.has_targets(), |shapes| shapes.contains(&id))
    }

    /// The nodes to check against a shape, sorted, out of those that its targets choose.
    pub(super) fn nodes_of(&self, targeted: Vec<TermId>) -> Vec<TermId> {
        match (&self.nodes, &self.shapes) {
            (None, _) => targeted,
            (Some(nodes), Some(_)) => nodes.clone(),
            (Some(nodes), None) => {
                nodes.iter().copied().filter(|node| targeted.binary_search(node).is_ok()).collect()
            }
        }
    }
}

impl Shapes {
    /// The shapes with these names.
    ///
    /// # Errors
    ///
    /// `shacl::unknown-shape` for a name that no shape has.
    pub fn named(&self, names: &[NamedNode]) -> Result<HashSet<ShapeId>, ValidationStop> {
        let mut named = HashSet::new();
        for name in names {
            let is_named = |shape: &Shape| matches!(&shape.node, Term::NamedNode(node) if node == name);
            let place = self.shapes.iter().position(is_named).ok_or_else(|| self.unknown(name.as_str()))?;
            named.insert(ShapeId(u32::try_from(place).unwrap_or(u32::MAX)));
        }
        Ok(named)
    }

    fn unknown(&self, name: &str) -> Box<Diagnostic> {
        let names = self.shapes.iter().filter_map(|shape| match &shape.node {
            Term::NamedNode(node) => Some(node.as_str()),
            _ => None,
        });
        let fault = Diagnostic::error("shacl::unknown-shape", format!("there is no shape `{name}`"));
        Box::new(match nearest(name, names) {
            Some(meant) => fault.with_help(format!("did you mean `{meant}`?")),
            None => fault,
        })
    }
}
