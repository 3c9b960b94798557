//! Queries that count the focus nodes of shapes.
//!
//! `QueryMaker` is defined in `queries/mod.rs`.

use spargebra::algebra::{AggregateExpression, AggregateFunction, GraphPattern};

use super::algebra_builders::{selected, variable};
use super::failures::with;
use super::{QueryMaker, ShapeTranslation};
use crate::ids::ShapeId;
use evalgraph_sparql::standard_text;

/// The focus nodes of a shape, to be counted.
#[derive(Debug)]
pub(crate) enum FocusCount {
    /// By a query, which returns the number in `?count`.
    Query(String),
    /// As many as these shapes have together; they have the shape as a property.
    OfParents(Vec<ShapeId>),
}

impl QueryMaker<'_> {
    /// The way to count the focus nodes of a shape; none for a shape that is not validated separately.
    pub(crate) fn focus_count(&mut self, id: ShapeId) -> Option<ShapeTranslation<FocusCount>> {
        let shapes = &self.shapes.shapes;
        if shapes[id.index()].is_deactivated || !self.has_focus[id.index()] {
            return None;
        }
        let parents = self.parents[id.index()].iter().copied();
        let parents: Vec<ShapeId> = parents.filter(|parent| self.has_focus[parent.index()]).collect();
        let have_path = parents.iter().any(|parent| shapes[parent.index()].path.is_some());
        if !have_path && !self.choice.has(id, &shapes[id.index()]) {
            return Some(Ok(FocusCount::OfParents(parents)));
        }
        let (pattern, _) = self.query(|maker| maker.counted_focus(id));
        let prefixes = self.prefixes();
        Some(pattern.and_then(|pattern| standard_text(&pattern, &prefixes)).map(FocusCount::Query))
    }

    fn counted_focus(&mut self, id: ShapeId) -> ShapeTranslation<GraphPattern> {
        let this = variable("this");
        let focus = self.focus(id, &this)?;
        let [count, number] = [variable("count"), self.fresh("number")];
        let counted = AggregateExpression::FunctionCall {
            name: AggregateFunction::Count,
            expr: this.into(),
            distinct: true,
        };
        let group = GraphPattern::Group {
            inner: Box::new(focus),
            variables: Vec::new(),
            aggregates: vec![(number.clone(), counted)],
        };
        Ok(selected(with(group, &count, number.into()), &[&count]))
    }
}
