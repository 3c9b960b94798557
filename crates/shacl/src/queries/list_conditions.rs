//! Constraints on lists: a node is a list if each of its nodes has one item and one rest, and the end is reached.
//!
//! `QueryMaker` is defined in `queries/mod.rs`.

use oxrdf::{NamedNode, Variable};
use spargebra::algebra::{Expression, GraphPattern, PropertyPathExpression};

use super::algebra_builders::{
    all, any, any_times, boolean, exists, filtered, join, not, predicate, same_term, sequence, step,
};
use super::{QueryMaker, ShapeTranslation};
use crate::shape::ConstraintCheck;
use evalgraph_rdf::vocabulary::rdf;

impl<'s> QueryMaker<'s> {
    pub(super) fn meets_as_list(
        &mut self,
        check: &'s ConstraintCheck,
        head: &Variable,
    ) -> ShapeTranslation<Expression> {
        let is_list = self.is_list(head);
        let meets = match check {
            ConstraintCheck::MinListLength(least) => self.has_items(*least, head),
            ConstraintCheck::MaxListLength(most) => not(self.has_items(most.saturating_add(1), head)),
            ConstraintCheck::UniqueMembers => self.has_different_items(head),
            ConstraintCheck::MemberShape(shape) => {
                let item = self.fresh("item");
                let conforms = self.conforms(*shape, &item)?;
                let path = sequence(any_times(predicate(rdf::REST)), predicate(rdf::FIRST));
                not(exists(filtered(step(head.clone(), &path, item), not(conforms))))
            }
            _ => boolean(true),
        };
        Ok(all([is_list, meets]))
    }

    /// The nodes of a list, including its end.
    fn nodes(&self, head: &Variable, node: &Variable) -> GraphPattern {
        step(head.clone(), &any_times(predicate(rdf::REST)), node.clone())
    }

    fn is_list(&mut self, head: &Variable) -> Expression {
        let (node, nil) = (self.fresh("node"), NamedNode::new_unchecked(rdf::NIL));
        let ends = exists(step(head.clone(), &any_times(predicate(rdf::REST)), nil.clone()));
        let has_not_one = |maker: &mut Self, name: &str| {
            let [one, other] = ["one", "other"].map(|hint| maker.fresh(hint));
            let path: PropertyPathExpression = predicate(name);
            let both = [&one, &other].map(|value| step(node.clone(), &path, value.clone()));
            let has_two = exists(filtered(join(both.clone()), Self::differ(&one, &other)));
            let [first, _] = both;
            any([not(exists(first)), has_two])
        };
        let is_broken = any([has_not_one(self, rdf::FIRST), has_not_one(self, rdf::REST)]);
        let is_inside = not(same_term(node.clone(), nil));
        let broken = filtered(self.nodes(head, &node), all([is_inside, is_broken]));
        all([ends, not(exists(broken))])
    }

    fn has_items(&mut self, least: u64, head: &Variable) -> Expression {
        let [node, item] = ["node", "item"].map(|hint| self.fresh(hint));
        let items = join([self.nodes(head, &node), step(node.clone(), &predicate(rdf::FIRST), item)]);
        self.at_least(least, items, head, &node)
    }

    fn has_different_items(&mut self, head: &Variable) -> Expression {
        let [node, later, item] = ["node", "node", "item"].map(|hint| self.fresh(hint));
        let rests = PropertyPathExpression::OneOrMore(Box::new(predicate(rdf::REST)));
        not(exists(join([
            self.nodes(head, &node),
            step(node.clone(), &predicate(rdf::FIRST), item.clone()),
            step(node, &rests, later.clone()),
            step(later, &predicate(rdf::FIRST), item),
        ])))
    }
}
