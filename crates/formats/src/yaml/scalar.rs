//! The spellings of a YAML scalar: plain, in single or double quotes, or as a block of lines.

use evalgraph_json::number::is_number;
use evalgraph_json::write_string;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

/// Characters with which a plain scalar is not begun, since they may have a special meaning.
const INDICATORS: &str = "-?:,[]{}#&*!|>'\"%@`";

/// The characters of a tag other than letters and digits.
const IN_TAGS: &str = "_-;/?:@&=+$.!~*'()%<>#^|[]";

/// Returns the start and end of each tag of a text, or of text that looks like a tag. Takes one pass: a tag inside
/// another one has the end of the outer one.
pub(super) fn tags(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let is_of_tag = |letter: char| letter.is_ascii_alphanumeric() || IN_TAGS.contains(letter);
    let mut end = 0;
    text.match_indices('!').map(move |(at, _)| {
        if at >= end {
            end = text.len() - text[at + 1..].trim_start_matches(is_of_tag).len();
        }
        (at, end)
    })
}

/// Returns the JSON of a plain word that is not a string: null, true and false, and the numbers that JSON can spell.
pub(super) fn json_of_plain(word: &str) -> Option<&str> {
    match word {
        "" | "~" | "null" | "Null" | "NULL" => Some("null"),
        "true" | "True" | "TRUE" => Some("true"),
        "false" | "False" | "FALSE" => Some("false"),
        _ if is_number(word) => Some(word),
        // JSON has no leading `+`, and the number is the same without it.
        _ => word.strip_prefix('+').filter(|rest| !rest.starts_with('-') && is_number(rest)),
    }
}

/// How a scalar of a text is spelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ScalarStyle<'t> {
    /// The scalar has no text.
    Empty,
    Plain,
    SingleQuoted,
    DoubleQuoted,
    /// Lines below a header.
    Lines {
        /// `|` or `>`, and the rest of its line.
        header: &'t str,
        line_end: &'t str,
        indent: &'t str,
    },
}

/// Returns the bytes of a node without its anchor and tag, and without trailing white space.
pub fn bare(text: &str, bytes: &Range<usize>) -> Range<usize> {
    let end = bytes.start + text[bytes.clone()].trim_end().len();
    let mut start = bytes.start;
    while text[start..end].starts_with(['&', '!']) {
        let word = text[start..end].find(char::is_whitespace).unwrap_or(end - start);
        start += word;
        start += text[start..end].len() - text[start..end].trim_start().len();
    }
    start..end
}

impl<'t> ScalarStyle<'t> {
    /// Returns how a bare scalar is spelled.
    pub(crate) fn from_scalar(scalar: &'t str) -> Self {
        match scalar.as_bytes().first() {
            None => Self::Empty,
            Some(b'\'') => Self::SingleQuoted,
            Some(b'"') => Self::DoubleQuoted,
            Some(b'|' | b'>') => {
                let mut lines = scalar.split_inclusive('\n');
                let first = lines.next().unwrap_or_default();
                let Some(line) = lines.find(|line| !line.trim().is_empty()) else {
                    return Self::DoubleQuoted;
                };
                let header = first.trim_end_matches(['\n', '\r']);
                let indent = &line[..line.len() - line.trim_start_matches(' ').len()];
                Self::Lines { header, line_end: &first[header.len()..], indent }
            }
            Some(_) => Self::Plain,
        }
    }

    /// Returns a placeholder scalar in this spelling.
    pub(crate) fn placeholder(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Plain => "0".to_owned(),
            Self::SingleQuoted => "'0'".to_owned(),
            Self::DoubleQuoted => "\"0\"".to_owned(),
            Self::Lines { header, line_end, indent } => format!("{header}{line_end}{indent}0"),
        }
    }

    /// Returns a text in this spelling if that can represent it, else in double quotes.
    pub(crate) fn write(&self, value: &str, is_in_flow: bool) -> String {
        let written = match self {
            _ if looks_like_tag(value) => None,
            Self::Empty | Self::Plain => is_plain(value, is_in_flow).then(|| value.to_owned()),
            Self::SingleQuoted => is_line(value).then(|| format!("'{}'", value.replace('\'', "''"))),
            Self::DoubleQuoted => None,
            Self::Lines { header, line_end, indent } => lines(value, header, line_end, indent),
        };
        written.unwrap_or_else(|| double_quoted(value))
    }
}

/// Returns whether a text has only printable characters and no line ends.
fn is_line(value: &str) -> bool {
    value.chars().all(prints)
}

/// Returns whether a comma after some part of a text could form a tag that the reader refuses.
fn looks_like_tag(value: &str) -> bool {
    tags(value).any(|(_, end)| value[end..].is_empty() || value[end..].starts_with(','))
}

fn prints(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns whether a text certainly needs no quotes, whatever surrounds it. For some texts that need none it also
/// returns `false`.
fn is_plain(value: &str, is_in_flow: bool) -> bool {
    !value.is_empty()
        && value.trim() == value
        && is_line(value)
        && !value.starts_with(|first| INDICATORS.contains(first))
        && !value.contains(": ")
        && !value.contains(" #")
        && !value.ends_with(':')
        && !value.starts_with("...")
        && !(is_in_flow && value.contains([',', '[', ']', '{', '}', ':', '?']))
        && json_of_plain(value).is_none()
}

/// Returns a text as lines below a header, or `None` if the lines would be read as a different text.
fn lines(value: &str, header: &str, line_end: &str, indent: &str) -> Option<String> {
    let mark = header.trim_end();
    let body = match mark {
        "|" | ">" => value.strip_suffix('\n')?,
        "|-" | ">-" => value,
        _ => return None,
    };
    // Folding joins lines, so the text is certain to stay the same only if it is a single line.
    if mark.starts_with('>') && body.contains('\n') || body.ends_with('\n') {
        return None;
    }
    let first = body.split('\n').find(|line| !line.is_empty())?;
    if first.starts_with(' ') || !body.split('\n').all(is_line) {
        return None;
    }
    let mut text = header.to_owned();
    for line in body.split('\n') {
        text.push_str(line_end);
        if !line.is_empty() {
            text.push_str(indent);
            text.push_str(line);
        }
    }
    Some(text)
}

/// Returns a text in double quotes, as in JSON, with unprintable characters escaped.
pub fn double_quoted(value: &str) -> String {
    let mut json = String::new();
    write_string(value, &mut json);
    let tags = tags(&json).filter(|&(_, end)| json[end..].starts_with(','));
    let is_tag: HashSet<usize> = tags.map(|(at, _)| at).collect();
    let is_kept = |(at, character): (usize, char)| prints(character) && !is_tag.contains(&at);
    if json.char_indices().all(is_kept) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len());
    for (at, character) in json.char_indices() {
        if is_kept((at, character)) {
            escaped.push(character);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "\\u{:04x}", u32::from(character));
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{ScalarStyle, double_quoted};
    use crate::yaml::read_yaml;
    use evalgraph_json::Limits;

    #[test]
    fn whatever_is_written_is_read_back() {
        let values = [
            "a",
            "",
            " a",
            "a ",
            "null",
            "1.5",
            "-",
            "- a",
            "a: b",
            "a:",
            "a #b",
            "it's",
            "\"",
            "[x]",
            "a, b",
            "two\nlines",
            "two\nlines\n",
            "\n\n",
            "  deep\nless",
            "é\u{7f}\u{feff}\u{2028}",
            "tab\there",
            "...",
            "---",
            "? a",
            "*a",
            "&a",
            "!a",
            "!a,b",
            "no! no,
            no",
            "%a",
            "@",
            "`",
            "a\r\nb",
            "0x1F",
            "~",
            "x\n\ny\n",
        ];
        for header in ["''", "\"\"", "0", "", "|\n    0", "|-\n    0", ">\n    0", ">-\n    0"] {
            for value in values {
                for (flow, before, after) in [(false, "k:\n  l: ", "\nm: 0\n"), (true, "k: [0, ", ", 0]\n")] {
                    if flow && header.contains('\n') {
                        continue;
                    }
                    let written = ScalarStyle::from_scalar(header).write(value, flow);
                    let yaml = format!("{before}{written}{after}");
                    let document = read_yaml("test.yaml", &yaml, Limits::default())
                        .unwrap_or_else(|fault| panic!("{yaml}: {fault}"));
                    let found = document.items(document.root()).count();
                    assert_eq!(found, 0);
                    let outer = document.get(document.root(), "k").expect("it is there");
                    let inner = document.get(outer, "l").or_else(|| document.items(outer).nth(1));
                    let read = inner.and_then(|inner| document.string(inner).map(|text| text.into_owned()));
                    assert_eq!(read.as_deref(), Some(value), "{yaml}");
                }
            }
        }
        assert_eq!(double_quoted("\u{7f}"), "\"\\u007f\"");
    }
}
