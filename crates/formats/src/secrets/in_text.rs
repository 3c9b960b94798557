//! Finds secrets in texts of unknown notation: JSON or YAML in a string, a program, a command line or a URL.

use super::secret_names::{UnescapedText, escaped_quote, name_ends};
use std::ops::Range;

/// A range of bytes, and the byte that replaces each of them.
pub(super) type SecretRange = (Range<usize>, u8);

/// Returns the bytes of the secrets in a text, and their replacement: stars between quotes, else letters or
/// digits, because a star has another meaning in YAML.
pub(super) fn secrets_in_text(original: &str) -> Vec<SecretRange> {
    let resolved = UnescapedText::new(original);
    let text = &*resolved.text;
    let mut found = Vec::new();
    let mut from = 0;
    let mut line = SecretLine::default();
    for end in name_ends(text) {
        if end >= from {
            let before = found.len();
            line.go_on(text, end);
            cover_value(text, end, &line, &mut found);
            from = found[before..].iter().map(|(range, _)| range.end).fold(end, usize::max);
        }
    }
    found.into_iter().map(|(range, cover)| (resolved.original(range), cover)).collect()
}

/// The line that contains a name.
#[derive(Default)]
struct SecretLine {
    start: usize,
    /// How many braces are open on the line.
    open: usize,
    at: usize,
}

impl SecretLine {
    /// Advances to a later byte.
    fn go_on(&mut self, text: &str, to: usize) {
        for (at, sign) in text.as_bytes()[self.at..to].iter().enumerate() {
            match sign {
                b'\n' => (self.start, self.open) = (self.at + at + 1, 0),
                b'{' => self.open += 1,
                b'}' => self.open = self.open.saturating_sub(1),
                _ => {}
            }
        }
        self.at = to;
    }
}

/// Covers the value of a name that ends at a byte.
fn cover_value(text: &str, name_end: usize, line: &SecretLine, found: &mut Vec<SecretRange>) {
    if cover_element(text, name_end, found) {
        return;
    }
    if let Some(range) = value_of_option(text, name_end) {
        found.push((range, b'x'));
        return;
    }
    let after_name = &text[name_end..];
    let rest = &after_name[quote_at(after_name).map_or(0, str::len)..];
    let Some((sign, value)) = after_sign(value_member(rest).unwrap_or(rest)) else { return };
    let start = text.len() - value.len();
    if cover_literals(text, start, found) {
        return;
    }
    let cover =
        if value.starts_with(|first: char| first.is_ascii_digit() || first == '-') { b'1' } else { b'x' };
    let bracket = value.trim_start_matches(|sign: char| sign.is_ascii_alphanumeric() || "_.".contains(sign));
    let is_call = sign != COLON && bracket.starts_with(['(', '[', '{']);
    if is_call || value.starts_with(['(', '[', '{']) {
        let start = text.len() - bracket.len();
        found.push((start + 1..start + bracketed_length(bracket), b'x'));
        return;
    }
    if sign != COLON {
        let length = value.find(|end: char| end.is_whitespace() || "&\"'<>,;)}]".contains(end));
        found.push((start..start + length.unwrap_or(value.len()), cover));
        return;
    }
    let first_line = value.find('\n').map_or(value.len(), |end| end + 1);
    if value.starts_with(['|', '>']) {
        found.push((start + first_line..start + deeper_length(text, line, start, first_line), b'x'));
        return;
    }
    let length = if line.open > 0 {
        value.find([',', '}', ']', '\n']).unwrap_or(value.len())
    } else {
        deeper_length(text, line, start, first_line)
    };
    found.push((start..start + length, cover));
}

/// Signs between a name and its value: the colon of JSON and YAML, and signs for assignment or comparison. A sign comes
/// before the shorter signs that it begins with.
const SIGNS: [&str; 15] =
    ["===", "==", "=>", "=", "!==", "!=", "::=", ":=", COLON, "->", "→", "?=", "+=", "||=", "??="];

const COLON: &str = ":";

/// Returns the sign that a text begins with, and the text after it.
fn after_sign(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    SIGNS.iter().find_map(|sign| Some((*sign, text.strip_prefix(sign)?.trim_start())))
}

/// Returns the text after `value` if that is the next member or attribute: `"name": "api_key", "value": …`.
fn value_member(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|sign: char| sign.is_whitespace() || sign == ',');
    let text = &text[quote_at(text).map_or(0, str::len)..];
    let rest = text.get(..5).filter(|name| name.eq_ignore_ascii_case("value")).map(|_| &text[5..])?;
    Some(&rest[quote_at(rest).map_or(0, str::len)..])
}

/// Covers consecutive quoted literals, as in `f"sk-" + "1"`. Returns whether there is one.
fn cover_literals(text: &str, start: usize, found: &mut Vec<SecretRange>) -> bool {
    let mut at = start;
    loop {
        let rest = &text[at..];
        // In Python, letters before a literal are its prefix.
        let letters = rest.bytes().take(3).take_while(u8::is_ascii_alphabetic).count();
        let Some(quote) = quote_at(&rest[letters..]).filter(|_| letters <= 2) else { return at > start };
        let mut inside = at + letters + quote.len();
        let three =
            text[inside..].strip_prefix(&quote.repeat(2)).and_then(|rest| rest.find(&quote.repeat(3)));
        let (length, quotes) = match three {
            Some(length) => (length, 3),
            None => (quoted_length(&text[inside..], quote), 1),
        };
        inside += (quotes - 1) * quote.len();
        found.push((inside..inside + length, b'*'));
        let end = (inside + length + quotes * quote.len()).min(text.len());
        let next = text[end..].trim_start_matches([' ', '+', '\\', '\n']);
        at = text.len() - next.len();
        // A literal on its own line, without a sign before it, is another value.
        let between = &text[end..at];
        if between.is_empty() || between.contains('\n') && !between.contains(['+', '\\']) {
            return true;
        }
    }
}

/// Covers the values of an XML element with that name: `<api_key a="…">…</api_key>`. Returns whether there is one.
fn cover_element(text: &str, name_end: usize, found: &mut Vec<SecretRange>) -> bool {
    let is_of_name = |letter: char| letter.is_alphanumeric() || "_-.:".contains(letter);
    let before = end_of(&text[..name_end], MOST_NAME);
    let name = &before[before.trim_end_matches(is_of_name).len()..];
    if !before[..before.len() - name.len()].ends_with('<') {
        return false;
    }
    let tag = &text[name_end..];
    let Some(tag) = tag.find(['<', '>']).filter(|&at| tag[at..].starts_with('>')).map(|at| &tag[..at]) else {
        return false;
    };
    if !tag.starts_with(|next: char| next.is_whitespace() || next == '/') && !tag.is_empty() {
        return false;
    }
    let mut at = 0;
    while let Some(quote) = tag[at..].find(['"', '\'']).map(|offset| at + offset) {
        let inside = quote + 1;
        let length = tag[inside..].find(&tag[quote..inside]).unwrap_or(tag.len() - inside);
        found.push((name_end + inside..name_end + inside + length, b'x'));
        at = (inside + length + 1).min(tag.len());
    }
    if tag.ends_with('/') {
        return true;
    }
    let start = name_end + tag.len() + 1;
    let rest = &text[start..];
    let near = &rest[..boundary(rest, MOST_ELEMENT)];
    let section = near.find(SECTION).filter(|&at| near[..at].trim().is_empty()).map(|at| at + SECTION.len());
    let end = match section {
        Some(inside) => rest[inside..].find("]]>").map(|length| inside + length),
        None => near.find(&format!("</{name}")).or_else(|| rest.find('<')),
    };
    found.push((start + section.unwrap_or(0)..start + end.unwrap_or(rest.len()), b'x'));
    true
}

/// The beginning of an XML section that contains no markup.
const SECTION: &str = "<![CDATA[";

/// The maximum length in bytes of the name of an option or element that is checked for the name of a secret.
const MOST_NAME: usize = 256;

/// How many bytes of an element are searched for its end.
const MOST_ELEMENT: usize = 1 << 16;

/// Returns the last bytes of a text.
fn end_of(text: &str, most: usize) -> &str {
    &text[boundary(text, text.len().saturating_sub(most))..]
}

/// Returns the beginning of the character that a byte belongs to, or the end of the text.
fn boundary(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns the value of a command line option with that name: `--api-key …`.
fn value_of_option(text: &str, name_end: usize) -> Option<Range<usize>> {
    let is_end = |sign: char| sign.is_whitespace() || "\"'[(,".contains(sign);
    let option = end_of(&text[..name_end], MOST_NAME).rsplit(is_end).next()?;
    let is_between = |sign: char| sign.is_whitespace() || "\"',\\".contains(sign);
    let rest = text[name_end..].strip_prefix(is_between).filter(|_| option.starts_with('-'))?;
    let value = rest.trim_start_matches(is_between);
    let start = text.len() - value.len();
    let length = value.find(|end: char| end.is_whitespace() || "\"'\\".contains(end)).unwrap_or(value.len());
    (length > 0).then(|| start..start + length)
}

/// Returns the quote that a text begins with, including the backslashes that escape it.
fn quote_at(text: &str) -> Option<&str> {
    let escapes = text.len() - text.trim_start_matches('\\').len();
    let is_quote = text[escapes..].starts_with(['"', '\'']);
    if is_quote { Some(&text[..=escapes]) } else { escaped_quote(text) }
}

/// Returns the length of a text up to its closing quote, which is escaped no more often than the opening one.
fn quoted_length(text: &str, quote: &str) -> usize {
    let (escapes, mark) = (quote.len() - 1, &quote[quote.len() - 1..]);
    if !matches!(mark, "\"" | "'") {
        return text.find(quote).unwrap_or(text.len());
    }
    let mut from = 0;
    while let Some(at) = text[from..].find(mark).map(|at| from + at) {
        let before = text[..at].len() - text[..at].trim_end_matches('\\').len();
        // In YAML, two single quotes inside a quoted scalar are one literal quote.
        if mark == "'" && text[at + 1..].starts_with('\'') {
            from = at + 2;
            continue;
        }
        // An even number of backslashes escape each other.
        if before <= escapes || (escapes == 0 && (before.is_multiple_of(2) || mark == "'")) {
            return at - before.min(escapes);
        }
        from = at + 1;
    }
    text.len()
}

/// Returns the length of a value, including the lines below it that are indented deeper than the line of its name.
fn deeper_length(text: &str, line: &SecretLine, start: usize, first_line: usize) -> usize {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
    let own = indent(&text[line.start..]);
    let mut length = first_line;
    for line in text[start + first_line..].split_inclusive('\n') {
        let is_deeper = line.len() - line.trim_start_matches(' ').len() > own;
        if !line.trim().is_empty() && !is_deeper {
            break;
        }
        length += line.len();
    }
    length
}

/// Returns the length of a value in brackets up to the closing bracket; brackets between quotes do not count.
fn bracketed_length(value: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(sign) = value[at..].chars().next() {
        if let Some(quote) = quote_at(&value[at..]) {
            let inside = at + quote.len();
            let length = quoted_length(&value[inside..], quote);
            // A quote that is never closed is an apostrophe.
            at = inside + if inside + length < value.len() { length + quote.len() } else { 0 };
            continue;
        }
        if sign == '\\' {
            at = value.len() - value[at..].trim_start_matches('\\').len();
            continue;
        }
        match sign {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at;
        }
        at += sign.len_utf8();
    }
    value.len()
}
