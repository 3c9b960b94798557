//! The rules for evaluation datasets, as profiles: those of the format's documents, and those of the evaluator that
//! reads the datasets.
//!
//! The evaluator checks less than its documents say: it never reads contexts and `is_impossible`. The rules check the
//! file as it is written, not the graph made from it.

mod contexts;
mod directory;
mod repeats;
mod row_rules;
mod train_rule_settings;
mod train_rule_table;
mod unknown_row_keys;

pub use directory::without_rows;
pub use train_rule_settings::TrainRuleSettings;

use crate::checking::{FindingCollector, FormatRule};
pub use directory::DatasetDirectory;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::{JsonDocument, TextEncoding};
pub use train_rule_table::TrainProfile;
use train_rule_table::UTF_8;

/// The texts that explain the rules.
pub(super) const EXPLANATIONS: &[&str] = &[include_str!("explanations.md")];

/// Rows, with their origin.
#[derive(Debug, Clone, Copy)]
pub struct TrainFile<'f> {
    /// The rows: an array of objects.
    pub document: &'f JsonDocument,
    /// The encoding of the file.
    pub encoding: TextEncoding,
    /// The dataset directory, if the rows come from one.
    pub directory: Option<DatasetDirectory<'f>>,
}

/// Checks rows by the rules of a profile.
///
/// ```
/// use evalgraph_json::{TextEncoding, Limits, parse};
/// use evalgraph_formats::train::rules::{TrainProfile, TrainRuleSettings, TrainFile, validate};
///
/// let text = r#"[{"id": "7", "question": "What is 2+2?", "answer": "4"}]"#;
/// let document = parse("train.json", text.to_owned(), Limits::default())?;
/// let file = TrainFile { document: &document, encoding: TextEncoding::Utf8, directory: None };
/// let settings = TrainRuleSettings::default();
/// assert!(!validate(&file, TrainProfile::Seed, &settings).conforms());
/// assert!(validate(&file, TrainProfile::Code, &settings).conforms());
/// # Ok::<(), Box<evalgraph_diagnostics::Diagnostic>>(())
/// ```
pub fn validate(file: &TrainFile<'_>, profile: TrainProfile, settings: &TrainRuleSettings) -> RuleReport {
    let mut checker = FindingCollector::new(file.document, profile.name(), profile.rules());
    check_encoding(&mut checker, file.encoding);
    let corpus = file.directory.and_then(|directory| directory.corpus);
    row_rules::check(&mut checker, profile, settings, corpus);
    repeats::check(&mut checker);
    let mut report = checker.finish();
    if let Some(directory) = file.directory {
        directory::check(&mut report, directory, file.document);
    }
    report
}

/// Checks the encoding. The evaluator opens its file in the default encoding of the machine, and refuses JSON with a
/// byte order mark.
fn check_encoding(checker: &mut FindingCollector<'_>, encoding: TextEncoding) {
    checker.look(&UTF_8);
    let root = checker.document().root();
    if checker.document().text().starts_with('\u{feff}') {
        checker.found(&UTF_8, root, None, None, "the file begins with a byte order mark");
    } else if !matches!(encoding, TextEncoding::Auto | TextEncoding::Utf8) {
        checker.found(&UTF_8, root, None, None, format!("the file is {encoding}, not utf-8"));
    }
}
