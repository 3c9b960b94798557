//! From the compacted document to the text of the file: the one step behind compaction.
//!
//! [`unwrap`] does what the Karenina context cannot say, and nothing else: the template of a
//! question is one object although `hasPart` is a set, JSON literals are plain values, and `@type`
//! stands before `@id`. The text is laid out as Karenina's programs write it: two spaces a level,
//! characters as they are, no line end at the end.

use crate::json::{Document, Kind, Member, TokenId, write_string};

/// The document without what stands between the compacted form and the file.
pub(super) fn unwrap(compacted: &Document) -> String {
    let mut layout = Layout { document: compacted, out: String::new(), level: 0 };
    layout.out.reserve(compacted.text().len() * 3 / 2);
    layout.node_value(compacted.root());
    layout.out
}

/// A plain JSON document, laid out in the same way.
pub(super) fn plain(document: &Document) -> String {
    let mut layout = Layout { document, out: String::new(), level: 0 };
    layout.json(document.root());
    layout.out
}

struct Layout<'l> {
    document: &'l Document,
    out: String,
    level: usize,
}

impl Layout<'_> {
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
