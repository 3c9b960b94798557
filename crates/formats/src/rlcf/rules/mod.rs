//! The rules for RLCF's records, by profile: the requirements of its document (`seed`), and those that the shipped
//! program enforces (`shipped`).
//!
//! Rules that relate records (a feedback to its author, its response, and the status of the task) use the records of
//! all given files, which a [`RecordRegister`] collects.

mod configuration;
mod field_rules;
mod register;
mod rlcf_checker;
mod rlcf_rule_settings;
pub(super) mod rlcf_rule_table;
mod rules_by_record;
mod scores;
mod tasks;
mod visited_records;
mod yaml_content;

pub use super::rlcf_profile::RlcfProfile;
pub use register::RecordRegister;
pub use rlcf_rule_settings::RlcfRuleSettings;

use super::record_kind_finder::RlcfFileRecords;
use crate::checking;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::JsonDocument;
use rlcf_checker::RlcfChecker;
use visited_records::visited;

/// The texts that explain the rules.
pub(super) const EXPLANATIONS: &[&str] = &[include_str!("explanations.md")];

/// Checks the records of a file by the rules of a profile. `register` must contain these records, and may contain those
/// of other files.
///
/// ```
/// use evalgraph_json::{Limits, parse};
/// use evalgraph_formats::rlcf::rules::{RlcfProfile, RecordRegister, RlcfRuleSettings, validate};
/// use evalgraph_formats::rlcf::tell;
///
/// let text = r#"[{"id": 1, "user_id": 1, "feedback_id": 1, "helpfulness_score": 6}]"#;
/// let document = parse("ratings.json", text.to_owned(), Limits::default())?;
/// let told = tell(&document, "ratings.json", None)?;
/// let mut register = RecordRegister::default();
/// register.add(&document, &told);
/// let report = validate(&document, &told, RlcfProfile::Seed, &RlcfRuleSettings::default(), &register);
/// assert_eq!(report.results[0].rule, "R-5");
/// assert_eq!(report.results[0].message, "`6` is not an integer from 1 to 5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(
    document: &JsonDocument,
    told: &RlcfFileRecords,
    profile: RlcfProfile,
    settings: &RlcfRuleSettings,
    register: &RecordRegister,
) -> RuleReport {
    let findings = checking::FindingCollector::new(document, profile.name(), profile.rules());
    let mut checker = RlcfChecker { document, profile, settings, register, findings };
    rules_by_record::check(&mut checker, told);
    for record in visited(document, told) {
        yaml_content::check(&mut checker, record);
    }
    checker.findings.finish()
}
