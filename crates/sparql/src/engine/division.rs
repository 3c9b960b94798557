//! Nodes in which the first pattern has one solution: so a product whose parts are still too large is divided by its next pattern.

use super::context::Engine;
use super::given_values::GivenValues;
use super::limits::Unfit;
use super::node::Node;
use super::quad_pattern::QuadPattern;
use super::table::Table;

impl Engine<'_, '_> {
    /// The node with the solution of its first pattern that the part has, which is put into the other patterns; none if there is no
    /// other pattern to divide it by.
    pub(super) fn with_one_solution(&self, node: &Node) -> Result<Option<Node>, Unfit> {
        let Some(first) = self.first_of(node) else { return Ok(None) };
        let table = self.run(&first, first.vars())?;
        let values = table.columns.iter().filter_map(|(var, column)| Some((*var, *column.numbers.first()?)));
        let given = GivenValues::of(values.filter(|(_, value)| *value != 0));
        Ok(self
            .fixed(node, &given)
            .filter(|node| !matches!(node, Node::Values(_)) && self.is_divisible(node)))
    }

    /// The pattern by which a node is divided.
    fn first_of(&self, node: &Node) -> Option<Node> {
        match node {
            Node::BasicGraphPattern(patterns) => {
                Some(Node::BasicGraphPattern(vec![patterns[self.first_place(patterns)].clone()]))
            }
            Node::Values(_) => Some(node.clone()),
            Node::Join(left, right) => self.first_of(self.in_order(left, right)[0]),
            Node::Given(inner, _)
            | Node::LeftJoin(inner, ..)
            | Node::Exists { inner, .. }
            | Node::Lateral(inner, ..)
            | Node::Minus(inner, _)
            | Node::Filter(inner, _)
            | Node::Extend(inner, ..)
            | Node::Project(inner, _) => self.first_of(inner),
            _ => None,
        }
    }

    /// The place of the pattern that a basic graph pattern begins with.
    fn first_place(&self, patterns: &[QuadPattern]) -> usize {
        self.next(&Table::unit(), &patterns.iter().collect::<Vec<_>>()).0
    }

    /// The node with one solution of its first pattern, as a table of one row if nothing is joined with it.
    fn fixed(&self, node: &Node, given: &GivenValues) -> Option<Node> {
        let fixed = |inner: &Node| {
            let inner = self.fixed(inner, given).filter(|inner| !matches!(inner, Node::Values(_)))?;
            Some(Box::new(inner))
        };
        Some(match node {
            Node::BasicGraphPattern(patterns) if patterns.len() > 1 => {
                let mut rest = patterns.clone();
                rest.remove(self.first_place(patterns));
                Node::Given(Box::new(Node::BasicGraphPattern(rest).with(given)), given.clone())
            }
            Node::BasicGraphPattern(_) | Node::Values(_) => Node::Values(given.table()),
            Node::Join(left, right) => {
                let [first, other] = self.in_order(left, right);
                match self.fixed(first, given)? {
                    Node::Values(_) if is_plain(other) => {
                        Node::Given(Box::new(other.with(given)), given.clone())
                    }
                    Node::Values(_) => return None,
                    first => Node::Join(Box::new(first), Box::new(other.clone())),
                }
            }
            Node::Given(inner, own) => match *fixed(inner)? {
                // One node has the values of all patterns that were put into others, however many these are.
                Node::Given(inner, further) => Node::Given(inner, own.and(&further)),
                inner => Node::Given(Box::new(inner), own.clone()),
            },
            Node::LeftJoin(inner, other, condition) => {
                Node::LeftJoin(fixed(inner)?, other.clone(), condition.clone())
            }
            Node::Exists { inner, pattern, has_one } => {
                Node::Exists { inner: fixed(inner)?, pattern: pattern.clone(), has_one: *has_one }
            }
            Node::Lateral(inner, other, asked) => Node::Lateral(fixed(inner)?, other.clone(), *asked),
            Node::Minus(inner, other) => Node::Minus(fixed(inner)?, other.clone()),
            Node::Filter(inner, condition) => match *fixed(inner)? {
                // Where it has all its values by now, it is looked at before anything is joined.
                Node::Given(inner, given) => {
                    Node::Given(Box::new(Node::Filter(inner, condition.with(&given))), given)
                }
                inner => Node::Filter(Box::new(inner), condition.clone()),
            },
            Node::Extend(inner, var, value) => Node::Extend(fixed(inner)?, *var, value.clone()),
            Node::Project(inner, vars) => Node::Project(fixed(inner)?, *vars),
            _ => return None,
        })
    }
}

/// Tells whether the solutions of a node that go with some values are those with the values in the place of its variables.
fn is_plain(node: &Node) -> bool {
    match node {
        Node::BasicGraphPattern(_) | Node::Values(_) => true,
        Node::Join(left, right) => is_plain(left) && is_plain(right),
        _ => false,
    }
}
