//! Makes text from data inert in Markdown, also in tables: it cannot add HTML or links, or end a cell or a code span.

use super::visible;

/// Escapes a text so that Markdown shows it literally.
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

/// Returns a message as Markdown. Its code spans are kept only if the text between them is inert, because a back quote
/// in a value would end the span around it.
pub fn message(text: &str) -> String {
    let shown = visible(text);
    let has_pairs = shown.matches('`').count().is_multiple_of(2) && !shown.contains("``");
    let is_inert = shown.split('`').step_by(2).all(|between| !between.contains(is_special));
    if has_pairs && is_inert { shown.into_owned() } else { plain(text) }
}

/// Returns a text as a code span for a table cell.
pub fn code(text: &str) -> String {
    code_span(&text.replace('|', "\\|"))
}

/// Returns a text as a code span that the back quotes of the text cannot end.
pub fn code_span(text: &str) -> String {
    let text = visible(text);
    let fence = fence(&text, 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Returns a fence of back quotes that is longer than any run of back quotes in the text.
pub fn fence(text: &str, least: usize) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(least.max(longest + 1))
}

/// Returns a message as Markdown for pages that turn plain text into links and mentions. A message that has one outside
/// its code spans, or that would need escapes, becomes one code span.
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
