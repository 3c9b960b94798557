//! Evaluates a plan: each node becomes a table, with the columns that the nodes above it ask for.

use super::context::Engine;
use super::distinct::Distinct;
use super::join::{Pairs, counted, pairs, semi, united};
use super::labels::label_of_condition;
use super::limits::Unfit;
use super::node::{Condition, Node};
use super::seeds::{both, seed_of};
use super::table::{Column, NO_ROW, Table, Var, Vars};

impl Engine<'_, '_> {
    /// The solutions of a node, with the columns that are wanted.
    pub(super) fn run(&self, node: &Node, wanted: Vars) -> Result<Table, Unfit> {
        self.run_for(node, wanted, None)
    }

    /// The solutions of a node that go with a row of `seed`, and maybe others. Each value of the seed is bound there.
    pub(super) fn run_for(&self, node: &Node, wanted: Vars, seed: Option<&Table>) -> Result<Table, Unfit> {
        self.step(|| self.label_of(node), None, || self.table_of(node, wanted, seed))
    }

    /// The solutions of a node that go with the rows of a table, and maybe others.
    fn run_with(&self, node: &Node, wanted: Vars, table: &Table) -> Result<Table, Unfit> {
        self.run_for(node, wanted, seed_of(table, node.vars(), &self.ticks).as_ref())
    }

    fn table_of(&self, node: &Node, wanted: Vars, seed: Option<&Table>) -> Result<Table, Unfit> {
        match node {
            Node::BasicGraphPattern(patterns) => self.basic_graph_pattern(patterns, &[], wanted, seed),
            Node::Values(table) => {
                let mut table = table.clone();
                table.keep(wanted);
                Ok(table)
            }
            Node::Closure(closure) => self.closure(closure, wanted, seed),
            Node::Join(left, right) => self.join(left, right, wanted, seed),
            Node::EqualJoin(left, right, pair) => self.equal_join([left, right], *pair, wanted),
            Node::LeftJoin(left, right, condition) => {
                self.left_join([left.as_ref(), right.as_ref()], condition.as_ref(), wanted, seed)
            }
            Node::Exists { inner, pattern, has_one } => {
                let shared = inner.vars().both(pattern.vars());
                let table = self.run_for(inner, wanted.and(shared), seed)?;
                let found = self.run_with(pattern, shared, &table)?;
                Ok(kept(&table, &semi(&table, &found, *has_one, false, &self.ticks)?, wanted))
            }
            Node::Minus(left, right) => {
                let shared = left.vars().both(right.vars());
                let table = self.run_for(left, wanted.and(shared), seed)?;
                let found = self.run_with(right, shared, &table)?;
                Ok(kept(&table, &semi(&table, &found, false, true, &self.ticks)?, wanted))
            }
            Node::Union(left, right) => {
                let [left, right] = [left, right].map(|part| self.run_for(part, wanted, seed));
                Ok(appended(&left?, &right?, wanted))
            }
            Node::Filter(inner, condition) => {
                let mut conditions = vec![condition];
                let mut inner = inner.as_ref();
                while let Node::Filter(within, condition) = inner {
                    conditions.insert(0, condition);
                    inner = within;
                }
                if let Node::BasicGraphPattern(patterns) = inner {
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
            Node::Extend(inner, var, value) => {
                let own = Vars::of([*var]);
                let is_wanted = wanted.has(*var);
                let needed = if is_wanted { wanted.and(value.vars) } else { wanted };
                let mut table = self.run_for(inner, needed.without(own), seed)?;
                if is_wanted {
                    table.set(*var, self.values_of(value, &table)?);
                }
                table.keep(wanted);
                Ok(table)
            }
            Node::Group { inner, keys, aggregates } => self.group(inner, keys, aggregates, wanted),
            Node::Project(inner, vars) => {
                // Other variables of the same names are the subquery's own.
                let seed = seed.and_then(|table| seed_of(table, *vars, &self.ticks));
                self.run_for(inner, wanted.both(*vars), seed.as_ref())
            }
            Node::Distinct(inner) => {
                let table = self.run_for(inner, inner.vars(), seed)?;
                let columns: Vec<&Column> = table.columns.iter().map(|(_, column)| column).collect();
                let first = Distinct::of(&columns, table.rows, &self.ticks)?.first;
                Ok(kept(&table, &first, wanted))
            }
            Node::OrderBy(inner, keys) => self.order(inner, keys, None, wanted),
            Node::Slice(inner, start, length) => {
                let last = length.map(|length| start.saturating_add(length));
                let table = match inner.as_ref() {
                    Node::Project(ordered, vars) if let Node::OrderBy(inner, keys) = ordered.as_ref() => {
                        let wanted = wanted.both(*vars);
                        self.step(|| self.label_of(ordered), None, || self.order(inner, keys, last, wanted))?
                    }
                    inner => self.run(inner, wanted)?,
                };
                let end = last.unwrap_or(usize::MAX).min(table.rows);
                #[expect(clippy::cast_possible_truncation, reason = "tables have fewer rows")]
                let rows: Vec<u32> = ((*start).min(end) as u32..end as u32).collect();
                Ok(table.filtered(&rows))
            }
        }
    }

    /// The rows of a table for which a condition is true, with the columns that are wanted.
    pub(super) fn filtered(
        &self,
        condition: &Condition,
        mut table: Table,
        wanted: Vars,
    ) -> Result<Table, Unfit> {
        self.step(
            || label_of_condition(condition),
            None,
            || {
                let rows = self.rows_with(condition, &table)?;
                table.keep(wanted);
                Ok(if rows.len() == table.rows { table } else { table.filtered(&rows) })
            },
        )
    }

    fn join(&self, left: &Node, right: &Node, wanted: Vars, seed: Option<&Table>) -> Result<Table, Unfit> {
        let shared = left.vars().both(right.vars());
        let [left, right] = self.in_order(left, right);
        let one = self.run_for(left, wanted.and(shared), seed)?;
        if one.rows == 0 {
            return Ok(Table::empty(wanted.both(left.vars().and(right.vars()))));
        }
        let own = seed_of(&one, right.vars(), &self.ticks);
        let outer = seed.and_then(|seed| seed_of(seed, right.vars(), &self.ticks));
        let seed = both(own, outer, &self.ticks)?;
        let other = self.run_for(right, wanted.and(shared), seed.as_ref())?;
        let pairs = pairs(&one, &other, &self.ticks)?;
        Ok(united(&one, &other, &pairs, wanted))
    }

    fn equal_join(&self, sides: [&Node; 2], pair: [Var; 2], wanted: Vars) -> Result<Table, Unfit> {
        let needed = wanted.and(Vars::of(pair));
        let one = self.run(sides[0], needed)?;
        let seed = self.seed_of_equal(&one, pair);
        let other = self.run_for(sides[1], needed, seed.as_ref())?;
        let [left, right] = self.with_equal_numbers(&one, &other, pair);
        Ok(united(&one, &other, &pairs(&left, &right, &self.ticks)?, wanted))
    }

    fn left_join(
        &self,
        sides: [&Node; 2],
        condition: Option<&Condition>,
        wanted: Vars,
        seed: Option<&Table>,
    ) -> Result<Table, Unfit> {
        let [left, right] = sides;
        let needed = wanted.and(condition.map_or(Vars::default(), |condition| condition.vars));
        let shared = left.vars().both(right.vars());
        let one = self.run_for(left, needed.and(shared), seed)?;
        let other = self.run_with(right, needed.and(shared), &one)?;
        if wanted == Vars::default()
            && condition.is_none()
            && let Some(counted) = counted(&one, &other, &self.ticks)?
        {
            let rows = counted.pairs + one.rows - counted.lefts;
            self.ticks.grown(rows)?;
            return Ok(Table { rows, ..Table::default() });
        }
        let sides = [left.vars(), right.vars()];
        let mut found = match condition.and_then(|condition| self.equal_pair(condition, sides)) {
            Some(pair) => {
                let [one, other] = self.with_equal_numbers(&one, &other, pair);
                pairs(&one, &other, &self.ticks)?
            }
            None => pairs(&one, &other, &self.ticks)?,
        };
        if let Some(condition) = condition {
            let rows = self.rows_with(condition, &united(&one, &other, &found, condition.vars))?;
            let of = |side: &[u32]| rows.iter().map(|row| side[*row as usize]).collect();
            found = Pairs { left: of(&found.left), right: of(&found.right) };
        }
        let mut has_partner = vec![false; one.rows];
        found.left.iter().for_each(|row| has_partner[*row as usize] = true);
        for row in 0..one.height()? {
            if !has_partner[row as usize] {
                found.left.push(row);
                found.right.push(NO_ROW);
            }
        }
        Ok(united(&one, &other, &found, wanted))
    }
}

/// The rows of these ascending numbers, with the columns that are wanted.
fn kept(table: &Table, rows: &[u32], wanted: Vars) -> Table {
    if rows.len() == table.rows {
        let mut whole = table.clone();
        whole.keep(wanted);
        return whole;
    }
    let columns = table.columns.iter().filter(|(var, _)| wanted.has(*var));
    let columns = columns.map(|(var, column)| (*var, column.gathered(rows))).collect();
    Table { rows: rows.len(), columns, sorted_by: table.sorted_by.filter(|var| wanted.has(*var)) }
}

/// The rows of both tables.
fn appended(left: &Table, right: &Table, wanted: Vars) -> Table {
    let rows = left.rows + right.rows;
    let vars = left.vars().and(right.vars()).both(wanted);
    let column = |var: Var| {
        let mut numbers = Vec::with_capacity(rows);
        let mut is_bound = true;
        for table in [left, right] {
            match table.column(var) {
                Some(column) => {
                    numbers.extend_from_slice(&column.numbers);
                    is_bound &= column.is_bound;
                }
                None => {
                    numbers.resize(numbers.len() + table.rows, 0);
                    is_bound &= table.rows == 0;
                }
            }
        }
        (var, Column { numbers, is_bound })
    };
    Table { rows, columns: vars.iter().map(column).collect(), sorted_by: None }
}
