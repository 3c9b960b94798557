//! Solutions as columns of term numbers.

use super::limits::Unfit;
use crate::store::TermId;

/// The number of a variable of the query.
pub(super) type Var = usize;

/// The number of a term; 0 where a variable has no value.
pub(super) type Number = u32;

/// A number that no row has.
pub(super) const NO_ROW: u32 = u32::MAX;

/// A set of variables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Vars(u128);

impl Vars {
    /// The most variables of a query that the engine takes.
    pub(super) const MOST: usize = 128;

    pub(super) fn of(vars: impl IntoIterator<Item = Var>) -> Self {
        Self(vars.into_iter().fold(0, |set, var| set | 1 << var))
    }

    pub(super) fn has(self, var: Var) -> bool {
        self.0 >> var & 1 == 1
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Var> {
        (0..Self::MOST).filter(move |var| self.has(*var))
    }
}

/// The values of a variable, one for each row.
#[derive(Debug, Clone, Default)]
pub(super) struct Column {
    pub(super) numbers: Vec<Number>,
    /// Whether each row has a value.
    pub(super) is_bound: bool,
}

impl Column {
    pub(super) fn bound(numbers: Vec<Number>) -> Self {
        Self { numbers, is_bound: true }
    }

    pub(super) fn of(numbers: Vec<Number>) -> Self {
        let is_bound = !numbers.contains(&0);
        Self { numbers, is_bound }
    }

    /// The values of these rows; a row [`NO_ROW`] has none.
    pub(super) fn gathered(&self, rows: &[u32]) -> Self {
        let value = |row: u32| self.numbers.get(row as usize).copied().unwrap_or(0);
        let is_bound = self.is_bound && !rows.contains(&NO_ROW);
        Self { numbers: rows.iter().map(|row| value(*row)).collect(), is_bound }
    }
}

/// A multiset of solutions. Variables that nobody asks for have no column, but their solutions have rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    pub(super) rows: usize,
    pub(super) columns: Vec<(Var, Column)>,
    /// A variable by whose numbers the rows ascend.
    pub(super) sorted_by: Option<Var>,
}

impl Table {
    /// The one solution that binds nothing.
    pub(super) fn unit() -> Self {
        Self { rows: 1, ..Self::default() }
    }

    /// No solutions.
    pub(super) fn empty(vars: Vars) -> Self {
        let columns = vars.iter().map(|var| (var, Column::bound(Vec::new()))).collect();
        Self { rows: 0, columns, sorted_by: None }
    }

    pub(super) fn vars(&self) -> Vars {
        Vars::of(self.columns.iter().map(|(var, _)| *var))
    }

    pub(super) fn column(&self, var: Var) -> Option<&Column> {
        self.columns.iter().find(|(own, _)| *own == var).map(|(_, column)| column)
    }

    /// The numbers of a variable, if any row may have some.
    pub(super) fn numbers(&self, var: Var) -> Option<&[Number]> {
        self.column(var).map(|column| column.numbers.as_slice())
    }

    /// Adds a column.
    pub(super) fn set(&mut self, var: Var, column: Column) {
        self.columns.retain(|(own, _)| *own != var);
        self.columns.push((var, column));
    }

    /// Leaves out the columns of other variables.
    pub(super) fn keep(&mut self, vars: Vars) {
        self.columns.retain(|(var, _)| vars.has(*var));
        self.sorted_by = self.sorted_by.filter(|var| vars.has(*var));
    }

    /// The rows of these numbers, in their order.
    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        let columns = self.columns.iter().map(|(var, column)| (*var, column.gathered(rows))).collect();
        Self { rows: rows.len(), columns, sorted_by: None }
    }

    /// The rows of these ascending numbers.
    pub(super) fn filtered(&self, rows: &[u32]) -> Self {
        Self { sorted_by: self.sorted_by, ..self.gather(rows) }
    }

    /// The number of rows in 32 bits.
    pub(super) fn height(&self) -> Result<u32, Unfit> {
        u32::try_from(self.rows).ok().filter(|rows| *rows < NO_ROW).ok_or(Unfit::TooLarge)
    }
}

/// The number of a term.
pub(super) fn number(id: TermId) -> Number {
    id.number()
}
