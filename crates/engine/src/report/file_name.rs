//! The names of files in reports, normalised so that each file has one name, and as URIs.

use std::borrow::Cow;

use crate::input::path_text::{file_url, shown};

/// Names files relative to the working folder.
#[derive(Debug, Clone, Default)]
pub struct ReportFileNames {
    /// The working folder. `None` if its path is unknown.
    folder: Option<String>,
}

/// A reference to a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReportFileUri {
    /// Relative to the working folder, and below it.
    Below(String),
    /// With a scheme.
    Absolute(String),
}

impl ReportFileNames {
    /// Names files relative to the working folder of the process.
    pub(super) fn of_process() -> Self {
        Self { folder: std::env::current_dir().ok().map(|folder| slashed(&shown(&folder)).into_owned()) }
    }

    /// Returns the name by which repositories and reports of other runs know the file: `/` between folders, no
    /// redundant `.` and `..`, and relative if the file is below the working folder.
    pub(super) fn normalised<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let name = slashed(name);
        let is_plain = !name.split('/').any(|part| matches!(part, "" | "." | ".."));
        if is_plain || is_url(&name) {
            return name;
        }
        let clean = without_dots(&name);
        let folder = self.folder.as_deref().map(|folder| format!("{}/", folder.trim_end_matches('/')));
        match folder.and_then(|folder| clean.strip_prefix(&folder)) {
            Some(below) => Cow::Owned(below.to_owned()),
            None => Cow::Owned(clean),
        }
    }

    /// Returns the URI of a file.
    pub(super) fn uri(&self, name: &str) -> ReportFileUri {
        let name = self.normalised(name);
        if is_url(&name) {
            return ReportFileUri::Absolute(encoded(&name));
        }
        if name.starts_with('/') {
            return ReportFileUri::Absolute(file_url(name.as_ref().as_ref()));
        }
        match &self.folder {
            // A reference must not leave the folder that it is relative to.
            Some(folder) if name.split('/').next() == Some("..") => {
                ReportFileUri::Absolute(file_url(without_dots(&format!("{folder}/{name}")).as_ref()))
            }
            _ => {
                let url = file_url(name.as_ref().as_ref());
                ReportFileUri::Below(url.split_once("://").map_or(String::new(), |(_, path)| path.to_owned()))
            }
        }
    }

    /// Returns the folder that contains all files; `.` if that is the working folder.
    pub(super) fn folder_of<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> String {
        let mut common: Option<Vec<String>> = None;
        for name in names {
            let name = self.normalised(name);
            let mut parts: Vec<String> = name.split('/').map(str::to_owned).collect();
            parts.pop();
            common = Some(match common {
                None => parts,
                Some(mut folder) => {
                    let same = folder.iter().zip(&parts).take_while(|(one, other)| one == other).count();
                    folder.truncate(same);
                    folder
                }
            });
        }
        match common.unwrap_or_default().as_slice() {
            [] => ".".to_owned(),
            [root] if root.is_empty() => "/".to_owned(),
            parts => parts.join("/"),
        }
    }
}

/// Returns whether a name is a URL. A scheme of one letter would be a drive.
fn is_url(name: &str) -> bool {
    let scheme = name.split_once("://").map_or("", |(scheme, _)| scheme);
    scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Percent-encodes the characters that are not allowed in a URI (RFC 3986, section 2).
fn encoded(url: &str) -> String {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    let mut encoded = String::with_capacity(url.len());
    for byte in url.bytes() {
        match is_allowed(byte) {
            true => encoded.push(char::from(byte)),
            false => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// The name with `/` between folders. On systems other than Windows, a backslash is part of a name.
fn slashed(name: &str) -> Cow<'_, str> {
    match cfg!(windows) && !is_url(name) {
        true => Cow::Owned(name.replace('\\', "/")),
        false => Cow::Borrowed(name),
    }
}

fn without_dots(name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if name.starts_with('/') => {}
            _ => parts.push(part),
        }
    }
    match (name.starts_with('/'), parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => parts.join("/"),
    }
}

#[cfg(test)]
mod tests {
    use super::{ReportFileNames, ReportFileUri};

    #[test]
    fn a_file_has_one_name_however_it_was_named() {
        let names = ReportFileNames { folder: Some("/home/a/data".to_owned()) };
        for (name, normalised, uri) in [
            ("b/c.json", "b/c.json", ReportFileUri::Below("b/c.json".to_owned())),
            ("./b//c.json", "b/c.json", ReportFileUri::Below("b/c.json".to_owned())),
            ("b/x/../c.json", "b/c.json", ReportFileUri::Below("b/c.json".to_owned())),
            ("/home/a/data/b/c.json", "b/c.json", ReportFileUri::Below("b/c.json".to_owned())),
            (
                "/home/a/database/c",
                "/home/a/database/c",
                ReportFileUri::Absolute("file:///home/a/database/c".to_owned()),
            ),
            ("../c d.json", "../c d.json", ReportFileUri::Absolute("file:///home/a/c%20d.json".to_owned())),
            ("/../c", "/c", ReportFileUri::Absolute("file:///c".to_owned())),
            ("a:b?.json", "a:b?.json", ReportFileUri::Below("a%3Ab%3F.json".to_owned())),
            (
                "https://example.org/./a",
                "https://example.org/./a",
                ReportFileUri::Absolute("https://example.org/./a".to_owned()),
            ),
            (
                "https://example.org/é b",
                "https://example.org/é b",
                ReportFileUri::Absolute("https://example.org/%C3%A9%20b".to_owned()),
            ),
            ("a b://c", "a b:/c", ReportFileUri::Below("a%20b%3A/c".to_owned())),
            ("-", "-", ReportFileUri::Below("-".to_owned())),
        ] {
            assert_eq!(names.normalised(name), normalised, "{name}");
            assert_eq!(names.uri(name), uri, "{name}");
        }
    }

    #[test]
    fn several_files_have_a_folder() {
        let names = ReportFileNames::default();
        assert_eq!(names.folder_of(["a/b/c.json", "./a/b/d.json", "a/b/x/y.json"]), "a/b");
        assert_eq!(names.folder_of(["a/b/c.json", "d.json"]), ".");
        assert_eq!(names.folder_of(["a/bc.json", "a/b/c.json"]), "a");
        assert_eq!(names.folder_of(["/a/b.json", "/c.json"]), "/");
        assert_eq!(names.folder_of([]), ".");
        assert_eq!(names.normalised("./"), ".");
    }
}
