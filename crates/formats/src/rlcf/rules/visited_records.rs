//! Lists all records of a file, including those inside others.

use crate::checking::schema::SchemaFieldType;
use crate::rlcf::kinds::RecordKind;
use crate::rlcf::record_kind_finder::RlcfFileRecords;
use crate::rlcf::rlcf_profile::RlcfProfile;
use evalgraph_json::{JsonDocument, TokenId};

/// A record of a file, perhaps inside another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct VisitedRecord {
    pub(super) kind: RecordKind,
    pub(super) value: TokenId,
    /// The number of the array that contains it.
    pub(super) list: usize,
}

/// Returns the records of a file, each before the records inside it.
pub(super) fn visited(document: &JsonDocument, told: &RlcfFileRecords) -> Vec<VisitedRecord> {
    let mut found = Vec::new();
    let mut lists = 0;
    for list in &told.lists {
        lists += 1;
        let number = lists;
        for record in &list.records {
            found.push(VisitedRecord { kind: record.kind, value: record.value, list: number });
            visit_inner(document, *found.last().expect("it was pushed"), &mut lists, &mut found);
        }
    }
    found
}

/// Visits the records inside a record. A kind contains only later kinds, so the recursion ends after a few steps.
fn visit_inner(
    document: &JsonDocument,
    outer: VisitedRecord,
    lists: &mut usize,
    found: &mut Vec<VisitedRecord>,
) {
    // The profiles differ in what they require, not in the fields that they know.
    for field in outer.kind.class(RlcfProfile::Seed).fields() {
        let SchemaFieldType::AnyArray = field.holds else { continue };
        let Some(kind) = outer.kind.of_field(field.key) else { continue };
        let Some(array) = document.get(outer.value, field.key) else { continue };
        *lists += 1;
        let list = *lists;
        for value in document.items(array) {
            let inner = VisitedRecord { kind, value, list };
            found.push(inner);
            visit_inner(document, inner, lists, found);
        }
    }
}
