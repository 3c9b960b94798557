//! The table of a class of objects. It has each field once, with its key, the place of its value in the graph, and the
//! requirements of each profile. The members of the record and the classes of the profiles follow from the table.

use crate::checking::schema::{FieldPresence, ObjectSchema, SchemaField, SchemaFieldType};
use crate::records::{MemberForm, RecordMember, RecordShape, member};

/// A class of objects with the table for its node, from which SHACL shapes are made.
pub struct ShapedClass {
    /// The node of its objects.
    pub shape: &'static RecordShape,
    /// The fields that the profile of the shapes requires.
    pub class: &'static ObjectSchema,
}

/// The requirement of a profile for a field.
#[derive(Clone, Copy)]
pub(crate) struct FieldDemand {
    presence: FieldPresence,
    holds: SchemaFieldType,
}

/// The field must be present, and not null.
pub(crate) const fn must(holds: SchemaFieldType) -> FieldDemand {
    FieldDemand { presence: FieldPresence::Required, holds }
}

/// The field may be absent; it may be null where values are read as Pydantic reads them.
pub(crate) const fn may(holds: SchemaFieldType) -> FieldDemand {
    FieldDemand { presence: FieldPresence::Optional, holds }
}

/// The field may be absent, but not null.
pub(crate) const fn may_not_null(holds: SchemaFieldType) -> FieldDemand {
    FieldDemand { presence: FieldPresence::Defaulted, holds }
}

/// A field of a class, in a format with this number of profiles.
#[derive(Clone, Copy)]
pub(crate) struct FieldRow<const PROFILES: usize> {
    member: RecordMember,
    is_mapped: bool,
    demands: [Option<FieldDemand>; PROFILES],
}

/// Makes a field whose value is at the end of a path in the given form, without requirements.
pub(crate) const fn row<const PROFILES: usize>(
    key: &'static str,
    path: &'static str,
    form: MemberForm,
) -> FieldRow<PROFILES> {
    FieldRow { member: member(key, path, form), is_mapped: true, demands: [None; PROFILES] }
}

/// Makes a field whose value is not in the graph.
pub(crate) const fn unmapped<const PROFILES: usize>(key: &'static str) -> FieldRow<PROFILES> {
    FieldRow { is_mapped: false, ..row(key, "", MemberForm::Position) }
}

/// Makes a field whose value is a scalar, see [`MemberForm::Value`].
pub(crate) const fn scalar<const PROFILES: usize>(
    key: &'static str,
    path: &'static str,
) -> FieldRow<PROFILES> {
    row(key, path, MemberForm::Value)
}

/// Makes a field whose object has no node, see [`MemberForm::Group`].
pub(crate) const fn object<const PROFILES: usize>(
    key: &'static str,
    members: &'static [RecordMember],
) -> FieldRow<PROFILES> {
    row(key, "", MemberForm::Group(members))
}

impl<const PROFILES: usize> FieldRow<PROFILES> {
    /// Sets the requirement of some profiles. A profile is a power of two, so several are a sum.
    pub(crate) const fn by(mut self, profiles: usize, demand: FieldDemand) -> Self {
        let mut at = 0;
        while at < PROFILES {
            if profiles & (1 << at) != 0 {
                self.demands[at] = Some(demand);
            }
            at += 1;
        }
        self
    }

    const fn demand(&self, profile: usize) -> Option<FieldDemand> {
        self.demands[profile.trailing_zeros() as usize]
    }
}

/// Returns the number of fields whose values are in the graph.
pub(crate) const fn mapped<const PROFILES: usize>(rows: &[FieldRow<PROFILES>]) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < rows.len() {
        count += rows[at].is_mapped as usize;
        at += 1;
    }
    count
}

/// Returns the members of the record, in the order of the table.
pub(crate) const fn members<const PROFILES: usize, const COUNT: usize>(
    rows: &[FieldRow<PROFILES>],
) -> [RecordMember; COUNT] {
    let mut members = [member("", "", MemberForm::Position); COUNT];
    let (mut count, mut at) = (0, 0);
    while at < rows.len() {
        if rows[at].is_mapped {
            members[count] = rows[at].member;
            count += 1;
        }
        at += 1;
    }
    members
}

/// Returns the number of fields for which a profile has a requirement.
pub(crate) const fn demanded<const PROFILES: usize>(rows: &[FieldRow<PROFILES>], profile: usize) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < rows.len() {
        count += rows[at].demand(profile).is_some() as usize;
        at += 1;
    }
    count
}

/// Returns the fields for which a profile has a requirement, in the order of the table.
pub(crate) const fn fields<const PROFILES: usize, const COUNT: usize>(
    rows: &[FieldRow<PROFILES>],
    profile: usize,
) -> [SchemaField; COUNT] {
    let nothing = SchemaField { key: "", holds: SchemaFieldType::Json, presence: FieldPresence::Optional };
    let mut fields = [nothing; COUNT];
    let (mut count, mut at) = (0, 0);
    while at < rows.len() {
        if let Some(FieldDemand { presence, holds }) = rows[at].demand(profile) {
            fields[count] = SchemaField { key: rows[at].member.key, holds, presence };
            count += 1;
        }
        at += 1;
    }
    fields
}

/// Makes a static slice of the members of a table.
macro_rules! members_of {
    ($table:expr) => {{
        const MEMBERS: [$crate::records::RecordMember; $crate::field_table::mapped($table)] =
            $crate::field_table::members($table);
        &MEMBERS
    }};
}

/// Makes the class of a profile from a table.
macro_rules! class_of {
    ($table:expr, $profile:expr) => {{
        const FIELDS: [$crate::checking::schema::SchemaField;
            $crate::field_table::demanded($table, $profile)] = $crate::field_table::fields($table, $profile);
        $crate::checking::schema::part(&FIELDS)
    }};
}

pub(crate) use {class_of, members_of};
