//! Makes texts of data inert in Markdown, tables included: no HTML, no links, no end of a cell or code span.

use super::visible;

/// Escapes a text, so that Markdown shows it literally.
pub(crate) fn plain(text: &str) -> String {
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
pub(crate) fn message(text: &str) -> String {
    let shown = visible(text);
    let has_pairs = shown.matches('`').count().is_multiple_of(2) && !shown.contains("``");
    let is_inert = shown.split('`').step_by(2).all(|between| !between.contains(is_special));
    if has_pairs && is_inert { shown.into_owned() } else { plain(text) }
}

/// A code span of a text, whose back quotes cannot end the span.
pub(crate) fn code(text: &str) -> String {
    let text = visible(text).replace('|', "\\|");
    let fence = fence(&text, 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A fence of back quotes, longer than any run of back quotes in the text.
pub(crate) fn fence(text: &str, least: usize) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(least.max(longest + 1))
}

fn is_special(character: char) -> bool {
    matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&')
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn code_spans_stay_where_no_value_ends_one() {
        assert_eq!(message("`a_b` is no `<year>`"), "`a_b` is no `<year>`");
        assert_eq!(message("`x` <img> `y` is no year"), "\\`x\\` \\<img\\> \\`y\\` is no year");
        assert_eq!(message("`x`` is no year"), "\\`x\\`\\` is no year");
        assert_eq!(message("[x](http://example.org)"), "\\[x\\](http://example.org)");
    }
}
