//! Finds terms that have the same number.

use std::io;

use super::collected_facts::CollectedFacts;
use super::hashed_terms::blank_node_label;
use super::record_merge::SortedRecords;
use super::row_texts::{RowObject, RowTexts};
use evalgraph_diagnostics::{Diagnostic, RunFailure};

/// Returns a number that two terms have, if there is one. `hashes` are those of all terms, sorted.
///
/// # Errors
///
/// Fails if the hashes cannot be read.
pub(super) fn shared_number(mut hashes: SortedRecords) -> io::Result<Option<i64>> {
    let mut last = None;
    while let Some((&[number, ..], _)) = hashes.next()? {
        // Each pair of hashes occurs once.
        if last.replace(number) == Some(number) {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// The fault that two terms have a number. Their texts are in the rows.
///
/// # Errors
///
/// Fails if the rows cannot be read.
pub(super) fn collision(
    number: i64,
    rows: &mut SortedRecords,
    facts: &CollectedFacts,
) -> io::Result<RunFailure> {
    let mut found: Vec<String> = Vec::new();
    let mut see = |term: String| {
        if !found.contains(&term) {
            found.push(term);
        }
    };
    let iri = |iri: &str| format!("<{iri}>");
    let names = facts.graphs.iter().filter(|(_, graph)| graph.number == number).map(|(name, _)| name);
    let predicate = facts.predicates.get(&number).map(|predicate| &predicate.iri);
    names.chain(predicate).for_each(|name| see(iri(name)));
    while let Some((&[_, subject, object, _], bytes)) = rows.next()? {
        let Some(texts) = RowTexts::from_bytes(bytes) else { continue };
        if subject == number {
            see(texts.subject.map_or_else(|| blank_node_label(number), iri));
        }
        if object == number {
            see(match texts.object {
                RowObject::Iri(text) => iri(text),
                RowObject::BlankNode => blank_node_label(number),
                RowObject::Literal { lexical, language: Some(language), .. } => {
                    format!("{lexical:?}@{language}")
                }
                RowObject::Literal { lexical, datatype, .. } => format!("{lexical:?}^^<{datatype}>"),
            });
        }
    }
    let message = format!("several terms have the number {number}: {}", found.join(", "));
    let fault = Diagnostic::error("export::collision", message);
    Ok(fault.with_help("change one of the terms, or export their graphs into different folders").into())
}

#[cfg(test)]
mod tests {
    use super::super::hashed_terms::TermHashes;
    use super::super::record_sorter::RecordSorter;
    use super::*;

    #[test]
    fn two_terms_with_one_number_are_named() {
        let folder = std::env::temp_dir();
        let mut hashes = RecordSorter::new(&folder, 1 << 20);
        let mut rows = RecordSorter::new(&folder, 1 << 20);
        let term = TermHashes::from_iri("urn:a");
        for (number, second) in [(7, 1), (7, 1), (8, 2), (term.number, term.second)] {
            hashes.push([number, second, 0, 0], |_| {}).expect("memory takes it");
        }
        let shared = |hashes: RecordSorter<'_>| {
            shared_number(hashes.finish().expect("it is in memory")).expect("it is in memory")
        };
        assert_eq!(shared(hashes), None);
        let mut hashes = RecordSorter::new(&folder, 1);
        for (number, second) in [(7, 1), (8, 2), (7, 3)] {
            hashes.push([number, second, 0, 0], |_| {}).expect("the folder takes it");
        }
        assert_eq!(shared(hashes), Some(7));
        for (key, texts) in [
            ([1, 7, 2, 3], RowTexts { subject: Some("urn:a"), object: RowObject::Iri("urn:b") }),
            ([1, 2, 7, 3], RowTexts { subject: Some("urn:b"), object: RowObject::BlankNode }),
        ] {
            rows.push(key, |output| texts.write(output)).expect("memory takes it");
        }
        let mut rows = rows.finish().expect("it is in memory");
        let failure = collision(7, &mut rows, &CollectedFacts::default()).expect("they are in memory");
        let RunFailure::Fault(fault) = failure else { panic!("it is a fault") };
        assert_eq!(fault.code, "export::collision");
        assert!(fault.message.ends_with("7: _:b7, <urn:a>"), "{}", fault.message);
    }
}
