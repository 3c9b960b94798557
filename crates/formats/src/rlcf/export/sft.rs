//! Examples for supervised fine-tuning: an instruction, its input, and the expert's answer.

use super::example::{ExportOmission, FeedbackSource, TrainingExample, quoted, text_of};
use crate::rlcf::figures::model::FreeFormData;
use crate::rlcf::figures::{RlcfProfile, python_text, texts_of};

/// Makes the example from a feedback.
pub(super) fn example(
    source: FeedbackSource<'_>,
    profile: RlcfProfile,
) -> Result<TrainingExample, ExportOmission> {
    let task_type = source.task.task_type.as_str();
    let (input, data) = (&source.task.input_data, &source.feedback.feedback_data);
    let (asked, of) = question(task_type, input, profile)
        .filter(|_| task_type != "STATUTORY_RULE_QA" || profile == RlcfProfile::Seed)
        .ok_or_else(|| ExportOmission::TaskType(task_type.to_owned()))?;
    let output = answer(task_type, data, profile);
    Ok(TrainingExample { members: [("instruction", asked), ("input", of), ("output", output)] })
}

/// Returns the instruction and its input, or `None` for a task type without a wording. If a part of the instruction is
/// missing, the program writes `None` in its place; with the other profile, there is no instruction.
pub(super) fn question(
    task_type: &str,
    input: &FreeFormData,
    profile: RlcfProfile,
) -> Option<(Option<String>, Option<String>)> {
    let about = |words: &str, key: &str| {
        let is_sayable = profile == RlcfProfile::Shipped || text_of(input, key).is_some();
        is_sayable.then(|| format!("{words}{}", quoted(input, key)))
    };
    let plain = |words: &str| Some(words.to_owned());
    let of = |key: &str| text_of(input, key);
    const ANSWER: &str = "Answer the following question based on the provided context: ";
    Some(match task_type {
        "QA" => (about(ANSWER, "question"), of("context")),
        "STATUTORY_RULE_QA" => (about(ANSWER, "question"), statutory_context(input)),
        "CLASSIFICATION" => (about("Classify the following text unit: ", "unit"), of("text")),
        "SUMMARIZATION" => {
            (plain("Summarize the following document accurately and concisely."), of("document"))
        }
        "PREDICTION" => (plain("Predict the outcome based on the given facts."), of("facts")),
        "NLI" => {
            let words = "Determine the relationship between the premise and hypothesis (entailment, \
                         contradiction, or neutral). Premise: ";
            (about(words, "premise"), of("hypothesis"))
        }
        "NER" => {
            let words = "Identify and tag named entities in the following sequence of tokens.";
            (plain(words), list_of(input, "tokens", " ", profile))
        }
        "DRAFTING" => {
            (about("Revise the following text based on the instruction: ", "instruction"), of("source"))
        }
        "RISK_SPOTTING" => {
            let words = "Identify compliance risks in the following text and assign a severity score.";
            (plain(words), of("text"))
        }
        "DOCTRINE_APPLICATION" => {
            let words = "Apply legal doctrine to answer the following question based on the facts: ";
            (about(words, "question"), of("facts"))
        }
        _ => return None,
    })
}

/// Returns the context of a question on a statute, with the relevant articles.
fn statutory_context(input: &FreeFormData) -> Option<String> {
    let context = text_of(input, "context_full")?;
    let articles = text_of(input, "relevant_articles").filter(|articles| !articles.is_empty());
    Some(match articles {
        Some(articles) => format!("{context}\nRelevant articles: {articles}"),
        None => context,
    })
}

/// Joins the items of a list. The program treats a missing list as an empty one.
fn list_of(data: &FreeFormData, key: &str, separator: &str, profile: RlcfProfile) -> Option<String> {
    let is_said = profile == RlcfProfile::Shipped || data.get(key).is_some_and(|list| !list.is_null());
    is_said.then(|| texts_of(data, key).join(separator))
}

/// Returns the expert's answer. The program gives risks without a severity the severity 0, although no expert said so.
fn answer(task_type: &str, data: &FreeFormData, profile: RlcfProfile) -> Option<String> {
    match task_type {
        "QA" | "STATUTORY_RULE_QA" => text_of(data, "validated_answer"),
        "CLASSIFICATION" => list_of(data, "validated_labels", ", ", profile),
        "SUMMARIZATION" => text_of(data, "revised_summary"),
        "PREDICTION" => text_of(data, "chosen_outcome"),
        "NLI" | "DOCTRINE_APPLICATION" => text_of(data, "chosen_label"),
        "NER" => list_of(data, "validated_tags", " ", profile),
        "DRAFTING" => text_of(data, "revised_target"),
        "RISK_SPOTTING" => {
            let severity = data.get("validated_severity").map(python_text::text);
            let none = (profile == RlcfProfile::Shipped).then(|| "0".to_owned());
            let severity = severity.or(none)?;
            let risks = list_of(data, "validated_risk_labels", ", ", profile)?;
            Some(format!("Risks: {risks}, Severity: {severity}"))
        }
        _ => None,
    }
}
