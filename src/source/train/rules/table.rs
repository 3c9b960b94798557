//! The rules of rows and their corpus, and the profiles that have them.

use crate::diagnostic::validation::ResultSeverity;
use crate::source::checking::{Rule, info, rules, violation, warning};
use crate::source::named_enum::named_enum;

rules! {
    /// The rules of the documents, in the order of the report.
    SEED:
    DIRECTORY = violation("T-1", "a dataset directory has `corpus/` and `train.json`");
    ARRAY = violation("T-2", "the file is an array");
    ROW = violation("T-3", "every row is an object");
    QUESTION = violation("T-4", "`question` is a text that is not empty");
    ANSWER = violation("T-5", "`answer` is a text");
    ID = violation("T-6", "`id` is an integer, or null as the recipes write it");
    BOTH_IDS = warning("T-7", "`id` or `query_id`: `id` counts where both are there");
    IMPOSSIBLE = violation("T-8", "`is_impossible` is true or false");
    CONTEXTS = violation("T-9", "`contexts` is an array of texts, or of objects with a `filename`");
    BASENAME = violation("T-10", "`filename` names no folder");
    FILE = violation("T-11", "`filename` is in the corpus, byte for byte");
    CONTEXT_TEXT = violation("T-12", "`text` of a context is a text");
    OTHER_KEYS = warning("T-13", "there are no other keys");
    REPEATED = warning("T-14", "no id and no question occurs twice");
    UNANSWERED = warning("T-15", "an impossible row has neither contexts nor an answer");
    WITHOUT_CONTEXTS = info("T-15b", "a row that says that it is possible has contexts");
    REPEATED_FILE = violation("T-16", "no two files of the corpus have one basename");
    UTF_8 = violation("T-17", "the file is UTF-8 without a byte order mark");
    ROW_INDEX = info("T-18", "an integer `id` is the index of its row");
    UNNAMED_FILE = info("T-C1", "a file of the corpus is named by a row");
    CONTENT = warning("T-C2", "the content of a corpus file matches its extension");
    FILE_TYPES = info("T-C3", "the files of the corpus have one extension: the evaluator takes one");
}

/// A rule that the evaluator does not enforce, though breaking it costs the row its meaning.
const fn lenient(rule: Rule, title: &'static str) -> Rule {
    Rule { id: rule.id, severity: ResultSeverity::Warning, title }
}

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

named_enum! {
    /// A profile of rules, by the name on the command line.
    pub enum Profile {
        /// The documents of the format.
        Seed = "seed",
        /// The evaluator.
        Code = "code",
    }
}

impl Profile {
    /// The rules in the order of the report.
    pub fn rules(self) -> Vec<Rule> {
        match self {
            Self::Seed => SEED.to_vec(),
            Self::Code => CODE.to_vec(),
        }
    }
}
