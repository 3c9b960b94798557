//! Renumbers the terms that documents use, in their old order, and leaves out unused terms. Neighbours stay neighbours,
//! and blank nodes stay in the order in which they were first seen.

use super::dictionary::{
    RdfTermKind, TermDictionary, TermId, datatype_of_stored, lexical_of_other_typed, store_other_typed,
};
use super::edits::DocumentGraph;

/// Makes a dictionary of the terms that graphs use, and renumbers their triples.
pub(super) fn renumber<'g>(
    old: &TermDictionary,
    graphs: impl Iterator<Item = &'g mut DocumentGraph>,
) -> TermDictionary {
    let mut graphs: Vec<&mut DocumentGraph> = graphs.collect();
    let used = used_terms(old, graphs.iter().map(|graph| &**graph));
    let mut new = TermDictionary::new();
    let mut numbers = vec![TermId::FIRST; used.len()];
    let mut scratch = String::new();
    for id in old.ids().filter(|id| used[id.index()]) {
        let stored = old.stored(id);
        numbers[id.index()] = match old.kind(id) {
            RdfTermKind::BlankNode => new.fresh_blank_node(),
            RdfTermKind::OtherTyped => {
                // A datatype has its number before its literals.
                let datatype = numbers.get(datatype_of_stored(stored).index()).copied();
                let lexical = lexical_of_other_typed(stored);
                store_other_typed(&mut scratch, datatype.unwrap_or(TermId::FIRST), lexical);
                new.intern_stored(RdfTermKind::OtherTyped, &scratch)
            }
            kind => new.intern_stored(kind, stored),
        };
    }
    // Only a manipulated file can contain a number without a term.
    let number = |id: TermId| numbers.get(id.index()).copied().unwrap_or(TermId::FIRST);
    for graph in &mut graphs {
        graph.name = number(graph.name);
        for triple in &mut graph.triples {
            *triple = triple.map(number);
        }
    }
    new
}

/// Returns for each number whether graphs use the term. The datatype of a used literal counts as used.
fn used_terms<'g>(dictionary: &TermDictionary, graphs: impl Iterator<Item = &'g DocumentGraph>) -> Vec<bool> {
    let mut used = vec![false; dictionary.len() + 1];
    for graph in graphs {
        for term in graph.triples.iter().flatten().chain([&graph.name]) {
            used.get_mut(term.index()).into_iter().for_each(|is_used| *is_used = true);
        }
    }
    for id in dictionary.ids() {
        if used[id.index()] && dictionary.kind(id) == RdfTermKind::OtherTyped {
            let datatype = datatype_of_stored(dictionary.stored(id));
            used.get_mut(datatype.index()).into_iter().for_each(|is_used| *is_used = true);
        }
    }
    used
}
