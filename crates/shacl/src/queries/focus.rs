//! The focus nodes of a shape as a pattern: those of its targets, and the values of the shapes that have it as a
//! property.
//!
//! `QueryMaker` is defined in `queries/mod.rs`.

use oxrdf::{NamedNode, Term, Variable};
use spargebra::algebra::GraphPattern;
use spargebra::term::{GroundTerm, NamedNodePattern};

use super::algebra_builders::{filtered, instance, join, selected, step, triple, union};
use super::paths::is_nullable;
use super::{QueryMaker, ShapeTranslation};
use crate::ids::{ConstantId, ShapeId};
use crate::shape::{ShapeTarget, SparqlTarget};

/// The inexactness that is caused by a target that is not in the data.
const APART: &str = "a path without a step leads from a target node to itself even if the data do not contain the node, \
                     which a store may not find";

impl QueryMaker<'_> {
    /// The pattern that binds a variable to the focus nodes of a shape.
    pub(super) fn focus(&mut self, shape: ShapeId, node: &Variable) -> ShapeTranslation<GraphPattern> {
        self.focused.push(shape);
        let mut patterns = self.chosen(shape, node)?;
        for parent in self.parents[shape.index()].clone() {
            if !self.has_focus[parent.index()] {
                continue;
            }
            if self.focused.contains(&parent) {
                return Err("the shape is a property of itself, directly or indirectly".to_owned());
            }
            self.count_shape()?;
            let shapes = self.shapes;
            let Some(path) = &shapes.shapes[parent.index()].path else {
                patterns.push(self.focus(parent, node)?);
                continue;
            };
            let from = self.fresh("parent");
            let parents = self.focus(parent, &from)?;
            self.note_path(parent);
            patterns.push(join([parents, step(from, &self.path(path), node.clone())]));
        }
        self.focused.pop();
        match patterns.is_empty() {
            true => Err("its only target is a blank node, which no query can name".to_owned()),
            false => Ok(union(patterns)),
        }
    }

    /// Records that the path of a shape may miss the node that it begins at.
    pub(super) fn note_path(&mut self, shape: ShapeId) {
        let path = self.shapes.shapes[shape.index()].path.as_deref();
        if path.is_some_and(is_nullable) && self.has_named_focus[shape.index()] {
            self.remark(APART);
        }
    }

    /// The patterns of the targets of a shape. A node has to match only one of them.
    pub(super) fn targets(&mut self, shape: ShapeId, node: &Variable) -> ShapeTranslation<Vec<GraphPattern>> {
        let (mut patterns, mut named) = (Vec::new(), Vec::new());
        let shapes = self.shapes;
        for target in &shapes.shapes[shape.index()].targets {
            patterns.push(match target {
                ShapeTarget::Node(id) => {
                    match self.constant(*id) {
                        Term::NamedNode(node) => named.push(vec![Some(GroundTerm::NamedNode(node))]),
                        Term::Literal(literal) => named.push(vec![Some(GroundTerm::Literal(literal))]),
                        Term::BlankNode(_) => {
                            self.remark("one of its targets is a blank node, which no query can name");
                        }
                    }
                    continue;
                }
                ShapeTarget::Class(id) => step(node.clone(), &instance(), self.target_iri(*id)?),
                ShapeTarget::SubjectsOf(id) => {
                    let predicate = self.target_iri(*id)?;
                    triple(node.clone(), predicate, self.fresh("object"))
                }
                ShapeTarget::ObjectsOf(id) => {
                    let predicate = self.target_iri(*id)?;
                    triple(self.fresh("subject"), predicate, node.clone())
                }
                ShapeTarget::Where(shape) => {
                    let condition = self.conforms(*shape, node)?;
                    filtered(self.any_node(node), condition)
                }
                ShapeTarget::Sparql(target) => self.sparql_target(target, node)?,
            });
        }
        if !named.is_empty() {
            patterns.insert(0, GraphPattern::Values { variables: vec![node.clone()], bindings: named });
        }
        Ok(patterns)
    }

    fn target_iri(&self, id: ConstantId) -> ShapeTranslation<NamedNode> {
        self.iri(id).ok_or_else(|| "its target is not an IRI".to_owned())
    }

    /// The pattern that binds a variable to every subject and object of the data.
    fn any_node(&mut self, node: &Variable) -> GraphPattern {
        let [one, other] = ["subject", "object"].map(|hint| self.fresh(hint));
        let predicate = self.fresh("predicate");
        let named = NamedNodePattern::Variable(predicate);
        union([triple(node.clone(), named.clone(), other), triple(one, named, node.clone())])
    }

    fn sparql_target(&mut self, target: &SparqlTarget, node: &Variable) -> ShapeTranslation<GraphPattern> {
        let pattern = target.query.renamed(&[("this", node)], &target.bindings, |name| self.fresh(name));
        let pattern =
            pattern.ok_or_else(|| "a parameter is a blank node, which no query can name".to_owned())?;
        Ok(selected(pattern, &[node]))
    }
}
