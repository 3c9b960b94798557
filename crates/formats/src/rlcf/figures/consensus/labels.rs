//! The consensus on labels: the choice, or the set of choices, with the most authority.

use serde_json::{Map, Value, json};

use super::expert_consensus::{ExpertConsensus, NoConsensus, details, labels_of, percentages, text_of};
use crate::rlcf::figures::arithmetic::{round, sum};
use crate::rlcf::figures::joined_records::ExpertOpinion;
use crate::rlcf::figures::python_text;
use crate::rlcf::figures::weights::ChoiceWeights;

/// Returns the consensus on a classification. A set of labels is one choice, whatever its order.
pub(super) fn sets(opinions: &[ExpertOpinion<'_>]) -> Result<ExpertConsensus, NoConsensus> {
    let weights = label_sets(opinions, "validated_labels");
    let (labels, _) = weights.heaviest().ok_or(NoConsensus::NothingValid("no valid feedback"))?;
    let mut consensus = Map::new();
    consensus.insert("consensus_answer".to_owned(), json!(labels));
    consensus.insert("details".to_owned(), details(&weights, |labels| python_text::tuple(labels)));
    Ok(consensus)
}

/// Returns the consensus on risks: a set of labels, and the severity. The severity is the sum weighed by authority,
/// divided by the weight of the labels.
pub(super) fn risks(opinions: &[ExpertOpinion<'_>]) -> Result<ExpertConsensus, NoConsensus> {
    const KEY: &str = "validated_risk_labels";
    let weights = label_sets(opinions, KEY);
    let severities = opinions.iter().filter_map(|opinion| {
        let severity = opinion.feedback.feedback_data.get("validated_severity")?.as_f64()?;
        Some(severity * opinion.authority)
    });
    let (labels, weight) =
        weights.heaviest().ok_or(NoConsensus::NothingValid("no valid risk labels found in feedback"))?;
    let total = weights.total();
    let share = |part: f64| if total > 0.0 { part / total } else { 0.0 };
    let (confidence, severity) = (share(*weight), share(sum(severities)));
    let answer = format!("Risks: {}, Severity: {severity:.2}", labels.join(", "));
    let mut consensus = Map::new();
    consensus.insert("consensus_answer".to_owned(), Value::from(answer));
    consensus.insert("confidence".to_owned(), Value::from(round(confidence, 3)));
    consensus.insert("consensus_labels".to_owned(), json!(labels));
    consensus.insert("average_severity".to_owned(), Value::from(round(severity, 2)));
    let labels = details(&weights, |labels| python_text::tuple(labels));
    consensus.insert("details".to_owned(), json!({"labels": labels, "severity_score": severity}));
    Ok(consensus)
}

fn label_sets(opinions: &[ExpertOpinion<'_>], key: &str) -> ChoiceWeights<Vec<String>> {
    let mut weights = ChoiceWeights::default();
    for opinion in opinions {
        let labels = labels_of(&opinion.feedback.feedback_data, key);
        if !labels.is_empty() {
            weights.add(labels, opinion.authority);
        }
    }
    weights
}

/// Returns the consensus on a prediction: the chosen outcome.
pub(super) fn outcomes(opinions: &[ExpertOpinion<'_>]) -> Result<ExpertConsensus, NoConsensus> {
    let weights = choices(opinions, "chosen_outcome", &[], "no valid predictions found")?;
    choice(&weights, "Predicted outcome: ", ["predicted_outcome", "outcome_probabilities"], str::to_owned)
}

/// Returns the consensus on an inference: the chosen relationship.
pub(super) fn relationships(opinions: &[ExpertOpinion<'_>]) -> Result<ExpertConsensus, NoConsensus> {
    let weights = choices(opinions, "chosen_label", &[], "no valid labels found")?;
    choice(&weights, "Relationship: ", ["consensus_label", "label_distribution"], str::to_owned)
}

/// Returns the consensus on a doctrine: yes or no. Other labels do not count.
pub(super) fn doctrines(opinions: &[ExpertOpinion<'_>]) -> Result<ExpertConsensus, NoConsensus> {
    let weights = choices(opinions, "chosen_label", &["yes", "no"], "no valid labels (`yes`, `no`) found")?;
    let capitalized = |label: &str| if label == "yes" { "Yes".to_owned() } else { "No".to_owned() };
    choice(&weights, "Admissible: ", ["consensus_label", "label_distribution"], capitalized)
}

/// Counts the chosen labels: only those in `labels`, unless that is empty. Without a choice, the error is `otherwise`.
fn choices(
    opinions: &[ExpertOpinion<'_>],
    key: &str,
    labels: &[&str],
    otherwise: &'static str,
) -> Result<ChoiceWeights<String>, NoConsensus> {
    let mut weights = ChoiceWeights::default();
    for opinion in opinions {
        let label = text_of(&opinion.feedback.feedback_data, key);
        let label = label.filter(|label| labels.is_empty() || labels.contains(&label.as_str()));
        if let Some(label) = label {
            weights.add(label, opinion.authority);
        }
    }
    if weights.is_empty() { Err(NoConsensus::NothingValid(otherwise)) } else { Ok(weights) }
}

/// Returns the heaviest choice, under its own key, and the shares of all choices.
fn choice(
    weights: &ChoiceWeights<String>,
    before: &str,
    [label_key, shares_key]: [&str; 2],
    shown: impl Fn(&str) -> String,
) -> Result<ExpertConsensus, NoConsensus> {
    let total = weights.total();
    let Some((label, weight)) = weights.heaviest().filter(|_| total != 0.0) else {
        return Err(NoConsensus::NoWeight);
    };
    let mut consensus = Map::new();
    consensus.insert("consensus_answer".to_owned(), Value::from(format!("{before}{}", shown(label))));
    consensus.insert("confidence".to_owned(), Value::from(round(weight / total, 3)));
    consensus.insert(label_key.to_owned(), Value::from(label.as_str()));
    consensus.insert(shares_key.to_owned(), percentages(weights, total));
    consensus.insert("details".to_owned(), details(weights, Clone::clone));
    Ok(consensus)
}
