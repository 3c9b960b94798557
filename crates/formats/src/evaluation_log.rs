//! Turns a log of Inspect, a zip archive with the extension `.eval`, into the one JSON document that the same run has as a
//! log with the extension `.json`, which is then read like such a file. Each member and each sample is a line.
//!
//! The members of `header.json` come first, then `samples` in the order of their ids in the run and of their epochs, then
//! `reductions`. A run that did not end has no `header.json`, but what it began with (`_journal/start.json`).
//! Source: the log files of Inspect, versions 2 and 3 (`header.json`, `samples/<id>_epoch_<n>.json`).

use std::cmp::Ordering;
use std::collections::HashMap;
use std::io::{Cursor, Read as _};

use zip::ZipArchive;

use evalgraph_diagnostics::{Diagnostic, FindingSeverity, SourceText, thousands};
use evalgraph_json::minified::write_minified;
use evalgraph_json::{JsonDocument, Limits, parse, write_string};

/// What a run writes when it ends.
const HEADER: &str = "header.json";
/// What a run writes when it begins.
const START: &str = "_journal/start.json";
/// The scores of samples over their epochs.
const REDUCTIONS: &str = "reductions.json";
/// The folder of the samples.
const SAMPLES: &str = "samples/";

/// A log as one document.
#[derive(Debug)]
pub struct LoggedRun {
    /// The JSON text.
    pub json: String,
    /// What is missing in it, if the run did not end.
    pub note: Option<Diagnostic>,
}

/// Returns whether an archive with these parts is a log.
pub fn is_evaluation_log<'p>(mut parts: impl Iterator<Item = &'p str>) -> bool {
    parts.any(|part| [HEADER, START].contains(&part))
}

/// Reads a log, or returns `None` if its parts exceed the limits together.
///
/// # Errors
/// `log::damaged` if the archive or a part cannot be read; `log::empty` for a run that neither ended nor has a sample.
pub fn logged_run(name: &str, bytes: &[u8], limits: Limits) -> Result<Option<LoggedRun>, Box<Diagnostic>> {
    let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(name, error))?;
    let mut log = EvaluationLog { name, archive, limits, left: limits.size, json: "{".to_owned() };
    let mut samples = log.sample_parts()?;
    let header = log.archive.index_for_name(HEADER);
    let Some(head) = header.or_else(|| log.archive.index_for_name(START)) else {
        return Err(damaged(name, format!("it has neither `{HEADER}` nor `{START}`")));
    };
    let Some(head) = log.part(head)? else { return Ok(None) };
    let root = head.root();
    if !head.is_object(root) {
        return Err(damaged(name, "what it says about the run is not an object"));
    }
    if header.is_none() && samples.is_empty() {
        let message = "the run has not ended, and the log has no samples";
        let help = "wait until the evaluation has run, or name another log";
        return Err(Box::new(whole(name, Diagnostic::error("log::empty", message)).with_help(help)));
    }
    for member in head.members(root) {
        let key = head.symbol_text(member.symbol);
        // These are parts of their own.
        if !["samples", "reductions"].contains(&key) {
            log.begin_member(key);
            write_minified(&head, member.value, &mut log.json);
        }
    }
    order(&mut samples, &head);
    let count = samples.len();
    log.begin_member("samples");
    log.json.push('[');
    for (at, sample) in samples.into_iter().enumerate() {
        log.json.push_str(if at > 0 { ",\n" } else { "\n" });
        let Some(sample) = log.part(sample.at)? else { return Ok(None) };
        write_minified(&sample, sample.root(), &mut log.json);
    }
    log.json.push(']');
    if let Some(reductions) = log.archive.index_for_name(REDUCTIONS) {
        let Some(reductions) = log.part(reductions)? else { return Ok(None) };
        log.begin_member("reductions");
        write_minified(&reductions, reductions.root(), &mut log.json);
    }
    log.json.push_str("}\n");
    let note = header.is_none().then(|| interrupted(name, count));
    Ok(Some(LoggedRun { json: log.json, note }))
}

/// The part of a sample.
struct SamplePart {
    at: usize,
    /// The id in the name of the part.
    id: String,
    epoch: u64,
}

/// Puts the samples in the order of the run: by their ids in the dataset, then by epoch. Other ids follow, by number or
/// text.
fn order(samples: &mut [SamplePart], head: &JsonDocument) {
    let member = |object, key| head.is_object(object).then(|| head.get(object, key)).flatten();
    let ids = member(head.root(), "eval")
        .and_then(|run| member(run, "dataset"))
        .and_then(|dataset| member(dataset, "sample_ids"))
        .filter(|&ids| head.is_array(ids));
    let ids = ids.into_iter().flat_map(|ids| head.items(ids)).enumerate();
    let text = |id| head.string(id).map_or_else(|| head.raw(id).to_owned(), std::borrow::Cow::into_owned);
    let places: HashMap<String, usize> = ids.map(|(at, id)| (text(id), at)).collect();
    let place = |part: &SamplePart| places.get(&part.id).copied().unwrap_or(usize::MAX);
    samples.sort_by(|a, b| {
        place(a).cmp(&place(b)).then_with(|| by_id(&a.id, &b.id)).then_with(|| a.epoch.cmp(&b.epoch))
    });
}

fn by_id(a: &str, b: &str) -> Ordering {
    match (a.parse::<u64>(), b.parse::<u64>()) {
        (Ok(one), Ok(other)) => one.cmp(&other),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}

struct EvaluationLog<'l> {
    name: &'l str,
    archive: ZipArchive<Cursor<&'l [u8]>>,
    limits: Limits,
    /// How many more bytes may be unpacked.
    left: u64,
    json: String,
}

impl EvaluationLog<'_> {
    fn sample_parts(&mut self) -> Result<Vec<SamplePart>, Box<Diagnostic>> {
        let name = self.name;
        let mut samples = Vec::new();
        for at in 0..self.archive.len() {
            let part = self.archive.by_index_raw(at).map_err(|error| damaged(name, error))?;
            let part = part.name().map_err(|error| damaged(name, error))?;
            let sample = part.strip_prefix(SAMPLES).and_then(|part| part.strip_suffix(".json"));
            let Some(sample) = sample else { continue };
            let (id, epoch) = match sample.rsplit_once("_epoch_") {
                Some((id, epoch)) => (id, epoch.parse().unwrap_or_default()),
                None => (sample, 0),
            };
            samples.push(SamplePart { at, id: id.to_owned(), epoch });
        }
        Ok(samples)
    }

    fn begin_member(&mut self, key: &str) {
        if self.json.len() > 1 {
            self.json.push_str(",\n");
        }
        write_string(key, &mut self.json);
        self.json.push_str(": ");
    }

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
}

fn interrupted(name: &str, samples: usize) -> Diagnostic {
    let samples = match samples {
        1 => "1 finished sample".to_owned(),
        count => format!("{} finished samples", thousands(count as u64)),
    };
    let message = format!("the run has not ended: the log has {samples}, and no results of scorers");
    whole(name, Diagnostic::new(FindingSeverity::Note, "log::interrupted", message))
}

const CREATE_AGAIN: &str = "copy the log again, or open it in Inspect: `inspect log dump FILE`";

fn damaged(name: &str, reason: impl std::fmt::Display) -> Box<Diagnostic> {
    let message = format!("the log cannot be read: {reason}");
    Box::new(whole(name, Diagnostic::error("log::damaged", message)).with_help(CREATE_AGAIN))
}

fn whole(name: &str, diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.at(SourceText::new(name, b"").place(0..0))
}
