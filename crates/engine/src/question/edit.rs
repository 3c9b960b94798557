//! A change of one question as the user requests it, and the update of the graph that makes the change.

use super::addition::{QuestionAddition, addition, graph_of};
use super::dates::{dataset_modified, question_modified};
use super::edited_question::EditedQuestion;
use super::question_change_text::{ChangeExtent, ChangeText, ChangeWording, counted};
use super::question_named::question_named;
use super::question_update_writer::QuestionUpdateWriter;
use super::recount::with_one_less;
use super::removal::QuestionRemoval;
use super::scope::QuestionScope;
use super::table_change::table_change;
use evalgraph_diagnostics::RunFailure;
use evalgraph_formats::new_question::NewQuestion;
use evalgraph_formats::registry::counts_questions;

/// A change of one question. An existing question is named by its IRI or its item's IRI, by its id in its file, or by
/// its exact text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuestionEdit {
    /// A new question. It gets the id, the dates and the template that the program for such files would give it.
    Add {
        /// Its text.
        text: String,
        /// The text of its accepted answer.
        answer: String,
        /// `true` if it is finished.
        finished: Option<bool>,
        /// Its keywords.
        keywords: Vec<String>,
    },
    /// More keywords for a question.
    AddKeywords {
        /// The question.
        question: String,
        /// The keywords.
        keywords: Vec<String>,
    },
    /// New values for a question. `None` leaves a value as it is.
    Set {
        /// The question.
        question: String,
        /// The text of the accepted answer.
        answer: Option<String>,
        /// `true` if it is finished.
        finished: Option<bool>,
        /// All keywords of the question.
        keywords: Option<Vec<String>>,
        /// The text of the question.
        text: Option<String>,
    },
    /// New values for several questions, each of which a row of a table names.
    SetRows(Vec<EditedQuestion>),
    /// The removal of a question, with the nodes that only the question refers to.
    Remove {
        /// The question.
        question: String,
    },
    /// Fewer keywords for a question.
    RemoveKeywords {
        /// The question.
        question: String,
        /// The keywords.
        keywords: Vec<String>,
    },
}

impl QuestionEdit {
    /// Returns the prefix of the codes of its findings.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Add { .. } | Self::AddKeywords { .. } => "add",
            Self::Set { .. } | Self::SetRows(_) => "set",
            Self::Remove { .. } | Self::RemoveKeywords { .. } => "remove",
        }
    }

    /// Returns the update that makes the change.
    ///
    /// # Errors
    ///
    /// If no question or several have the name, or if the dataset cannot express the change.
    pub fn change(&self, scope: QuestionScope<'_>) -> Result<ChangeText, RunFailure> {
        match self {
            Self::Add { text, answer, finished, keywords } => {
                let (now, finished) = (scope.clock.now()?, *finished);
                let question = NewQuestion { text, answer, finished, keywords, now };
                let QuestionAddition { update, statistics } = addition(scope, &question)?;
                let beside = joined([dataset_modified(scope, graph_of(scope)?)?, statistics]);
                let deed =
                    ChangeWording { verb: ["add", "added"], what: counted(1, "question"), preposition: "to" };
                Ok(ChangeText { update, beside, extent: ChangeExtent::OnePiece, deed })
            }
            Self::SetRows(rows) => table_change(scope, rows),
            Self::Remove { question } => {
                let named = question_named(scope, question)?;
                let update = QuestionRemoval::new(scope, &named)?.text()?;
                let statistics = match scope.kind(&named.graph) {
                    kind if counts_questions(kind) => with_one_less(scope, &named)?,
                    _ => String::new(),
                };
                let beside = joined([dataset_modified(scope, &named.graph)?, statistics]);
                let what = counted(1, "question");
                let deed = ChangeWording { verb: ["remove", "removed"], what, preposition: "from" };
                Ok(ChangeText { update, beside, extent: ChangeExtent::OnePiece, deed })
            }
            Self::AddKeywords { question, keywords } => {
                let what = format!("{} to 1 question", counted(keywords.len(), "keyword"));
                let deed = ChangeWording { verb: ["add", "added"], what, preposition: "in" };
                within(scope, question, deed, |update| update.add_keywords(keywords))
            }
            Self::RemoveKeywords { question, keywords } => {
                let what = format!("{} of 1 question", counted(keywords.len(), "keyword"));
                let deed = ChangeWording { verb: ["remove", "removed"], what, preposition: "from" };
                within(scope, question, deed, |update| update.remove_keywords(keywords))
            }
            Self::Set { question, answer, finished, keywords, text } => {
                let parts = [
                    text.as_ref().map(|_| "the text"),
                    answer.as_ref().map(|_| "the answer"),
                    keywords.as_ref().map(|_| "the keywords"),
                    finished.map(|_| "the state"),
                ];
                let what = format!("{} of 1 question", listed(parts.into_iter().flatten()));
                let deed = ChangeWording { verb: ["change", "changed"], what, preposition: "in" };
                within(scope, question, deed, |update| {
                    let operations = [
                        answer.as_ref().map(|answer| update.answer(answer)),
                        finished.map(|finished| update.finished(finished)),
                        keywords.as_ref().map(|keywords| update.set_keywords(keywords)),
                        // The text comes last, because the other updates may find the question by its old text.
                        text.as_ref().map(|text| Ok(update.text(text))),
                    ];
                    let operations: Result<Vec<String>, RunFailure> =
                        operations.into_iter().flatten().collect();
                    Ok(operations?.join(" ;\n"))
                })
            }
        }
    }
}

/// Returns a change of values of an existing question.
fn within(
    scope: QuestionScope<'_>,
    question: &str,
    deed: ChangeWording,
    update: impl FnOnce(QuestionUpdateWriter<'_>) -> Result<String, RunFailure>,
) -> Result<ChangeText, RunFailure> {
    let named = question_named(scope, question)?;
    let update = update(QuestionUpdateWriter { scope, named: &named })?;
    Ok(ChangeText { update, beside: question_modified(scope, &named)?, extent: ChangeExtent::Within, deed })
}

/// Lists parts in words: `the answer and the keywords`.
fn listed(parts: impl Iterator<Item = &'static str>) -> String {
    match parts.collect::<Vec<_>>().as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        parts => parts.concat(),
    }
}

/// Joins two updates into one.
fn joined(updates: [String; 2]) -> String {
    let updates: Vec<String> = updates.into_iter().filter(|update| !update.is_empty()).collect();
    updates.join(" ;\n")
}
