//! Replaces variables of a plan with values (SPARQL 1.1, section 18.6, substitute).
//!
//! Variables that a subquery does not project are local to it. If a pattern gives a variable a value itself (BIND, AS,
//! VALUES, SERVICE), only its solutions with the given value are kept. `AlgebraNode` and
//! `PlannedExpression` are defined in `node.rs`, and `SolutionTable` in `solution_table.rs`.

use super::given_values::GivenValues;
use super::node::{
    AlgebraNode, ExistsPattern, ExistsStrategy, NamedGraphPattern, PlaceholderValue, PlannedExpression,
    ServicePattern,
};
use super::quad_pattern::QuadPattern;
use super::solution_table::{SolutionColumn, SolutionTable, VariableSet};

impl AlgebraNode {
    /// The node with values in place of variables. Its solutions then lack these variables.
    pub(super) fn with(&self, given: &GivenValues) -> Self {
        if given.is_empty() {
            return self.clone();
        }
        let with = |node: &Self| Box::new(node.with(given));
        match self {
            Self::BasicGraphPattern(patterns) => {
                let pattern = |pattern: &QuadPattern| QuadPattern {
                    triple: pattern.triple.map(|slot| given.slot(slot)),
                    scope: given.scope(pattern.scope),
                };
                Self::BasicGraphPattern(patterns.iter().map(pattern).collect())
            }
            Self::Values(table) => Self::Values(table.with(given)),
            Self::Given(inner, own) => {
                Self::Join(with(inner), Box::new(Self::Values(own.table().with(given))))
            }
            Self::Closure(closure) => {
                let mut closure = closure.clone();
                closure.ends = closure.ends.map(|end| given.slot(end));
                closure.scope = given.scope(closure.scope);
                closure.step = with(&closure.step);
                Self::Closure(closure)
            }
            Self::Graphs(graphs) => Self::Graphs(NamedGraphPattern {
                inner: with(&graphs.inner),
                name: given.slot(graphs.name),
                ..graphs.clone()
            }),
            Self::Service(service) => {
                let own = Self::Service(ServicePattern { name: given.slot(service.name), ..service.clone() });
                own.compatible_with(&given.among(service.vars()))
            }
            Self::Join(left, right) => Self::Join(with(left), with(right)),
            Self::EqualJoin(left, right, pair)
                if given.vars().both(VariableSet::from_numbers(*pair)) == VariableSet::default() =>
            {
                Self::EqualJoin(with(left), with(right), *pair)
            }
            Self::EqualJoin(left, right, _) => Self::Join(with(left), with(right)),
            Self::LeftJoin(left, right, condition) => {
                Self::LeftJoin(with(left), with(right), condition.as_ref().map(|own| own.with(given)))
            }
            Self::Exists { inner, pattern, has_one } => {
                Self::Exists { inner: with(inner), pattern: with(pattern), has_one: *has_one }
            }
            Self::Minus(left, right) => Self::Minus(with(left), with(right)),
            Self::Lateral(left, right, asked) => Self::Lateral(with(left), with(right), *asked),
            Self::Union(left, right) => Self::Union(with(left), with(right)),
            Self::Filter(inner, condition) => Self::Filter(with(inner), condition.with(given)),
            Self::Extend(inner, var, value) => {
                let others = given.among(given.vars().without(VariableSet::from_numbers([*var])));
                let own = Self::Extend(Box::new(inner.with(&others)), *var, value.with(&others));
                own.compatible_with(&given.among(VariableSet::from_numbers([*var])))
            }
            Self::Group { inner, keys, aggregates } => {
                let made = VariableSet::from_numbers(aggregates.iter().map(|(var, _)| *var));
                let of_keys = given.among(VariableSet::from_numbers(keys.iter().copied()));
                let inner = inner.with(&given.among(given.vars().without(made))).joined_with(&of_keys);
                let (keys, aggregates) = (keys.clone(), aggregates.clone());
                let own = Self::Group { inner: Box::new(inner), keys, aggregates };
                let vars = own.vars();
                own.compatible_with(&given.among(vars))
            }
            Self::Project(inner, vars) => {
                let inner = inner.with(&given.among(*vars));
                Self::Project(Box::new(inner), vars.without(given.vars()))
            }
            Self::Distinct(inner) => Self::Distinct(with(inner)),
            Self::OrderBy(inner, keys) => {
                let keys = keys.iter().copied().filter(|(var, _)| given.get(*var).is_none());
                Self::OrderBy(with(inner), keys.collect())
            }
            Self::Slice(inner, start, length) => Self::Slice(with(inner), *start, *length),
        }
    }

    /// Extends the solutions with the values; a solution that already has such a variable must have the same value.
    fn joined_with(self, given: &GivenValues) -> Self {
        match given.is_empty() {
            true => self,
            false => Self::Join(Box::new(self), Box::new(Self::Values(given.table()))),
        }
    }

    /// The solutions that are compatible with the values, without these variables.
    fn compatible_with(self, given: &GivenValues) -> Self {
        if given.is_empty() {
            return self;
        }
        let vars = self.vars().without(given.vars());
        Self::Project(Box::new(self.joined_with(given)), vars)
    }
}

impl SolutionTable {
    /// The rows that are compatible with the values, without the columns of these variables.
    fn with(&self, given: &GivenValues) -> Self {
        let goes = |row: usize| {
            given.values().all(|(var, value)| {
                self.numbers(var).is_none_or(|numbers| numbers[row] == 0 || numbers[row] == value)
            })
        };
        let rows: Vec<u32> =
            (0_u32..).zip(0..self.rows).filter(|(_, row)| goes(*row)).map(|(at, _)| at).collect();
        let kept = |column: &SolutionColumn| {
            let numbers = rows.iter().map(|row| column.numbers[*row as usize]);
            SolutionColumn { numbers: numbers.collect(), is_bound: column.is_bound }
        };
        let columns = self.columns.iter().filter(|(var, _)| given.get(*var).is_none());
        let columns = columns.map(|(var, column)| (*var, kept(column))).collect();
        Self { rows: rows.len(), columns, sorted_by: None }
    }
}

impl PlannedExpression {
    /// The condition with values in place of variables.
    pub(super) fn with(&self, given: &GivenValues) -> Self {
        let mut condition = self.clone();
        for (_, part) in &mut condition.parts {
            if let PlaceholderValue::Exists(ExistsPattern { pattern, way, .. }) = part {
                **pattern = pattern.with(given);
                if let ExistsStrategy::SemiJoinIf(condition) = way {
                    **condition = condition.with(given);
                }
            }
        }
        let values = given.among(self.vars);
        condition.parts.extend(values.values().map(|(var, value)| (var, PlaceholderValue::Given(value))));
        condition
    }
}
