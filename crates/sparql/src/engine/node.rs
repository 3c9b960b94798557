//! The nodes of a plan.

use std::rc::Rc;

use oxrdf::Variable;
use spargebra::Query;
use spargebra::algebra::{AggregateFunction, Expression, Function};

use super::given_values::GivenValues;
use super::quad_pattern::{PatternGraph, PatternTerm, QuadPattern};
use super::solution_table::{BindingNumber, SolutionTable, VariableNumber, VariableSet};

/// A pattern of the algebra (SPARQL 1.1, section 18.2), with numbers for its variables. Other methods are in
/// `plan_substitution.rs` and `service.rs`.
#[derive(Debug, Clone)]
pub(super) enum AlgebraNode {
    BasicGraphPattern(Vec<QuadPattern>),
    Values(SolutionTable),
    /// Solutions of the pattern, extended with values of variables that it does not have.
    Given(Box<AlgebraNode>, GivenValues),
    Closure(PathClosure),
    Graphs(NamedGraphPattern),
    Service(ServicePattern),
    Join(Box<AlgebraNode>, Box<AlgebraNode>),
    /// A join of patterns that share no variable. Only solutions in which the two given variables have equal values are
    /// wanted.
    EqualJoin(Box<AlgebraNode>, Box<AlgebraNode>, [VariableNumber; 2]),
    LeftJoin(Box<AlgebraNode>, Box<AlgebraNode>, Option<PlannedExpression>),
    /// Solutions of `inner` for which `pattern` has a solution, or for which it has none.
    Exists {
        inner: Box<AlgebraNode>,
        pattern: Box<AlgebraNode>,
        has_one: bool,
    },
    Minus(Box<AlgebraNode>, Box<AlgebraNode>),
    /// Solutions of the second pattern for each solution of the first one, whose values replace the given variables.
    Lateral(Box<AlgebraNode>, Box<AlgebraNode>, VariableSet),
    Union(Box<AlgebraNode>, Box<AlgebraNode>),
    Filter(Box<AlgebraNode>, PlannedExpression),
    Extend(Box<AlgebraNode>, VariableNumber, PlannedExpression),
    Group {
        inner: Box<AlgebraNode>,
        keys: Vec<VariableNumber>,
        aggregates: Vec<(VariableNumber, AggregateCall)>,
    },
    Project(Box<AlgebraNode>, VariableSet),
    Distinct(Box<AlgebraNode>),
    OrderBy(Box<AlgebraNode>, Vec<(VariableNumber, bool)>),
    Slice(Box<AlgebraNode>, usize, Option<usize>),
}

impl AlgebraNode {
    /// The variables that may have values in the solutions.
    pub(super) fn vars(&self) -> VariableSet {
        match self {
            Self::BasicGraphPattern(patterns) => {
                patterns.iter().fold(VariableSet::default(), |vars, pattern| vars.and(pattern.vars()))
            }
            Self::Values(table) => table.vars(),
            Self::Given(inner, given) => inner.vars().and(given.vars()),
            Self::Closure(closure) => closure.vars(),
            Self::Graphs(graphs) => graphs.vars(),
            Self::Service(service) => service.vars(),
            Self::Join(left, right)
            | Self::EqualJoin(left, right, _)
            | Self::LeftJoin(left, right, _)
            | Self::Lateral(left, right, _)
            | Self::Union(left, right) => left.vars().and(right.vars()),
            // The patterns of Exists and Minus only decide which solutions remain; they bind nothing.
            Self::Exists { inner, .. }
            | Self::Minus(inner, _)
            | Self::Filter(inner, _)
            | Self::Distinct(inner)
            | Self::OrderBy(inner, _)
            | Self::Slice(inner, ..) => inner.vars(),
            Self::Extend(inner, var, _) => inner.vars().and(VariableSet::from_numbers([*var])),
            Self::Group { keys, aggregates, .. } => {
                VariableSet::from_numbers(keys.iter().copied().chain(aggregates.iter().map(|(var, _)| *var)))
            }
            Self::Project(_, vars) => *vars,
        }
    }
}

impl AlgebraNode {
    /// The nodes directly within it, those of EXISTS included.
    pub(super) fn parts(&self) -> Vec<&Self> {
        match self {
            Self::BasicGraphPattern(_) | Self::Values(_) | Self::Service(_) => Vec::new(),
            Self::Closure(closure) => vec![&closure.step],
            Self::Graphs(graphs) => vec![&graphs.inner],
            Self::Join(left, right)
            | Self::EqualJoin(left, right, _)
            | Self::Minus(left, right)
            | Self::Lateral(left, right, _)
            | Self::Union(left, right)
            | Self::Exists { inner: left, pattern: right, .. } => vec![left, right],
            Self::LeftJoin(left, right, condition) => {
                let conditions = condition.iter().flat_map(PlannedExpression::patterns);
                [left.as_ref(), right.as_ref()].into_iter().chain(conditions).collect()
            }
            Self::Filter(inner, condition) | Self::Extend(inner, _, condition) => {
                condition.patterns().into_iter().chain([inner.as_ref()]).collect()
            }
            Self::Given(inner, _)
            | Self::Group { inner, .. }
            | Self::Project(inner, _)
            | Self::Distinct(inner)
            | Self::OrderBy(inner, _)
            | Self::Slice(inner, ..) => vec![inner],
        }
    }

    /// Returns whether the node has the same solutions when it is evaluated again, without asking a service again.
    pub(super) fn is_repeatable(&self) -> bool {
        // `parts` evaluates the sides beside a divided one again for each part, so their solutions must not change.
        let is_own = match self {
            Self::Service(_) => false,
            Self::Filter(_, condition) | Self::Extend(_, _, condition) => !condition.has_fresh(),
            Self::LeftJoin(_, _, condition) => !condition.as_ref().is_some_and(PlannedExpression::has_fresh),
            _ => true,
        };
        is_own && self.parts().into_iter().all(Self::is_repeatable)
    }
}

/// Pairs of terms that are connected by a path of any length (section 18.4, ALP). Other methods are in `closure.rs`.
#[derive(Debug, Clone)]
pub(super) struct PathClosure {
    pub(super) ends: [PatternTerm; 2],
    /// The graph of the path.
    pub(super) scope: PatternGraph,
    /// The pairs of terms that one step connects, as values of `between`.
    pub(super) step: Box<AlgebraNode>,
    pub(super) between: [VariableNumber; 2],
    /// `true` if the path may have no steps.
    pub(super) has_zero: bool,
    /// `true` if the path may have more than one step.
    pub(super) repeats: bool,
}

impl PathClosure {
    fn vars(&self) -> VariableSet {
        VariableSet::from_numbers(self.ends.iter().filter_map(|end| end.var()))
    }
}

/// A pattern in the named graphs.
#[derive(Debug, Clone)]
pub(super) struct NamedGraphPattern {
    pub(super) inner: Box<AlgebraNode>,
    /// The variable of the graph within the pattern.
    pub(super) scope: VariableNumber,
    pub(super) name: PatternTerm,
    /// `true` if each solution of the pattern binds the graph, so one evaluation covers all graphs.
    pub(super) is_bound: bool,
}

impl NamedGraphPattern {
    pub(super) fn vars(&self) -> VariableSet {
        self.inner
            .vars()
            .without(VariableSet::from_numbers([self.scope]))
            .and(VariableSet::from_numbers(self.name.var()))
    }
}

/// An expression and the variables that it and its parts mention. Other methods are in `plan_substitution.rs`.
#[derive(Debug, Clone)]
pub(super) struct PlannedExpression {
    pub(super) expression: Expression,
    pub(super) vars: VariableSet,
    /// Variables of the expression whose values are computed when it is evaluated.
    pub(super) parts: Vec<(VariableNumber, PlaceholderValue)>,
}

/// A pattern whose solutions come from a service.
#[derive(Debug, Clone)]
pub(super) struct ServicePattern {
    pub(super) name: PatternTerm,
    pub(super) query: Rc<Query>,
    /// The columns of its answer.
    pub(super) columns: Vec<(VariableNumber, Variable)>,
    pub(super) is_silent: bool,
}

impl ServicePattern {
    pub(super) fn vars(&self) -> VariableSet {
        VariableSet::from_numbers(self.columns.iter().map(|(var, _)| *var).chain(self.name.var()))
    }
}

impl PlannedExpression {
    /// The variables that it needs from a solution: those without a given value.
    pub(super) fn asked(&self) -> VariableSet {
        let given = self.parts.iter().filter(|(_, part)| matches!(part, PlaceholderValue::Given(_)));
        self.vars.without(VariableSet::from_numbers(given.map(|(var, _)| *var)))
    }

    /// Returns whether it has a new value in each solution.
    fn has_fresh(&self) -> bool {
        self.parts.iter().any(|(_, part)| matches!(part, PlaceholderValue::Fresh(_)))
    }

    /// The patterns of EXISTS.
    pub(super) fn patterns(&self) -> Vec<&AlgebraNode> {
        let mut patterns = Vec::new();
        for (_, part) in &self.parts {
            if let PlaceholderValue::Exists(exists) = part {
                patterns.push(exists.pattern.as_ref());
                if let ExistsStrategy::SemiJoinIf(condition) = &exists.way {
                    patterns.extend(condition.patterns());
                }
            }
        }
        patterns
    }

    /// Returns whether it has an EXISTS that reads a variable.
    pub(super) fn asks(&self, var: VariableNumber) -> bool {
        self.parts
            .iter()
            .any(|(_, part)| matches!(part, PlaceholderValue::Exists(exists) if exists.vars.has(var)))
    }
}

/// The value of a variable that replaces a part of an expression.
#[derive(Debug, Clone)]
pub(super) enum PlaceholderValue {
    /// The variable has a value in those solutions for which EXISTS is true.
    Exists(ExistsPattern),
    /// A function with a new value in each solution.
    Fresh(Function),
    /// A given value of the variable.
    Given(BindingNumber),
}

/// A pattern of EXISTS. The values of an outer solution replace its variables.
#[derive(Debug, Clone)]
pub(super) struct ExistsPattern {
    pub(super) pattern: Box<AlgebraNode>,
    /// The variables that it may share with the outer solution.
    pub(super) vars: VariableSet,
    pub(super) way: ExistsStrategy,
}

/// How to find the outer solutions for which a pattern has a solution.
#[derive(Debug, Clone)]
pub(super) enum ExistsStrategy {
    /// By a semi-join: the pattern has the same solutions when it is evaluated separately.
    SemiJoin,
    /// By a semi-join with a condition on both solutions.
    SemiJoinIf(Box<PlannedExpression>),
    /// By an evaluation for each combination of values.
    ForEach,
}

/// An aggregate: a function over all values, or all distinct values, of a variable.
#[derive(Debug, Clone)]
pub(super) struct VariableAggregate {
    pub(super) function: AggregateFunction,
    pub(super) var: VariableNumber,
    pub(super) is_distinct: bool,
}

/// A value that GROUP BY computes for each group.
#[derive(Debug, Clone)]
pub(super) enum AggregateCall {
    CountSolutions,
    /// The number of distinct solutions, by the variables that they may bind.
    CountDistinctSolutions(VariableSet),
    Aggregate(VariableAggregate),
}

impl AggregateCall {
    /// The variables whose values it reads.
    pub(super) fn vars(&self) -> VariableSet {
        match self {
            Self::CountSolutions => VariableSet::default(),
            Self::CountDistinctSolutions(vars) => *vars,
            Self::Aggregate(aggregate) => VariableSet::from_numbers([aggregate.var]),
        }
    }
}

/// Joins two nodes. Two basic graph patterns become one, so that all their triple patterns are ordered together.
pub(super) fn joined(left: AlgebraNode, right: AlgebraNode) -> AlgebraNode {
    match (left, right) {
        // The label of a blank node is in one basic graph pattern only (section 5.1.1), and each triple pattern has
        // its own graph, so nothing is confused.
        (AlgebraNode::BasicGraphPattern(mut patterns), AlgebraNode::BasicGraphPattern(others)) => {
            patterns.extend(others);
            AlgebraNode::BasicGraphPattern(patterns)
        }
        (left, right) => AlgebraNode::Join(Box::new(left), Box::new(right)),
    }
}
