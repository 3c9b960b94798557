//! Term Selection (section 4.4), and its input: the shape of the value that needs a term (IRI Compaction, steps
//! 4.4 to 4.19).

use crate::context::ContainerMapping;
use crate::context::inverse_context::{InverseEntry, InverseKeys, TypeOrLanguage};
use crate::name_interner::{InternedName, Keyword, NameInterner};
use std::hash::{Hash, Hasher};

/// The kind of a value in IRI Compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ValueShapeKind {
    /// There is no value: keywords, types, ids.
    Null,
    /// An empty array, or a string instead of null.
    NoObject,
    Value,
    Node,
    List,
    EmptyList,
    Graph,
}

/// The traits of a value in IRI Compaction. Equal shapes get equal terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ValueShape {
    pub(crate) kind: ValueShapeKind,
    /// `true` if a reverse property is compacted.
    pub(crate) reverse: bool,
    pub(crate) has_index: bool,
    /// `true` if there is an `@id`; whether its IRI has a term.
    pub(crate) has_id: bool,
    pub(crate) id_is_term: bool,
    /// `true` if there is only `@value`.
    pub(crate) only_value: bool,
    /// `true` if a value has a language or a direction.
    pub(crate) has_language: bool,
    /// The preferred type mapping, or language and direction.
    pub(crate) by: TypeOrLanguage,
    pub(crate) preferred: InternedName,
}

/// Equal traits make one number, because each value is looked up by its shape.
impl Hash for ValueShape {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let flags =
            [self.reverse, self.has_index, self.has_id, self.id_is_term, self.only_value, self.has_language];
        let flags = flags.iter().fold(0, |bits, flag| bits << 1 | u64::from(*flag));
        let kinds = (self.kind as u64) << 8 | self.by as u64;
        state.write_u64((self.preferred.index() as u64) << 32 | kinds << 8 | flags);
    }
}

impl ValueShape {
    /// Returns a shape that has only a kind.
    pub(crate) fn of_kind(kind: ValueShapeKind) -> Self {
        Self {
            kind,
            reverse: false,
            has_index: false,
            has_id: false,
            id_is_term: false,
            only_value: false,
            has_language: false,
            by: TypeOrLanguage::Type,
            preferred: Keyword::Id.name(),
        }
    }

    /// IRI Compaction 4.5 to 4.12: returns the suitable containers, best first.
    fn containers(&self, is_1_0: bool) -> Vec<ContainerMapping> {
        use Keyword::{Graph, Id, Index, Language, List, Set, Type};
        let mut containers = Vec::with_capacity(16);
        let is_graph = self.kind == ValueShapeKind::Graph;
        if self.has_index && !is_graph {
            push_with_set(&mut containers, [Index]);
        }
        match self.kind {
            _ if self.reverse => containers.push(ContainerMapping::from_keywords([Set])),
            ValueShapeKind::List | ValueShapeKind::EmptyList => {
                if !self.has_index {
                    containers.push(ContainerMapping::from_keywords([List]));
                }
            }
            ValueShapeKind::Graph => {
                for is_there in [true, false] {
                    if self.has_index == is_there {
                        push_with_set(&mut containers, [Graph, Index]);
                    }
                    if self.has_id == is_there {
                        push_with_set(&mut containers, [Graph, Id]);
                    }
                    if is_there {
                        push_with_set(&mut containers, [Graph]);
                        containers.push(ContainerMapping::from_keywords([Set]));
                    }
                }
                push_with_set(&mut containers, [Index]);
            }
            ValueShapeKind::Value => {
                if self.has_language && !self.has_index {
                    push_with_set(&mut containers, [Language]);
                }
                containers.push(ContainerMapping::from_keywords([Set]));
            }
            ValueShapeKind::Null | ValueShapeKind::NoObject | ValueShapeKind::Node => {
                push_with_set(&mut containers, [Id]);
                push_with_set(&mut containers, [Type]);
                containers.push(ContainerMapping::from_keywords([Set]));
            }
        }
        containers.push(ContainerMapping::default());
        if !is_1_0 && !self.has_index {
            push_with_set(&mut containers, [Index]);
        }
        if !is_1_0 && self.only_value {
            push_with_set(&mut containers, [Language]);
        }
        containers
    }

    /// IRI Compaction 4.15 to 4.19: the preferred values.
    fn preferred_values(&self, keys: InverseKeys, names: &NameInterner) -> Vec<InternedName> {
        let none = Keyword::None.name();
        let mut preferred = Vec::with_capacity(6);
        let is_reverse = self.preferred == Keyword::Reverse.name();
        if is_reverse {
            preferred.push(Keyword::Reverse.name());
        }
        let (id, vocab) = (Keyword::Id.name(), Keyword::Vocab.name());
        if self.has_id && (is_reverse || self.preferred == id) {
            preferred.extend(if self.id_is_term { [vocab, id, none] } else { [id, vocab, none] });
        } else {
            preferred.extend([self.preferred, none]);
        }
        preferred.push(keys.any);
        // A direction counts on its own if its language finds no term.
        let text = names.text(self.preferred);
        if self.by == TypeOrLanguage::Language
            && let Some(direction) = text.find('_').and_then(|at| names.find(&text[at..]))
        {
            preferred.push(direction);
        }
        preferred
    }
}

fn push_with_set<const N: usize>(containers: &mut Vec<ContainerMapping>, keywords: [Keyword; N]) {
    containers.push(ContainerMapping::from_keywords(keywords));
    containers.push(ContainerMapping::from_keywords(keywords.into_iter().chain([Keyword::Set])));
}

/// The Term Selection algorithm: finds the term for an IRI that best fits a value.
pub(crate) fn select_term(
    inverse: &InverseEntry,
    shape: &ValueShape,
    keys: InverseKeys,
    names: &NameInterner,
    is_1_0: bool,
) -> Option<InternedName> {
    let preferred = shape.preferred_values(keys, names);
    shape
        .containers(is_1_0)
        .into_iter()
        .find_map(|container| preferred.iter().find_map(|&value| inverse.term((container, shape.by, value))))
}
