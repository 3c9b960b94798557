//! The rules of evaluation datasets, as profiles: what the documents of the format ask for, and what
//! the evaluator that reads it takes.
//!
//! The evaluator looks at less than its documents say: contexts and `is_impossible` it never reads.
//! The rules look at the file as it stands, not at the graph made of it.

mod contexts;
mod directory;
mod repeats;
mod rows;
mod settings;

pub use directory::without_rows;
pub use settings::Settings;

use super::Corpus;
use crate::diagnostic::validation::{ResultSeverity, ValidationReport};
use crate::json::{Document, Encoding};
use crate::source::checking::{Checker, Rule, info, violation, warning};
use std::fmt;

const DIRECTORY: Rule = violation("T-1", "a dataset directory has `corpus/` and `train.json`");
const ARRAY: Rule = violation("T-2", "the file is an array");
const ROW: Rule = violation("T-3", "every row is an object");
const QUESTION: Rule = violation("T-4", "`question` is a text that is not empty");
const ANSWER: Rule = violation("T-5", "`answer` is a text");
const ID: Rule = violation("T-6", "`id` is an integer, or null as the recipes write it");
const BOTH_IDS: Rule = warning("T-7", "`id` or `query_id`: `id` counts where both are there");
const IMPOSSIBLE: Rule = violation("T-8", "`is_impossible` is true or false");
const CONTEXTS: Rule = violation("T-9", "`contexts` is an array of texts, or of objects with a `filename`");
const BASENAME: Rule = violation("T-10", "`filename` names no folder");
const FILE: Rule = violation("T-11", "`filename` is in the corpus, byte for byte");
const CONTEXT_TEXT: Rule = violation("T-12", "`text` of a context is a text");
const OTHER_KEYS: Rule = warning("T-13", "there are no other keys");
const REPEATED: Rule = warning("T-14", "no id and no question stands twice");
const UNANSWERED: Rule = warning("T-15", "an impossible row has neither contexts nor an answer");
const WITHOUT_CONTEXTS: Rule = info("T-15b", "a row that says that it is possible has contexts");
const REPEATED_FILE: Rule = violation("T-16", "no two files of the corpus have one basename");
const UTF_8: Rule = violation("T-17", "the file is UTF-8 without a byte order mark");
const ROW_INDEX: Rule = info("T-18", "an integer `id` is the index of its row");
const UNNAMED_FILE: Rule = info("T-C1", "a file of the corpus is named by a row");
const CONTENT: Rule = warning("T-C2", "a file of the corpus is what its extension says");
const FILE_TYPES: Rule = info("T-C3", "the files of the corpus have one extension: the evaluator takes one");

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

/// Rows, and where they were found.
#[derive(Debug, Clone, Copy)]
pub struct TrainFile<'f> {
    /// The rows: an array of objects.
    pub document: &'f Document,
    /// The encoding that the file was read in.
    pub encoding: Encoding,
    /// The directory, where the rows are those of one.
    pub directory: Option<Directory<'f>>,
}

/// A dataset directory.
#[derive(Debug, Clone, Copy)]
pub struct Directory<'f> {
    /// Its path as given.
    pub path: &'f str,
    /// What lies in `corpus/`; none where there is no such folder.
    pub corpus: Option<&'f Corpus>,
}

/// Looks at rows by the rules of a profile.
///
/// ```
/// use evalgraph::json::{Encoding, Limits, parse};
/// use evalgraph::source::train::rules::{Profile, Settings, TrainFile, validate};
///
/// let text = r#"[{"id": "7", "question": "What is 2+2?", "answer": "4"}]"#;
/// let document = parse("train.json", text.to_owned(), Limits::default())?;
/// let file = TrainFile { document: &document, encoding: Encoding::Utf8, directory: None };
/// let settings = Settings::default();
/// assert!(!validate(&file, Profile::Seed, &settings).conforms());
/// assert!(validate(&file, Profile::Code, &settings).conforms());
/// # Ok::<(), Box<evalgraph::diagnostic::Diagnostic>>(())
/// ```
pub fn validate(file: &TrainFile<'_>, profile: Profile, settings: &Settings) -> ValidationReport {
    let mut checker = Checker::new(file.document, profile.name(), profile.rules());
    check_encoding(&mut checker, file.encoding);
    let corpus = file.directory.and_then(|directory| directory.corpus);
    rows::check(&mut checker, profile, settings, corpus);
    repeats::check(&mut checker);
    let mut report = checker.finish();
    if let Some(directory) = file.directory {
        directory::check(&mut report, directory, file.document);
    }
    report
}

/// The evaluator opens its file in the encoding of the machine, and JSON with a mark is refused.
fn check_encoding(checker: &mut Checker<'_>, encoding: Encoding) {
    checker.look(&UTF_8);
    let root = checker.document().root();
    if checker.document().text().starts_with('\u{feff}') {
        checker.found(&UTF_8, root, None, None, "the file begins with a byte order mark");
    } else if !matches!(encoding, Encoding::Auto | Encoding::Utf8) {
        checker.found(&UTF_8, root, None, None, format!("the file is {encoding}, not utf-8"));
    }
}
