//! Framing Algorithm (Framing, section 4.1): selects the nodes of a node map that match a frame, and nests them.
//!
//! `frame_matching.rs` matches nodes; compaction is left to the caller. Recurses by level of the result, which is
//! limited.

pub(super) mod blank_node_pruning;
pub(super) mod frame_matching;
pub(super) mod frame_object;
pub(super) mod frame_operation;
pub(super) mod subject_index;

use crate::arena_sources::ArenaSources;
use crate::expanded_arena::{ExpandedArena, ExpandedElement, IdEntry, PropertyEntry};
use crate::flattening::node_map::{DEFAULT_GRAPH, NodeMap};
use crate::framing::frame_object::{DocumentFrames, FrameObject};
use crate::framing::subject_index::SubjectIndex;
use crate::json_ld_options::{FramingOptions, JsonLdEmbed, JsonLdOptions};
use crate::name_interner::{InternedName, Keyword, NameInterner};
use crate::{JsonLdError, JsonLdErrorCode, JsonLdOutcome};
use evalgraph_diagnostics::help::{help, setting};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::rc::Rc;

/// How many levels a result may nest by default: the same number as a JSON text.
const DEPTH: usize = 512;

/// A result may have this many nodes, plus some for each node of the document. With `@always`, shared nodes double from
/// level to level, so a limit is needed. Ordinary frames yield each node only a few times.
const MOST_NODES: u64 = 1_000_000;
const MOST_NODES_PER_SUBJECT: u64 = 10;

/// Matching and skipping may take this many steps, plus some for each node of the document. A frame with nested
/// patterns is matched with every node that another one refers to.
const MOST_STEPS: u64 = 5_000_000;
const MOST_STEPS_PER_SUBJECT: u64 = 50;

/// The flags of a frame.
#[derive(Debug, Clone, Copy)]
struct FrameFlags {
    embed: JsonLdEmbed,
    explicit: bool,
    require_all: bool,
}

/// A frame with its flags. It has no number if the frame document has nothing for this place.
#[derive(Debug, Clone, Copy)]
struct ActiveFrame {
    frame: Option<u32>,
    flags: FrameFlags,
}

/// The framing state that changes from call to call.
#[derive(Debug, Clone, Copy)]
struct FramingState {
    graph: u32,
    /// `true` if the result becomes the value of a property.
    embedded: bool,
    /// How many arrays and objects are open.
    level: usize,
}

/// The matching subjects, by graph, frame, and whether all properties have to match.
type MatchingSubjects = HashMap<(u32, Option<u32>, bool), Rc<[u32]>, FixedState>;

/// A running framing.
///
/// Other methods are in `frame_matching.rs`.
pub(crate) struct FramingAlgorithm<'f> {
    pub(crate) map: NodeMap,
    pub(crate) frames: &'f DocumentFrames,
    pub(crate) sources: ArenaSources<'f>,
    pub(crate) names: &'f NameInterner,
    pub(crate) ordered: bool,
    /// The merged graph, if it is framed.
    pub(crate) merged: Option<u32>,
    pub(crate) indexes: HashMap<u32, SubjectIndex, FixedState>,
    pub(crate) matched: MatchingSubjects,
    pub(crate) answers: HashMap<(u32, u32, bool), bool, FixedState>,
    options: FramingOptions,
    /// The results of the open calls, each after those of the outer call.
    elements: Vec<ExpandedElement>,
    properties: Vec<PropertyEntry>,
    /// For each subject, the last result in which it was embedded, and the node there.
    embedded_in: Vec<(u32, u32)>,
    /// For each subject, `true` if an outer call is writing it.
    is_open: Vec<bool>,
    /// For each property of a frame, the last result that had it.
    put_out: Vec<u32>,
    /// The number of the current outermost result, from 1.
    result: u32,
    /// The number of nodes in all results.
    nodes: u64,
    /// The number of elements that were examined for all results.
    pub(crate) steps: u64,
}

/// Frames a node map. The items at the top of the arena are the results. `merged` is the number of the merged graph,
/// unless the frame is for the default graph.
///
/// # Errors
/// [`FramingLimit`](JsonLdErrorCode::FramingLimit) if the result nests too deep or grows too large.
pub(crate) fn frame(
    map: NodeMap,
    merged: Option<u32>,
    frames: &DocumentFrames,
    sources: ArenaSources<'_>,
    names: &NameInterner,
    options: &JsonLdOptions,
) -> JsonLdOutcome<ExpandedArena> {
    let subjects = map.subjects.len();
    let mut framer = FramingAlgorithm {
        map,
        frames,
        sources,
        names,
        ordered: options.ordered,
        merged,
        indexes: HashMap::default(),
        matched: HashMap::default(),
        answers: HashMap::default(),
        options: options.framing,
        elements: Vec::new(),
        properties: Vec::new(),
        embedded_in: vec![(0, 0); subjects],
        is_open: vec![false; subjects],
        put_out: vec![0; frames.properties.len()],
        result: 0,
        nodes: 0,
        steps: 0,
    };
    let state = FramingState { graph: merged.unwrap_or(DEFAULT_GRAPH), embedded: false, level: 1 };
    let active = framer.active(frames.root);
    for &subject in framer.matched(state.graph, active.frame, active.flags.require_all).iter() {
        // Outermost results are independent: a node that is embedded in one can be embedded in the next.
        framer.result += 1;
        framer.frame_subject(state, subject, active, None)?;
    }
    framer.check_steps()?;
    framer.map.arena.top = framer.elements;
    Ok(framer.map.arena)
}

impl FramingAlgorithm<'_> {
    /// Framing 3: returns the flags of a frame, which override those of the options.
    fn active(&self, frame: u32) -> ActiveFrame {
        let object = &self.frames.objects[frame as usize];
        let flags = FrameFlags {
            embed: object.embed.unwrap_or(self.options.embed),
            explicit: object.explicit.unwrap_or(self.options.explicit),
            require_all: object.require_all.unwrap_or(self.options.require_all),
        };
        ActiveFrame { frame: Some(frame), flags }
    }

    /// Returns the frame for a property that the outer frame does not mention: a new one with the outer flags.
    fn active_or_implicit(&self, frame: Option<u32>, flags: FrameFlags) -> ActiveFrame {
        frame.map_or(ActiveFrame { frame: None, flags }, |frame| self.active(frame))
    }

    /// Framing 4: writes all matching subjects of a graph. The results are left on the stack.
    fn frame_graph(&mut self, state: FramingState, active: ActiveFrame) -> JsonLdOutcome {
        let matched = self.matched(state.graph, active.frame, active.flags.require_all);
        matched.iter().try_for_each(|&subject| self.frame_subject(state, subject, active, None))
    }

    /// Framing 4 for the subject of a reference; writes nothing if it does not match.
    fn frame_reference(
        &mut self,
        state: FramingState,
        reference: ExpandedElement,
        active: ActiveFrame,
    ) -> JsonLdOutcome {
        let ExpandedElement::Node(node) = reference else { return Ok(()) };
        let id = self.map.arena.node(node).id.and_then(|id| id.name);
        let Some(subject) = id.and_then(|id| self.map.numbers.get(state.graph, id)) else {
            return Ok(());
        };
        if let Some(frame) = active.frame
            && !self.matches(state.graph, subject, frame, active.flags.require_all)
        {
            return Ok(());
        }
        self.frame_subject(FramingState { embedded: true, ..state }, subject, active, Some(reference))
    }

    /// Framing 4.1 to 4.8 for a subject that matches. `reference` is written instead if the node is not embedded.
    fn frame_subject(
        &mut self,
        state: FramingState,
        subject: u32,
        active: ActiveFrame,
        reference: Option<ExpandedElement>,
    ) -> JsonLdOutcome {
        self.steps += 1;
        self.check_steps()?;
        let at = subject as usize;
        let is_known = self.embedded_in[at].0 == self.result;
        if let Some(reference) = reference {
            // Framing 4.3 and 4.4.
            let is_refused = match active.flags.embed {
                JsonLdEmbed::Never => true,
                JsonLdEmbed::Once => is_known,
                JsonLdEmbed::Always | JsonLdEmbed::Last => false,
            };
            // An open subject contains this place, so `@always` would never end.
            if is_refused || self.is_open[at] {
                self.elements.push(reference);
                return Ok(());
            }
            if is_known && active.flags.embed == JsonLdEmbed::Last {
                self.remove_embed(subject);
            }
        } else if is_known {
            // Framing 4.2.
            return Ok(());
        }
        self.check_limits(state, subject)?;
        // The marks are set before the inner nodes are framed, because `@once` also holds inside of this node.
        self.embedded_in[at].0 = self.result;
        self.is_open[at] = true;
        let node = self.output(FramingState { level: state.level + 2, ..state }, subject, active)?;
        self.is_open[at] = false;
        self.embedded_in[at].1 = node;
        self.elements.push(ExpandedElement::Node(node));
        Ok(())
    }

    /// Fails if the patterns of a frame took too many steps to match.
    fn check_steps(&self) -> JsonLdOutcome {
        if !self.is_exhausted() {
            return Ok(());
        }
        let message = "the frame's patterns are matched with too many nodes";
        let root = self.sources.frame.unwrap_or(self.sources.document);
        Err(JsonLdError::new(JsonLdErrorCode::FramingLimit, message, root, root.root())
            .with_help("nest fewer patterns, or name types and ids in them"))
    }

    /// Returns whether more steps were taken than reasonable frames need.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.steps > MOST_STEPS + MOST_STEPS_PER_SUBJECT * self.map.subjects.len() as u64
    }

    /// Fails if the result nests too deep or is too large.
    fn check_limits(&mut self, state: FramingState, subject: u32) -> JsonLdOutcome {
        self.nodes += 1;
        let most_nodes = MOST_NODES + MOST_NODES_PER_SUBJECT * self.map.subjects.len() as u64;
        let depth = self.options.max_depth.unwrap_or(DEPTH);
        // Two levels: a node, and the array of a property in it.
        if state.level + 2 > depth {
            let message = format!("the result nests more than {depth} arrays and objects");
            let help = help![
                "embed less: `\"@embed\": \"@never\"` where references will do, or raise the limit with ",
                setting("max-depth")
            ];
            return Err(self.limit(subject, message).with_help(help));
        }
        if self.nodes > most_nodes {
            let message =
                format!("the result has more than {most_nodes} nodes, because some are embedded many times");
            let help = "embed less: `\"@embed\": \"@once\"` or `\"@never\"`";
            return Err(self.limit(subject, message).with_help(help));
        }
        Ok(())
    }

    fn limit(&self, subject: u32, message: String) -> Box<JsonLdError> {
        let node = self.map.subjects[subject as usize].node;
        let token = self.map.arena.node(node).token;
        JsonLdError::new(JsonLdErrorCode::FramingLimit, message, self.sources.document, token)
    }

    /// `@last`: the node that was embedded earlier becomes a reference, and the nodes embedded inside it can be
    /// embedded again.
    fn remove_embed(&mut self, subject: u32) {
        let mut nodes = vec![self.embedded_in[subject as usize].1];
        while let Some(node) = nodes.pop() {
            for property in self.map.arena.properties(node) {
                for element in self.map.arena.values(property) {
                    let ExpandedElement::Node(inner) = *element else { continue };
                    nodes.push(inner);
                    let id = self.map.arena.node(inner).id.and_then(|id| id.name);
                    let graph = self.merged.unwrap_or(DEFAULT_GRAPH);
                    if let Some(subject) = id.and_then(|id| self.map.numbers.get(graph, id))
                        && self.embedded_in[subject as usize].1 == inner
                    {
                        self.embedded_in[subject as usize] = (0, 0);
                    }
                }
            }
        }
        self.map.arena.reduce_to_reference(self.embedded_in[subject as usize].1);
    }

    /// Framing 4.5 to 4.7: writes the node of a subject.
    fn output(&mut self, state: FramingState, subject: u32, active: ActiveFrame) -> JsonLdOutcome<u32> {
        let source = self.map.subjects[subject as usize].node;
        let start = self.properties.len();
        self.named_graph(state, subject, active)?;
        self.included(state, active)?;
        let leading = self.properties.len() - start;
        // Framing 4.7.
        for at in 0..self.map.arena.properties(source).len() {
            let property = self.map.arena.properties(source)[at];
            self.property(state, &property, active)?;
        }
        if let Some(frame) = active.frame {
            let object = &self.frames.objects[frame as usize];
            self.defaults(object, start);
            self.reverse(state, subject, object)?;
        }
        // `@graph` and `@included` are framed first but written last.
        self.properties[start..].rotate_left(leading);
        let source = self.map.arena.node(source);
        let (token, id, index) = (source.token, source.id, source.index);
        let node = self.map.arena.add_node(token, id, index, &self.properties[start..]);
        self.properties.truncate(start);
        Ok(node)
    }

    /// Makes the elements from `start` on the values of a property.
    fn add_property(&mut self, name: InternedName, key: evalgraph_json::TokenId, start: usize) {
        let values = self.map.arena.add_elements(self.elements.drain(start..));
        let property = self.map.arena.add_property(name, key, values);
        self.properties.push(property);
    }

    /// Framing 4.5: the subject is the name of a graph.
    fn named_graph(&mut self, state: FramingState, subject: u32, active: ActiveFrame) -> JsonLdOutcome {
        let id = self.map.subjects[subject as usize].id;
        let Some(&graph) = self.map.graph_numbers.get(&id) else { return Ok(()) };
        let object = active.frame.map(|frame| &self.frames.objects[frame as usize]);
        let frame = match object {
            Some(object) if object.has_graph => object.graph,
            _ if self.merged == Some(state.graph) => return Ok(()),
            _ => None,
        };
        // A frame for a graph does not inherit flags: those of the options apply again.
        let flags = FrameFlags {
            embed: self.options.embed,
            explicit: self.options.explicit,
            require_all: self.options.require_all,
        };
        let inner = self.active_or_implicit(frame, flags);
        let start = self.elements.len();
        self.frame_graph(FramingState { graph, embedded: false, ..state }, inner)?;
        if self.elements.len() > start {
            let key = self.map.arena.node(self.map.subjects[subject as usize].node).token;
            self.add_property(Keyword::Graph.name(), key, start);
        }
        Ok(())
    }

    /// Framing 4.6: `@included`. Only a call for a whole graph has other subjects than the one that is being written.
    fn included(&mut self, state: FramingState, active: ActiveFrame) -> JsonLdOutcome {
        let Some(frame) = active.frame else { return Ok(()) };
        let Some(included) = self.frames.objects[frame as usize].included else { return Ok(()) };
        if state.embedded {
            return Ok(());
        }
        let start = self.elements.len();
        self.frame_graph(FramingState { embedded: false, ..state }, self.active(included))?;
        if let Some(&ExpandedElement::Node(node)) = self.elements.get(start) {
            let key = self.map.arena.node(node).token;
            self.add_property(Keyword::Included.name(), key, start);
        }
        Ok(())
    }

    /// Framing 4.7.1 to 4.7.3: one property of the subject.
    fn property(
        &mut self,
        state: FramingState,
        property: &PropertyEntry,
        active: ActiveFrame,
    ) -> JsonLdOutcome {
        if property.name == Keyword::Type.name() {
            self.properties.push(*property);
            return Ok(());
        }
        let frames = self.frames;
        let object = active.frame.map(|frame| &frames.objects[frame as usize]);
        let number = object.and_then(|object| object.property(property.name));
        if number.is_none() && active.flags.explicit {
            return Ok(());
        }
        let wanted = number.map(|number| frames.properties[number as usize].frames.as_slice());
        let wanted = wanted.unwrap_or_default();
        let first_property = self.properties.len();
        if wanted.iter().all(|&frame| frames.objects[frame as usize].lets_all_through())
            && self.has_only_values(property)
        {
            // The values stay as they are, so the property can be shared.
            if !self.map.arena.values(property).is_empty() {
                self.properties.push(*property);
            }
        } else {
            self.property_values(state, property, wanted, active.flags)?;
        }
        if let Some(number) = number
            && self.properties.len() > first_property
        {
            self.put_out[number as usize] = self.result;
        }
        Ok(())
    }

    fn has_only_values(&self, property: &PropertyEntry) -> bool {
        self.map.arena.values(property).iter().all(|element| matches!(element, ExpandedElement::Value(_)))
    }

    /// Framing 4.7.3: writes the values of a property, each by its kind.
    fn property_values(
        &mut self,
        state: FramingState,
        property: &PropertyEntry,
        wanted: &[u32],
        flags: FrameFlags,
    ) -> JsonLdOutcome {
        let frames = self.frames;
        let start = self.elements.len();
        let inner = self.active_or_implicit(wanted.first().copied(), flags);
        for at in 0..self.map.arena.values(property).len() {
            match self.map.arena.values(property)[at] {
                ExpandedElement::List(list) => {
                    let items = wanted
                        .first()
                        .and_then(|&frame| frames.objects[frame as usize].list.as_ref()?.first().copied());
                    let inner = self.active_or_implicit(items, flags);
                    self.list(state, list, inner)?;
                }
                reference @ ExpandedElement::Node(_) => self.frame_reference(state, reference, inner)?,
                element @ ExpandedElement::Value(value) => {
                    let is_wanted = wanted.is_empty()
                        || wanted
                            .iter()
                            .any(|&frame| self.lets_through(&frames.objects[frame as usize], &value));
                    if is_wanted {
                        self.elements.push(element);
                    }
                }
                _ => {}
            }
        }
        if self.elements.len() > start {
            self.add_property(property.name, property.key, start);
        }
        Ok(())
    }

    /// Framing 4.7.3.1: writes a list, item by item.
    fn list(&mut self, state: FramingState, list: u32, active: ActiveFrame) -> JsonLdOutcome {
        let source = *self.map.arena.list(list);
        let start = self.elements.len();
        for at in 0..self.map.arena.items(&source).len() {
            match self.map.arena.items(&source)[at] {
                reference @ ExpandedElement::Node(_) => {
                    self.frame_reference(
                        FramingState { level: state.level + 2, ..state },
                        reference,
                        active,
                    )?;
                }
                item => self.elements.push(item),
            }
        }
        let items = self.map.arena.add_elements(self.elements.drain(start..));
        let list = self.map.arena.add_list(items, source.index);
        self.elements.push(list);
        Ok(())
    }

    /// Framing 4.7.4: adds the properties that the frame mentions and the node lacks. `start` is where the properties
    /// of the node begin.
    fn defaults(&mut self, object: &FrameObject, start: usize) {
        let frames = self.frames;
        let has_type = |framer: &Self| {
            framer.properties[start..].iter().any(|property| property.name == Keyword::Type.name())
        };
        if let Some(default) = object.default_type
            && !has_type(self)
        {
            let Some(element) = self.copy(default) else { return };
            let key = self.sources.of_frame(self.sources.document.root());
            let property = self.map.arena.add_single(Keyword::Type.name(), key, element);
            self.properties.push(property);
        }
        for &number in &object.properties {
            let property = &frames.properties[number as usize];
            let is_there = |other: &PropertyEntry| other.name == property.name && !other.reverse;
            // The mark is for the whole result. This node's own properties are searched only if some node of the result
            // has the property.
            if self.put_out[number as usize] == self.result && self.properties[start..].iter().any(is_there) {
                continue;
            }
            let first = property.frames.first().map(|&first| &frames.objects[first as usize]);
            let omit = first.and_then(|first| first.omit_default).unwrap_or(self.options.omit_default);
            if omit {
                continue;
            }
            let key = self.sources.of_frame(property.key);
            let default = first.and_then(|first| first.default.as_ref());
            // The first of several defaults counts.
            let element = match default {
                Some(default) => default.iter().find_map(|&element| self.copy(element)),
                None => Some(ExpandedElement::Null),
            };
            let values = self.map.arena.add_elements(element.into_iter());
            let property = self.map.arena.add_property(property.name, key, values);
            self.properties.push(property);
        }
    }

    /// Framing 4.7.5: writes the subjects that refer to this one.
    fn reverse(&mut self, state: FramingState, subject: u32, object: &FrameObject) -> JsonLdOutcome {
        let id = self.map.subjects[subject as usize].id;
        for &(name, key, frame) in &object.reverse {
            let graph = self.merged.unwrap_or(state.graph);
            let index = self.indexes.entry(graph).or_default();
            let mut referring = index.referring(&self.map, graph, name, id);
            if referring.is_empty() {
                continue;
            }
            if self.ordered {
                let (names, map) = (self.names, &self.map);
                referring.sort_by_key(|&subject| names.text(map.subjects[subject as usize].id));
            }
            let flags = FrameFlags {
                embed: self.options.embed,
                explicit: self.options.explicit,
                require_all: self.options.require_all,
            };
            let active = self.active_or_implicit(frame, flags);
            let start = self.elements.len();
            for subject in referring {
                let node = self.map.subjects[subject as usize].node;
                let id = self.map.arena.node(node).id;
                let reference = ExpandedElement::Node(self.map.arena.add_node(
                    self.map.arena.node(node).token,
                    id,
                    None,
                    &[],
                ));
                self.frame_reference(FramingState { level: state.level + 1, ..state }, reference, active)?;
            }
            let values = self.map.arena.add_elements(self.elements.drain(start..));
            let mut property = self.map.arena.add_property(name, self.sources.of_frame(key), values);
            property.reverse = true;
            self.properties.push(property);
        }
        Ok(())
    }

    /// Copies an element of the frame into the result. Recurses by level of the frame.
    fn copy(&mut self, element: ExpandedElement) -> Option<ExpandedElement> {
        let (frame, sources) = (&self.frames.arena, self.sources);
        match element {
            ExpandedElement::Null => Some(ExpandedElement::Null),
            ExpandedElement::Type { name, token } => {
                Some(ExpandedElement::Type { name, token: sources.of_frame(token) })
            }
            ExpandedElement::Value(mut value) => {
                let mut extra = frame.extra(&value);
                extra.language_token = extra.language_token.map(|token| sources.of_frame(token));
                extra.index = extra.index.map(|token| sources.of_frame(token));
                value.token = sources.of_frame(value.token);
                value.extra = self.map.arena.add_extra(extra);
                Some(ExpandedElement::Value(value))
            }
            ExpandedElement::List(list) => {
                let list = *frame.list(list);
                let items = self.copies(frame.items(&list));
                let items = self.map.arena.add_elements(items.into_iter());
                Some(self.map.arena.add_list(items, list.index.map(|token| sources.of_frame(token))))
            }
            ExpandedElement::Node(node) => {
                let source = frame.node(node);
                let id = source.id.map(|id| IdEntry { token: sources.of_frame(id.token), ..id });
                let index = source.index.map(|token| sources.of_frame(token));
                let mut properties = Vec::new();
                for property in frame
                    .properties(node)
                    .iter()
                    .filter(|property| property.lost == crate::expanded_arena::NONE)
                {
                    let values = self.copies(frame.values(property));
                    let values = self.map.arena.add_elements(values.into_iter());
                    let key = sources.of_frame(property.key);
                    let mut copy = self.map.arena.add_property(property.name, key, values);
                    copy.reverse = property.reverse;
                    properties.push(copy);
                }
                let token = sources.of_frame(source.token);
                Some(ExpandedElement::Node(self.map.arena.add_node(token, id, index, &properties)))
            }
            _ => None,
        }
    }

    fn copies(&mut self, elements: &[ExpandedElement]) -> Vec<ExpandedElement> {
        elements.iter().filter_map(|&element| self.copy(element)).collect()
    }
}
