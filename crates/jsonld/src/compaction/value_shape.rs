//! IRI Compaction (section 6.2), steps 4.5 to 4.9: the shapes of elements.
//!
//! `CompactionAlgorithm` is defined in `compaction/mod.rs`.

use crate::compaction::CompactionAlgorithm;
use crate::compaction::compaction_context::CompactionContext;
use crate::compaction::term_selection::{ValueShape, ValueShapeKind};
use crate::context::BaseDirection;
use crate::context::inverse_context::TypeOrLanguage;
use crate::expanded_arena::{ExpandedArena, ExpandedElement, NO_DATATYPE, ValueObject};
use crate::name_interner::{InternedName, Keyword};

impl CompactionAlgorithm<'_, '_> {
    /// Returns the traits that decide the term for a property with this value.
    #[inline]
    pub(crate) fn shape(
        &mut self,
        context: &CompactionContext,
        element: ExpandedElement,
        reverse: bool,
    ) -> ValueShape {
        match element {
            ExpandedElement::Value(value) => self.value_shape(value),
            ExpandedElement::Node(node) => self.node_shape(context, node, reverse),
            ExpandedElement::List(list) => self.list_shape(list),
            _ => ValueShape { reverse, ..ValueShape::of_kind(ValueShapeKind::NoObject) },
        }
    }

    /// IRI Compaction 4.9.1.
    #[inline]
    fn value_shape(&mut self, value: ValueObject) -> ValueShape {
        let shape = ValueShape { by: TypeOrLanguage::Language, ..ValueShape::of_kind(ValueShapeKind::Value) };
        let extra = self.arena.extra(&value);
        let has_index = extra.index.is_some();
        if (extra.direction.is_some() || extra.language.is_some()) && !has_index {
            let preferred = self.language_key(extra.language, extra.direction);
            return ValueShape { has_language: true, preferred, ..shape };
        }
        if value.datatype != NO_DATATYPE {
            return ValueShape { has_index, by: TypeOrLanguage::Type, preferred: value.datatype, ..shape };
        }
        let only_value = !has_index && extra.language.is_none() && extra.direction.is_none();
        ValueShape { has_index, only_value, preferred: self.keys.null, ..shape }
    }

    /// IRI Compaction 4.6, 4.8 and 4.9.2.
    fn node_shape(&mut self, context: &CompactionContext, node: u32, reverse: bool) -> ValueShape {
        let arena = self.arena;
        let kind = if arena.is_graph_object(node) { ValueShapeKind::Graph } else { ValueShapeKind::Node };
        let id = arena.node(node).id;
        // IRI Compaction 4.16.1: only an IRI that a term maps to can become a term.
        let id_is_term = id.is_some_and(|id| {
            id.name.is_some_and(|name| {
                context.has_term_for(name)
                    && self
                        .compact_vocab(context, name, ValueShape::of_kind(ValueShapeKind::Null), id.token)
                        .is_ok_and(|term| {
                            term.definition.as_ref().is_some_and(|definition| definition.iri == Some(name))
                        })
            })
        });
        ValueShape {
            reverse,
            has_index: arena.node(node).index.is_some(),
            has_id: id.is_some(),
            id_is_term,
            preferred: if reverse { Keyword::Reverse.name() } else { Keyword::Id.name() },
            ..ValueShape::of_kind(kind)
        }
    }

    /// IRI Compaction 4.7: the common traits of all items of a list.
    fn list_shape(&mut self, list: u32) -> ValueShape {
        let arena = self.arena;
        let list = arena.list(list);
        let none = Keyword::None.name();
        let shape =
            ValueShape { has_index: list.index.is_some(), ..ValueShape::of_kind(ValueShapeKind::List) };
        let mut common: Option<(InternedName, InternedName)> = None;
        for &item in arena.items(list).iter().filter(|item| item.is_kept()) {
            let (language, datatype) = self.item_language_and_type(item);
            let is_value = matches!(item, ExpandedElement::Value(_));
            let (mut common_language, mut common_type) = common.unwrap_or((language, datatype));
            if common_language != language && is_value {
                common_language = none;
            }
            if common_type != datatype {
                common_type = none;
            }
            common = Some((common_language, common_type));
            if common_language == none && common_type == none {
                break;
            }
        }
        match common {
            None => ValueShape {
                kind: ValueShapeKind::EmptyList,
                by: TypeOrLanguage::Any,
                preferred: none,
                ..shape
            },
            Some((language, datatype)) if datatype == none => {
                ValueShape { by: TypeOrLanguage::Language, preferred: language, ..shape }
            }
            Some((_, datatype)) => ValueShape { preferred: datatype, ..shape },
        }
    }

    /// IRI Compaction 4.7.4.1 to 4.7.4.3.
    fn item_language_and_type(&mut self, item: ExpandedElement) -> (InternedName, InternedName) {
        let none = Keyword::None.name();
        let ExpandedElement::Value(value) = item else { return (none, Keyword::Id.name()) };
        let extra = self.arena.extra(&value);
        if extra.language.is_some() || extra.direction.is_some() {
            return (self.language_key(extra.language, extra.direction), none);
        }
        if value.datatype == NO_DATATYPE { (self.keys.null, none) } else { (none, value.datatype) }
    }

    fn language_key(
        &mut self,
        language: Option<InternedName>,
        direction: Option<BaseDirection>,
    ) -> InternedName {
        if let Some(&key) = self.language_keys.get(&(language, direction)) {
            return key;
        }
        let key = self.keys.language(&mut self.contexts.names, language, direction);
        self.language_keys.insert((language, direction), key);
        key
    }
}

/// The contents of a graph object.
pub(crate) fn graph_contents(
    arena: &ExpandedArena,
    node: u32,
) -> impl Iterator<Item = ExpandedElement> + Clone + '_ {
    let graph = arena.properties(node).iter().find(|property| {
        property.name == Keyword::Graph.name() && property.lost == crate::expanded_arena::NONE
    });
    let values = graph.map_or(&[][..], |graph| arena.values(graph));
    values.iter().copied().filter(ExpandedElement::is_kept)
}
