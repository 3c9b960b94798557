//! Gives the terms of documents numbers of their own, in the order that they have: what no document uses any
//! more is left behind. Neighbours stay neighbours, and blank nodes are met in the order in which they came.

use super::dictionary::{
    Dictionary, Kind, TermId, datatype_of_stored, lexical_of_other_typed, store_other_typed,
};
use super::edits::DocumentGraph;

/// A dictionary of the terms of some graphs, whose triples get its numbers.
pub(super) fn renumber<'g>(
    old: &Dictionary,
    graphs: impl Iterator<Item = &'g mut DocumentGraph>,
) -> Dictionary {
    let mut graphs: Vec<&mut DocumentGraph> = graphs.collect();
    let used = used_terms(old, graphs.iter().map(|graph| &**graph));
    let mut new = Dictionary::new();
    let mut numbers = vec![TermId::FIRST; used.len()];
    let mut scratch = String::new();
    for id in old.ids().filter(|id| used[id.index()]) {
        let stored = old.stored(id);
        numbers[id.index()] = match old.kind(id) {
            Kind::BlankNode => new.fresh_blank_node(),
            Kind::OtherTyped => {
                // A datatype has its number before its literals.
                let datatype = numbers.get(datatype_of_stored(stored).index()).copied();
                let lexical = lexical_of_other_typed(stored);
                store_other_typed(&mut scratch, datatype.unwrap_or(TermId::FIRST), lexical);
                new.intern_stored(Kind::OtherTyped, &scratch)
            }
            kind => new.intern_stored(kind, stored),
        };
    }
    // A number that no term has stands in files alone that were made to have it.
    let number = |id: TermId| numbers.get(id.index()).copied().unwrap_or(TermId::FIRST);
    for graph in &mut graphs {
        graph.name = number(graph.name);
        for triple in &mut graph.triples {
            *triple = triple.map(number);
        }
    }
    new
}

/// Tells which terms some graphs use, by number; a datatype is used where its literals are.
fn used_terms<'g>(dictionary: &Dictionary, graphs: impl Iterator<Item = &'g DocumentGraph>) -> Vec<bool> {
    let mut used = vec![false; dictionary.len() + 1];
    for graph in graphs {
        for term in graph.triples.iter().flatten().chain([&graph.name]) {
            used.get_mut(term.index()).into_iter().for_each(|is_used| *is_used = true);
        }
    }
    for id in dictionary.ids() {
        if used[id.index()] && dictionary.kind(id) == Kind::OtherTyped {
            let datatype = datatype_of_stored(dictionary.stored(id));
            used.get_mut(datatype.index()).into_iter().for_each(|is_used| *is_used = true);
        }
    }
    used
}
