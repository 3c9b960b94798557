//! A file of quads in the folder of an export.

use super::collected_facts::CollectedFacts;
use super::hashed_terms::TermHashes;

/// The folder of the files of quads.
pub(super) const QUADS: &str = "p";
/// The folder of the files of closures.
pub(super) const CLOSURES: &str = "closure";
/// How many characters of a predicate's name appear in the name of its file.
const READABLE: usize = 40;

/// A file of quads.
#[derive(Debug)]
pub(super) struct QuadFile {
    /// Its path in the folder.
    pub(super) name: String,
    /// The predicate of all its rows; `None` if it has a column for the predicate.
    pub(super) predicate: Option<FilePredicate>,
}

/// The predicate of a file: its number and its IRI.
#[derive(Debug)]
pub(super) struct FilePredicate {
    pub(super) number: i64,
    pub(super) text: String,
}

/// Returns the files: the one for all small predicates, and one for each predicate with so many rows.
pub(super) fn quad_files(facts: &CollectedFacts, own_file: u64) -> Vec<QuadFile> {
    let large = facts.predicates.iter().filter(|(_, facts)| facts.rows >= own_file);
    let mut predicates: Vec<FilePredicate> =
        large.map(|(number, facts)| FilePredicate { number: *number, text: facts.iri.clone() }).collect();
    predicates.sort_by(|one, other| one.text.cmp(&other.text));
    let rest = QuadFile { name: format!("{QUADS}/rest.parquet"), predicate: None };
    std::iter::once(rest).chain(predicates.into_iter().map(|own| own_file_in(QUADS, own))).collect()
}

/// Returns the files of closures of predicates, by IRI.
pub(super) fn closure_files(predicates: &[String]) -> Vec<QuadFile> {
    let mut iris: Vec<&String> = predicates.iter().collect();
    iris.sort_unstable();
    iris.dedup();
    let file = |iri: &String| {
        let number = TermHashes::from_iri(iri).number;
        own_file_in(CLOSURES, FilePredicate { number, text: iri.clone() })
    };
    iris.into_iter().map(file).collect()
}

fn own_file_in(folder: &str, predicate: FilePredicate) -> QuadFile {
    let local = predicate.text.rsplit(['/', '#', ':']).next().unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let local: String = local.chars().map(plain).take(READABLE).collect();
    let name = format!("{folder}/{local}-{:016x}.parquet", predicate.number);
    QuadFile { name, predicate: Some(predicate) }
}
