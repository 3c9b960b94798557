//! Measures how far feedback agrees with the other experts (consistency), and with the ground truth (correctness).

use std::collections::BTreeSet;

use serde_json::Value;

use super::consensus::{ExpertConsensus, labels_of, normalized, text_of, texts_of};
use super::figure_settings::FigureSettings;
use super::model::FreeFormData;

/// Words that count more than others when legal answers are compared.
const ANSWER_TERMS: [&str; 7] = ["guilty", "liable", "breach", "violation", "compliance", "valid", "invalid"];

/// Words that decide whether an answer is right.
const DECISIVE_TERMS: [&str; 9] =
    ["yes", "no", "guilty", "liable", "valid", "invalid", "breach", "violation", "compliance"];

/// Words that decide whether Italian answers on statutes are right.
const STATUTORY_TERMS: [&str; 14] = [
    "applicabile",
    "valido",
    "invalido",
    "conforme",
    "legittimo",
    "illegittimo",
    "responsabile",
    "dovuto",
    "ammissibile",
    "inammissibile",
    "fondato",
    "infondato",
    "prescrivibile",
    "imprescrivibile",
];

/// Words that a draft should keep.
const DRAFTING_TERMS: [&str; 7] =
    ["shall", "agreement", "party", "hereby", "whereas", "pursuant", "notwithstanding"];

/// Returns how far a feedback agrees with the consensus of its task, from 0 to 1, or `None` for a task type without a
/// measure.
pub fn consistency(task_type: &str, data: &FreeFormData, consensus: &ExpertConsensus) -> Option<f64> {
    Some(match task_type {
        "QA" => similar_answers(data, consensus, |own, other| {
            jaccard(&words(own), &words(other)) + term_bonus(own, other)
        }),
        "STATUTORY_RULE_QA" => similar_answers(data, consensus, |own, other| {
            let (own, other) = (words(own), words(other));
            let (own_terms, other_terms) = (only(&own, &STATUTORY_TERMS), only(&other, &STATUTORY_TERMS));
            jaccard(&own, &other) + jaccard(&own_terms, &other_terms) * 0.4
        }),
        "CLASSIFICATION" => {
            same(&labels_of(data, "validated_labels"), &labels_of(consensus, "consensus_answer"))
        }
        "SUMMARIZATION" => rated(data, consensus, ["good", "bad"], "good_percentage"),
        "DRAFTING" => rated(data, consensus, ["better", "worse"], "better_percentage"),
        "PREDICTION" => chosen(data, "chosen_outcome", consensus, "predicted_outcome"),
        "NLI" | "DOCTRINE_APPLICATION" => chosen(data, "chosen_label", consensus, "consensus_label"),
        "NER" => matching_tags(&texts_of(data, "validated_tags"), &texts_of(consensus, "consensus_tags")),
        "RISK_SPOTTING" => {
            let own: BTreeSet<String> = texts_of(data, "validated_risk_labels").into_iter().collect();
            let other: BTreeSet<String> = texts_of(consensus, "consensus_labels").into_iter().collect();
            if own.is_empty() || other.is_empty() { 0.0 } else { jaccard(&own, &other) }
        }
        _ => return None,
    })
}

/// Returns an answer in the form for comparison; empty if there is no answer.
fn answer(data: &FreeFormData, key: &str) -> String {
    text_of(data, key).map(|text| normalized(&text)).unwrap_or_default()
}

fn similar_answers(
    data: &FreeFormData,
    consensus: &ExpertConsensus,
    similarity: fn(&str, &str) -> f64,
) -> f64 {
    let (own, other) = (answer(data, "validated_answer"), answer(consensus, "consensus_answer"));
    if own.is_empty() || other.is_empty() {
        0.0
    } else if own == other {
        1.0
    } else {
        similarity(&own, &other).min(1.0)
    }
}

/// Returns up to 0.3 for terms that both answers contain, also inside words.
fn term_bonus(own: &str, other: &str) -> f64 {
    let terms =
        |text: &str| -> Vec<&str> { ANSWER_TERMS.into_iter().filter(|term| text.contains(term)).collect() };
    let (own, other) = (terms(own), terms(other));
    let most = own.len().max(other.len());
    let shared = own.iter().filter(|term| other.contains(term)).count();
    if most == 0 { 0.0 } else { shared as f64 / most as f64 * 0.3 }
}

/// Returns 1 for the majority's side. On the other side, the clearer the majority, the lower the value.
fn rated(
    data: &FreeFormData,
    consensus: &ExpertConsensus,
    [accepting, refusing]: [&str; 2],
    key: &str,
) -> f64 {
    let percentage = consensus.get("quality_assessment").and_then(|assessment| assessment.get(key));
    let (Some(rating), Some(percentage)) = (text_of(data, "rating"), percentage.and_then(Value::as_f64))
    else {
        return 0.0;
    };
    if rating == accepting && percentage > 50.0 || rating == refusing && percentage < 50.0 {
        1.0
    } else {
        1.0 - (percentage - 50.0).abs() / 50.0
    }
}

fn chosen(data: &FreeFormData, key: &str, consensus: &ExpertConsensus, consensus_key: &str) -> f64 {
    let own = text_of(data, key);
    if own.is_some() && own == text_of(consensus, consensus_key) { 1.0 } else { 0.0 }
}

fn matching_tags(own: &[String], other: &[String]) -> f64 {
    if own.is_empty() || other.is_empty() {
        return 0.0;
    }
    let matches = own.iter().zip(other).filter(|(own, other)| own == other).count();
    matches as f64 / own.len().max(other.len()) as f64
}

fn same(own: &[String], other: &[String]) -> f64 {
    if !own.is_empty() && own == other { 1.0 } else { 0.0 }
}

/// Returns how far a feedback agrees with the ground truth, from 0 to 1, or `None` if there is no ground truth, or no
/// measure for the task type.
pub fn correctness(
    task_type: &str,
    data: &FreeFormData,
    truth: Option<&FreeFormData>,
    settings: &FigureSettings,
) -> Option<f64> {
    let truth = GroundTruth { data: truth.filter(|truth| !truth.is_empty())?, settings };
    Some(match task_type {
        "QA" => correct_answer(data, truth),
        "STATUTORY_RULE_QA" => correct_statutory_answer(data, truth),
        "CLASSIFICATION" => {
            let mut labels = truth.texts("labels", "validated_labels");
            labels.sort_unstable();
            same(&labels_of(data, "validated_labels"), &labels)
        }
        "DRAFTING" => correct_draft(data, truth),
        "RISK_SPOTTING" => correct_risks(data, truth),
        "DOCTRINE_APPLICATION" => {
            let own = text_of(data, "chosen_label");
            if own.is_some() && own == truth.text("label", "chosen_label") { 1.0 } else { 0.0 }
        }
        _ => return None,
    })
}

/// The ground truth, under the key that the program reads or the key of the task configuration.
#[derive(Clone, Copy)]
struct GroundTruth<'d> {
    data: &'d FreeFormData,
    settings: &'d FigureSettings,
}

impl GroundTruth<'_> {
    fn key<'k>(&self, key: &'k str, configured: &'k str) -> &'k str {
        let is_configured = self.settings.reads_configured_truth && !self.data.contains_key(key);
        if is_configured { configured } else { key }
    }

    fn text(&self, key: &str, configured: &str) -> Option<String> {
        text_of(self.data, self.key(key, configured))
    }

    fn answer(&self, key: &str, configured: &str) -> String {
        answer(self.data, self.key(key, configured))
    }

    fn texts(&self, key: &str, configured: &str) -> Vec<String> {
        texts_of(self.data, self.key(key, configured))
    }

    fn number(&self, key: &str, configured: &str) -> Option<f64> {
        self.data.get(self.key(key, configured))?.as_f64()
    }
}

/// Returns the share of common words. Decisive words, if there are any, count four times as much as all others.
fn correct_answer(data: &FreeFormData, truth: GroundTruth<'_>) -> f64 {
    let own = answer(data, "validated_answer");
    let right = truth.answer("answer", "validated_answer");
    if own.is_empty() || right.is_empty() {
        return 0.0;
    }
    if own == right {
        return 1.0;
    }
    let (own, right) = (words(&own), words(&right));
    let (own_terms, right_terms) = (only(&own, &DECISIVE_TERMS), only(&right, &DECISIVE_TERMS));
    if own_terms.is_empty() && right_terms.is_empty() {
        return jaccard(&own, &right);
    }
    let others = |words: &BTreeSet<&str>| -> BTreeSet<String> {
        words.iter().filter(|word| !DECISIVE_TERMS.contains(word)).map(|&word| word.to_owned()).collect()
    };
    (jaccard(&own_terms, &right_terms) * 0.8 + jaccard(&others(&own), &others(&right)) * 0.2).min(1.0)
}

/// Returns the share of common words, scaled by the position that the expert takes.
fn correct_statutory_answer(data: &FreeFormData, truth: GroundTruth<'_>) -> f64 {
    let own = answer(data, "validated_answer");
    let right = truth.answer("answer_text", "validated_answer");
    if own.is_empty() || right.is_empty() {
        return 0.0;
    }
    let position = match text_of(data, "position").as_deref() {
        Some("correct") | None => 1.0,
        Some("partially_correct") => 0.7,
        Some("incorrect") => 0.3,
        Some(_) => 0.5,
    };
    (jaccard(&words(&own), &words(&right)) * position).min(1.0)
}

/// Returns a score in which the share of common words counts 0.7, and the share of kept legal terms 0.3.
fn correct_draft(data: &FreeFormData, truth: GroundTruth<'_>) -> f64 {
    let (own, right) = (answer(data, "revised_target"), truth.answer("target", "revised_target"));
    let (own, right) = (words(&own), words(&right));
    if own.is_empty() || right.is_empty() {
        return 0.0;
    }
    let (own_terms, right_terms) = (only(&own, &DRAFTING_TERMS), only(&right, &DRAFTING_TERMS));
    let kept = own_terms.intersection(&right_terms).count() as f64 / right_terms.len().max(1) as f64;
    (jaccard(&own, &right) * 0.7 + kept * 0.3).min(1.0)
}

/// Returns a score in which equal labels count 0.7, and the severity 0.3, or half of that if it is off by one.
fn correct_risks(data: &FreeFormData, truth: GroundTruth<'_>) -> f64 {
    let Some(severity) = data.get("validated_severity").and_then(Value::as_f64) else { return 0.0 };
    let own: BTreeSet<String> = texts_of(data, "validated_risk_labels").into_iter().collect();
    let right: BTreeSet<String> = truth.texts("risk_labels", "validated_risk_labels").into_iter().collect();
    let by_labels = if own == right { 1.0 } else { 0.0 };
    let right = truth.number("severity", "validated_severity");
    let by_severity = right.map_or(0.0, |right| (1.0 - (severity - right).abs() / 2.0).max(0.0));
    by_labels * 0.7 + by_severity * 0.3
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().collect()
}

fn only(words: &BTreeSet<&str>, terms: &[&str]) -> BTreeSet<String> {
    words.iter().filter(|word| terms.contains(word)).map(|&word| word.to_owned()).collect()
}

/// Returns the Jaccard index of two sets; 0 for two empty sets.
fn jaccard<T: Ord>(own: &BTreeSet<T>, other: &BTreeSet<T>) -> f64 {
    let union = own.union(other).count();
    if union == 0 { 0.0 } else { own.intersection(other).count() as f64 / union as f64 }
}
