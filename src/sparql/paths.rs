//! Rewrites property paths where the evaluator deviates from the recommendation (SPARQL 1.1, section 18.4).
//!
//! Alternatives are a union, whose sides add up their solutions; a negated property set is a set; a path of length zero
//! leads from every term to itself, whether the graph has the term or not, and EXISTS puts terms in the place of
//! variables (section 18.6). Alternatives whose solutions are not counted are left to the evaluator.

use std::collections::{HashMap, HashSet};

use oxrdf::{NamedNode, Term, Variable};
use spargebra::algebra::{Expression, GraphPattern, PropertyPathExpression};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};

use super::algebra::{any, exists, exists_mut, in_scope, parts, parts_mut};
use crate::rdf::vocabulary::evaluator;

/// Tells whether a pattern has a path that is not a property.
pub(super) fn has_paths(pattern: &GraphPattern) -> bool {
    any(pattern, &|pattern| matches!(pattern, GraphPattern::Path { .. }))
}

/// Rewrites the paths of a query; `is_node` says whether a term is one of the default graph.
pub(super) fn rewrite_paths(pattern: &mut GraphPattern, is_node: &dyn Fn(&Term) -> bool) {
    name_ends(pattern);
    let mut binders = HashMap::new();
    count_binders(pattern, &mut binders);
    Paths { is_node, binders, count: 0 }.pattern(pattern, &Surroundings::default());
}

/// The properties of the place where a path is evaluated.
#[derive(Debug, Clone, Default)]
struct Surroundings {
    in_graph: bool,
    /// Whether the number of times that a solution is found does not matter.
    is_set: bool,
    /// The variables that EXISTS may replace with a term, and those among them whose term may be no node.
    given: HashSet<Variable>,
    unsure: HashSet<Variable>,
}

impl Surroundings {
    fn of_set(&self) -> Self {
        Self { is_set: true, ..self.clone() }
    }

    fn counting(&self) -> Self {
        Self { is_set: false, ..self.clone() }
    }

    /// The surroundings inside of an EXISTS; the patterns beside it bind `given`, and surely bind `nodes` to nodes.
    fn of_exists(&self, given: &HashSet<Variable>, nodes: &HashSet<Variable>) -> Self {
        let mut inside = self.of_set();
        inside.unsure.extend(given.iter().cloned());
        inside.unsure.retain(|variable| !nodes.contains(variable));
        inside.given.extend(given.iter().cloned());
        inside
    }
}

struct Paths<'p> {
    is_node: &'p dyn Fn(&Term) -> bool,
    /// In how many places a variable or a blank node may get its value.
    binders: HashMap<TermPattern, usize>,
    /// How many variables were made for the nodes between the steps of a path.
    count: usize,
}

impl Paths<'_> {
    fn pattern(&mut self, pattern: &mut GraphPattern, around: &Surroundings) {
        self.expressions(pattern, around);
        match pattern {
            GraphPattern::Path { subject, path, object } => {
                let path = normal(path);
                *pattern = self.path(&subject.clone(), &object.clone(), &path, around);
            }
            GraphPattern::Service { .. } => {}
            GraphPattern::Graph { inner, .. } => {
                let mut inside = Surroundings { in_graph: true, ..around.clone() };
                // A node of another graph may be no node of this graph.
                inside.unsure.clone_from(&inside.given);
                self.pattern(inner, &inside);
            }
            GraphPattern::Minus { left, right } => {
                self.pattern(left, around);
                self.pattern(right, &around.of_set());
            }
            GraphPattern::Distinct { inner } | GraphPattern::Reduced { inner } => {
                self.pattern(inner, &around.of_set());
            }
            GraphPattern::Group { inner, .. } | GraphPattern::Slice { inner, .. } => {
                self.pattern(inner, &around.counting());
            }
            GraphPattern::Project { inner, variables } => {
                let mut inside = around.clone();
                inside.given.retain(|variable| variables.contains(variable));
                inside.unsure.retain(|variable| variables.contains(variable));
                self.pattern(inner, &inside);
            }
            _ => parts_mut(pattern).into_iter().for_each(|part| self.pattern(part, around)),
        }
    }

    fn expressions(&mut self, pattern: &mut GraphPattern, around: &Surroundings) {
        if exists(pattern).is_empty() {
            return;
        }
        let (mut given, mut nodes) = (HashSet::new(), HashSet::new());
        for part in parts(pattern) {
            given.extend(in_scope(part));
            nodes.extend(certain_nodes(part, around));
        }
        let inside = around.of_exists(&given, &nodes);
        exists_mut(pattern).into_iter().for_each(|pattern| self.pattern(pattern, &inside));
    }

    fn path(
        &mut self,
        subject: &TermPattern,
        object: &TermPattern,
        path: &PropertyPathExpression,
        around: &Surroundings,
    ) -> GraphPattern {
        match path {
            PropertyPathExpression::NamedNode(predicate) => GraphPattern::Bgp {
                patterns: vec![TriplePattern {
                    subject: subject.clone(),
                    predicate: predicate.clone().into(),
                    object: object.clone(),
                }],
            },
            PropertyPathExpression::Reverse(inner) => self.path(object, subject, inner, around),
            PropertyPathExpression::Alternative(first, second) if !around.is_set => GraphPattern::Union {
                left: Box::new(self.path(subject, object, first, around)),
                right: Box::new(self.path(subject, object, second, around)),
            },
            PropertyPathExpression::Sequence(first, second)
                if !around.is_set && self.is_split(path, subject, object) =>
            {
                self.count += 1;
                // No name in a query's text holds a dot.
                let between = Variable::new_unchecked(format!("between.{}", self.count)).into();
                GraphPattern::Join {
                    left: Box::new(self.path(subject, &between, first, around)),
                    right: Box::new(self.path(&between, object, second, around)),
                }
            }
            // The evaluator returns each pair of ends of an alternative once.
            PropertyPathExpression::NegatedPropertySet(_) if !around.is_set => {
                let nothing = NamedNode::new_unchecked(evaluator::NO_PROPERTY).into();
                let path = PropertyPathExpression::Alternative(Box::new(path.clone()), Box::new(nothing));
                path_pattern(subject, object, &path)
            }
            path if is_nullable(path) => self.length_zero(subject, object, path, around),
            path => path_pattern(subject, object, path),
        }
    }

    /// Tells whether the steps of a sequence are evaluated one by one. The evaluator finds a pair of ends as
    /// often as there are ways between them, but only once where both ends are given.
    fn is_split(&self, path: &PropertyPathExpression, subject: &TermPattern, object: &TermPattern) -> bool {
        let may_be_given = |end: &TermPattern| match end {
            TermPattern::Variable(_) | TermPattern::BlankNode(_) => {
                self.binders.get(end).is_none_or(|binders| *binders > 1)
            }
            _ => true,
        };
        has_alternatives(path) || may_be_given(subject) && may_be_given(object)
    }

    /// Makes a path of length zero lead from a term to itself, even a term outside the graph (`ZeroLengthPath`).
    fn length_zero(
        &self,
        subject: &TermPattern,
        object: &TermPattern,
        path: &PropertyPathExpression,
        around: &Surroundings,
    ) -> GraphPattern {
        let (term, variable) = match (ground(subject), ground(object)) {
            (Some(subject), Some(object)) if subject == object => return GraphPattern::default(),
            (Some(term), None) => (term, object),
            (None, Some(term)) => (term, subject),
            (None, None) => return with_given(subject, object, path, around),
            _ => return path_pattern(subject, object, path),
        };
        let longer = path_pattern(subject, object, path);
        let TermPattern::Variable(variable) = variable else { return longer };
        if !around.in_graph && (self.is_node)(&term.clone().into()) {
            return longer;
        }
        let constant = match term.clone() {
            GroundTerm::NamedNode(node) => Expression::NamedNode(node),
            GroundTerm::Literal(literal) => Expression::Literal(literal),
        };
        let is_same = Expression::SameTerm(Box::new(variable.clone().into()), Box::new(constant));
        let longer =
            GraphPattern::Filter { expr: Expression::Not(Box::new(is_same)), inner: Box::new(longer) };
        let values =
            GraphPattern::Values { variables: vec![variable.clone()], bindings: vec![vec![Some(term)]] };
        let itself = GraphPattern::Join { left: Box::default(), right: Box::new(values) };
        GraphPattern::Union { left: Box::new(longer), right: Box::new(itself) }
    }
}

/// A path of length zero between variables, which EXISTS may replace with terms that are no nodes.
fn with_given(
    subject: &TermPattern,
    object: &TermPattern,
    path: &PropertyPathExpression,
    around: &Surroundings,
) -> GraphPattern {
    let mut pattern = path_pattern(subject, object, path);
    let (TermPattern::Variable(subject), TermPattern::Variable(object)) = (subject, object) else {
        return pattern;
    };
    let mut itself = |itself: GraphPattern| {
        let left = Box::new(std::mem::take(&mut pattern));
        pattern = GraphPattern::Union { left, right: Box::new(itself) };
    };
    let is_unsure = |variable: &Variable| around.unsure.contains(variable);
    if is_unsure(subject) && is_unsure(object) {
        let is_same = Expression::SameTerm(Box::new(subject.clone().into()), Box::new(object.clone().into()));
        itself(GraphPattern::Filter { expr: is_same, inner: Box::default() });
    }
    for (given, other) in [(subject, object), (object, subject)] {
        if subject == object || !is_unsure(given) {
            continue;
        }
        let mut expr = Expression::Bound(given.clone());
        if around.given.contains(other) {
            let is_open = Expression::Not(Box::new(Expression::Bound(other.clone())));
            expr = Expression::And(Box::new(expr), Box::new(is_open));
        }
        itself(GraphPattern::Extend {
            inner: Box::new(GraphPattern::Filter { expr, inner: Box::default() }),
            variable: other.clone(),
            expression: given.clone().into(),
        });
    }
    pattern
}

fn path_pattern(subject: &TermPattern, object: &TermPattern, path: &PropertyPathExpression) -> GraphPattern {
    GraphPattern::Path { subject: subject.clone(), path: path.clone(), object: object.clone() }
}

/// Tells whether a path has alternatives, whose solutions add up.
fn has_alternatives(path: &PropertyPathExpression) -> bool {
    match path {
        PropertyPathExpression::Alternative(..) | PropertyPathExpression::NegatedPropertySet(_) => true,
        PropertyPathExpression::Sequence(first, second) => {
            has_alternatives(first) || has_alternatives(second)
        }
        PropertyPathExpression::Reverse(inner) => has_alternatives(inner),
        _ => false,
    }
}

/// Tells whether a path may have no step. Each step of a sequence begins at a node of the graph.
pub(super) fn is_nullable(path: &PropertyPathExpression) -> bool {
    match path {
        PropertyPathExpression::ZeroOrMore(_) | PropertyPathExpression::ZeroOrOne(_) => true,
        PropertyPathExpression::OneOrMore(inner) | PropertyPathExpression::Reverse(inner) => {
            is_nullable(inner)
        }
        PropertyPathExpression::Alternative(first, second) => is_nullable(first) || is_nullable(second),
        _ => false,
    }
}

/// The same path, with `*` in place of `+` over a path that may have no step.
fn normal(path: &PropertyPathExpression) -> PropertyPathExpression {
    let boxed = |path: &PropertyPathExpression| Box::new(normal(path));
    match path {
        PropertyPathExpression::OneOrMore(inner) if is_nullable(inner) => {
            PropertyPathExpression::ZeroOrMore(boxed(inner))
        }
        PropertyPathExpression::OneOrMore(inner) => PropertyPathExpression::OneOrMore(boxed(inner)),
        PropertyPathExpression::ZeroOrMore(inner) => PropertyPathExpression::ZeroOrMore(boxed(inner)),
        PropertyPathExpression::ZeroOrOne(inner) => PropertyPathExpression::ZeroOrOne(boxed(inner)),
        PropertyPathExpression::Reverse(inner) => PropertyPathExpression::Reverse(boxed(inner)),
        PropertyPathExpression::Sequence(first, second) => {
            PropertyPathExpression::Sequence(boxed(first), boxed(second))
        }
        PropertyPathExpression::Alternative(first, second) => {
            PropertyPathExpression::Alternative(boxed(first), boxed(second))
        }
        PropertyPathExpression::NamedNode(_) | PropertyPathExpression::NegatedPropertySet(_) => path.clone(),
    }
}

fn ground(term: &TermPattern) -> Option<GroundTerm> {
    match term {
        TermPattern::NamedNode(node) => Some(GroundTerm::NamedNode(node.clone())),
        TermPattern::Literal(literal) => Some(GroundTerm::Literal(literal.clone())),
        TermPattern::BlankNode(_) | TermPattern::Variable(_) => None,
    }
}

/// The variables that are subjects or objects of the graph in every solution.
fn certain_nodes(pattern: &GraphPattern, around: &Surroundings) -> HashSet<Variable> {
    let variable = |term: &TermPattern| match term {
        TermPattern::Variable(variable) => Some(variable.clone()),
        _ => None,
    };
    match pattern {
        GraphPattern::Bgp { patterns } => patterns
            .iter()
            .flat_map(|triple| [&triple.subject, &triple.object])
            .filter_map(variable)
            .collect(),
        GraphPattern::Path { subject, object, path } => {
            // A path of length zero leads to the term that is given, or on from one that another path led to.
            let has_term = ground(subject).is_some() || ground(object).is_some() || !around.unsure.is_empty();
            let are_nodes = !(is_nullable(path) && has_term);
            [subject, object].into_iter().filter_map(variable).filter(|_| are_nodes).collect()
        }
        GraphPattern::Join { left, right } | GraphPattern::Lateral { left, right } => {
            certain_nodes(left, around).into_iter().chain(certain_nodes(right, around)).collect()
        }
        GraphPattern::Union { left, right } => {
            let right = certain_nodes(right, around);
            certain_nodes(left, around).into_iter().filter(|variable| right.contains(variable)).collect()
        }
        GraphPattern::LeftJoin { left, .. } | GraphPattern::Minus { left, .. } => certain_nodes(left, around),
        GraphPattern::Project { inner, variables } | GraphPattern::Group { inner, variables, .. } => {
            let nodes = certain_nodes(inner, around);
            variables.iter().filter(|variable| nodes.contains(variable)).cloned().collect()
        }
        GraphPattern::Filter { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => certain_nodes(inner, around),
        GraphPattern::Graph { .. } | GraphPattern::Values { .. } | GraphPattern::Service { .. } => {
            HashSet::new()
        }
    }
}

/// Replaces the blank nodes of a query with variables if a path of length zero ends in a blank node.
fn name_ends(pattern: &mut GraphPattern) {
    fn has_blank_end(pattern: &GraphPattern) -> bool {
        let is_blank = |term: &TermPattern| matches!(term, TermPattern::BlankNode(_));
        matches!(pattern, GraphPattern::Path { subject, object, path }
            if (is_blank(subject) || is_blank(object)) && is_nullable(path))
    }
    fn name(term: &mut TermPattern) {
        if let TermPattern::BlankNode(node) = term {
            *term = Variable::new_unchecked(format!("blank.{}", node.as_str())).into();
        }
    }
    fn in_pattern(pattern: &mut GraphPattern) {
        match pattern {
            GraphPattern::Bgp { patterns } => {
                for triple in patterns {
                    name(&mut triple.subject);
                    name(&mut triple.object);
                }
            }
            GraphPattern::Path { subject, object, .. } => {
                name(subject);
                name(object);
            }
            _ => {}
        }
        exists_mut(pattern).into_iter().for_each(in_pattern);
        parts_mut(pattern).into_iter().for_each(in_pattern);
    }
    if any(pattern, &has_blank_end) {
        in_pattern(pattern);
    }
}

/// Counts the places that may give a variable or a blank node its value.
fn count_binders(pattern: &GraphPattern, found: &mut HashMap<TermPattern, usize>) {
    let mut add = |term: TermPattern| *found.entry(term).or_default() += 1;
    let name = |name: &NamedNodePattern| match name {
        NamedNodePattern::Variable(variable) => Some(TermPattern::from(variable.clone())),
        NamedNodePattern::NamedNode(_) => None,
    };
    match pattern {
        GraphPattern::Bgp { patterns } => {
            for triple in patterns {
                add(triple.subject.clone());
                add(triple.object.clone());
                name(&triple.predicate).into_iter().for_each(&mut add);
            }
        }
        GraphPattern::Path { subject, object, .. } => {
            add(subject.clone());
            add(object.clone());
        }
        GraphPattern::Graph { name: graph, .. } => name(graph).into_iter().for_each(&mut add),
        GraphPattern::Extend { variable, .. } => add(variable.clone().into()),
        GraphPattern::Values { variables, .. } => {
            variables.iter().for_each(|variable| add(variable.clone().into()));
        }
        GraphPattern::Service { .. } => {
            in_scope(pattern).into_iter().for_each(|variable| add(variable.into()));
        }
        _ => {}
    }
    exists(pattern).into_iter().chain(parts(pattern)).for_each(|inside| count_binders(inside, found));
}
