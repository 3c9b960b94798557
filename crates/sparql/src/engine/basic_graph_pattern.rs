//! Basic graph patterns: joins one triple pattern after another. The next one is always the pattern that leaves the
//! fewest rows.
//!
//! The lengths of runs are exact and cost nothing. How many triples each row finds is measured on a sample of rows of
//! the current table, so that correlations count. A pattern is joined by a lookup for each row, or by a walk over all
//! its triples if that is less work. `PlanEvaluator` is defined in `plan_evaluator.rs`.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use spargebra::algebra::{Expression, Function};

use super::join::{RowPairs, counted, pairs, semi, united};
use super::limits::{BLOCK, MOST_ROWS, SolutionTableError};
use super::node::PlannedExpression;
use super::plan_evaluator::PlanEvaluator;
use super::quad_pattern::{PatternTerm, QuadPattern};
use super::queryable_dataset::{TriplePart, TripleWalk};
use super::seeds::seed_of;
use super::solution_table::{
    BindingNumber, SolutionColumn, SolutionTable, VariableNumber, VariableSet, number,
};
use crate::algebra::operands;
use evalgraph_store::TermId;

/// How many rows are sampled to estimate how many triples a row finds.
const SAMPLE: usize = 24;

/// The most rows that a column reserves room for in advance.
const MOST_RESERVED: usize = 1 << 20;

/// The cost of a lookup, in triples of a walk.
const LOOKUP: f64 = 20.0;

impl<'d> PlanEvaluator<'_, 'd> {
    /// The solutions of a basic graph pattern for which the conditions are true, with the wanted columns. The result
    /// has all solutions that are compatible with a row of `seed`, and may have others. A condition on numbers and
    /// kinds is tested as soon as its variables have values.
    pub(super) fn basic_graph_pattern(
        &self,
        patterns: &[QuadPattern],
        conditions: &[&PlannedExpression],
        wanted: VariableSet,
        seed: Option<&SolutionTable>,
    ) -> Result<SolutionTable, SolutionTableError> {
        let all = patterns.iter().fold(VariableSet::default(), |vars, pattern| vars.and(pattern.vars()));
        let mut rest: Vec<&QuadPattern> = patterns.iter().collect();
        let beginning = seed.map(|seed| self.beginning(patterns, seed)).transpose()?.flatten();
        // A seed that the pattern does not begin with reduces the rows later.
        let mut seed = if beginning.is_none() { seed } else { None };
        let mut table = beginning.unwrap_or_else(SolutionTable::unit);
        let mut conditions = conditions.to_vec();
        loop {
            // The table has the solutions of the patterns that are not in `rest` any more. The conditions that are
            // not in `conditions` any more are true for all of them.
            let bound = table.vars();
            let (ready, later): (Vec<&PlannedExpression>, _) =
                conditions.into_iter().partition(|condition| {
                    let asked = condition.asked();
                    let has_values = asked.without(bound) == VariableSet::default();
                    let is_least = asked == VariableSet::default() || is_quick(&condition.expression);
                    // Strings may have to be decompressed, so a condition that reads them waits for the joins, which
                    // may drop rows.
                    rest.is_empty() || has_values && is_least
                });
            conditions = later;
            let needed = |conditions: &[&PlannedExpression], rest: &[&QuadPattern]| {
                let vars = conditions.iter().fold(wanted, |vars, condition| vars.and(condition.vars));
                rest.iter().fold(vars, |vars, pattern| vars.and(pattern.vars()))
            };
            for (place, condition) in ready.iter().enumerate() {
                let later = needed(&ready[place + 1..], &rest).and(needed(&conditions, &[]));
                table = self.filtered(condition, table, later)?;
            }
            if table.rows == 0 {
                return Ok(SolutionTable::empty(all.both(wanted)));
            }
            if rest.is_empty() {
                table.keep(wanted);
                return Ok(table);
            }
            let (place, expected) = self.next(&table, &rest);
            let next = rest.remove(place);
            // After a product, each row would be tested once for each row of the other side.
            let is_product =
                !table.columns.is_empty() && next.vars().both(table.vars()) == VariableSet::default();
            let (own, others): (Vec<&PlannedExpression>, _) = conditions.into_iter().partition(|condition| {
                is_product && condition.asked().without(next.vars()) == VariableSet::default()
            });
            conditions = others;
            let needed = needed(&conditions, &rest);
            let found = || self.joined(&table, next, needed, &own);
            table = self.step(|| self.label_of_pattern(next), expected, found)?;
            if let Some(known) = seed.filter(|seed| !rest.is_empty() && has_all(&table, seed, all)) {
                table = self.of_seed(table, known, all)?;
                seed = None;
            }
        }
    }

    /// Keeps the rows that are compatible with a row of the seed, if the seed has far fewer rows.
    fn of_seed(
        &self,
        table: SolutionTable,
        seed: &SolutionTable,
        vars: VariableSet,
    ) -> Result<SolutionTable, SolutionTableError> {
        if seed.rows.saturating_mul(2) > table.rows {
            return Ok(table);
        }
        let Some(seed) = seed_of(seed, vars, &self.ticks)? else { return Ok(table) };
        let rows = semi(&table, &seed, true, false, &self.ticks)?;
        table.filtered(&rows, &self.ticks)
    }

    /// The seed, if it has values for variables of the patterns, and looking these up is less work than a walk over all
    /// triples of a pattern.
    fn beginning(
        &self,
        patterns: &[QuadPattern],
        seed: &SolutionTable,
    ) -> Result<Option<SolutionTable>, SolutionTableError> {
        let vars = patterns.iter().fold(VariableSet::default(), |vars, pattern| vars.and(pattern.vars()));
        let walked = patterns.iter().map(|pattern| self.count(pattern)).min().unwrap_or(0);
        let is_less = (seed.rows as f64 * LOOKUP) < walked as f64;
        if is_less { seed_of(seed, vars, &self.ticks) } else { Ok(None) }
    }

    /// The index of the pattern to join next, and the expected number of rows after the join.
    pub(super) fn next(&self, table: &SolutionTable, patterns: &[&QuadPattern]) -> (usize, Option<f64>) {
        if patterns.len() == 1 {
            return (0, None);
        }
        let vars = table.vars();
        let cost = |pattern: &&QuadPattern| {
            let shared = pattern.vars().both(vars);
            let has_unknown = pattern.vars() != VariableSet::default();
            match shared == VariableSet::default() {
                // A product of two tables comes last, unless the pattern has no variables at all.
                true if table.columns.is_empty() || !has_unknown => (0, self.count(pattern) as f64),
                true => (1, self.count(pattern) as f64),
                false => (0, table.rows as f64 * self.fan_out(table, pattern)),
            }
        };
        let costs: Vec<(i32, f64)> = patterns.iter().map(cost).collect();
        let cheapest = costs
            .iter()
            .enumerate()
            .min_by(|(_, left), (_, right)| left.0.cmp(&right.0).then_with(|| left.1.total_cmp(&right.1)));
        cheapest.map_or((0, None), |(place, (_, rows))| (place, Some(*rows)))
    }

    /// How many triples of a pattern a row finds, averaged over a sample of rows.
    fn fan_out(&self, table: &SolutionTable, pattern: &QuadPattern) -> f64 {
        // The sample is spread over all rows: the numbers of a document's terms are close together, so neighbouring
        // rows are often about the same document.
        let step = (table.rows / SAMPLE).max(1);
        let rows: Vec<usize> = (0..table.rows).step_by(step).collect();
        let counts = rows.iter().map(|row| {
            let (triple, graph) = pattern.known(|var| self.value(table, var, *row));
            self.data.count_at_most(triple, graph)
        });
        counts.sum::<usize>() as f64 / rows.len().max(1) as f64
    }

    fn value(&self, table: &SolutionTable, var: VariableNumber, row: usize) -> Option<TermId> {
        table.numbers(var).and_then(|numbers| TermId::of_number(numbers[row]))
    }

    /// Joins a table with the solutions of a pattern for which the conditions are true.
    fn joined(
        &self,
        table: &SolutionTable,
        pattern: &QuadPattern,
        wanted: VariableSet,
        conditions: &[&PlannedExpression],
    ) -> Result<SolutionTable, SolutionTableError> {
        if table.columns.is_empty() && table.rows == 1 {
            return self.scan(pattern, wanted, table);
        }
        let shared = pattern.vars().both(table.vars());
        let walked = self.count(pattern) as f64;
        if shared == VariableSet::default() || walked < table.rows as f64 * LOOKUP {
            let scanned = match shared == VariableSet::default() {
                true => self.scanned_once(pattern, wanted, conditions)?,
                false => self.scan(pattern, wanted.and(shared), table)?,
            };
            if wanted == VariableSet::default()
                && let Some(counted) = counted(table, &scanned, &self.ticks)?
            {
                return Ok(SolutionTable { rows: counted.pairs, ..SolutionTable::default() });
            }
            let pairs = pairs(table, &scanned, &self.ticks)?;
            let is_merged = table.sorted_by.is_some() && table.sorted_by == scanned.sorted_by;
            let mut joined = united(table, &scanned, &pairs, wanted, &self.ticks)?;
            // The rows of one side ascend in the pairs. The value is the same on both sides, so it ascends whichever
            // side it is.
            joined.sorted_by = table.sorted_by.filter(|var| is_merged && wanted.has(*var));
            return Ok(joined);
        }
        self.looked_up(table, pattern, wanted)
    }

    /// The triples of a pattern for which the conditions are true. All parts share them, so they are kept.
    fn scanned_once(
        &self,
        pattern: &QuadPattern,
        wanted: VariableSet,
        conditions: &[&PlannedExpression],
    ) -> Result<SolutionTable, SolutionTableError> {
        let key = std::ptr::from_ref(pattern).cast();
        let needed = wanted.both(pattern.vars());
        if let Some(table) = self.kept.borrow().get(&key)
            && needed.without(table.vars()) == VariableSet::default()
        {
            return Ok(table.clone());
        }
        let tested = conditions.iter().fold(wanted, |vars, condition| vars.and(condition.vars));
        let mut table = self.scan(pattern, tested, &SolutionTable::unit())?;
        for condition in conditions {
            table = self.filtered(condition, table, tested)?;
        }
        let rest = self.rest.take();
        if rest.is_some() {
            self.kept.borrow_mut().insert(key, table.clone());
        }
        self.rest.set(rest);
        Ok(table)
    }

    /// The triples of a pattern: the requested part of them, or else all that are compatible with a row of the table,
    /// and maybe others.
    fn scan(
        &self,
        pattern: &QuadPattern,
        wanted: VariableSet,
        table: &SolutionTable,
    ) -> Result<SolutionTable, SolutionTableError> {
        let mut found = PatternColumns::new(pattern, wanted, VariableSet::default());
        let (triple, graph) = pattern.known(|_| None);
        // Only the first scan of an evaluation finds a part here. The patterns after it see all their triples.
        let part = self.part.take();
        if found.is_empty()
            && let Some(rows) = self.data.count_exactly(triple, graph)
        {
            // The count covers all parts. There is no rest, so no further part is evaluated.
            return Ok(SolutionTable { rows, ..SolutionTable::default() });
        }
        let room = part.as_ref().map_or(MOST_RESERVED, |part| part.length.min(MOST_RESERVED));
        found.reserve(self.data.count_at_most(triple, graph).min(room));
        // The first position that the order of the store sorts. The triples of all named graphs come graph by graph,
        // and those with a given subject and object have no order of their own.
        let order = match (pattern.scope, triple) {
            _ if !self.data.is_sorted() => None,
            (Some(PatternTerm::Variable(_)), _) => None,
            (_, [None, Some(_), _] | [None, None, None]) => Some(0),
            (_, [None, None, Some(_)] | [Some(_), None, None]) => Some(1),
            (_, [Some(_), Some(_), None]) => Some(2),
            _ => None,
        };
        let order = order.and_then(|place| Some((place, pattern.triple[place].var()?)));
        let mut walk = self.data.walk(triple, graph);
        match part {
            Some(part) => self.collect_part(walk, part, &mut found)?,
            None => {
                if let Some((place, var)) = order
                    && let Some(bounds) = table.bounds(var)
                {
                    walk.narrow(place, bounds);
                }
                self.collect(&mut walk, &mut found, usize::MAX)?;
            }
        }
        let sorted_by = order.map(|(_, var)| var).filter(|var| wanted.has(*var) && !found.is_filter());
        Ok(found.into_table(sorted_by))
    }

    /// The triples of a pattern for each row of a table.
    fn looked_up(
        &self,
        table: &SolutionTable,
        pattern: &QuadPattern,
        wanted: VariableSet,
    ) -> Result<SolutionTable, SolutionTableError> {
        let mut found = PatternColumns::new(pattern, wanted, table.vars());
        if wanted == VariableSet::default() && found.is_empty() {
            return self.counted_up(table, pattern);
        }
        let mut pairs = RowPairs::default();
        for row in 0..table.height()? {
            let (triple, graph) = pattern.known(|var| self.value(table, var, row as usize));
            self.collect(&mut self.data.walk(triple, graph), &mut found, usize::MAX)?;
            self.ticks.grown(found.rows)?;
            pairs.left.resize(found.rows, row);
        }
        let mut joined = table.gather(&pairs.left, &self.ticks)?;
        joined.sorted_by = table.sorted_by;
        joined.keep(wanted);
        joined.columns.extend(found.into_table(None).columns);
        Ok(joined)
    }

    /// The join of a table and a pattern of which only the number of solutions is wanted.
    fn counted_up(
        &self,
        table: &SolutionTable,
        pattern: &QuadPattern,
    ) -> Result<SolutionTable, SolutionTableError> {
        let mut rows = 0_usize;
        for row in 0..table.rows {
            let (triple, graph) = pattern.known(|var| self.value(table, var, row));
            self.ticks.tick(4)?;
            rows += match self.data.count_exactly(triple, graph) {
                Some(count) => count,
                None => {
                    let mut found = PatternColumns::default();
                    self.collect(&mut self.data.walk(triple, graph), &mut found, usize::MAX)?;
                    found.rows
                }
            };
        }
        Ok(SolutionTable { rows, ..SolutionTable::default() })
    }

    /// Adds at most `most` triples. Returns whether it stopped at that limit.
    fn collect(
        &self,
        walk: &mut TripleWalk<'_>,
        found: &mut PatternColumns,
        most: usize,
    ) -> Result<bool, SolutionTableError> {
        let before = found.rows;
        let ended = match found.only() {
            Some((place, numbers)) => {
                let last = before.saturating_add(most);
                let mut repeat = |subject: TermId, count: usize| {
                    numbers.resize(numbers.len() + count, number(subject));
                    match self.ticks.tick(count).and_then(|()| held(numbers.len())) {
                        Err(unfit) => ControlFlow::Break(Err(unfit)),
                        Ok(()) if numbers.len() == last => ControlFlow::Break(Ok(())),
                        Ok(()) => ControlFlow::Continue(()),
                    }
                };
                let subjects = if place == 0 { walk.visit_subjects(most, &mut repeat) } else { None };
                subjects.unwrap_or_else(|| {
                    walk.visit(|triple, _| {
                        numbers.push(number(triple[place]));
                        self.look_at(numbers.len(), last, numbers.len())
                    })
                })
            }
            None => {
                let mut seen = 0_usize;
                walk.visit(|triple, graph| {
                    found.add(triple, graph);
                    seen += 1;
                    self.look_at(seen, most, found.rows)
                })
            }
        };
        if let Some((_, numbers)) = found.only() {
            found.rows = numbers.len();
        }
        self.ticks.tick(1 + found.rows - before)?;
        held(found.rows)?;
        match ended {
            ControlFlow::Break(ended) => ended.map(|()| true),
            ControlFlow::Continue(()) => Ok(false),
        }
    }

    /// Stops after the last wanted triple, and checks after each block of triples whether the evaluation may continue.
    #[inline]
    fn look_at(&self, seen: usize, last: usize, rows: usize) -> ControlFlow<Result<(), SolutionTableError>> {
        if seen == last {
            return ControlFlow::Break(Ok(()));
        }
        if seen.is_multiple_of(BLOCK)
            && let Err(unfit) = self.ticks.tick(BLOCK).and_then(|()| held(rows))
        {
            return ControlFlow::Break(Err(unfit));
        }
        ControlFlow::Continue(())
    }

    /// Adds a part of the triples, and stores the rest in `self.rest`.
    fn collect_part(
        &self,
        walk: TripleWalk<'d>,
        part: TriplePart<'d>,
        found: &mut PatternColumns,
    ) -> Result<(), SolutionTableError> {
        let mut to_skip = if part.walk.is_some() { 0 } else { part.start };
        let mut walk = part.walk.unwrap_or(walk);
        while to_skip > 0 {
            let some = to_skip.min(MOST_ROWS);
            self.collect(&mut walk, &mut PatternColumns::default(), some)?;
            to_skip -= some;
        }
        if self.collect(&mut walk, found, part.length)? {
            // The limit may have been reached at the last triple. The next part is then empty.
            let start = part.start.saturating_add(part.length);
            self.rest.set(Some(TriplePart { walk: Some(walk), start, length: 0 }));
        }
        Ok(())
    }
}

/// Returns whether a table has all those columns of a seed whose variables are in `vars`.
fn has_all(table: &SolutionTable, seed: &SolutionTable, vars: VariableSet) -> bool {
    seed.vars().both(vars).without(table.vars()) == VariableSet::default()
}

/// Fails if a pattern has too many triples.
fn held(rows: usize) -> Result<(), SolutionTableError> {
    if rows > MOST_ROWS { Err(SolutionTableError::TooLarge(None)) } else { Ok(()) }
}

/// Returns whether a condition needs no strings.
fn is_quick(expression: &Expression) -> bool {
    match expression {
        Expression::FunctionCall(Function::IsIri | Function::IsBlank | Function::IsLiteral, arguments) => {
            arguments.iter().all(is_quick)
        }
        Expression::FunctionCall(..) | Expression::Exists(_) => false,
        _ => operands(expression).into_iter().all(is_quick),
    }
}

/// The columns of the variables of a pattern, as its triples are found.
#[derive(Default)]
struct PatternColumns {
    /// The places whose numbers are kept.
    kept: Vec<(VariableNumber, usize, Vec<BindingNumber>)>,
    /// Places that must be equal, since the same variable is at both.
    equal: BTreeSet<(usize, usize)>,
    rows: usize,
}

/// The place of a pattern's graph.
const GRAPH: usize = 3;

impl PatternColumns {
    /// The variables in `known` have values when triples are looked up.
    fn new(pattern: &QuadPattern, wanted: VariableSet, known: VariableSet) -> Self {
        let mut found = Self { kept: Vec::new(), equal: BTreeSet::new(), rows: 0 };
        let vars: Vec<Option<VariableNumber>> = pattern.slots().map(PatternTerm::var).collect();
        for (place, var) in vars.iter().enumerate() {
            let Some(var) = *var else { continue };
            match vars[..place].iter().position(|other| *other == Some(var)) {
                Some(first) => drop(found.equal.insert((first, place))),
                None if wanted.has(var) && !known.has(var) => found.kept.push((var, place, Vec::new())),
                None => {}
            }
        }
        found
    }

    /// The place of the only term that is read, and its numbers.
    fn only(&mut self) -> Option<(usize, &mut Vec<BindingNumber>)> {
        match self.kept.as_mut_slice() {
            [(_, place, numbers)] if self.equal.is_empty() && *place != GRAPH => Some((*place, numbers)),
            _ => None,
        }
    }

    fn reserve(&mut self, rows: usize) {
        self.kept.iter_mut().for_each(|(_, _, numbers)| numbers.reserve(rows));
    }

    /// Returns whether no value is kept and none compared.
    fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.equal.is_empty()
    }

    fn is_filter(&self) -> bool {
        !self.equal.is_empty()
    }

    #[inline]
    fn add(&mut self, triple: &[TermId; 3], graph: Option<TermId>) {
        let at = |place: usize| if place == GRAPH { graph } else { Some(triple[place]) };
        if !self.equal.is_empty() && self.equal.iter().any(|(first, second)| at(*first) != at(*second)) {
            return;
        }
        for (_, place, numbers) in &mut self.kept {
            numbers.push(if *place == GRAPH { graph.map_or(0, number) } else { number(triple[*place]) });
        }
        self.rows += 1;
    }

    fn into_table(self, sorted_by: Option<VariableNumber>) -> SolutionTable {
        let rows = self.rows;
        let columns = self.kept.into_iter().map(|(var, _, numbers)| (var, SolutionColumn::bound(numbers)));
        SolutionTable { rows, columns: columns.collect(), sorted_by }
    }
}
