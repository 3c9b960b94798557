//! Decides which question a part of a file belongs to: by its place in the file, or by the node that it is about.
//!
//! `QuestionTable` is defined in `question_table.rs`.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::links::in_graph;
use super::name_lookup::NameLookup;
use super::question_table::QuestionTable;
use evalgraph_engine::validation::document_places::WantedTerm;
use evalgraph_store::TermId;

/// The most steps from a question to something that belongs to it.
const MOST_STEPS: usize = 6;
/// The most nodes that are visited on the way back.
const MOST_NODES: usize = 256;
/// How many steps are followed back from a question to the nodes beside it, and how many nodes are visited in each.
const STEPS_BESIDE: usize = 2;
const MOST_BESIDE: usize = 1_000;

/// The parts of a file that belong to one question each, by JSON Pointer.
#[derive(Debug, Default)]
pub(crate) struct QuestionParts(HashMap<String, usize>);

/// Something that belongs to a question, with its place in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuestionPointer<'p> {
    pub row: usize,
    pub pointer: &'p str,
}

impl QuestionParts {
    /// A question owns the largest record around each of its places that contains no other question. If a place is not
    /// in a list, it owns the object around the place.
    pub(crate) fn from_pointers(placed: &[QuestionPointer<'_>]) -> Self {
        // The question of a part; `None` if it has several.
        let mut owners: HashMap<&str, Option<usize>> = HashMap::new();
        for QuestionPointer { row, pointer } in placed {
            for part in around(pointer) {
                let owner = owners.entry(part).or_insert(Some(*row));
                *owner = owner.filter(|known| known == row);
            }
        }
        let mut parts = HashMap::new();
        for QuestionPointer { row, pointer } in placed {
            let is_own = |part: &&str| owners.get(part) == Some(&Some(*row));
            let records = around(pointer).filter(|part| is_record(part) && is_own(part));
            // The last one is the largest.
            let part = records.last().or_else(|| around(pointer).nth(1).filter(is_own));
            if let Some(part) = part {
                parts.insert(part.to_owned(), *row);
            }
        }
        Self(parts)
    }

    /// Returns the question that owns the place of a pointer.
    pub(crate) fn question_of(&self, pointer: &str) -> Option<usize> {
        around(pointer).find_map(|part| self.0.get(part).copied())
    }
}

/// Returns a pointer and the pointers of everything around it. The whole document comes last.
fn around(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |inner| inner.rfind('/').map(|end| &inner[..end]))
}

/// Returns whether a pointer is that of a list item.
fn is_record(pointer: &str) -> bool {
    let step = pointer.rsplit('/').next().unwrap_or_default();
    !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit())
}

/// A node that belongs to a question.
pub(crate) struct QuestionNeighbour {
    pub row: usize,
    pub wanted: WantedTerm,
}

impl QuestionTable {
    /// Returns the rows of the document with this graph.
    pub(crate) fn rows_in(&self, graph: &str) -> Range<usize> {
        let Some(document) = self.documents.iter().position(|document| document.iri == graph) else {
            return 0..0;
        };
        let begin = self.rows.partition_point(|row| (row.document as usize) < document);
        begin..begin + self.rows[begin..].partition_point(|row| row.document as usize == document)
    }

    /// Returns the nodes that lead to exactly one question of a document, in at most two steps: its item, answers to
    /// it, opinions about these.
    pub(crate) fn beside(&self, names: &NameLookup<'_>, rows: Range<usize>) -> Vec<QuestionNeighbour> {
        let Some(first) = self.rows.get(rows.start).filter(|_| !rows.is_empty()) else { return Vec::new() };
        let graph = self.document(first).graph;
        // `None` if a node leads to several questions.
        let mut owners: HashMap<TermId, Option<usize>> = HashMap::new();
        let mut reached: Vec<(usize, TermId)> = rows.map(|row| (row, self.rows[row].node)).collect();
        for _ in 0..STEPS_BESIDE {
            let mut before = Vec::new();
            for (row, node) in reached {
                let leading = names.view.triples_of([None, None, Some(node)], Some(graph));
                before.extend(leading.take(MOST_BESIDE).map(|[subject, ..]| (row, subject)));
            }
            for (row, node) in &before {
                let owner = owners.entry(*node).or_insert(Some(*row));
                *owner = owner.filter(|known| known == row);
            }
            before.retain(|(_, node)| owners.get(node).is_some_and(Option::is_some));
            reached = before;
        }
        let is_named = |node: TermId| names.is_iri(node) && self.row_at(graph, node).is_none();
        let mut beside: Vec<(TermId, usize)> =
            owners.into_iter().filter_map(|(node, row)| Some((node, row?))).collect();
        beside.retain(|(node, _)| is_named(*node));
        beside.sort_unstable();
        let wanted = |(node, row): (TermId, usize)| QuestionNeighbour {
            row,
            wanted: WantedTerm::node(names.view.term(node)),
        };
        beside.into_iter().map(wanted).collect()
    }

    /// Returns the question that a node is, or the question that leads to the node in the fewest steps within one
    /// graph; `None` if several do.
    pub(crate) fn question_of(&self, names: &NameLookup<'_>, iri: &str) -> Option<usize> {
        let node = names.iri(iri)?;
        let of_graphs = names.view.named_quads([Some(node), None, None]).map(|(_, graph)| (graph, node));
        let mut reached: BTreeSet<(TermId, TermId)> = of_graphs.take(MOST_NODES).collect();
        let mut seen = reached.clone();
        for _ in 0..MOST_STEPS {
            let rows: BTreeSet<usize> =
                reached.iter().filter_map(|(graph, node)| self.row_at(*graph, *node)).collect();
            if let Some(first) = rows.first() {
                return (rows.len() == 1).then_some(*first);
            }
            let mut before = BTreeSet::new();
            for (graph, node) in reached {
                let leading = names.view.triples_of([None, None, Some(node)], Some(graph));
                before.extend(leading.take(MOST_NODES).map(|[subject, ..]| (graph, subject)));
            }
            before.retain(|reached| seen.insert(*reached));
            if before.is_empty() || seen.len() > MOST_NODES {
                return None;
            }
            reached = before;
        }
        None
    }

    /// Returns the row of a question, or of its item if the item has no other question.
    fn row_at(&self, graph: TermId, node: TermId) -> Option<usize> {
        let key = in_graph(graph, node);
        let by_node = self.rows.binary_search_by_key(&key, |row| self.key(row)).ok();
        by_node.or_else(|| match self.items.links_of(key) {
            [only] => Some(only.row as usize),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(pointers: &[&str]) -> QuestionParts {
        let placed = |(row, pointer): (usize, &&'static str)| QuestionPointer { row, pointer };
        let pointers: Vec<&'static str> =
            pointers.iter().map(|pointer| &*Box::leak((*pointer).to_owned().into_boxed_str())).collect();
        let placed: Vec<QuestionPointer<'_>> = pointers.iter().enumerate().map(placed).collect();
        QuestionParts::from_pointers(&placed)
    }

    #[test]
    fn what_stands_in_the_record_of_a_question_belongs_to_it() {
        let two = parts(&["/hasPart/0/item/text", "/hasPart/10/item/text"]);
        for (pointer, question) in [
            ("/hasPart/0/item/text", Some(0)),
            ("/hasPart/0/dateCreated", Some(0)),
            ("/hasPart/0", Some(0)),
            ("/hasPart/10/item/rating/3/name", Some(1)),
            // No other record begins like this.
            ("/hasPart/1", None),
            ("/hasPart/100/item", None),
            ("/hasPart", None),
            ("/name", None),
            ("", None),
        ] {
            assert_eq!(two.question_of(pointer), question, "{pointer}");
        }
        // A list within the record is not a separate record.
        let chats = parts(&["/0/messages/1/content", "/1/messages/1/content"]);
        assert_eq!(chats.question_of("/1/messages/0"), Some(1));
        // A record with two questions belongs to neither of them, but their parts do.
        let several = parts(&["/0/questions/0/text", "/0/questions/1/text", "/1/questions/0/text"]);
        assert_eq!(several.question_of("/0/title"), None);
        assert_eq!(several.question_of("/0/questions/1"), Some(1));
        assert_eq!(several.question_of("/1/title"), Some(2));
        // If there is no list, it is the object.
        let alone = parts(&["/item/text"]);
        assert_eq!((alone.question_of("/item/answer"), alone.question_of("/name")), (Some(0), None));
        assert_eq!(parts(&["/text", "/text"]).question_of("/text"), None);
        // A part elsewhere belongs to the question of the places in it.
        let placed = [
            QuestionPointer { row: 0, pointer: "/tasks/0/text" },
            QuestionPointer { row: 0, pointer: "/feedback/1" },
            QuestionPointer { row: 1, pointer: "/tasks/1/text" },
            QuestionPointer { row: 1, pointer: "/feedback/0" },
            QuestionPointer { row: 1, pointer: "/feedback/0/rating" },
        ];
        let export = QuestionParts::from_pointers(&placed);
        assert_eq!(export.question_of("/feedback/1/feedback_data"), Some(0));
        assert_eq!((export.question_of("/feedback/0/x"), export.question_of("/feedback")), (Some(1), None));
    }
}
