//! What is known of the way in which a document was written, apart from what it says: for the
//! document, for each place in it, and for single nodes.
//!
//! A place is the key under which an object stands and the object's type: `rating Rating`. Keys are
//! as the document has them. Without any of this, a document is written as the algorithms leave it.

use super::context::RemoteContexts;
use crate::json::Style;
use crate::rdf::quad_buffer::TermId;
use hashbrown::HashMap;

/// Tells how a document was written.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    /// The value of `@context` without white space; none where there is none.
    pub context: Option<String>,
    /// The texts of the contexts that it names.
    pub remote: RemoteContexts,
    /// How it is laid out.
    pub style: Style,
    /// Whether the node stands in an array.
    pub in_array: bool,
    /// The keys that the document uses for `@id` and `@type`, where they are others.
    pub id_key: Option<String>,
    /// As above.
    pub type_key: Option<String>,
    /// What holds for most objects of a place.
    pub places: HashMap<String, PlaceLayout>,
    /// What holds for single nodes.
    pub nodes: HashMap<TermId, NodeLayout>,
    /// Ids that were changed on loading, by the changed one.
    pub renamed: HashMap<String, String>,
    /// Whether those are, as to questions, all that have the id of their item and something behind
    /// it, so that they need not be listed.
    pub renames_all_questions: bool,
    /// The digests of the graph that was read, by which it is known whether it was changed since.
    pub digest: Option<String>,
}

/// Tells how the objects of a place were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlaceLayout {
    /// The order of the keys.
    pub keys: Vec<String>,
    /// The keys whose single value stands in an array although the context says otherwise, or
    /// alone.
    pub turned: Vec<String>,
    /// The keys whose whole numbers are written with `.0`.
    pub decimal: Vec<String>,
    /// The order of objects of this place in an array, by their names.
    pub names: Vec<String>,
}

/// Tells how one node was written, where that differs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeLayout {
    /// Where it stands in its array.
    pub position: Option<u64>,
    /// All keys in their order.
    pub keys: Option<Vec<String>>,
    /// Members that the graph knows nothing of, with their JSON.
    pub raw: Vec<(String, String)>,
    /// Members that are spelled otherwise: the hash of what they say, and their JSON.
    pub spelled: Vec<(String, String, String)>,
    /// Plain values in their order, by hash.
    pub order: Vec<(String, Vec<String>)>,
    /// Keys that do not do as those of their place do: alone or in an array.
    pub turned: Vec<String>,
    /// The same of numbers with `.0`.
    pub decimal: Vec<String>,
    /// Keys whose nodes are written out elsewhere.
    pub references: Vec<String>,
    /// Whether it stands in a member that the graph knows nothing of, so that nothing points to it.
    pub is_raw: bool,
}

impl NodeLayout {
    /// Tells whether it says nothing but a position.
    pub fn is_position_only(&self) -> bool {
        *self == Self { position: self.position, ..Self::default() }
    }
}

/// The name of a place.
pub fn place_name(key: &str, class: Option<&str>) -> String {
    match class {
        Some(class) => format!("{key} {class}"),
        None => key.to_owned(),
    }
}
