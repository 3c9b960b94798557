//! Where a reply lies in a folder of replies: its REST path, and the folder that all of them are of.
//!
//! Replies of one API speak of the same users and tasks, so that they are parts of one dataset. Only a
//! path that is nothing but a request's tells that: `users_2025.json` may be anybody's users.

use super::families::family;

/// Words that say of a path only that it is a list, or a reply.
pub(super) const WORDS_OF_LISTS: [&str; 5] = ["all", "index", "reply", "body", "result"];

/// First parts of paths that are no collection of their own.
const PREFIXES: [&str; 2] = ["analytics", "config"];

/// Tells where a reply lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyPath {
    /// The folder of all replies; empty where it is the one that paths are relative to.
    pub folder: String,
    /// The path from there, without the extensions of the file.
    pub part: String,
}

/// Tells where a file lies, if its path ends in that of a request: a collection such as `users` or
/// `config/model`, alone or with `all`, with the number of a record, and below that a collection again.
///
/// ```
/// use evalgraph::source::rlcf::reply_path;
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
pub fn reply_path(path: &str) -> Option<ReplyPath> {
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

/// A part of a path as names of collections are written.
pub(super) fn as_name(part: &str) -> String {
    part.to_ascii_lowercase().replace(['-', ' '], "_")
}

pub(super) fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

/// `users_all` is `users`.
fn without_word(name: &str) -> &str {
    let parted = name.rsplit_once('_').filter(|(_, word)| WORDS_OF_LISTS.contains(word));
    parted.map_or(name, |(name, _)| name)
}
