//! Pairs for preference learning: two texts, one of which the expert prefers.
//!
//! A draft is paired with its revision. The answer to a question is paired with the expert's answer, if the expert
//! calls it wrong.

use super::example::{ExportOmission, FeedbackSource, TrainingExample, text_of};
use super::sft;
use crate::rlcf::figures::RlcfProfile;
use crate::rlcf::figures::model::{FreeFormData, ModelResponse};

/// The keys of a model's output that may have the answer, the likeliest first.
const ANSWER_KEYS: [&str; 7] =
    ["answer", "validated_answer", "answer_text", "output", "response", "text", "message"];

/// Makes the pair from a feedback.
pub(super) fn pair(
    source: FeedbackSource<'_>,
    profile: RlcfProfile,
) -> Result<TrainingExample, ExportOmission> {
    match source.task.task_type.as_str() {
        "DRAFTING" => draft(source, profile),
        "QA" | "STATUTORY_RULE_QA" if profile == RlcfProfile::Seed => answer(source),
        task_type => Err(ExportOmission::TaskType(task_type.to_owned())),
    }
}

fn draft(source: FeedbackSource<'_>, profile: RlcfProfile) -> Result<TrainingExample, ExportOmission> {
    let original = text_of(&source.response.output_data, "target").filter(|target| !target.is_empty());
    let original = Some(original.ok_or(ExportOmission::NoResponseText)?);
    let data = &source.feedback.feedback_data;
    // An empty text is useless for training, but the program writes it.
    let is_worth_it = |text: &String| profile == RlcfProfile::Shipped || !text.trim().is_empty();
    let revised = text_of(data, "revised_target").filter(is_worth_it);
    let (chosen, rejected) = match text_of(data, "rating").as_deref() {
        Some("better") => (revised, original),
        Some("worse") => (original, revised),
        _ => return Err(ExportOmission::NoPreference),
    };
    let input = &source.task.input_data;
    let asked = sft::question(&source.task.task_type, input, profile);
    let (instruction, text) = asked.unwrap_or_default();
    let prompt = match (instruction, text, profile) {
        (Some(instruction), Some(text), _) => Some(format!("{instruction}\nSource: {text}")),
        (Some(instruction), None, RlcfProfile::Shipped) => Some(format!("{instruction}\nSource: None")),
        _ => None,
    };
    Ok(pair_of(prompt, chosen, rejected))
}

fn answer(source: FeedbackSource<'_>) -> Result<TrainingExample, ExportOmission> {
    let data = &source.feedback.feedback_data;
    let position = text_of(data, "position").map(|position| position.trim().to_lowercase());
    if position.as_deref() != Some("incorrect") {
        return Err(ExportOmission::NoPreference);
    }
    let rejected = answer_of(source.response).ok_or(ExportOmission::NoResponseText)?;
    let chosen = text_of(data, "validated_answer").filter(|answer| !answer.trim().is_empty());
    if chosen.as_ref() == Some(&rejected) {
        return Err(ExportOmission::NoPreference);
    }
    let asked = sft::question(&source.task.task_type, &source.task.input_data, RlcfProfile::Seed);
    let (instruction, context) = asked.unwrap_or_default();
    let prompt = match (instruction, context) {
        (Some(instruction), Some(context)) => Some(format!("{instruction}\nContext: {context}")),
        (instruction, _) => instruction,
    };
    Ok(pair_of(prompt, chosen, Some(rejected)))
}

/// Returns the answer of a model, if there is one.
fn answer_of(response: &ModelResponse) -> Option<String> {
    if response.is_placeholder() {
        return None;
    }
    let data: &FreeFormData = &response.output_data;
    let texts = ANSWER_KEYS.iter().filter_map(|key| data.get(*key)?.as_str());
    texts.map(str::to_owned).find(|text| !text.trim().is_empty())
}

fn pair_of(prompt: Option<String>, chosen: Option<String>, rejected: Option<String>) -> TrainingExample {
    TrainingExample { members: [("prompt", prompt), ("chosen", chosen), ("rejected", rejected)] }
}
