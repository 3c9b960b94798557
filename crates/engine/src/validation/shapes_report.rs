//! The report of a validation by shapes, in terms of rules.

use std::collections::{HashMap, HashSet};

use oxrdf::{Literal, Term};

use super::validated_files::{ALL_FILES, ValidatedFile, ValidatedFileKind};
use evalgraph_diagnostics::SourcePlace;
use evalgraph_diagnostics::validation::{
    CappedDetails, FocusNode, ResultDetail, ResultSeverity, RuleReport, RuleResult, RuleSummary,
};
use evalgraph_shacl::{self as shacl, ResultPath, Severity, Shape};

/// Converts a report by shapes to one in terms of rules: a shape is a rule. `places_of_results` has the place of each
/// result, followed by the places of its details.
pub fn checked(
    validated: &shacl::ValidationReport<'_, '_>,
    places_of_results: Vec<Option<SourcePlace>>,
    names: &str,
) -> ValidatedFile {
    let mut rules: Vec<RuleSummary> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut told: HashSet<String> = HashSet::new();
    for (shape, looked_at) in validated.looked_at() {
        let id = shape.name();
        if shape.has_targets() || !shape.node.is_blank_node() {
            told.insert(id.clone());
        }
        match places.get(&id) {
            Some(place) => rules[*place].looked_at += looked_at,
            None => {
                places.insert(id.clone(), rules.len());
                rules.push(RuleSummary {
                    id: id.into(),
                    severity: severity_of(&shape.severity),
                    title: title_of(shape).into(),
                    looked_at,
                    results: 0,
                });
            }
        }
    }
    let mut results = Vec::with_capacity(validated.results().len());
    let mut found = places_of_results.into_iter();
    for result in validated.results() {
        let result = result_of(&result, &mut found);
        if let Some(place) = places.get(&*result.rule) {
            rules[*place].results += 1;
        }
        results.push(result);
    }
    // An unnamed shape without results is only a part of other shapes.
    rules.retain(|rule| rule.results > 0 || (rule.looked_at > 0 && told.contains(&*rule.id)));
    let subjects = validated.asked().map(|(_, nodes)| nodes).sum();
    // Results of `sh:Debug` and `sh:Trace` are info that does not prevent conformance. The same applies to results of
    // severities that the options exclude.
    let against = match results.iter().map(|result| result.severity).max() {
        Some(ResultSeverity::Warning) if validated.conforms() => ResultSeverity::Violation,
        Some(ResultSeverity::Info) if validated.conforms() => ResultSeverity::Warning,
        _ => ResultSeverity::Info,
    };
    let report = RuleReport {
        profile: names.to_owned().into(),
        rules,
        results,
        against,
        fails_unseen: false,
        subjects,
    };
    ValidatedFile {
        name: ALL_FILES.to_owned(),
        what: ValidatedFileKind::Records("shapes".to_owned()),
        report,
    }
}

/// Converts a result with its details. Takes their places from the iterator.
fn result_of(
    result: &shacl::ValidationResult<'_, '_, '_>,
    places: &mut impl Iterator<Item = Option<SourcePlace>>,
) -> RuleResult {
    let place = places.next().flatten();
    let details = result
        .details()
        .map(|detail| ResultDetail { alternative: detail.alternative(), result: result_of(&detail, places) });
    let details = CappedDetails { results: details.collect(), left_out: result.left_out() };
    let shape = result.shape();
    RuleResult {
        rule: shape.name().into(),
        severity: severity_of(&shape.severity),
        component: Some(text_of(&result.source_constraint_component()).into()),
        focus: focus_of(&result.focus_node(), place.as_ref()),
        path: result.path().map(|path| path_text(&path).into()),
        value: result.value().map(|value| text_of(&value)),
        message: message_of(&result.messages()),
        place: place.map(Box::new),
        related: None,
        details,
        advice: None,
    }
}

/// The name of a blank node changes from run to run, so its JSON Pointer is used if there is one.
fn focus_of(node: &Term, place: Option<&SourcePlace>) -> FocusNode {
    match place.and_then(|place| place.pointer.clone()) {
        Some(pointer) if node.is_blank_node() => FocusNode::Pointer(pointer),
        _ => FocusNode::Iri(text_of(node)),
    }
}

fn severity_of(severity: &Severity) -> ResultSeverity {
    match severity {
        Severity::Trace | Severity::Debug | Severity::Info => ResultSeverity::Info,
        Severity::Warning => ResultSeverity::Warning,
        Severity::Other(_) | Severity::Violation => ResultSeverity::Violation,
    }
}

/// The requirement of a shape: its message, or else the names of its constraints.
fn title_of(shape: &Shape) -> String {
    match shape.messages.as_slice() {
        [] => shape.parameters().join(", "),
        messages => message_of(messages),
    }
}

/// The message that has no language or is in English, or else the first message.
fn message_of(messages: &[Literal]) -> String {
    let is_preferred = |message: &&Literal| message.language().is_none_or(|tag| tag.starts_with("en"));
    let message = messages.iter().find(is_preferred).or(messages.first());
    message.map_or_else(String::new, |message| message.value().to_owned())
}

fn path_text(path: &ResultPath<'_>) -> String {
    match path {
        ResultPath::OfShape(path) => path.text(),
        ResultPath::Predicate(predicate) => predicate.as_str().to_owned(),
    }
}

/// An IRI as it is, any other term in N-Triples syntax.
fn text_of(term: &Term) -> String {
    match term {
        Term::NamedNode(node) => node.as_str().to_owned(),
        other => other.to_string(),
    }
}
