//! Finds the subjects of a graph that may match a frame, with indexes by type, property and reference. Each index is
//! made on first use, in one pass over the graph.

use crate::expanded_arena::ExpandedElement;
use crate::flattening::node_map::NodeMap;
use crate::name_interner::{InternedName, Keyword};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

type SubjectsByKey<K> = HashMap<K, Vec<u32>, FixedState>;

/// The indexes of one graph. Subjects are in the order of the graph.
#[derive(Default)]
pub(crate) struct SubjectIndex {
    types: Option<SubjectsByKey<InternedName>>,
    properties: Option<SubjectsByKey<InternedName>>,
    /// The subjects by property, and by the id that one of its values refers to.
    references: HashMap<InternedName, SubjectsByKey<InternedName>, FixedState>,
}

impl SubjectIndex {
    /// Returns the subjects that have one of the types.
    pub(crate) fn with_type(&mut self, map: &NodeMap, graph: u32, types: &[InternedName]) -> Vec<u32> {
        let index = self.types.get_or_insert_with(|| by_type(map, graph));
        union(types.iter().filter_map(|name| index.get(name)))
    }

    /// Returns the subjects that have one of the properties, which may include `@type`.
    pub(crate) fn with_property(
        &mut self,
        map: &NodeMap,
        graph: u32,
        properties: &[InternedName],
    ) -> Vec<u32> {
        let index = self.properties.get_or_insert_with(|| by_property(map, graph));
        union(properties.iter().filter_map(|name| index.get(name)))
    }

    /// Returns the subjects that refer to an id with a property.
    pub(crate) fn referring(
        &mut self,
        map: &NodeMap,
        graph: u32,
        property: InternedName,
        id: InternedName,
    ) -> Vec<u32> {
        let index = self.references.entry(property).or_insert_with(|| by_reference(map, graph, property));
        index.get(&id).cloned().unwrap_or_default()
    }
}

/// Joins lists of subjects: sorted, each subject once.
fn union<'a>(lists: impl Iterator<Item = &'a Vec<u32>>) -> Vec<u32> {
    let mut subjects: Vec<u32> = Vec::new();
    let mut parts = 0;
    for list in lists {
        subjects.extend_from_slice(list);
        parts += 1;
    }
    if parts > 1 {
        subjects.sort_unstable();
        subjects.dedup();
    }
    subjects
}

fn by_type(map: &NodeMap, graph: u32) -> SubjectsByKey<InternedName> {
    let mut index: SubjectsByKey<InternedName> = HashMap::default();
    for &subject in &map.graphs[graph as usize].subjects {
        let properties = map.arena.properties(map.subjects[subject as usize].node);
        let types = properties.iter().find(|property| property.name == Keyword::Type.name());
        for element in types.map(|types| map.arena.values(types)).unwrap_or_default() {
            if let ExpandedElement::Type { name, .. } = element {
                index.entry(*name).or_default().push(subject);
            }
        }
    }
    index
}

fn by_property(map: &NodeMap, graph: u32) -> SubjectsByKey<InternedName> {
    let mut index: SubjectsByKey<InternedName> = HashMap::default();
    for &subject in &map.graphs[graph as usize].subjects {
        for property in map.arena.properties(map.subjects[subject as usize].node) {
            if !map.arena.values(property).is_empty() {
                index.entry(property.name).or_default().push(subject);
            }
        }
    }
    index
}

fn by_reference(map: &NodeMap, graph: u32, name: InternedName) -> SubjectsByKey<InternedName> {
    let mut index: SubjectsByKey<InternedName> = HashMap::default();
    for &subject in &map.graphs[graph as usize].subjects {
        let properties = map.arena.properties(map.subjects[subject as usize].node);
        let Some(property) = properties.iter().find(|property| property.name == name) else { continue };
        for element in map.arena.values(property) {
            if let ExpandedElement::Node(node) = element
                && let Some(id) = map.arena.node(*node).id.and_then(|id| id.name)
            {
                index.entry(id).or_default().push(subject);
            }
        }
    }
    index
}
