//! Constraints on lists (SHACL 1.2): a value node that is no list fails each of them.

use std::collections::HashSet;

use super::evaluation::{Case, Evaluation, Stop};
use super::result::{Finding, Findings};
use super::shape::Check;
use crate::store::TermId;

impl Evaluation<'_, '_, '_> {
    pub(super) fn check_lists(&mut self, case: &Case<'_>, mut findings: Findings<'_>) -> Result<bool, Stop> {
        let mut conforms = true;
        for place in case.values.clone() {
            let value = self.values[place];
            let items = self.list_items(value);
            let (is_met, details) = match items {
                Some(items) => self.check_list(case, &items)?,
                None => (false, Vec::new()),
            };
            if !is_met {
                conforms = case.fail_with(Some(value), details, &mut findings);
                if !findings.wants_all() {
                    break;
                }
            }
        }
        Ok(conforms)
    }

    fn check_list(&mut self, case: &Case<'_>, items: &[TermId]) -> Result<(bool, Vec<Finding>), Stop> {
        let length = items.len() as u64;
        Ok(match &case.of.constraints[case.constraint].check {
            Check::MinListLength(least) => (length >= *least, Vec::new()),
            Check::MaxListLength(most) => (length <= *most, Vec::new()),
            Check::UniqueMembers => {
                let (mut seen, mut told) = (HashSet::new(), HashSet::new());
                let repeated = items.iter().filter(|item| !seen.insert(**item) && told.insert(**item));
                let details: Vec<Finding> = repeated.map(|item| case.finding(Some(*item))).collect();
                (details.is_empty(), details)
            }
            Check::MemberShape(shape) => {
                let mut details = Vec::new();
                for item in items {
                    if !self.conforms(*shape, *item)? {
                        details.append(&mut self.failures(*shape, *item)?);
                    }
                }
                (details.is_empty(), details)
            }
            _ => (true, Vec::new()),
        })
    }

    /// The items of a list; none where the node is no list with one item and one rest at each node, and an end.
    fn list_items(&self, head: TermId) -> Option<Vec<TermId>> {
        let plan = self.plan;
        let one = |node: TermId, predicate: TermId| {
            let mut objects = self.triples(Some(node), Some(predicate), None).map(|[.., object]| object);
            objects.next().filter(|_| objects.next().is_none())
        };
        let (mut items, mut seen, mut node) = (Vec::new(), HashSet::new(), head);
        while node != plan.nil {
            if !seen.insert(node) {
                return None;
            }
            items.push(one(node, plan.first)?);
            node = one(node, plan.rest)?;
        }
        Some(items)
    }
}
