//! The focus nodes of a shape: the nodes that its targets choose (SHACL, section 2.1.3).
//!
//! `ShapeEvaluation` is defined in `evaluation.rs`.

use super::evaluation::{ShapeEvaluation, ValidationStop};
use super::ids::ShapeId;
use super::shape::{Shape, ShapeTarget};
use evalgraph_store::TermId;

impl ShapeEvaluation<'_, '_, '_> {
    /// The focus nodes of a shape, each once, by their numbers.
    pub(super) fn focus_nodes(&mut self, shape: &Shape) -> Result<Vec<TermId>, ValidationStop> {
        let mut nodes = Vec::new();
        for target in &shape.targets {
            self.add_target(target, &mut nodes)?;
        }
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }

    fn add_target(&mut self, target: &ShapeTarget, nodes: &mut Vec<TermId>) -> Result<(), ValidationStop> {
        let plan = self.plan;
        match target {
            ShapeTarget::Node(node) => nodes.push(plan.id(*node)),
            ShapeTarget::Class(class) => {
                for class in plan.subclasses(*class) {
                    nodes
                        .extend(self.triples(None, Some(plan.rdf_type), Some(*class)).map(|[node, ..]| node));
                }
            }
            ShapeTarget::SubjectsOf(predicate) => {
                nodes.extend(self.triples(None, Some(plan.id(*predicate)), None).map(|[node, ..]| node));
                nodes.dedup();
            }
            ShapeTarget::ObjectsOf(predicate) => {
                nodes.extend(self.triples(None, Some(plan.id(*predicate)), None).map(|[.., node]| node));
            }
            ShapeTarget::Where(shape) => self.add_conforming(*shape, nodes)?,
            ShapeTarget::Sparql(target) => nodes.extend(self.select_target(target)?),
        }
        Ok(())
    }

    /// The nodes of the data that conform to a shape.
    fn add_conforming(&mut self, shape: ShapeId, nodes: &mut Vec<TermId>) -> Result<(), ValidationStop> {
        let mut all: Vec<TermId> =
            self.triples(None, None, None).flat_map(|[subject, _, object]| [subject, object]).collect();
        all.sort_unstable();
        all.dedup();
        for node in all {
            if self.conforms(shape, node)? {
                nodes.push(node);
            }
        }
        Ok(())
    }
}
