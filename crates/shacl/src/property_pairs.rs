//! Property pair constraints: each checks the value nodes against the values of another path at the focus node (section
//! 4.5; paths and `sh:subsetOf` come from SHACL 1.2).
//!
//! `ShapeEvaluation` is defined in `evaluation.rs`.

use std::cmp::Ordering;
use std::ops::Range;

use super::evaluation::{ConstraintCase, ShapeEvaluation, ValidationStop};
use super::property_path::PropertyPath;
use super::result::CheckFindings;
use super::shape::ConstraintCheck;

impl ShapeEvaluation<'_, '_, '_> {
    pub(super) fn check_pair(
        &mut self,
        case: &ConstraintCase<'_>,
        path: &PropertyPath,
        findings: CheckFindings<'_>,
    ) -> Result<bool, ValidationStop> {
        let start = self.values.len();
        self.push_path(case.focus, path);
        self.values[start..].sort_unstable();
        let others = start..self.values.len();
        let conforms = match case.check {
            ConstraintCheck::Disjoint(_) => self.each_among(case, &others, false, findings),
            ConstraintCheck::SubsetOf(_) => self.each_among(case, &others, true, findings),
            ConstraintCheck::LessThan(_) => self.less_than(case, &others, Ordering::is_lt, findings)?,
            ConstraintCheck::LessThanOrEquals(_) => {
                self.less_than(case, &others, Ordering::is_le, findings)?
            }
            _ => self.equals(case, &others, findings),
        };
        self.values.truncate(start);
        Ok(conforms)
    }

    /// Checks that each value node is among others, or that none is.
    fn each_among(
        &self,
        case: &ConstraintCase<'_>,
        others: &Range<usize>,
        is_wanted: bool,
        findings: CheckFindings<'_>,
    ) -> bool {
        self.each(case, findings, |this, value| {
            this.values[others.clone()].binary_search(&value).is_ok() == is_wanted
        })
    }

    fn equals(
        &mut self,
        case: &ConstraintCase<'_>,
        others: &Range<usize>,
        mut findings: CheckFindings<'_>,
    ) -> bool {
        let mut conforms = self.each_among(case, others, true, findings.again());
        self.values[case.values.clone()].sort_unstable();
        for other in others.clone() {
            let other = self.values[other];
            if self.value_nodes(case).binary_search(&other).is_err() {
                conforms = case.fail(Some(other), &mut findings);
            }
        }
        conforms
    }

    fn less_than(
        &self,
        case: &ConstraintCase<'_>,
        others: &Range<usize>,
        is_in_order: fn(Ordering) -> bool,
        mut findings: CheckFindings<'_>,
    ) -> Result<bool, ValidationStop> {
        let mut conforms = true;
        for value in self.value_nodes(case) {
            self.cancellation.check()?;
            for other in &self.values[others.clone()] {
                if !self.compare(*value, *other).is_some_and(is_in_order) {
                    conforms = case.fail(Some(*value), &mut findings);
                }
            }
        }
        Ok(conforms)
    }
}
