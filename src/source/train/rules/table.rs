//! The rules of rows and their corpus, and whose they are.

use std::fmt;

use crate::diagnostic::validation::ResultSeverity;
use crate::source::checking::{Rule, info, violation, warning};

pub(super) const DIRECTORY: Rule = violation("T-1", "a dataset directory has `corpus/` and `train.json`");
pub(super) const ARRAY: Rule = violation("T-2", "the file is an array");
pub(super) const ROW: Rule = violation("T-3", "every row is an object");
pub(super) const QUESTION: Rule = violation("T-4", "`question` is a text that is not empty");
pub(super) const ANSWER: Rule = violation("T-5", "`answer` is a text");
pub(super) const ID: Rule = violation("T-6", "`id` is an integer, or null as the recipes write it");
pub(super) const BOTH_IDS: Rule = warning("T-7", "`id` or `query_id`: `id` counts where both are there");
pub(super) const IMPOSSIBLE: Rule = violation("T-8", "`is_impossible` is true or false");
pub(super) const CONTEXTS: Rule =
    violation("T-9", "`contexts` is an array of texts, or of objects with a `filename`");
pub(super) const BASENAME: Rule = violation("T-10", "`filename` names no folder");
pub(super) const FILE: Rule = violation("T-11", "`filename` is in the corpus, byte for byte");
pub(super) const CONTEXT_TEXT: Rule = violation("T-12", "`text` of a context is a text");
pub(super) const OTHER_KEYS: Rule = warning("T-13", "there are no other keys");
pub(super) const REPEATED: Rule = warning("T-14", "no id and no question stands twice");
pub(super) const UNANSWERED: Rule = warning("T-15", "an impossible row has neither contexts nor an answer");
pub(super) const WITHOUT_CONTEXTS: Rule = info("T-15b", "a row that says that it is possible has contexts");
pub(super) const REPEATED_FILE: Rule = violation("T-16", "no two files of the corpus have one basename");
pub(super) const UTF_8: Rule = violation("T-17", "the file is UTF-8 without a byte order mark");
pub(super) const ROW_INDEX: Rule = info("T-18", "an integer `id` is the index of its row");
pub(super) const UNNAMED_FILE: Rule = info("T-C1", "a file of the corpus is named by a row");
pub(super) const CONTENT: Rule = warning("T-C2", "a file of the corpus is what its extension says");
pub(super) const FILE_TYPES: Rule =
    info("T-C3", "the files of the corpus have one extension: the evaluator takes one");

/// A rule that the evaluator does not enforce, though breaking it costs the row its meaning.
const fn lenient(rule: Rule, title: &'static str) -> Rule {
    Rule { id: rule.id, severity: ResultSeverity::Warning, title }
}

const SEED: [Rule; 22] = [
    DIRECTORY,
    ARRAY,
    ROW,
    QUESTION,
    ANSWER,
    ID,
    BOTH_IDS,
    IMPOSSIBLE,
    CONTEXTS,
    BASENAME,
    FILE,
    CONTEXT_TEXT,
    OTHER_KEYS,
    REPEATED,
    UNANSWERED,
    WITHOUT_CONTEXTS,
    REPEATED_FILE,
    UTF_8,
    ROW_INDEX,
    UNNAMED_FILE,
    CONTENT,
    FILE_TYPES,
];

const CODE: [Rule; 12] = [
    DIRECTORY,
    ARRAY,
    ROW,
    lenient(QUESTION, "`question` is a text: anything else is sent as it is"),
    lenient(ANSWER, "`answer` is a text: scores mean nothing without it"),
    lenient(ID, "`id` is neither an array nor an object"),
    BOTH_IDS,
    REPEATED,
    REPEATED_FILE,
    UTF_8,
    CONTENT,
    FILE_TYPES,
];

/// Whose rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The documents of the format.
    Seed,
    /// The evaluator.
    Code,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Seed, Self::Code];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Code => "code",
        }
    }

    /// The rules in the order of the report.
    pub fn rules(self) -> Vec<Rule> {
        match self {
            Self::Seed => SEED.to_vec(),
            Self::Code => CODE.to_vec(),
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
