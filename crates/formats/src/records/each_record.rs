//! Walks the records of a file by its table, so figures count exactly the records that become nodes of the graph.

use super::shape::{FileShape, MemberForm, RecordMember, RecordPlacement, RecordShape};
use evalgraph_json::{JsonDocument, TokenId};

/// Passes each record of a file to `visit`, with the table that reads it: an object before the objects inside it.
pub fn each_record(
    document: &JsonDocument,
    shape: &FileShape,
    visit: &mut impl FnMut(&'static RecordShape, TokenId),
) {
    let root = document.root();
    match shape.records {
        RecordPlacement::InRoot => members(document, root, shape.root.members, visit),
        RecordPlacement::One(_, of_record) => record(document, root, of_record, visit),
        RecordPlacement::Items(_, of_record) => {
            document.items(root).for_each(|item| record(document, item, of_record, visit));
        }
    }
}

fn record(
    document: &JsonDocument,
    value: TokenId,
    shape: &'static RecordShape,
    visit: &mut impl FnMut(&'static RecordShape, TokenId),
) {
    if document.is_object(value) {
        visit(shape, value);
        members(document, value, shape.members, visit);
    }
}

fn members(
    document: &JsonDocument,
    object: TokenId,
    table: &'static [RecordMember],
    visit: &mut impl FnMut(&'static RecordShape, TokenId),
) {
    for member in table.iter().filter(|member| leads_to_records(member)) {
        let Some(value) = document.get(object, member.key) else { continue };
        match member.form {
            MemberForm::Group(inner) if document.is_object(value) => members(document, value, inner, visit),
            MemberForm::Nodes(shape) if document.is_array(value) => {
                document.items(value).for_each(|item| record(document, item, shape, visit));
            }
            MemberForm::Nodes(shape) | MemberForm::Node(shape) => record(document, value, shape, visit),
            MemberForm::Entries(shape) if document.is_object(value) => {
                document.members(value).for_each(|entry| record(document, entry.value, shape, visit));
            }
            _ => {}
        }
    }
}

fn leads_to_records(member: &RecordMember) -> bool {
    match member.form {
        MemberForm::Node(_) | MemberForm::Nodes(_) | MemberForm::Entries(_) => true,
        MemberForm::Group(members) => members.iter().any(leads_to_records),
        _ => false,
    }
}
