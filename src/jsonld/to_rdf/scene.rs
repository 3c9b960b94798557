//! The context and the destination of a conversion, and the cause of losses.

use crate::json::TokenId;
use crate::jsonld::context::Direction;
use crate::jsonld::expanded::Arena;
use crate::jsonld::names::{NameId, Names};
use crate::jsonld::warning::Warning;
use hashbrown::HashMap;
use std::num::NonZeroU32;

/// The number of the warning about a loss. Without a cause, the option takes no extra room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jsonld) struct Cause(NonZeroU32);

impl Cause {
    pub(in crate::jsonld) fn new(warning: u32) -> Self {
        // A document below 4 GiB has fewer warnings than that.
        Self(NonZeroU32::MIN.saturating_add(warning))
    }

    pub(in crate::jsonld) fn number(self) -> u32 {
        self.0.get() - 1
    }
}

/// The data of the expansion at the moment of a call.
pub(in crate::jsonld) struct Scene<'s> {
    pub(in crate::jsonld) arena: &'s Arena,
    pub(in crate::jsonld) names: &'s Names,
    pub(in crate::jsonld) warnings: &'s mut Vec<Warning>,
    /// The key of the property whose values become quads.
    pub(in crate::jsonld) key: TokenId,
}

impl<'s> Scene<'s> {
    pub(in crate::jsonld) fn new(arena: &'s Arena, names: &'s Names, warnings: &'s mut Vec<Warning>) -> Self {
        Self { arena, names, warnings, key: TokenId::from_index(0) }
    }
}

/// The destination of quads: the graph, and the fault that loses them if there is one.
#[derive(Clone, Copy)]
pub(in crate::jsonld) struct Destination<T> {
    pub(in crate::jsonld) graph: Option<T>,
    /// The number of the graph in the table of indexes.
    pub(in crate::jsonld) graph_number: u32,
    pub(in crate::jsonld) lost: Option<Cause>,
}

impl<T> Destination<T> {
    /// The default graph, without a fault.
    pub(in crate::jsonld) const DEFAULT: Self = Self { graph: None, graph_number: 0, lost: None };

    pub(in crate::jsonld) fn losing(self, cause: Option<Cause>) -> Self {
        Self { lost: self.lost.or(cause), ..self }
    }
}

/// The nodes of strings with a direction.
pub(in crate::jsonld) type Compounds<T> = HashMap<CompoundKey<T>, (T, Option<Cause>)>;

/// The identity of a string with a direction: graph, subject, predicate, text, language and direction.
pub(in crate::jsonld) type CompoundKey<T> = (Option<T>, T, T, String, Option<NameId>, Direction);
