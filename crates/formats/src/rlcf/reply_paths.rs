//! Finds the place of a reply in a folder of replies: its REST path, and the folder of all replies.
//!
//! Replies of one API mention the same users and tasks, so they are parts of one dataset. A file is a reply only if its
//! path has the exact form of a request: `users_2025.json` may contain the users of any system.

use super::families::family;
use crate::records::ReplyPath;

/// Words in a path that only mark a list or a reply.
pub(super) const WORDS_OF_LISTS: [&str; 5] = ["all", "index", "reply", "body", "result"];

/// The first parts of paths that are not collections themselves.
const PREFIXES: [&str; 2] = ["analytics", "config"];

/// Returns the place of a file whose path ends like that of a request: a collection such as `users` or `config/model`.
/// It may be followed by `all` or the number of a record, and after this number another collection may follow.
///
/// ```
/// use evalgraph_formats::registry::reply_path;
///
/// let found = |path| reply_path(path).map(|found| (found.folder, found.part));
/// let at = |folder: &str, part: &str| Some((folder.to_owned(), part.to_owned()));
/// assert_eq!(found("replies/users/7.json"), at("replies", "users/7"));
/// assert_eq!(found("replies/tasks/7/responses.json"), at("replies", "tasks/7/responses"));
/// assert_eq!(found("replies/config/model.json"), at("replies", "config/model"));
/// assert_eq!(found("feedback_all.jsonl.gz"), at("", "feedback_all"));
/// assert_eq!(found("users_2025.json"), None);
/// assert_eq!(found("export.json"), None);
/// ```
pub(super) fn reply_path(path: &str) -> Option<ReplyPath> {
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !matches!(*part, "" | ".")).collect();
    let (file, folders) = parts.split_last()?;
    let stem = file.split('.').find(|part| !part.is_empty())?;
    let names: Vec<String> = folders.iter().chain([&stem]).map(|part| as_name(part)).collect();
    let last = names.iter().rposition(|name| !is_number(name) && !WORDS_OF_LISTS.contains(&name.as_str()))?;
    let is_pair = last > 0 && family(&format!("{}/{}", names[last - 1], names[last])).is_some();
    if !is_pair && family(without_word(&names[last])).is_none() {
        return None;
    }
    let mut begin = if is_pair { last - 1 } else { last };
    while begin > 1 && is_number(&names[begin - 1]) && family(&names[begin - 2]).is_some() {
        begin -= 2;
    }
    if !is_pair && begin > 0 && PREFIXES.contains(&names[begin - 1].as_str()) {
        begin -= 1;
    }
    let is_absolute = path.starts_with('/');
    let folder = format!("{}{}", if is_absolute { "/" } else { "" }, parts[..begin].join("/"));
    let part: Vec<&str> = folders[begin..].iter().copied().chain([stem]).collect();
    Some(ReplyPath { folder, part: part.join("/") })
}

/// Returns a part of a path, spelled like the name of a collection.
pub(super) fn as_name(part: &str) -> String {
    part.to_ascii_lowercase().replace(['-', ' '], "_")
}

pub(super) fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Removes a word such as `all`: `users_all` becomes `users`.
fn without_word(name: &str) -> &str {
    let parted = name.rsplit_once('_').filter(|(_, word)| WORDS_OF_LISTS.contains(word));
    parted.map_or(name, |(name, _)| name)
}
