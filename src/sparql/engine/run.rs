//! Evaluates a plan: each node becomes a table, with the columns that the nodes above it ask for.

use super::distinct::Distinct;
use super::join::{Pairs, pairs, semi, united};
use super::plan::{Condition, Node};
use super::table::{Column, NO_ROW, Table, Var, Vars};
use super::{Engine, Unfit};

impl Engine<'_, '_> {
    /// The solutions of a node, with the columns that are wanted.
    pub(super) fn run(&self, node: &Node, wanted: Vars) -> Result<Table, Unfit> {
        self.step(|| self.label_of(node), None, || self.table_of(node, wanted))
    }

    fn table_of(&self, node: &Node, wanted: Vars) -> Result<Table, Unfit> {
        match node {
            Node::BasicGraphPattern(patterns) => self.basic_graph_pattern(patterns, wanted),
            Node::Values(table) => {
                let mut table = table.clone();
                table.keep(wanted);
                Ok(table)
            }
            Node::Join(left, right) => self.join(left, right, wanted),
            Node::LeftJoin(left, right, condition) => self.left_join(left, right, condition.as_ref(), wanted),
            Node::Exists { inner, pattern, has_one } => {
                let shared = inner.vars().both(pattern.vars());
                let table = self.run(inner, wanted.and(shared))?;
                let found = self.run(pattern, shared)?;
                Ok(self.kept(&table, &semi(&table, &found, *has_one, false, &self.ticks)?, wanted))
            }
            Node::Minus(left, right) => {
                let shared = left.vars().both(right.vars());
                let table = self.run(left, wanted.and(shared))?;
                let found = self.run(right, shared)?;
                Ok(self.kept(&table, &semi(&table, &found, false, true, &self.ticks)?, wanted))
            }
            Node::Union(left, right) => {
                Ok(appended(&self.run(left, wanted)?, &self.run(right, wanted)?, wanted))
            }
            Node::Filter(inner, condition) => {
                let table = self.run(inner, wanted.and(condition.vars))?;
                let rows = self.rows_with(condition, &table)?;
                Ok(self.kept(&table, &rows, wanted))
            }
            Node::Extend(inner, var, value) => {
                let own = Vars::of([*var]);
                let is_wanted = wanted.has(*var);
                let needed = if is_wanted { wanted.and(value.vars) } else { wanted };
                let mut table = self.run(inner, needed.without(own))?;
                if is_wanted {
                    table.set(*var, self.values_of(value, &table)?);
                }
                table.keep(wanted);
                Ok(table)
            }
            Node::Group { inner, keys, aggregates } => self.group(inner, keys, aggregates, wanted),
            Node::Project(inner, vars) => self.run(inner, wanted.both(*vars)),
            Node::Distinct(inner) => {
                let table = self.run(inner, inner.vars())?;
                let columns: Vec<&Column> = table.columns.iter().map(|(_, column)| column).collect();
                let first = Distinct::of(&columns, table.rows).first;
                Ok(self.kept(&table, &first, wanted))
            }
            Node::OrderBy(inner, keys) => self.order(inner, keys, None, wanted),
            Node::Slice(inner, start, length) => {
                let last = length.map(|length| start.saturating_add(length));
                let table = match inner.as_ref() {
                    Node::Project(ordered, vars) if let Node::OrderBy(inner, keys) = ordered.as_ref() => {
                        self.order(inner, keys, last, wanted.both(*vars))?
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

    fn kept(&self, table: &Table, rows: &[u32], wanted: Vars) -> Table {
        if rows.len() == table.rows {
            let mut whole = table.clone();
            whole.keep(wanted);
            return whole;
        }
        let columns = table.columns.iter().filter(|(var, _)| wanted.has(*var));
        let columns = columns.map(|(var, column)| (*var, column.gathered(rows))).collect();
        Table { rows: rows.len(), columns, sorted_by: table.sorted_by.filter(|var| wanted.has(*var)) }
    }

    fn join(&self, left: &Node, right: &Node, wanted: Vars) -> Result<Table, Unfit> {
        let shared = left.vars().both(right.vars());
        let one = self.run(left, wanted.and(shared))?;
        if one.rows == 0 {
            return Ok(Table::empty(wanted.both(left.vars().and(right.vars()))));
        }
        let other = self.run(right, wanted.and(shared))?;
        let pairs = pairs(&one, &other, false, &self.ticks)?;
        Ok(united(&one, &other, &pairs, wanted))
    }

    fn left_join(
        &self,
        left: &Node,
        right: &Node,
        condition: Option<&Condition>,
        wanted: Vars,
    ) -> Result<Table, Unfit> {
        let needed = wanted.and(condition.map_or(Vars::default(), |condition| condition.vars));
        let shared = left.vars().both(right.vars());
        let one = self.run(left, needed.and(shared))?;
        let other = self.run(right, needed.and(shared))?;
        let mut found = pairs(&one, &other, false, &self.ticks)?;
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
