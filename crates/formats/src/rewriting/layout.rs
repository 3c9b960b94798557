//! How a document was written, apart from its content: the document, each place in it, and single nodes.
//!
//! A place is the key of an object and the type of the object: `rating Rating`. Keys are spelled as in the document.
//! Without a layout, a document is written as the algorithms produce it.

use super::rewriting_context::RemoteContexts;
use evalgraph_json::JsonStyle;
use evalgraph_rdf::quad_buffer::BufferTermId;
use hashbrown::HashMap;

/// How a document was written.
#[derive(Debug, Clone, Default)]
pub struct DocumentLayout {
    /// The value of `@context` without white space, or `None` if there is none.
    pub context: Option<String>,
    /// The texts of the contexts that it names.
    pub remote: RemoteContexts,
    /// The style of the text.
    pub style: JsonStyle,
    /// `true` if the root is in an array.
    pub in_array: bool,
    /// The key that the document uses for `@id`, if it uses another.
    pub id_key: Option<String>,
    /// The key that the document uses for `@type`, if it uses another.
    pub type_key: Option<String>,
    /// The rules for most objects of each place.
    pub places: HashMap<String, PlaceLayout>,
    /// The exceptions of single nodes.
    pub nodes: HashMap<BufferTermId, NodeLayout>,
    /// The ids that loading changed, by the changed id.
    pub renamed: HashMap<String, String>,
    /// `true` if the renamed questions are exactly the nodes whose id is that of their item and a suffix, so they need
    /// not be listed.
    pub renames_all_questions: bool,
    /// The digests of the graph that was read; they show whether the graph was changed since.
    pub digest: Option<String>,
}

/// How the objects of a place were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlaceLayout {
    /// The order of the keys.
    pub keys: Vec<String>,
    /// The keys with a single value whose use of an array differs from the context.
    pub turned: Vec<String>,
    /// The keys whose whole numbers are written with `.0`.
    pub decimal: Vec<String>,
    /// The order of objects of this place in an array, by their names.
    pub names: Vec<String>,
}

/// How one node was written, if that differs from its place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeLayout {
    /// Its position in its array.
    pub position: Option<u64>,
    /// All keys in their order.
    pub keys: Option<Vec<String>>,
    /// Members that are not in the graph, with their JSON.
    pub raw: Vec<(String, String)>,
    /// Members that are spelled differently: the key, the hash of their values, and their JSON.
    pub spelled: Vec<(String, String, String)>,
    /// The order of plain values, by key: the hashes of the values.
    pub order: Vec<(String, Vec<String>)>,
    /// Keys with a single value whose use of an array differs from the rules of the place.
    pub turned: Vec<String>,
    /// Keys whose use of `.0` in whole numbers differs from the rules of the place.
    pub decimal: Vec<String>,
    /// Keys whose nodes are written out elsewhere.
    pub references: Vec<String>,
    /// `true` if the node is in a member that is not in the graph, so nothing points to it.
    pub is_raw: bool,
}

impl NodeLayout {
    /// Returns whether the layout has only a position.
    pub fn is_position_only(&self) -> bool {
        *self == Self { position: self.position, ..Self::default() }
    }
}

/// Returns the name of a place.
pub fn place_name(key: &str, class: Option<&str>) -> String {
    match class {
        Some(class) => format!("{key} {class}"),
        None => key.to_owned(),
    }
}
