//! Solutions as columns of term numbers.

use super::limits::{CancellationTicker, MOST_ROWS, SolutionTableError};
use evalgraph_store::TermId;

/// The number of a variable of the query.
pub(super) type VariableNumber = usize;

/// The number of a term, or 0 if a variable has no value.
pub(super) type BindingNumber = u32;

/// A number that no row has.
pub(super) const NO_ROW: u32 = u32::MAX;

/// A set of variables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct VariableSet([u128; VariableSet::MOST / VariableSet::BITS]);

impl VariableSet {
    /// The most variables that a query may have.
    pub(super) const MOST: usize = 1024;
    const BITS: usize = u128::BITS as usize;

    pub(super) fn from_numbers(vars: impl IntoIterator<Item = VariableNumber>) -> Self {
        let mut set = Self::default();
        vars.into_iter().for_each(|var| set.0[var / Self::BITS] |= 1 << (var % Self::BITS));
        set
    }

    pub(super) fn has(self, var: VariableNumber) -> bool {
        self.0.get(var / Self::BITS).is_some_and(|bits| bits >> (var % Self::BITS) & 1 == 1)
    }

    pub(super) fn and(self, other: Self) -> Self {
        self.by(other, |own, other| own | other)
    }

    pub(super) fn without(self, other: Self) -> Self {
        self.by(other, |own, other| own & !other)
    }

    pub(super) fn both(self, other: Self) -> Self {
        self.by(other, |own, other| own & other)
    }

    fn by(self, other: Self, bits: impl Fn(u128, u128) -> u128) -> Self {
        Self(std::array::from_fn(|place| bits(self.0[place], other.0[place])))
    }

    pub(super) fn iter(self) -> impl Iterator<Item = VariableNumber> {
        let places = (0..Self::MOST / Self::BITS).filter(move |place| self.0[*place] != 0);
        places
            .flat_map(|place| place * Self::BITS..(place + 1) * Self::BITS)
            .filter(move |var| self.has(*var))
    }
}

/// The values of a variable, one for each row.
#[derive(Debug, Clone, Default)]
pub(super) struct SolutionColumn {
    pub(super) numbers: Vec<BindingNumber>,
    /// `true` if each row has a value.
    pub(super) is_bound: bool,
}

impl SolutionColumn {
    pub(super) fn bound(numbers: Vec<BindingNumber>) -> Self {
        Self { numbers, is_bound: true }
    }

    pub(super) fn from_numbers(numbers: Vec<BindingNumber>) -> Self {
        let is_bound = !numbers.contains(&0);
        Self { numbers, is_bound }
    }

    /// The values of these rows. The row [`NO_ROW`] has none.
    pub(super) fn gathered(
        &self,
        rows: &[u32],
        ticks: &CancellationTicker<'_>,
    ) -> Result<Self, SolutionTableError> {
        let value = |row: u32| self.numbers.get(row as usize).copied().unwrap_or(0);
        let is_bound = self.is_bound && !rows.contains(&NO_ROW);
        Ok(Self { numbers: ticks.collect(rows.len(), 2, |at| value(rows[at]))?, is_bound })
    }
}

/// A multiset of solutions. Variables that are not needed have no column, but all solutions have rows. Other methods
/// are in `plan_substitution.rs`.
#[derive(Debug, Clone, Default)]
pub(super) struct SolutionTable {
    pub(super) rows: usize,
    pub(super) columns: Vec<(VariableNumber, SolutionColumn)>,
    /// A variable by whose numbers the rows are sorted.
    pub(super) sorted_by: Option<VariableNumber>,
}

impl SolutionTable {
    /// The one solution that binds nothing.
    pub(super) fn unit() -> Self {
        Self { rows: 1, ..Self::default() }
    }

    /// No solutions.
    pub(super) fn empty(vars: VariableSet) -> Self {
        let columns = vars.iter().map(|var| (var, SolutionColumn::bound(Vec::new()))).collect();
        Self { rows: 0, columns, sorted_by: None }
    }

    pub(super) fn vars(&self) -> VariableSet {
        VariableSet::from_numbers(self.columns.iter().map(|(var, _)| *var))
    }

    pub(super) fn column(&self, var: VariableNumber) -> Option<&SolutionColumn> {
        self.columns.iter().find(|(own, _)| *own == var).map(|(_, column)| column)
    }

    /// The numbers of a variable, if any row may have one.
    pub(super) fn numbers(&self, var: VariableNumber) -> Option<&[BindingNumber]> {
        self.column(var).map(|column| column.numbers.as_slice())
    }

    /// Adds a column.
    pub(super) fn set(&mut self, var: VariableNumber, column: SolutionColumn) {
        self.columns.retain(|(own, _)| *own != var);
        self.columns.push((var, column));
    }

    /// Drops the columns of other variables.
    pub(super) fn keep(&mut self, vars: VariableSet) {
        self.columns.retain(|(var, _)| vars.has(*var));
        self.sorted_by = self.sorted_by.filter(|var| vars.has(*var));
    }

    /// The rows with these numbers, in their order.
    pub(super) fn gather(
        &self,
        rows: &[u32],
        ticks: &CancellationTicker<'_>,
    ) -> Result<Self, SolutionTableError> {
        let mut gathered = Self { rows: rows.len(), ..Self::default() };
        for (var, column) in &self.columns {
            gathered.columns.push((*var, column.gathered(rows, ticks)?));
        }
        Ok(gathered)
    }

    /// The rows with these ascending numbers.
    pub(super) fn filtered(
        &self,
        rows: &[u32],
        ticks: &CancellationTicker<'_>,
    ) -> Result<Self, SolutionTableError> {
        Ok(Self { sorted_by: self.sorted_by, ..self.gather(rows, ticks)? })
    }

    /// Adds the rows of another table. A variable that only one of them has gets no value in the rows of the other.
    pub(super) fn append(
        &mut self,
        other: &Self,
        ticks: &CancellationTicker<'_>,
    ) -> Result<(), SolutionTableError> {
        for var in self.vars().and(other.vars()).iter() {
            ticks.tick(other.rows)?;
            if self.column(var).is_none() {
                // A column without rows has a value in each of them.
                let column = SolutionColumn { numbers: vec![0; self.rows], is_bound: self.rows == 0 };
                self.columns.push((var, column));
            }
            let Some((_, own)) = self.columns.iter_mut().find(|(own, _)| *own == var) else { continue };
            match other.column(var) {
                Some(column) => {
                    own.numbers.extend_from_slice(&column.numbers);
                    own.is_bound &= column.is_bound;
                }
                None => {
                    own.numbers.resize(own.numbers.len() + other.rows, 0);
                    own.is_bound &= other.rows == 0;
                }
            }
        }
        self.rows += other.rows;
        self.sorted_by = None;
        if self.rows > MOST_ROWS { Err(SolutionTableError::TooLarge(None)) } else { Ok(()) }
    }

    /// The lowest and the highest value of a variable that has one in each row.
    pub(super) fn bounds(&self, var: VariableNumber) -> Option<[TermId; 2]> {
        let numbers = &self.column(var).filter(|column| column.is_bound)?.numbers;
        let (lowest, highest) = if self.sorted_by == Some(var) {
            (*numbers.first()?, *numbers.last()?)
        } else {
            (*numbers.iter().min()?, *numbers.iter().max()?)
        };
        Some([TermId::of_number(lowest)?, TermId::of_number(highest)?])
    }

    /// The number of rows in 32 bits.
    pub(super) fn height(&self) -> Result<u32, SolutionTableError> {
        // `NO_ROW` must not be the number of a row.
        u32::try_from(self.rows).ok().filter(|rows| *rows < NO_ROW).ok_or(SolutionTableError::TooLarge(None))
    }
}

/// The number of a term.
pub(super) fn number(id: TermId) -> BindingNumber {
    id.number()
}
