//! The expanded document: node, value and list objects in flat arrays. Texts are references to the source document or
//! to interned names.
//!
//! Every element keeps the token that it came from, so later steps can report its place.
//!
//! `InternedName` is defined in `name_interner.rs`.

use super::context::BaseDirection;
use super::name_interner::{InternedName, Keyword};
use evalgraph_json::TokenId;
use std::ops::Range;

/// An item of an expanded array.
#[derive(Debug, Clone, Copy)]
pub(super) enum ExpandedElement {
    /// A node object, graph object or reference, by number.
    Node(u32),
    /// A list object, by number.
    List(u32),
    /// A value object.
    Value(ValueObject),
    /// A value of `@type` in a node object.
    Type { name: InternedName, token: TokenId },
    /// A null instead of a value, from framing (`@default` with `@null`).
    Null,
    /// A mark for a dropped null, with the number of the warning. Not part of the expanded form.
    Missing { cause: u32 },
    /// A node that was passed on right after its expansion, with the number that the receiver gave it.
    Taken { number: u32, token: TokenId },
    /// A node at the top from which no entry was kept. Not part of the expanded form.
    Phantom(u32),
}

impl ExpandedElement {
    /// Returns whether an element is part of the result. Marks of dropped values are not, nor are nodes that have only
    /// such marks.
    pub(super) fn is_kept(&self) -> bool {
        !matches!(self, Self::Missing { .. } | Self::Phantom(_))
    }
}

/// A value object. Its scalar is read from the document when it is needed.
#[derive(Debug, Clone, Copy)]
pub(super) struct ValueObject {
    /// The scalar, or the whole JSON value of a JSON literal; a key if it came from a map.
    pub(super) token: TokenId,
    /// `@type`; [`NO_DATATYPE`] if there is none, the name of `@json` for JSON literals.
    pub(super) datatype: InternedName,
    /// The number of its [`ValueExtra`], or [`NONE`].
    pub(super) extra: u32,
}

/// The rarer entries of a value object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ValueExtra {
    pub(super) language: Option<InternedName>,
    /// The place of the language in the document, if it is written there.
    pub(super) language_token: Option<TokenId>,
    pub(super) direction: Option<BaseDirection>,
    pub(super) index: Option<TokenId>,
}

pub(super) const NO_DATATYPE: InternedName = InternedName::NO_DATATYPE;

impl InternedName {
    /// `@none` is not a datatype: it means that there is none.
    const NO_DATATYPE: Self = Self::of_keyword(Keyword::None);
}

pub(super) const NONE: u32 = u32::MAX;

/// The `@id` entry of a node object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IdEntry {
    /// `None` if the value expanded to null.
    pub(super) name: Option<InternedName>,
    pub(super) token: TokenId,
}

/// A node object.
#[derive(Debug, Clone)]
pub(super) struct NodeObject {
    pub(super) token: TokenId,
    pub(super) id: Option<IdEntry>,
    pub(super) index: Option<TokenId>,
    first_property: u32,
    property_count: u32,
}

/// The entries of a node object.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeEntries<'a> {
    pub(super) token: TokenId,
    pub(super) id: Option<IdEntry>,
    pub(super) index: Option<TokenId>,
    pub(super) properties: &'a [PropertyEntry],
}

/// The values of one property, or of `@type`, `@graph` or `@included`.
#[derive(Debug, Clone, Copy)]
pub(super) struct PropertyEntry {
    pub(super) name: InternedName,
    pub(super) key: TokenId,
    first: u32,
    count: u32,
    /// `true` if the values point to the node, not the node to the values.
    pub(super) reverse: bool,
    /// The number of the warning that explains why it is dropped, or [`NONE`].
    pub(super) lost: u32,
}

/// A list object.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListObject {
    pub(super) index: Option<TokenId>,
    first: u32,
    count: u32,
}

/// The arrays.
#[derive(Debug, Default)]
pub(super) struct ExpandedArena {
    pub(super) nodes: Vec<NodeObject>,
    lists: Vec<ListObject>,
    properties: Vec<PropertyEntry>,
    elements: Vec<ExpandedElement>,
    extras: Vec<ValueExtra>,
    /// The items of the whole document.
    pub(super) top: Vec<ExpandedElement>,
}

/// The lengths of an arena's arrays at some moment.
pub(super) struct ArenaMark {
    nodes: usize,
    lists: usize,
    properties: usize,
    elements: usize,
    extras: usize,
}

/// Numbers below 2^32: every element comes from a token or two of a document below 4 GiB.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a document below 4 GiB has fewer elements than u32 counts")
}

impl ExpandedArena {
    /// Returns an empty arena that takes over the extra entries of another one, so values of the other arena are valid
    /// in it.
    pub(super) fn with_extras_of(source: &mut Self) -> Self {
        Self { extras: std::mem::take(&mut source.extras), ..Self::default() }
    }

    /// Returns the name of every property of every node, with repetitions.
    pub(super) fn property_names(&self) -> impl Iterator<Item = InternedName> + '_ {
        self.properties.iter().map(|property| property.name)
    }

    pub(super) fn node(&self, node: u32) -> &NodeObject {
        &self.nodes[node as usize]
    }

    pub(super) fn properties(&self, node: u32) -> &[PropertyEntry] {
        let NodeObject { first_property, property_count, .. } = self.nodes[node as usize];
        &self.properties[first_property as usize..][..property_count as usize]
    }

    pub(super) fn entries(&self, node: u32) -> NodeEntries<'_> {
        let NodeObject { token, id, index, .. } = self.nodes[node as usize];
        NodeEntries { token, id, index, properties: self.properties(node) }
    }

    #[inline]
    pub(super) fn values(&self, property: &PropertyEntry) -> &[ExpandedElement] {
        &self.elements[property.first as usize..][..property.count as usize]
    }

    /// Returns the token of an element; for a list, the token of its first item.
    #[inline]
    pub(super) fn token(&self, element: ExpandedElement) -> Option<TokenId> {
        let mut element = element;
        loop {
            return match element {
                ExpandedElement::Node(node) | ExpandedElement::Phantom(node) => Some(self.node(node).token),
                ExpandedElement::Value(value) => Some(value.token),
                ExpandedElement::Type { token, .. } | ExpandedElement::Taken { token, .. } => Some(token),
                ExpandedElement::List(list) => {
                    element = *self.items(self.list(list)).first()?;
                    continue;
                }
                ExpandedElement::Null | ExpandedElement::Missing { .. } => None,
            };
        }
    }

    pub(super) fn list(&self, list: u32) -> &ListObject {
        &self.lists[list as usize]
    }

    pub(super) fn items(&self, list: &ListObject) -> &[ExpandedElement] {
        &self.elements[list.first as usize..][..list.count as usize]
    }

    pub(super) fn extra(&self, value: &ValueObject) -> ValueExtra {
        if value.extra == NONE { ValueExtra::default() } else { self.extras[value.extra as usize] }
    }

    /// Returns the number of extra entries. Entries that equal the last ones share their number.
    pub(super) fn add_extra(&mut self, extra: ValueExtra) -> u32 {
        if extra == ValueExtra::default() {
            return NONE;
        }
        if self.extras.last() != Some(&extra) {
            self.extras.push(extra);
        }
        number(self.extras.len() - 1)
    }

    pub(super) fn add_elements(&mut self, elements: impl Iterator<Item = ExpandedElement>) -> Range<u32> {
        let first = number(self.elements.len());
        self.elements.extend(elements);
        first..number(self.elements.len())
    }

    pub(super) fn add_property(
        &mut self,
        name: InternedName,
        key: TokenId,
        values: Range<u32>,
    ) -> PropertyEntry {
        PropertyEntry {
            name,
            key,
            first: values.start,
            count: values.end - values.start,
            reverse: false,
            lost: NONE,
        }
    }

    /// A property with one value.
    #[inline]
    pub(super) fn add_single(
        &mut self,
        name: InternedName,
        key: TokenId,
        value: ExpandedElement,
    ) -> PropertyEntry {
        let first = number(self.elements.len());
        self.elements.push(value);
        PropertyEntry { name, key, first, count: 1, reverse: false, lost: NONE }
    }

    pub(super) fn add_list(&mut self, items: Range<u32>, index: Option<TokenId>) -> ExpandedElement {
        self.lists.push(ListObject { index, first: items.start, count: items.end - items.start });
        ExpandedElement::List(number(self.lists.len() - 1))
    }

    pub(super) fn set_list_index(&mut self, list: u32, index: TokenId) {
        self.lists[list as usize].index.get_or_insert(index);
    }

    /// Adds a node object with these properties; properties with equal names are merged.
    pub(super) fn add_node(
        &mut self,
        token: TokenId,
        id: Option<IdEntry>,
        index: Option<TokenId>,
        properties: &[PropertyEntry],
    ) -> u32 {
        let first_property = number(self.properties.len());
        self.properties.extend_from_slice(properties);
        self.merge_equal(first_property as usize);
        let property_count = number(self.properties.len()) - first_property;
        self.nodes.push(NodeObject { token, id, index, first_property, property_count });
        number(self.nodes.len() - 1)
    }

    /// Merges equal properties from `first` on; values keep their order.
    fn merge_equal(&mut self, first: usize) {
        let properties = &self.properties[first..];
        let same = |left: &PropertyEntry, right: &PropertyEntry| {
            left.name == right.name && left.reverse == right.reverse && left.lost == right.lost
        };
        // One bit per name is a fast check: if no bit is set twice, no name occurs twice.
        let mut bits = 0_u64;
        let mut distinct = true;
        for property in properties {
            let bit = 1 << (property.name.index() % 64);
            distinct &= bits & bit == 0;
            bits |= bit;
        }
        distinct = distinct
            || if properties.len() <= 24 {
                properties.iter().enumerate().all(|(at, property)| {
                    properties[..at].iter().all(|earlier| earlier.name != property.name)
                })
            } else {
                let mut names: Vec<InternedName> = properties.iter().map(|property| property.name).collect();
                names.sort_unstable();
                names.windows(2).all(|pair| pair[0] != pair[1])
            };
        if distinct {
            return;
        }
        let mut order: Vec<usize> = (0..properties.len()).collect();
        order.sort_by_key(|&at| (properties[at].name, properties[at].reverse, properties[at].lost, at));
        let properties = properties.to_vec();
        let mut merged: Vec<(usize, PropertyEntry)> = Vec::new();
        for group in order.chunk_by(|&left, &right| same(&properties[left], &properties[right])) {
            let mut property = properties[group[0]];
            if group.len() > 1 {
                let values: Vec<ExpandedElement> =
                    group.iter().flat_map(|&at| self.values(&properties[at]).to_vec()).collect();
                let range = self.add_elements(values.into_iter());
                property.first = range.start;
                property.count = range.end - range.start;
            }
            merged.push((group[0], property));
        }
        merged.sort_by_key(|(at, _)| *at);
        self.properties.truncate(first);
        self.properties.extend(merged.into_iter().map(|(_, property)| property));
    }

    /// Inserts a property before those of a finished node.
    pub(super) fn prepend_property(&mut self, node: u32, property: PropertyEntry) {
        let properties: Vec<PropertyEntry> =
            std::iter::once(property).chain(self.properties(node).iter().copied()).collect();
        // Ranges cannot grow in place, so the properties are copied to the end. The old ones stay unused.
        let first_property = number(self.properties.len());
        self.properties.extend(properties);
        self.merge_equal(first_property as usize);
        let node = &mut self.nodes[node as usize];
        node.first_property = first_property;
        node.property_count = number(self.properties.len()) - first_property;
    }

    /// Adds a property after those of a finished node.
    pub(super) fn append_property(&mut self, node: u32, property: PropertyEntry) {
        let mut properties = self.properties(node).to_vec();
        properties.push(property);
        let first_property = number(self.properties.len());
        self.properties.extend(properties);
        let node = &mut self.nodes[node as usize];
        node.first_property = first_property;
        node.property_count = number(self.properties.len()) - first_property;
    }

    /// Removes everything from a node except its id, so it becomes a reference.
    pub(super) fn reduce_to_reference(&mut self, node: u32) {
        let node = &mut self.nodes[node as usize];
        node.index = None;
        node.property_count = 0;
    }

    /// Returns the lengths of the arrays.
    pub(super) fn mark(&self) -> ArenaMark {
        ArenaMark {
            nodes: self.nodes.len(),
            lists: self.lists.len(),
            properties: self.properties.len(),
            elements: self.elements.len(),
            extras: self.extras.len(),
        }
    }

    /// Removes everything that was added since a mark.
    pub(super) fn forget(&mut self, mark: &ArenaMark) {
        self.nodes.truncate(mark.nodes);
        self.lists.truncate(mark.lists);
        self.properties.truncate(mark.properties);
        self.elements.truncate(mark.elements);
        self.extras.truncate(mark.extras);
    }

    /// Returns whether a node is a graph object: it has `@graph`, and otherwise only `@id` and `@index`.
    pub(super) fn is_graph_object(&self, node: u32) -> bool {
        let mut kept = self.properties(node).iter().filter(|property| property.lost == NONE);
        kept.next().is_some_and(|property| property.name == Keyword::Graph.name()) && kept.next().is_none()
    }
}
