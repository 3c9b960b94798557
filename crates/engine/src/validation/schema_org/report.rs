//! The report of a check in the words of rules.

use std::collections::BTreeMap;

use super::document::CheckedDocument;
use crate::validation::files::{Checked, What};
use evalgraph_diagnostics::Place;
use evalgraph_diagnostics::validation::{
    Advice, Details, FocusNode, ResultSeverity, RuleSummary, ValidationReport, ValidationResult,
};
use evalgraph_schema_org::{CheckOptions, Code, Finding, Level};

impl CheckedDocument {
    /// The report of the document.
    pub(super) fn report(self, options: &CheckOptions) -> Checked {
        let mut counts: BTreeMap<Code, u64> = BTreeMap::new();
        self.findings.iter().for_each(|(finding, _)| *counts.entry(finding.code).or_default() += 1);
        let is_asked = |code: &Code| self.summary.croissant || !code.is_of_croissant();
        let rules = Code::all().filter(is_asked).filter_map(|code| {
            Some(RuleSummary {
                id: code.name().into(),
                severity: severity_of(options.level(code))?,
                title: code.title().into(),
                looked_at: if is_of_document(code) { 1 } else { self.summary.nodes },
                results: counts.get(&code).copied().unwrap_or_default(),
            })
        });
        let results = self.findings.into_iter().filter_map(|(finding, place)| result(finding, place));
        let mut results: Vec<ValidationResult> = results.collect();
        // They take the place of the findings, which need twice the room.
        results.shrink_to_fit();
        let against = if options.strict { ResultSeverity::Warning } else { ResultSeverity::Violation };
        let report = ValidationReport {
            profile: match self.summary.croissant {
                true => "schema.org and Croissant".into(),
                false => "schema.org".into(),
            },
            rules: rules.collect(),
            results,
            against,
            fails_unseen: false,
            subjects: self.summary.nodes,
        };
        Checked { name: self.name, what: What::Records(self.kind), report }
    }
}

/// Tells whether a rule is about a document as a whole.
fn is_of_document(code: Code) -> bool {
    matches!(
        code,
        Code::NoSchemaOrg
            | Code::UndefinedPrefix
            | Code::NamespaceMixed
            | Code::NamespaceAlias
            | Code::Pending
    )
}

/// The severity of results of a level; none where these are not told.
pub fn severity_of(level: Level) -> Option<ResultSeverity> {
    match level {
        Level::Off => None,
        Level::Info => Some(ResultSeverity::Info),
        Level::Warning => Some(ResultSeverity::Warning),
        Level::Error => Some(ResultSeverity::Violation),
    }
}

fn result(finding: Finding, place: Place) -> Option<ValidationResult> {
    let page = finding.page();
    let Finding { code, level, node, property, term, suggest, message, .. } = finding;
    let has_advice = suggest.is_some() || page.is_some();
    Some(ValidationResult {
        rule: code.name().into(),
        severity: severity_of(level)?,
        component: None,
        // A blank node has no name that would outlast the run: where it has a place in JSON, that is its name.
        focus: match &place.pointer {
            Some(pointer) if node == "_:" => FocusNode::Pointer(pointer.clone()),
            _ => FocusNode::Iri(node),
        },
        path: Some(property).filter(|property| !property.is_empty()).map(Into::into),
        value: term,
        message,
        place: Some(Box::new(place)),
        related: None,
        details: Details::default(),
        advice: has_advice.then(|| Box::new(Advice { suggest, page })),
    })
}
