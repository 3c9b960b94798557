//! Applies the changes between two JSON texts to a third text, which has the values of the first in another layout.
//! Only the bytes of changed values change.

use super::{JsonDocument, JsonKind, JsonMember, TokenId};
use std::ops::Range;

/// Returns the text of `original` with the values of `changed`; `None` if its layout cannot be kept.
///
/// Cost: a walk over both documents. The result is compared with `changed`, so it never says anything else.
pub fn grafted(original: &JsonDocument, changed: &JsonDocument) -> Option<String> {
    if !original.duplicate_keys().is_empty() {
        return None;
    }
    let mut graft = DocumentGraft { original, changed, edits: Vec::new() };
    graft.value(original.root(), changed.root());
    let text = graft.apply();
    (without_blanks(&text) == without_blanks(changed.text())).then_some(text)
}

struct DocumentGraft<'d> {
    original: &'d JsonDocument,
    changed: &'d JsonDocument,
    /// The bytes of the original that are replaced, in order.
    edits: Vec<(Range<usize>, String)>,
}

impl DocumentGraft<'_> {
    fn value(&mut self, old: TokenId, new: TokenId) {
        match (self.original.kind(old), self.changed.kind(new)) {
            (JsonKind::Object, JsonKind::Object) => self.object(old, new),
            (JsonKind::Array, JsonKind::Array) => self.array(old, new),
            _ if self.original.raw(old) == self.changed.raw(new) => {}
            _ => self.replace(old, new),
        }
    }

    fn replace(&mut self, old: TokenId, new: TokenId) {
        self.edits.push((self.original.bytes(old), self.changed.raw(new).to_owned()));
    }

    fn object(&mut self, old: TokenId, new: TokenId) {
        let olds: Vec<JsonMember> = self.original.members(old).collect();
        let news: Vec<JsonMember> = self.changed.members(new).collect();
        let (original, changed) = (self.original, self.changed);
        let has_same_key = |old: &JsonMember, new: &JsonMember| {
            original.symbol_text(old.symbol) == changed.symbol_text(new.symbol)
        };
        let pairs = paired(&olds, &news, has_same_key);
        let part = |member: &JsonMember| EntrySpan {
            start: original.bytes(member.key).start,
            end: original.bytes(member.value).end,
        };
        let parts: Vec<EntrySpan> = olds.iter().map(part).collect();
        let text =
            |member: &JsonMember| format!("{}: {}", changed.raw(member.key), changed.raw(member.value));
        let texts: Vec<String> = news.iter().map(text).collect();
        self.parts(old, &parts, &texts, &pairs);
        for (old, new) in pairs {
            self.value(olds[old].value, news[new].value);
        }
    }

    fn array(&mut self, old: TokenId, new: TokenId) {
        let olds: Vec<TokenId> = self.original.items(old).collect();
        let news: Vec<TokenId> = self.changed.items(new).collect();
        let (original, changed) = (self.original, self.changed);
        let is_same = |old: &TokenId, new: &TokenId| {
            without_blanks(original.raw(*old)) == without_blanks(changed.raw(*new))
        };
        let mut pairs = paired_ends(&olds, &news, is_same);
        // The entries between equal ends are changed one by one, for as many as both lists have.
        let front = pairs.iter().take_while(|(old, new)| old == new).count();
        let back = pairs.len() - front;
        let middle = olds.len().min(news.len()).saturating_sub(front + back);
        pairs.splice(front..front, (front..front + middle).map(|at| (at, at)));
        let part = |item: &TokenId| {
            let Range { start, end } = original.bytes(*item);
            EntrySpan { start, end }
        };
        let parts: Vec<EntrySpan> = olds.iter().map(part).collect();
        let texts: Vec<String> = news.iter().map(|item| changed.raw(*item).to_owned()).collect();
        self.parts(old, &parts, &texts, &pairs);
        for (old, new) in pairs {
            self.value(olds[old], news[new]);
        }
    }

    /// Removes the entries of a container that have no pair, and adds each text that has no pair after the one before
    /// it.
    fn parts(&mut self, container: TokenId, parts: &[EntrySpan], texts: &[String], pairs: &[(usize, usize)]) {
        let bytes = self.original.bytes(container);
        let source = self.original.text();
        let before = parts.first().map_or("", |first| &source[bytes.start + 1..first.start]);
        let is_on_lines = before.contains('\n');
        let shown =
            |text: &String| if is_on_lines || parts.is_empty() { text.clone() } else { on_one_line(text) };
        let joined = |texts: &[String]| {
            texts.iter().map(|text| format!("{before}{}", shown(text))).collect::<Vec<_>>().join(",")
        };
        let removed: Vec<bool> =
            (0..parts.len()).map(|at| !pairs.iter().any(|(old, _)| *old == at)).collect();
        if removed.iter().all(|removed| *removed) {
            let has_change = !parts.is_empty() || !texts.is_empty();
            if has_change {
                let end = parts.last().map_or("", |last| &source[last.end..bytes.end - 1]);
                let end = if texts.is_empty() { "" } else { end };
                self.edits.push((bytes.start + 1..bytes.end - 1, format!("{}{end}", joined(texts))));
            }
            return;
        }
        for (at, part) in parts.iter().enumerate().filter(|(at, _)| removed[*at]) {
            let is_first_kept_behind = removed[..at].iter().all(|removed| *removed);
            let range = match (at.checked_sub(1), parts.get(at + 1)) {
                // The comma after the entry is removed if no entry before it is kept.
                (_, Some(next)) if is_first_kept_behind => part.start..next.start,
                (Some(last), _) => parts[last].end..part.end,
                (None, _) => part.start..part.end,
            };
            self.edits.push((range, String::new()));
        }
        let mut next = 0;
        for &(old, new) in pairs {
            if new > next {
                let start = parts[old].start;
                let added =
                    texts[next..new].iter().map(|text| format!("{},{}", shown(text), spacing(before)));
                self.edits.push((start..start, added.collect()));
            }
            next = new + 1;
        }
        if let Some(&(last, _)) = pairs.last()
            && next < texts.len()
        {
            let end = parts[last].end;
            self.edits.push((end..end, format!(",{}", joined(&texts[next..]))));
        }
    }

    fn apply(mut self) -> String {
        self.edits.sort_by_key(|(range, _)| (range.start, range.end));
        let source = self.original.text();
        let mut text = String::with_capacity(source.len());
        let mut copied = 0;
        for (range, replacement) in &self.edits {
            text.push_str(source.get(copied..range.start).unwrap_or_default());
            text.push_str(replacement);
            copied = range.end.max(copied);
        }
        text.push_str(&source[copied..]);
        text
    }
}

/// The bytes of a member or an item.
struct EntrySpan {
    start: usize,
    end: usize,
}

/// The white space between two entries of a container, derived from the text before the first entry.
fn spacing(before: &str) -> &str {
    if before.is_empty() { " " } else { before }
}

/// The pairs of entries that are the same in both lists, in the order of both.
fn paired<T>(olds: &[T], news: &[T], is_same: impl Fn(&T, &T) -> bool) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (at, new) in news.iter().enumerate() {
        let from = pairs.last().map_or(0, |(old, _)| old + 1);
        if let Some(found) = olds[from..].iter().position(|old| is_same(old, new)) {
            pairs.push((from + found, at));
        }
    }
    pairs
}

/// The pairs of equal entries at the beginning and at the end of two lists.
fn paired_ends<T>(olds: &[T], news: &[T], is_same: impl Fn(&T, &T) -> bool) -> Vec<(usize, usize)> {
    let front = olds.iter().zip(news).take_while(|(old, new)| is_same(old, new)).count();
    let (rest_old, rest_new) = (&olds[front..], &news[front..]);
    let back = rest_old.iter().rev().zip(rest_new.iter().rev());
    let back = back.take_while(|(old, new)| is_same(old, new)).count();
    let ends = (0..back).map(|at| (olds.len() - back + at, news.len() - back + at));
    (0..front).map(|at| (at, at)).chain(ends).collect()
}

/// The text of a value without white space between tokens.
fn without_blanks(json: &str) -> String {
    outside_strings(json, |character, out| {
        if !character.is_ascii_whitespace() {
            out.push(character);
        }
    })
}

/// The text of a value on one line, with a blank after each comma and colon.
fn on_one_line(json: &str) -> String {
    outside_strings(json, |character, out| {
        if !character.is_ascii_whitespace() {
            out.push(character);
        }
        if matches!(character, ',' | ':') {
            out.push(' ');
        }
    })
}

/// Copies a JSON text. Characters outside strings are passed to `write`.
fn outside_strings(json: &str, mut write: impl FnMut(char, &mut String)) -> String {
    let mut out = String::with_capacity(json.len());
    let (mut in_string, mut is_escaped) = (false, false);
    for character in json.chars() {
        if in_string {
            out.push(character);
            in_string = is_escaped || character != '"';
            is_escaped = !is_escaped && character == '\\';
            continue;
        }
        in_string = character == '"';
        if in_string { out.push(character) } else { write(character, &mut out) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::grafted;
    use crate::{Limits, parse};

    fn graft(original: &str, changed: &str) -> Option<String> {
        let read = |text: &str| parse("test", text.to_owned(), Limits::default()).expect("it is JSON");
        grafted(&read(original), &read(changed))
    }

    #[test]
    fn only_what_changed_is_written() {
        let original = "{ \"a\": 1.0, \"b\": [1,\n 2, 3], \"c\": { \"d\": \"x\" } }\n";
        for (changed, expected) in [
            (r#"{"a":1.0,"b":[1,2,3],"c":{"d":"x"}}"#, original.to_owned()),
            (
                r#"{"a":2.5,"b":[1,2,3],"c":{"d":"y"}}"#,
                original.replace("1.0", "2.5").replace("\"x\"", "\"y\""),
            ),
            (r#"{"a":1.0,"b":[1,2,3,4],"c":{"d":"x"}}"#, original.replace("3]", "3,4]")),
            (r#"{"a":1.0,"b":[1,3],"c":{"d":"x"}}"#, original.replace(",\n 2, 3", ", 3")),
            (r#"{"b":[1,2,3],"c":{"d":"x"}}"#, original.replace("\"a\": 1.0, ", "")),
            (r#"{"a":1.0,"b":[1,2,3]}"#, original.replace(", \"c\": { \"d\": \"x\" }", "")),
            (
                r#"{"a":1.0,"n":{"m":[]},"b":[1,2,3],"c":{"d":"x","e":null}}"#,
                original
                    .replace("\"b\"", "\"n\": {\"m\": []}, \"b\"")
                    .replace("\"x\" }", "\"x\", \"e\": null }"),
            ),
            (r#"{"a":1.0,"b":[],"c":{}}"#, original.replace("1,\n 2, 3", "").replace(" \"d\": \"x\" ", "")),
            (r#"{"a":1.0,"b":7,"c":{"d":"x"}}"#, original.replace("[1,\n 2, 3]", "7")),
        ] {
            assert_eq!(graft(original, changed).as_deref(), Some(expected.as_str()), "{changed}");
        }
    }

    #[test]
    fn keys_come_into_the_new_order() {
        let found = graft(r#"{"a": 1, "b": 2}"#, r#"{"b":2,"a":1}"#);
        assert_eq!(found.as_deref(), Some(r#"{"b": 2,"a": 1}"#));
    }

    #[test]
    fn lists_on_lines_grow_by_lines() {
        let original = "[\n    {\"q\": 1},\n    {\"q\": 2}\n]";
        let found = graft(original, "[{\"q\":1},{\"q\":2},{\"q\":3}]");
        assert_eq!(found.as_deref(), Some("[\n    {\"q\": 1},\n    {\"q\": 2},\n    {\"q\":3}\n]"));
    }
}
