//! The name of a downloaded corpus file: the last segment of its URL, unchanged, and the fragment.
//!
//! URLs are split like Python's `urllib.parse.urlparse`, which made the names: a `;` in the last segment begins
//! parameters, which are left out like the query. Nothing is decoded, so `Caf%C3%A9` and `Café` are two names.

/// The schemes whose last segment may have parameters.
const WITH_PARAMETERS: [&str; 15] = [
    "", "ftp", "hdl", "prospero", "http", "https", "shttp", "rtsp", "rtsps", "rtspu", "sip", "sips", "mms",
    "sftp", "tel",
];

/// Returns the stem of the file to which a page is saved; empty if the URL names no file.
///
/// ```
/// use evalgraph_formats::corpus::stem_of_url;
///
/// assert_eq!(stem_of_url("https://en.example.org/wiki/Caf%C3%A9#History"), "Caf%C3%A9#History");
/// assert_eq!(stem_of_url("https://example.org/a;v=1?q=2#part"), "a#part");
/// assert_eq!(stem_of_url("https://example.org/a/b/"), "");
/// ```
pub fn stem_of_url(url: &str) -> String {
    let url = url.trim_start_matches(|character| character <= ' ');
    let url: String = url.chars().filter(|character| !matches!(character, '\t' | '\n' | '\r')).collect();
    let (scheme, rest) = split_scheme(&url);
    let rest = match rest.strip_prefix("//") {
        Some(rest) => rest.find(['/', '?', '#']).map_or("", |end| &rest[end..]),
        None => rest,
    };
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let path = rest.split_once('?').map_or(rest, |(path, _)| path);
    let segment = path.rsplit_once('/').map_or(path, |(_, segment)| segment);
    let has_parameters = WITH_PARAMETERS.iter().any(|known| known.eq_ignore_ascii_case(scheme));
    let segment = match segment.split_once(';') {
        Some((segment, _)) if has_parameters => segment,
        _ => segment,
    };
    if fragment.is_empty() { segment.to_owned() } else { format!("{segment}#{fragment}") }
}

/// Splits a URL into its scheme and the rest after the colon. The scheme is empty if there is none.
fn split_scheme(url: &str) -> (&str, &str) {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    match url.split_once(':') {
        Some((scheme, rest))
            if scheme.starts_with(|first: char| first.is_ascii_alphabetic())
                && scheme.bytes().all(is_part) =>
        {
            (scheme, rest)
        }
        _ => ("", url),
    }
}
