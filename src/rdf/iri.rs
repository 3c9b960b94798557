//! IRIs (RFC 3987): well-formedness, resolution, percent-encoding of local ids.
//!
//! `iref` decides; a byte table answers first for the IRIs that nearly all data have.

use iref::{Iri, IriRef};
use std::fmt::Write as _;

/// Whether a text is an absolute IRI (RFC 3987, rule `IRI`).
pub fn is_iri(text: &str) -> bool {
    match is_plain_iri(text.as_bytes()) {
        Some(answer) => answer,
        None => Iri::new(text).is_ok(),
    }
}

/// Answers for ASCII IRIs without brackets, whose authority, if any, is a plain host.
fn is_plain_iri(bytes: &[u8]) -> Option<bool> {
    let colon = scheme_length(bytes)?;
    let rest = &bytes[colon + 1..];
    if let Some(after) = rest.strip_prefix(b"//") {
        let authority = after.iter().take_while(|byte| !matches!(byte, b'/' | b'?' | b'#'));
        if authority.clone().any(|byte| matches!(byte, b':' | b'@')) {
            return None;
        }
    }
    let mut fragment = false;
    for &byte in rest {
        match CLASS[byte as usize] {
            Class::Plain => {}
            Class::Hash if !fragment => fragment = true,
            Class::Never => return Some(false),
            _ => return None,
        }
    }
    Some(true)
}

/// The length of the scheme that a text begins with, if a colon follows it.
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

#[derive(Clone, Copy)]
enum Class {
    /// Allowed anywhere after the scheme.
    Plain,
    /// Begins a fragment, once.
    Hash,
    /// Allowed nowhere.
    Never,
    /// Depends on what stands around it.
    Depends,
}

const CLASS: [Class; 256] = {
    let mut table = [Class::Depends; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => Class::Plain,
            b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' => Class::Plain,
            b':' | b'@' | b'/' | b'?' => Class::Plain,
            b'#' => Class::Hash,
            b'%' | b'[' | b']' => Class::Depends,
            _ => Class::Never,
        };
        byte += 1;
    }
    table
};

/// Resolves an IRI reference against a base (RFC 3986, section 5.2); `None` where either is
/// malformed.
pub fn resolve(reference: &str, base: &str) -> Option<String> {
    let base = Iri::new(base).ok()?;
    let reference = IriRef::new(reference).ok()?;
    Some(reference.resolved(base).as_str().to_owned())
}

/// Appends a local id as one segment of an IRI: every byte outside the unreserved characters of
/// RFC 3986 is percent-encoded, so that different ids stay different.
pub fn percent_encode_into(id: &str, iri: &mut String) {
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            iri.push(char::from(byte));
        } else {
            let _ = write!(iri, "%{byte:02X}");
        }
    }
}
