//! Converts the samples of a log of Inspect, a zip archive with the extension `.eval`, to JSON lines with `id`, `question`
//! and `answer`, which are then read like any rows: the line number of a place is the number of the sample.
//!
//! `input` is the question: a string, or the messages of a user. `choices` follow it, each with its letter. `target` is
//! the answer. A sample that ran in several epochs is one question. What a model answered is not read.
//! Source: the log files of Inspect, versions 2 and 3 (`header.json`, `samples/<id>_epoch_<n>.json`).

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{Cursor, Read as _};

use zip::ZipArchive;

use evalgraph_diagnostics::{Diagnostic, FindingSeverity, SourceText, thousands};
use evalgraph_json::{JsonDocument, Limits, TokenId, parse, quoted};

/// The parts that describe a run: the second one exists from its beginning, the first one from its end.
const HEADS: [&str; 2] = ["header.json", "_journal/start.json"];
/// The folder of the samples.
const SAMPLES: &str = "samples/";

/// The questions of a log.
#[derive(Debug)]
pub struct LoggedQuestions {
    /// A line for each question, in the order of the log.
    pub lines: String,
    /// What the log is, and what was left out.
    pub note: Diagnostic,
}

/// Returns whether an archive with these parts is a log.
pub fn is_evaluation_log<'p>(mut parts: impl Iterator<Item = &'p str>) -> bool {
    parts.any(|part| HEADS.contains(&part))
}

/// Reads the questions of a log, or `None` if its samples exceed the limits together.
///
/// # Errors
/// `log::damaged` if the archive or a sample cannot be read, or a sample lacks `input`; `log::empty` without samples.
pub fn logged_questions(
    name: &str,
    bytes: &[u8],
    limits: Limits,
) -> Result<Option<LoggedQuestions>, Box<Diagnostic>> {
    let mut log = EvaluationLog {
        name,
        archive: ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(name, error))?,
        limits,
        left: limits.size,
    };
    let mut samples = Vec::new();
    for at in 0..log.archive.len() {
        let part = log.archive.by_index_raw(at).map_err(|error| damaged(name, error))?;
        let part_name = part.name().map_err(|error| damaged(name, error))?.into_owned();
        if part_name.starts_with(SAMPLES) && part_name.ends_with(".json") {
            samples.push((at, part_name));
        }
    }
    // If a sample ran in several epochs, the first one is read.
    samples.sort_by_key(|(_, part)| epoch_of(part));
    let (mut first, mut seen) = (Vec::new(), HashSet::new());
    for (at, part) in &samples {
        if seen.insert(id_of(part)) {
            first.push(*at);
        }
    }
    first.sort_unstable();
    let Some(what) = log.described()? else { return Ok(None) };
    if first.is_empty() {
        let message = format!("the log {what}has no samples");
        let help = "wait until the evaluation has run, or name another log";
        return Err(Box::new(whole(name, Diagnostic::error("log::empty", message)).with_help(help)));
    }
    let (mut lines, mut several) = (String::new(), 0);
    for at in &first {
        let Some(sample) = log.part(*at)? else { return Ok(None) };
        log.write_question(&sample, &mut lines, &mut several)?;
    }
    let runs = match samples.len() - first.len() {
        0 => String::new(),
        _ => format!(" from {} samples", thousands(samples.len() as u64)),
    };
    let count = match first.len() {
        1 => "1 question".to_owned(),
        count => format!("{} questions", thousands(count as u64)),
    };
    let joined = match several {
        0 => String::new(),
        1 => "; 1 question has several targets, which are joined by `; `".to_owned(),
        _ => format!("; {} questions have several targets, which are joined by `; `", thousands(several)),
    };
    let message = format!("the log {what}gives {count}{runs}; what models answered is not read{joined}");
    let note = whole(name, Diagnostic::new(FindingSeverity::Note, "log::questions", message));
    Ok(Some(LoggedQuestions { lines, note }))
}

struct EvaluationLog<'l> {
    name: &'l str,
    archive: ZipArchive<Cursor<&'l [u8]>>,
    limits: Limits,
    /// How many more bytes may be unpacked.
    left: u64,
}

impl EvaluationLog<'_> {
    /// Unpacks and parses a part, or returns `None` if it exceeds the limit.
    fn part(&mut self, at: usize) -> Result<Option<JsonDocument>, Box<Diagnostic>> {
        let name = self.name;
        let mut part = self.archive.by_index(at).map_err(|error| damaged(name, error))?;
        let part_name = format!("{name}/{}", part.name().map_err(|error| damaged(name, error))?);
        let mut bytes = Vec::new();
        // The size that an archive states may be wrong.
        let read = part.by_ref().take(self.left.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| damaged(&part_name, error))?;
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else { return Ok(None) };
        self.left = left;
        let text = String::from_utf8(bytes).map_err(|error| damaged(&part_name, error))?;
        parse(part_name, text, self.limits).map(Some)
    }

    /// Describes the run: its task and its model, as far as they are known. `None` if that exceeds the limit.
    fn described(&mut self) -> Result<Option<String>, Box<Diagnostic>> {
        let Some(at) = HEADS.into_iter().find_map(|part| self.archive.index_for_name(part)) else {
            return Ok(Some(String::new()));
        };
        let Some(head) = self.part(at)? else { return Ok(None) };
        let Some(run) = member(&head, head.root(), "eval") else { return Ok(Some(String::new())) };
        let text = |key| member(&head, run, key).and_then(|value| head.string(value));
        let mut what = String::new();
        if let Some(task) = text("task") {
            let _ = write!(what, "of the task `{task}` ");
        }
        if let Some(model) = text("model") {
            let _ = write!(what, "by `{model}` ");
        }
        Ok(Some(what))
    }

    /// Writes the question of a sample as a line, and counts a sample with several targets.
    fn write_question(
        &self,
        sample: &JsonDocument,
        lines: &mut String,
        several: &mut u64,
    ) -> Result<(), Box<Diagnostic>> {
        let root = sample.root();
        let Some(input) = member(sample, root, "input") else {
            let message = "the sample has no `input`, so it is not known what was asked".to_owned();
            let fault = Diagnostic::error("log::damaged", message).at(sample.place(root));
            return Err(Box::new(fault.with_help(CREATE_AGAIN)));
        };
        let mut question = asked(sample, input);
        if let Some(choices) = member(sample, root, "choices").filter(|choices| sample.is_array(*choices)) {
            for (letter, choice) in ('A'..='Z').zip(sample.items(choices)) {
                let _ = write!(question, "\n{letter}) {}", scalar(sample, choice));
            }
        }
        lines.push('{');
        if let Some(id) = member(sample, root, "id").filter(|id| sample.is_scalar(*id)) {
            let _ = write!(lines, "\"id\": {}, ", quoted(&scalar(sample, id)));
        }
        let _ = write!(lines, "\"question\": {}", quoted(&question));
        if let Some(target) = member(sample, root, "target") {
            let answer = match sample.is_array(target) {
                true => {
                    let targets: Vec<_> = sample.items(target).map(|item| scalar(sample, item)).collect();
                    *several += u64::from(targets.len() > 1);
                    targets.join("; ")
                }
                false => scalar(sample, target).into_owned(),
            };
            let _ = write!(lines, ", \"answer\": {}", quoted(&answer));
        }
        lines.push_str("}\n");
        Ok(())
    }
}

/// Returns the question that an input is: a string, or the texts of the user's messages; without those, of all messages.
fn asked(sample: &JsonDocument, input: TokenId) -> String {
    if !sample.is_array(input) {
        return scalar(sample, input).into_owned();
    }
    let role = |message| member(sample, message, "role").and_then(|role| sample.string(role));
    let text = |message| member(sample, message, "content").map(|content| content_of(sample, content));
    let of_user = sample.items(input).filter(|message| role(*message).as_deref() == Some("user"));
    let mut texts: Vec<String> = of_user.filter_map(text).collect();
    if texts.is_empty() {
        texts = sample.items(input).filter_map(text).collect();
    }
    texts.join("\n\n")
}

/// Returns the text of a message: a string, or the texts among its parts.
fn content_of(sample: &JsonDocument, content: TokenId) -> String {
    if !sample.is_array(content) {
        return scalar(sample, content).into_owned();
    }
    let texts = sample.items(content).filter_map(|part| member(sample, part, "text"));
    texts.map(|text| scalar(sample, text)).collect::<Vec<_>>().join("\n")
}

/// Returns the member of an object, or `None` for another value.
fn member(document: &JsonDocument, object: TokenId, key: &str) -> Option<TokenId> {
    document.is_object(object).then(|| document.get(object, key)).flatten()
}

/// Returns a value as text: a string as it is, other values as JSON.
fn scalar(document: &JsonDocument, value: TokenId) -> Cow<'_, str> {
    document.string(value).unwrap_or_else(|| Cow::Borrowed(document.raw(value)))
}

/// Returns the number of the epoch in the name of a sample's part.
fn epoch_of(part: &str) -> u64 {
    let number = part.trim_end_matches(".json").rsplit_once("_epoch_").and_then(|(_, n)| n.parse().ok());
    number.unwrap_or_default()
}

/// Returns the name of a sample's part without the epoch.
fn id_of(part: &str) -> &str {
    part.rsplit_once("_epoch_").map_or(part, |(id, _)| id)
}

const CREATE_AGAIN: &str = "copy the log again, or open it in Inspect: `inspect log dump FILE`";

fn damaged(name: &str, reason: impl std::fmt::Display) -> Box<Diagnostic> {
    let message = format!("the log cannot be read: {reason}");
    Box::new(whole(name, Diagnostic::error("log::damaged", message)).with_help(CREATE_AGAIN))
}

fn whole(name: &str, diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.at(SourceText::new(name, b"").place(0..0))
}
