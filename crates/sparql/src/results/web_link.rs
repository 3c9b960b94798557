//! The address of a link to a web IRI, for pages. It has no character that could end an attribute or a Markdown link.

use std::fmt::Write as _;

use evalgraph_diagnostics::visible::is_obeyed;

/// Returns the address of an `http` or `https` IRI, with characters encoded that IRIs do not allow, or `None` for any
/// other IRI.
pub(crate) fn web_link(iri: &str) -> Option<String> {
    let (scheme, _) = iri.split_once("://")?;
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return None;
    }
    let mut link = String::with_capacity(iri.len());
    let mut bytes = [0; 4];
    for c in iri.chars() {
        match c {
            ' ' | '"' | '\'' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' => {
                let _ = write!(link, "%{:02X}", u32::from(c));
            }
            _ if is_obeyed(c) => {
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    let _ = write!(link, "%{byte:02X}");
                }
            }
            _ => link.push(c),
        }
    }
    Some(link)
}

#[cfg(test)]
mod tests {
    use super::web_link;

    #[test]
    fn only_the_web_is_linked_and_no_address_ends_its_place() {
        assert_eq!(
            web_link("https://example.org/ä?a=b&c#d").as_deref(),
            Some("https://example.org/ä?a=b&c#d")
        );
        assert_eq!(
            web_link("HTTP://example.org/>\"|\u{202E}").as_deref(),
            Some("HTTP://example.org/%3E%22%7C%E2%80%AE")
        );
        for iri in
            ["javascript://example.org/%0Aalert(1)", "urn:a", "data:text/html,x", "mailto:a@example.org", ""]
        {
            assert_eq!(web_link(iri), None, "{iri}");
        }
    }
}
