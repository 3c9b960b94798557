//! Compaction Algorithm (section 6.1): elements and the contexts that they are compacted under.
//!
//! The module [`entries`](crate::compaction::entries) has the entries of node objects,
//! [`maps`](crate::compaction::maps) has the map containers.
//!
//! Other algorithms call [`compact`]: it takes the elements of an arena, the documents of its tokens, a context
//! and the options, and returns the [`Pieces`] of one JSON object. `@context` is added when they are written
//! ([`PieceWriter`](crate::compaction::compacted::PieceWriter)). [`Top`] says how the elements become
//! one object, and [`Element::Null`] is a null that framing put in the place of a value (`@default` with
//! `@null`).

pub(super) mod compacted;
mod compaction_context;
pub(super) mod entries;
mod entry;
pub(super) mod iri_compaction;
pub(super) mod maps;
pub(super) mod term_selection;
pub(super) mod value_compaction;
pub(super) mod value_shape;

use crate::Outcome;
use crate::compaction::compacted::{Piece, Pieces};
use crate::compaction::compaction_context::{Active, CompactedProperty, CompactionContext};
use crate::compaction::entry::{Entry, Extraction};
use crate::context::inverse_context::InverseKeys;
use crate::context::processing::ContextProcessor;
use crate::context::term_creation::Call;
use crate::context::{ActiveContext, Direction, TermDefinition};
use crate::expanded::{Arena, Element, NONE, Value};
use crate::names::{Keyword, NameId};
use crate::sources::Sources;
use evalgraph_json::{Document, TokenId};
use hashbrown::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// How the compacted elements become one object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Top {
    /// One element is the object itself, none is an empty object, several are in `@graph` (`compact()`).
    Alone,
    /// Any number of elements are in an array under `@graph` (flattening, and framing without `omitGraph`).
    InGraph,
}

/// The options of the algorithm.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompactionOptions {
    pub(crate) compact_arrays: bool,
    pub(crate) ordered: bool,
    pub(crate) top: Top,
}

/// Compacts elements to the pieces of one object.
pub(crate) fn compact(
    contexts: &mut ContextProcessor<'_>,
    arena: &Arena,
    sources: Sources<'_>,
    elements: &[Element],
    context: &Rc<ActiveContext>,
    options: CompactionOptions,
) -> Outcome<Pieces> {
    let keys = InverseKeys::new(&mut contexts.names);
    let mut compactor = Compactor {
        contexts,
        arena,
        sources,
        document: sources.document,
        options,
        keys,
        pieces: Pieces::default(),
        entries: Vec::new(),
        items: Vec::new(),
        known: HashMap::default(),
        scoped: HashMap::default(),
        language_keys: HashMap::default(),
    };
    compactor.top(elements, context)?;
    Ok(compactor.pieces)
}

/// The key of a scoped context: the serial of the outer context, the definition that has it, and its kind.
type ScopedKey = (u64, usize, Scope);

type FastMap<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// One compaction under way.
pub(crate) struct Compactor<'c, 'l> {
    pub(crate) contexts: &'c mut ContextProcessor<'l>,
    pub(crate) arena: &'c Arena,
    pub(crate) sources: Sources<'c>,
    /// The source document, which has the pieces.
    pub(crate) document: &'c Arc<Document>,
    pub(crate) options: CompactionOptions,
    pub(crate) keys: InverseKeys,
    pub(crate) pieces: Pieces,
    /// The entries of the objects that are open, and the items of those entries.
    pub(crate) entries: Vec<Entry>,
    pub(crate) items: Vec<(u32, Element)>,
    /// The contexts by their serials.
    known: FastMap<u64, Rc<CompactionContext>>,
    /// The definition is kept beside its context, so that no other definition gets its address.
    scoped: FastMap<ScopedKey, (Rc<TermDefinition>, Rc<CompactionContext>)>,
    pub(crate) language_keys: FastMap<(Option<NameId>, Option<Direction>), NameId>,
}

/// The kind of a scoped context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Scope {
    Property,
    Type,
}

impl Compactor<'_, '_> {
    fn top(&mut self, elements: &[Element], context: &Rc<ActiveContext>) -> Outcome {
        let context = self.known_context(Rc::clone(context));
        let property = Rc::new(CompactedProperty::null());
        let active = Active { context: &context, property: &property };
        let mut kept = elements.iter().copied().filter(Element::is_kept);
        let count = kept.clone().count();
        match (self.options.top, count) {
            (Top::Alone, 0) => {
                self.pieces.push(Piece::OpenObject);
                self.pieces.push(Piece::CloseObject);
            }
            (Top::Alone, 1) if self.options.compact_arrays => {
                let element = kept.next().unwrap_or(Element::Null);
                self.compact_element(active, element)?;
            }
            _ => {
                self.pieces.push(Piece::OpenObject);
                let graph = self.alias(&context, Keyword::Graph)?;
                self.pieces.push(Piece::Key(graph));
                self.pieces.push(Piece::OpenArray);
                for element in kept {
                    self.compact_element(active, element)?;
                }
                self.pieces.push(Piece::CloseArray);
                self.pieces.push(Piece::CloseObject);
            }
        }
        Ok(())
    }

    /// Returns an active context with its inverse context, made once.
    pub(crate) fn known_context(&mut self, active: Rc<ActiveContext>) -> Rc<CompactionContext> {
        if let Some(known) = self.known.get(&active.serial) {
            return Rc::clone(known);
        }
        let serial = active.serial;
        let context = Rc::new(CompactionContext::new(active));
        self.known.insert(serial, Rc::clone(&context));
        context
    }

    /// Returns the context before one that is not propagated (Compaction 5).
    pub(crate) fn previous(&mut self, context: &Rc<CompactionContext>) -> Rc<CompactionContext> {
        match context.active.previous.clone() {
            Some(previous) => self.known_context(previous),
            None => Rc::clone(context),
        }
    }

    /// Returns the context after the scoped context of a term definition.
    fn scoped_context(
        &mut self,
        context: &Rc<CompactionContext>,
        definition: &Rc<TermDefinition>,
        scope: Scope,
    ) -> Outcome<Rc<CompactionContext>> {
        let Some(local) = &definition.context else { return Ok(Rc::clone(context)) };
        let key = (context.active.serial, Rc::as_ptr(definition) as usize, scope);
        if let Some((_, scoped)) = self.scoped.get(&key) {
            return Ok(Rc::clone(scoped));
        }
        let call = match scope {
            Scope::Property => Call { override_protected: true, ..Call::default() },
            Scope::Type => Call { propagate: false, ..Call::default() },
        };
        let active = self.contexts.process(&context.active, local, call)?;
        let scoped = self.known_context(active);
        self.scoped.insert(key, (Rc::clone(definition), Rc::clone(&scoped)));
        Ok(scoped)
    }

    /// Compaction 6: the context inside a property, and the property as it is defined there.
    pub(crate) fn property_scoped(
        &mut self,
        active: Active<'_>,
    ) -> Outcome<(Rc<CompactionContext>, Rc<CompactedProperty>)> {
        match &active.property.definition {
            Some(definition) if definition.context.is_some() => {
                let scoped = self.scoped_context(active.context, definition, Scope::Property)?;
                let property = Rc::new(CompactedProperty::new(active.property.name, &scoped.active));
                Ok((scoped, property))
            }
            _ => Ok((Rc::clone(active.context), Rc::clone(active.property))),
        }
    }

    /// Compaction 2 to 8 for one element, which becomes one value.
    pub(crate) fn compact_element(&mut self, active: Active<'_>, element: Element) -> Outcome {
        match element {
            Element::Value(value) => self.compact_value(active, value),
            Element::Node(node) => self.compact_node(active, node, &Extraction::Nothing).map(drop),
            Element::List(list) => self.compact_inner_list(active, list),
            Element::Type { name, .. } => {
                self.pieces.push(Piece::Name(name));
                Ok(())
            }
            Element::Null | Element::Missing { .. } | Element::Phantom(_) | Element::Taken { .. } => {
                self.pieces.push(Piece::Null);
                Ok(())
            }
        }
    }

    /// Compaction 5 to 13 for a node object. Returns the key of the map that the node is in, if the key is taken
    /// out of the node.
    pub(crate) fn compact_node(
        &mut self,
        outer: Active<'_>,
        node: u32,
        extraction: &Extraction,
    ) -> Outcome<Option<NameId>> {
        let is_id_alone = self.has_only_id(node);
        let is_indexed = self.arena.node(node).index.is_some();
        // Compaction 5: the context of a type ends where another node begins.
        let around =
            if is_id_alone && !is_indexed { Rc::clone(outer.context) } else { self.previous(outer.context) };
        let (mut context, property) = self.property_scoped(Active { context: &around, ..outer })?;
        // Compaction 7.
        if is_id_alone && self.compact_reference(&context, &property, node)? {
            return Ok(None);
        }
        let type_context = Rc::clone(&context);
        if context.active.has_scoped_contexts {
            context = self.type_scoped(&type_context, node)?;
        }
        let contexts = NodeContexts { context: &context, type_context: &type_context };
        self.compact_entries(contexts, outer.property, node, extraction)
    }

    /// Tells whether a node has an id and nothing else but an index.
    pub(crate) fn has_only_id(&self, node: u32) -> bool {
        self.arena.node(node).id.is_some()
            && self.arena.properties(node).iter().all(|property| property.lost != NONE)
    }

    /// Compaction 11: the contexts of the types, in the order of their compacted names.
    fn type_scoped(
        &mut self,
        type_context: &Rc<CompactionContext>,
        node: u32,
    ) -> Outcome<Rc<CompactionContext>> {
        let arena = self.arena;
        let mut types: Vec<NameId> = Vec::new();
        let properties = arena.properties(node).iter().filter(|property| property.lost == NONE);
        for property in properties.filter(|property| property.name == Keyword::Type.name()) {
            for &element in arena.values(property) {
                if let Element::Type { name, token } = element {
                    types.push(self.compact_name(type_context, name, token)?);
                }
            }
        }
        let names = &self.contexts.names;
        types.sort_by(|left, right| names.text(*left).cmp(names.text(*right)));
        let mut context = Rc::clone(type_context);
        for name in types {
            if let Some(definition) = type_context.active.term(name) {
                context = self.scoped_context(&context, definition, Scope::Type)?;
            }
        }
        Ok(context)
    }
}

impl<'c> Compactor<'c, '_> {
    /// Returns the place of the scalar of a value. All code that reads one calls this.
    #[inline]
    pub(crate) fn scalar(&self, value: Value) -> (&'c Arc<Document>, TokenId) {
        self.sources.locate(value.token)
    }

    /// Returns the place of an index. All code that reads one calls this.
    #[inline]
    pub(crate) fn index(&self, index: TokenId) -> (&'c Arc<Document>, TokenId) {
        self.sources.locate(index)
    }

    /// Returns an index as a key.
    pub(crate) fn index_key(&mut self, index: TokenId) -> NameId {
        let mut buffer = std::mem::take(&mut self.contexts.buffer);
        let (document, token) = self.index(index);
        let name = self.contexts.names.intern(document.string_with(token, &mut buffer));
        self.contexts.buffer = buffer;
        name
    }
}

/// The contexts for the entries of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeContexts<'a> {
    /// The active context: after the contexts of the types.
    pub(crate) context: &'a Rc<CompactionContext>,
    /// Before the contexts of the types: types are compacted under it.
    pub(crate) type_context: &'a Rc<CompactionContext>,
}
