//! Tasks for experts made of the questions of any system: task type QA, as the program stores tasks.
//!
//! Ids are numbers by order. What a task has to have and a question lacks is filled in, and what a task
//! has no place for is left out; both are counted.

use crate::diagnostic::{Diagnostic, Severity};
use crate::json::write_string;
use crate::source::items::Item;
use crate::source::karenina::rules::Timestamp;
use std::fmt::Write as _;

/// Tasks, and what is to be said of them.
#[derive(Debug)]
pub struct WrittenTasks {
    /// An array of `LegalTask`s as JSON.
    pub tasks: String,
    /// What had to be filled in or left out.
    pub findings: Vec<Diagnostic>,
}

/// What is counted while tasks are written.
#[derive(Default)]
struct Counts {
    without_context: u64,
    without_answer: u64,
    impossible: u64,
    without_time: u64,
    with_id: u64,
    with_names: u64,
    with_keywords: u64,
    with_changes: u64,
}

/// Writes questions as tasks that wait for responses, in their order. `time` is when those were
/// made that do not say it.
///
/// ```
/// use evalgraph::source::rlcf::tasks_of_items;
///
/// assert_eq!(tasks_of_items(&[], "2026-01-01T00:00:00").tasks, "[]");
/// ```
pub fn tasks_of_items(items: &[Item], time: &str) -> WrittenTasks {
    let (mut json, mut counts) = ("[".to_owned(), Counts::default());
    for (index, item) in items.iter().enumerate() {
        json.push_str(if index > 0 { ",\n" } else { "\n" });
        task(index, item, time, (&mut json, &mut counts));
    }
    json.push_str(if items.is_empty() { "]" } else { "\n]\n" });
    WrittenTasks { tasks: json, findings: counts.findings(time) }
}

fn task(index: usize, item: &Item, time: &str, (json, counts): (&mut String, &mut Counts)) {
    let texts: Vec<&str> = item.contexts.iter().filter_map(|context| context.text.as_deref()).collect();
    let context = texts.join("\n\n");
    counts.without_context += u64::from(context.is_empty());
    counts.with_names += u64::from(item.contexts.iter().any(|context| context.name.is_some()));
    counts.with_id += u64::from(!item.local_id.is_empty());
    counts.with_keywords += u64::from(!item.keywords.is_empty());
    counts.with_changes += u64::from(item.date_modified.is_some());
    let _ = write!(
        json,
        "  {{\n    \"id\": {},\n    \"task_type\": \"QA\",\n    \"input_data\": {{\n",
        index + 1
    );
    member("      ", "question", &item.question, json);
    json.push_str(",\n");
    member("      ", "context", &context, json);
    json.push_str("\n    },\n    \"ground_truth_data\": ");
    match item.answer.as_deref().filter(|_| item.is_impossible != Some(true)) {
        Some(answer) => {
            json.push_str("{\n");
            member("      ", "validated_answer", answer, json);
            json.push_str("\n    },\n");
        }
        None => {
            let count = if item.is_impossible == Some(true) {
                &mut counts.impossible
            } else {
                &mut counts.without_answer
            };
            *count += 1;
            json.push_str("null,\n");
        }
    }
    let created = item.date_created.as_deref().filter(|text| Timestamp::parse(text).is_some());
    counts.without_time += u64::from(created.is_none());
    member("    ", "created_at", created.unwrap_or(time), json);
    json.push_str(",\n    \"status\": \"OPEN\",\n    \"responses\": []\n  }");
}

fn member(indent: &str, key: &str, text: &str, json: &mut String) {
    let _ = write!(json, "{indent}\"{key}\": ");
    write_string(text, json);
}

impl Counts {
    fn findings(&self, time: &str) -> Vec<Diagnostic> {
        let made = format!("made at a time that is not known: they get {time}");
        let rows: [(u64, Severity, &'static str, &str); 8] = [
            (
                self.without_context,
                Severity::Warning,
                "rlcf::context",
                "without a text to rest on: they get an empty context",
            ),
            (
                self.without_answer,
                Severity::Warning,
                "rlcf::answer",
                "without an answer: they get no ground truth",
            ),
            (
                self.impossible,
                Severity::Warning,
                "rlcf::impossible",
                "said to have no answer: tasks have no word for it, and get no ground truth",
            ),
            (self.without_time, Severity::Note, "rlcf::created-at", &made),
            (self.with_id, Severity::Warning, "rlcf::id", "with an id of their own: tasks are numbered"),
            (
                self.with_names,
                Severity::Warning,
                "rlcf::document",
                "resting on documents with names: tasks keep the texts alone",
            ),
            (self.with_keywords, Severity::Warning, "rlcf::keywords", "with keywords: tasks have none"),
            (
                self.with_changes,
                Severity::Warning,
                "rlcf::modified",
                "with the time of their last change: tasks have none",
            ),
        ];
        let said = rows.into_iter().filter(|(count, ..)| *count > 0);
        said.map(|(count, severity, code, what)| {
            let questions = if count == 1 { "question" } else { "questions" };
            Diagnostic::new(severity, code, format!("{count} {questions} {what}"))
        })
        .collect()
    }
}
