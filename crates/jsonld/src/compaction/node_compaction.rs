//! Compaction Algorithm, step 12: the entries of a node object.
//!
//! First each value finds its property, and the values of a property are brought together. Then the members are written
//! in order, so no earlier member has to be searched again.
//!
//! `CompactionAlgorithm` is defined in `compaction/mod.rs`.

use crate::compaction::compacted_document::JsonPiece;
use crate::compaction::compaction_context::{CompactedProperty, CompactionContext, CompactionScope};
use crate::compaction::entry::{CompactedMember, EntryKind, MapKeySource};
use crate::compaction::term_selection::{ValueShape, ValueShapeKind};
use crate::compaction::{CompactionAlgorithm, NodeContexts};
use crate::expanded_arena::{ExpandedElement, NONE, PropertyEntry};
use crate::name_interner::{InternedName, Keyword};
use crate::{JsonLdError, JsonLdErrorCode, JsonLdOutcome};
use evalgraph_json::TokenId;
use hashbrown::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// Up to this many entries are searched one by one; more get an index.
const FEW_ENTRIES: usize = 32;

/// The entries of an object while they are collected.
struct MemberPlan {
    first_entry: usize,
    first_item: usize,
    /// `true` if the items of an entry are not next to each other.
    is_scattered: bool,
    index: HashMap<(InternedName, Option<InternedName>, bool), usize, foldhash::fast::FixedState>,
}

/// The objects that can contain a member of a node object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MemberNesting {
    in_reverse: bool,
    nest: Option<InternedName>,
}

impl CompactionAlgorithm<'_, '_> {
    /// Compaction 10 to 13.
    pub(crate) fn compact_entries(
        &mut self,
        contexts: NodeContexts<'_>,
        property: &CompactedProperty,
        node: u32,
        extraction: &MapKeySource,
    ) -> JsonLdOutcome<Option<InternedName>> {
        let mut plan = MemberPlan {
            first_entry: self.entries.len(),
            first_item: self.items.len(),
            is_scattered: false,
            index: HashMap::default(),
        };
        self.plan(&mut plan, contexts.context, property, node)?;
        let entries = plan.first_entry..self.entries.len();
        if plan.is_scattered {
            self.gather_items(&plan);
        }
        self.pieces.push(JsonPiece::OpenObject);
        let level = MemberNesting { in_reverse: false, nest: None };
        let key = self.write_level(contexts, node, entries, level, extraction)?;
        self.pieces.push(JsonPiece::CloseObject);
        self.entries.truncate(plan.first_entry);
        self.items.truncate(plan.first_item);
        Ok(key)
    }

    /// Finds the members of a node object, in order.
    fn plan(
        &mut self,
        plan: &mut MemberPlan,
        context: &Rc<CompactionContext>,
        property: &CompactedProperty,
        node: u32,
    ) -> JsonLdOutcome {
        let arena = self.arena;
        let properties = arena.properties(node).iter().filter(|property| property.lost == NONE);
        if !self.options.ordered {
            self.plan_id(context, node)?;
            self.plan_index(context, property, node)?;
            for property in properties.clone().filter(|property| !property.reverse) {
                self.plan_property(plan, context, property)?;
            }
            return properties
                .filter(|property| property.reverse)
                .try_for_each(|property| self.plan_reverse(plan, context, property));
        }
        let names = &self.contexts.names;
        let text = |property: &PropertyEntry| {
            if property.reverse { "@reverse".to_owned() } else { names.text(property.name).to_owned() }
        };
        let mut members: Vec<(String, &PropertyEntry)> =
            properties.map(|property| (text(property), property)).collect();
        members.sort_by_key(|(text, property)| (text.clone(), names.text(property.name)));
        // `@graph` is the only key that sorts before `@id`, and `@included` sorts between that and `@index`.
        let at = |key: &str| members.partition_point(|(text, _)| text.as_str() < key);
        let (id_at, index_at) = (at("@id"), at("@index"));
        for position in 0..=members.len() {
            if position == id_at {
                self.plan_id(context, node)?;
            }
            if position == index_at {
                self.plan_index(context, property, node)?;
            }
            match members.get(position) {
                Some((_, property)) if property.reverse => self.plan_reverse(plan, context, property)?,
                Some((_, property)) => self.plan_property(plan, context, property)?,
                None => {}
            }
        }
        Ok(())
    }

    fn plan_keyword(
        &mut self,
        context: &CompactionContext,
        keyword: Keyword,
        kind: EntryKind,
        token: TokenId,
    ) -> JsonLdOutcome {
        let shape = ValueShape::of_kind(ValueShapeKind::Null);
        let property = self.compact_vocab(context, keyword.name(), shape, token)?;
        let first_item = self.items.len();
        self.entries.push(CompactedMember {
            kind,
            property,
            nest: None,
            in_reverse: false,
            is_reversed: false,
            first_item,
            token,
        });
        Ok(())
    }

    fn plan_id(&mut self, context: &CompactionContext, node: u32) -> JsonLdOutcome {
        match self.arena.node(node).id {
            Some(id) => self.plan_keyword(context, Keyword::Id, EntryKind::Id, id.token),
            None => Ok(()),
        }
    }

    /// Compaction 12.5 and 12.6: writes the index, unless it is the key of the map that the node is in.
    fn plan_index(
        &mut self,
        context: &CompactionContext,
        property: &CompactedProperty,
        node: u32,
    ) -> JsonLdOutcome {
        match self.arena.node(node).index {
            Some(index) if !property.container.has(Keyword::Index) => {
                self.plan_keyword(context, Keyword::Index, EntryKind::Text(index), index)
            }
            _ => Ok(()),
        }
    }

    /// Compaction 12.7 and 12.8.1 to 12.8.3: finds the compacted property of each value.
    fn plan_property(
        &mut self,
        plan: &mut MemberPlan,
        context: &Rc<CompactionContext>,
        property: &PropertyEntry,
    ) -> JsonLdOutcome {
        let arena = self.arena;
        if property.name == Keyword::Type.name() {
            self.plan_keyword(context, Keyword::Type, EntryKind::Types, property.key)?;
            let entry = self.entries.len() - 1;
            let types = arena.values(property).iter().filter(|element| element.is_kept());
            self.items.extend(types.map(|&element| (entry as u32, element)));
            return Ok(());
        }
        // Compaction 12.6: a node has these entries as strings.
        let keyword = self.contexts.names.keyword(property.name);
        if let (Some(keyword @ (Keyword::Language | Keyword::Direction)), [ExpandedElement::Value(tag)]) =
            (keyword, arena.values(property))
        {
            return self.plan_keyword(context, keyword, EntryKind::Text(tag.token), tag.token);
        }
        self.plan_values(plan, context, property)
    }

    fn plan_values(
        &mut self,
        plan: &mut MemberPlan,
        context: &Rc<CompactionContext>,
        property: &PropertyEntry,
    ) -> JsonLdOutcome {
        let arena = self.arena;
        let reverse = property.reverse;
        let mut last: Option<(Rc<CompactedProperty>, usize)> = None;
        for &element in arena.values(property).iter().filter(|element| element.is_kept()) {
            let shape = self.shape(context, element, reverse);
            let compacted = self.compact_vocab(context, property.name, shape, property.key)?;
            let entry = match &last {
                Some((same, entry)) if Rc::ptr_eq(same, &compacted) => *entry,
                _ => self.plan_entry(plan, context, &compacted, property, EntryKind::Values)?,
            };
            // This is the only search for entries, and there are fewer entries than elements.
            self.items.push((entry as u32, element));
            last = Some((compacted, entry));
        }
        if last.is_none() {
            let shape = ValueShape { reverse, ..ValueShape::of_kind(ValueShapeKind::NoObject) };
            let compacted = self.compact_vocab(context, property.name, shape, property.key)?;
            self.plan_entry(plan, context, &compacted, property, EntryKind::EmptyArray)?;
        }
        Ok(())
    }

    /// Compaction 12.3: a reverse property. Its values are compacted as in a separate object. In expanded form, every
    /// reverse property has values.
    fn plan_reverse(
        &mut self,
        plan: &mut MemberPlan,
        context: &Rc<CompactionContext>,
        property: &PropertyEntry,
    ) -> JsonLdOutcome {
        if !self.arena.values(property).iter().any(ExpandedElement::is_kept) {
            return Ok(());
        }
        let inner = self.previous(context);
        let first = self.entries.len();
        self.plan_values(plan, &inner, property)?;
        for entry in &mut self.entries[first..] {
            // Compaction 12.3.2: a term with a reverse definition becomes an ordinary member.
            let definition = context.active.term(entry.property.name);
            entry.in_reverse = !definition.is_some_and(|definition| definition.reverse);
        }
        Ok(())
    }

    /// Returns the entry of a compacted property: a new one, or the one with the same key.
    fn plan_entry(
        &mut self,
        plan: &mut MemberPlan,
        context: &CompactionContext,
        compacted: &Rc<CompactedProperty>,
        property: &PropertyEntry,
        kind: EntryKind,
    ) -> JsonLdOutcome<usize> {
        let nest = self.nest(context, compacted, property.key)?;
        let key = (compacted.name, nest, property.reverse);
        let entries = &self.entries[plan.first_entry..];
        let is_same = |entry: &CompactedMember| (entry.property.name, entry.nest, entry.is_reversed) == key;
        let known = if entries.len() <= FEW_ENTRIES {
            entries.iter().position(is_same).map(|at| plan.first_entry + at)
        } else {
            // Objects with many keys get an index, because a search for each key would take quadratic time.
            if plan.index.is_empty() {
                let keys = entries.iter().enumerate();
                plan.index.extend(keys.map(|(at, entry)| {
                    ((entry.property.name, entry.nest, entry.is_reversed), plan.first_entry + at)
                }));
            }
            plan.index.get(&key).copied()
        };
        if let Some(entry) = known {
            plan.is_scattered |= entry + 1 < self.entries.len();
            if self.entries[entry].kind == EntryKind::EmptyArray {
                self.entries[entry].kind = kind;
            }
            return Ok(entry);
        }
        let entry = self.entries.len();
        if entry - plan.first_entry >= FEW_ENTRIES && !plan.index.is_empty() {
            plan.index.insert(key, entry);
        }
        self.entries.push(CompactedMember {
            kind,
            property: Rc::clone(compacted),
            nest,
            in_reverse: false,
            is_reversed: property.reverse,
            first_item: self.items.len(),
            token: property.key,
        });
        Ok(entry)
    }

    /// Compaction 12.8.2: returns the key of the object that a property is nested in.
    fn nest(
        &self,
        context: &CompactionContext,
        property: &CompactedProperty,
        token: TokenId,
    ) -> JsonLdOutcome<Option<InternedName>> {
        let Some(nest) = property.definition.as_ref().and_then(|definition| definition.nest) else {
            return Ok(None);
        };
        let keyword = Keyword::Nest.name();
        if nest == keyword || context.active.term(nest).is_some_and(|term| term.iri == Some(keyword)) {
            return Ok(Some(nest));
        }
        let names = &self.contexts.names;
        let (property, nest) = (names.text(property.name), names.text(nest));
        let message = format!("`{property}` should be nested in `{nest}`, which is not an alias of `@nest`");
        let (document, token) = self.sources.locate(token);
        Err(JsonLdError::new(JsonLdErrorCode::InvalidNestValue, message, document, token))
    }

    /// Moves the items of each entry next to each other.
    fn gather_items(&mut self, plan: &MemberPlan) {
        let items = &mut self.items[plan.first_item..];
        // The sort is stable, so the values of an entry keep their order.
        items.sort_by_key(|(entry, _)| *entry);
        let mut at = 0;
        for (number, entry) in self.entries.iter_mut().enumerate().skip(plan.first_entry) {
            entry.first_item = plan.first_item + at;
            at += items[at..].iter().take_while(|(of, _)| *of as usize == number).count();
        }
    }

    /// Returns the items of an entry, for a node object whose entries and items come last.
    fn items_of(&self, entry: usize, entries: &Range<usize>, items_end: usize) -> Range<usize> {
        let end = if entry + 1 < entries.end { self.entries[entry + 1].first_item } else { items_end };
        self.entries[entry].first_item..end
    }

    /// Writes the members in one of the objects of a node object.
    fn write_level(
        &mut self,
        contexts: NodeContexts<'_>,
        node: u32,
        entries: Range<usize>,
        level: MemberNesting,
        extraction: &MapKeySource,
    ) -> JsonLdOutcome<Option<InternedName>> {
        let items_end = self.items.len();
        let mut extracted = None;
        let mut opened: Vec<MemberNesting> = Vec::new();
        for at in entries.clone() {
            let CompactedMember { in_reverse, nest, .. } = self.entries[at];
            if level.in_reverse && !in_reverse
                || level.nest.is_some() && (in_reverse, nest) != (level.in_reverse, level.nest)
            {
                continue;
            }
            let inner = if in_reverse && !level.in_reverse {
                Some(MemberNesting { in_reverse, nest: None })
            } else if level.nest.is_none() && nest.is_some() {
                Some(MemberNesting { in_reverse, nest })
            } else {
                None
            };
            match inner {
                // The first entry of an inner object writes all of its entries, so the later ones are skipped.
                Some(inner) if opened.contains(&inner) => {}
                Some(inner) => {
                    opened.push(inner);
                    let key = match inner.nest {
                        Some(nest) => nest,
                        None => self.alias(contexts.context, Keyword::Reverse)?,
                    };
                    self.pieces.push(JsonPiece::Key(key));
                    self.pieces.push(JsonPiece::OpenObject);
                    self.write_level(contexts, node, entries.clone(), inner, &MapKeySource::Nothing)?;
                    self.pieces.push(JsonPiece::CloseObject);
                }
                None => {
                    let items = self.items_of(at, &entries, items_end);
                    let wanted = if extracted.is_none() { extraction } else { &MapKeySource::Nothing };
                    let key = self.write_entry(contexts, node, at, items, wanted)?;
                    extracted = extracted.or(key);
                }
            }
        }
        Ok(extracted)
    }

    /// Writes one member; returns the extracted key.
    fn write_entry(
        &mut self,
        contexts: NodeContexts<'_>,
        node: u32,
        entry: usize,
        items: Range<usize>,
        extraction: &MapKeySource,
    ) -> JsonLdOutcome<Option<InternedName>> {
        let CompactedMember { kind, is_reversed, token, .. } = self.entries[entry];
        let property = Rc::clone(&self.entries[entry].property);
        match kind {
            EntryKind::Id => self.write_node_id(contexts.context, property.name, node, extraction),
            EntryKind::Text(token) => {
                self.pieces.push(JsonPiece::Key(property.name));
                self.push_index(token);
                Ok(None)
            }
            EntryKind::Types => self.write_types(contexts.type_context, &property, items, extraction),
            EntryKind::EmptyArray => {
                self.pieces.push(JsonPiece::Key(property.name));
                self.pieces.push(JsonPiece::OpenArray);
                self.pieces.push(JsonPiece::CloseArray);
                Ok(None)
            }
            EntryKind::Values => {
                let start = self.pieces.list.len();
                if is_reversed {
                    let inner = self.previous(contexts.context);
                    self.write_property(
                        CompactionScope { context: &inner, property: &property },
                        items,
                        token,
                    )?;
                } else {
                    self.write_property(
                        CompactionScope { context: contexts.context, property: &property },
                        items,
                        token,
                    )?;
                }
                let is_wanted = !is_reversed
                    && matches!(extraction, MapKeySource::Property(keys) if keys.contains(&property.name));
                Ok(if is_wanted { self.take_first_string(start) } else { None })
            }
        }
    }

    /// Compaction 12.1.
    fn write_node_id(
        &mut self,
        context: &CompactionContext,
        alias: InternedName,
        node: u32,
        extraction: &MapKeySource,
    ) -> JsonLdOutcome<Option<InternedName>> {
        let Some(id) = self.arena.node(node).id else { return Ok(None) };
        if *extraction == MapKeySource::Id(alias) {
            return match id.name {
                Some(name) => self.id_key(context, name, id.token).map(Some),
                None => Ok(None),
            };
        }
        self.pieces.push(JsonPiece::Key(alias));
        match id.name {
            Some(name) => self.push_id(context, name, id.token)?,
            None => self.pieces.push(JsonPiece::Null),
        }
        Ok(None)
    }

    /// Returns a compacted id as a key.
    pub(crate) fn id_key(
        &mut self,
        context: &CompactionContext,
        id: InternedName,
        token: TokenId,
    ) -> JsonLdOutcome<InternedName> {
        let text = self.compact_id(context, id, token)?;
        Ok(text.map_or(id, |text| self.contexts.names.intern(&text)))
    }

    /// Compaction 12.2.
    fn write_types(
        &mut self,
        type_context: &CompactionContext,
        alias: &CompactedProperty,
        items: Range<usize>,
        extraction: &MapKeySource,
    ) -> JsonLdOutcome<Option<InternedName>> {
        let start = self.pieces.list.len();
        self.pieces.push(JsonPiece::Key(alias.name));
        self.pieces.push(JsonPiece::OpenArray);
        let mut count = items.len();
        let mut extracted = None;
        for at in items {
            let ExpandedElement::Type { name, token } = self.items[at].1 else { continue };
            let name = self.compact_name(type_context, name, token)?;
            if *extraction == MapKeySource::Type(alias.name) && extracted.is_none() {
                extracted = Some(name);
                count -= 1;
            } else {
                self.pieces.push(JsonPiece::Name(name));
            }
        }
        let has_set = alias.container.has(Keyword::Set) && !self.contexts.is_1_0();
        let as_array = extracted.is_none() && (has_set || !self.options.compact_arrays);
        if count == 0 && extracted.is_some() {
            self.pieces.list.truncate(start);
        } else if count == 1 && !as_array {
            self.pieces.list[start + 1] = JsonPiece::Blank;
        } else {
            // An empty array is written, because expansion can read it back.
            self.pieces.push(JsonPiece::CloseArray);
        }
        Ok(extracted)
    }

    /// Removes the first value from the member that begins at `start`, if the value is a string.
    fn take_first_string(&mut self, start: usize) -> Option<InternedName> {
        let is_array = self.pieces.list.get(start + 1) == Some(&JsonPiece::OpenArray);
        let at = start + 1 + usize::from(is_array);
        let at =
            // Reserved places that were not needed have no value.
            at + self.pieces.list.get(at..)?.iter().take_while(|piece| **piece == JsonPiece::Blank).count();
        let key = match *self.pieces.list.get(at)? {
            JsonPiece::Name(name) => name,
            JsonPiece::Text(text) => self.contexts.names.intern(self.pieces.text(text)),
            piece => {
                let (document, token) = self.pieces.value(self.document, piece)?;
                let text = document.string(token)?;
                self.contexts.names.intern(&text)
            }
        };
        let rest = &self.pieces.list[at + 1..];
        match rest {
            [] | [JsonPiece::CloseArray] => self.pieces.list.truncate(start),
            [_, JsonPiece::CloseArray] if is_array => {
                let value = rest[0];
                self.pieces.list.truncate(start + 1);
                self.pieces.push(value);
            }
            _ => self.pieces.list[at] = JsonPiece::Blank,
        }
        Some(key)
    }
}
