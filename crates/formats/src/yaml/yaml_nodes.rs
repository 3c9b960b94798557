//! The nodes of a YAML text with their places, before their values are interpreted.

use super::scalar::{bare, tags};
use evalgraph_diagnostics::{Diagnostic, SourceText};
use libyaml_safer::{Event, EventData, MappingStyle, Mark, Parser, ScalarStyle, SequenceStyle};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// The characters other than white space that may precede a tag.
const BEFORE_TAGS: &str = "[{,:?\"'}]&*!-\u{feff}";

/// The kind of a node.
#[derive(Debug)]
pub(crate) enum NodeKind {
    Scalar {
        value: String,
        is_plain: bool,
    },
    Sequence,
    Mapping,
    /// A reference to the node of an anchor, by its number.
    Alias(usize),
}

#[derive(Debug)]
pub(crate) struct YamlNode {
    pub(crate) kind: NodeKind,
    /// Begins at the anchor or tag. Covers a whole scalar or alias, but only the beginning of a sequence or mapping.
    pub bytes: Range<usize>,
    /// The end of the node with its content, without trailing white space.
    pub end: usize,
    /// The number of the first node after this one and its content.
    pub after: usize,
    /// `true` if it is inside brackets.
    pub is_in_flow: bool,
    /// `true` if it is itself in brackets.
    pub is_flow: bool,
}

/// The nodes of a text, in order.
#[derive(Debug)]
pub struct YamlNodes<'t> {
    name: &'t str,
    pub(crate) text: &'t str,
    /// The start of the text after its byte order mark.
    start: usize,
    pub(crate) nodes: Vec<YamlNode>,
    /// The outermost node of each document.
    pub roots: Vec<usize>,
}

/// Nodes that have not ended, each with its anchor, which can be used once the node has ended.
type OpenYamlNodes = Vec<(usize, Option<String>)>;

impl<'t> YamlNodes<'t> {
    /// Parses a text into nodes.
    ///
    /// # Errors
    /// `yaml::syntax` and `json::depth`.
    pub fn read(name: &'t str, text: &'t str, depth: usize) -> Result<Self, Box<Diagnostic>> {
        let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let mut nodes = Self { name, text, start, nodes: Vec::new(), roots: Vec::new() };
        nodes.check()?;
        nodes.parse(depth)?;
        Ok(nodes)
    }

    pub(super) fn fault(&self, code: &'static str, bytes: Range<usize>, message: &str) -> Box<Diagnostic> {
        let place = SourceText::new(self.name, self.text.as_bytes()).place(bytes);
        Box::new(Diagnostic::error(code, message).at(place))
    }

    /// Returns the direct children of a sequence or mapping; in a mapping keys and values alternate.
    pub fn inner(&self, container: usize) -> impl Iterator<Item = usize> + '_ {
        let after = self.nodes[container].after;
        let first = Some(container + 1).filter(|&first| first < after);
        std::iter::successors(first, move |&at| Some(self.nodes[at].after).filter(|&next| next < after))
    }

    /// Returns the byte of the text at a mark.
    fn at(&self, mark: Mark) -> usize {
        let mut at = (self.start + mark.index as usize).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// Refuses texts that would crash the parser: a tag directly before a comma, or a byte order mark inside the text.
    fn check(&self) -> Result<(), Box<Diagnostic>> {
        if let Some(at) = self.text[self.start..].find('\u{feff}').map(|at| self.start + at) {
            let message = "a byte order mark within the text: spell it `\\uFEFF`, in double quotes";
            return Err(self.fault("yaml::syntax", at..at + 3, message));
        }
        for (at, behind) in tags(self.text) {
            let before = self.text[..at].chars().next_back();
            let begins = before.is_none_or(|before| before.is_whitespace() || BEFORE_TAGS.contains(before));
            if begins && self.text[behind..].starts_with(',') {
                let message = "a comma directly after text that looks like a tag: put a blank before the comma, or quote the text";
                return Err(self.fault("yaml::syntax", at..at + 1, message));
            }
        }
        Ok(())
    }

    fn parse(&mut self, depth: usize) -> Result<(), Box<Diagnostic>> {
        let text = &self.text[self.start..];
        // The parser needs a line end after the last line; `is_last` keeps it out of the last string.
        let is_cut = !text.ends_with('\n');
        let text = if is_cut { Cow::Owned(format!("{text}\n")) } else { Cow::Borrowed(text) };
        let mut bytes = text.as_bytes();
        let mut parser = Parser::new();
        parser.set_encoding(libyaml_safer::Encoding::Utf8);
        parser.set_input_string(&mut bytes);
        let mut anchors: HashMap<String, usize> = HashMap::new();
        let mut open: OpenYamlNodes = Vec::new();
        loop {
            let event = parser.parse().map_err(|error| {
                let at = error.problem_mark().map_or(self.text.len(), |mark| self.at(mark));
                self.fault("yaml::syntax", at..at + 1, &format!("this is not YAML: {}", error.problem()))
            })?;
            match &event.data {
                EventData::StreamEnd => return Ok(()),
                EventData::SequenceEnd | EventData::MappingEnd => {
                    if let Some((node, anchor)) = open.pop() {
                        self.end(node, self.at(event.end_mark));
                        anchors.extend(anchor.map(|anchor| (anchor, node)));
                    }
                }
                _ => {
                    let is_last = is_cut && event.end_mark.index as usize >= text.len();
                    self.begin(event, is_last, &mut open, &mut anchors, depth)?;
                }
            }
        }
    }

    /// Notes the node that an event begins, if it begins one.
    fn begin(
        &mut self,
        event: Event,
        is_last: bool,
        open: &mut OpenYamlNodes,
        anchors: &mut HashMap<String, usize>,
        depth: usize,
    ) -> Result<(), Box<Diagnostic>> {
        let bytes = self.at(event.start_mark)..self.at(event.end_mark);
        let number = self.nodes.len();
        let mut is_flow = false;
        let (kind, anchor, opens) = match event.data {
            EventData::Scalar { anchor, tag, mut value, style, .. } => {
                let is_string = tag.is_some_and(|tag| tag.ends_with(":str") || tag == "!");
                let is_plain = style == ScalarStyle::Plain && !is_string;
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                if is_last && is_block && value.ends_with('\n') {
                    value.pop();
                }
                (NodeKind::Scalar { value, is_plain }, anchor, false)
            }
            EventData::SequenceStart { anchor, style, .. } => {
                is_flow = style == SequenceStyle::Flow;
                (NodeKind::Sequence, anchor, true)
            }
            EventData::MappingStart { anchor, style, .. } => {
                is_flow = style == MappingStyle::Flow;
                (NodeKind::Mapping, anchor, true)
            }
            EventData::Alias { anchor } => {
                let target = anchors.get(&anchor).copied();
                let unknown = || {
                    self.fault("yaml::syntax", bytes.clone(), "no anchor of that name ends before this alias")
                };
                (NodeKind::Alias(target.ok_or_else(unknown)?), None, false)
            }
            _ => return Ok(()),
        };
        if open.is_empty() {
            self.roots.push(number);
        }
        let is_in_flow = open.last().is_some_and(|&(parent, _)| self.nodes[parent].is_flow);
        let end = bare(self.text, &bytes).end;
        self.nodes.push(YamlNode { kind, bytes: bytes.clone(), end, after: number + 1, is_in_flow, is_flow });
        if !opens {
            anchors.extend(anchor.map(|anchor| (anchor, number)));
        } else if open.len() >= depth {
            return Err(self.fault("json::depth", bytes, "values are nested deeper than allowed"));
        } else {
            open.push((number, anchor));
        }
        Ok(())
    }

    /// Ends a sequence or mapping: at its bracket, or else where its last node ends.
    fn end(&mut self, node: usize, at: usize) {
        let last = self.inner_before_end(node);
        let has_bracket = self.nodes[node].is_flow && self.text[..at].ends_with([']', '}']);
        self.nodes[node].after = self.nodes.len();
        self.nodes[node].end = match last {
            _ if has_bracket => at,
            Some(last) => self.nodes[last].end,
            None => self.nodes[node].bytes.end,
        };
    }

    /// Returns the last node that was put into a container that is being ended.
    fn inner_before_end(&self, container: usize) -> Option<usize> {
        let next = |&at: &usize| Some(self.nodes[at].after).filter(|&next| next < self.nodes.len());
        let first = Some(container + 1).filter(|&first| first < self.nodes.len());
        std::iter::successors(first, next).last()
    }
}
