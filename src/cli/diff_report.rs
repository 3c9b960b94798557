//! The differences between two files by question or by record, as text, as JSON and as Markdown.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::diff_found::{ComparedNames, DifferenceReport, array, object, string};
use super::visible::visible;
use evalgraph_diagnostics::markdown::{code, fence, plain};
use evalgraph_diagnostics::shortened::cut;
use evalgraph_diagnostics::{SourcePlace, thousands};
use evalgraph_formats::checkpoint::comparison::{self, ChangeSide, FieldChange};
use evalgraph_formats::checkpoint::model::{CheckpointItem, PlacedValue, TokenOrigin};
use evalgraph_formats::records::comparison as records;

/// How many characters of a value are shown.
const VALUE_SHOWN: usize = 200;
/// How many lines of a longer text are shown for each side.
const LINES_SHOWN: usize = 12;

/// The nouns for the entries that are compared, and for their file.
struct EntryNouns {
    one: &'static str,
    several: &'static str,
    /// The noun for the file that contains all entries.
    whole: &'static str,
}

const QUESTIONS: EntryNouns = EntryNouns { one: "question", several: "questions", whole: "checkpoint" };
const RECORDS: EntryNouns = EntryNouns { one: "record", several: "records", whole: "file" };

/// A question or record.
struct DiffEntry<'d> {
    /// The noun before the id or text, such as `question`.
    label: String,
    id: Option<PlacedValue<'d>>,
    text: Option<PlacedValue<'d>>,
    origin: TokenOrigin<'d>,
}

/// An entry that both files have, with its changes.
struct DiffEntryChanges<'d> {
    before: DiffEntry<'d>,
    after: DiffEntry<'d>,
    matched_by: &'static str,
    changes: Vec<FieldChange<'d>>,
}

/// The differences of two files.
pub(super) struct FileDifferences<'d> {
    words: EntryNouns,
    whole: Vec<FieldChange<'d>>,
    changed: Vec<DiffEntryChanges<'d>>,
    removed: Vec<DiffEntry<'d>>,
    added: Vec<DiffEntry<'d>>,
    same: usize,
}

impl<'d> FileDifferences<'d> {
    /// Creates the report on two checkpoints.
    pub(super) fn of_questions(found: comparison::FileComparison<'d>) -> Self {
        let entry = |item: CheckpointItem<'d>| DiffEntry {
            label: "question".to_owned(),
            id: item.id,
            text: Some(item.question.text),
            origin: item.origin,
        };
        let changed = found.changed.into_iter().map(|question| DiffEntryChanges {
            before: entry(question.before),
            after: entry(question.after),
            matched_by: question.matched_by.name(),
            changes: question.changes,
        });
        Self {
            words: QUESTIONS,
            whole: found.whole,
            changed: changed.collect(),
            removed: found.removed.into_iter().map(entry).collect(),
            added: found.added.into_iter().map(entry).collect(),
            same: found.same,
        }
    }

    /// Creates the report on two files of records.
    pub(super) fn of_records(found: records::RecordComparison<'d>) -> Self {
        let entry = |record: records::ComparedRecord<'d>| {
            let is_known = record.id.is_some() || record.text.is_some();
            let place = if is_known { String::new() } else { format!(" {}", record.index) };
            let label = format!("{}{place}", record.list);
            DiffEntry { label, id: record.id, text: record.text, origin: record.origin }
        };
        let changed = found.changed.into_iter().map(|record| DiffEntryChanges {
            before: entry(record.before),
            after: entry(record.after),
            matched_by: record.matched_by.name(),
            changes: record.changes,
        });
        Self {
            words: RECORDS,
            whole: found.whole,
            changed: changed.collect(),
            removed: found.removed.into_iter().map(entry).collect(),
            added: found.added.into_iter().map(entry).collect(),
            same: found.same,
        }
    }
}

/// Returns the place of a value. If the file's syntax is not JSON, this is the place in the original text.
fn place(TokenOrigin { document, token }: TokenOrigin<'_>) -> SourcePlace {
    let start = document.origin(token).map_or_else(|| document.start(token), |bytes| bytes.start);
    document.source_text().place(start..start + 1).with_pointer(document.pointer(token))
}

impl DifferenceReport for FileDifferences<'_> {
    fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.changed.is_empty() && self.removed.is_empty() && self.added.is_empty()
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        if self.is_empty() {
            return text;
        }
        if !self.whole.is_empty() {
            let _ = writeln!(text, "{}", self.words.whole);
            write_changes(&self.whole, &mut text);
        }
        for question in &self.changed {
            let _ = writeln!(text, "{}", title(&question.before));
            write_changes(&question.changes, &mut text);
        }
        for (sign, items) in [('-', &self.removed), ('+', &self.added)] {
            for item in items {
                let _ = writeln!(text, "{sign} {}: {}", shown_place(item.origin), title(item));
            }
        }
        let _ = writeln!(text, "{}", summary(self));
        text
    }

    /// Values are copied verbatim, so numbers keep their digits.
    fn to_json(&self, names: ComparedNames<'_>) -> String {
        let item = |item: &DiffEntry<'_>| {
            object(&[
                ("id", json_of(item.id.as_ref())),
                ("text", json_of(item.text.as_ref())),
                ("place", place_to_json(item.origin)),
            ])
        };
        object(&[
            ("a", string(names.a)),
            ("b", string(names.b)),
            ("equal", self.is_empty().to_string()),
            ("same", self.same.to_string()),
            (self.words.whole, changes_to_json(&self.whole)),
            ("changed", array(self.changed.iter().map(changed_to_json))),
            ("removed", array(self.removed.iter().map(item))),
            ("added", array(self.added.iter().map(item))),
        ])
    }

    fn to_markdown(&self, names: ComparedNames<'_>) -> String {
        if self.is_empty() {
            let one = self.words.one;
            return format!("# {} and {}\n\nNo {one} differs.\n", code(names.a), code(names.b));
        }
        let mut text = format!("# {} → {}\n\n{}\n", code(names.a), code(names.b), summary(self));
        if !self.whole.is_empty() {
            let _ = writeln!(text, "\n## The {} itself", self.words.whole);
            write_table(&self.whole, &mut text);
        }
        for question in &self.changed {
            let _ = writeln!(text, "\n## {}", heading(&question.before));
            write_table(&question.changes, &mut text);
        }
        for (title, items) in [("Removed", &self.removed), ("Added", &self.added)] {
            if !items.is_empty() {
                let _ = writeln!(text, "\n## {title}\n");
            }
            for item in items {
                let _ = writeln!(text, "- {} (line {})", heading(item), place(item.origin).line);
            }
        }
        text
    }
}

fn summary(comparison: &FileDifferences<'_>) -> String {
    let count = |number: usize| thousands(number as u64);
    let (changed, same) = (comparison.changed.len(), comparison.same);
    let EntryNouns { one, several, whole } = comparison.words;
    let entries = if changed == 1 { one } else { several };
    let fields = comparison.whole.len();
    let plural = if fields == 1 { "difference" } else { "differences" };
    format!(
        "{} {entries} changed, {} added, {} removed, {} the same; {} {plural} of the {whole} itself",
        count(changed),
        count(comparison.added.len()),
        count(comparison.removed.len()),
        count(same),
        count(fields),
    )
}

fn title(entry: &DiffEntry<'_>) -> String {
    let text = entry.text.as_ref().map(|text| visible(&one_line(&text.shown())).into_owned());
    let id = entry.id.as_ref().map(|id| visible(&id.shown()).into_owned());
    let label = visible(&entry.label);
    match (id, text) {
        (Some(id), Some(text)) => format!("{label} {id}: {text}"),
        (Some(known), None) => format!("{label} {known}"),
        (None, Some(text)) => format!("{label}: {text}"),
        (None, None) => label.into_owned(),
    }
}

fn shown_place(origin: TokenOrigin<'_>) -> String {
    visible(&place(origin).to_string()).into_owned()
}

fn write_changes(changes: &[FieldChange<'_>], text: &mut String) {
    for change in changes {
        let _ = writeln!(text, "  {}", visible(&shown_path(change)));
        let (before, after) = (shown_place(change.before.origin), shown_place(change.after.origin));
        match lines_that_differ(change) {
            Some((removed, added)) => {
                let _ = writeln!(text, "    {before} → {after}");
                write_lines('-', &removed, text);
                write_lines('+', &added, text);
            }
            None => {
                let _ = writeln!(text, "    - {before}: {}", visible(&shown(change.before.value.as_ref())));
                let _ = writeln!(text, "    + {after}: {}", visible(&shown(change.after.value.as_ref())));
            }
        }
    }
}

fn shown_path(change: &FieldChange<'_>) -> String {
    if change.path.is_empty() { "all of it".to_owned() } else { change.path.join(" / ") }
}

fn write_lines(sign: char, lines: &[String], text: &mut String) {
    for line in lines.iter().take(LINES_SHOWN) {
        let _ = writeln!(text, "    {sign} {}", visible(&short(line)));
    }
    if lines.len() > LINES_SHOWN {
        let _ = writeln!(text, "    {sign} … {} more lines", lines.len() - LINES_SHOWN);
    }
}

/// Returns the lines of both texts from the first to the last difference. `None` if neither text has several lines.
fn lines_that_differ(change: &FieldChange<'_>) -> Option<(Vec<String>, Vec<String>)> {
    let (before, after) = (change.before.value.as_ref()?, change.after.value.as_ref()?);
    let (before, after) = (before.as_str()?, after.as_str()?);
    if !before.contains('\n') && !after.contains('\n') {
        return None;
    }
    let lines = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
    let (mut before, mut after) = (lines(&before), lines(&after));
    while !before.is_empty() && before.last() == after.last() {
        before.pop();
        after.pop();
    }
    let common = before.iter().zip(&after).take_while(|(left, right)| left == right).count();
    before.drain(..common);
    after.drain(..common);
    Some((before, after))
}

fn shown(value: Option<&PlacedValue<'_>>) -> String {
    value.map_or_else(|| "(nothing)".to_owned(), |value| short(value.as_json()).into_owned())
}

fn short(text: &str) -> Cow<'_, str> {
    cut(text, VALUE_SHOWN)
}

fn one_line(text: &str) -> String {
    short(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

fn changed_to_json(entry: &DiffEntryChanges<'_>) -> String {
    object(&[
        ("id", json_of(entry.before.id.as_ref())),
        ("text", json_of(entry.before.text.as_ref())),
        ("matchedBy", string(entry.matched_by)),
        ("before", place_to_json(entry.before.origin)),
        ("after", place_to_json(entry.after.origin)),
        ("changes", changes_to_json(&entry.changes)),
    ])
}

fn changes_to_json(changes: &[FieldChange<'_>]) -> String {
    array(changes.iter().map(|change| {
        let side = |side: &ChangeSide<'_>| {
            object(&[
                ("exists", side.value.is_some().to_string()),
                ("value", json_of(side.value.as_ref())),
                ("place", place_to_json(side.origin)),
            ])
        };
        object(&[
            ("path", array(change.path.iter().map(|part| string(part)))),
            ("before", side(&change.before)),
            ("after", side(&change.after)),
        ])
    }))
}

fn place_to_json(origin: TokenOrigin<'_>) -> String {
    let place = place(origin);
    let pointer = place.pointer.as_deref().map_or_else(|| "null".to_owned(), string);
    let number = |number: u64| if place.is_whole() { "null".to_owned() } else { number.to_string() };
    object(&[
        ("file", string(&place.source)),
        ("line", number(place.line)),
        ("column", number(place.column)),
        ("pointer", pointer),
    ])
}

fn json_of(value: Option<&PlacedValue<'_>>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.as_json().to_owned())
}

fn heading(entry: &DiffEntry<'_>) -> String {
    let text = entry.text.as_ref().map(|text| plain(&one_line(&text.shown())));
    let id = entry.id.as_ref().map(|id| code(&one_line(&id.shown())));
    match (text, id) {
        (Some(text), Some(id)) => format!("{text} ({id})"),
        (Some(text), None) => text,
        (None, Some(id)) => format!("{} {id}", plain(&entry.label)),
        (None, None) => plain(&entry.label),
    }
}

fn write_table(changes: &[FieldChange<'_>], text: &mut String) {
    text.push_str("\n| what | before | after |\n|---|---|---|\n");
    for change in changes {
        let is_long = lines_that_differ(change).is_some();
        let cell = |side: &ChangeSide<'_>| match (&side.value, place(side.origin).line) {
            (Some(_), line) if is_long => format!("line {line}"),
            (Some(value), line) => format!("{} (line {line})", code(&short(value.as_json()))),
            (None, line) => format!("nothing (line {line})"),
        };
        let what = plain(&shown_path(change));
        let _ = writeln!(text, "| {what} | {} | {} |", cell(&change.before), cell(&change.after));
    }
    for (removed, added) in changes.iter().filter_map(lines_that_differ) {
        let mut lines = String::new();
        write_lines('-', &removed, &mut lines);
        write_lines('+', &added, &mut lines);
        let fence = fence(&lines, 3);
        let lines = lines.lines().map(|line| line.trim_start().to_owned() + "\n").collect::<String>();
        let _ = write!(text, "\n{fence}diff\n{lines}{fence}\n");
    }
}
