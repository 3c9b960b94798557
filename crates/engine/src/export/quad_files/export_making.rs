//! The way in which an export was made, which its list has, so that files can be added to it.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;
use serde_json::{Value, json};

use super::collected_facts::CollectedFacts;
use super::quad_file::QuadFile;

/// The key in the list of an export.
pub(super) const MADE: &str = "made";

/// Which files an export has.
#[derive(Debug, Clone, Copy)]
pub(super) struct FolderContent<'c> {
    /// How many rows a predicate has that gets a file of its own.
    pub(super) own_file: u64,
    /// The predicates whose closures get a file.
    pub(super) closures: &'c [String],
    /// `true` if there are rows of tables.
    pub(super) has_tables: bool,
    /// `true` if all rows are from files, so that other files can be added later.
    pub(super) is_of_files: bool,
}

/// The way in which an export was made from files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExportMaking {
    /// How many rows a predicate has that gets a file of its own.
    pub(super) own_file: u64,
    /// The predicates whose closures get a file.
    pub(super) closures: Vec<String>,
    pub(super) has_tables: bool,
    /// The predicates that have a file of their own, by the name of the file.
    pub(super) predicates: BTreeMap<String, String>,
    /// The files whose own graphs have no quads, by graph.
    pub(super) documents: BTreeMap<String, String>,
    /// The named graphs inside files, by name.
    pub(super) inner: BTreeMap<String, InnerGraph>,
}

/// A named graph inside files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct InnerGraph {
    /// How many blank nodes have their number from it.
    pub(super) blank_nodes: u32,
    /// The paths of the files.
    pub(super) holders: BTreeSet<String>,
}

impl ExportMaking {
    /// Returns the way in which a folder is made. `counts` has the number of quads of each graph that has some.
    pub(super) fn from_content(
        content: FolderContent<'_>,
        files: &[QuadFile],
        facts: &CollectedFacts,
        counts: &HashMap<i64, u64>,
    ) -> Self {
        let own =
            files.iter().filter_map(|file| Some((file.name.clone(), file.predicate.as_ref()?.text.clone())));
        let empty = facts.graphs.iter().filter(|(_, graph)| !counts.contains_key(&graph.number));
        let empty = empty.filter_map(|(name, graph)| Some((name.clone(), graph.file.clone()?)));
        let inner = facts.graphs.iter().filter(|(_, graph)| !graph.holders.is_empty());
        let inner = inner.map(|(name, graph)| {
            let (blank_nodes, holders) = (graph.blank_nodes, graph.holders.clone());
            (name.clone(), InnerGraph { blank_nodes, holders })
        });
        Self {
            own_file: content.own_file,
            closures: content.closures.to_vec(),
            has_tables: content.has_tables,
            predicates: own.collect(),
            documents: empty.collect(),
            inner: inner.collect(),
        }
    }

    /// Returns it as JSON.
    pub(super) fn to_json(&self) -> Value {
        let Self { own_file, closures, has_tables, predicates, documents, inner } = self;
        let inner = inner
            .iter()
            .map(|(name, InnerGraph { blank_nodes, holders })| json!([name, blank_nodes, holders]));
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "ownFile": own_file,
            "closures": closures,
            "tables": has_tables,
            "predicates": predicates,
            "emptyDocuments": documents,
            "innerGraphs": inner.collect::<Vec<_>>(),
        })
    }

    /// Reads what [`Self::to_json`] has written. `None` if another version has written it, or if it is damaged.
    pub(super) fn from_json(value: &Value) -> Option<Self> {
        if value["version"].as_str()? != env!("CARGO_PKG_VERSION") {
            return None;
        }
        let texts = |value: &Value| {
            let texts = value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned));
            texts.collect::<Option<Vec<String>>>()
        };
        let by_text = |value: &Value| {
            let entries = value.as_object()?.iter();
            let entries = entries.map(|(key, text)| Some((key.clone(), text.as_str()?.to_owned())));
            entries.collect::<Option<BTreeMap<String, String>>>()
        };
        let inner = value["innerGraphs"].as_array()?.iter().map(|row| {
            let blank_nodes = row[1].as_u64()?.try_into().ok()?;
            let holders = texts(&row[2])?.into_iter().collect();
            Some((row[0].as_str()?.to_owned(), InnerGraph { blank_nodes, holders }))
        });
        Some(Self {
            own_file: value["ownFile"].as_u64()?,
            closures: texts(&value["closures"])?,
            has_tables: value["tables"].as_bool()?,
            predicates: by_text(&value["predicates"])?,
            documents: by_text(&value["emptyDocuments"])?,
            inner: inner.collect::<Option<_>>()?,
        })
    }
}
