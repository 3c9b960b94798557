//! What the programs that load checkpoints accept. The system that has these programs implements the trait, so that the
//! writer needs no system.

use std::fmt;

use super::checkpoint_profile::CheckpointProfile;
use super::context_meaning::ContextMeaning;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::JsonDocument;

/// The programs that load checkpoints, one for each profile.
pub trait CheckpointPrograms: fmt::Debug + Sync {
    /// Checks a document by the rules of a profile. `context` is the meaning of its names under its context.
    fn check(
        &self,
        document: &JsonDocument,
        profile: CheckpointProfile,
        context: &ContextMeaning,
    ) -> RuleReport;

    /// Returns why a program refuses a rating, or `None` if it accepts the rating.
    fn refusal_of_rating(
        &self,
        profile: CheckpointProfile,
        rating: String,
        is_global: bool,
    ) -> Option<String>;

    /// Returns why the library refuses a scenario, or `None` if it accepts the scenario.
    fn refusal_of_scenario(&self, scenario: &str) -> Option<String>;

    /// Returns whether the library refuses a value where it expects a boolean.
    fn refuses_boolean(&self, value: &str) -> bool;
}
