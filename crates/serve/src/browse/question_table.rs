//! The questions of all systems in one state of the data, in columns: the values that a list shows, filters and sorts
//! by. Texts stay in the dataset. The table has their numbers, and the texts for searches.

use std::ops::Range;
use std::sync::OnceLock;

use oxrdf::Term;

use super::links::{RowLinkList, anywhere, in_graph};
use super::name_lookup::NameLookup;
use super::number_order::largest_first;
use super::searchable_texts::SearchableTexts;
use evalgraph_store::TermId;

/// The questions, in the order of the numbers of their graphs and nodes.
///
/// Other methods are in `list.rs`, `question_details.rs`, `question_order.rs`, `question_parts.rs`,
/// `question_table_reader.rs` and `wanted_places.rs`.
#[derive(Debug)]
pub(crate) struct QuestionTable {
    pub(super) documents: Vec<QuestionDocument>,
    pub(super) rows: Vec<QuestionRow>,
    pub(super) systems: Vec<String>,
    pub(super) datasets: Vec<String>,
    pub(super) licences: Vec<String>,
    pub(super) keywords: Vec<String>,
    /// The keywords and licences of rows, one row after the other.
    pub(super) words: Vec<u32>,
    /// The items of questions, by graph and node.
    pub(super) items: RowLinkList,
    /// The rows of nodes, in any graph.
    pub(super) nodes: RowLinkList,
    pub(super) searched: SearchableTexts,
    /// The rows in the order of files, and of the questions in each file.
    pub(super) by_file: Vec<u32>,
    /// The other orders, each made on first use.
    pub(super) orders: [OnceLock<Vec<u32>>; ORDERS],
}

/// The number of orders besides the order of files: five orders in two directions, and the order of files backwards.
pub(super) const ORDERS: usize = 11;

/// A graph with questions.
#[derive(Debug)]
pub(super) struct QuestionDocument {
    pub(super) graph: TermId,
    pub(super) iri: String,
    /// The file, as messages name it.
    pub(super) file: Option<String>,
    pub(super) system: Option<u32>,
    pub(super) dataset: Option<u32>,
    /// The name of the dataset, from its own data.
    pub(super) title: Option<String>,
    pub(super) licence: Option<u32>,
}

/// A question.
#[derive(Debug, Clone)]
pub(super) struct QuestionRow {
    pub(super) document: u32,
    pub(super) node: TermId,
    /// Its first item that has an IRI, or otherwise its first item.
    pub(super) item: Option<TermId>,
    pub(super) text: Option<TermId>,
    pub(super) answer: Option<TermId>,
    pub(super) local_id: Option<TermId>,
    pub(super) modified: Option<TermId>,
    pub(super) finished: Option<bool>,
    pub(super) answerable: Option<bool>,
    pub(super) has_template: bool,
    pub(super) is_contested: bool,
    pub(super) ratings: u32,
    /// The mean of the ratings.
    pub(super) rating: f64,
    pub(super) disagreement: Option<f64>,
    /// The start of its keywords among the words.
    pub(super) keywords: u32,
    /// The start of its licences, which follow its keywords.
    pub(super) licences: u32,
    /// The end of its words.
    pub(super) end: u32,
}

impl QuestionRow {
    pub(super) fn new(document: u32, node: TermId) -> Self {
        Self {
            document,
            node,
            item: None,
            text: None,
            answer: None,
            local_id: None,
            modified: None,
            finished: None,
            answerable: None,
            has_template: false,
            is_contested: false,
            ratings: 0,
            rating: 0.0,
            disagreement: None,
            keywords: 0,
            licences: 0,
            end: 0,
        }
    }
}

/// The number of questions in a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SystemCount {
    pub system: String,
    pub questions: usize,
}

/// The values of a question that can be changed.
#[derive(Debug)]
pub(crate) struct SettableQuestion {
    /// Its name in a change. Other questions may have the same name.
    pub name: String,
    pub node: Term,
    pub file: Option<String>,
    pub answer: Option<String>,
    pub finished: Option<bool>,
    pub keywords: Vec<String>,
}

impl QuestionTable {
    /// Returns the number of questions.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the systems with the numbers of their questions, largest first.
    pub(crate) fn systems(&self) -> Vec<SystemCount> {
        let mut counts = vec![0; self.systems.len()];
        for row in &self.rows {
            if let Some(system) = self.document(row).system {
                counts[system as usize] += 1;
            }
        }
        let named =
            |(at, questions): (usize, usize)| SystemCount { system: self.systems[at].clone(), questions };
        largest_first(&self.systems, counts).into_iter().map(named).collect()
    }

    /// Returns the row of a question, given its node or its item. An item with several questions identifies none of
    /// them.
    pub(crate) fn find(&self, names: &NameLookup<'_>, graph: &str, id: &str) -> Option<usize> {
        let (graph, node) = (names.iri(graph)?, names.node(id)?);
        let by_node = self.rows.binary_search_by_key(&in_graph(graph, node), |row| self.key(row)).ok();
        by_node.or_else(|| match self.items.links_of(in_graph(graph, node)) {
            [only] => Some(only.row as usize),
            _ => None,
        })
    }

    /// Returns the rows of a node, in all graphs.
    pub(super) fn rows_of(&self, node: TermId) -> impl Iterator<Item = usize> + '_ {
        self.nodes.links_of(anywhere(node)).iter().map(|link| link.row as usize)
    }

    pub(super) fn key(&self, row: &QuestionRow) -> u64 {
        in_graph(self.document(row).graph, row.node)
    }

    pub(super) fn document(&self, row: &QuestionRow) -> &QuestionDocument {
        &self.documents[row.document as usize]
    }

    pub(super) fn keywords_of(&self, row: &QuestionRow) -> &[u32] {
        &self.words[row.keywords as usize..row.licences as usize]
    }

    pub(super) fn licences_of(&self, row: &QuestionRow) -> &[u32] {
        &self.words[row.licences as usize..row.end as usize]
    }

    /// Returns the id of the question in requests: its IRI, or that of its item if no other question has the item, or
    /// otherwise the label of its blank node.
    pub(crate) fn id(&self, names: &NameLookup<'_>, row: usize) -> String {
        let row = &self.rows[row];
        if !names.is_iri(row.node)
            && let Some(item) = row.item
            && names.is_iri(item)
            && self.items.links_of(in_graph(self.document(row).graph, item)).len() == 1
        {
            return names.id(item);
        }
        names.id(row.node)
    }

    /// Returns the values of a question that can be changed, as they are.
    pub(crate) fn settable(&self, names: &NameLookup<'_>, at: usize) -> SettableQuestion {
        let row = &self.rows[at];
        let mut keywords: Vec<String> =
            self.keywords_of(row).iter().map(|keyword| self.keywords[*keyword as usize].clone()).collect();
        keywords.sort();
        let id = self.id(names, at);
        // An update cannot refer to a blank node.
        let by_file = || row.local_id.or(row.text).map(|name| names.text(name));
        let name = if id.starts_with("_:") { by_file().unwrap_or(id) } else { id };
        SettableQuestion {
            name,
            node: names.view.term(row.node),
            file: self.document(row).file.clone(),
            answer: row.answer.map(|answer| names.text(answer)),
            finished: row.finished,
            keywords,
        }
    }

    /// Returns the rows of the document that contains a question.
    pub(crate) fn rows_beside(&self, at: usize) -> Range<usize> {
        let document = self.rows[at].document;
        let begin = self.rows.partition_point(|row| row.document < document);
        begin..begin + self.rows[begin..].partition_point(|row| row.document == document)
    }

    /// Returns the text of a question, if it has one.
    pub(crate) fn text(&self, names: &NameLookup<'_>, row: usize) -> Option<String> {
        self.rows[row].text.map(|text| names.text(text)).filter(|text| !text.is_empty())
    }

    /// Returns the graph of a question.
    pub(crate) fn graph(&self, row: usize) -> &str {
        &self.document(&self.rows[row]).iri
    }
}
