//! Makes texts of data inert in Markdown, tables included: no HTML, no links, no end of a cell or code span.

use super::visible;

/// Escapes a text, so that Markdown shows it literally.
pub fn plain(text: &str) -> String {
    let mut plain = String::new();
    for character in visible(text).chars() {
        if is_special(character) {
            plain.push('\\');
        }
        plain.push(character);
    }
    plain
}

/// A message as Markdown. Its code spans are kept only if the text between them is inert: a back quote in a value
/// would end the span around it.
pub fn message(text: &str) -> String {
    let shown = visible(text);
    let has_pairs = shown.matches('`').count().is_multiple_of(2) && !shown.contains("``");
    let is_inert = shown.split('`').step_by(2).all(|between| !between.contains(is_special));
    if has_pairs && is_inert { shown.into_owned() } else { plain(text) }
}

/// A code span of a text for a cell of a table.
pub fn code(text: &str) -> String {
    code_span(&text.replace('|', "\\|"))
}

/// A code span of a text, whose back quotes cannot end the span.
pub fn code_span(text: &str) -> String {
    let text = visible(text);
    let fence = fence(&text, 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A fence of back quotes, longer than any run of back quotes in the text.
pub fn fence(text: &str, least: usize) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(least.max(longest + 1))
}

/// A message as Markdown for a page that makes links and mentions of plain text: a message that has one outside of its
/// code spans, or that would need escapes, is one code span.
pub fn inert_message(text: &str) -> String {
    let shown = message(text);
    let is_linked = |between: &str| ["@", "://", "www."].iter().any(|sign| between.contains(sign));
    match shown == visible(text) && !shown.split('`').step_by(2).any(is_linked) {
        true => shown,
        false => code_span(text),
    }
}

fn is_special(character: char) -> bool {
    matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&')
}

#[cfg(test)]
mod tests {
    use super::{inert_message, message};

    #[test]
    fn code_spans_stay_where_no_value_ends_one() {
        assert_eq!(message("`a_b` is not `<year>`"), "`a_b` is not `<year>`");
        assert_eq!(message("`x` <img> `y` is not a year"), "\\`x\\` \\<img\\> \\`y\\` is not a year");
        assert_eq!(message("`x`` is not a year"), "\\`x\\`\\` is not a year");
        assert_eq!(message("[x](http://example.org)"), "\\[x\\](http://example.org)");
    }

    #[test]
    fn no_person_is_called_by_a_message() {
        assert_eq!(inert_message("`@id` is not an IRI"), "`@id` is not an IRI");
        assert_eq!(inert_message("`x` is of @someone"), "`` `x` is of @someone ``");
        assert_eq!(inert_message("see https://example.org/"), "`see https://example.org/`");
        assert_eq!(inert_message("a <img> | b"), "`a <img> | b`");
    }
}
