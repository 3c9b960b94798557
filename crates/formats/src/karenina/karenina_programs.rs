//! Karenina's programs, as the writer and the validation of checkpoints need them.

use super::rules::{refusal_of_boolean, refusal_of_rating, refusal_of_scenario, validate};
use crate::checkpoint::{CheckpointProfile, CheckpointPrograms, ContextMeaning};
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::JsonDocument;

/// The Python library, the user interface, and the specification in place of a program.
#[derive(Debug)]
pub(crate) struct KareninaPrograms;

impl CheckpointPrograms for KareninaPrograms {
    fn check(
        &self,
        document: &JsonDocument,
        profile: CheckpointProfile,
        context: &ContextMeaning,
    ) -> RuleReport {
        validate(document, profile, context)
    }

    fn refusal_of_rating(
        &self,
        profile: CheckpointProfile,
        rating: String,
        is_global: bool,
    ) -> Option<String> {
        refusal_of_rating(profile, rating, is_global)
    }

    fn refusal_of_scenario(&self, scenario: &str) -> Option<String> {
        refusal_of_scenario(scenario)
    }

    fn refuses_boolean(&self, value: &str) -> bool {
        refusal_of_boolean(value)
    }
}
