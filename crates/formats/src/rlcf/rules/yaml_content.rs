//! Checks the tasks in a request with YAML by the rules for tasks in a file. The place of a finding is the YAML text,
//! and its message gives the line in this text.

use super::super::kinds::RecordKind;
use super::super::record_kind_finder::{RlcfFileRecords, tell};
use super::register::RecordRegister;
use super::rlcf_checker::RlcfChecker;
use super::rlcf_rule_table::R_18;
use super::rules_by_record;
use super::visited_records::VisitedRecord;
use crate::checking::{self, FormatRule};
use crate::yaml::read_yaml;
use evalgraph_json::{JsonDocument, Limits};

const KEY: &str = "yaml_content";
/// The name of the text in messages. It must not suggest a kind of records.
const NAME: &str = "the text";

/// Checks the YAML text of a request.
pub(super) fn check(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    if record.kind != RecordKind::YamlContentRequest || !checker.profile.has(&R_18) {
        return;
    }
    let Some((value, text)) = checker.string(record.value, KEY) else { return };
    checker.look(&R_18);
    let (document, told) = match tasks(&text) {
        Ok(tasks) => tasks,
        Err(why) => return checker.found(&R_18, record.value, Some(KEY), Some(value), why),
    };
    let (profile, settings, register) = (checker.profile, checker.settings, RecordRegister::default());
    let findings = checking::FindingCollector::new(&document, profile.name(), profile.rules());
    let mut inner = RlcfChecker { document: &document, profile, settings, register: &register, findings };
    rules_by_record::check(&mut inner, &told);
    let rules: Vec<FormatRule> = profile.rules();
    for result in inner.findings.finish().results {
        let Some(rule) = rules.iter().find(|rule| rule.id == result.rule) else { continue };
        checker.look(rule);
        let line = result.place.as_ref().map_or(1, |place| place.line);
        let message = format!("line {line} of the text: {}", result.message);
        checker.found(rule, record.value, Some(KEY), Some(value), message);
    }
}

/// Reads the tasks of a YAML text, or returns the reason why there are none.
fn tasks(text: &str) -> Result<(JsonDocument, RlcfFileRecords), String> {
    let document = read_yaml(NAME, text, Limits::default()).map_err(|fault| {
        let line = fault.place.as_deref().map(|place| format!("line {} of the text: ", place.line));
        format!("{}{}", line.unwrap_or_default(), fault.message)
    })?;
    let told = tell(&document, NAME, None).map_err(|fault| fault.message.clone())?;
    // Only tasks are allowed: another request with YAML inside the text would recurse.
    let is_of_tasks =
        |kind| matches!(kind, RecordKind::YamlTask | RecordKind::LegalTaskCreate | RecordKind::LegalTask);
    let has_tasks = told.records().next().is_some() && told.records().all(|record| is_of_tasks(record.kind));
    if has_tasks { Ok((document, told)) } else { Err("the text has no list of tasks".to_owned()) }
}
