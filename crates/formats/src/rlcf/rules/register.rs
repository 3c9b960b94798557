//! Facts about the records of all files, for rules that follow references.

use super::super::kinds::RecordKind;
use super::super::record_kind_finder::RlcfFileRecords;
use super::visited_records::visited;
use evalgraph_json::{JsonDocument, TokenId};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The records to which references may refer, by kind and id.
#[derive(Debug, Default)]
pub struct RecordRegister {
    ids: HashMap<RecordKind, HashSet<String>>,
    /// The type and status of tasks, by id.
    tasks: HashMap<String, TaskFacts>,
    /// The task of each response, by id.
    responses: HashMap<String, String>,
    /// The first user of each username.
    usernames: HashMap<String, String>,
}

/// The facts about a task.
#[derive(Debug, Clone, Default)]
pub(super) struct TaskFacts {
    pub(super) task_type: String,
    pub(super) status: String,
}

impl RecordRegister {
    /// Adds the records of a file.
    pub fn add(&mut self, document: &JsonDocument, told: &RlcfFileRecords) {
        for record in visited(document, told) {
            let text = |key: &str| text_of(document, record.value, key).map(Cow::into_owned);
            let id = text("id");
            if let Some(id) = &id {
                self.ids.entry(record.kind).or_default().insert(id.clone());
            }
            match (record.kind, id) {
                (RecordKind::LegalTask, Some(id)) => {
                    let task_type = text("task_type").unwrap_or_default();
                    let status = text("status").unwrap_or_default();
                    self.tasks.entry(id).or_insert(TaskFacts { task_type, status });
                }
                (RecordKind::Response, Some(id)) => {
                    if let Some(task) = text("task_id") {
                        self.responses.entry(id).or_insert(task);
                    }
                }
                (RecordKind::User | RecordKind::UserCreate, _) => {
                    if let Some(name) = text("username") {
                        let identity = identity(document, record.value);
                        self.usernames.entry(name).or_insert(identity);
                    }
                }
                (RecordKind::BulkUserCreate, _) => {
                    for name in names_of(document, record.value) {
                        let text = document.string(name).unwrap_or_default().into_owned();
                        self.usernames.entry(text).or_insert_with(|| identity(document, name));
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns whether a record exists, or `None` if no record of its kind is known, so it cannot be decided.
    pub(super) fn has(&self, kind: RecordKind, id: &str) -> Option<bool> {
        self.ids.get(&kind).map(|ids| ids.contains(id))
    }

    /// Returns the task that a response answers.
    pub(super) fn task_of_response(&self, response: &str) -> Option<&TaskFacts> {
        self.tasks.get(self.responses.get(response)?)
    }

    /// Returns whether a username belongs to another user.
    pub(super) fn is_taken(&self, username: &str, identity: &str) -> bool {
        self.usernames.get(username).is_some_and(|first| first != identity)
    }
}

/// Returns the usernames in a request for many users.
pub(super) fn names_of(document: &JsonDocument, request: TokenId) -> Vec<TokenId> {
    let names = document.get(request, "usernames");
    let items = names.into_iter().flat_map(|names| document.items(names));
    items.filter(|&name| document.is_string(name)).collect()
}

/// Returns the identity of a record's user, because the same user may occur in several files.
pub(super) fn identity(document: &JsonDocument, record: TokenId) -> String {
    match text_of(document, record, "id") {
        Some(id) => id.into_owned(),
        None => format!("{}#{}", document.name(), record.index()),
    }
}

/// Returns a string, or the digits of a number.
pub(super) fn text_of<'d>(document: &'d JsonDocument, object: TokenId, key: &str) -> Option<Cow<'d, str>> {
    let value = document.get(object, key)?;
    document.string(value).or_else(|| document.number(value).map(Cow::Borrowed))
}
