//! The rules of evaluation datasets, as profiles: those of the format's documents, and those of the
//! evaluator that reads it.
//!
//! The evaluator looks at less than its documents say: contexts and `is_impossible` it never reads.
//! The rules check the file as it is written, not the graph made of it.

mod contexts;
mod directory;
mod keys;
mod repeats;
mod rows;
mod settings;
mod table;

pub use directory::without_rows;
pub use settings::Settings;

use crate::checking::{Checker, Rule};
pub use directory::Directory;
use evalgraph_diagnostics::validation::ValidationReport;
use evalgraph_json::{Document, Encoding};
pub use table::Profile;
use table::UTF_8;

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

/// Checks rows by the rules of a profile.
///
/// ```
/// use evalgraph_json::{Encoding, Limits, parse};
/// use evalgraph_formats::train::rules::{Profile, Settings, TrainFile, validate};
///
/// let text = r#"[{"id": "7", "question": "What is 2+2?", "answer": "4"}]"#;
/// let document = parse("train.json", text.to_owned(), Limits::default())?;
/// let file = TrainFile { document: &document, encoding: Encoding::Utf8, directory: None };
/// let settings = Settings::default();
/// assert!(!validate(&file, Profile::Seed, &settings).conforms());
/// assert!(validate(&file, Profile::Code, &settings).conforms());
/// # Ok::<(), Box<evalgraph_diagnostics::Diagnostic>>(())
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
