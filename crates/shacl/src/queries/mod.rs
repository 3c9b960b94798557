//! Shapes as queries: for each constraint a SELECT in SPARQL 1.1 that finds the nodes that fail it, for stores that do
//! not know SHACL.
//!
//! A query returns the focus node in `?this`, the failing value in `?value`, and in `?path` the path if it is not that
//! of the shape. Anything that a query cannot express, or expresses differently, is reported (see
//! [`ConstraintQuery::remarks`]).
//!
//! Each condition is written to be true or false and never an error. Each pattern is written so that a store may
//! evaluate it separately or for each solution around it: subqueries project the variables that they share with their
//! surroundings.
//!
//! `Shapes` is defined in `ready_shapes.rs`.

mod algebra_builders;
mod choice;
mod conformance_conditions;
mod constraint_query;
mod datatypes;
mod failures;
mod focus;
mod focus_counts;
mod list_conditions;
mod node_conditions;
mod paths;
mod sparql;
mod value_tests;

use std::collections::HashSet;

use oxrdf::Variable;
use spargebra::algebra::GraphPattern;

pub(super) use self::choice::QuerySelection;
pub use self::constraint_query::ConstraintQuery;
pub(super) use self::focus_counts::FocusCount;
use super::ids::ShapeId;
use super::ready_shapes::Shapes;
use super::recursion::{RecursionGroup, components};
use super::shape::{Constraint, ConstraintCheck, Shape, ShapeTarget};
use evalgraph_sparql::{QueryPrefixes, standard_text};

/// How many shapes may be written into one query.
const MOST_SHAPES: usize = 1_000;

/// How many shapes may be written into all queries.
const MOST_SHAPES_IN_ALL: usize = 100_000;

/// How deep shapes may be nested in a query.
const MOST_LEVELS: usize = 50;

/// The translation to SPARQL, or the reason why there is none.
type ShapeTranslation<T> = Result<T, String>;

/// Makes the queries of shapes.
///
/// Other methods are in `choice.rs`, `conformance_conditions.rs`, `failures.rs`, `focus.rs`, `focus_counts.rs`,
/// `list_conditions.rs`, `node_conditions.rs`, `paths.rs`, `sparql.rs` and `value_tests.rs`.
pub(super) struct QueryMaker<'s> {
    shapes: &'s Shapes,
    /// The recursion group of each shape.
    groups: Vec<RecursionGroup>,
    /// The shapes that have each shape as a property.
    parents: Vec<Vec<ShapeId>>,
    choice: QuerySelection,
    /// For each shape: `true` if nodes are validated against it separately, not only as a condition of another shape.
    has_focus: Vec<bool>,
    /// For each shape: `true` if such a node may be named by a target.
    has_named_focus: Vec<bool>,
    /// The shapes whose focus nodes are being written.
    focused: Vec<ShapeId>,
    /// The variables of the query that is being made.
    taken: HashSet<String>,
    /// The ways in which the query differs from the constraint.
    remarks: Vec<String>,
    /// How many shapes the query contains.
    count: usize,
    count_in_all: usize,
    depth: usize,
}

impl Shapes {
    /// A query for each constraint, which finds the nodes that fail it, shape by shape. Shapes that are not validated
    /// separately have no queries: their constraints are parts of the queries of other shapes.
    ///
    /// ```
    /// use evalgraph_rdf::{RdfFormat, ReadOptions, read};
    /// use evalgraph_shacl::{Shapes, ShapesOptions};
    /// use evalgraph_store::{Dataset, DocumentBuilder, NamedDocument};
    ///
    /// let text = b"[] a <http://www.w3.org/ns/shacl#NodeShape> ; <http://www.w3.org/ns/shacl#targetNode> <urn:a> ;
    ///     <http://www.w3.org/ns/shacl#nodeKind> <http://www.w3.org/ns/shacl#Literal> .";
    /// let mut builder = DocumentBuilder::new();
    /// read("shapes.ttl", text, ReadOptions { format: RdfFormat::Turtle, base: None }, &mut builder).expect("it is Turtle");
    /// let dataset = Dataset::from_documents(vec![NamedDocument { graph: "urn:shapes".to_owned(), builder }]);
    /// let shapes = Shapes::compile(&dataset, &ShapesOptions::default()).expect("they are shapes");
    /// let queries = shapes.to_queries();
    /// assert!(queries[0].query().expect("SPARQL can ask it").to_string().contains("isLiteral"));
    /// ```
    pub fn to_queries(&self) -> Vec<ConstraintQuery<'_>> {
        QueryMaker::new(self, QuerySelection::default()).constraint_queries()
    }
}

impl<'s> QueryMaker<'s> {
    pub(super) fn new(shapes: &'s Shapes, choice: QuerySelection) -> Self {
        let mut parents = vec![Vec::new(); shapes.shapes.len()];
        for (place, shape) in shapes.shapes.iter().enumerate() {
            let id = ShapeId(u32::try_from(place).unwrap_or(u32::MAX));
            for constraint in shape.constraints.iter().filter(|_| !shape.is_deactivated) {
                if let ConstraintCheck::Property(inner) = constraint.check {
                    parents[inner.index()].push(id);
                }
            }
        }
        let is_named = |shape: &Shape| {
            !choice.nodes.is_empty() || shape.targets.iter().any(|one| matches!(one, ShapeTarget::Node(_)))
        };
        Self {
            shapes,
            groups: components(&shapes.shapes),
            parents,
            has_focus: with_properties(shapes, |id, shape| choice.has(id, shape)),
            has_named_focus: with_properties(shapes, |id, shape| choice.has(id, shape) && is_named(shape)),
            choice,
            focused: Vec::new(),
            taken: HashSet::new(),
            remarks: Vec::new(),
            count: 0,
            count_in_all: 0,
            depth: 0,
        }
    }

    /// A query for each constraint.
    pub(super) fn constraint_queries(&mut self) -> Vec<ConstraintQuery<'s>> {
        let prefixes = self.prefixes();
        let (shapes, mut queries) = (self.shapes, Vec::new());
        for (id, shape) in (0..).map(ShapeId).zip(&shapes.shapes) {
            if shape.is_deactivated || !self.has_focus[id.index()] {
                continue;
            }
            for (place, Constraint { check }) in shape.constraints.iter().enumerate() {
                // The results of a property are those of its own constraints.
                if matches!(check, ConstraintCheck::Property(_)) {
                    continue;
                }
                let (pattern, remarks) = self.query(|maker| maker.select(id, check));
                let text = pattern.and_then(|pattern| standard_text(&pattern, &prefixes));
                queries.push(ConstraintQuery::new(shape, (id, place), text, &remarks));
            }
        }
        queries
    }

    fn prefixes(&self) -> QueryPrefixes {
        let mut prefixes = QueryPrefixes::new();
        self.shapes.prefixes.iter().for_each(|(prefix, namespace)| prefixes.declare(prefix, namespace));
        prefixes
    }

    /// A query, and the ways in which it differs from the constraint it is for.
    fn query(
        &mut self,
        make: impl FnOnce(&mut Self) -> ShapeTranslation<GraphPattern>,
    ) -> (ShapeTranslation<GraphPattern>, Vec<String>) {
        self.taken = ["this", "value", "path"].map(str::to_owned).into();
        (self.count, self.depth) = (0, 0);
        self.focused.clear();
        let query = make(self);
        (query, std::mem::take(&mut self.remarks))
    }

    /// A variable that the query does not have yet.
    fn fresh(&mut self, hint: &str) -> Variable {
        let mut name = hint.to_owned();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{}{number}", hint.trim_end_matches(|c: char| c.is_ascii_digit()));
        }
        Variable::new_unchecked(name)
    }

    /// Records once that the query differs from the constraint.
    fn remark(&mut self, remark: &str) {
        if !self.remarks.iter().any(|known| known == remark) {
            self.remarks.push(remark.to_owned());
        }
    }

    /// Counts a shape that becomes a part of the query.
    fn count_shape(&mut self) -> ShapeTranslation<()> {
        self.count += 1;
        self.count_in_all += 1;
        // A shape is written out for each shape that refers to it, so the size could double from level to level.
        match (self.count > MOST_SHAPES, self.count_in_all > MOST_SHAPES_IN_ALL) {
            (true, _) => Err(format!("the query would contain more than {MOST_SHAPES} shapes")),
            (_, true) => {
                Err(format!("the queries would contain more than {MOST_SHAPES_IN_ALL} shapes together"))
            }
            _ => Ok(()),
        }
    }
}

/// For each shape: `true` if it is of a kind, or a property of a shape that is, directly or indirectly.
fn with_properties(shapes: &Shapes, is_of_kind: impl Fn(ShapeId, &Shape) -> bool) -> Vec<bool> {
    let numbered = (0..).map(ShapeId).zip(&shapes.shapes);
    let mut found: Vec<bool> = numbered.map(|(id, shape)| is_of_kind(id, shape)).collect();
    let mut waiting: Vec<usize> = (0..found.len()).filter(|place| found[*place]).collect();
    while let Some(place) = waiting.pop() {
        let shape = &shapes.shapes[place];
        for constraint in shape.constraints.iter().filter(|_| !shape.is_deactivated) {
            if let ConstraintCheck::Property(inner) = constraint.check
                && !std::mem::replace(&mut found[inner.index()], true)
            {
                waiting.push(inner.index());
            }
        }
    }
    found
}
