//! The graphs of one document in a file: its default graph, the named graphs that it brings along, its
//! sidecar and its share of the catalog. They come and go together.
//!
//! | section | holds |
//! |---|---|
//! | 0 | for each graph eight numbers of 8 bytes: the term that names it; 1 where it is the document's default graph, and 2 where only who names it sees it; how many triples; the first key of the array of starts, for three orders; two times 0 |
//! | 12 a graph | for each order, by subject, predicate and object: the keys that are searched for, where their runs start, where the runs of all later keys start, and the pairs |

use std::io;
use std::sync::Arc;

use super::damage::{Damage, damaged};
use super::medium::Medium;
use super::sections::{FileFacts, FileKind, Sections};
use super::sections_writer::SectionsWriter;
use crate::diagnostic::Diagnostic;
use crate::store::column::Column;
use crate::store::dataset::Part;
use crate::store::dictionary::TermId;
use crate::store::graph::{Graph, Permutation};

const IS_DEFAULT: u64 = 1;
const BY_NAME_ONLY: u64 = 2;

/// Sections of a graph.
const SECTIONS: usize = 12;

/// Writes the graphs of a document.
///
/// # Errors
///
/// What the system says.
pub(super) fn write_segment(medium: &dyn Medium, name: &str, parts: &[Part]) -> io::Result<FileFacts> {
    let mut file = SectionsWriter::create(medium, name, FileKind::Segment)?;
    file.section()?;
    for part in parts {
        let flags = u64::from(part.is_default) * IS_DEFAULT + u64::from(part.by_name_only) * BY_NAME_ONLY;
        let [by_subject, by_predicate, by_object] =
            part.graph.permutations().map(|permutation| permutation.first_dense as u64);
        let triples = part.graph.len() as u64;
        let facts = [part.name.index() as u64, flags, triples, by_subject, by_predicate, by_object, 0, 0];
        file.bytes(bytemuck::cast_slice(&facts))?;
    }
    for permutation in parts.iter().flat_map(|part| part.graph.permutations()) {
        file.whole_section(bytemuck::cast_slice(permutation.early_keys.all()))?;
        file.whole_section(bytemuck::cast_slice(permutation.early_starts.all()))?;
        file.whole_section(bytemuck::cast_slice(permutation.dense_starts.all()))?;
        file.whole_section(bytemuck::cast_slice(permutation.pairs.all()))?;
    }
    file.finish()
}

/// Opens the graphs of a document.
///
/// # Errors
///
/// A file that is damaged, or not of this store.
pub(super) fn open_segment(
    medium: &dyn Medium,
    facts: &FileFacts,
    damage: &Damage,
) -> Result<(Arc<Sections>, Vec<Part>), Box<Diagnostic>> {
    let file = Arc::new(Sections::open(medium, facts, FileKind::Segment, damage)?);
    let graphs = Column::<[u64; 8]>::stored(&file, 0);
    let parts = graphs.all().iter().enumerate().map(|(position, graph)| part(&file, position, graph));
    let wrong = || Box::new(damaged(medium.folder(), &facts.name, "its graphs are not what was written"));
    let parts: Vec<Part> = parts.collect::<Option<_>>().ok_or_else(wrong)?;
    if file.count() != 1 + SECTIONS * parts.len() {
        return Err(wrong());
    }
    Ok((file, parts))
}

fn part(file: &Arc<Sections>, position: usize, facts: &[u64; 8]) -> Option<Part> {
    let [name, flags, triples, first_keys @ .., _, _] = *facts;
    let mut section = 1 + SECTIONS * position;
    let mut permutations = first_keys.map(|first_dense| {
        let permutation = Permutation {
            early_keys: Column::stored(file, section),
            early_starts: Column::stored(file, section + 1),
            first_dense: usize::try_from(first_dense).unwrap_or(usize::MAX),
            dense_starts: Column::stored(file, section + 2),
            pairs: Column::stored(file, section + 3),
        };
        section += 4;
        permutation
    });
    let is_as_long = |permutation: &mut Permutation| permutation.pairs.len() as u64 == triples;
    // Numbers of terms have 32 bits.
    let is_within = |permutation: &mut Permutation| {
        let last = permutation.first_dense.checked_add(permutation.dense_starts.len());
        last.is_some_and(|last| u32::try_from(last).is_ok())
    };
    if !permutations.iter_mut().all(is_as_long) || !permutations.iter_mut().all(is_within) {
        return None;
    }
    Some(Part {
        name: TermId::of(u32::try_from(name).ok()?),
        is_default: flags & IS_DEFAULT != 0,
        by_name_only: flags & BY_NAME_ONLY != 0,
        graph: Graph::of_permutations(permutations),
    })
}
