//! Switches rules in the results of a validation, as configuration files say.

use std::path::Path;

use hashbrown::HashSet;

use super::rules::{explained_name, explained_rules};
use super::validated_files::ValidatedFile;
use crate::workspace::folder_scope::is_in_folder;
use crate::workspace::rule_switch::{RuleSwitch, SwitchedLevel};
use evalgraph_diagnostics::help::{command, help};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, thousands};

/// Switches rules in the results of files, whose names are relative to a folder. Returns a note that counts what is left
/// out, and a warning for each rule that does not exist. If several switches are about one rule and file, the last one
/// counts.
pub fn switch_rules(switches: &[RuleSwitch], folder: &Path, files: &mut [ValidatedFile]) -> Vec<Diagnostic> {
    let (mut left_out, mut rules) = (0, HashSet::new());
    for file in files {
        let applies = |switch: &&RuleSwitch| {
            switch.folder.as_ref().is_none_or(|named| is_in_folder(named, folder, &file.name))
        };
        let level_of = |rule: &str| {
            let of_rule = switches.iter().filter(applies).filter(|switch| switch.rule == rule);
            of_rule.map(|switch| switch.level).next_back()
        };
        for summary in &mut file.report.rules {
            match level_of(&summary.id) {
                Some(SwitchedLevel::Off) => {
                    left_out += summary.results;
                    if summary.results > 0 {
                        rules.insert(summary.id.to_string());
                    }
                    summary.results = 0;
                }
                Some(SwitchedLevel::Severity(severity)) => summary.severity = severity,
                None => {}
            }
        }
        file.report.rules.retain(|summary| level_of(&summary.id) != Some(SwitchedLevel::Off));
        file.report.results.retain_mut(|result| match level_of(&result.rule) {
            Some(SwitchedLevel::Off) => false,
            Some(SwitchedLevel::Severity(severity)) => {
                result.severity = severity;
                true
            }
            None => true,
        });
    }
    let mut findings = unknown_rules(switches);
    if left_out > 0 {
        let mut rules: Vec<String> = rules.into_iter().collect();
        rules.sort();
        let are = if left_out == 1 { "result is" } else { "results are" };
        let message = format!(
            "{} {are} left out, because the configuration switches off {}",
            thousands(left_out),
            rules.join(", ")
        );
        findings.push(Diagnostic::new(FindingSeverity::Note, "validate::switched", message));
    }
    findings
}

/// Warns about switches of rules that do not exist.
pub fn unknown_rules(switches: &[RuleSwitch]) -> Vec<Diagnostic> {
    if switches.is_empty() {
        return Vec::new();
    }
    let known: Vec<&str> = explained_rules().map(|known| known.rule.id).collect();
    let unknown = switches.iter().filter(|switch| !known.contains(&explained_name(&switch.rule)));
    let warning = |switch: &RuleSwitch| {
        let message = format!("the configuration switches a rule `{}`, which does not exist", switch.rule);
        let fault = Diagnostic::warning("config::rule", message);
        match nearest(&switch.rule, known.iter().copied()) {
            Some(meant) => fault.with_help(format!("did you mean `{meant}`?")),
            None => fault.with_help(help![command("explain"), " lists the rules"]),
        }
    };
    unknown.map(warning).collect()
}
