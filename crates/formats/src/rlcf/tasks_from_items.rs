//! Turns the questions of any system into tasks for experts, of task type QA, as the program stores tasks.
//!
//! Ids are consecutive numbers. A value that a task requires and a question lacks is filled in. A value for which a
//! task has no place is left out. Both are counted.

use super::known_values::OPEN;
use crate::checking::IsoTimestamp;
use crate::counts::ConversionCounts;
use crate::items::QuestionItem;
use evalgraph_json::write_string;
use std::fmt::Write as _;

/// Tasks, with counts of filled-in and left-out values.
#[derive(Debug)]
pub struct WrittenTasks {
    /// An array of `LegalTask`s as JSON.
    pub tasks: String,
    /// The values that were filled in, with their counts.
    pub defaults: ConversionCounts,
    /// The values for which a task has no place, with their counts.
    pub losses: ConversionCounts,
}

/// Writes questions as tasks that wait for responses, in their order, with ids that count up from `first`. `time` is
/// the creation time of questions that state none.
///
/// ```
/// use evalgraph_formats::rlcf::tasks_of_items;
///
/// assert_eq!(tasks_of_items(&[], 1, "2026-01-01T00:00:00").tasks, "[]");
/// ```
pub fn tasks_of_items(items: &[QuestionItem], first: u64, time: &str) -> WrittenTasks {
    let mut written = WrittenTasks {
        tasks: "[".to_owned(),
        defaults: ConversionCounts::new(),
        losses: ConversionCounts::new(),
    };
    for (index, item) in items.iter().enumerate() {
        written.tasks.push_str(if index > 0 { ",\n" } else { "\n" });
        written.task(first + index as u64, item, time);
    }
    written.tasks.push_str(if items.is_empty() { "]" } else { "\n]\n" });
    written
}

impl WrittenTasks {
    fn task(&mut self, id: u64, item: &QuestionItem, time: &str) {
        self.note_losses(id, item);
        let texts: Vec<&str> = item.contexts.iter().filter_map(|context| context.text.as_deref()).collect();
        let context = texts.join("\n\n");
        self.defaults.add(&format!("`task_type` is QA, `status` {OPEN}"));
        self.defaults.add_if(context.is_empty(), "`context` is empty");
        let json = &mut self.tasks;
        let _ = write!(json, "  {{\n    \"id\": {id},\n    \"task_type\": \"QA\",\n    \"input_data\": {{\n");
        member("      ", "question", &item.question, json);
        json.push_str(",\n");
        member("      ", "context", &context, json);
        json.push_str("\n    },\n    \"ground_truth_data\": ");
        if let Some(answer) = item.answer.as_deref().filter(|_| item.is_impossible != Some(true)) {
            json.push_str("{\n");
            member("      ", "validated_answer", answer, json);
            json.push_str("\n    },\n");
        } else {
            self.defaults.add("`ground_truth_data` is null");
            json.push_str("null,\n");
        }
        let created = item.date_created.as_deref().filter(|text| IsoTimestamp::parse(text).is_some());
        self.defaults.add_if(created.is_none(), &format!("`created_at` is {time}"));
        member("    ", "created_at", created.unwrap_or(time), json);
        let _ = write!(json, ",\n    \"status\": \"{OPEN}\",\n    \"responses\": []\n  }}");
    }

    fn note_losses(&mut self, id: u64, item: &QuestionItem) {
        let is_impossible = item.is_impossible == Some(true);
        let has_other_id = item.source_id.as_ref().is_some_and(|source| source.text != id.to_string());
        let has_names = item.contexts.iter().any(|context| context.name.is_some());
        let losses = &mut self.losses;
        losses.add_if(item.is_impossible.is_some(), "whether a question has an answer (`is_impossible`)");
        losses.add_if(is_impossible && item.answer.is_some(), "the answer of an impossible question");
        losses.add_if(has_other_id, "the id of a question");
        losses.add_if(has_names, "the names of the documents of a question");
        losses.add_if(!item.keywords.is_empty(), "keywords");
        losses.add_if(item.date_modified.is_some(), "the date of the last change of a question");
    }
}

fn member(indent: &str, key: &str, text: &str, json: &mut String) {
    let _ = write!(json, "{indent}\"{key}\": ");
    write_string(text, json);
}
