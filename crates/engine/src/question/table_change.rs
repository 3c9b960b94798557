//! The change of several questions that a table requests: one update with the values that differ.

use std::collections::BTreeMap;

use super::dates::{dataset_modified, item_modified};
use super::edited_question::EditedQuestion;
use super::known_questions::{KnownQuestion, KnownQuestions};
use super::question_change_text::{ChangeExtent, ChangeText, ChangeWording, counted};
use super::question_named::check_is_alone;
use super::question_update_writer::QuestionUpdateWriter;
use super::scope::QuestionScope;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, RunFailure, SourcePlace, thousands};
use evalgraph_formats::checkpoint::question_table::keywords_of;

/// How many candidates are reported.
const TOLD: usize = 5;

/// A new value, and the row that requests it.
type WantedValue<'r, T> = Option<(T, &'r SourcePlace)>;

/// The new values of one question.
#[derive(Default)]
struct WantedValues<'r> {
    answer: WantedValue<'r, &'r str>,
    finished: WantedValue<'r, bool>,
    keywords: WantedValue<'r, Vec<String>>,
    text: WantedValue<'r, &'r str>,
}

/// Returns the change after which the questions have the values of the rows. Only values that differ are changed.
///
/// # Errors
///
/// `unknown-question` and `which-question` for a row that does not name one question, `table` for two rows with
/// different values or a value that is not clear, and `no-place`; each with the command's prefix.
pub(super) fn table_change(
    scope: QuestionScope<'_>,
    rows: &[EditedQuestion],
) -> Result<ChangeText, RunFailure> {
    let known = KnownQuestions::new(scope)?;
    let mut wanted: BTreeMap<usize, WantedValues<'_>> = BTreeMap::new();
    let mut unknown = Vec::new();
    for row in rows {
        match known.named(&row.question) {
            [] => unknown.push(row),
            [at] => want(scope, &known, *at, row, wanted.entry(*at).or_default())?,
            several => return Err(ambiguous(scope, row, &known, several).into()),
        }
    }
    if let Some((first, more)) = unknown.split_first() {
        return Err(no_question(scope, first, more.len(), &known).into());
    }
    wanted.retain(|_, values| values.count() > 0);
    written(scope, &known, &wanted)
}

/// Notes which values of a row differ from those of its question.
fn want<'r>(
    scope: QuestionScope<'_>,
    known: &KnownQuestions,
    at: usize,
    row: &'r EditedQuestion,
    wanted: &mut WantedValues<'r>,
) -> Result<(), RunFailure> {
    let question = &known.questions[at];
    let place = &row.place;
    if let Some(answer) = row.answer.as_deref().filter(|answer| differs(answer, &question.answers)) {
        if question.answers.len() > 1 {
            let count = thousands(question.answers.len() as u64);
            let message =
                format!("the question has {count} answers, and the row does not say which one changes");
            return Err(scope.fault("table", message).at(place.clone()).into());
        }
        agree(scope, "answer", &mut wanted.answer, answer, place)?;
    }
    if let Some(finished) = row.finished.filter(|finished| *finished != question.finished) {
        agree(scope, "state", &mut wanted.finished, finished, place)?;
    }
    if let Some(keywords) = row.keywords.as_deref() {
        let new = keywords_of(keywords);
        if differ_in_keywords(keywords, &new, &question.keywords)
            && !(question.keywords.is_empty() && has_in_property(scope, question, &new)?)
        {
            agree(scope, "keywords", &mut wanted.keywords, new, place)?;
        }
    }
    if let Some(text) = row.text.as_deref().filter(|text| differs(text, &question.texts)) {
        // An update finds a question without an IRI by its text.
        let others = known.named(text).iter().filter(|other| **other != at);
        if !question.named.binding.is_empty() && others.count() > 0 {
            let message = format!("another question has the text `{text}`, and these two would be the same");
            return Err(scope.fault("table", message).at(place.clone()).into());
        }
        agree(scope, "text", &mut wanted.text, text, place)?;
    }
    Ok(())
}

/// Sets a value, unless another row requests another one.
fn agree<'r, T: PartialEq>(
    scope: QuestionScope<'_>,
    what: &str,
    wanted: &mut WantedValue<'r, T>,
    new: T,
    place: &'r SourcePlace,
) -> Result<(), RunFailure> {
    if let Some((_, other)) = wanted.as_ref().filter(|(value, _)| *value != new) {
        let message = format!("two rows change the {what} of one question, each to another value");
        let fault = scope.fault("table", message).at(place.clone());
        return Err(fault.with_related((*other).clone(), "the other row").into());
    }
    *wanted = Some((new, place));
    Ok(())
}

/// Returns whether a text is none of these. Programs change the ends of lines.
fn differs(text: &str, values: &[String]) -> bool {
    let plain = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    !values.iter().any(|value| value == text || plain(value) == plain(text))
}

/// Returns whether the keywords of a cell are others than these. A keyword may have a comma.
fn differ_in_keywords(cell: &str, new: &[String], keywords: &[String]) -> bool {
    let sorted = |keywords: &[String]| {
        let mut keywords = keywords.to_vec();
        keywords.sort();
        keywords.dedup();
        keywords
    };
    let known = sorted(keywords);
    sorted(new) != known
        && ![", ", ",", "; ", ";"].iter().any(|separator| known.join(separator) == cell.trim())
}

/// Returns whether the keywords are in a property of the question already.
fn has_in_property(
    scope: QuestionScope<'_>,
    question: &KnownQuestion,
    new: &[String],
) -> Result<bool, RunFailure> {
    let writer = QuestionUpdateWriter { scope, named: &question.named };
    Ok(writer.keywords_of_property()? == new)
}

impl WantedValues<'_> {
    fn count(&self) -> usize {
        [self.answer.is_some(), self.finished.is_some(), self.keywords.is_some(), self.text.is_some()]
            .into_iter()
            .filter(|is_wanted| *is_wanted)
            .count()
    }
}

/// Returns the update with all values, and that of the dates.
fn written(
    scope: QuestionScope<'_>,
    known: &KnownQuestions,
    wanted: &BTreeMap<usize, WantedValues<'_>>,
) -> Result<ChangeText, RunFailure> {
    let (mut updates, mut texts, mut dates) = (Vec::new(), Vec::new(), Vec::new());
    let mut graphs: Vec<&str> = Vec::new();
    for (at, values) in wanted {
        let named = &known.questions[*at].named;
        check_is_alone(scope, std::slice::from_ref(named))?;
        let writer = QuestionUpdateWriter { scope, named };
        let placed = |place: &SourcePlace, failure| at_row(failure, place);
        if let Some((answer, place)) = &values.answer {
            updates.push(writer.answer(answer).map_err(|failure| placed(place, failure))?);
        }
        if let Some((finished, place)) = &values.finished {
            updates.push(writer.finished(*finished).map_err(|failure| placed(place, failure))?);
        }
        if let Some((keywords, place)) = &values.keywords {
            updates.push(writer.set_keywords(keywords).map_err(|failure| placed(place, failure))?);
        }
        if let Some((text, _)) = &values.text {
            texts.push(writer.text(text));
        }
        dates.push(item_modified(scope, named)?);
        if !graphs.contains(&named.graph.as_str()) {
            graphs.push(&named.graph);
        }
    }
    for graph in graphs {
        dates.push(dataset_modified(scope, graph)?);
    }
    // Texts come last, because the other updates may find a question by its old text.
    updates.append(&mut texts);
    dates.retain(|date| !date.is_empty());
    let values = wanted.values().map(WantedValues::count).sum();
    let what = format!("{} of {}", counted(values, "value"), counted(wanted.len(), "question"));
    let deed = ChangeWording { verb: ["change", "changed"], what, preposition: "in" };
    Ok(ChangeText {
        update: updates.join(" ;\n"),
        beside: dates.join(" ;\n"),
        extent: ChangeExtent::Within,
        deed,
    })
}

/// Returns a failure with the place of the row that caused it.
fn at_row(failure: RunFailure, place: &SourcePlace) -> RunFailure {
    match failure {
        RunFailure::Fault(fault) if fault.place.is_none() => fault.at(place.clone()).into(),
        other => other,
    }
}

fn no_question(
    scope: QuestionScope<'_>,
    row: &EditedQuestion,
    more: usize,
    known: &KnownQuestions,
) -> Diagnostic {
    let name = &row.question;
    let fault =
        scope.fault("unknown-question", format!("there is no question `{name}`")).at(row.place.clone());
    let fault = fault.with_help(match known.nearest(name) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "a question is named by its IRI, the id that its file gives it, or its exact text".to_owned(),
    });
    match more {
        0 => fault,
        1 => fault.with_help("1 other row does not name a question either"),
        more => {
            fault.with_help(format!("{} other rows do not name a question either", thousands(more as u64)))
        }
    }
}

fn ambiguous(
    scope: QuestionScope<'_>,
    row: &EditedQuestion,
    known: &KnownQuestions,
    found: &[usize],
) -> Diagnostic {
    let message = format!("`{}` matches {} questions", row.question, found.len());
    let mut fault = scope.fault("which-question", message).at(row.place.clone());
    for at in found.iter().take(TOLD) {
        let named = &known.questions[*at].named;
        fault = fault.with_help(format!("{} in `{}`", named.shown, named.graph));
    }
    fault.with_help(help![
        "name each by another column with ",
        setting("key"),
        ", or its graph with ",
        setting("graph")
    ])
}
