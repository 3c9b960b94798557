//! Tables that say what the members of a native object become in the graph, and so what they are
//! made of on the way back.
//!
//! A path leads from the node of an object to a value: `item:Question#question/acceptedAnswer:Answer/text`.
//! Its steps are parted by `/`. A step is a property, and behind `:` the node that it leads to: its
//! classes, parted by `+`; in braces what is always said of it, `{reviewAspect=accuracy}`; and its
//! identity, `#question` for the IRI of the object's node with `/question`, `@doc(doc_id)` for the
//! node of the dataset that the value of a member names. Without identity it is a blank node. Names
//! are schema.org's; `eg:` stands before our own. Members whose paths begin with the same steps share
//! the nodes on the way.

use crate::json::{Document, TokenId};

/// A native object, and what its node is.
#[derive(Debug)]
pub struct RecordShape {
    /// What messages call it: `row`, `sample`, `Feedback`.
    pub name: &'static str,
    /// The classes of its node, and what is always said of it, as behind the `:` of a step. The last
    /// class is of our vocabulary and tells nodes of this shape from others.
    pub node: &'static str,
    /// Which IRI its node has.
    pub identity: Identity,
    /// Its members, in the order in which they are written.
    pub members: &'static [Member],
}

/// A table of an object.
pub const fn record(
    name: &'static str,
    node: &'static str,
    identity: Identity,
    members: &'static [Member],
) -> RecordShape {
    RecordShape { name, node, identity, members }
}

/// Tells which IRI the node of an object has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// That of the object it stands in, with its key, and with its index in an array.
    Inner,
    /// `urn:evalgraph:{system}:{dataset}:{kind}/{id}`, the id being the value of a member; without a
    /// kind, without the `/`. An object without id, or with that of another, has its index instead.
    Record {
        /// What ids are distinct among; empty where the dataset has one kind of records.
        kind: &'static str,
        /// The member with the id.
        key: &'static str,
    },
    /// None.
    Blank,
}

/// A member of an object.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    /// Its key.
    pub key: &'static str,
    /// Where its value goes, from the object's node; empty for a group.
    pub path: &'static str,
    /// What its value becomes.
    pub form: Form,
}

/// Tells what a value becomes. A value of another JSON type than a form expects is kept whole as
/// `rdf:JSON`; whether it may be there is for the rules to say.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// A scalar: a string, a boolean, an integer, a decimal with its digits, a double where there is
    /// an exponent. The datatype leads back.
    Value,
    /// An array of scalars: a triple for each. Their order is the sidecar's affair.
    Values,
    /// An `xsd:dateTime` where the text is one, else a string.
    DateTime,
    /// A number or string as a plain text, such as a year; on the way back a number where it reads
    /// as one.
    Text,
    /// Anything, kept whole as `rdf:JSON`.
    Json,
    /// An object with a node of its own.
    Node(&'static RecordShape),
    /// An array of objects with nodes of their own.
    Nodes(&'static RecordShape),
    /// The id of a record of that kind, see [`Identity::Record`].
    Reference(&'static str),
    /// An object without a node: the paths of its members begin at the node of the object it is in.
    Group(&'static [Member]),
    /// The index of the object in its array, which is no member: it gives the order on the way back.
    Position,
    /// A text that is found in the value, where one is: for [`Form::Derived`].
    Excerpt(fn(&Document, TokenId) -> Option<String>),
    /// A second triple for a value that another row reads back: as in that form, never read.
    Derived(&'static Form),
    /// As in that form, if the members have these values; then the other rows of the key below this one
    /// have nothing.
    Where(&'static [Condition], &'static Form),
    /// As in that form. A scalar in the place of the object stands for an object with this member alone,
    /// and the other way round.
    Alone(&'static Form),
}

/// Tells which texts the value of a member may be: a string without its quotes, another scalar as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// The key.
    pub key: &'static str,
    /// The texts.
    pub is_one_of: &'static [&'static str],
}

/// A row of a table.
pub const fn member(key: &'static str, path: &'static str, form: Form) -> Member {
    Member { key, path, form }
}

/// A row of a scalar, see [`Form::Value`].
pub const fn value(key: &'static str, path: &'static str) -> Member {
    member(key, path, Form::Value)
}

/// A row of an object without a node, see [`Form::Group`].
pub const fn group(key: &'static str, members: &'static [Member]) -> Member {
    member(key, "", Form::Group(members))
}

/// Holds what a file is made of.
#[derive(Debug, Clone, Copy)]
pub struct FileShape {
    /// The node of the file.
    pub root: &'static RecordShape,
    /// Where the records are.
    pub records: Records,
}

impl FileShape {
    /// Tells whether the file is an object, and has records in a list under that key.
    pub fn has_list(&self, key: &str) -> bool {
        let is_list = |member: &Member| member.key == key && matches!(member.form, Form::Nodes(_));
        matches!(self.records, Records::InRoot) && self.root.members.iter().any(is_list)
    }
}

/// Tells where the records of a file are.
#[derive(Debug, Clone, Copy)]
pub enum Records {
    /// The file is one object, and the rows of the root's table say where in it.
    InRoot,
    /// The file is an array of records, or one on each line; each hangs on the root by the property.
    Items(&'static str, &'static RecordShape),
    /// The file is one record, which hangs on the root by the property.
    One(&'static str, &'static RecordShape),
}

impl Records {
    /// The property that records hang on the root by, and their table, where the root's table does not say so.
    pub fn beside_root(self) -> Option<(&'static str, &'static RecordShape)> {
        match self {
            Self::InRoot => None,
            Self::Items(property, shape) | Self::One(property, shape) => Some((property, shape)),
        }
    }
}
