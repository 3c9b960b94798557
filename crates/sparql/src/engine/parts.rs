//! The solutions of a node part by part: those of the first triples of its first pattern come before others are looked for, and no
//! table becomes large. Where one triple has too many solutions with the other patterns, those are divided by the second one.

use std::collections::HashMap;
use std::mem::take;

use super::context::Engine;
use super::data::Part;
use super::limits::{MOST_ROWS, Unfit};
use super::node::Node;
use super::sorted_runs::SortedRuns;
use super::table::{Table, Vars};

/// The lengths of first parts: where solutions are shown as they are found, where few are wanted, and where all are wanted before any is
/// shown. In debug builds parts are short, so that tests meet their seams.
pub(super) const FIRST: usize = if IS_TESTED { 1 << 4 } else { 1 << 12 };
pub(super) const FIRST_OF_FEW: usize = if IS_TESTED { 1 << 2 } else { 1 << 6 };
pub(super) const ALL: usize = ROWS;

/// How many solutions a part should have.
const ROWS: usize = if IS_TESTED { 1 << 8 } else { 1 << 18 };

const IS_TESTED: bool = cfg!(debug_assertions);

/// How much longer a part may be than the one before it.
const GROWTH: usize = 1 << 6;

/// How much shorter than one of few triples that has too many solutions.
const STEP: usize = 1 << 3;

/// How many solutions it may have unless it has few triples.
const MOST_ROWS_OF_PART: usize = if IS_TESTED { 1 << 11 } else { 1 << 22 };
const FEW: usize = 1 << 6;

/// How many numbers the solutions of a part may have that can still be divided.
const MOST_NUMBERS: usize = if IS_TESTED { 3 << 14 } else { 1 << 23 };

/// The parts of a node that are left.
pub(super) struct Parts<'d> {
    rest: Rest<'d>,
    /// The length of the longest part that does not have too many solutions, as far as that is known.
    longest: usize,
    /// The parts of one solution of the first pattern, where that has too many solutions with the others.
    within: Option<Box<Within<'d>>>,
}

enum Rest<'d> {
    /// The node is not divided.
    Whole,
    /// Its solutions are in order already, and too many for a table.
    Sorted(Box<SortedRuns>),
    Part(Part<'d>),
    None,
}

/// A node in which the first pattern has one solution, and its parts.
struct Within<'d> {
    node: Node,
    parts: Parts<'d>,
    /// The solutions that all of them have in common.
    kept: HashMap<*const (), Table>,
}

impl<'d> Parts<'d> {
    /// All parts of a node, the first of which has so many triples.
    pub(super) fn of(engine: &Engine<'_, 'd>, node: &Node, first: usize) -> Self {
        let part = Part { walk: None, start: 0, length: first };
        let rest = if engine.is_divisible(node) { Rest::Part(part) } else { Rest::Whole };
        Self { rest, ..Self::none() }
    }

    /// No parts.
    pub(super) fn none() -> Self {
        Self { rest: Rest::None, longest: usize::MAX, within: None }
    }

    /// The solutions of the next part, with the columns that are wanted. One with too many of them is divided.
    pub(super) fn next(
        &mut self,
        engine: &Engine<'_, 'd>,
        node: &Node,
        wanted: Vars,
    ) -> Result<Option<Table>, Unfit> {
        let outer = (engine.part.take(), engine.rest.take(), engine.ticks.most.get());
        let table = self.find(engine, node, wanted);
        engine.part.set(outer.0);
        engine.rest.set(outer.1);
        engine.ticks.most.set(outer.2);
        table
    }

    fn find(&mut self, engine: &Engine<'_, 'd>, node: &Node, wanted: Vars) -> Result<Option<Table>, Unfit> {
        if let Some(within) = &mut self.within {
            if let Some(table) = within.next(engine, wanted)? {
                return Ok(Some(table));
            }
            self.within = None;
        }
        let mut part = match std::mem::replace(&mut self.rest, Rest::None) {
            Rest::None => return Ok(None),
            Rest::Whole => {
                let mut runs = None;
                let table = engine.run_in_runs(node, wanted, &mut runs)?;
                match runs {
                    Some(runs) => return self.next_sorted(Box::new(runs), engine, wanted),
                    None => return Ok(Some(table)),
                }
            }
            Rest::Sorted(runs) => return self.next_sorted(runs, engine, wanted),
            Rest::Part(part) => part,
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
                        let most = ROWS.saturating_mul(length) / table.rows.max(1);
                        let length = length.saturating_mul(GROWTH).min(most).min(self.longest).max(1);
                        self.rest = Rest::Part(Part { length, ..rest });
                    }
                    return Ok(Some(table));
                }
                Err(Unfit::TooLarge(_)) if length > 1 => {
                    self.longest = length.div_ceil(if length > FEW { GROWTH } else { STEP });
                    part = Part { walk: None, start, length: self.longest };
                }
                Err(unfit @ Unfit::TooLarge(_)) => {
                    engine.part.set(Some(Part { walk: None, start, length: 1 }));
                    let divided = engine.with_one_solution(node)?;
                    let rest = engine.rest.take();
                    match divided {
                        Some(node) => {
                            self.rest =
                                rest.map_or(Rest::None, |rest| Rest::Part(Part { length: 1, ..rest }));
                            let parts = Self::of(engine, &node, FEW);
                            let within = Within { node, parts, kept: HashMap::new() };
                            return self.within.insert(Box::new(within)).next(engine, wanted);
                        }
                        None if most == MOST_ROWS => return Err(unfit),
                        None => {
                            most = MOST_ROWS;
                            part = Part { walk: None, start, length: 1 };
                        }
                    }
                }
                Err(unfit) => return Err(unfit),
            }
        }
    }
}

impl<'d> Parts<'d> {
    fn next_sorted(
        &mut self,
        mut runs: Box<SortedRuns>,
        engine: &Engine<'_, 'd>,
        wanted: Vars,
    ) -> Result<Option<Table>, Unfit> {
        let table = runs.next(ROWS, wanted, engine)?;
        self.rest = Rest::Sorted(runs);
        Ok(table)
    }
}

impl<'d> Within<'d> {
    fn next(&mut self, engine: &Engine<'_, 'd>, wanted: Vars) -> Result<Option<Table>, Unfit> {
        let outer = engine.kept.replace(take(&mut self.kept));
        let table = self.parts.next(engine, &self.node, wanted);
        self.kept = engine.kept.replace(outer);
        table
    }
}
