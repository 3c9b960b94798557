//! What two files differ in, question by question or record by record: as text, as JSON and as Markdown.

use std::fmt::Write as _;

use super::visible::visible;
use crate::diagnostic::markdown::{code, fence, plain};
use crate::diagnostic::{Place, SourceText, thousands};
use crate::json::{Document, Limits, TokenId, parse, write_string};
use crate::source::karenina::checkpoint::{Item, Origin, Value};
use crate::source::karenina::comparison::{self, Change, Side};
use crate::source::karenina::formatting::format;
use crate::source::records::comparison as records;

/// How many characters of a value are shown.
const VALUE_SHOWN: usize = 200;
/// How many lines of a longer text are shown of either side.
const LINES_SHOWN: usize = 12;

/// The names of the two inputs, as given.
#[derive(Clone, Copy)]
pub(super) struct Names<'n> {
    pub(super) a: &'n str,
    pub(super) b: &'n str,
}

/// The words for what is compared.
struct Words {
    one: &'static str,
    several: &'static str,
    /// What all of them are in.
    whole: &'static str,
}

const QUESTIONS: Words = Words { one: "question", several: "questions", whole: "checkpoint" };
const RECORDS: Words = Words { one: "record", several: "records", whole: "file" };

/// A question or record.
struct Entry<'d> {
    /// What it is called in front of its id or text.
    label: String,
    id: Option<Value<'d>>,
    text: Option<Value<'d>>,
    origin: Origin<'d>,
}

/// One that both files have.
struct Changed<'d> {
    before: Entry<'d>,
    after: Entry<'d>,
    matched_by: &'static str,
    changes: Vec<Change<'d>>,
}

/// Holds what two files differ in.
pub(super) struct Comparison<'d> {
    words: Words,
    documents: (&'d Document, &'d Document),
    whole: Vec<Change<'d>>,
    changed: Vec<Changed<'d>>,
    removed: Vec<Entry<'d>>,
    added: Vec<Entry<'d>>,
    same: usize,
}

impl<'d> Comparison<'d> {
    /// That of two checkpoints.
    pub(super) fn of_questions(
        found: comparison::Comparison<'d>,
        documents: (&'d Document, &'d Document),
    ) -> Self {
        let entry = |item: Item<'d>| Entry {
            label: "question".to_owned(),
            id: item.id,
            text: Some(item.question.text),
            origin: item.origin,
        };
        let changed = found.changed.into_iter().map(|question| Changed {
            before: entry(question.before),
            after: entry(question.after),
            matched_by: question.matched_by.name(),
            changes: question.changes,
        });
        Self {
            words: QUESTIONS,
            documents,
            whole: found.whole,
            changed: changed.collect(),
            removed: found.removed.into_iter().map(entry).collect(),
            added: found.added.into_iter().map(entry).collect(),
            same: found.same,
        }
    }

    /// That of two files of records.
    pub(super) fn of_records(
        found: records::Comparison<'d>,
        documents: (&'d Document, &'d Document),
    ) -> Self {
        let entry = |record: records::Record<'d>| {
            let is_known = record.id.is_some() || record.text.is_some();
            let place = if is_known { String::new() } else { format!(" {}", record.index) };
            let label = format!("{}{place}", record.list);
            Entry { label, id: record.id, text: record.text, origin: record.origin }
        };
        let changed = found.changed.into_iter().map(|record| Changed {
            before: entry(record.before),
            after: entry(record.after),
            matched_by: record.matched_by.name(),
            changes: record.changes,
        });
        Self {
            words: RECORDS,
            documents,
            whole: found.whole,
            changed: changed.collect(),
            removed: found.removed.into_iter().map(entry).collect(),
            added: found.added.into_iter().map(entry).collect(),
            same: found.same,
        }
    }

    /// Tells whether both files say the same.
    pub(super) fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.changed.is_empty() && self.removed.is_empty() && self.added.is_empty()
    }
}

/// The texts of the two files, in which places are found.
struct Sources<'d> {
    a: Source<'d>,
    b: Source<'d>,
}

struct Source<'d> {
    document: &'d Document,
    text: SourceText<'d>,
}

impl<'d> Source<'d> {
    fn new(document: &'d Document) -> Self {
        Self { document, text: document.source_text() }
    }

    fn place(&self, token: TokenId) -> Place {
        // What was written in another syntax is where that stands.
        let start =
            self.document.origin(token).map_or_else(|| self.document.start(token), |bytes| bytes.start);
        self.text.place(start..start + 1).with_pointer(self.document.pointer(token))
    }
}

impl<'d> Sources<'d> {
    fn new((a, b): (&'d Document, &'d Document)) -> Self {
        Self { a: Source::new(a), b: Source::new(b) }
    }

    fn before(&self, side: &Side<'_>) -> Place {
        self.a.place(side.origin.token)
    }

    fn after(&self, side: &Side<'_>) -> Place {
        self.b.place(side.origin.token)
    }

    fn before_entry(&self, item: &Entry<'_>) -> Place {
        self.a.place(item.origin.token)
    }

    fn after_entry(&self, item: &Entry<'_>) -> Place {
        self.b.place(item.origin.token)
    }
}

/// Returns what a person reads: nothing where both say the same.
pub(super) fn to_text(comparison: &Comparison<'_>) -> String {
    let sources = Sources::new(comparison.documents);
    let mut text = String::new();
    if comparison.is_empty() {
        return text;
    }
    if !comparison.whole.is_empty() {
        let _ = writeln!(text, "{}", comparison.words.whole);
        write_changes(&comparison.whole, &sources, &mut text);
    }
    for question in &comparison.changed {
        let _ = writeln!(text, "{}", title(&question.before));
        write_changes(&question.changes, &sources, &mut text);
    }
    for item in &comparison.removed {
        let _ = writeln!(text, "- {}: {}", shown_place(&sources.before_entry(item)), title(item));
    }
    for item in &comparison.added {
        let _ = writeln!(text, "+ {}: {}", shown_place(&sources.after_entry(item)), title(item));
    }
    let _ = writeln!(text, "{}", summary(comparison));
    text
}

fn summary(comparison: &Comparison<'_>) -> String {
    let count = |number: usize| thousands(number as u64);
    let (changed, same) = (comparison.changed.len(), comparison.same);
    let Words { one, several, whole } = comparison.words;
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

fn title(entry: &Entry<'_>) -> String {
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

fn shown_place(place: &Place) -> String {
    visible(&place.to_string()).into_owned()
}

fn write_changes(changes: &[Change<'_>], sources: &Sources<'_>, text: &mut String) {
    for change in changes {
        let _ = writeln!(text, "  {}", visible(&shown_path(change)));
        let (before, after) = (sources.before(&change.before), sources.after(&change.after));
        let (before, after) = (shown_place(&before), shown_place(&after));
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

fn shown_path(change: &Change<'_>) -> String {
    if change.path.is_empty() { "all of it".to_owned() } else { change.path.join(" / ") }
}

fn write_lines(sign: char, lines: &[String], text: &mut String) {
    for line in lines.iter().take(LINES_SHOWN) {
        let _ = writeln!(text, "    {sign} {}", visible(&cut(line)));
    }
    if lines.len() > LINES_SHOWN {
        let _ = writeln!(text, "    {sign} … {} more lines", lines.len() - LINES_SHOWN);
    }
}

/// Of two texts of several lines those between the first and the last that differ.
fn lines_that_differ(change: &Change<'_>) -> Option<(Vec<String>, Vec<String>)> {
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

fn shown(value: Option<&Value<'_>>) -> String {
    value.map_or_else(|| "(nothing)".to_owned(), |value| cut(value.as_json()))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(VALUE_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn one_line(text: &str) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The same facts as JSON. Values are copied as they stand: numbers keep their digits.
pub(super) fn to_json(comparison: &Comparison<'_>, names: Names<'_>) -> String {
    let sources = Sources::new(comparison.documents);
    let changed: Vec<String> =
        comparison.changed.iter().map(|question| changed_to_json(question, &sources)).collect();
    let item = |item: &Entry<'_>, place: Place| {
        object(&[
            ("id", json_of(item.id.as_ref())),
            ("text", json_of(item.text.as_ref())),
            ("place", place_to_json(&place)),
        ])
    };
    let removed = comparison.removed.iter().map(|removed| item(removed, sources.before_entry(removed)));
    let added = comparison.added.iter().map(|added| item(added, sources.after_entry(added)));
    object(&[
        ("a", string(names.a)),
        ("b", string(names.b)),
        ("equal", comparison.is_empty().to_string()),
        ("same", comparison.same.to_string()),
        (comparison.words.whole, changes_to_json(&comparison.whole, &sources)),
        ("changed", array(changed)),
        ("removed", array(removed)),
        ("added", array(added)),
    ])
}

/// The text with line breaks and indentation.
pub(super) fn laid_out(json: String) -> String {
    let limits = Limits { size: u64::MAX, depth: usize::MAX };
    let document = parse("the result", json.clone(), limits).ok();
    document.and_then(|document| format(&document).ok()).unwrap_or(json)
}

fn changed_to_json(entry: &Changed<'_>, sources: &Sources<'_>) -> String {
    object(&[
        ("id", json_of(entry.before.id.as_ref())),
        ("text", json_of(entry.before.text.as_ref())),
        ("matchedBy", string(entry.matched_by)),
        ("before", place_to_json(&sources.before_entry(&entry.before))),
        ("after", place_to_json(&sources.after_entry(&entry.after))),
        ("changes", changes_to_json(&entry.changes, sources)),
    ])
}

fn changes_to_json(changes: &[Change<'_>], sources: &Sources<'_>) -> String {
    array(changes.iter().map(|change| {
        let side = |side: &Side<'_>, place: &Place| {
            object(&[
                ("exists", side.value.is_some().to_string()),
                ("value", json_of(side.value.as_ref())),
                ("place", place_to_json(place)),
            ])
        };
        object(&[
            ("path", array(change.path.iter().map(|part| string(part)))),
            ("before", side(&change.before, &sources.before(&change.before))),
            ("after", side(&change.after, &sources.after(&change.after))),
        ])
    }))
}

fn place_to_json(place: &Place) -> String {
    let pointer = place.pointer.as_deref().map_or_else(|| "null".to_owned(), string);
    let number = |number: u64| if place.is_whole() { "null".to_owned() } else { number.to_string() };
    object(&[
        ("file", string(&place.source)),
        ("line", number(place.line)),
        ("column", number(place.column)),
        ("pointer", pointer),
    ])
}

fn json_of(value: Option<&Value<'_>>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.as_json().to_owned())
}

pub(super) fn string(text: &str) -> String {
    let mut json = String::new();
    write_string(text, &mut json);
    json
}

pub(super) fn array(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

pub(super) fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> = members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

/// A report for a pull request.
pub(super) fn to_markdown(comparison: &Comparison<'_>, names: Names<'_>) -> String {
    let sources = Sources::new(comparison.documents);
    if comparison.is_empty() {
        let one = comparison.words.one;
        return format!("# {} and {}\n\nNo {one} differs.\n", code(names.a), code(names.b));
    }
    let mut text = format!("# {} → {}\n\n{}\n", code(names.a), code(names.b), summary(comparison));
    if !comparison.whole.is_empty() {
        let _ = writeln!(text, "\n## The {} itself", comparison.words.whole);
        write_table(&comparison.whole, &sources, &mut text);
    }
    for question in &comparison.changed {
        let _ = writeln!(text, "\n## {}", heading(&question.before));
        write_table(&question.changes, &sources, &mut text);
    }
    if !comparison.removed.is_empty() {
        text.push_str("\n## Removed\n\n");
        for item in &comparison.removed {
            let _ = writeln!(text, "- {} (line {})", heading(item), sources.before_entry(item).line);
        }
    }
    if !comparison.added.is_empty() {
        text.push_str("\n## Added\n\n");
        for item in &comparison.added {
            let _ = writeln!(text, "- {} (line {})", heading(item), sources.after_entry(item).line);
        }
    }
    text
}

fn heading(entry: &Entry<'_>) -> String {
    let text = entry.text.as_ref().map(|text| plain(&one_line(&text.shown())));
    let id = entry.id.as_ref().map(|id| code(&one_line(&id.shown())));
    match (text, id) {
        (Some(text), Some(id)) => format!("{text} ({id})"),
        (Some(text), None) => text,
        (None, Some(id)) => format!("{} {id}", plain(&entry.label)),
        (None, None) => plain(&entry.label),
    }
}

fn write_table(changes: &[Change<'_>], sources: &Sources<'_>, text: &mut String) {
    text.push_str("\n| what | before | after |\n|---|---|---|\n");
    for change in changes {
        let (before, after) = (sources.before(&change.before), sources.after(&change.after));
        let is_long = lines_that_differ(change).is_some();
        let cell = |side: &Side<'_>, place: &Place| match &side.value {
            Some(_) if is_long => format!("line {}", place.line),
            Some(value) => format!("{} (line {})", code(&cut(value.as_json())), place.line),
            None => format!("nothing (line {})", place.line),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} |",
            plain(&shown_path(change)),
            cell(&change.before, &before),
            cell(&change.after, &after)
        );
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
