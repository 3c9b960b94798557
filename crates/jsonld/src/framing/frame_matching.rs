//! Frame Matching Algorithm and Value Pattern Matching (Framing, sections 4.2 and 4.3).
//!
//! `FramingAlgorithm` is defined in `framing/mod.rs`.

use crate::expanded_arena::{ExpandedElement, NO_DATATYPE, ValueObject};
use crate::framing::FramingAlgorithm;
use crate::framing::frame_object::{FrameDemand, FrameObject, ValuePattern};
use crate::name_interner::{InternedName, Keyword};
use std::rc::Rc;

/// Graphs with fewer subjects are searched one by one, because an index would cost more.
const SMALL: usize = 16;

/// The result of matching a property of a frame with a node.
enum FrameMatch {
    Match,
    NoMatch,
    /// The node has no value, and the frame has a default: this is neither a match nor a failure.
    Default,
    /// The node cannot match, regardless of its other properties.
    Never,
}

impl FramingAlgorithm<'_> {
    /// Returns the subjects of a graph that match a frame, in the order of the graph. The result is computed once for
    /// each graph and frame.
    pub(crate) fn matched(&mut self, graph: u32, frame: Option<u32>, require_all: bool) -> Rc<[u32]> {
        if let Some(matched) = self.matched.get(&(graph, frame, require_all)) {
            return Rc::clone(matched);
        }
        let mut matched = match frame {
            Some(frame) => self.candidates(graph, frame, require_all),
            None => self.map.graphs[graph as usize].subjects.clone(),
        };
        if let Some(frame) = frame {
            matched.retain(|&subject| self.matches_anew(graph, subject, frame, require_all));
        }
        if self.ordered {
            let (names, map) = (self.names, &self.map);
            matched.sort_by_key(|&subject| names.text(map.subjects[subject as usize].id));
        }
        let matched: Rc<[u32]> = matched.into();
        self.matched.insert((graph, frame, require_all), Rc::clone(&matched));
        matched
    }

    /// Returns the subjects that may match. All that match are among them.
    fn candidates(&mut self, graph: u32, frame: u32, require_all: bool) -> Vec<u32> {
        let frames = self.frames;
        let object = &frames.objects[frame as usize];
        let all = &self.map.graphs[graph as usize].subjects;
        if let FrameDemand::OneOf(ids) = &object.ids {
            let mut subjects: Vec<u32> =
                ids.iter().filter_map(|&id| self.map.numbers.get(graph, id)).collect();
            subjects.sort_unstable();
            subjects.dedup();
            return subjects;
        }
        if all.len() < SMALL || (!require_all && !object.ids.is_unsaid()) {
            return all.clone();
        }
        let index = self.indexes.entry(graph).or_default();
        match &object.types {
            FrameDemand::OneOf(types) => return index.with_type(&self.map, graph, types),
            FrameDemand::Anything => return index.with_property(&self.map, graph, &[Keyword::Type.name()]),
            FrameDemand::Nothing if !require_all => return all.clone(),
            FrameDemand::Nothing | FrameDemand::Unsaid => {}
        }
        if object.default_type.is_some() && !require_all {
            return all.clone();
        }
        // Match none requires that a property is absent; every other frame requires that it is present.
        let mut properties = object.properties.iter().map(|&at| &frames.properties[at as usize]);
        if require_all {
            let needed = properties.find(|property| match property.frames.first() {
                Some(&first) => {
                    let first = &frames.objects[first as usize];
                    first.default.is_none() && first.list.is_none()
                }
                None => false,
            });
            return match needed {
                Some(property) => index.with_property(&self.map, graph, &[property.name]),
                None => all.clone(),
            };
        }
        let is_open = |frame: u32| frames.objects[frame as usize].list.is_some();
        if object.properties.is_empty()
            || properties.any(|property| property.frames.first().is_none_or(|&first| is_open(first)))
        {
            return all.clone();
        }
        let names: Vec<InternedName> =
            object.properties.iter().map(|&at| frames.properties[at as usize].name).collect();
        index.with_property(&self.map, graph, &names)
    }

    /// Returns whether a subject matches a frame.
    pub(crate) fn matches(&mut self, graph: u32, subject: u32, frame: u32, require_all: bool) -> bool {
        if self.frames.objects[frame as usize].properties.is_empty() {
            return self.matches_anew(graph, subject, frame, require_all);
        }
        // Matching searches values, and many other subjects may ask about the same one.
        if let Some(&answer) = self.answers.get(&(subject, frame, require_all)) {
            return answer;
        }
        let answer = self.matches_anew(graph, subject, frame, require_all);
        self.answers.insert((subject, frame, require_all), answer);
        answer
    }

    fn matches_anew(&mut self, graph: u32, subject: u32, frame: u32, require_all: bool) -> bool {
        self.steps += 1;
        if self.is_exhausted() {
            // The framing code reports that there were too many steps.
            return false;
        }
        let frames = self.frames;
        let object = &frames.objects[frame as usize];
        // Frame Matching 1.
        if object.is_wildcard() && object.default_type.is_none() {
            return true;
        }
        // Frame Matching 2.1 and 2.2: a node whose `@id` or `@type` does not fit does not match, regardless of
        // everything else. Every node has an id, so the wildcard requires nothing.
        let has_ids = !object.ids.is_unsaid();
        if let FrameDemand::OneOf(ids) = &object.ids
            && !ids.contains(&self.map.subjects[subject as usize].id)
        {
            return false;
        }
        let has_types = !object.types.is_unsaid();
        if has_types && !self.matches_type(subject, &object.types) {
            return false;
        }
        let mut matches_some = has_ids || has_types || object.default_type.is_some();
        for &property in &object.properties {
            if matches_some && !require_all {
                // From here on, only match none can exclude the node.
                if self.is_excluded(subject, property) {
                    return false;
                }
                continue;
            }
            match self.property_verdict(graph, subject, property, require_all) {
                FrameMatch::Match => matches_some = true,
                FrameMatch::NoMatch if require_all => return false,
                FrameMatch::Never => return false,
                FrameMatch::NoMatch | FrameMatch::Default => {}
            }
        }
        matches_some
    }

    /// Returns whether a frame has match none for a property that the subject has.
    fn is_excluded(&self, subject: u32, property: u32) -> bool {
        let property = &self.frames.properties[property as usize];
        property.frames.is_empty() && !self.values(subject, property.name).is_empty()
    }

    fn matches_type(&self, subject: u32, wanted: &FrameDemand<InternedName>) -> bool {
        let types = self.values(subject, Keyword::Type.name());
        match wanted {
            FrameDemand::OneOf(wanted) => types.iter().any(
                |element| matches!(element, ExpandedElement::Type { name, .. } if wanted.contains(name)),
            ),
            FrameDemand::Anything => !types.is_empty(),
            FrameDemand::Nothing | FrameDemand::Unsaid => types.is_empty(),
        }
    }

    /// Returns the values of a property of a subject.
    pub(crate) fn values(&self, subject: u32, name: InternedName) -> &[ExpandedElement] {
        let arena = &self.map.arena;
        let properties = arena.properties(self.map.subjects[subject as usize].node);
        let property = properties.iter().find(|property| property.name == name && !property.reverse);
        property.map(|property| arena.values(property)).unwrap_or_default()
    }

    /// Frame Matching 2.4 to 2.9: any other property.
    fn property_verdict(&mut self, graph: u32, subject: u32, property: u32, require_all: bool) -> FrameMatch {
        let frames = self.frames;
        let property = &frames.properties[property as usize];
        let count = self.values(subject, property.name).len();
        let Some(&first) = property.frames.first() else {
            // Match none.
            return if count == 0 { FrameMatch::Match } else { FrameMatch::Never };
        };
        if count == 0 {
            let object = &frames.objects[first as usize];
            let is_empty_list = object.list.as_ref().is_some_and(Vec::is_empty);
            return match object.default {
                Some(_) => FrameMatch::Default,
                None if is_empty_list => FrameMatch::Match,
                None => FrameMatch::NoMatch,
            };
        }
        let matches = property.frames.iter().any(|&frame| {
            let object = &frames.objects[frame as usize];
            match (&object.list, &object.value) {
                (Some(items), _) => self.matches_list(graph, subject, property.name, items, require_all),
                (None, Some(pattern)) => (0..count).any(|at| {
                    let element = self.values(subject, property.name)[at];
                    self.is_value(element, pattern)
                }),
                (None, None) if object.is_wildcard() => true,
                (None, None) => (0..count).any(|at| {
                    let element = self.values(subject, property.name)[at];
                    self.is_node(graph, element, frame, require_all)
                }),
            }
        });
        if matches { FrameMatch::Match } else { FrameMatch::NoMatch }
    }

    /// Returns whether a list matches: some item of it must match some item of the list in the frame.
    fn matches_list(
        &mut self,
        graph: u32,
        subject: u32,
        name: InternedName,
        frames: &[u32],
        require_all: bool,
    ) -> bool {
        let Some(&ExpandedElement::List(list)) = self.values(subject, name).first() else { return false };
        let list = *self.map.arena.list(list);
        let count = self.map.arena.items(&list).len();
        if frames.is_empty() {
            return count == 0;
        }
        (0..count).any(|at| {
            let item = self.map.arena.items(&list)[at];
            frames.iter().any(|&frame| {
                let object = &self.frames.objects[frame as usize];
                match &object.value {
                    Some(pattern) => self.is_value(item, pattern),
                    None if object.list.is_some() => matches!(item, ExpandedElement::List(_)),
                    None => object.is_wildcard() || self.is_node(graph, item, frame, require_all),
                }
            })
        })
    }

    /// Frame Matching 2.8: a node pattern.
    fn is_node(&mut self, graph: u32, element: ExpandedElement, frame: u32, require_all: bool) -> bool {
        let ExpandedElement::Node(node) = element else { return false };
        let graph = self.merged.unwrap_or(graph);
        let id = self.map.arena.node(node).id.and_then(|id| id.name);
        let Some(subject) = id.and_then(|id| self.map.numbers.get(graph, id)) else { return false };
        self.matches(graph, subject, frame, require_all)
    }

    fn is_value(&self, element: ExpandedElement, pattern: &ValuePattern) -> bool {
        match element {
            ExpandedElement::Value(value) => self.value_matches(&value, pattern),
            _ => false,
        }
    }

    /// Returns whether a frame for the values of a property admits a value object to the result.
    pub(crate) fn lets_through(&self, object: &FrameObject, value: &ValueObject) -> bool {
        match &object.value {
            Some(pattern) => self.value_matches(value, pattern),
            // A frame with types is about nodes. Values have no such types.
            None => object.lets_all_through(),
        }
    }

    /// Value Pattern Matching.
    ///
    /// If the pattern lacks an entry, the value must lack it too, as with match none. The specification does not
    /// mention the direction; it counts if the pattern has one.
    fn value_matches(&self, value: &ValueObject, pattern: &ValuePattern) -> bool {
        let (sources, extra) = (self.sources, self.map.arena.extra(value));
        let is_value = match &pattern.values {
            FrameDemand::OneOf(wanted) => {
                wanted.iter().any(|&token| sources.same_scalar(value.token, sources.of_frame(token)))
            }
            FrameDemand::Anything => true,
            FrameDemand::Nothing | FrameDemand::Unsaid => false,
        };
        let is_datatype = match (&pattern.datatypes, value.datatype) {
            (FrameDemand::OneOf(wanted), datatype) => wanted.contains(&datatype),
            (FrameDemand::Anything, datatype) => datatype != NO_DATATYPE,
            (FrameDemand::Nothing | FrameDemand::Unsaid, datatype) => datatype == NO_DATATYPE,
        };
        let is_language = match &pattern.languages {
            FrameDemand::OneOf(wanted) => extra.language.is_some_and(|language| {
                let language = self.names.text(language).to_lowercase();
                wanted.contains(&language)
            }),
            FrameDemand::Anything => extra.language.is_some(),
            FrameDemand::Nothing | FrameDemand::Unsaid => extra.language.is_none(),
        };
        let is_direction = match &pattern.directions {
            FrameDemand::OneOf(wanted) => extra
                .direction
                .is_some_and(|direction| wanted.iter().any(|wanted| wanted == direction.as_str())),
            FrameDemand::Anything => extra.direction.is_some(),
            FrameDemand::Nothing => extra.direction.is_none(),
            FrameDemand::Unsaid => true,
        };
        is_value && is_datatype && is_language && is_direction
    }
}
