//! Where to look for the place of a question in its file.
//!
//! `QuestionTable` is defined in `question_table.rs`.

use oxrdf::{NamedNode, Term};

use super::name_lookup::NameLookup;
use super::node_lookup::NodeLookup;
use super::question_table::QuestionTable;
use super::question_table_reader::TEXTS;
use evalgraph_engine::validation::document_places::WantedTerm;
use evalgraph_store::TermId;

impl QuestionTable {
    /// Returns the statements and nodes that may have the place of a question, best first: its text, the question
    /// itself, its item.
    pub(crate) fn wanted(&self, names: &NameLookup<'_>, at: usize) -> Vec<WantedTerm> {
        let row = &self.rows[at];
        let nodes = NodeLookup::of_graph(names, self.document(row).graph);
        let has = |node: TermId, property: TermId| {
            let mut found = names.view.triples_of([Some(node), Some(property), None], nodes.graph);
            found.next().is_some()
        };
        let statement = |name: &str, node: TermId| {
            let property = names.name(name).into_iter().find(|property| has(node, *property))?;
            let predicate = Some(NamedNode::new_unchecked(names.text(property)));
            Some(WantedTerm { predicate, ..WantedTerm::node(names.view.term(node)) })
        };
        let alone = |node: TermId| WantedTerm::node(names.view.term(node));
        // The value has a place even if the file has no such key.
        let value = row.text.map(|text| names.view.term(text));
        let text = TEXTS.into_iter().find_map(|property| statement(property, row.node));
        let text = text.map(|said| WantedTerm { value, ..said });
        let question = text.into_iter().chain([alone(row.node)]);
        let of_item =
            row.item.into_iter().flat_map(|item| statement("item", item).into_iter().chain([alone(item)]));
        // Finding a blank node again requires a comparison of whole graphs.
        let is_by_item = !names.is_iri(row.node) && row.item.is_some_and(|item| names.is_iri(item));
        let wanted: Vec<WantedTerm> =
            if is_by_item { of_item.collect() } else { question.chain(of_item).collect() };
        let is_named = |wanted: &WantedTerm| matches!(wanted.node, Term::NamedNode(_));
        match wanted.iter().any(is_named) {
            true => wanted.into_iter().filter(is_named).collect(),
            false => wanted,
        }
    }
}
