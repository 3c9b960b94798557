//! Mutants of a text: what stands between brackets, strings, words and signs is left out, doubled, exchanged, put
//! elsewhere, or replaced by what makes trouble.

use rand::Rng;
use rand::rngs::StdRng;

/// What a word is replaced by.
#[rustfmt::skip]
const TROUBLE: &[&str] = &[
    "null", "true", "-0", "1e400", "0.1e-400", "123456789012345678901234567890", "NaN", "\"\"", "{}", "[]",
    "[[]]", "[null]", "{\"\": {}}", "{\"@id\": \"_:b\"}", "{\"@value\": 1, \"@type\": \"@json\"}",
    "{\"@list\": [[]]}", "\"@context\"", "\"@id\"", "\"@type\"", "\"@graph\"", "\"\\ud800\"", "\"\\u0000\"",
    "\"\u{202e}\u{1b}[2J\"", "\u{feff}", "\u{0}", "\u{9b}", "\r", "\u{85}", "\u{a0}", "\u{10ffff}", "\\", "\"",
    "'", "`", "<", ">", "&", "&amp;", "&#0;", "%00", "..", "/", "//", "http://", "urn:", "_:", "@", "^^", "<<",
    ">>", "{|", "#", ";", ",", ".", ":", "\t", "!!binary", "&a", "*a", "---", "? ", "|2", "${x}", "{{x}}",
    "../../x", "CON", "-", "--", "=1+1", "\u{1f600}", "e\u{301}",
];

/// A text in pieces: strings in quotes, words, white space, and single signs.
fn pieces(text: &str) -> Vec<&str> {
    let kind = |letter: char| {
        if letter.is_alphanumeric() || letter == '_' {
            0
        } else if letter.is_whitespace() {
            1
        } else {
            2
        }
    };
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if first == '"' {
            string_end(rest)
        } else if kind(first) == 2 {
            first.len_utf8()
        } else {
            rest.find(|letter| kind(letter) != kind(first)).unwrap_or(rest.len())
        };
        let (piece, behind) = rest.split_at(end);
        found.push(piece);
        rest = behind;
    }
    found
}

/// Where a string in quotes ends that stands at the front of a text: on its line, or behind its first quote.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '\n' => return 1,
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = letter == '\\' && !is_escaped,
        }
    }
    1
}

/// The pieces from one on that belong together: to the bracket that closes it, or itself.
fn group(pieces: &[&str], from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, piece) in pieces.iter().enumerate().skip(from) {
        match *piece {
            "{" | "[" | "(" => depth += 1,
            "}" | "]" | ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    pieces.len()
}

/// A place among pieces that is not white space, and where its group ends.
fn place(random: &mut StdRng, pieces: &[&str]) -> (usize, usize) {
    for _ in 0..20 {
        let from = random.random_range(0..pieces.len());
        if !pieces[from].trim().is_empty() {
            return (from, group(pieces, from));
        }
    }
    (0, 1)
}

/// One change of a text.
fn changed(random: &mut StdRng, text: &str) -> String {
    let pieces = pieces(text);
    if pieces.is_empty() {
        return TROUBLE[random.random_range(0..TROUBLE.len())].to_owned();
    }
    let (from, to) = place(random, &pieces);
    let (other, other_end) = place(random, &pieces);
    let trouble = TROUBLE[random.random_range(0..TROUBLE.len())];
    let join = |pieces: &[&str]| pieces.concat();
    let (before, it, behind) = (join(&pieces[..from]), join(&pieces[from..to]), join(&pieces[to..]));
    let elsewhere = join(&pieces[other..other_end]);
    match random.random_range(0..12) {
        0 | 1 => before + &behind,
        2 => format!("{before}{it}{it}{behind}"),
        3 | 4 => format!("{before}{trouble}{behind}"),
        5 => format!("{before}{trouble}{it}{behind}"),
        6 | 7 => format!("{before}{elsewhere}{behind}"),
        8 => format!("{before}{it}"),
        9 => format!(
            "{before}{}{behind}",
            it.repeat(random.random_range(2..300_usize).min(1 + 60_000 / it.len()))
        ),
        10 => {
            let (open, close) = [("[", "]"), ("{\"a\": ", "}"), ("(", ")")][random.random_range(0..3)];
            let depth = random.random_range(1..600);
            format!("{before}{}{it}{}{behind}", open.repeat(depth), close.repeat(depth))
        }
        _ => with_lines_changed(random, text),
    }
}

/// A line is left out, doubled, or goes elsewhere.
fn with_lines_changed(random: &mut StdRng, text: &str) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = random.random_range(0..lines.len());
    let line = lines.remove(at);
    match random.random_range(0..3) {
        0 => {}
        1 => lines.splice(at..at, [line, line]).for_each(drop),
        _ => {
            let to = random.random_range(0..=lines.len());
            lines.insert(to, line);
        }
    }
    lines.concat()
}

/// Draws a mutant: one to three changes, and now and then a byte that is not text.
pub(super) fn drawn(random: &mut StdRng, bytes: &[u8]) -> Vec<u8> {
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    for _ in 0..random.random_range(1..3) {
        text = changed(random, &text);
    }
    let mut bytes = text.into_bytes();
    if random.random_range(0..12) == 0 && !bytes.is_empty() {
        let at = random.random_range(0..bytes.len());
        bytes[at] = random.random();
    }
    bytes
}
