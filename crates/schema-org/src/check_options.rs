//! The options of a check.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::code::{CheckLevel, CheckRule};
use super::vocabulary_terms::SchemaOrgVocabulary;
use evalgraph_work::CancellationToken;

/// The options of a check.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// Levels other than the usual ones.
    pub levels: BTreeMap<CheckRule, CheckLevel>,
    /// `true` if pending terms are reported.
    pub pending: bool,
    /// `true` if warnings prevent conformance, as errors do.
    pub strict: bool,
    /// The vocabulary; by default [the built-in one](SchemaOrgVocabulary::built_in).
    pub vocabulary: Option<Arc<SchemaOrgVocabulary>>,
    /// Ends the check when it is cancelled.
    pub cancellation: CancellationToken,
}

impl CheckOptions {
    /// The level of a rule.
    pub fn level(&self, code: CheckRule) -> CheckLevel {
        match self.levels.get(&code) {
            Some(level) => *level,
            None if code == CheckRule::Pending && self.pending => CheckLevel::Info,
            None => code.level(),
        }
    }

    /// Returns whether findings at this level prevent conformance.
    pub fn stands_against(&self, level: CheckLevel) -> bool {
        level >= if self.strict { CheckLevel::Warning } else { CheckLevel::Error }
    }

    /// The vocabulary to check with.
    pub fn vocabulary(&self) -> &SchemaOrgVocabulary {
        self.vocabulary.as_deref().unwrap_or_else(|| SchemaOrgVocabulary::built_in())
    }
}
