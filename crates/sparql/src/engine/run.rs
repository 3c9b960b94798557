//! Evaluates a plan: each node becomes a table with the columns that the nodes above it need. `PlanEvaluator` is
//! defined in `plan_evaluator.rs`.

use std::ops::Range;

use super::distinct::DistinctRowSet;
use super::given_values::GivenValues;
use super::join::{RowPairs, counted, pairs, semi, united};
use super::limits::SolutionTableError;
use super::node::{AlgebraNode, PlannedExpression};
use super::parts::{ALL, FIRST, FIRST_OF_FEW, SolutionParts};
use super::plan_evaluator::PlanEvaluator;
use super::queryable_dataset::TriplePart;
use super::seeds::{both, seed_of};
use super::solution_table::{NO_ROW, SolutionColumn, SolutionTable, VariableNumber, VariableSet};

impl PlanEvaluator<'_, '_> {
    /// The solutions of a node, with the wanted columns.
    pub(super) fn run(
        &self,
        node: &AlgebraNode,
        wanted: VariableSet,
    ) -> Result<SolutionTable, SolutionTableError> {
        self.run_for(node, wanted, None)
    }

    /// The solutions of a node: all that are compatible with a row of `seed`, and maybe others. Each row of the seed
    /// has all its values.
    pub(super) fn run_for(
        &self,
        node: &AlgebraNode,
        wanted: VariableSet,
        seed: Option<&SolutionTable>,
    ) -> Result<SolutionTable, SolutionTableError> {
        // Each part needs all solutions of these nodes, and they use no seed.
        let is_whole = matches!(
            node,
            AlgebraNode::Group { .. }
                | AlgebraNode::OrderBy(..)
                | AlgebraNode::Slice(..)
                | AlgebraNode::EqualJoin(..)
        );
        // Nodes do not move while the plan is evaluated, so an address identifies a node.
        let key = std::ptr::from_ref(node).cast();
        if is_whole && let Some(table) = self.kept.borrow().get(&key) {
            return Ok(table.clone());
        }
        let table = self.step(|| self.label_of(node), None, || self.table_of(node, wanted, seed))?;
        let rest = self.rest.take();
        if is_whole && rest.is_some() {
            self.kept.borrow_mut().insert(key, table.clone());
        }
        self.rest.set(rest);
        Ok(table)
    }

    /// The solutions of a node: all that are compatible with the rows of a table, and maybe others.
    pub(super) fn run_with(
        &self,
        node: &AlgebraNode,
        wanted: VariableSet,
        table: &SolutionTable,
    ) -> Result<SolutionTable, SolutionTableError> {
        self.run_for(node, wanted, self.seed_for(node, table)?.as_ref())
    }

    fn table_of(
        &self,
        node: &AlgebraNode,
        wanted: VariableSet,
        seed: Option<&SolutionTable>,
    ) -> Result<SolutionTable, SolutionTableError> {
        match node {
            AlgebraNode::BasicGraphPattern(patterns) => self.basic_graph_pattern(patterns, &[], wanted, seed),
            AlgebraNode::Values(table) => {
                let mut table = match self.part.take() {
                    Some(part) => self.part_of(table, &part)?,
                    None => table.clone(),
                };
                table.keep(wanted);
                Ok(table)
            }
            AlgebraNode::Given(inner, given) => {
                let table = self.run_for(inner, wanted.without(given.vars()), seed)?;
                self.with_values(table, given, wanted)
            }
            AlgebraNode::Closure(closure) => self.closure(closure, wanted, seed),
            AlgebraNode::Graphs(graphs) => self.graphs(graphs, wanted, seed),
            AlgebraNode::Service(service) => self.service(service, wanted, seed),
            AlgebraNode::Join(left, right) => self.join(left, right, wanted, seed),
            AlgebraNode::EqualJoin(left, right, pair) => self.equal_join([left, right], *pair, wanted),
            AlgebraNode::LeftJoin(left, right, condition) => {
                self.left_join([left.as_ref(), right.as_ref()], condition.as_ref(), wanted, seed)
            }
            AlgebraNode::Exists { inner, pattern, has_one } => {
                let shared = inner.vars().both(pattern.vars());
                let table = self.run_for(inner, wanted.and(shared), seed)?;
                let found = self.run_with(pattern, shared, &table)?;
                self.kept(&table, &semi(&table, &found, *has_one, false, &self.ticks)?, wanted)
            }
            AlgebraNode::Minus(left, right) => {
                let shared = left.vars().both(right.vars());
                let table = self.run_for(left, wanted.and(shared), seed)?;
                // A solution that is compatible with no row removes none, so the right side may begin with values of
                // the table.
                let found = self.run_with(right, shared, &table)?;
                self.kept(&table, &semi(&table, &found, false, true, &self.ticks)?, wanted)
            }
            AlgebraNode::Lateral(left, right, asked) => self.lateral([left, right], *asked, wanted, seed),
            AlgebraNode::Union(left, right) => {
                let mut table = self.run_for(left, wanted, seed)?;
                table.append(&self.run_for(right, wanted, seed)?, &self.ticks)?;
                Ok(table)
            }
            AlgebraNode::Filter(inner, condition) => self.filter(inner, condition, wanted, seed),
            AlgebraNode::Extend(inner, var, value) => {
                let own = VariableSet::from_numbers([*var]);
                let is_wanted = wanted.has(*var);
                let needed = if is_wanted { wanted.and(value.vars) } else { wanted };
                let mut table = self.run_for(inner, needed.without(own), seed)?;
                // An error only leaves the variable without a value (section 18.5, Extend), so an unwanted value is
                // not computed.
                if is_wanted {
                    table = self.with_parts(value, table)?;
                    table.set(*var, self.values_of(value, &table)?);
                }
                table.keep(wanted);
                Ok(table)
            }
            AlgebraNode::Group { inner, keys, aggregates } => self.group(inner, keys, aggregates, wanted),
            AlgebraNode::Project(inner, vars) => {
                // Other variables with the same names are local to the subquery.
                let seed = seed.map(|table| seed_of(table, *vars, &self.ticks)).transpose()?.flatten();
                self.run_for(inner, wanted.both(*vars), seed.as_ref())
            }
            AlgebraNode::Distinct(inner) => self.distinct(inner, wanted, seed),
            AlgebraNode::OrderBy(inner, keys) => self.order(inner, keys, None, wanted),
            AlgebraNode::Slice(inner, start, length) => {
                let last = length.map(|length| start.saturating_add(length));
                // The keys of ORDER BY may be variables that the projection hides, so it is below the projection.
                let (ordered, shown) = match inner.as_ref() {
                    AlgebraNode::Project(inner, vars) => (inner.as_ref(), wanted.both(*vars)),
                    inner => (inner, wanted),
                };
                let table = match ordered {
                    AlgebraNode::OrderBy(inner, keys) => {
                        self.step(|| self.label_of(ordered), None, || self.order(inner, keys, last, shown))?
                    }
                    _ => self.some(inner, wanted, last.unwrap_or(usize::MAX))?,
                };
                self.rows_of(table, *start..last.unwrap_or(usize::MAX))
            }
        }
    }

    /// Adds columns for the wanted ones of the given values, which are the same in each row.
    fn with_values(
        &self,
        mut table: SolutionTable,
        given: &GivenValues,
        wanted: VariableSet,
    ) -> Result<SolutionTable, SolutionTableError> {
        for (var, value) in given.values().filter(|(var, _)| wanted.has(*var)) {
            self.ticks.tick(table.rows)?;
            table.set(var, SolutionColumn::bound(vec![value; table.rows]));
        }
        Ok(table)
    }

    /// The solutions of a node for which a condition is true. Conditions around a basic graph pattern are tested within
    /// it.
    fn filter(
        &self,
        mut inner: &AlgebraNode,
        condition: &PlannedExpression,
        wanted: VariableSet,
        seed: Option<&SolutionTable>,
    ) -> Result<SolutionTable, SolutionTableError> {
        let mut conditions = vec![condition];
        while let AlgebraNode::Filter(within, condition) = inner {
            // The planner puts conditions without EXISTS innermost, so these are tested first.
            conditions.insert(0, condition);
            inner = within;
        }
        if let AlgebraNode::BasicGraphPattern(patterns) = inner {
            return self.basic_graph_pattern(patterns, &conditions, wanted, seed);
        }
        let vars = conditions.iter().fold(wanted, |vars, condition| vars.and(condition.vars));
        let mut table = self.table_of(inner, vars, seed)?;
        for (place, condition) in conditions.iter().enumerate() {
            let later = conditions[place + 1..].iter();
            let needed = later.fold(wanted, |vars, condition| vars.and(condition.vars));
            table = self.filtered(condition, table, needed)?;
        }
        Ok(table)
    }

    /// A part of the rows of a table. Stores the rest in `self.rest`.
    fn part_of(
        &self,
        table: &SolutionTable,
        part: &TriplePart<'_>,
    ) -> Result<SolutionTable, SolutionTableError> {
        let end = part.start.saturating_add(part.length).min(table.rows);
        if end < table.rows {
            self.rest.set(Some(TriplePart { walk: None, start: end, length: 0 }));
        }
        self.rows_of(table.clone(), part.start..end)
    }

    /// The rows of a table within a range, which may exceed the table.
    fn rows_of(
        &self,
        table: SolutionTable,
        range: Range<usize>,
    ) -> Result<SolutionTable, SolutionTableError> {
        let end = range.end.min(table.rows);
        let start = range.start.min(end);
        if end - start == table.rows {
            return Ok(table);
        }
        #[expect(clippy::cast_possible_truncation, reason = "tables have fewer rows")]
        let rows: Vec<u32> = (start as u32..end as u32).collect();
        table.filtered(&rows, &self.ticks)
    }

    /// The distinct solutions of a node.
    fn distinct(
        &self,
        inner: &AlgebraNode,
        wanted: VariableSet,
        seed: Option<&SolutionTable>,
    ) -> Result<SolutionTable, SolutionTableError> {
        let vars = inner.vars();
        // All variables of the node decide which solutions are equal, also those that are not wanted.
        let mut distinct = SolutionTable::empty(wanted.both(vars));
        let mut known = DistinctRowSet::default();
        let mut add = |table: SolutionTable| {
            // A part may lack the column of a variable that nothing in it binds, but rows must have the same width in
            // each part.
            let unbound = SolutionColumn::from_numbers(vec![0; table.rows]);
            let columns: Vec<&SolutionColumn> =
                vars.iter().map(|var| table.column(var).unwrap_or(&unbound)).collect();
            let first = known.add(&columns, table.rows, &self.ticks)?.first;
            distinct.append(&self.kept(&table, &first, wanted)?, &self.ticks)
        };
        if seed.is_some() {
            add(self.run_for(inner, vars, seed)?)?;
        } else {
            let mut parts = SolutionParts::new(self, inner, ALL);
            while let Some(table) = parts.next(self, inner, vars)? {
                add(table)?;
            }
        }
        Ok(distinct)
    }

    /// The rows with these ascending numbers, with the wanted columns.
    fn kept(
        &self,
        table: &SolutionTable,
        rows: &[u32],
        wanted: VariableSet,
    ) -> Result<SolutionTable, SolutionTableError> {
        let columns = table.columns.iter().filter(|(var, _)| wanted.has(*var));
        let mut kept = SolutionTable { rows: rows.len(), ..SolutionTable::default() };
        for (var, column) in columns {
            let column =
                if rows.len() == table.rows { column.clone() } else { column.gathered(rows, &self.ticks)? };
            kept.columns.push((*var, column));
        }
        kept.sorted_by = table.sorted_by.filter(|var| wanted.has(*var));
        Ok(kept)
    }

    /// Does work over a temporary node, outside the current part and step.
    pub(super) fn apart<T>(
        &self,
        work: impl FnOnce() -> Result<T, SolutionTableError>,
    ) -> Result<T, SolutionTableError> {
        let (steps, part, rest) = (self.steps.take(), self.part.take(), self.rest.take());
        // Another node may later get the same address as the temporary one.
        let kept = self.kept.take();
        let done = work();
        self.kept.replace(kept);
        self.steps.set(steps);
        self.part.set(part);
        self.rest.set(rest);
        done
    }

    /// At least `length` solutions of a node, or all if it has fewer.
    pub(super) fn some(
        &self,
        node: &AlgebraNode,
        wanted: VariableSet,
        length: usize,
    ) -> Result<SolutionTable, SolutionTableError> {
        let first = if length < FIRST { FIRST_OF_FEW.max(length) } else { ALL };
        let mut parts = SolutionParts::new(self, node, first);
        let mut some = SolutionTable::empty(wanted.both(node.vars()));
        while some.rows < length
            && let Some(table) = parts.next(self, node, wanted)?
        {
            if some.rows == 0 {
                some = table;
            } else {
                some.append(&table, &self.ticks)?;
                self.ticks.grown(some.rows)?;
            }
        }
        Ok(some)
    }

    /// The rows of a table for which a condition is true, with the wanted columns.
    pub(super) fn filtered(
        &self,
        condition: &PlannedExpression,
        mut table: SolutionTable,
        wanted: VariableSet,
    ) -> Result<SolutionTable, SolutionTableError> {
        self.step(
            || self.label_of_condition(condition),
            None,
            || {
                table = self.with_parts(condition, table)?;
                let rows = self.rows_with(condition, &table)?;
                table.keep(wanted);
                if rows.len() == table.rows { Ok(table) } else { table.filtered(&rows, &self.ticks) }
            },
        )
    }

    fn join(
        &self,
        left: &AlgebraNode,
        right: &AlgebraNode,
        wanted: VariableSet,
        seed: Option<&SolutionTable>,
    ) -> Result<SolutionTable, SolutionTableError> {
        let shared = left.vars().both(right.vars());
        let [left, right] = self.in_order(left, right);
        let one = self.run_for(left, wanted.and(shared), seed)?;
        if one.rows == 0 {
            return Ok(SolutionTable::empty(wanted.both(left.vars().and(right.vars()))));
        }
        let own = self.seed_for(right, &one)?;
        let outer = seed.map(|seed| seed_of(seed, right.vars(), &self.ticks)).transpose()?.flatten();
        let seed = both(own, outer, &self.ticks)?;
        let other = self.run_for(right, wanted.and(shared), seed.as_ref())?;
        if wanted == VariableSet::default()
            && let Some(counted) = counted(&one, &other, &self.ticks)?
        {
            return Ok(SolutionTable { rows: counted.pairs, ..SolutionTable::default() });
        }
        let pairs = pairs(&one, &other, &self.ticks)?;
        united(&one, &other, &pairs, wanted, &self.ticks)
    }

    fn equal_join(
        &self,
        sides: [&AlgebraNode; 2],
        pair: [VariableNumber; 2],
        wanted: VariableSet,
    ) -> Result<SolutionTable, SolutionTableError> {
        let needed = wanted.and(VariableSet::from_numbers(pair));
        let one = self.run(sides[0], needed)?;
        let seed = self.seed_of_equal(&one, pair)?;
        let other = self.run_for(sides[1], needed, seed.as_ref())?;
        let [left, right] = self.with_equal_numbers(&one, &other, pair)?;
        united(&one, &other, &pairs(&left, &right, &self.ticks)?, wanted, &self.ticks)
    }

    fn left_join(
        &self,
        sides: [&AlgebraNode; 2],
        condition: Option<&PlannedExpression>,
        wanted: VariableSet,
        seed: Option<&SolutionTable>,
    ) -> Result<SolutionTable, SolutionTableError> {
        let [left, right] = sides;
        let needed = wanted.and(condition.map_or(VariableSet::default(), |condition| condition.vars));
        let shared = left.vars().both(right.vars());
        let one = self.run_for(left, needed.and(shared), seed)?;
        let other = self.run_with(right, needed.and(shared), &one)?;
        if wanted == VariableSet::default()
            && condition.is_none()
            && let Some(counted) = counted(&one, &other, &self.ticks)?
        {
            // Each pair is a solution, and so is each left row without a partner (section 18.5, LeftJoin).
            let rows = counted.pairs + one.rows - counted.lefts;
            return Ok(SolutionTable { rows, ..SolutionTable::default() });
        }
        let sides = [left.vars(), right.vars()];
        let mut found = match condition.and_then(|condition| self.equal_pair(condition, sides)) {
            Some(pair) => {
                let [one, other] = self.with_equal_numbers(&one, &other, pair)?;
                pairs(&one, &other, &self.ticks)?
            }
            None => pairs(&one, &other, &self.ticks)?,
        };
        if let Some(condition) = condition {
            // The condition belongs to the join: a left row stays even if it is false for all its pairs (section
            // 18.5, LeftJoin).
            let both = united(&one, &other, &found, condition.vars, &self.ticks)?;
            let both = self.with_parts(condition, both)?;
            let rows = self.rows_with(condition, &both)?;
            let of = |side: &[u32]| self.ticks.collect(rows.len(), 2, |at| side[rows[at] as usize]);
            found = RowPairs { left: of(&found.left)?, right: of(&found.right)? };
        }
        let mut has_partner = vec![false; one.rows];
        found.left.iter().for_each(|row| has_partner[*row as usize] = true);
        for row in 0..one.height()? {
            if !has_partner[row as usize] {
                found.left.push(row);
                found.right.push(NO_ROW);
            }
        }
        united(&one, &other, &found, wanted, &self.ticks)
    }
}
