//! The tasks in the text of a request with YAML: they keep the rules of tasks in a file. A finding is placed at the text,
//! and its message says the line in it.

use super::super::kinds::RecordKind;
use super::super::telling::{Told, tell};
use super::checker::Checker;
use super::records;
use super::register::Register;
use super::table::R_18;
use super::visited::Visited;
use crate::checking::{self, Rule};
use crate::yaml::read_yaml;
use evalgraph_json::{Document, Limits};

const KEY: &str = "yaml_content";
/// The name of the text, which says nothing about the kind of its records.
const NAME: &str = "the text";

/// Checks the text of a request with YAML.
pub(super) fn check(checker: &mut Checker<'_>, record: Visited) {
    if record.kind != RecordKind::YamlContentRequest || !checker.profile.has(&R_18) {
        return;
    }
    let Some((value, text)) = checker.string(record.value, KEY) else { return };
    checker.look(&R_18);
    let (document, told) = match tasks(&text) {
        Ok(tasks) => tasks,
        Err(why) => return checker.found(&R_18, record.value, Some(KEY), Some(value), why),
    };
    let (profile, settings, register) = (checker.profile, checker.settings, Register::default());
    let findings = checking::Checker::new(&document, profile.name(), profile.rules());
    let mut inner = Checker { document: &document, profile, settings, register: &register, findings };
    records::check(&mut inner, &told);
    let rules: Vec<Rule> = profile.rules();
    for result in inner.findings.finish().results {
        let Some(rule) = rules.iter().find(|rule| rule.id == result.rule) else { continue };
        checker.look(rule);
        let line = result.place.as_ref().map_or(1, |place| place.line);
        let message = format!("line {line} of the text: {}", result.message);
        checker.found(rule, record.value, Some(KEY), Some(value), message);
    }
}

/// Reads the tasks of a text, or says why there are none.
fn tasks(text: &str) -> Result<(Document, Told), String> {
    let document = read_yaml(NAME, text, Limits::default()).map_err(|fault| {
        let line = fault.place.as_deref().map(|place| format!("line {} of the text: ", place.line));
        format!("{}{}", line.unwrap_or_default(), fault.message)
    })?;
    let told = tell(&document, NAME, None).map_err(|fault| fault.message.clone())?;
    // A text inside of the text would have no end.
    let is_of_tasks =
        |kind| matches!(kind, RecordKind::YamlTask | RecordKind::LegalTaskCreate | RecordKind::LegalTask);
    let has_tasks = told.records().next().is_some() && told.records().all(|record| is_of_tasks(record.kind));
    if has_tasks { Ok((document, told)) } else { Err("the text has no list of tasks".to_owned()) }
}
