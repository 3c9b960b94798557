//! From the compacted document to the text of the file: the one step behind compaction.
//!
//! [`unwrap`] does what the Karenina context cannot say, and nothing else: the template of a
//! question is one object although `hasPart` is a set, JSON literals are plain values, and `@type`
//! stands before `@id`. The text is laid out as Karenina's programs write it: two spaces a level,
//! characters as they are, no line end at the end.

use crate::json::{Document, Kind, Member, TokenId, write_string};

/// The text of a checkpoint, and where its list ends.
pub(super) struct Unwrapped {
    pub(super) text: String,
    list_end: usize,
}

impl Unwrapped {
    /// The text with more items at the end of its list.
    pub(super) fn with_items(self, more: &[String]) -> String {
        let (head, tail) = self.text.split_at(self.list_end);
        let mut text = String::with_capacity(self.text.len() + more.iter().map(String::len).sum::<usize>());
        text.push_str(head);
        more.iter().for_each(|items| text.push_str(items));
        text.push_str(tail);
        text
    }
}

/// The document without what stands between the compacted form and the file. `list` is the key of
/// the checkpoint's list.
pub(super) fn unwrap(compacted: &Document, list: &str) -> Unwrapped {
    let mut layout = Layout::of(compacted, list);
    layout.out.reserve(compacted.text().len() * 3 / 2);
    layout.node_value(compacted.root());
    Unwrapped { text: layout.out, list_end: layout.list_end }
}

/// The items of a document that has nothing but a list, as they stand behind other items.
pub(super) fn more_items(compacted: &Document, list: &str) -> String {
    let mut layout = Layout::of(compacted, list);
    layout.out.reserve(compacted.text().len() * 3 / 2);
    layout.level = 2;
    let items = compacted.get(compacted.root(), list);
    for item in items.into_iter().flat_map(|items| compacted.items(items)) {
        layout.out.push(',');
        layout.line();
        layout.node_value(item);
    }
    layout.out
}

/// A plain JSON document, laid out in the same way.
pub(super) fn plain(document: &Document) -> String {
    let mut layout = Layout::of(document, "");
    layout.json(document.root());
    layout.out
}

struct Layout<'l> {
    document: &'l Document,
    out: String,
    level: usize,
    /// The key of the list of the root, and where its last item ended.
    list: &'l str,
    list_end: usize,
}

impl<'l> Layout<'l> {
    fn of(document: &'l Document, list: &'l str) -> Self {
        Self { document, out: String::new(), level: 0, list, list_end: 0 }
    }

    /// A value of the compacted document.
    fn node_value(&mut self, value: TokenId) {
        match self.document.kind(value) {
            Kind::Object => match self.json_literal(value) {
                Some(literal) => self.json(literal),
                None => self.node(value),
            },
            Kind::Array => {
                let items = self.document.items(value);
                self.block('[', items, Self::node_value);
            }
            _ => self.json(value),
        }
    }

    /// What a JSON literal holds.
    fn json_literal(&self, object: TokenId) -> Option<TokenId> {
        let kind = self.document.get(object, "@type")?;
        (self.document.plain_string(kind) == Some("@json")).then(|| self.document.get(object, "@value"))?
    }

    fn node(&mut self, node: TokenId) {
        let document = self.document;
        let kind = document.get(node, "@type").and_then(|kind| document.plain_string(kind));
        let is_question = kind == Some("Question");
        let rank = |member: &Member| match document.symbol_text(member.symbol) {
            "@context" => 0,
            "@type" => 1,
            "@id" => 2,
            _ => 3,
        };
        let mut members: Vec<Member> = document.members(node).collect();
        members.sort_by_key(rank);
        self.block('{', members.into_iter(), |layout, member| {
            let key = document.symbol_text(member.symbol);
            layout.key(key);
            let mut items = document.items(member.value);
            match (items.next(), items.next()) {
                _ if key == "@context" => layout.json(member.value),
                (Some(part), None) if is_question && key == "hasPart" => layout.node_value(part),
                _ => layout.node_value(member.value),
            }
            if layout.level == 1 && key == layout.list {
                layout.list_end = layout.out.trim_end_matches([']', ' ', '\n']).len();
            }
        });
    }

    /// A value that is JSON to us.
    fn json(&mut self, value: TokenId) {
        let document = self.document;
        match document.kind(value) {
            Kind::Array => self.block('[', document.items(value), Self::json),
            Kind::Object => self.block('{', document.members(value), |layout, member| {
                layout.key(document.symbol_text(member.symbol));
                layout.json(member.value);
            }),
            Kind::EscapedString => write_string(&document.string(value).unwrap_or_default(), &mut self.out),
            _ => self.out.push_str(document.raw(value)),
        }
    }

    fn key(&mut self, key: &str) {
        write_string(key, &mut self.out);
        self.out.push_str(": ");
    }

    /// A container: each part on a line of its own, an empty one as its brackets.
    fn block<T>(&mut self, open: char, parts: impl Iterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        let close = if open == '{' { '}' } else { ']' };
        self.out.push(open);
        self.level += 1;
        let mut is_empty = true;
        for part in parts {
            if !is_empty {
                self.out.push(',');
            }
            is_empty = false;
            self.line();
            write(self, part);
        }
        self.level -= 1;
        if !is_empty {
            self.line();
        }
        self.out.push(close);
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.level {
            self.out.push_str("  ");
        }
    }
}
