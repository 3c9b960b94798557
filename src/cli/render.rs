//! Shows a [`Diagnostic`]: to people as text with the line and a caret, to programs as one JSON object per line. Both
//! contain the same facts, except that a note is one line for people. Counting is left to
//! [`Report`](evalgraph_diagnostics::RunReport).

use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};
use serde_json::{Value, json};

use super::help::worded;
use super::visible::{push_visible, visible};
use evalgraph_diagnostics::shortened::cut;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, LineExcerpt, SourcePlace, thousands};

/// How many characters of a message are shown. A message may quote a text of any length.
const MESSAGE_WIDTH: usize = 400;
/// How many related places are shown with their line.
const SHOWN_RELATED: usize = 1;
/// How many help texts are shown.
const SHOWN_HELP: usize = 3;

/// The finding in one line, with its first help text, the number of further findings of its kind, and their loss.
pub(super) fn to_line(diagnostic: &Diagnostic, more: u64, cost: Option<u64>) -> String {
    let mut message = diagnostic.message.clone();
    let mut notes: Vec<String> = diagnostic.help.first().map(worded).into_iter().collect();
    if let Some(cost @ 1..) = cost {
        notes.push(format!("{} lost", triples(cost)));
    }
    if more > 0 {
        notes.push(format!("and {} more: `-v` lists them", thousands(more)));
    }
    if !notes.is_empty() {
        message = format!("{} ({})", shown_message(&message), notes.join("; "));
    }
    Renderer::styled().render(&[titled(diagnostic, &message)]) + "\n"
}

/// The finding in a few lines, at most `most` if possible: its title, the line of the source, a caret, the help texts
/// with another one, and the first related place. What would take too many lines is joined.
pub(super) fn to_short_text(diagnostic: &Diagnostic, more_help: Option<&str>, most: usize) -> String {
    let mut group = titled(diagnostic, &diagnostic.message);
    let place = diagnostic.place.as_deref().filter(|place| !place.is_whole());
    if let Some(place) = place {
        group = group.element(snippet(place));
    }
    let help = diagnostic.help.iter().take(SHOWN_HELP).map(|help| shown_message(&worded(help)));
    let mut help: Vec<String> = help.chain(more_help.map(str::to_owned)).collect();
    let related = diagnostic.related.first();
    let mut related =
        related.map(|(place, label)| format!("{}: note: {}", shown_place(place), shown_message(label)));
    let lines = 1 + 2 * usize::from(place.is_some()) + help.len() + usize::from(related.is_some());
    let lines = lines + usize::from(diagnostic.cost.is_some_and(|cost| cost > 0));
    if lines > most {
        help.extend(related.take());
        help = vec![help.join("; ")];
    }
    if let Some(cost @ 1..) = diagnostic.cost {
        group = group.element(Level::NOTE.with_name("lost").message(triples(cost)));
    }
    for help in help {
        group = group.element(Level::HELP.message(help));
    }
    // Lines that consist of a bar only lead the eye in a long text, and are not needed in a short one.
    let text = Renderer::styled().render(&[group]) + "\n";
    let text = text.split_inclusive('\n').filter(|line| !is_bar(line));
    text.map(str::to_owned).chain(related.map(|related| related + "\n")).collect()
}

/// Returns whether a line has nothing but a bar.
fn is_bar(line: &str) -> bool {
    anstream::adapter::strip_str(line).to_string().trim() == "|"
}

fn titled(diagnostic: &Diagnostic, message: &str) -> Group<'static> {
    let name = match &diagnostic.place {
        Some(place) => format!("{}: {}", shown_place(place), diagnostic.severity),
        None => diagnostic.severity.to_string(),
    };
    let title = level(diagnostic.severity).with_name(name).primary_title(shown_message(message));
    title.id(visible(&diagnostic.code).into_owned()).elements(Vec::<Element<'_>>::new())
}

/// The finding as text for people, with the colours of a terminal. It has at most 15 lines; a note has one line.
pub fn to_text(diagnostic: &Diagnostic) -> String {
    if diagnostic.severity == FindingSeverity::Note {
        return to_line(diagnostic, 0, None);
    }
    let mut group = titled(diagnostic, &diagnostic.message);
    let place = diagnostic.place.as_deref().filter(|place| !place.is_whole());
    if let Some(place) = place {
        group = group.element(snippet(place));
    }
    for (name, fact) in facts(diagnostic) {
        group = group.element(Level::NOTE.with_name(name).message(visible(&fact).into_owned()));
    }
    for help in diagnostic.help.iter().take(SHOWN_HELP) {
        group = group.element(Level::HELP.message(shown_message(&worded(help))));
    }
    let mut groups = vec![group];
    groups.extend(diagnostic.related.iter().take(SHOWN_RELATED).map(|(place, label)| related(place, label)));
    let mut text = Renderer::styled().render(&groups);
    text.push('\n');
    if place.is_none() { without_second_line(&text) } else { text }
}

/// Removes the second line, a bar that would lead to a line of the source.
fn without_second_line(text: &str) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.len() > 2 {
        lines.remove(1);
    }
    lines.concat()
}

fn level(severity: FindingSeverity) -> Level<'static> {
    match severity {
        FindingSeverity::Error => Level::ERROR,
        FindingSeverity::Warning => Level::WARNING,
        FindingSeverity::Note => Level::NOTE,
    }
}

fn shown_place(place: &SourcePlace) -> String {
    let source = visible(&place.source);
    match &place.cell {
        _ if place.is_whole() => source.into_owned(),
        Some(cell) => format!("{source}: {}", visible(cell)),
        None => format!("{source}:{}:{}", place.line, place.column),
    }
}

fn shown_message(message: &str) -> String {
    cut(&visible(message), MESSAGE_WIDTH).into_owned()
}

fn facts(diagnostic: &Diagnostic) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(pointer) = diagnostic.place.as_ref().and_then(|place| place.pointer.as_ref()) {
        // The empty pointer means the whole document, which is not worth a line.
        if !pointer.is_empty() {
            facts.push(("pointer", pointer.clone()));
        }
    }
    if let Some(cost) = diagnostic.cost.filter(|cost| *cost > 0) {
        facts.push(("lost", triples(cost)));
    }
    if diagnostic.related.len() > SHOWN_RELATED {
        let more = diagnostic.related.len() - SHOWN_RELATED;
        let places: Vec<String> = diagnostic
            .related
            .iter()
            .skip(SHOWN_RELATED)
            .take(4)
            .map(|(place, _)| shown_place(place))
            .collect();
        let end = if more > places.len() { ", …" } else { "" };
        facts.push(("see also", format!("{}{end}", places.join(", "))));
    }
    facts
}

pub(super) fn triples(count: u64) -> String {
    if count == 1 { "1 triple".to_owned() } else { format!("{} triples", thousands(count)) }
}

fn related<'d>(place: &SourcePlace, label: &str) -> Group<'d> {
    let name = format!("{}: note", shown_place(place));
    Level::NOTE.with_name(name).secondary_title(shown_message(label)).element(snippet(place))
}

fn snippet(place: &SourcePlace) -> Snippet<'static, annotate_snippets::Annotation<'static>> {
    let excerpt = shown_excerpt(&place.excerpt);
    let line = usize::try_from(place.line).unwrap_or(usize::MAX);
    Snippet::source(excerpt.text).line_start(line).annotation(AnnotationKind::Primary.span(excerpt.marked))
}

/// Makes the control characters of an excerpt visible and moves the mark accordingly. Tabs stay
/// blank, except within the mark.
fn shown_excerpt(excerpt: &LineExcerpt) -> LineExcerpt {
    let mut text = String::with_capacity(excerpt.text.len());
    let mut marked = 0..0;
    for (at, c) in excerpt.text.char_indices() {
        if at == excerpt.marked.start {
            marked.start = text.len();
        }
        if at == excerpt.marked.end {
            marked.end = text.len();
        }
        match c {
            '\t' if !excerpt.marked.contains(&at) => text.push_str("    "),
            c => push_visible(c, &mut text),
        }
    }
    if excerpt.marked.start >= excerpt.text.len() {
        marked.start = text.len();
    }
    if excerpt.marked.end >= excerpt.text.len() {
        marked.end = text.len();
    }
    LineExcerpt { text, marked }
}

/// The finding as a JSON object.
pub fn to_json(diagnostic: &Diagnostic) -> Value {
    let place = diagnostic.place.as_deref();
    let mut object = json!({
        "severity": diagnostic.severity.to_string(),
        "code": diagnostic.code,
        "message": diagnostic.message,
    });
    add_place(&mut object, place);
    object["cost"] = json!(diagnostic.cost);
    object["help"] = diagnostic.help.iter().map(worded).collect();
    let related = diagnostic.related.iter().map(|(place, label)| {
        let mut object = json!({ "message": label });
        add_place(&mut object, Some(place));
        object
    });
    object["related"] = related.collect();
    object
}

fn add_place(object: &mut Value, place: Option<&SourcePlace>) {
    let spot = place.filter(|place| !place.is_whole());
    object["file"] = json!(place.map(|place| &*place.source));
    object["line"] = json!(spot.map(|place| place.line));
    object["column"] = json!(spot.map(|place| place.column));
    object["bytes"] = json!(spot.map(|place| [place.bytes.start, place.bytes.end]));
    object["pointer"] = json!(place.and_then(|place| place.pointer.as_ref()));
}
