//! Writes the expanded document as JSON.

use super::arena_sources::ArenaSources;
use super::expanded_arena::{ExpandedArena, ExpandedElement, NO_DATATYPE, NONE, PropertyEntry, ValueObject};
use super::name_interner::{InternedName, Keyword, NameInterner};
use evalgraph_json::{TokenId, write_string};
use std::io;

/// The layout of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JsonLdLayout {
    /// Without white space.
    Compact,
    /// Two spaces per level.
    #[default]
    Indented,
}

/// Writes the items of an expanded document. Keys are in the order of the document, with `@id` and `@type` first and
/// `@reverse` last.
pub(super) struct ExpandedWriter<'e> {
    pub(super) arena: &'e ExpandedArena,
    pub(super) names: &'e NameInterner,
    pub(super) sources: ArenaSources<'e>,
    pub(super) layout: JsonLdLayout,
    pub(super) out: &'e mut String,
    /// Receives the text page by page, if there is a sink.
    pub(super) sink: Option<&'e mut dyn io::Write>,
    pub(super) level: usize,
    /// The result of passing on the pages so far.
    pub(super) handed_over: io::Result<()>,
}

/// How much text is collected before it is passed to a sink.
const PAGE: usize = 1 << 16;
/// Deeper lines are not indented further. Otherwise the number of blanks would grow with the square of the depth, and
/// documents may nest 10,000 levels.
pub(crate) const DEEPEST_INDENT: usize = 64;

impl ExpandedWriter<'_> {
    pub(super) fn write(mut self) -> io::Result<()> {
        let arena = self.arena;
        self.array(&arena.top);
        self.out.push('\n');
        self.hand_over();
        self.handed_over
    }

    /// Passes the text to the sink. After a fault, the rest is laid out but not passed on.
    fn hand_over(&mut self) {
        let Some(sink) = &mut self.sink else { return };
        if self.handed_over.is_ok() {
            self.handed_over = sink.write_all(self.out.as_bytes());
        }
        self.out.clear();
    }

    fn line(&mut self) {
        if self.layout == JsonLdLayout::Indented {
            self.out.push('\n');
            for _ in 0..self.level.min(DEEPEST_INDENT) {
                self.out.push_str("  ");
            }
        }
    }

    fn open(&mut self, bracket: char) {
        self.out.push(bracket);
        self.level += 1;
    }

    fn close(&mut self, bracket: char, empty: bool) {
        self.level -= 1;
        if !empty {
            self.line();
        }
        self.out.push(bracket);
    }

    /// Begins an item or member: a comma after the one before, and a new line.
    fn next(&mut self, first: &mut bool) {
        if !std::mem::take(first) {
            self.out.push(',');
        }
        if self.out.len() >= PAGE {
            self.hand_over();
        }
        self.line();
    }

    fn key(&mut self, first: &mut bool, key: &str) {
        self.next(first);
        write_string(key, self.out);
        self.out.push_str(if self.layout == JsonLdLayout::Indented { ": " } else { ":" });
    }

    fn array(&mut self, elements: &[ExpandedElement]) {
        self.open('[');
        let mut first = true;
        for &element in elements {
            if element.is_kept() {
                self.next(&mut first);
                self.element(element);
            }
        }
        self.close(']', first);
    }

    fn element(&mut self, element: ExpandedElement) {
        match element {
            ExpandedElement::Node(node) => self.node(node),
            ExpandedElement::List(list) => {
                let list = *self.arena.list(list);
                self.open('{');
                let mut first = true;
                self.key(&mut first, "@list");
                self.array(self.arena.items(&list));
                self.index(&mut first, list.index);
                self.close('}', first);
            }
            ExpandedElement::Value(value) => self.value(value),
            ExpandedElement::Type { name, .. } => self.name(Some(name)),
            ExpandedElement::Null => self.out.push_str("null"),
            ExpandedElement::Missing { .. } | ExpandedElement::Phantom(_) | ExpandedElement::Taken { .. } => {
            }
        }
    }

    fn name(&mut self, name: Option<InternedName>) {
        match name {
            Some(name) => write_string(self.names.text(name), self.out),
            None => self.out.push_str("null"),
        }
    }

    fn string(&mut self, token: TokenId) {
        write_string(&self.sources.string(token).unwrap_or_default(), self.out);
    }

    fn index(&mut self, first: &mut bool, index: Option<TokenId>) {
        if let Some(index) = index {
            self.key(first, "@index");
            self.string(index);
        }
    }

    fn node(&mut self, node: u32) {
        let (arena, names) = (self.arena, self.names);
        let properties = arena.properties(node);
        self.open('{');
        let mut first = true;
        if let Some(id) = arena.node(node).id {
            self.key(&mut first, "@id");
            self.name(id.name);
        }
        self.index(&mut first, arena.node(node).index);
        for property in properties.iter().filter(|property| property.lost == NONE && !property.reverse) {
            self.key(&mut first, names.text(property.name));
            match (names.keyword(property.name), arena.values(property)) {
                (Some(Keyword::Language | Keyword::Direction), [ExpandedElement::Value(tag)]) => {
                    self.string(tag.token);
                }
                (_, values) => self.array(values),
            }
        }
        let reverse: Vec<&PropertyEntry> =
            properties.iter().filter(|property| property.lost == NONE && property.reverse).collect();
        if !reverse.is_empty() {
            self.key(&mut first, "@reverse");
            self.open('{');
            let mut first_reverse = true;
            // The nodes that point here are added one by one, so no property without values is written.
            let has_values =
                |property: &&PropertyEntry| arena.values(property).iter().any(ExpandedElement::is_kept);
            for property in reverse.into_iter().filter(has_values) {
                self.key(&mut first_reverse, names.text(property.name));
                self.array(arena.values(property));
            }
            self.close('}', first_reverse);
        }
        self.close('}', first);
    }

    fn value(&mut self, value: ValueObject) {
        let extra = self.arena.extra(&value);
        self.open('{');
        let mut first = true;
        if value.datatype != NO_DATATYPE {
            self.key(&mut first, "@type");
            self.name(Some(value.datatype));
        }
        self.key(&mut first, "@value");
        let (document, token) = self.sources.locate(value.token);
        if value.datatype != Keyword::Json.name() && document.string(token).is_some() {
            self.string(value.token);
        } else {
            self.out.push_str(document.raw(token));
        }
        if let Some(language) = extra.language {
            self.key(&mut first, "@language");
            self.name(Some(language));
        }
        if let Some(direction) = extra.direction {
            self.key(&mut first, "@direction");
            write_string(direction.as_str(), self.out);
        }
        self.index(&mut first, extra.index);
        self.close('}', first);
    }
}
