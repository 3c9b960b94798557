//! A node and its neighbours: the values of its properties in one graph, or in all data.
//!
//! `NameLookup` is defined in `name_lookup.rs`.

use std::collections::BTreeSet;

use serde_json::{Number, Value};

use super::name_lookup::NameLookup;
use evalgraph_store::{RdfTermKind, TermId};

/// Looks up single nodes in data.
#[derive(Clone, Copy)]
pub(super) struct NodeLookup<'n> {
    pub(super) names: &'n NameLookup<'n>,
    /// The graph to search; `None` for all data.
    pub(super) graph: Option<TermId>,
}

impl<'n> NodeLookup<'n> {
    pub(super) fn of_graph(names: &'n NameLookup<'n>, graph: TermId) -> Self {
        Self { names, graph: Some(graph) }
    }

    /// Searches all graphs instead of one.
    pub(super) fn everywhere(self) -> Self {
        Self { graph: None, ..self }
    }

    /// Returns the values of a property, in the order of their numbers.
    pub(super) fn objects(self, node: TermId, property: &str) -> Vec<TermId> {
        let property = self.names.name(property).into_iter();
        let triples = property
            .flat_map(|property| self.names.view.triples_of([Some(node), Some(property), None], self.graph));
        triples.map(|[.., object]| object).collect()
    }

    /// Returns the values of several properties.
    pub(super) fn objects_of(self, node: TermId, properties: &[&str]) -> Vec<TermId> {
        properties.iter().flat_map(|property| self.objects(node, property)).collect()
    }

    /// Returns the values at the end of a path.
    pub(super) fn path(self, node: TermId, path: &[&str]) -> Vec<TermId> {
        path.iter().fold(vec![node], |nodes, property| {
            nodes.into_iter().flat_map(|node| self.objects(node, property)).collect()
        })
    }

    /// Returns the nodes with this value of a property, in the data and in the catalog.
    pub(super) fn subjects(self, property: &str, object: TermId) -> BTreeSet<TermId> {
        let view = &self.names.view;
        let of = |graph| {
            let property = self.names.name(property).into_iter();
            property.flat_map(move |property| view.triples_of([None, Some(property), Some(object)], graph))
        };
        let of_catalog = self.names.catalog.into_iter().flat_map(|catalog| of(Some(catalog)));
        of(self.graph).chain(of_catalog).map(|[subject, ..]| subject).collect()
    }

    pub(super) fn is_a(self, node: TermId, class: &str) -> bool {
        let Some(rdf_type) = self.names.rdf_type else { return false };
        let classes = self.names.name(class);
        let mut types = self.names.view.triples_of([Some(node), Some(rdf_type), None], self.graph);
        types.any(|[.., class]| classes.contains(&class))
    }

    /// Returns the first string of a property in code point order, which all readers of questions use.
    pub(super) fn text(self, node: TermId, property: &str) -> Option<String> {
        self.texts(node, property).into_iter().next()
    }

    /// Returns the strings of a property, in code point order.
    pub(super) fn texts(self, node: TermId, property: &str) -> BTreeSet<String> {
        let objects = self.objects(node, property).into_iter();
        objects.filter_map(|object| self.names.lexical(object)).collect()
    }

    /// Returns the first number or boolean of a property.
    pub(super) fn value(self, node: TermId, property: &str) -> Option<Value> {
        self.objects(node, property).into_iter().find_map(|object| self.names.json_number(object))
    }

    /// Returns the name of the value of a property: a string, the name of a node, or otherwise its IRI.
    pub(super) fn name_at(self, node: TermId, property: &str) -> Option<String> {
        let name = |object: TermId| match self.names.lexical(object) {
            Some(text) => Some(text),
            None => {
                let name = self.text(object, "name").or_else(|| self.everywhere().text(object, "name"));
                name.or_else(|| self.names.is_iri(object).then(|| self.names.text(object)))
            }
        };
        self.objects(node, property).into_iter().find_map(name)
    }

    /// Returns the position of a node among its siblings. Nodes without a position come last.
    pub(super) fn position(self, node: TermId) -> u64 {
        let position = self.text(node, "position").and_then(|position| position.parse().ok());
        position.unwrap_or(u64::MAX)
    }
}

impl NameLookup<'_> {
    /// Returns a number or boolean as JSON; `None` for other terms.
    pub(super) fn json_number(&self, term: TermId) -> Option<Value> {
        match self.kind(term) {
            RdfTermKind::Boolean => self.truth(term).map(Value::Bool),
            RdfTermKind::Integer => match self.text(term).parse::<i64>() {
                Ok(number) => Some(number.into()),
                Err(_) => Number::from_f64(self.number(term)?).map(Value::Number),
            },
            _ => Number::from_f64(self.number(term)?).map(Value::Number),
        }
    }
}
