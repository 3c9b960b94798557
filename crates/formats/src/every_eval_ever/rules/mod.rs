//! The rules for results of evaluations: where a file differs from the schemas of version 0.3.0.
//!
//! The rules check the file as it is written, not the graph made from it.

mod evaluation_rule_table;
mod run_fields;
mod sample_fields;

use crate::checking::FindingCollector;
use crate::checking::schema::{CoercionMode, ObjectSchema, check_object};
use crate::every_eval_ever::result_recognition::EvaluationFileKind;
use crate::records::RecognisedRecords;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::{JsonDocument, TokenId};
pub use evaluation_rule_table::EvaluationProfile;
use evaluation_rule_table::{RECORD, VERSION};

/// The version of the schemas.
const SCHEMA_VERSION: &str = "0.3.0";

/// The texts that explain the rules.
pub(super) const EXPLANATIONS: &[&str] = &[include_str!("explanations.md")];

const RUN_FILE: &ObjectSchema = &run_fields::RUN_FILE;
const SAMPLE_RESULT: &ObjectSchema = &sample_fields::SAMPLE_RESULT;

/// Checks a file by the rules of a profile. `recognised` says what kind of file it is.
pub fn validate(
    document: &JsonDocument,
    recognised: &RecognisedRecords,
    profile: EvaluationProfile,
) -> RuleReport {
    let mut checker = FindingCollector::new(document, profile.name(), profile.rules());
    let root = document.root();
    let class = match EvaluationFileKind::from_recognised(recognised) {
        EvaluationFileKind::Run => RUN_FILE,
        EvaluationFileKind::Samples => SAMPLE_RESULT,
        // The schemas do not describe an index.
        EvaluationFileKind::Index => return checker.finish(),
    };
    let records: Vec<TokenId> = match document.is_array(root) {
        true => document.items(root).collect(),
        false => vec![root],
    };
    for record in records {
        checker.look(&RECORD);
        if !document.is_object(record) {
            let message = format!("the record is {}, not an object", checker.show(record));
            checker.found(&RECORD, record, None, Some(record), message);
            continue;
        }
        checker.subjects += 1;
        check_object(&mut checker, record, class, CoercionMode::Written);
        checker.look(&VERSION);
        if let Some(version) = checker.text(record, "schema_version").filter(|text| text != SCHEMA_VERSION) {
            let message =
                format!("the file follows schema {version}, these rules are those of {SCHEMA_VERSION}");
            checker.found_at(&VERSION, record, "schema_version", message);
        }
    }
    checker.finish()
}
