//! Compaction Algorithm (section 6.1): elements and the contexts that they are compacted under.
//!
//! `node_compaction.rs` has the entries of node objects, `property_compaction.rs` the values of properties and the
//! map containers.
//!
//! Other algorithms call [`compact`]. It takes the elements of an arena, the documents of its tokens, a context and the
//! options, and returns the [`PieceBuffer`] of one JSON object. `@context` is added when the pieces are written, in
//! `compacted_document.rs`. [`TopLevelForm`] says how the elements become one object. [`ExpandedElement::Null`] is a
//! null that framing has put in place of a value (`@default` with `@null`).

pub(super) mod compacted_document;
mod compaction_context;
mod entry;
pub(super) mod iri_compaction;
pub(super) mod node_compaction;
pub(super) mod property_compaction;
pub(super) mod term_selection;
pub(super) mod value_compaction;
pub(super) mod value_shape;

use crate::JsonLdOutcome;
use crate::arena_sources::ArenaSources;
use crate::compaction::compacted_document::{JsonPiece, PieceBuffer};
use crate::compaction::compaction_context::{CompactedProperty, CompactionContext, CompactionScope};
use crate::compaction::entry::{CompactedMember, MapKeySource};
use crate::context::context_processor::ContextProcessor;
use crate::context::inverse_context::InverseKeys;
use crate::context::term_creation::ContextCall;
use crate::context::{ActiveContext, BaseDirection, TermDefinition};
use crate::expanded_arena::{ExpandedArena, ExpandedElement, NONE, ValueObject};
use crate::name_interner::{InternedName, Keyword};
use evalgraph_json::{JsonDocument, TokenId};
use hashbrown::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// How compacted elements become one object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TopLevelForm {
    /// One element becomes the object itself, none becomes an empty object, several are put into `@graph`
    /// (`compact()`).
    Alone,
    /// Any number of elements are in an array under `@graph` (flattening, and framing without `omitGraph`).
    InGraph,
}

/// The options of the algorithm.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompactionOptions {
    pub(crate) compact_arrays: bool,
    pub(crate) ordered: bool,
    pub(crate) top: TopLevelForm,
}

/// Compacts elements to the pieces of one object.
pub(crate) fn compact(
    contexts: &mut ContextProcessor<'_>,
    arena: &ExpandedArena,
    sources: ArenaSources<'_>,
    elements: &[ExpandedElement],
    context: &Rc<ActiveContext>,
    options: CompactionOptions,
) -> JsonLdOutcome<PieceBuffer> {
    let keys = InverseKeys::new(&mut contexts.names);
    let mut compactor = CompactionAlgorithm {
        contexts,
        arena,
        sources,
        document: sources.document,
        options,
        keys,
        pieces: PieceBuffer::default(),
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
type ScopedKey = (u64, usize, ScopedContextKind);

type FastMap<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// A running compaction.
///
/// Other methods are in `iri_compaction.rs`, `node_compaction.rs`, `property_compaction.rs`, `value_compaction.rs`
/// and `value_shape.rs`.
pub(crate) struct CompactionAlgorithm<'c, 'l> {
    pub(crate) contexts: &'c mut ContextProcessor<'l>,
    pub(crate) arena: &'c ExpandedArena,
    pub(crate) sources: ArenaSources<'c>,
    /// The source document of the pieces.
    pub(crate) document: &'c Arc<JsonDocument>,
    pub(crate) options: CompactionOptions,
    pub(crate) keys: InverseKeys,
    pub(crate) pieces: PieceBuffer,
    /// The entries of the open objects, and the items of those entries.
    pub(crate) entries: Vec<CompactedMember>,
    pub(crate) items: Vec<(u32, ExpandedElement)>,
    /// The contexts by serial.
    known: FastMap<u64, Rc<CompactionContext>>,
    /// The definition is kept with its context, so its address cannot be reused by another definition.
    scoped: FastMap<ScopedKey, (Rc<TermDefinition>, Rc<CompactionContext>)>,
    pub(crate) language_keys: FastMap<(Option<InternedName>, Option<BaseDirection>), InternedName>,
}

/// The kind of a scoped context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ScopedContextKind {
    Property,
    Type,
}

impl CompactionAlgorithm<'_, '_> {
    fn top(&mut self, elements: &[ExpandedElement], context: &Rc<ActiveContext>) -> JsonLdOutcome {
        let context = self.known_context(Rc::clone(context));
        let property = Rc::new(CompactedProperty::null());
        let active = CompactionScope { context: &context, property: &property };
        let mut kept = elements.iter().copied().filter(ExpandedElement::is_kept);
        let count = kept.clone().count();
        match (self.options.top, count) {
            (TopLevelForm::Alone, 0) => {
                self.pieces.push(JsonPiece::OpenObject);
                self.pieces.push(JsonPiece::CloseObject);
            }
            (TopLevelForm::Alone, 1) if self.options.compact_arrays => {
                let element = kept.next().unwrap_or(ExpandedElement::Null);
                self.compact_element(active, element)?;
            }
            _ => {
                self.pieces.push(JsonPiece::OpenObject);
                let graph = self.alias(&context, Keyword::Graph)?;
                self.pieces.push(JsonPiece::Key(graph));
                self.pieces.push(JsonPiece::OpenArray);
                for element in kept {
                    self.compact_element(active, element)?;
                }
                self.pieces.push(JsonPiece::CloseArray);
                self.pieces.push(JsonPiece::CloseObject);
            }
        }
        Ok(())
    }

    /// Returns an active context with its inverse context, which is made once.
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
        scope: ScopedContextKind,
    ) -> JsonLdOutcome<Rc<CompactionContext>> {
        let Some(local) = &definition.context else { return Ok(Rc::clone(context)) };
        let key = (context.active.serial, Rc::as_ptr(definition) as usize, scope);
        if let Some((_, scoped)) = self.scoped.get(&key) {
            return Ok(Rc::clone(scoped));
        }
        let call = match scope {
            ScopedContextKind::Property => ContextCall { override_protected: true, ..ContextCall::default() },
            ScopedContextKind::Type => ContextCall { propagate: false, ..ContextCall::default() },
        };
        let active = self.contexts.process(&context.active, local, call)?;
        let scoped = self.known_context(active);
        self.scoped.insert(key, (Rc::clone(definition), Rc::clone(&scoped)));
        Ok(scoped)
    }

    /// Compaction 6: returns the context inside a property, and the property as it is defined there.
    pub(crate) fn property_scoped(
        &mut self,
        active: CompactionScope<'_>,
    ) -> JsonLdOutcome<(Rc<CompactionContext>, Rc<CompactedProperty>)> {
        match &active.property.definition {
            Some(definition) if definition.context.is_some() => {
                let scoped = self.scoped_context(active.context, definition, ScopedContextKind::Property)?;
                let property = Rc::new(CompactedProperty::new(active.property.name, &scoped.active));
                Ok((scoped, property))
            }
            _ => Ok((Rc::clone(active.context), Rc::clone(active.property))),
        }
    }

    /// Compaction 2 to 8 for one element. The result is one value.
    pub(crate) fn compact_element(
        &mut self,
        active: CompactionScope<'_>,
        element: ExpandedElement,
    ) -> JsonLdOutcome {
        match element {
            ExpandedElement::Value(value) => self.compact_value(active, value),
            ExpandedElement::Node(node) => self.compact_node(active, node, &MapKeySource::Nothing).map(drop),
            ExpandedElement::List(list) => self.compact_inner_list(active, list),
            ExpandedElement::Type { name, .. } => {
                self.pieces.push(JsonPiece::Name(name));
                Ok(())
            }
            ExpandedElement::Null
            | ExpandedElement::Missing { .. }
            | ExpandedElement::Phantom(_)
            | ExpandedElement::Taken { .. } => {
                self.pieces.push(JsonPiece::Null);
                Ok(())
            }
        }
    }

    /// Compaction 5 to 13 for a node object. If the node is in a map whose key is taken from the node, returns that
    /// key.
    pub(crate) fn compact_node(
        &mut self,
        outer: CompactionScope<'_>,
        node: u32,
        extraction: &MapKeySource,
    ) -> JsonLdOutcome<Option<InternedName>> {
        let is_id_alone = self.has_only_id(node);
        let is_indexed = self.arena.node(node).index.is_some();
        // Compaction 5: the context of a type does not apply to inner nodes.
        let around =
            if is_id_alone && !is_indexed { Rc::clone(outer.context) } else { self.previous(outer.context) };
        let (mut context, property) = self.property_scoped(CompactionScope { context: &around, ..outer })?;
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

    /// Returns whether a node has only an id, and perhaps an index.
    pub(crate) fn has_only_id(&self, node: u32) -> bool {
        self.arena.node(node).id.is_some()
            && self.arena.properties(node).iter().all(|property| property.lost != NONE)
    }

    /// Compaction 11: the contexts of the types, in the order of their compacted names.
    fn type_scoped(
        &mut self,
        type_context: &Rc<CompactionContext>,
        node: u32,
    ) -> JsonLdOutcome<Rc<CompactionContext>> {
        let arena = self.arena;
        let mut types: Vec<InternedName> = Vec::new();
        let properties = arena.properties(node).iter().filter(|property| property.lost == NONE);
        for property in properties.filter(|property| property.name == Keyword::Type.name()) {
            for &element in arena.values(property) {
                if let ExpandedElement::Type { name, token } = element {
                    types.push(self.compact_name(type_context, name, token)?);
                }
            }
        }
        let names = &self.contexts.names;
        types.sort_by(|left, right| names.text(*left).cmp(names.text(*right)));
        let mut context = Rc::clone(type_context);
        for name in types {
            // Compaction 11.1 looks the types up in the context before all of them, not in that of the last one.
            if let Some(definition) = type_context.active.term(name) {
                context = self.scoped_context(&context, definition, ScopedContextKind::Type)?;
            }
        }
        Ok(context)
    }
}

impl<'c> CompactionAlgorithm<'c, '_> {
    /// Returns the place of a value's scalar. All code that reads a scalar calls this.
    #[inline]
    pub(crate) fn scalar(&self, value: ValueObject) -> (&'c Arc<JsonDocument>, TokenId) {
        self.sources.locate(value.token)
    }

    /// Returns the place of an index. All code that reads an index calls this.
    #[inline]
    pub(crate) fn index(&self, index: TokenId) -> (&'c Arc<JsonDocument>, TokenId) {
        self.sources.locate(index)
    }

    /// Returns an index as a key.
    pub(crate) fn index_key(&mut self, index: TokenId) -> InternedName {
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
    /// The active context, including the contexts of the types.
    pub(crate) context: &'a Rc<CompactionContext>,
    /// The context without those of the types. Types are compacted under it.
    pub(crate) type_context: &'a Rc<CompactionContext>,
}
