//! The rules and their profiles.
//!
//! `RlcfProfile` is defined in `rlcf/rlcf_profile.rs`.

use crate::checking::{FormatRule, violation, warning};
use crate::rlcf::rlcf_profile::RlcfProfile;

pub(super) const SCHEMA: FormatRule =
    violation("R-schema", "required fields must be present, with values of their JSON types");
pub(super) const REPLY: FormatRule = warning("R-reply", "the file should contain data, not an API error");
pub(super) const R_1: FormatRule = violation("R-1", "task_type must be one of the task types");
pub(super) const R_2: FormatRule = violation("R-2", "input_data must have the fields of its task type");
pub(super) const R_3: FormatRule =
    violation("R-3", "feedback_data must have the required fields of its task type");
pub(super) const R_4: FormatRule =
    violation("R-4", "feedback must be given while the task is in BLIND_EVALUATION");
pub(super) const R_5: FormatRule = violation("R-5", "helpfulness_score must be an integer from 1 to 5");
pub(super) const R_6: FormatRule = violation("R-6", "feedback scores must lie between 0 and 10");
pub(super) const R_7: FormatRule = violation("R-7", "confidence must lie between 0 and 1");
pub(super) const R_8: FormatRule =
    violation("R-8", "ids must be positive integers, and references must lead to existing records");
pub(super) const R_9: FormatRule =
    violation("R-9", "usernames must be unique, and neither too short nor too long");
pub(super) const R_10: FormatRule =
    violation("R-10", "reasoning and questions must be neither too short nor too long");
pub(super) const R_11: FormatRule = violation("R-11", "timestamps must be in ISO 8601");
pub(in crate::rlcf) const R_12: FormatRule =
    violation("R-12", "credential types must be known, and their values must fit");
pub(in crate::rlcf) const R_13: FormatRule = violation("R-13", "export_format must be sft or preference");
pub(super) const R_14: FormatRule = violation("R-14", "authority weights must add up to 1");
pub(super) const R_15: FormatRule = violation("R-15", "scores must lie between 0 and their maximum");
pub(in crate::rlcf) const R_16: FormatRule = violation("R-16", "status must be one of the four");
pub(super) const R_17: FormatRule =
    violation("R-17", "position, legal_accuracy and citation_quality must be one of their words");
pub(super) const R_18: FormatRule = violation("R-18", "yaml_content must be YAML with tasks in it");
pub(in crate::rlcf) const R_19: FormatRule = warning("R-19", "error_code should be one of the five");

const SEED: [FormatRule; 21] = [
    SCHEMA, REPLY, R_1, R_2, R_3, R_4, R_5, R_6, R_7, R_8, R_9, R_10, R_11, R_12, R_13, R_14, R_15, R_16,
    R_17, R_18, R_19,
];
/// The rules that the shipped program checks.
const SHIPPED: [FormatRule; 11] = [SCHEMA, REPLY, R_1, R_2, R_4, R_5, R_8, R_9, R_11, R_13, R_16];

impl RlcfProfile {
    /// Returns the rules in the order of the report.
    pub fn rules(self) -> Vec<FormatRule> {
        match self {
            Self::Seed => SEED.to_vec(),
            Self::Shipped => SHIPPED.to_vec(),
        }
    }

    /// Returns whether the profile has a rule.
    pub(super) fn has(self, rule: &FormatRule) -> bool {
        self.rules().iter().any(|known| known.id == rule.id)
    }
}
