//! The records of a file, wherever they stand.

use crate::json::{Document, TokenId};
use crate::source::rlcf::kinds::{FieldType, RecordKind};
use crate::source::rlcf::telling::Told;

/// A record, wherever it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visited {
    pub(super) kind: RecordKind,
    pub(super) value: TokenId,
    /// The number of the array that it is an item of.
    pub(super) list: usize,
}

/// The records of a file with those inside of them, each before what it holds.
pub(super) fn visited(document: &Document, told: &Told) -> Vec<Visited> {
    let mut found = Vec::new();
    let mut lists = 0;
    for list in &told.lists {
        lists += 1;
        let number = lists;
        for record in &list.records {
            found.push(Visited { kind: record.kind, value: record.value, list: number });
            visit_inner(document, *found.last().expect("it was pushed"), &mut lists, &mut found);
        }
    }
    found
}

/// Records in records: kinds hold only later ones, so that this ends after a few steps.
fn visit_inner(document: &Document, outer: Visited, lists: &mut usize, found: &mut Vec<Visited>) {
    for field in outer.kind.fields() {
        let FieldType::Records(kind) = field.value else { continue };
        let Some(array) = document.get(outer.value, field.key) else { continue };
        *lists += 1;
        let list = *lists;
        for value in document.items(array) {
            let inner = Visited { kind, value, list };
            found.push(inner);
            visit_inner(document, inner, lists, found);
        }
    }
}
