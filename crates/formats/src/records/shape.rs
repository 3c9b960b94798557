//! Tables that say what the members of a native object become in the graph, and so how a graph becomes the
//! object again.
//!
//! A path leads from the node of an object to a value: `item:Question#question/acceptedAnswer:Answer/text`.
//! Its steps are separated by `/`. A step is a property, followed by `:` and the node that it leads to: the
//! classes of the node, separated by `+`; its constants in braces, `{reviewAspect=accuracy}`; and its
//! identity, `#question` for the IRI of the object's node with `/question`, `@doc(doc_id)` for the
//! node of the dataset that the value of a member names. A node without identity is a blank node. Names
//! are schema.org's; our own begin with `eg:`. Members whose paths begin with the same steps share
//! the nodes on the way.

use std::str::FromStr;

use oxsdatatypes::DateTime;

use evalgraph_json::{JsonDocument, TokenId};

/// A native object and its node.
#[derive(Debug)]
pub struct RecordShape {
    /// Its name in messages: `row`, `sample`, `Feedback`.
    pub name: &'static str,
    /// The classes and constants of its node, in the notation of a step behind the `:`. The last class is of our
    /// vocabulary and distinguishes nodes of this shape from others.
    pub node: &'static str,
    /// Which IRI its node has.
    pub identity: ObjectIdentity,
    /// Its members, in the order of the file.
    pub members: &'static [RecordMember],
}

/// A table of an object.
pub const fn record(
    name: &'static str,
    node: &'static str,
    identity: ObjectIdentity,
    members: &'static [RecordMember],
) -> RecordShape {
    RecordShape { name, node, identity, members }
}

/// Tells how the IRI of an object's node is formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectIdentity {
    /// The IRI of the enclosing object, with the key and, in an array, the index.
    Inner,
    /// `urn:evalgraph:{system}:{dataset}:{kind}/{id}`, where the id is the value of a member; without a kind,
    /// the `/` is left out too. An object whose id is missing or taken has its index instead.
    Record {
        /// The kind among which ids are distinct; empty where the dataset has one kind of records.
        kind: &'static str,
        /// The member with the id.
        key: &'static str,
    },
    /// None.
    Blank,
}

/// A member of an object.
#[derive(Debug, Clone, Copy)]
pub struct RecordMember {
    /// Its key.
    pub key: &'static str,
    /// The path of its value from the object's node; empty for a group.
    pub path: &'static str,
    /// What its value becomes.
    pub form: MemberForm,
}

/// Tells what a value becomes. A value of another JSON type than the form expects is kept whole as
/// `rdf:JSON`; the rules decide whether it is allowed.
#[derive(Debug, Clone, Copy)]
pub enum MemberForm {
    /// A scalar: a string, a boolean, an integer, a decimal with its digits, a double where there is
    /// an exponent. The datatype restores the JSON type.
    Value,
    /// An array of scalars: a triple for each. The sidecar keeps their order.
    Values,
    /// An `xsd:dateTime` where the text has that form, otherwise a string.
    DateTime,
    /// A number or string as a plain text, such as a year; on the way back a number where it has the form
    /// of one.
    Text,
    /// Anything, kept whole as `rdf:JSON`.
    Json,
    /// An object with a node of its own.
    Node(&'static RecordShape),
    /// An array of objects with nodes of their own.
    Nodes(&'static RecordShape),
    /// The id of a record of that kind, see [`ObjectIdentity::Record`].
    Reference(&'static str),
    /// An object without a node: the paths of its members begin at the node of the object it is in.
    Group(&'static [RecordMember]),
    /// The index of the object in its array, which is not a member: it restores the order on the way back.
    Position,
    /// A text found in the value, if there is one: for [`MemberForm::Derived`].
    Excerpt(fn(&JsonDocument, TokenId) -> Option<String>),
    /// A second triple, in the given form, for a value that another row reads back; it is never read itself.
    Derived(&'static MemberForm),
    /// The given form, if the members have such values; then later rows of the same key are skipped.
    Where(&'static [MemberCondition], &'static MemberForm),
    /// The given form. A scalar in place of the object stands for an object with only this member, and vice versa.
    Alone(&'static MemberForm),
}

/// Tells which texts the value of a member may be: a string without its quotes, another scalar as written.
#[derive(Debug, Clone, Copy)]
pub struct MemberCondition {
    /// The key.
    pub key: &'static str,
    /// `true` if a text is one of them.
    pub admits: fn(&str) -> bool,
}

/// Returns whether a text has the form of an `xsd:dateTime`.
pub fn is_date_time(text: &str) -> bool {
    DateTime::from_str(text).is_ok()
}

/// A row of a table.
pub const fn member(key: &'static str, path: &'static str, form: MemberForm) -> RecordMember {
    RecordMember { key, path, form }
}

/// A row of a scalar, see [`MemberForm::Value`].
pub const fn value(key: &'static str, path: &'static str) -> RecordMember {
    member(key, path, MemberForm::Value)
}

/// A row of an object without a node, see [`MemberForm::Group`].
pub const fn group(key: &'static str, members: &'static [RecordMember]) -> RecordMember {
    member(key, "", MemberForm::Group(members))
}

/// Holds the tables of a file.
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
        let is_list =
            |member: &RecordMember| member.key == key && matches!(member.form, MemberForm::Nodes(_));
        matches!(self.records, RecordPlacement::InRoot) && self.root.members.iter().any(is_list)
    }
}

/// Tells where the records of a file are.
#[derive(Debug, Clone, Copy)]
pub enum RecordPlacement {
    /// The file is one object, and the root's table says where its records are.
    InRoot,
    /// The file is an array of records, or has one on each line; each hangs on the root by the property.
    Items(&'static str, &'static RecordShape),
    /// The file is one record, which hangs on the root by the property.
    One(&'static str, &'static RecordShape),
}

impl RecordPlacement {
    /// The property and table of records that the root's table does not mention.
    pub fn beside_root(self) -> Option<(&'static str, &'static RecordShape)> {
        match self {
            Self::InRoot => None,
            Self::Items(property, shape) | Self::One(property, shape) => Some((property, shape)),
        }
    }
}
