//! Constraints on lists (SHACL 1.2). A value node that is not a list fails each of them.
//!
//! `ShapeEvaluation` is defined in `evaluation.rs`.

use std::ops::Range;

use super::details::InnerShapeCheck;
use super::evaluation::{ConstraintCase, ShapeEvaluation, ValidationStop};
use super::result::{CheckFindings, ConstraintFinding, InnerFailures};
use super::shape::ConstraintCheck;
use evalgraph_store::TermId;

impl ShapeEvaluation<'_, '_, '_> {
    pub(super) fn check_lists(
        &mut self,
        case: &ConstraintCase<'_>,
        mut findings: CheckFindings<'_>,
    ) -> Result<bool, ValidationStop> {
        let mut conforms = true;
        for place in case.values.clone() {
            let value = self.values[place];
            let start = self.values.len();
            let is_list = self.push_items(value);
            let items = start..self.values.len();
            let (is_met, details) = match is_list {
                true => self.check_list(case, items.clone(), &findings)?,
                false => (false, InnerFailures::default()),
            };
            self.values.truncate(start);
            if !is_met {
                let count = is_list.then_some(items.len() as u64);
                conforms = case.fail_with(Some(value), count, details, &mut findings);
                if !findings.wants_all() {
                    break;
                }
            }
        }
        Ok(conforms)
    }

    fn check_list(
        &mut self,
        case: &ConstraintCase<'_>,
        items: Range<usize>,
        findings: &CheckFindings<'_>,
    ) -> Result<(bool, InnerFailures), ValidationStop> {
        let length = items.len() as u64;
        Ok(match case.check {
            ConstraintCheck::MinListLength(least) => (length >= *least, InnerFailures::default()),
            ConstraintCheck::MaxListLength(most) => (length <= *most, InnerFailures::default()),
            ConstraintCheck::UniqueMembers => {
                let items = &mut self.values[items];
                items.sort_unstable();
                let repeated = items.chunk_by(|left, right| left == right).filter(|same| same.len() > 1);
                let details = InnerFailures::from_findings(repeated.map(|same| ConstraintFinding {
                    path: Some(self.plan.first),
                    ..case.finding(Some(same[0]))
                }));
                (details.findings.is_empty(), details)
            }
            ConstraintCheck::MemberShape(shape) => {
                let mut failing = Vec::new();
                for place in items {
                    let item = self.values[place];
                    if !self.conforms(*shape, item)? {
                        failing.push(InnerShapeCheck::new(*shape, item));
                        if !findings.wants_all() {
                            break;
                        }
                    }
                }
                let is_met = failing.is_empty();
                let details =
                    if findings.wants_all() { self.details(&failing)? } else { InnerFailures::default() };
                (is_met, details)
            }
            _ => (true, InnerFailures::default()),
        })
    }

    /// Appends the items of a list to the value nodes. Returns false if the node is not a well-formed list: one item
    /// and one rest at each node, and an end.
    fn push_items(&mut self, head: TermId) -> bool {
        let (plan, start) = (self.plan, self.values.len());
        let mut node = head;
        // A circular list comes back to the remembered node, which is replaced after 1, 2, 4, … steps.
        let (mut seen, mut steps) = (None, 1);
        while node != plan.nil {
            if seen == Some(node) {
                return false;
            }
            if self.values.len() - start == steps {
                (seen, steps) = (Some(node), 2 * steps);
            }
            let one = |predicate: TermId| {
                let mut objects = self.triples(Some(node), Some(predicate), None).map(|[.., object]| object);
                objects.next().filter(|_| objects.next().is_none())
            };
            let (Some(item), Some(rest)) = (one(plan.first), one(plan.rest)) else { return false };
            self.values.push(item);
            node = rest;
        }
        true
    }
}
