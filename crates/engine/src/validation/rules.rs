//! The rules of all systems, of schema.org and of Croissant, and what a project expects, with their explanations.

use super::expectation_report::EXPECT;
use super::schema_org::severity_of;
use evalgraph_diagnostics::rule_explanation::RuleExplanation;
use evalgraph_diagnostics::validation::ResultSeverity;
use evalgraph_formats::checking::FormatRule;
use evalgraph_formats::system_name::SystemName;
use evalgraph_schema_org::{CheckRule, EXPLANATIONS};

/// A rule of a system.
pub struct ExplainedRule {
    /// The name of the system.
    pub system: &'static str,
    /// The rule.
    pub rule: FormatRule,
    /// The names of the sets of rules that contain it, or of the command that applies it.
    pub profiles: Vec<&'static str>,
    /// The page to read about it.
    pub page: Option<String>,
    /// What it demands and why, with an example.
    pub details: Option<RuleExplanation>,
}

impl ExplainedRule {
    /// Explains the rule in a sentence.
    pub fn explanation(&self) -> String {
        let Self { system, rule, profiles, .. } = self;
        format!("A rule of {system} ({}): {}.", profiles.join(", "), rule.title)
    }
}

/// The rule that explains all expectations of a project. Each of these has a name that begins alike.
const EXPECTATION: &str = "expect/NAME";

/// Returns the rules of all systems, of schema.org and of Croissant, and the one for what a project expects.
pub fn explained_rules() -> impl Iterator<Item = ExplainedRule> {
    let of_systems = SystemName::ALL.into_iter().flat_map(rules_of);
    of_systems.chain(schema_org_rules()).chain(expectation_rules())
}

/// Returns the name under which a rule is explained: `expect/NAME` for what a project expects, such as `expect/rubric`
/// and `expect/drafts/rubric`, and the name of the rule otherwise.
pub fn explained_name(rule: &str) -> &str {
    let is_expectation = rule.strip_prefix(EXPECT).is_some_and(|rest| rest.starts_with('/'));
    if is_expectation { EXPECTATION } else { rule }
}

fn expectation_rules() -> Vec<ExplainedRule> {
    let title = "the data must meet the threshold that `[expect]` of `evalgraph.toml` sets for a name";
    let rule = FormatRule { id: EXPECTATION, severity: ResultSeverity::Violation, title };
    let explained =
        ExplainedRule { system: "evalgraph.toml", rule, profiles: vec![EXPECT], page: None, details: None };
    with_details(vec![explained], &[include_str!("explanations.md")])
}

fn schema_org_rules() -> Vec<ExplainedRule> {
    let rule = |code: CheckRule| {
        // If a rule that is off by default is turned on, its findings are info.
        let severity = severity_of(code.level()).unwrap_or(ResultSeverity::Info);
        let rule = FormatRule { id: code.name(), severity, title: code.title() };
        let system = if code.is_of_croissant() { "Croissant" } else { "schema.org" };
        ExplainedRule { system, rule, profiles: vec!["check"], page: Some(code.page()), details: None }
    };
    with_details(CheckRule::all().map(rule).collect(), EXPLANATIONS)
}

/// Returns the rules of one system without duplicates, each with the profiles that contain it.
fn rules_of(system: SystemName) -> Vec<ExplainedRule> {
    let (profiles, texts) = (system.entry().profiles(), system.entry().explanations());
    let system = system.name();
    let mut explained: Vec<ExplainedRule> = Vec::new();
    for (profile, rules) in profiles {
        for rule in rules {
            match explained.iter_mut().find(|known| known.rule.id == rule.id) {
                Some(known) if known.profiles.contains(&profile) => {}
                Some(known) => known.profiles.push(profile),
                None => {
                    let profiles = vec![profile];
                    explained.push(ExplainedRule { system, rule, profiles, page: None, details: None });
                }
            }
        }
    }
    with_details(explained, texts)
}

/// Adds to each rule its part of the texts. A rule without one keeps its title; a test demands that each has one.
fn with_details(mut rules: Vec<ExplainedRule>, texts: &[&str]) -> Vec<ExplainedRule> {
    for details in texts.iter().flat_map(|text| RuleExplanation::parse(text).unwrap_or_default()) {
        if let Some(known) = rules.iter_mut().find(|known| known.rule.id == details.id) {
            known.details = Some(details);
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A title is shown beside a fault. A title such as "the file is an array" would read like a finding.
    #[test]
    fn titles_say_what_must_or_should_be() {
        // The levels of schema.org rules can be changed, so their titles always say `should`.
        for ExplainedRule { system, rule, .. } in explained_rules().filter(|known| known.page.is_none()) {
            let is_violation = rule.severity == ResultSeverity::Violation;
            let word = if is_violation { " must " } else { " should " };
            assert!(rule.title.contains(word), "{system}: {}: {}", rule.id, rule.title);
        }
        for known in explained_rules().filter(|known| known.page.is_some()) {
            assert!(known.rule.title.contains(" should "), "{}", known.rule.title);
        }
    }
}
