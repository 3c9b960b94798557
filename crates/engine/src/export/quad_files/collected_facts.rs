//! What is known about the rows of an export besides the rows: their predicates, and their graphs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

/// The predicates and graphs of an export.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct CollectedFacts {
    /// By number.
    pub(super) predicates: BTreeMap<i64, CollectedPredicate>,
    /// By the text of the graph's name.
    pub(super) graphs: BTreeMap<String, CollectedGraph>,
}

/// A predicate of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CollectedPredicate {
    pub(super) iri: String,
    /// How many rows have it. A quad that several files have counts for each.
    pub(super) rows: u64,
}

/// A graph of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CollectedGraph {
    pub(super) number: i64,
    /// The path of its file.
    pub(super) file: Option<String>,
    /// How many blank nodes have their number from it.
    pub(super) blank_nodes: u32,
    /// The paths of the files that it is inside of. Empty for the graph of a document, and for those of a store.
    pub(super) holders: BTreeSet<String>,
}

impl CollectedFacts {
    /// Adds the facts of another part. Returns the name of a graph whose blank nodes both have numbered.
    pub(super) fn add(&mut self, other: Self) -> Option<String> {
        for (number, facts) in other.predicates {
            let rows = facts.rows;
            self.predicates.entry(number).or_insert(CollectedPredicate { rows: 0, ..facts }).rows += rows;
        }
        let mut clash = None;
        for (name, facts) in other.graphs {
            let Some(known) = self.graphs.get_mut(&name) else {
                self.graphs.insert(name, facts);
                continue;
            };
            if known.blank_nodes > 0 && facts.blank_nodes > 0 {
                clash = clash.or(Some(name));
            }
            known.blank_nodes += facts.blank_nodes;
            known.holders.extend(facts.holders);
            known.file = known.file.take().or(facts.file);
        }
        clash
    }

    /// Returns the facts as JSON.
    pub(super) fn to_json(&self) -> Value {
        let predicates = self.predicates.iter();
        let predicates: Vec<Value> =
            predicates.map(|(number, CollectedPredicate { iri, rows })| json!([number, iri, rows])).collect();
        let graphs = self.graphs.iter().map(|(name, graph)| {
            let CollectedGraph { number, file, blank_nodes, holders } = graph;
            json!([number, name, file, blank_nodes, holders])
        });
        json!({"predicates": predicates, "graphs": graphs.collect::<Vec<_>>()})
    }

    /// Reads the facts that [`Self::to_json`] has written. `None` if they are damaged.
    pub(super) fn from_json(value: &Value) -> Option<Self> {
        let mut facts = Self::default();
        for row in value["predicates"].as_array()? {
            let iri = row[1].as_str()?.to_owned();
            facts.predicates.insert(row[0].as_i64()?, CollectedPredicate { iri, rows: row[2].as_u64()? });
        }
        for row in value["graphs"].as_array()? {
            let holders = row[4].as_array()?.iter().map(|name| name.as_str().map(str::to_owned));
            let graph = CollectedGraph {
                number: row[0].as_i64()?,
                file: row[2].as_str().map(str::to_owned),
                blank_nodes: row[3].as_u64()?.try_into().ok()?,
                holders: holders.collect::<Option<_>>()?,
            };
            facts.graphs.insert(row[1].as_str()?.to_owned(), graph);
        }
        Some(facts)
    }
}
