//! The numbers of terms: hashes of how N-Triples writes them. A blank node has no name outside its graph, so its number is
//! that of the name of its graph and of its place among the graph's blank nodes.

use hashbrown::HashMap;
use twox_hash::XxHash3_64;

use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_store::{RdfTermKind, TermDictionary, TermId};

/// The numbers of the terms of an export.
#[derive(Debug, Default)]
pub(super) struct HashedTerms {
    numbers: HashMap<TermId, i64>,
    /// The graph in which a blank node occurs first, and its place among the blank nodes of that graph.
    blank_nodes: HashMap<TermId, BlankNodePlace>,
}

#[derive(Debug, Clone, Copy)]
struct BlankNodePlace {
    graph: TermId,
    place: u32,
}

impl HashedTerms {
    /// Notes the blank nodes of a graph, before any number is asked for.
    pub(super) fn add_blank_nodes(&mut self, graph: TermId, mut nodes: Vec<TermId>) {
        nodes.sort_unstable();
        nodes.dedup();
        nodes.retain(|node| !self.blank_nodes.contains_key(node));
        // They are in the order in which the document has them.
        for (place, node) in (0..).zip(nodes) {
            self.blank_nodes.insert(node, BlankNodePlace { graph, place });
        }
    }

    /// Returns the number of a term.
    pub(super) fn number(&mut self, term: TermId, terms: &TermDictionary) -> i64 {
        if let Some(number) = self.numbers.get(&term) {
            return *number;
        }
        let mut text = Vec::new();
        match self.blank_nodes.get(&term) {
            Some(node) => {
                text.extend_from_slice(b"_:");
                terms.write_n_triples(node.graph, &mut text);
                text.extend_from_slice(&node.place.to_be_bytes());
            }
            None => terms.write_n_triples(term, &mut text),
        }
        // The columns of numbers are signed.
        let number = XxHash3_64::oneshot(&text).cast_signed();
        self.numbers.insert(term, number);
        number
    }

    /// Fails if two terms have the same number.
    ///
    /// # Errors
    ///
    /// `export::collision`.
    pub(super) fn check(&self, terms: &TermDictionary) -> Result<(), RunFailure> {
        let mut numbers: Vec<(i64, TermId)> =
            self.numbers.iter().map(|(term, number)| (*number, *term)).collect();
        numbers.sort_unstable();
        let same = numbers.windows(2).find(|pair| pair[0].0 == pair[1].0);
        let Some([(_, one), (_, other)]) = same else { return Ok(()) };
        let text = |term: &TermId| {
            let mut text = Vec::new();
            terms.write_n_triples(*term, &mut text);
            String::from_utf8_lossy(&text).into_owned()
        };
        let message = format!("two terms have the same number: {} and {}", text(one), text(other));
        let fault = Diagnostic::error("export::collision", message);
        Err(fault
            .with_help("change one of the two terms, or export their graphs into different folders")
            .into())
    }

    /// Returns the text of a term in a column: an IRI, the lexical form of a literal, or the label of a blank node.
    pub(super) fn text(&mut self, term: TermId, terms: &TermDictionary) -> String {
        match terms.kind(term) {
            RdfTermKind::BlankNode => format!("_:b{:016x}", self.number(term, terms)),
            _ => terms.lexical(term).to_owned(),
        }
    }
}
