//! The options of a check.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::code::{Code, Level};
use super::vocabulary::Vocabulary;
use evalgraph_work::Cancellation;

/// The options of a check.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// Levels other than the usual ones.
    pub levels: BTreeMap<Code, Level>,
    /// Whether pending terms are reported.
    pub pending: bool,
    /// Whether a warning stands against conformance as an error does.
    pub strict: bool,
    /// The vocabulary; by default [the one that is built in](Vocabulary::built_in).
    pub vocabulary: Option<Arc<Vocabulary>>,
    /// Ends the check when it is told to.
    pub cancellation: Cancellation,
}

impl CheckOptions {
    /// The level of a rule.
    pub fn level(&self, code: Code) -> Level {
        match self.levels.get(&code) {
            Some(level) => *level,
            None if code == Code::Pending && self.pending => Level::Info,
            None => code.level(),
        }
    }

    /// Tells whether a finding of a level stands against conformance.
    pub fn stands_against(&self, level: Level) -> bool {
        level >= if self.strict { Level::Warning } else { Level::Error }
    }

    /// The vocabulary to check with.
    pub fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary.as_deref().unwrap_or_else(|| Vocabulary::built_in())
    }
}
