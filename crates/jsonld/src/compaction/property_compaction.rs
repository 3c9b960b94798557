//! Compaction Algorithm, steps 12.8.4 to 12.8.10: the values of one compacted property, plain or in a list, a
//! graph or a map.
//!
//! `CompactionAlgorithm` is defined in `compaction/mod.rs`.

use crate::compaction::CompactionAlgorithm;
use crate::compaction::compacted_document::JsonPiece;
use crate::compaction::compaction_context::{CompactedProperty, CompactionScope};
use crate::compaction::entry::MapKeySource;
use crate::compaction::value_shape::graph_contents;
use crate::context::relative::RelativeIriRule;
use crate::expanded_arena::ExpandedElement;
use crate::name_interner::{InternedName, Keyword};
use crate::warning::WarningCode;
use crate::{JsonLdError, JsonLdErrorCode, JsonLdOutcome};
use evalgraph_json::TokenId;
use hashbrown::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The effect of an item on its property.
#[derive(Debug, Clone, Copy)]
struct AddedValues {
    values: usize,
    /// `true` if the property has an array even with one value.
    as_array: bool,
}

impl AddedValues {
    const ONE: Self = Self { values: 1, as_array: false };
}

/// The values under a key of a map object, as pieces.
struct MapObjectEntry {
    key: InternedName,
    pieces: Range<usize>,
    values: usize,
}

impl CompactionAlgorithm<'_, '_> {
    /// Writes a member with the values of a property, or nothing if there are no values.
    pub(crate) fn write_property(
        &mut self,
        active: CompactionScope<'_>,
        items: Range<usize>,
        token: TokenId,
    ) -> JsonLdOutcome {
        let container = active.property.container;
        let is_array_keyword = [Keyword::Graph.name(), Keyword::List.name()].contains(&active.property.name);
        // Compaction 12.8.5.
        let as_array = container.has(Keyword::Set) || is_array_keyword || !self.options.compact_arrays;
        let start = self.pieces.list.len();
        self.pieces.push(JsonPiece::Key(active.property.name));
        let is_keyed = [Keyword::Language, Keyword::Index, Keyword::Id, Keyword::Type]
            .iter()
            .any(|keyword| container.has(*keyword));
        let is_there = if container.has(Keyword::List) {
            self.write_list_container(active, items, token)?
        } else if is_keyed {
            self.write_map(active, items, as_array)?
        } else {
            self.write_values(active, items, as_array)?
        };
        if !is_there {
            self.pieces.list.truncate(start);
        }
        Ok(())
    }

    /// Compaction 12.8.10: writes values one after the other; returns `false` if there are none.
    fn write_values(
        &mut self,
        active: CompactionScope<'_>,
        items: Range<usize>,
        mut as_array: bool,
    ) -> JsonLdOutcome<bool> {
        // Nearly all properties have exactly one value.
        if items.len() == 1 && !as_array {
            let element = self.items[items.start].1;
            let is_one = match element {
                ExpandedElement::Value(value) => value.datatype != Keyword::Json.name(),
                ExpandedElement::Node(node) => !self.arena.is_graph_object(node),
                _ => false,
            };
            if is_one {
                return self.compact_element(active, element).map(|()| true);
            }
        }
        let start = self.pieces.list.len();
        self.pieces.push(JsonPiece::OpenArray);
        let mut values = 0;
        for at in items {
            let added = self.write_item(active, self.items[at].1)?;
            values += added.values;
            as_array |= added.as_array;
        }
        // Framing has a rule for arrays: an array with only a null becomes empty.
        if as_array && values == 1 && self.pieces.list.last() == Some(&JsonPiece::Null) {
            self.pieces.list.pop();
        }
        if as_array || values > 1 {
            self.pieces.push(JsonPiece::CloseArray);
        } else {
            self.pieces.list[start] = JsonPiece::Blank;
        }
        Ok(as_array || values > 0)
    }

    /// Compaction 12.8.6 to 12.8.8: one item.
    fn write_item(
        &mut self,
        active: CompactionScope<'_>,
        element: ExpandedElement,
    ) -> JsonLdOutcome<AddedValues> {
        match element {
            ExpandedElement::List(list) => {
                let (items, index) = (self.arena.items(self.arena.list(list)), self.arena.list(list).index);
                let key = self.alias(active.context, Keyword::List)?;
                self.pieces.push(JsonPiece::OpenObject);
                self.pieces.push(JsonPiece::Key(key));
                self.write_list(active, items)?;
                if let Some(index) = index {
                    let key = self.alias(active.context, Keyword::Index)?;
                    self.pieces.push(JsonPiece::Key(key));
                    self.push_index(index);
                }
                self.pieces.push(JsonPiece::CloseObject);
                Ok(AddedValues::ONE)
            }
            ExpandedElement::Node(node) if self.arena.is_graph_object(node) => self.write_graph(active, node),
            ExpandedElement::Value(value) if value.datatype == Keyword::Json.name() => {
                self.compact_element(active, element)?;
                Ok(self.spread_json_array())
            }
            _ => {
                self.compact_element(active, element)?;
                Ok(AddedValues::ONE)
            }
        }
    }

    /// Turns the items of the JSON literal that was just written, an array, into values of the property. They stay in
    /// an array, so they are read back as one literal.
    fn spread_json_array(&mut self) -> AddedValues {
        let Some(&last) = self.pieces.list.last() else { return AddedValues::ONE };
        let Some((document, token)) = self.pieces.value(self.document, last) else { return AddedValues::ONE };
        if !document.is_array(token) {
            return AddedValues::ONE;
        }
        let items: Vec<_> = document.items(token).collect();
        let foreign = self.pieces.foreign_document(last);
        self.pieces.list.pop();
        for &item in &items {
            let document = foreign.as_ref().unwrap_or(self.document);
            self.pieces.push_value(self.document, document, item);
        }
        AddedValues { values: items.len(), as_array: true }
    }

    /// Writes the items of a list, always in an array.
    fn write_list(&mut self, active: CompactionScope<'_>, items: &[ExpandedElement]) -> JsonLdOutcome {
        self.pieces.push(JsonPiece::OpenArray);
        for &item in items.iter().filter(|item| item.is_kept()) {
            self.compact_element(active, item)?;
        }
        self.pieces.push(JsonPiece::CloseArray);
        Ok(())
    }

    /// Compaction 8: a list in a list or in an array.
    ///
    /// An array inside a list container needs no object around it, so the context does not change.
    pub(crate) fn compact_inner_list(&mut self, active: CompactionScope<'_>, list: u32) -> JsonLdOutcome {
        let (items, index) = (self.arena.items(self.arena.list(list)), self.arena.list(list).index);
        if active.property.container.has(Keyword::List) {
            return self.write_list(active, items);
        }
        let context = self.previous(active.context);
        let (context, property) = self.property_scoped(CompactionScope { context: &context, ..active })?;
        let key = self.alias(&context, Keyword::List)?;
        let inner = Rc::new(CompactedProperty::new(key, &context.active));
        self.pieces.push(JsonPiece::OpenObject);
        let first_item = self.items.len();
        self.items.extend(items.iter().filter(|item| item.is_kept()).map(|item| (0, *item)));
        let items = first_item..self.items.len();
        if items.is_empty() {
            self.pieces.push(JsonPiece::Key(key));
            self.pieces.push(JsonPiece::OpenArray);
            self.pieces.push(JsonPiece::CloseArray);
        } else {
            self.write_property(
                CompactionScope { context: &context, property: &inner },
                items,
                self.document.root(),
            )?;
        }
        self.items.truncate(first_item);
        if let Some(index) = index
            && !property.container.has(Keyword::Index)
        {
            let key = self.alias(&context, Keyword::Index)?;
            self.pieces.push(JsonPiece::Key(key));
            self.push_index(index);
        }
        self.pieces.push(JsonPiece::CloseObject);
        Ok(())
    }

    /// Compaction 12.8.7.3: the property is the list itself. A second list replaces the first.
    fn write_list_container(
        &mut self,
        active: CompactionScope<'_>,
        items: Range<usize>,
        token: TokenId,
    ) -> JsonLdOutcome<bool> {
        let mut lists = items.clone().filter(|at| matches!(self.items[*at].1, ExpandedElement::List(_)));
        let (first, last) = (lists.next(), lists.next_back());
        let Some(list) = last.or(first) else {
            let as_array = !self.options.compact_arrays;
            return self.write_values(active, items, as_array);
        };
        if last.is_some() {
            self.lose_list(active.property, token)?;
        }
        self.pieces.push(JsonPiece::OpenArray);
        if let ExpandedElement::List(list) = self.items[list].1 {
            for &item in self.arena.items(self.arena.list(list)).iter().filter(|item| item.is_kept()) {
                self.compact_element(active, item)?;
            }
        }
        for at in list + 1..items.end {
            self.write_item(active, self.items[at].1)?;
        }
        self.pieces.push(JsonPiece::CloseArray);
        Ok(true)
    }

    /// Handles a list that cannot be added to another one: an error in JSON-LD 1.0, otherwise a loss.
    fn lose_list(&mut self, property: &CompactedProperty, token: TokenId) -> JsonLdOutcome {
        let (document, token) = self.sources.locate(token);
        if self.contexts.is_1_0() {
            let name = self.contexts.names.text(property.name);
            let message = format!("several lists would become one under the term `{name}`");
            let code = JsonLdErrorCode::CompactionToListOfLists;
            return Err(JsonLdError::new(code, message, document, token));
        }
        self.contexts.warn(WarningCode::SecondList, document, token);
        Ok(())
    }

    /// Compaction 12.8.8: a graph object outside of a map.
    fn write_graph(&mut self, active: CompactionScope<'_>, node: u32) -> JsonLdOutcome<AddedValues> {
        let contents = graph_contents(self.arena, node);
        let count = contents.clone().count();
        let container = active.property.container;
        let graph = self.arena.node(node).clone();
        let is_in_container = container.has(Keyword::Graph) && graph.id.is_none();
        if is_in_container && count < 2 {
            return self.write_contents(active, node);
        }
        self.pieces.push(JsonPiece::OpenObject);
        let keyword = if is_in_container { Keyword::Included } else { Keyword::Graph };
        let key = self.alias(active.context, keyword)?;
        self.pieces.push(JsonPiece::Key(key));
        let as_array = count != 1
            || !self.options.compact_arrays
            || container.has(Keyword::Set)
            || container.has(Keyword::List)
            || active.property.name == Keyword::Graph.name();
        if as_array {
            self.pieces.push(JsonPiece::OpenArray);
        }
        self.write_contents(active, node)?;
        if as_array {
            self.pieces.push(JsonPiece::CloseArray);
        }
        if is_in_container {
            self.pieces.push(JsonPiece::CloseObject);
            return Ok(AddedValues::ONE);
        }
        if let Some(id) = graph.id {
            let key = self.alias(active.context, Keyword::Id)?;
            self.pieces.push(JsonPiece::Key(key));
            match id.name {
                Some(name) => self.push_id(active.context, name, id.token)?,
                None => self.pieces.push(JsonPiece::Null),
            }
        }
        if let Some(index) = graph.index {
            let key = self.alias(active.context, Keyword::Index)?;
            self.pieces.push(JsonPiece::Key(key));
            self.push_index(index);
        }
        self.pieces.push(JsonPiece::CloseObject);
        Ok(AddedValues::ONE)
    }

    fn write_contents(&mut self, active: CompactionScope<'_>, node: u32) -> JsonLdOutcome<AddedValues> {
        let mut values = 0;
        for element in graph_contents(self.arena, node) {
            self.compact_element(active, element)?;
            values += 1;
        }
        Ok(AddedValues { values, as_array: false })
    }

    /// Compaction 12.8.8.1, 12.8.8.2 and 12.8.9: a map by language, index, id or type.
    fn write_map(
        &mut self,
        active: CompactionScope<'_>,
        items: Range<usize>,
        as_array: bool,
    ) -> JsonLdOutcome<bool> {
        let start = self.pieces.list.len();
        // Reserves a place for the bracket of an array, in case a value follows that is not in the map.
        self.pieces.push(JsonPiece::Blank);
        self.pieces.push(JsonPiece::OpenObject);
        let mut rows: Vec<MapObjectEntry> = Vec::new();
        let mut others: Vec<ExpandedElement> = Vec::new();
        for at in items {
            let element = self.items[at].1;
            if !self.stands_in_map(active.property, element) {
                others.push(element);
                continue;
            }
            let first = self.pieces.list.len();
            // The key and the bracket are known only after the value.
            self.pieces.push(JsonPiece::Blank);
            self.pieces.push(JsonPiece::Blank);
            let (key, added) = self.write_map_item(active, element)?;
            let is_array = as_array || added.as_array;
            if added.values == 0 && !is_array {
                self.pieces.list.truncate(first);
                continue;
            }
            let pieces = first + 2..self.pieces.list.len();
            self.pieces.list[first] = JsonPiece::Key(key);
            if is_array || added.values != 1 {
                self.pieces.list[first + 1] = JsonPiece::OpenArray;
                self.pieces.push(JsonPiece::CloseArray);
            }
            rows.push(MapObjectEntry { key, pieces, values: added.values });
        }
        self.join_rows(start + 2, &rows, as_array);
        self.pieces.push(JsonPiece::CloseObject);
        if others.is_empty() {
            return Ok(true);
        }
        // Compaction 12.8.8.4 and 12.8.7.2.3 add such values to the property, not to its map.
        if rows.is_empty() {
            self.pieces.list.truncate(start + 1);
        }
        let needs_array = as_array || !rows.is_empty() || others.len() > 1;
        if needs_array {
            self.pieces.list[start] = JsonPiece::OpenArray;
        }
        for element in others {
            self.write_item(active, element)?;
        }
        if needs_array {
            self.pieces.push(JsonPiece::CloseArray);
        }
        Ok(true)
    }

    /// Returns whether a value belongs into the map of its property.
    fn stands_in_map(&self, property: &CompactedProperty, element: ExpandedElement) -> bool {
        let container = property.container;
        match element {
            ExpandedElement::List(_) => false,
            ExpandedElement::Node(node) if self.arena.is_graph_object(node) => {
                container.has(Keyword::Graph)
                    && (container.has(Keyword::Id) || self.arena.node(node).id.is_none())
            }
            _ => !container.has(Keyword::Graph),
        }
    }

    /// Joins the values of equal keys. Most maps have no equal keys.
    fn join_rows(&mut self, start: usize, rows: &[MapObjectEntry], as_array: bool) {
        let mut groups: HashMap<InternedName, Vec<usize>, foldhash::fast::FixedState> = HashMap::default();
        let mut order: Vec<InternedName> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let group = groups.entry(row.key).or_default();
            if group.is_empty() {
                order.push(row.key);
            }
            group.push(at);
        }
        if order.len() == rows.len() {
            return;
        }
        // All pieces are copied once. Moving each value to the first one of its key would take quadratic time.
        let pieces = self.pieces.list.split_off(start);
        for key in order {
            let group = &groups[&key];
            let values: usize = group.iter().map(|&at| rows[at].values).sum();
            self.pieces.push(JsonPiece::Key(key));
            let is_array = as_array || values != 1;
            if is_array {
                self.pieces.push(JsonPiece::OpenArray);
            }
            for &at in group {
                let Range { start: from, end } = rows[at].pieces;
                self.pieces.list.extend_from_slice(&pieces[from - start..end - start]);
            }
            if is_array {
                self.pieces.push(JsonPiece::CloseArray);
            }
        }
    }

    /// Writes a value of a map, and finds its key.
    fn write_map_item(
        &mut self,
        active: CompactionScope<'_>,
        element: ExpandedElement,
    ) -> JsonLdOutcome<(InternedName, AddedValues)> {
        let container = active.property.container;
        let (key, added) = if container.has(Keyword::Graph) {
            self.write_graph_of_map(active, element)?
        } else if container.has(Keyword::Language) {
            // Compaction 12.8.9.4.
            match element {
                ExpandedElement::Value(value) => {
                    self.push_scalar(value);
                    (self.arena.extra(&value).language, AddedValues::ONE)
                }
                _ => (None, self.write_item(active, element)?),
            }
        } else if container.has(Keyword::Index) {
            self.write_indexed(active, element)?
        } else {
            let keyword = if container.has(Keyword::Id) { Keyword::Id } else { Keyword::Type };
            let alias = self.alias(active.context, keyword)?;
            let extraction =
                if keyword == Keyword::Id { MapKeySource::Id(alias) } else { MapKeySource::Type(alias) };
            match element {
                ExpandedElement::Node(node) => {
                    (self.write_keyed_node(active, node, extraction)?, AddedValues::ONE)
                }
                _ => (None, self.write_item(active, element)?),
            }
        };
        // Compaction 12.8.9.9.
        Ok((key.map_or_else(|| self.alias(active.context, Keyword::None), Ok)?, added))
    }

    /// Compaction 12.8.8.1 and 12.8.8.2.
    fn write_graph_of_map(
        &mut self,
        active: CompactionScope<'_>,
        element: ExpandedElement,
    ) -> JsonLdOutcome<(Option<InternedName>, AddedValues)> {
        let ExpandedElement::Node(node) = element else {
            return Ok((None, self.write_item(active, element)?));
        };
        let graph = self.arena.node(node).clone();
        let key = if active.property.container.has(Keyword::Id) {
            match graph.id.and_then(|id| Some((id.name?, id.token))) {
                Some((name, token)) => Some(self.id_key(active.context, name, token)?),
                None => None,
            }
        } else {
            graph.index.map(|index| self.index_key(index))
        };
        Ok((key, self.write_contents(active, node)?))
    }

    /// Compaction 12.8.9.5 and 12.8.9.6: a map by `@index`, or by a property that serves as the index.
    fn write_indexed(
        &mut self,
        active: CompactionScope<'_>,
        element: ExpandedElement,
    ) -> JsonLdOutcome<(Option<InternedName>, AddedValues)> {
        let index_key = active.property.definition.as_ref().and_then(|definition| definition.index);
        if let Some(index_key) = index_key.filter(|&key| key != Keyword::Index.name()) {
            let text = self.contexts.names.text(index_key).to_owned();
            let expanded = self.contexts.expand_iri(&active.context.active, &text, RelativeIriRule::Vocab);
            let key = match expanded {
                Some(iri) => self.compact_name(active.context, iri, self.document.root())?,
                None => index_key,
            };
            return match element {
                ExpandedElement::Node(node) => {
                    // The test suite also requires the key as written in the context (compact #t0114).
                    let extraction = MapKeySource::Property([index_key, key]);
                    Ok((self.write_keyed_node(active, node, extraction)?, AddedValues::ONE))
                }
                _ => Ok((None, self.write_item(active, element)?)),
            };
        }
        let index = match element {
            ExpandedElement::Node(node) => self.arena.node(node).index,
            ExpandedElement::Value(value) => self.arena.extra(&value).index,
            _ => None,
        };
        let key = index.map(|index| self.index_key(index));
        Ok((key, self.write_item(active, element)?))
    }

    /// Writes a node without the entry that becomes its key.
    fn write_keyed_node(
        &mut self,
        active: CompactionScope<'_>,
        node: u32,
        extraction: MapKeySource,
    ) -> JsonLdOutcome<Option<InternedName>> {
        let start = self.pieces.list.len();
        let key = self.compact_node(active, node, &extraction)?;
        // Compaction 12.8.9.8.4: a node with only an id and a type is a reference.
        if matches!(extraction, MapKeySource::Type(_))
            && self.arena.node(node).id.is_some()
            && let [JsonPiece::OpenObject, JsonPiece::Key(_), _, JsonPiece::CloseObject] =
                self.pieces.list[start..]
        {
            let object = self.pieces.list.split_off(start);
            let (context, property) = self.property_scoped(active)?;
            if !self.compact_reference(&context, &property, node)? {
                self.pieces.list.extend(object);
            }
        }
        Ok(key)
    }
}
