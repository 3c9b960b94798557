//! The comparison of two checkpoints, as text, as JSON and as Markdown.

use std::cell::RefCell;
use std::fmt::Write as _;

use super::render::thousands;
use super::visible::visible;
use crate::diagnostic::{Place, SourceText};
use crate::json::{Document, Limits, TokenId, parse, write_string};
use crate::source::karenina::checkpoint::{Item, Value};
use crate::source::karenina::comparison::{Change, ChangedQuestion, Comparison, MatchedBy, Side};
use crate::source::karenina::formatting::format;

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

/// The texts of the two files, in which places are found.
struct Sources<'d> {
    a: Source<'d>,
    b: Source<'d>,
}

struct Source<'d> {
    document: &'d Document,
    text: SourceText<'d>,
    /// The last place that was asked for: of a file in one line only what lies between is counted.
    last: RefCell<Option<Place>>,
}

impl<'d> Source<'d> {
    fn new(document: &'d Document) -> Self {
        Self { document, text: document.source_text(), last: RefCell::new(None) }
    }

    fn place(&self, token: TokenId) -> Place {
        let start = self.document.start(token);
        let place = self.text.place_after(self.last.borrow().as_ref(), start..start + 1);
        *self.last.borrow_mut() = Some(place.clone());
        place.with_pointer(self.document.pointer(token))
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

    fn before_item(&self, item: &Item<'_>) -> Place {
        self.a.place(item.origin.token)
    }

    fn after_item(&self, item: &Item<'_>) -> Place {
        self.b.place(item.origin.token)
    }
}

/// What a person reads: nothing where both say the same.
pub(super) fn to_text(comparison: &Comparison<'_>, documents: (&Document, &Document)) -> String {
    let sources = Sources::new(documents);
    let mut text = String::new();
    if comparison.is_empty() {
        return text;
    }
    if !comparison.root.is_empty() {
        text.push_str("checkpoint\n");
        write_changes(&comparison.root, &sources, &mut text);
    }
    for question in &comparison.changed {
        let _ = writeln!(text, "{}", title(&question.before));
        write_changes(&question.changes, &sources, &mut text);
    }
    for item in &comparison.removed {
        let _ = writeln!(text, "- {}: {}", shown_place(&sources.before_item(item)), title(item));
    }
    for item in &comparison.added {
        let _ = writeln!(text, "+ {}: {}", shown_place(&sources.after_item(item)), title(item));
    }
    let _ = writeln!(text, "{}", summary(comparison));
    text
}

fn summary(comparison: &Comparison<'_>) -> String {
    let count = |number: usize| thousands(number as u64);
    let (changed, same) = (comparison.changed.len(), comparison.same);
    let questions = if changed == 1 { "question" } else { "questions" };
    let fields = comparison.root.len();
    let plural = if fields == 1 { "difference" } else { "differences" };
    format!(
        "{} {questions} changed, {} added, {} removed, {} the same; {} {plural} of the checkpoint itself",
        count(changed),
        count(comparison.added.len()),
        count(comparison.removed.len()),
        count(same),
        count(fields),
    )
}

fn title(item: &Item<'_>) -> String {
    let text = one_line(&item.question.text.shown());
    match &item.id {
        Some(id) => format!("question {}: {}", visible(&id.shown()), visible(&text)),
        None => format!("question: {}", visible(&text)),
    }
}

fn shown_place(place: &Place) -> String {
    format!("{}:{}:{}", visible(&place.source), place.line, place.column)
}

fn write_changes(changes: &[Change<'_>], sources: &Sources<'_>, text: &mut String) {
    for change in changes {
        let _ = writeln!(text, "  {}", visible(&change.path.join(" / ")));
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
pub(super) fn to_json(
    comparison: &Comparison<'_>,
    names: Names<'_>,
    documents: (&Document, &Document),
) -> String {
    let sources = Sources::new(documents);
    let changed: Vec<String> =
        comparison.changed.iter().map(|question| changed_to_json(question, &sources)).collect();
    let item = |item: &Item<'_>, place: Place| {
        object(&[
            ("id", json_of(item.id.as_ref())),
            ("text", item.question.text.as_json().to_owned()),
            ("place", place_to_json(&place)),
        ])
    };
    let removed = comparison.removed.iter().map(|removed| item(removed, sources.before_item(removed)));
    let added = comparison.added.iter().map(|added| item(added, sources.after_item(added)));
    let json = object(&[
        ("a", string(names.a)),
        ("b", string(names.b)),
        ("equal", comparison.is_empty().to_string()),
        ("same", comparison.same.to_string()),
        ("checkpoint", changes_to_json(&comparison.root, &sources)),
        ("changed", array(changed)),
        ("removed", array(removed)),
        ("added", array(added)),
    ]);
    laid_out(json)
}

/// The text with line breaks and indentation.
fn laid_out(json: String) -> String {
    let limits = Limits { size: u64::MAX, depth: usize::MAX };
    let document = parse("the result", json.clone(), limits).ok();
    document.and_then(|document| format(&document).ok()).unwrap_or(json)
}

fn changed_to_json(question: &ChangedQuestion<'_>, sources: &Sources<'_>) -> String {
    let by = match question.matched_by {
        MatchedBy::Id => "id",
        MatchedBy::Text => "text",
    };
    object(&[
        ("id", json_of(question.before.id.as_ref())),
        ("text", question.before.question.text.as_json().to_owned()),
        ("matchedBy", string(by)),
        ("before", place_to_json(&sources.before_item(&question.before))),
        ("after", place_to_json(&sources.after_item(&question.after))),
        ("changes", changes_to_json(&question.changes, sources)),
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
    object(&[
        ("file", string(&place.source)),
        ("line", place.line.to_string()),
        ("column", place.column.to_string()),
        ("pointer", pointer),
    ])
}

fn json_of(value: Option<&Value<'_>>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.as_json().to_owned())
}

fn string(text: &str) -> String {
    let mut json = String::new();
    write_string(text, &mut json);
    json
}

fn array(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> = members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

/// A report for a pull request.
pub(super) fn to_markdown(
    comparison: &Comparison<'_>,
    names: Names<'_>,
    documents: (&Document, &Document),
) -> String {
    let sources = Sources::new(documents);
    if comparison.is_empty() {
        return format!("# {} and {}\n\nNo question differs.\n", code(names.a), code(names.b));
    }
    let mut text = format!("# {} → {}\n\n{}\n", code(names.a), code(names.b), summary(comparison));
    if !comparison.root.is_empty() {
        text.push_str("\n## The checkpoint itself\n");
        write_table(&comparison.root, &sources, &mut text);
    }
    for question in &comparison.changed {
        let _ = writeln!(text, "\n## {}", heading(&question.before));
        write_table(&question.changes, &sources, &mut text);
    }
    if !comparison.removed.is_empty() {
        text.push_str("\n## Removed\n\n");
        for item in &comparison.removed {
            let _ = writeln!(text, "- {} (line {})", heading(item), sources.before_item(item).line);
        }
    }
    if !comparison.added.is_empty() {
        text.push_str("\n## Added\n\n");
        for item in &comparison.added {
            let _ = writeln!(text, "- {} (line {})", heading(item), sources.after_item(item).line);
        }
    }
    text
}

fn heading(item: &Item<'_>) -> String {
    let text = one_line(&item.question.text.shown());
    match &item.id {
        Some(id) => format!("{} ({})", plain(&text), code(&one_line(&id.shown()))),
        None => plain(&text),
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
            plain(&change.path.join(" / ")),
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

/// Back quotes enough that nothing in the text ends what stands between two such fences.
fn fence(text: &str, least: usize) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(least.max(longest + 1))
}

/// Text that is nothing but text in Markdown, in a table too.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for character in visible(text).chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&') {
            plain.push('\\');
        }
        plain.push(character);
    }
    plain
}

/// A code span that nothing in it ends, in a table too.
fn code(text: &str) -> String {
    let text = visible(text).replace('|', "\\|");
    let fence = fence(&text, 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}
