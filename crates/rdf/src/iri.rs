//! IRIs (RFC 3987): well-formedness, resolution, percent-encoding of local ids.
//!
//! `oxiri` decides what is well formed; a byte table decides first for the IRIs that nearly all data have.

use oxiri::{Iri, IriRef};
use std::borrow::Cow;
use std::fmt::Write as _;

use evalgraph_diagnostics::thousands;

/// The maximum length in bytes of a base, and of an IRI that is made from another IRI and serves to make further ones:
/// a namespace, or a term of a context. Without a limit, a line that lengthens the base would cost as much as all lines
/// before it.
pub const LONGEST_BASE: usize = 16 << 10;

/// The message for something longer than [`LONGEST_BASE`].
pub fn too_long(what: &str) -> String {
    format!("{what} may have at most {} bytes", thousands(LONGEST_BASE as u64))
}

/// Returns whether a string is an absolute IRI (RFC 3987, rule `IRI`).
pub fn is_iri(text: &str) -> bool {
    match is_plain_iri(text.as_bytes()) {
        Some(answer) => answer,
        None => Iri::parse(text).is_ok(),
    }
}

/// Decides for ASCII IRIs without brackets, whose authority, if any, is a plain host.
fn is_plain_iri(bytes: &[u8]) -> Option<bool> {
    let colon = scheme_length(bytes)?;
    let rest = &bytes[colon + 1..];
    if let Some(after) = rest.strip_prefix(b"//") {
        let authority = after.iter().take_while(|byte| !matches!(byte, b'/' | b'?' | b'#'));
        if authority.clone().any(|byte| matches!(byte, b':' | b'@')) {
            return None;
        }
    }
    let seen = rest.iter().fold(0, |seen, &byte| seen | CLASS[usize::from(byte)]);
    if seen & NEVER != 0 {
        return Some(false);
    }
    let has_one_fragment = seen & HASH == 0 || rest.iter().filter(|&&byte| byte == b'#').count() == 1;
    (seen & DEPENDS == 0 && has_one_fragment).then_some(true)
}

/// The length of the scheme at the beginning of a string, if a colon follows it.
pub fn scheme_length(bytes: &[u8]) -> Option<usize> {
    if !bytes.first()?.is_ascii_alphabetic() {
        return None;
    }
    let length = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        .count();
    (bytes.get(length) == Some(&b':')).then_some(length)
}

/// The byte that begins a fragment; it may occur once.
const HASH: u8 = 1;
/// A byte that is not allowed anywhere.
const NEVER: u8 = 2;
/// A byte that is allowed or not depending on the bytes around it.
const DEPENDS: u8 = 4;

/// The class of each byte after the scheme; 0 is allowed anywhere.
const CLASS: [u8; 256] = {
    let mut table = [DEPENDS; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => 0,
            b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' => 0,
            b':' | b'@' | b'/' | b'?' => 0,
            b'#' => HASH,
            b'%' | b'[' | b']' => DEPENDS,
            _ => NEVER,
        };
        byte += 1;
    }
    table
};

/// Returns whether a string is an IRI reference, absolute or relative.
pub fn is_iri_reference(text: &str) -> bool {
    IriRef::parse(text).is_ok()
}

/// The components of an IRI reference (RFC 3986, appendix B).
struct IriComponents<'i> {
    scheme: Option<&'i str>,
    authority: Option<&'i str>,
    path: &'i str,
    query: Option<&'i str>,
    fragment: Option<&'i str>,
}

impl<'i> IriComponents<'i> {
    fn from_reference(reference: &'i str) -> Self {
        let (rest, fragment) = split_off(reference, '#');
        let (rest, query) = split_off(rest, '?');
        let (scheme, rest) = match scheme_length(rest.as_bytes()) {
            Some(length) => (Some(&rest[..length]), &rest[length + 1..]),
            None => (None, rest),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                (Some(&rest[..end]), &rest[end..])
            }
            None => (None, rest),
        };
        Self { scheme, authority, path, query, fragment }
    }
}

fn split_off(text: &str, separator: char) -> (&str, Option<&str>) {
    text.split_once(separator).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// Resolves a reference against a base (RFC 3986, section 5.2); `None` if the base has no scheme.
///
/// Neither is checked: JSON-LD resolves first and drops malformed IRIs afterwards. We do not use `oxiri` here, since it
/// keeps dot segments of the base.
pub fn resolve(reference: &str, base: &str) -> Option<String> {
    let base = IriComponents::from_reference(base);
    let reference = IriComponents::from_reference(reference);
    let base_scheme = base.scheme?;
    let (authority, path, query);
    if reference.scheme.is_some() || reference.authority.is_some() {
        (authority, path, query) = (reference.authority, without_dots(reference.path), reference.query);
    } else if reference.path.is_empty() {
        (authority, path, query) = (base.authority, base.path.to_owned(), reference.query.or(base.query));
    } else {
        let merged = if reference.path.starts_with('/') {
            without_dots(reference.path)
        } else if base.authority.is_some() && base.path.is_empty() {
            without_dots(&format!("/{}", reference.path))
        } else {
            without_dots(&format!("{}{}", directory(base.path), reference.path))
        };
        (authority, path, query) = (base.authority, merged, reference.query);
    }
    let mut iri = format!("{}:", reference.scheme.unwrap_or(base_scheme));
    for (mark, part) in
        [("//", authority), ("", Some(path.as_str())), ("?", query), ("#", reference.fragment)]
    {
        if let Some(part) = part {
            iri.push_str(mark);
            iri.push_str(part);
        }
    }
    Some(iri)
}

/// The relative reference that resolves to an IRI against a base; `None` if there is none, or none that is safe to read
/// back.
///
/// Climbs with `../` as far as the two paths differ: this is the form that the JSON-LD test suite expects.
pub fn relativize(iri: &str, base: &str) -> Option<String> {
    let (from, to) = (IriComponents::from_reference(base), IriComponents::from_reference(iri));
    if to.scheme? != from.scheme? || to.authority != from.authority {
        return None;
    }
    let mut reference = String::new();
    let has_more = to.query.is_some() || to.fragment.is_some();
    let keeps_query = to.query.is_some() || from.query.is_none();
    if to.path != from.path || !has_more || !keeps_query {
        let (folder, rest) = (directory(from.path), directory(to.path));
        let common = folder.bytes().zip(rest.bytes()).take_while(|(left, right)| left == right).count();
        // Only whole segments count as common.
        let common =
            folder.as_bytes()[..common].iter().rposition(|&byte| byte == b'/').map_or(0, |at| at + 1);
        reference.extend(folder[common..].matches('/').map(|_| "../"));
        let rest = &to.path[common..];
        let first = rest.split('/').next().unwrap_or_default();
        if reference.is_empty() && (first.is_empty() || first.contains(':')) {
            reference.push_str("./");
        }
        reference.push_str(rest);
    }
    for (mark, part) in [('?', to.query), ('#', to.fragment)] {
        if let Some(part) = part {
            reference.push(mark);
            reference.push_str(part);
        }
    }
    (resolve(&reference, base).as_deref() == Some(iri)).then_some(reference)
}

/// A path up to its last slash.
fn directory(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

/// A path without its dot segments (RFC 3986, section 5.2.4).
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let absolute = path.starts_with('/');
    let mut segments = path.strip_prefix('/').unwrap_or(path).split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            _ => {
                kept.push(segment);
                continue;
            }
        }
        if is_last {
            // A dot segment at the end keeps the slash before it.
            kept.push("");
        }
    }
    format!("{}{}", if absolute { "/" } else { "" }, kept.join("/"))
}

/// Appends a local id as one segment of an IRI: every byte outside the unreserved characters of RFC 3986 is
/// percent-encoded, so different ids stay different.
pub fn percent_encode_into(id: &str, iri: &mut String) {
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            iri.push(char::from(byte));
        } else {
            let _ = write!(iri, "%{byte:02X}");
        }
    }
}

/// A string with its percent-encoded bytes decoded; bytes that are not UTF-8 become U+FFFD.
pub fn percent_decode(encoded: &str) -> String {
    String::from_utf8_lossy(&percent_decode_bytes(encoded)).into_owned()
}

/// The bytes of a string with its percent-encoded bytes decoded.
pub fn percent_decode_bytes(encoded: &str) -> Vec<u8> {
    let bytes = encoded.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let is_hexadecimal = |digits: &&str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let digits = encoded.get(at + 1..at + 3).filter(|_| bytes[at] == b'%').filter(is_hexadecimal);
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    decoded
}

/// An IRI as a message may show it: user name and password are replaced by `***`.
pub fn without_userinfo(iri: &str) -> Cow<'_, str> {
    let Some(start) = iri.find("//").map(|at| at + 2) else { return Cow::Borrowed(iri) };
    let end = iri[start..].find(['/', '?', '#']).map_or(iri.len(), |at| start + at);
    match iri[start..end].rfind('@') {
        Some(at) => Cow::Owned(format!("{}***{}", &iri[..start], &iri[start + at..])),
        None => Cow::Borrowed(iri),
    }
}
