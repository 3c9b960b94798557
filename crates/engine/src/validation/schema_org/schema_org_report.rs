//! The report of a check, in terms of rules.
//!
//! `CheckedDocument` is defined in `checked_document.rs`.

use std::collections::BTreeMap;

use super::checked_document::CheckedDocument;
use crate::validation::validated_files::{ValidatedFile, ValidatedFileKind};
use evalgraph_diagnostics::SourcePlace;
use evalgraph_diagnostics::validation::{
    CappedDetails, FocusNode, ResultAdvice, ResultSeverity, RuleReport, RuleResult, RuleSummary,
};
use evalgraph_schema_org::{CheckLevel, CheckOptions, CheckRule, SchemaOrgFinding};

impl CheckedDocument {
    /// Builds the report of the document.
    pub(super) fn report(self, options: &CheckOptions) -> ValidatedFile {
        let mut counts: BTreeMap<CheckRule, u64> = BTreeMap::new();
        self.findings.iter().for_each(|(finding, _)| *counts.entry(finding.code).or_default() += 1);
        let is_asked = |code: &CheckRule| self.summary.croissant || !code.is_of_croissant();
        let rules = CheckRule::all().filter(is_asked).filter_map(|code| {
            Some(RuleSummary {
                id: code.name().into(),
                severity: severity_of(options.level(code))?,
                title: code.title().into(),
                looked_at: if is_of_document(code) { 1 } else { self.summary.nodes },
                results: counts.get(&code).copied().unwrap_or_default(),
            })
        });
        let results = self.findings.into_iter().filter_map(|(finding, place)| result(finding, place));
        let mut results: Vec<RuleResult> = results.collect();
        // The results replace the findings, which take twice the memory.
        results.shrink_to_fit();
        let against = if options.strict { ResultSeverity::Warning } else { ResultSeverity::Violation };
        let report = RuleReport {
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
        ValidatedFile { name: self.name, what: ValidatedFileKind::Records(self.kind), report }
    }
}

/// Returns whether a rule is about a document as a whole.
fn is_of_document(code: CheckRule) -> bool {
    matches!(
        code,
        CheckRule::NoSchemaOrg
            | CheckRule::UndefinedPrefix
            | CheckRule::NamespaceMixed
            | CheckRule::NamespaceAlias
            | CheckRule::Pending
    )
}

/// The severity of results at a level. `None` if they are not reported.
pub fn severity_of(level: CheckLevel) -> Option<ResultSeverity> {
    match level {
        CheckLevel::Off => None,
        CheckLevel::Info => Some(ResultSeverity::Info),
        CheckLevel::Warning => Some(ResultSeverity::Warning),
        CheckLevel::Error => Some(ResultSeverity::Violation),
    }
}

fn result(finding: SchemaOrgFinding, place: SourcePlace) -> Option<RuleResult> {
    let page = finding.page();
    let SchemaOrgFinding { code, level, node, property, term, suggest, message, .. } = finding;
    let has_advice = suggest.is_some() || page.is_some();
    Some(RuleResult {
        rule: code.name().into(),
        severity: severity_of(level)?,
        component: None,
        // The name of a blank node changes from run to run, so its JSON Pointer is used if there is one.
        focus: match &place.pointer {
            Some(pointer) if node == "_:" => FocusNode::Pointer(pointer.clone()),
            _ => FocusNode::Iri(node),
        },
        path: Some(property).filter(|property| !property.is_empty()).map(Into::into),
        value: term,
        message,
        place: Some(Box::new(place)),
        related: None,
        details: CappedDetails::default(),
        advice: has_advice.then(|| Box::new(ResultAdvice { suggest, page })),
    })
}
