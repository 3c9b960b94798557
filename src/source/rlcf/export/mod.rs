//! What models are trained with: examples of answers (SFT), and pairs of a better and a worse one
//! (preferences), made of what experts say.
//!
//! The shapes are those of RLCF's exports. The program leaves out a task type, and writes nulls;
//! [`Profile::Shipped`] does the same, [`Profile::Seed`] exports every type and counts what it leaves
//! out.

mod preference;
mod sft;

use std::fmt::Write as _;

use serde_json::Value;

use super::figures::model::{Data, Feedback, LegalTask, Records, Response};
use super::figures::{Joined, Profile, python_text};

/// What is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Examples: `instruction`, `input`, `output`.
    Sft,
    /// Pairs: `prompt`, `chosen`, `rejected`.
    Preference,
}

impl ExportFormat {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Sft, Self::Preference];

    /// The name in RLCF's export requests, and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sft => "sft",
            Self::Preference => "preference",
        }
    }
}

/// A record of an export: three members in their order. A text that is missing is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The keys with their texts.
    pub members: [(&'static str, Option<String>); 3],
}

impl Example {
    fn is_complete(&self) -> bool {
        self.members.iter().all(|(_, text)| text.is_some())
    }
}

/// An export, and how much feedback is not in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Export {
    /// The records, task by task.
    pub examples: Vec<Example>,
    /// What is left out, by reason, in the order in which the reasons came up.
    pub left_out: Vec<(LeftOut, usize)>,
}

/// Why feedback is not exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeftOut {
    /// Tasks of the type are not exported in this format.
    TaskType(String),
    /// A text of the record is null; of a pair, also where it is empty.
    Null(&'static str),
    /// The answer of the model is a placeholder, or has no text.
    NoResponseText,
    /// The expert prefers neither.
    NoPreference,
    /// The program exports the first response of a task only.
    LaterResponse,
}

impl LeftOut {
    /// What a report says of it.
    pub fn describe(&self) -> String {
        match self {
            Self::TaskType(task_type) => {
                format!("tasks of type `{task_type}` are not exported in this format")
            }
            Self::Null(key) => format!("there is no `{key}`"),
            Self::NoResponseText => "the answer of the model is missing or a placeholder".to_owned(),
            Self::NoPreference => "the expert prefers neither text".to_owned(),
            Self::LaterResponse => "only the first response of a task is exported".to_owned(),
        }
    }
}

/// A feedback with what it is about.
#[derive(Clone, Copy)]
struct Source<'r> {
    task: &'r LegalTask,
    response: &'r Response,
    feedback: &'r Feedback,
}

/// Exports the feedback on tasks of one type, or of all.
pub fn export(records: &Records, format: ExportFormat, profile: Profile, task_type: Option<&str>) -> Export {
    let joined = Joined::new(records, |_| 0.0);
    let mut export = Export::default();
    for (at, (task, opinions)) in joined.tasks().enumerate() {
        if task_type.is_some_and(|wanted| wanted != task.task_type) {
            continue;
        }
        for response in joined.responses(at) {
            let opinions = opinions.iter().filter(|opinion| opinion.response.id == response.id);
            for opinion in opinions {
                let source = Source { task, response, feedback: opinion.feedback };
                let is_first = joined.responses(at).first().is_some_and(|first| first.id == response.id);
                match made(source, format, profile, is_first) {
                    Ok(example) => export.examples.push(example),
                    Err(reason) => export.leave_out(reason),
                }
            }
        }
    }
    export
}

fn made(
    source: Source<'_>,
    format: ExportFormat,
    profile: Profile,
    is_first: bool,
) -> Result<Example, LeftOut> {
    if profile == Profile::Shipped && !is_first {
        return Err(LeftOut::LaterResponse);
    }
    let example = match format {
        ExportFormat::Sft => sft::example(source, profile),
        ExportFormat::Preference => preference::pair(source, profile),
    }?;
    if profile == Profile::Seed && !example.is_complete() {
        let missing = example.members.iter().find(|(_, text)| text.is_none());
        return Err(LeftOut::Null(missing.map_or("", |(key, _)| key)));
    }
    Ok(example)
}

impl Export {
    fn leave_out(&mut self, reason: LeftOut) {
        match self.left_out.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => self.left_out.push((reason, 1)),
        }
    }

    /// The records as lines of JSON. As the program writes them, everything but ASCII is escaped and the
    /// last line does not end; else it is UTF-8 and every line ends.
    pub fn to_lines(&self, profile: Profile) -> String {
        let mut text = String::new();
        for (at, example) in self.examples.iter().enumerate() {
            if at > 0 && profile == Profile::Shipped {
                text.push('\n');
            }
            text.push('{');
            for (at, (key, value)) in example.members.iter().enumerate() {
                let _ = write!(text, "{}\"{key}\": ", if at > 0 { ", " } else { "" });
                match value {
                    None => text.push_str("null"),
                    Some(value) if profile == Profile::Shipped => write_ascii(value, &mut text),
                    Some(value) => crate::json::write_string(value, &mut text),
                }
            }
            text.push('}');
            if profile == Profile::Seed {
                text.push('\n');
            }
        }
        text
    }
}

/// A JSON string as Python's `json.dumps` writes it.
fn write_ascii(string: &str, text: &mut String) {
    text.push('"');
    for character in string.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            ' '..='~' => text.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let _ = write!(text, "\\u{unit:04x}");
                }
            }
        }
    }
    text.push('"');
}

/// A text of an object: none where it is missing or null.
fn text_of(data: &Data, key: &str) -> Option<String> {
    data.get(key).filter(|value| !value.is_null()).map(python_text::text)
}

/// A text inside a sentence; what is missing is shown as the program shows it.
fn quoted(data: &Data, key: &str) -> String {
    text_of(data, key).unwrap_or_else(|| python_text::text(&Value::Null))
}

/// The items of a list as one text; a list that is missing is empty.
fn joined_texts(data: &Data, key: &str, separator: &str) -> String {
    match data.get(key) {
        Some(Value::Array(items)) => items.iter().map(python_text::text).collect::<Vec<_>>().join(separator),
        Some(Value::Null) | None => String::new(),
        Some(value) => python_text::text(value),
    }
}
