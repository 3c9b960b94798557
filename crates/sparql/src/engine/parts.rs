//! Finds the solutions of a node part by part: the solutions for the first triples of its first pattern come before
//! others are looked for, so no table becomes large. If one triple has too many solutions with the other patterns,
//! these are divided by the second pattern.

use std::collections::HashMap;
use std::mem::take;

use super::limits::{MOST_ROWS, SolutionTableError};
use super::node::AlgebraNode;
use super::plan_evaluator::PlanEvaluator;
use super::queryable_dataset::TriplePart;
use super::solution_table::{SolutionTable, VariableSet};
use super::sorted_runs::SortedSolutionRuns;

/// The lengths of first parts: if solutions are shown as they are found, if few are wanted, and if all are needed
/// before any is shown. In debug builds parts are short, so that tests cover their boundaries.
pub(super) const FIRST: usize = if IS_TESTED { 1 << 4 } else { 1 << 12 };
pub(super) const FIRST_OF_FEW: usize = if IS_TESTED { 1 << 2 } else { 1 << 6 };
pub(super) const ALL: usize = ROWS;

/// How many solutions a part should have.
const ROWS: usize = if IS_TESTED { 1 << 8 } else { 1 << 18 };

const IS_TESTED: bool = cfg!(debug_assertions);

/// By what factor a part may be longer than the one before it.
const GROWTH: usize = 1 << 6;

/// By what factor a part is shortened if it has few triples and too many solutions.
const STEP: usize = 1 << 3;

/// The most solutions of a part, unless it has few triples.
const MOST_ROWS_OF_PART: usize = if IS_TESTED { 1 << 11 } else { 1 << 22 };
const FEW: usize = 1 << 6;

/// The most numbers in the solutions of a part that can still be divided.
const MOST_NUMBERS: usize = if IS_TESTED { 3 << 14 } else { 1 << 23 };

/// The remaining parts of a node.
pub(super) struct SolutionParts<'d> {
    rest: RemainingSolutions<'d>,
    /// The length of the longest part that does not have too many solutions, as far as known.
    longest: usize,
    /// The parts of one solution of the first pattern, if it has too many solutions with the other patterns.
    within: Option<Box<DividedNode<'d>>>,
}

enum RemainingSolutions<'d> {
    /// The node is not divided.
    Whole,
    /// The solutions are already sorted, and too many for a table.
    Sorted(Box<SortedSolutionRuns>),
    Part(TriplePart<'d>),
    None,
}

/// A node in which the first pattern has one solution, and its parts.
struct DividedNode<'d> {
    node: AlgebraNode,
    parts: SolutionParts<'d>,
    /// The solutions that all parts have in common.
    kept: HashMap<*const (), SolutionTable>,
}

impl<'d> SolutionParts<'d> {
    /// All parts of a node. The first part has `first` triples.
    pub(super) fn new(engine: &PlanEvaluator<'_, 'd>, node: &AlgebraNode, first: usize) -> Self {
        let part = TriplePart { walk: None, start: 0, length: first };
        let rest = if engine.is_divisible(node) {
            RemainingSolutions::Part(part)
        } else {
            RemainingSolutions::Whole
        };
        Self { rest, ..Self::none() }
    }

    /// No parts.
    pub(super) fn none() -> Self {
        Self { rest: RemainingSolutions::None, longest: usize::MAX, within: None }
    }

    /// The solutions of the next part, with the wanted columns. A part with too many solutions is divided.
    pub(super) fn next(
        &mut self,
        engine: &PlanEvaluator<'_, 'd>,
        node: &AlgebraNode,
        wanted: VariableSet,
    ) -> Result<Option<SolutionTable>, SolutionTableError> {
        let outer = (engine.part.take(), engine.rest.take(), engine.ticks.most.get());
        let table = self.find(engine, node, wanted);
        engine.part.set(outer.0);
        engine.rest.set(outer.1);
        engine.ticks.most.set(outer.2);
        table
    }

    fn find(
        &mut self,
        engine: &PlanEvaluator<'_, 'd>,
        node: &AlgebraNode,
        wanted: VariableSet,
    ) -> Result<Option<SolutionTable>, SolutionTableError> {
        if let Some(within) = &mut self.within {
            if let Some(table) = within.next(engine, wanted)? {
                return Ok(Some(table));
            }
            self.within = None;
        }
        let mut part = match std::mem::replace(&mut self.rest, RemainingSolutions::None) {
            RemainingSolutions::None => return Ok(None),
            RemainingSolutions::Whole => {
                let mut runs = None;
                let table = engine.run_in_runs(node, wanted, &mut runs)?;
                match runs {
                    Some(runs) => return self.next_sorted(Box::new(runs), engine, wanted),
                    None => return Ok(Some(table)),
                }
            }
            RemainingSolutions::Sorted(runs) => return self.next_sorted(runs, engine, wanted),
            RemainingSolutions::Part(part) => part,
        };
        let most_of_few = MOST_NUMBERS / wanted.iter().count().max(1);
        let mut most = most_of_few;
        loop {
            let (start, length) = (part.start, part.length);
            engine.ticks.most.set(if length <= FEW { most } else { most_of_few.min(MOST_ROWS_OF_PART) });
            engine.part.set(Some(part));
            if let Some(steps) = engine.steps.get() {
                steps.next_part();
            }
            let found = engine.run(node, wanted);
            let rest = engine.rest.take();
            match found {
                Ok(table) => {
                    if let Some(rest) = rest {
                        // The next part gets about `ROWS` solutions if its triples have as many as these.
                        let most = ROWS.saturating_mul(length) / table.rows.max(1);
                        let length = length.saturating_mul(GROWTH).min(most).min(self.longest).max(1);
                        self.rest = RemainingSolutions::Part(TriplePart { length, ..rest });
                    }
                    return Ok(Some(table));
                }
                Err(SolutionTableError::TooLarge(_)) if length > 1 => {
                    self.longest = length.div_ceil(if length > FEW { GROWTH } else { STEP });
                    // The walk is behind these triples already, so they are found again from the beginning.
                    part = TriplePart { walk: None, start, length: self.longest };
                }
                Err(unfit @ SolutionTableError::TooLarge(_)) => {
                    engine.part.set(Some(TriplePart { walk: None, start, length: 1 }));
                    let divided = engine.with_one_solution(node)?;
                    let rest = engine.rest.take();
                    match divided {
                        Some(node) => {
                            self.rest = rest.map_or(RemainingSolutions::None, |rest| {
                                RemainingSolutions::Part(TriplePart { length: 1, ..rest })
                            });
                            let parts = Self::new(engine, &node, FEW);
                            let within = DividedNode { node, parts, kept: HashMap::new() };
                            return self.within.insert(Box::new(within)).next(engine, wanted);
                        }
                        None if most == MOST_ROWS => return Err(unfit),
                        None => {
                            // Nothing is left to divide by, so one triple may have as many solutions as a table.
                            most = MOST_ROWS;
                            part = TriplePart { walk: None, start, length: 1 };
                        }
                    }
                }
                Err(unfit) => return Err(unfit),
            }
        }
    }
}

impl<'d> SolutionParts<'d> {
    fn next_sorted(
        &mut self,
        mut runs: Box<SortedSolutionRuns>,
        engine: &PlanEvaluator<'_, 'd>,
        wanted: VariableSet,
    ) -> Result<Option<SolutionTable>, SolutionTableError> {
        let table = runs.next(ROWS, wanted, engine)?;
        self.rest = RemainingSolutions::Sorted(runs);
        Ok(table)
    }
}

impl<'d> DividedNode<'d> {
    fn next(
        &mut self,
        engine: &PlanEvaluator<'_, 'd>,
        wanted: VariableSet,
    ) -> Result<Option<SolutionTable>, SolutionTableError> {
        let outer = engine.kept.replace(take(&mut self.kept));
        let table = self.parts.next(engine, &self.node, wanted);
        self.kept = engine.kept.replace(outer);
        table
    }
}
