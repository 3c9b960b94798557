//! The failures of inner shapes that explain a result: as many as a person would read. Further ones are counted.
//!
//! `ShapeEvaluation` is defined in `evaluation.rs`.

use super::evaluation::{ShapeEvaluation, ValidationStop};
use super::ids::ShapeId;
use super::result::{CheckFindings, ConstraintFinding, InnerFailures};
use evalgraph_store::TermId;

/// How many failures explain a result, or another failure.
const MOST: usize = 20;
/// How many failures explain, in total, the failures that explain a result.
const MOST_BELOW: usize = 200;
/// How many levels of failures explain a result.
const LEVELS: usize = 4;

/// A node and the inner shape that it was checked against.
#[derive(Debug, Clone, Copy)]
pub(super) struct InnerShapeCheck {
    shape: ShapeId,
    node: TermId,
    alternative: Option<u32>,
}

impl InnerShapeCheck {
    pub(super) fn new(shape: ShapeId, node: TermId) -> Self {
        Self { shape, node, alternative: None }
    }

    /// A node checked against each of several shapes.
    pub(super) fn alternatives(shapes: &[ShapeId], node: TermId) -> Vec<Self> {
        let numbered = shapes.iter().zip(1..);
        numbered.map(|(shape, number)| Self { shape: *shape, node, alternative: Some(number) }).collect()
    }
}

impl InnerFailures {
    /// The first findings, and how many more there are.
    pub(super) fn from_findings(findings: impl Iterator<Item = ConstraintFinding>) -> Self {
        let mut details = Self::default();
        for finding in findings {
            match details.findings.len() < MOST {
                true => details.findings.push(finding),
                false => details.left_out += 1,
            }
        }
        details
    }
}

impl ShapeEvaluation<'_, '_, '_> {
    /// The failures of nodes against inner shapes. Each inner shape gets an equal share, so one with many failures does
    /// not hide those of the others.
    pub(super) fn details(&mut self, inner: &[InnerShapeCheck]) -> Result<InnerFailures, ValidationStop> {
        let mut details = InnerFailures::default();
        if self.explaining.level > LEVELS {
            return Ok(details);
        }
        let share = (MOST / inner.len().max(1)).max(1);
        if self.explaining.level == 0 {
            self.explaining.room = MOST_BELOW;
        }
        self.explaining.level += 1;
        for InnerShapeCheck { shape, node, alternative } in inner {
            let mut failures = Vec::new();
            self.validate(*shape, *node, CheckFindings::All(&mut failures))?;
            let most = self.room().min(share).min(MOST - details.findings.len());
            details.left_out += failures.len().saturating_sub(most) as u64;
            failures.truncate(most);
            if self.explaining.level > 1 {
                self.explaining.room -= failures.len();
            }
            failures.iter_mut().for_each(|failure| failure.alternative = *alternative);
            details.findings.append(&mut failures);
        }
        self.explaining.level -= 1;
        Ok(details)
    }

    /// How many more failures may be kept at this level.
    fn room(&self) -> usize {
        match self.explaining.level {
            1 => MOST,
            level if level > LEVELS => 0,
            _ => self.explaining.room,
        }
    }
}
