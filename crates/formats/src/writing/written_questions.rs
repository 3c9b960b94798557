//! The questions of documents, for all forms that are written from the questions of any input.

use super::document_graphs::DocumentGraphs;
use super::loss_reports::{report_left_out, report_losses, report_unread};
use crate::counts::ConversionCounts;
use crate::items::{DatasetItems, QuestionItem, items_of};
use crate::rewriting::IndexedGraph;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// Returns a note that an input without questions is left out. `lacks` is the word before `questions`: `no`, or what
/// else it does not have.
pub fn without_questions(name: &str, lacks: &str) -> Diagnostic {
    let message = format!("`{name}` has {lacks} questions and is left out");
    Diagnostic::new(FindingSeverity::Note, "convert::no-questions", message)
}

/// Returns the questions of a graph that have a text. All other statements are reported as lost.
pub fn questions(graph: &IndexedGraph<'_>, form: &str, name: &str, report: &mut RunReport) -> DatasetItems {
    let mut found = items_of(graph);
    if found.items.is_empty() {
        return found;
    }
    report_unread(&found.unread, form, name, graph, report);
    let before = found.items.len();
    found.items.retain(|item| !item.question.trim().is_empty());
    let mut left_out = ConversionCounts::new();
    for _ in found.items.len()..before {
        left_out.add("they have no text");
    }
    report_left_out(&left_out, form, name, report);
    found
}

/// Returns the questions of a document with its name, if there are any; `lacks` is that of [`without_questions`]. The form cannot express the name and the
/// description of a dataset.
pub fn questions_of(
    documents: &DocumentGraphs<'_>,
    graph: Option<BufferTermId>,
    form: &str,
    lacks: &str,
    report: &mut RunReport,
) -> Option<(Vec<QuestionItem>, String)> {
    let name = documents.name_of(graph);
    let found = questions(&documents.graph(graph), form, &name, report);
    if found.items.is_empty() {
        report.add(&without_questions(&name, lacks));
        return None;
    }
    let told =
        [("the name of the dataset", found.name), ("the description of the dataset", found.description)];
    let lost = told.into_iter().filter(|(_, text)| text.is_some()).map(|(what, _)| (what, 1));
    report_losses(lost, form, &name, report);
    Some((found.items, name))
}

/// Returns the questions of each document that has any, with the name of the document.
///
/// # Errors
///
/// `convert::no-questions` for quads without questions.
pub fn questions_of_documents(
    quads: &QuadBuffer,
    form: &str,
    report: &mut RunReport,
) -> Result<Vec<(Vec<QuestionItem>, String)>, RunFailure> {
    let documents = DocumentGraphs::from_quads(quads);
    let graphs = documents.documents().into_iter();
    let found = graphs.filter_map(|graph| questions_of(&documents, graph, form, "no", report));
    let documents: Vec<(Vec<QuestionItem>, String)> = found.collect();
    if documents.is_empty() {
        return Err(Diagnostic::error("convert::no-questions", "the inputs have no questions").into());
    }
    Ok(documents)
}

/// Joins the questions of several documents.
pub fn joined(documents: Vec<(Vec<QuestionItem>, String)>) -> (Vec<QuestionItem>, String) {
    let more = documents.len().saturating_sub(1);
    let mut name = documents.first().map(|(_, name)| name.clone()).unwrap_or_default();
    if more > 0 {
        name = format!("{name} and {more} more");
    }
    (documents.into_iter().flat_map(|(items, _)| items).collect(), name)
}
