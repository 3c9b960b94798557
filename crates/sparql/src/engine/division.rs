//! Nodes whose first pattern has one solution. A product whose parts are still too large is divided by its next pattern
//! this way. `PlanEvaluator` is defined in `plan_evaluator.rs`.

use super::given_values::GivenValues;
use super::limits::SolutionTableError;
use super::node::AlgebraNode;
use super::plan_evaluator::PlanEvaluator;
use super::quad_pattern::QuadPattern;
use super::solution_table::SolutionTable;

impl PlanEvaluator<'_, '_> {
    /// Puts the one solution of the first pattern in the current part into the other patterns of the node. Returns
    /// `None` if there is no other pattern to divide the node by.
    pub(super) fn with_one_solution(
        &self,
        node: &AlgebraNode,
    ) -> Result<Option<AlgebraNode>, SolutionTableError> {
        let Some(first) = self.first_of(node) else { return Ok(None) };
        let table = self.run(&first, first.vars())?;
        let values = table.columns.iter().filter_map(|(var, column)| Some((*var, *column.numbers.first()?)));
        let given = GivenValues::new(values.filter(|(_, value)| *value != 0));
        Ok(self
            .fixed(node, &given)
            .filter(|node| !matches!(node, AlgebraNode::Values(_)) && self.is_divisible(node)))
    }

    /// The pattern by which a node is divided.
    fn first_of(&self, node: &AlgebraNode) -> Option<AlgebraNode> {
        match node {
            AlgebraNode::BasicGraphPattern(patterns) => {
                Some(AlgebraNode::BasicGraphPattern(vec![patterns[self.first_place(patterns)].clone()]))
            }
            AlgebraNode::Values(_) => Some(node.clone()),
            AlgebraNode::Join(left, right) => self.first_of(self.in_order(left, right)[0]),
            AlgebraNode::Given(inner, _)
            | AlgebraNode::LeftJoin(inner, ..)
            | AlgebraNode::Exists { inner, .. }
            | AlgebraNode::Lateral(inner, ..)
            | AlgebraNode::Minus(inner, _)
            | AlgebraNode::Filter(inner, _)
            | AlgebraNode::Extend(inner, ..)
            | AlgebraNode::Project(inner, _) => self.first_of(inner),
            _ => None,
        }
    }

    /// The index of the pattern that a basic graph pattern begins with.
    fn first_place(&self, patterns: &[QuadPattern]) -> usize {
        self.next(&SolutionTable::unit(), &patterns.iter().collect::<Vec<_>>()).0
    }

    /// The node with one solution of its first pattern. If nothing is joined with it, this is a table of one row.
    fn fixed(&self, node: &AlgebraNode, given: &GivenValues) -> Option<AlgebraNode> {
        let fixed = |inner: &AlgebraNode| {
            let inner = self.fixed(inner, given).filter(|inner| !matches!(inner, AlgebraNode::Values(_)))?;
            Some(Box::new(inner))
        };
        Some(match node {
            AlgebraNode::BasicGraphPattern(patterns) if patterns.len() > 1 => {
                let mut rest = patterns.clone();
                rest.remove(self.first_place(patterns));
                AlgebraNode::Given(Box::new(AlgebraNode::BasicGraphPattern(rest).with(given)), given.clone())
            }
            AlgebraNode::BasicGraphPattern(_) | AlgebraNode::Values(_) => AlgebraNode::Values(given.table()),
            AlgebraNode::Join(left, right) => {
                let [first, other] = self.in_order(left, right);
                match self.fixed(first, given)? {
                    AlgebraNode::Values(_) if is_plain(other) => {
                        AlgebraNode::Given(Box::new(other.with(given)), given.clone())
                    }
                    AlgebraNode::Values(_) => return None,
                    first => AlgebraNode::Join(Box::new(first), Box::new(other.clone())),
                }
            }
            AlgebraNode::Given(inner, own) => match *fixed(inner)? {
                // One `Given` node collects the values of all patterns that were put into others.
                AlgebraNode::Given(inner, further) => AlgebraNode::Given(inner, own.and(&further)),
                inner => AlgebraNode::Given(Box::new(inner), own.clone()),
            },
            AlgebraNode::LeftJoin(inner, other, condition) => {
                AlgebraNode::LeftJoin(fixed(inner)?, other.clone(), condition.clone())
            }
            AlgebraNode::Exists { inner, pattern, has_one } => {
                AlgebraNode::Exists { inner: fixed(inner)?, pattern: pattern.clone(), has_one: *has_one }
            }
            AlgebraNode::Lateral(inner, other, asked) => {
                AlgebraNode::Lateral(fixed(inner)?, other.clone(), *asked)
            }
            AlgebraNode::Minus(inner, other) => AlgebraNode::Minus(fixed(inner)?, other.clone()),
            AlgebraNode::Filter(inner, condition) => match *fixed(inner)? {
                // A condition that has all its values by now is tested before anything is joined.
                AlgebraNode::Given(inner, given) => {
                    AlgebraNode::Given(Box::new(AlgebraNode::Filter(inner, condition.with(&given))), given)
                }
                inner => AlgebraNode::Filter(Box::new(inner), condition.clone()),
            },
            AlgebraNode::Extend(inner, var, value) => AlgebraNode::Extend(fixed(inner)?, *var, value.clone()),
            AlgebraNode::Project(inner, vars) => AlgebraNode::Project(fixed(inner)?, *vars),
            _ => return None,
        })
    }
}

/// Returns whether the solutions of a node that are compatible with some values are those of the node with the values
/// in place of its variables.
fn is_plain(node: &AlgebraNode) -> bool {
    match node {
        AlgebraNode::BasicGraphPattern(_) | AlgebraNode::Values(_) => true,
        AlgebraNode::Join(left, right) => is_plain(left) && is_plain(right),
        _ => false,
    }
}
