//! The context and the destination of a conversion, and the cause of losses.

use crate::context::BaseDirection;
use crate::expanded_arena::ExpandedArena;
use crate::name_interner::{InternedName, NameInterner};
use crate::warning::JsonLdWarning;
use evalgraph_json::TokenId;
use hashbrown::HashMap;
use std::num::NonZeroU32;

/// The number of the warning about a loss. `Option` of it takes no extra room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LossCause(NonZeroU32);

impl LossCause {
    pub(crate) fn new(warning: u32) -> Self {
        // A document below 4 GiB has fewer warnings than that.
        Self(NonZeroU32::MIN.saturating_add(warning))
    }

    pub(crate) fn number(self) -> u32 {
        self.0.get() - 1
    }
}

/// The data of the expansion at the moment of a call.
pub(crate) struct ExpansionView<'s> {
    pub(crate) arena: &'s ExpandedArena,
    pub(crate) names: &'s NameInterner,
    pub(crate) warnings: &'s mut Vec<JsonLdWarning>,
    /// The key of the property whose values are converted.
    pub(crate) key: TokenId,
}

impl<'s> ExpansionView<'s> {
    pub(crate) fn new(
        arena: &'s ExpandedArena,
        names: &'s NameInterner,
        warnings: &'s mut Vec<JsonLdWarning>,
    ) -> Self {
        Self { arena, names, warnings, key: TokenId::from_index(0) }
    }
}

/// The destination of quads: the graph, and the fault because of which they are lost, if there is one.
#[derive(Clone, Copy)]
pub(crate) struct QuadDestination<T> {
    pub(crate) graph: Option<T>,
    /// The number of the graph in the table of indexes.
    pub(crate) graph_number: u32,
    pub(crate) lost: Option<LossCause>,
}

impl<T> QuadDestination<T> {
    /// The default graph, without a fault.
    pub(crate) const DEFAULT: Self = Self { graph: None, graph_number: 0, lost: None };

    pub(crate) fn losing(self, cause: Option<LossCause>) -> Self {
        Self { lost: self.lost.or(cause), ..self }
    }
}

/// The nodes of strings with a direction.
pub(crate) type CompoundNodes<T> = HashMap<CompoundKey<T>, (T, Option<LossCause>)>;

/// The identity of a string with a direction: graph, subject, predicate, text, language and direction.
pub(crate) type CompoundKey<T> = (Option<T>, T, T, String, Option<InternedName>, BaseDirection);
