//! Recognises the format of an input, by its content first and then by its name.
//!
//! Only the beginning is read, except if a Turtle-like document may contain a graph block later. JSON files of the
//! known systems are recognised elsewhere.

use super::format::RdfFormat;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, SourceText};

/// How many bytes of a line-based document are examined.
const HEAD: usize = 64 * 1024;

/// The recognised format of an input.
#[derive(Debug, Clone)]
pub struct RdfDetection {
    /// The format to read it with.
    pub format: RdfFormat,
    /// A remark if the name of the input suggests another format.
    pub note: Option<Diagnostic>,
}

/// What the content looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContentGuess {
    /// The marks of this format.
    Certain(RdfFormat),
    /// Turtle-like without a mark that N-Triples lacks: perhaps N-Triples with a fault.
    Terse,
    /// Nothing but white space.
    Empty,
    /// None of the known formats.
    Unknown,
}

/// Recognises the format of an input.
///
/// # Errors
///
/// `input::html` for a web page, `input::unknown-format` if neither content nor name shows the format, `input::empty`
/// for an empty input whose name does not show the format.
pub fn detect(name: &str, bytes: &[u8]) -> Result<RdfDetection, Box<Diagnostic>> {
    let named = RdfFormat::from_file_name(name);
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if is_html_page(name, bytes) {
        if mentions_json_ld(bytes) {
            return Ok(RdfDetection { format: RdfFormat::JsonLd, note: None });
        }
        return Err(html_page(name, bytes));
    }
    let format = match (look(text, named), named) {
        (ContentGuess::Certain(format), Some(named)) if named.includes(format) => named,
        // A line after the head may still name a graph; N-Quads reads both.
        (ContentGuess::Certain(RdfFormat::NTriples), None) if text.len() > HEAD => RdfFormat::NQuads,
        (ContentGuess::Certain(format), _) => format,
        (ContentGuess::Terse, Some(named)) if named.includes(RdfFormat::NTriples) => named,
        (ContentGuess::Terse, Some(RdfFormat::NTriples)) => RdfFormat::NTriples,
        (ContentGuess::Terse, _) => RdfFormat::Turtle,
        (ContentGuess::Empty | ContentGuess::Unknown, Some(named)) => named,
        (ContentGuess::Empty, None) => return Err(Box::new(empty(name, bytes))),
        (ContentGuess::Unknown, None) => return Err(Box::new(unknown_format(name, bytes))),
    };
    let note = named.filter(|&named| named != format).map(|named| mismatch(name, bytes, named, format));
    Ok(RdfDetection { format, note })
}

fn mismatch(name: &str, bytes: &[u8], named: RdfFormat, format: RdfFormat) -> Diagnostic {
    let message = format!("the name says {named}, the content is {format}: it is read as {format}");
    Diagnostic::new(FindingSeverity::Note, "input::extension", message)
        .at(SourceText::new(name, bytes).place(0..0))
}

/// Returns whether an input is a web page: it begins like one, or is named like one and begins with markup.
pub fn is_html_page(name: &str, bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let is_named = extension.is_some_and(|extension| ["html", "htm", "xhtml"].contains(&extension.as_str()));
    is_html(text) || (is_named && text.trim_ascii_start().first() == Some(&b'<'))
}

/// Returns whether a page may contain a JSON-LD script, which the JSON-LD processor then looks for.
fn mentions_json_ld(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'+', bytes).any(|at| {
        bytes[..at].last_chunk().is_some_and(|before: &[u8; 2]| before.eq_ignore_ascii_case(b"ld"))
            && bytes[at + 1..]
                .first_chunk()
                .is_some_and(|after: &[u8; 4]| after.eq_ignore_ascii_case(b"json"))
    })
}

/// The finding `input::html`: a web page that is not data.
pub fn html_page(name: &str, bytes: &[u8]) -> Box<Diagnostic> {
    let message = match html_title(bytes) {
        Some(title) => format!("this is an HTML page, not data; its title is `{title}`"),
        None => "this is an HTML page, not data".to_owned(),
    };
    let page = Diagnostic::error("input::html", message)
        .at(SourceText::new(name, bytes).place(0..0))
        .with_help("a download may have saved an error or login page instead of the file");
    Box::new(page)
}

fn empty(name: &str, bytes: &[u8]) -> Diagnostic {
    Diagnostic::error("input::empty", "the input is empty").at(SourceText::new(name, bytes).place(0..0))
}

fn unknown_format(name: &str, bytes: &[u8]) -> Diagnostic {
    let names: Vec<&str> = RdfFormat::ALL.iter().map(|format| format.name()).collect();
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
    let message = "neither the content nor the name shows the format";
    Diagnostic::error("input::unknown-format", message)
        .at(SourceText::new(name, bytes).place(start..start))
        .with_help(help!["name it with ", setting("from"), format!(": {}", names.join(", "))])
}

fn is_html(text: &[u8]) -> bool {
    let mut head = text.trim_ascii_start();
    while let Some(end) = head.starts_with(b"<!--").then(|| find(head, b"-->")).flatten() {
        head = head[end + 3..].trim_ascii_start();
    }
    let head = head[..head.len().min(1024)].to_ascii_lowercase();
    head.starts_with(b"<!doctype html")
        || head.starts_with(b"<html")
        || (head.starts_with(b"<?xml") && find(&head, b"<html").is_some() && find(&head, b"<rdf:").is_none())
}

/// At most 120 characters of the title of an HTML page.
pub fn html_title(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let lower = head.to_ascii_lowercase();
    let open = find(&lower, b"<title")?;
    let start = open + find(&lower[open..], b">")? + 1;
    let end = start + find(&lower[start..], b"</title")?;
    let title = String::from_utf8_lossy(&head[start..end]);
    let words: Vec<&str> = title.split_whitespace().collect();
    let title: String = words.join(" ").chars().take(120).collect();
    (!title.is_empty()).then_some(title)
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(haystack, needle)
}

fn look(text: &[u8], named: Option<RdfFormat>) -> ContentGuess {
    if text.starts_with(&[0xFF, 0xFE]) || text.starts_with(&[0xFE, 0xFF]) || text.get(1) == Some(&0) {
        // UTF-16: the reader of the format reports it, and most such files are JSON-LD.
        return ContentGuess::Certain(named.unwrap_or(RdfFormat::JsonLd));
    }
    let rest = text.trim_ascii_start();
    match rest.first() {
        None => ContentGuess::Empty,
        Some(b'{') => look_at_brace(rest),
        Some(b'[') => look_at_bracket(rest),
        Some(b'"') => ContentGuess::Certain(RdfFormat::JsonLd),
        Some(b'<') if is_xml(rest) => ContentGuess::Certain(RdfFormat::RdfXml),
        Some(_) => look_at_lines(rest, named),
    }
}

/// `{` opens a JSON object or, in TriG, the default graph.
fn look_at_brace(rest: &[u8]) -> ContentGuess {
    let inside = skip_comments(&rest[1..]);
    let is_graph = match inside {
        [b'<' | b'[' | b'@' | b':', ..] | [b'_', b':', ..] => true,
        [b'}', after @ ..] => !after.trim_ascii().is_empty(),
        _ => starts_with_prefixed_name(inside),
    };
    ContentGuess::Certain(if !is_graph {
        RdfFormat::JsonLd
    } else if NonTurtleMarks::from_text(rest).is_n3 {
        RdfFormat::N3
    } else {
        RdfFormat::TriG
    })
}

/// `[` opens a JSON array or, in Turtle, a blank node.
fn look_at_bracket(rest: &[u8]) -> ContentGuess {
    let inside = rest[1..].trim_ascii_start();
    let is_blank_node = match inside {
        [b']', after @ ..] => !after.trim_ascii().is_empty(),
        [b'<' | b':' | b'#', ..] | [b'a', b' ' | b'\t', ..] => true,
        _ => starts_with_prefixed_name(inside),
    };
    if is_blank_node {
        ContentGuess::Certain(terse_format(rest))
    } else {
        ContentGuess::Certain(RdfFormat::JsonLd)
    }
}

/// A name, a colon and something that is neither white space nor a JSON value.
fn starts_with_prefixed_name(text: &[u8]) -> bool {
    let is_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || *byte >= 0x80;
    let length = text.iter().take_while(|byte| is_name(byte)).count();
    length > 0
        && text.get(length) == Some(&b':')
        && text.get(length + 1).is_some_and(|next| next.is_ascii_alphabetic() || *next == b'_')
}

/// Returns whether `<` begins an element or a declaration, not an IRI between angle brackets.
fn is_xml(rest: &[u8]) -> bool {
    if [&b"<?xml"[..], b"<!--", b"<!DOCTYPE", b"<!doctype"].iter().any(|mark| rest.starts_with(mark)) {
        return true;
    }
    let name =
        rest[1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || b":_-.".contains(byte)).count();
    // A name has a prefix at most; `<urn:a:b/c>` is an IRI.
    let is_name = name > 0 && rest[name] != b':' && rest[1].is_ascii_alphabetic();
    let is_name = is_name && rest[1..=name].iter().filter(|&&byte| byte == b':').count() < 2;
    match rest.get(1 + name) {
        Some(b' ' | b'\t' | b'\r' | b'\n') => is_name,
        Some(b'/') => is_name && rest.get(2 + name) == Some(&b'>'),
        // `<rdf:RDF>` could be an IRI with the scheme `rdf`, but no document uses it that way.
        Some(b'>') => rest[1..].starts_with(b"rdf:RDF"),
        _ => false,
    }
}

fn skip_comments(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        if text.first() != Some(&b'#') {
            return text;
        }
        text = memchr::memchr(b'\n', text).map_or(&[], |end| &text[end..]);
    }
}

fn look_at_lines(rest: &[u8], named: Option<RdfFormat>) -> ContentGuess {
    let statements = skip_comments(rest);
    if statements.is_empty() {
        // Nothing but comments: an empty document of any Turtle-like format.
        return ContentGuess::Terse;
    }
    if let Some(format) = line_format(statements) {
        return ContentGuess::Certain(format);
    }
    let is_directive =
        ["@prefix", "@base", "prefix ", "prefix\t", "base ", "base\t", "graph "].iter().any(|word| {
            statements.len() >= word.len() && statements[..word.len()].eq_ignore_ascii_case(word.as_bytes())
        });
    let is_n3_directive =
        [&b"@forAll"[..], b"@forSome", b"@keywords"].iter().any(|word| statements.starts_with(word));
    if is_n3_directive {
        return ContentGuess::Certain(RdfFormat::N3);
    }
    let starts_like_a_subject = matches!(statements, [b'<' | b'(' | b':', ..] | [b'_', b':', ..])
        || starts_with_prefixed_name(statements);
    if is_directive {
        ContentGuess::Certain(terse_format(statements))
    } else if starts_like_a_subject {
        match terse_format(statements) {
            RdfFormat::Turtle if named.is_some() => ContentGuess::Terse,
            format => ContentGuess::Certain(format),
        }
    } else {
        ContentGuess::Unknown
    }
}

fn terse_format(text: &[u8]) -> RdfFormat {
    let marks = NonTurtleMarks::from_text(text);
    if marks.is_n3 {
        RdfFormat::N3
    } else if marks.has_graph {
        RdfFormat::TriG
    } else {
        RdfFormat::Turtle
    }
}

/// Marks in a Turtle-like document that Turtle does not have, outside strings and comments.
#[derive(Debug, Default)]
struct NonTurtleMarks {
    has_graph: bool,
    is_n3: bool,
}

impl NonTurtleMarks {
    fn from_text(text: &[u8]) -> Self {
        let mut marks = Self::default();
        let mut at = 0;
        let is_mark = |byte: &u8| matches!(byte, b'{' | b'<' | b'=' | b'"' | b'\'' | b'#');
        while let Some(step) = text[at..].iter().position(is_mark) {
            at = marks.take(text, at + step);
            if marks.is_n3 {
                break;
            }
        }
        marks
    }

    /// Records the mark at `at`, and returns the position after it.
    fn take(&mut self, text: &[u8], at: usize) -> usize {
        match (text[at], text.get(at + 1)) {
            (b'"' | b'\'' | b'#', _) => return skip_quote_or_comment(text, at),
            // That is an annotation of RDF 1.2, which Turtle has as well.
            (b'{', Some(b'|')) => {}
            (b'{', _) => self.has_graph = true,
            (b'=', Some(b'>')) | (b'<', Some(b'=')) => self.is_n3 = true,
            (b'<', _) => {
                let end = text[at..].iter().position(|byte| matches!(byte, b'>' | b' ' | b'\n'));
                return end.map_or(text.len(), |end| at + end + 1);
            }
            _ => {}
        }
        at + 1
    }
}

fn skip_quote_or_comment(text: &[u8], start: usize) -> usize {
    let quote = text[start];
    if quote == b'#' {
        return memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |end| start + end);
    }
    let is_long = text.get(start + 1) == Some(&quote) && text.get(start + 2) == Some(&quote);
    let width = if is_long { 3 } else { 1 };
    let mut at = start + width;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            b'\n' if !is_long => return at,
            byte if byte == quote && text[at..].iter().take(width).all(|next| *next == quote) => {
                return (at + width).min(text.len());
            }
            _ => at += 1,
        }
    }
    text.len()
}

/// N-Triples or N-Quads, if every line of the beginning is a statement.
fn line_format(text: &[u8]) -> Option<RdfFormat> {
    let head = if text.len() <= HEAD { text } else { &text[..memchr::memrchr(b'\n', &text[..HEAD])?] };
    let mut statements = 0;
    for line in head.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii();
        if line.is_empty() || line[0] == b'#' {
            continue;
        }
        match terms_of_line(line)? {
            3 => statements += 1,
            4 => return Some(RdfFormat::NQuads),
            _ => return None,
        }
    }
    (statements > 0).then_some(RdfFormat::NTriples)
}

/// Returns the number of terms before the dot; none for a line that is not a statement.
fn terms_of_line(line: &[u8]) -> Option<usize> {
    let mut rest = line;
    let mut terms = 0;
    loop {
        rest = rest.trim_ascii_start();
        rest = match rest {
            [b'.', after @ ..] => {
                let after = after.trim_ascii_start();
                return (after.is_empty() || after[0] == b'#').then_some(terms);
            }
            [b'<', ..] => after_iri(rest)?,
            [b'_', b':', ..] => {
                let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'<')?;
                &rest[end..]
            }
            [b'"', ..] => after_literal(rest)?,
            _ => return None,
        };
        terms += 1;
    }
}

fn after_iri(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().position(|byte| matches!(byte, b'>' | b' '))?;
    (text[end] == b'>').then(|| &text[end + 1..])
}

fn after_literal(text: &[u8]) -> Option<&[u8]> {
    let rest = &text[skip_quote_or_comment(text, 0)..];
    match rest {
        [b'^', b'^', iri @ ..] => after_iri(iri),
        [b'@', ..] => {
            let is_tag = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
            Some(&rest[1 + rest[1..].iter().take_while(is_tag).count()..])
        }
        _ => Some(rest),
    }
}
