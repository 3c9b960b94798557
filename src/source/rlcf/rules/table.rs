//! The rules and their profiles.

use crate::source::checking::{Rule, violation, warning};
use crate::source::rlcf::profile::Profile;

pub(super) const SCHEMA: Rule =
    violation("R-schema", "required fields are present, with values of their JSON types");
pub(super) const REPLY: Rule = warning("R-reply", "the file holds data, not an error of the API");
pub(super) const R_1: Rule = violation("R-1", "task_type is one of the task types");
pub(super) const R_2: Rule = violation("R-2", "input_data has the fields of its task type");
pub(super) const R_3: Rule = violation("R-3", "feedback_data has the required fields of its task type");
pub(super) const R_4: Rule = violation("R-4", "feedback is given while the task is in BLIND_EVALUATION");
pub(super) const R_5: Rule = violation("R-5", "helpfulness_score is an integer from 1 to 5");
pub(super) const R_6: Rule = violation("R-6", "feedback scores lie between 0 and 10");
pub(super) const R_7: Rule = violation("R-7", "confidence lies between 0 and 1");
pub(super) const R_8: Rule =
    violation("R-8", "ids are positive integers, and references lead to existing records");
pub(super) const R_9: Rule = violation("R-9", "usernames are unique, and neither short nor long");
pub(super) const R_10: Rule = violation("R-10", "reasoning and questions are neither short nor long");
pub(super) const R_11: Rule = violation("R-11", "timestamps are in ISO 8601");
pub(super) const R_12: Rule = violation("R-12", "credential types are known, and their values fit");
pub(super) const R_13: Rule = violation("R-13", "export_format is sft or preference");
pub(super) const R_14: Rule = violation("R-14", "authority weights add up to 1");
pub(super) const R_15: Rule = violation("R-15", "track_record_score lies between 0 and 1");
pub(super) const R_16: Rule = violation("R-16", "status is one of the four");

const SEED: [Rule; 18] =
    [SCHEMA, REPLY, R_1, R_2, R_3, R_4, R_5, R_6, R_7, R_8, R_9, R_10, R_11, R_12, R_13, R_14, R_15, R_16];
/// Only the rules that the shipped program checks.
const SHIPPED: [Rule; 11] = [SCHEMA, REPLY, R_1, R_2, R_4, R_5, R_8, R_9, R_11, R_13, R_16];

impl Profile {
    /// The rules in the order of the report.
    pub fn rules(self) -> Vec<Rule> {
        match self {
            Self::Seed => SEED.to_vec(),
            Self::Shipped => SHIPPED.to_vec(),
        }
    }

    /// Tells whether a rule is one of the profile's.
    pub(super) fn has(self, rule: &Rule) -> bool {
        self.rules().iter().any(|known| known.id == rule.id)
    }
}
