//! The report on what a project expects of its data: each expectation is a rule.

use super::validated_files::{ValidatedFile, ValidatedFileKind};
use crate::workspace::data_expectation::DataExpectation;
use crate::workspace::expected_threshold::{QuestionShare, ThresholdNumber};
use evalgraph_diagnostics::validation::{
    CappedDetails, FocusNode, ResultSeverity, RuleReport, RuleResult, RuleSummary,
};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, thousands};

/// The name of the set of rules, as reports show it.
pub const EXPECT: &str = "expect";

/// What there is in place of what is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectationOutcome {
    /// The number of rows of a query.
    Rows(u64),
    /// The share of the questions.
    Share(QuestionShare),
    /// Nothing was counted.
    Unchecked,
}

/// Returns the report, with a rule for each expectation. Expectations that are met are noted, if everything is reported.
/// `None` if nothing is expected.
pub fn expectation_report(
    outcomes: &[(&DataExpectation, ExpectationOutcome)],
    report: &mut RunReport,
) -> Option<ValidatedFile> {
    let (first, _) = outcomes.first()?;
    let mut rules = Vec::with_capacity(outcomes.len());
    let mut results = Vec::new();
    for (expected, outcome) in outcomes {
        let rule = rule_of(expected);
        let (actual, looked_at, is_met) = match outcome {
            ExpectationOutcome::Rows(rows) => {
                (rows.to_string(), 1, expected.threshold.is_met_by_count(*rows))
            }
            ExpectationOutcome::Share(share) => (
                expected.threshold.shown(*share),
                share.questions,
                expected.threshold.is_met_by_share(*share),
            ),
            ExpectationOutcome::Unchecked => (String::new(), 0, true),
        };
        rules.push(RuleSummary {
            id: rule.clone().into(),
            severity: ResultSeverity::Violation,
            title: title(expected).into(),
            looked_at,
            results: u64::from(!is_met),
        });
        let message = message(expected, *outcome);
        if !is_met {
            results.push(RuleResult {
                focus: FocusNode::Pointer(String::new()),
                rule: rule.into(),
                severity: ResultSeverity::Violation,
                component: None,
                path: None,
                value: Some(actual),
                message,
                place: Some(Box::new(expected.place.clone())),
                related: None,
                details: CappedDetails::default(),
                advice: None,
            });
        } else if report.shows_all() && *outcome != ExpectationOutcome::Unchecked {
            let note = Diagnostic::new(FindingSeverity::Note, "expect::met", message);
            report.add(&note.at(expected.place.clone()));
        }
    }
    let subjects = rules.iter().filter(|rule| rule.looked_at > 0).count() as u64;
    let against = ResultSeverity::Violation;
    let profile = EXPECT.into();
    let report = RuleReport { profile, rules, results, against, fails_unseen: false, subjects };
    let what = ValidatedFileKind::Records("thresholds".to_owned());
    Some(ValidatedFile { name: first.place.source.to_string(), what, report })
}

/// The name of the rule: `expect/rubric`, or `expect/drafts/rubric` for a folder.
fn rule_of(expected: &DataExpectation) -> String {
    match &expected.folder {
        Some(folder) => format!("{EXPECT}/{}/{}", folder.name, expected.name),
        None => format!("{EXPECT}/{}", expected.name),
    }
}

/// The requirement in a few words.
fn title(expected: &DataExpectation) -> String {
    let threshold = expected.threshold;
    let name = &expected.name;
    let within = expected.folder.as_ref().map_or_else(String::new, |folder| format!(" in `{}`", folder.name));
    match threshold.number {
        ThresholdNumber::Count(_) => format!("the number of rows of `{name}`{within} must be {threshold}"),
        ThresholdNumber::Share(_) => {
            format!("the share of questions{within} with `{name}` must be {threshold}")
        }
    }
}

/// Returns what is expected and what there is.
fn message(expected: &DataExpectation, outcome: ExpectationOutcome) -> String {
    let (name, threshold) = (named(expected), expected.threshold);
    let actual = match outcome {
        ExpectationOutcome::Rows(1) => "1 row".to_owned(),
        ExpectationOutcome::Rows(rows) => format!("{} rows", thousands(rows)),
        ExpectationOutcome::Share(share) => {
            let QuestionShare { having, questions } = share;
            let are = if questions == 1 { "question" } else { "questions" };
            let (having, questions) = (thousands(having), thousands(questions));
            format!("{} of {questions} {are} ({having})", threshold.shown(share))
        }
        ExpectationOutcome::Unchecked => "nothing was counted".to_owned(),
    };
    format!("{name}: {actual}, expected {threshold}")
}

fn named(expected: &DataExpectation) -> String {
    match &expected.folder {
        Some(folder) => format!("`{}` in `{}`", expected.name, folder.name),
        None => format!("`{}`", expected.name),
    }
}
