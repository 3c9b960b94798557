//! Makes training data from expert feedback: examples of answers (SFT), and pairs of a better and a worse answer
//! (preferences).
//!
//! The records have the form of RLCF's exports. With [`RlcfProfile::Shipped`], a task type is left out and nulls are
//! written, as the program does. [`RlcfProfile::Seed`] exports every type, and counts the feedback that it leaves out.

mod example;
mod preference;
mod sft;

use std::fmt::Write as _;

use super::figures::model::RlcfDataset;
use super::figures::{JoinedRecords, RlcfProfile};
use super::known_values::{PREFERENCE, SFT};
use example::FeedbackSource;
pub use example::{ExportOmission, TrainingExample};

/// The kind of training data to export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Examples: `instruction`, `input`, `output`.
    Sft,
    /// Pairs: `prompt`, `chosen`, `rejected`.
    Preference,
}

impl ExportFormat {
    /// Both formats.
    pub const ALL: [Self; 2] = [Self::Sft, Self::Preference];

    /// Returns the name in RLCF's export requests and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sft => SFT,
            Self::Preference => PREFERENCE,
        }
    }
}

/// An export, with counts of the feedback that it leaves out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedbackExport {
    /// The records, task by task.
    pub examples: Vec<TrainingExample>,
    /// The reasons for leaving out feedback, in the order of first occurrence, with counts.
    pub left_out: Vec<(ExportOmission, usize)>,
}

/// Exports the feedback on tasks of one type, or of all.
pub fn export(
    records: &RlcfDataset,
    format: ExportFormat,
    profile: RlcfProfile,
    task_type: Option<&str>,
) -> FeedbackExport {
    let joined = JoinedRecords::new(records, |_| 0.0);
    let mut export = FeedbackExport::default();
    for (at, (task, opinions)) in joined.tasks().enumerate() {
        if task_type.is_some_and(|wanted| wanted != task.task_type) {
            continue;
        }
        for response in joined.responses(at) {
            let opinions = opinions.iter().filter(|opinion| opinion.response.id == response.id);
            for opinion in opinions {
                let source = FeedbackSource { task, response, feedback: opinion.feedback };
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
    source: FeedbackSource<'_>,
    format: ExportFormat,
    profile: RlcfProfile,
    is_first: bool,
) -> Result<TrainingExample, ExportOmission> {
    if profile == RlcfProfile::Shipped && !is_first {
        return Err(ExportOmission::LaterResponse);
    }
    let example = match format {
        ExportFormat::Sft => sft::example(source, profile),
        ExportFormat::Preference => preference::pair(source, profile),
    }?;
    match example.members.iter().find(|(_, text)| text.is_none()) {
        Some((missing, _)) if profile == RlcfProfile::Seed => Err(ExportOmission::Null(missing)),
        _ => Ok(example),
    }
}

impl FeedbackExport {
    fn leave_out(&mut self, reason: ExportOmission) {
        match self.left_out.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => self.left_out.push((reason, 1)),
        }
    }

    /// Returns the records as JSON lines. For the shipped program, characters beyond ASCII are escaped, and the last
    /// line has no line break. Otherwise the text is UTF-8, and every line ends with a line break.
    pub fn to_lines(&self, profile: RlcfProfile) -> String {
        let mut text = String::new();
        for (at, example) in self.examples.iter().enumerate() {
            if at > 0 && profile == RlcfProfile::Shipped {
                text.push('\n');
            }
            text.push('{');
            for (at, (key, value)) in example.members.iter().enumerate() {
                let _ = write!(text, "{}\"{key}\": ", if at > 0 { ", " } else { "" });
                match value {
                    None => text.push_str("null"),
                    Some(value) if profile == RlcfProfile::Shipped => write_ascii(value, &mut text),
                    Some(value) => evalgraph_json::write_string(value, &mut text),
                }
            }
            text.push('}');
            if profile == RlcfProfile::Seed {
                text.push('\n');
            }
        }
        text
    }
}

/// Writes a JSON string as Python's `json.dumps` does.
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
