//! The nodes of a plan.

use spargebra::algebra::{AggregateFunction, Expression};

use super::quad_pattern::{QuadPattern, Slot};
use super::table::{Table, Var, Vars};

/// A pattern of the algebra (SPARQL 1.1, section 18.2), with numbers for its variables.
#[derive(Debug)]
pub(super) enum Node {
    BasicGraphPattern(Vec<QuadPattern>),
    Values(Table),
    Closure(Closure),
    Join(Box<Node>, Box<Node>),
    /// A join of patterns with no variable in common; only solutions are wanted where these two have equal values.
    EqualJoin(Box<Node>, Box<Node>, [Var; 2]),
    LeftJoin(Box<Node>, Box<Node>, Option<Condition>),
    /// Solutions of the first pattern for which the second one has some, or none.
    Exists {
        inner: Box<Node>,
        pattern: Box<Node>,
        has_one: bool,
    },
    Minus(Box<Node>, Box<Node>),
    Union(Box<Node>, Box<Node>),
    Filter(Box<Node>, Condition),
    Extend(Box<Node>, Var, Condition),
    Group {
        inner: Box<Node>,
        keys: Vec<Var>,
        aggregates: Vec<(Var, Told)>,
    },
    Project(Box<Node>, Vars),
    Distinct(Box<Node>),
    OrderBy(Box<Node>, Vec<(Var, bool)>),
    Slice(Box<Node>, usize, Option<usize>),
}

impl Node {
    /// The variables that may have values in the solutions.
    pub(super) fn vars(&self) -> Vars {
        match self {
            Self::BasicGraphPattern(patterns) => {
                patterns.iter().fold(Vars::default(), |vars, pattern| vars.and(pattern.vars()))
            }
            Self::Values(table) => table.vars(),
            Self::Closure(closure) => closure.vars(),
            Self::Join(left, right)
            | Self::EqualJoin(left, right, _)
            | Self::LeftJoin(left, right, _)
            | Self::Union(left, right) => left.vars().and(right.vars()),
            Self::Exists { inner, .. }
            | Self::Minus(inner, _)
            | Self::Filter(inner, _)
            | Self::Distinct(inner)
            | Self::OrderBy(inner, _)
            | Self::Slice(inner, ..) => inner.vars(),
            Self::Extend(inner, var, _) => inner.vars().and(Vars::of([*var])),
            Self::Group { keys, aggregates, .. } => {
                Vars::of(keys.iter().copied().chain(aggregates.iter().map(|(var, _)| *var)))
            }
            Self::Project(_, vars) => *vars,
        }
    }
}

/// Pairs of terms that a path of any length leads between (section 18.4, ALP).
#[derive(Debug)]
pub(super) struct Closure {
    pub(super) ends: [Slot; 2],
    /// The pairs that one step leads between, as values of `between`.
    pub(super) step: Box<Node>,
    pub(super) between: [Var; 2],
    /// Whether the path may have no step.
    pub(super) has_zero: bool,
    /// Whether the path may have more than one step.
    pub(super) repeats: bool,
}

impl Closure {
    fn vars(&self) -> Vars {
        Vars::of(self.ends.iter().filter_map(|end| end.var()))
    }
}

/// An expression and the variables that it mentions.
#[derive(Debug)]
pub(super) struct Condition {
    pub(super) expression: Expression,
    pub(super) vars: Vars,
}

/// An aggregate: a function over the values of a variable, each one or each different one.
#[derive(Debug, Clone)]
pub(super) struct Aggregate {
    pub(super) function: AggregateFunction,
    pub(super) var: Var,
    pub(super) is_distinct: bool,
}

/// What GROUP BY tells of a group.
#[derive(Debug, Clone)]
pub(super) enum Told {
    CountSolutions,
    /// The number of different solutions, by the variables that these may bind.
    CountDistinctSolutions(Vars),
    Aggregate(Aggregate),
}

impl Told {
    /// The variables whose values it looks at.
    pub(super) fn vars(&self) -> Vars {
        match self {
            Self::CountSolutions => Vars::default(),
            Self::CountDistinctSolutions(vars) => *vars,
            Self::Aggregate(aggregate) => Vars::of([aggregate.var]),
        }
    }
}

/// A join; basic graph patterns become one, so that all their triple patterns are put into one order.
pub(super) fn joined(left: Node, right: Node) -> Node {
    match (left, right) {
        (Node::BasicGraphPattern(mut patterns), Node::BasicGraphPattern(others)) => {
            patterns.extend(others);
            Node::BasicGraphPattern(patterns)
        }
        (left, right) => Node::Join(Box::new(left), Box::new(right)),
    }
}
