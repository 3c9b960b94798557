//! Text from data in HTML and XML: markup characters are escaped, and characters that are not allowed are replaced by
//! visible ones.

use super::visible::push_visible;

/// Escapes a text for element content and quoted attribute values.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    push_escaped(text, &mut escaped);
    escaped
}

/// Appends a text, escaped as by [`escaped`].
pub fn push_escaped(text: &str, escaped: &mut String) {
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // XML 1.0 does not allow these characters (section 2.2).
            '\u{FFFE}' | '\u{FFFF}' => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => push_visible(c, escaped),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn no_text_ends_its_place() {
        assert_eq!(escaped("<script>&\"'"), "&lt;script&gt;&amp;&quot;&#39;");
        assert_eq!(escaped("a\0b\nc\u{1b}d\u{FFFF}e\u{202E}"), "a␀b␊c␛d\u{FFFD}e\\u{202e}");
    }
}
