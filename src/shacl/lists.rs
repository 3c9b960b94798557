//! Constraints on lists (SHACL 1.2): a value node that is no list fails each of them.

use std::collections::HashSet;

use super::details::Inner;
use super::evaluation::{Case, Evaluation, Stop};
use super::result::{Details, Finding, Findings};
use super::shape::Check;
use crate::store::TermId;

impl Evaluation<'_, '_, '_> {
    pub(super) fn check_lists(&mut self, case: &Case<'_>, mut findings: Findings<'_>) -> Result<bool, Stop> {
        let mut conforms = true;
        for place in case.values.clone() {
            let value = self.values[place];
            let items = self.list_items(value);
            let (is_met, details) = match &items {
                Some(items) => self.check_list(case, items, &findings)?,
                None => (false, Details::default()),
            };
            if !is_met {
                let count = items.map(|items| items.len() as u64);
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
        case: &Case<'_>,
        items: &[TermId],
        findings: &Findings<'_>,
    ) -> Result<(bool, Details), Stop> {
        let length = items.len() as u64;
        Ok(match &case.of.constraints[case.constraint].check {
            Check::MinListLength(least) => (length >= *least, Details::default()),
            Check::MaxListLength(most) => (length <= *most, Details::default()),
            Check::UniqueMembers => {
                let (mut seen, mut told) = (HashSet::new(), HashSet::new());
                let repeated = items.iter().filter(|item| !seen.insert(**item) && told.insert(**item));
                let details = Details::of(
                    repeated.map(|item| Finding { path: Some(self.plan.first), ..case.finding(Some(*item)) }),
                );
                (details.findings.is_empty(), details)
            }
            Check::MemberShape(shape) => {
                let mut failing = Vec::new();
                for item in items {
                    if !self.conforms(*shape, *item)? {
                        failing.push(Inner::of(*shape, *item));
                        if !findings.wants_all() {
                            break;
                        }
                    }
                }
                let is_met = failing.is_empty();
                let details = if findings.wants_all() { self.details(&failing)? } else { Details::default() };
                (is_met, details)
            }
            _ => (true, Details::default()),
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
