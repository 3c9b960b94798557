//! Paths as text. A file name can be any bytes, but a store and messages contain text, and two names must not become
//! the same text. So bytes that are not UTF-8 are percent-encoded, as in `%FF`, and a store keeps such a path as a URL.

use std::path::{Path, PathBuf};

pub use evalgraph_diagnostics::plain;
use evalgraph_rdf::iri::percent_decode_bytes;

/// The scheme of local file URLs.
pub const FILE_SCHEME: &str = "file://";

/// Returns a path as messages show it. Bytes that are not UTF-8 are percent-encoded.
pub fn shown(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        shown.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| shown.push_str(&format!("%{byte:02X}")));
    }
    shown
}

/// Returns the text of an absolute path in a store: the path itself, or its URL if it is not UTF-8. Two paths never
/// have the same text, because an absolute path never begins like a URL.
pub fn text_of(path: &Path) -> String {
    path.to_str().map_or_else(|| file_url(path), str::to_owned)
}

/// Returns the path for a text made by [`text_of`].
pub fn path_of(text: &str) -> PathBuf {
    path_of_url(text).unwrap_or_else(|| PathBuf::from(text))
}

/// Returns the URL of an absolute path, percent-encoded.
pub fn file_url(path: &Path) -> String {
    let mut url = FILE_SCHEME.to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                url.push(char::from(*byte));
            }
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

/// Returns the path that a local file URL names, or `None` for any other text.
pub fn path_of_url(url: &str) -> Option<PathBuf> {
    let encoded = url.strip_prefix(FILE_SCHEME)?;
    let bytes = percent_decode_bytes(encoded.split('#').next().unwrap_or(encoded));
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
    }
    #[cfg(not(unix))]
    Some(PathBuf::from(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Returns the text of a path that identifies a file in every working folder, even after the file is removed.
pub fn absolute(path: &Path) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // The folders of a removed file may still exist, and may be links.
    let known = whole.ancestors().find_map(|folder| Some((folder, std::fs::canonicalize(folder).ok()?)));
    let Some((folder, known)) = known else { return text_of(&whole) };
    match whole.strip_prefix(folder) {
        Ok(rest) if !rest.as_os_str().is_empty() => text_of(&known.join(rest)),
        _ => text_of(&known),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn names_that_are_no_utf_8_stay_apart_and_come_back() {
        let paths =
            [&b"/d/x\xff.nt"[..], b"/d/x\xfe.nt", b"/d/x%FF.nt", "/d/\u{fffd}\u{e4} #?.nt".as_bytes()];
        let paths = paths.map(|bytes| Path::new(OsStr::from_bytes(bytes)));
        let texts = paths.map(text_of);
        assert_eq!(texts[0], "file:///d/x%FF.nt");
        assert_eq!(texts[2], "/d/x%FF.nt");
        for (path, text) in paths.iter().zip(&texts) {
            assert_eq!(path_of(text), *path);
            assert_eq!(path_of_url(&file_url(path)).as_deref(), Some(*path));
            assert_eq!(texts.iter().filter(|other| *other == text).count(), 1);
        }
        assert_eq!(shown(paths[0]), "/d/x%FF.nt");
        assert_eq!(shown(paths[3]), "/d/\u{fffd}\u{e4} #?.nt");
    }
}
