//! The rules for rows and their corpus, and the profiles that contain them.

use crate::checking::{FormatRule, info, lenient, rules, violation, warning};
use crate::named_enum::named_enum;

rules! {
    /// The rules of the documents, in the order of the report.
    SEED:
    DIRECTORY = violation("T-1", "a dataset directory must have `corpus/` and `train.json`");
    ARRAY = violation("T-2", "the file must be an array");
    ROW = violation("T-3", "every row must be an object");
    QUESTION = violation("T-4", "`question` must be a string that is not empty");
    ANSWER = violation("T-5", "`answer` must be a string");
    ID = violation("T-6", "`id` must be an integer, or null as the recipes write it");
    BOTH_IDS = warning("T-7", "a row should have `id` or `query_id`, not both: only `id` counts");
    IMPOSSIBLE = violation("T-8", "`is_impossible` must be true or false");
    CONTEXTS = violation("T-9", "`contexts` must be an array of strings, or of objects with a `filename`");
    BASENAME = violation("T-10", "`filename` must not name a folder");
    FILE = violation("T-11", "`filename` must be in the corpus, byte for byte");
    CONTEXT_TEXT = violation("T-12", "`text` of a context must be a string");
    OTHER_KEYS = warning("T-13", "there should be no other keys");
    REPEATED = warning("T-14", "no id and no question should occur twice");
    UNANSWERED = warning("T-15", "an impossible row should have neither contexts nor an answer");
    WITHOUT_CONTEXTS = info("T-15b", "a row that is said to be possible should have contexts");
    REPEATED_FILE = violation("T-16", "two files of the corpus must not share one basename");
    UTF_8 = violation("T-17", "the file must be UTF-8 without a byte order mark");
    ROW_INDEX = info("T-18", "an integer `id` should be the index of its row");
    UNNAMED_FILE = info("T-C1", "each file of the corpus should be named by a row");
    CONTENT = warning("T-C2", "the content of a corpus file should match its extension");
    FILE_TYPES = info("T-C3", "the files of the corpus should have one extension: the evaluator takes one");
}

const CODE: [FormatRule; 12] = [
    DIRECTORY,
    ARRAY,
    ROW,
    lenient(QUESTION, "`question` should be a string: anything else is sent as it is"),
    lenient(ANSWER, "`answer` should be a string: scores mean nothing without it"),
    lenient(ID, "`id` should be neither an array nor an object"),
    BOTH_IDS,
    REPEATED,
    REPEATED_FILE,
    UTF_8,
    CONTENT,
    FILE_TYPES,
];

named_enum! {
    /// A profile of rules, with its name on the command line.
    pub enum TrainProfile {
        /// The documents of the format.
        Seed = "seed",
        /// The evaluator.
        Code = "code",
    }
}

impl TrainProfile {
    /// Returns the rules in the order of the report.
    pub fn rules(self) -> Vec<FormatRule> {
        match self {
            Self::Seed => SEED.to_vec(),
            Self::Code => CODE.to_vec(),
        }
    }
}
