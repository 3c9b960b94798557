//! Tables that say what the members of a native object become in the graph, and so also how the graph becomes the
//! object again.
//!
//! A path leads from the node of an object to a value: `item:Question#question/acceptedAnswer:Answer/text`. Its steps
//! are separated by `/`. A step is a property. If it leads to a node, `:` and a description of the node follow:
//!
//! - its classes, separated by `+`;
//! - its constants in braces, `{reviewAspect=accuracy}`;
//! - its identity: `#question` is the IRI of the object's node followed by `/question`; `@doc(doc_id)` is a node of the
//!   dataset that the value of the member `doc_id` identifies, `@doc(set,doc_id)` one that both identify. A node without an identity is a blank node.
//!
//! Names are from schema.org, except our own, which begin with `eg:`, and Croissant's, which begin with `cr:`. Members whose paths begin with the same steps
//! share the nodes of these steps.

use std::str::FromStr;

use oxsdatatypes::DateTime;

use super::computed_value::{ComputedValue, ValueContext};
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::vocabulary::{CROISSANT, EVALGRAPH};

/// A native object and its node.
#[derive(Debug)]
pub struct RecordShape {
    /// Its name in messages: `row`, `sample`, `Feedback`.
    pub name: &'static str,
    /// The classes and constants of its node, in the notation of a step after the `:`. The last class is from our
    /// vocabulary, and distinguishes nodes of this shape from others.
    pub node: &'static str,
    /// The IRI of its node.
    pub identity: ObjectIdentity,
    /// Its members, in the order of the file.
    pub members: &'static [RecordMember],
}

/// Makes the table of an object.
pub const fn record(
    name: &'static str,
    node: &'static str,
    identity: ObjectIdentity,
    members: &'static [RecordMember],
) -> RecordShape {
    RecordShape { name, node, identity, members }
}

impl RecordShape {
    /// Returns whether a row of the table, or of a table inside it, looks elsewhere in the file.
    fn needs_file(&self) -> bool {
        fn needs(member: &RecordMember) -> bool {
            match member.form {
                MemberForm::OfFile(_) => true,
                MemberForm::Group(members) => members.iter().any(needs),
                _ => false,
            }
        }
        self.members.iter().any(needs)
    }
}

/// Splits the prefix off a name in a path. Returns its namespace and the rest, or `None` for a name of schema.org.
pub(super) fn own_namespace(name: &str) -> Option<(&'static str, &str)> {
    let prefixes = [("eg:", EVALGRAPH), ("cr:", CROISSANT)];
    prefixes.into_iter().find_map(|(prefix, namespace)| Some((namespace, name.strip_prefix(prefix)?)))
}

/// How the IRI of an object's node is formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectIdentity {
    /// The IRI of the enclosing object, with the key and, in an array, the index.
    Inner,
    /// `urn:evalgraph:{system}:{dataset}:{kind}/{id}`, where the id is the value of a member. Without a kind, the `/`
    /// is left out too. An object whose id is missing or taken gets its index instead.
    Record {
        /// The kind of records within which ids are distinct; empty if the dataset has only one kind.
        kind: &'static str,
        /// The member with the id.
        key: &'static str,
    },
    /// No IRI: the node is a blank node.
    Blank,
}

/// A member of an object.
#[derive(Debug, Clone, Copy)]
pub struct RecordMember {
    /// Its key.
    pub key: &'static str,
    /// The path of its value from the object's node; empty for a group.
    pub path: &'static str,
    /// The form of its value in the graph.
    pub form: MemberForm,
}

/// The form of a value in the graph. A value of another JSON type than the form expects becomes an `rdf:JSON` literal;
/// the rules decide whether it is allowed.
#[derive(Debug, Clone, Copy)]
pub enum MemberForm {
    /// A scalar: a string, a boolean, an integer, a decimal with its digits, or a double if there is an exponent. The
    /// datatype restores the JSON type.
    Value,
    /// An array of scalars, with a triple for each. The sidecar keeps their order.
    Values,
    /// An `xsd:dateTime` if the value has that form, otherwise a string.
    DateTime,
    /// A number or string as a string, such as a year. On the way back it becomes a number if it has the form of one.
    Text,
    /// Any value, as an `rdf:JSON` literal.
    Json,
    /// An object with its own node.
    Node(&'static RecordShape),
    /// An array of objects, each with its own node.
    Nodes(&'static RecordShape),
    /// The id of a record of that kind, see [`ObjectIdentity::Record`].
    Reference(&'static str),
    /// An object without a node: the paths of its members begin at the node of the enclosing object.
    Group(&'static [RecordMember]),
    /// The index of the object in its array, which is not a member. It restores the order on the way back.
    Position,
    /// An object that is used as a map: each of its members has its own node. The shape has a row for
    /// [`MemberForm::EntryKey`].
    Entries(&'static RecordShape),
    /// The members that no other row names and that the function chooses, each with its own node as in
    /// [`MemberForm::Entries`]. Only for the table of an object, not for a group. The row has no key.
    OtherMembers(MemberChoice, &'static RecordShape),
    /// The key of an entry in its map, which is not a member of the entry. The row has no key.
    EntryKey,
    /// A scalar like [`MemberForm::Value`], or any other value as an `rdf:JSON` literal. Inside [`MemberForm::Alone`]
    /// it takes the place of an object whatever it is.
    Any,
    /// What the function computes from the value and those around it, if anything. A row without a key computes it
    /// from the object. It is never read back.
    Computed(fn(&ValueContext<'_>) -> Option<ComputedValue>),
    /// What the function finds elsewhere in the file, if anything. It is never read back.
    OfFile(fn(&JsonDocument) -> Option<ComputedValue>),
    /// A string that the function finds in the value, if any. For use inside [`MemberForm::Derived`].
    Excerpt(fn(&JsonDocument, TokenId) -> Option<FoundText>),
    /// A second triple, in the given form, for a value that another row reads back. It is never read back itself.
    Derived(&'static MemberForm),
    /// The given form, if the members meet the conditions. Later rows of the same key are then skipped.
    Where(&'static [MemberCondition], &'static MemberForm),
    /// The given form, if the value is a list of scalars. Later rows of the same key are then skipped.
    OfList(&'static MemberForm),
    /// The given form. A scalar in place of the object means an object with only this member, and vice versa.
    Alone(&'static MemberForm),
}

/// Chooses members of an object by their keys.
pub type MemberChoice = fn(&JsonDocument, TokenId, &str) -> bool;

/// A text with the value that it was found in, whose place it has.
pub type FoundText = (String, TokenId);

/// A condition on the value of a member, given as text: a string without its quotes, another scalar as written.
#[derive(Debug, Clone, Copy)]
pub struct MemberCondition {
    /// The key.
    pub key: &'static str,
    /// `true` if the text meets the condition.
    pub admits: fn(&str) -> bool,
}

/// Returns whether a string has the form of an `xsd:dateTime`.
pub fn is_date_time(text: &str) -> bool {
    DateTime::from_str(text).is_ok()
}

/// Makes a row of a table.
pub const fn member(key: &'static str, path: &'static str, form: MemberForm) -> RecordMember {
    RecordMember { key, path, form }
}

/// Makes the row of a scalar, see [`MemberForm::Value`].
pub const fn value(key: &'static str, path: &'static str) -> RecordMember {
    member(key, path, MemberForm::Value)
}

/// Makes the row of an object without a node, see [`MemberForm::Group`].
pub const fn group(key: &'static str, members: &'static [RecordMember]) -> RecordMember {
    member(key, "", MemberForm::Group(members))
}

/// The tables of a file.
#[derive(Debug, Clone, Copy)]
pub struct FileShape {
    /// The node of the file.
    pub root: &'static RecordShape,
    /// Where the records are.
    pub records: RecordPlacement,
}

impl FileShape {
    /// Returns whether the file is an object with a list of records under that key.
    pub fn has_list(&self, key: &str) -> bool {
        let is_list = |member: &RecordMember| match member.form {
            // Records that need the rest of the file are not read without it.
            MemberForm::Nodes(shape) => member.key == key && !shape.needs_file(),
            _ => false,
        };
        matches!(self.records, RecordPlacement::InRoot) && self.root.members.iter().any(is_list)
    }
}

/// Where the records of a file are.
#[derive(Debug, Clone, Copy)]
pub enum RecordPlacement {
    /// The file is one object, and the root's table says where its records are.
    InRoot,
    /// The file is an array of records, or has one on each line. The property links the root to each record.
    Items(&'static str, &'static RecordShape),
    /// The file is one record. The property links the root to it.
    One(&'static str, &'static RecordShape),
}

impl RecordPlacement {
    /// Returns the property and table of records that the root's table does not mention.
    pub fn beside_root(self) -> Option<(&'static str, &'static RecordShape)> {
        match self {
            Self::InRoot => None,
            Self::Items(property, shape) | Self::One(property, shape) => Some((property, shape)),
        }
    }
}
