//! The rules about values that should be nodes of the document: parts in their owner, references to parts, sources.

use super::croissant_graph::CroissantGraph;
use super::croissant_terms::CroissantClass;
use super::data_source_rules;
use super::reporter::CroissantReporter;
use super::version::IRI;
use crate::code::CheckRule;
use crate::teller::{FaultDescription, StatementPart, one_of, shortened};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_store::TermId;

/// The properties whose values are parts of the document.
pub(super) const OWNERS: [&str; 5] = ["distribution", "recordSet", "field", "subField", "annotation"];

/// The properties whose values are fields.
const FIELD_OWNERS: [&str; 3] = ["field", "subField", "annotation"];

/// The nodes that are expected somewhere, and the section that requires them.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExpectedNodes {
    pub(super) classes: &'static [CroissantClass],
    pub(super) section: &'static str,
    /// `true` if the nodes need a type; a field within a field may leave it out.
    pub(super) needs_type: bool,
}

/// Checks a part of a node: it must be described, and have an expected class.
pub(super) fn part(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    at: StatementPart,
    target: ExpectedNodes,
) {
    let Some(value) = described(graph, reporter, at, target) else { return };
    let classes = graph.classes(value);
    if classes.iter().any(|class| target.classes.contains(class)) {
        return;
    }
    let types = graph.types(value);
    if types.is_empty() && !target.needs_type {
        return;
    }
    let at = types.first().copied().unwrap_or(StatementPart { node: value, predicate: None, value: None });
    reporter.tell(CheckRule::CroissantType, at, target.section, || {
        let expected = one_of(&names(target.classes));
        match types.first().and_then(|at| graph.iri(at.value?)) {
            Some(wrong) => wrong_type(wrong, &names(target.classes)),
            None => {
                let message = format!("the node has no type, and {expected} is expected");
                FaultDescription { property: Some("@type"), ..FaultDescription::new(message) }
            }
        }
    });
}

/// Checks a reference to a part that is described elsewhere.
pub(super) fn reference(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    at: StatementPart,
    target: ExpectedNodes,
) {
    let Some(value) = described(graph, reporter, at, target) else { return };
    let classes = graph.classes(value);
    // The type of a part is reported with its owner.
    let is_told = match classes.is_empty() {
        true => graph.owners(value, &OWNERS).next().is_some(),
        false => {
            target.classes.contains(&CroissantClass::Field)
                && graph.owners(value, &FIELD_OWNERS).next().is_some()
        }
    };
    if is_told || classes.iter().any(|class| target.classes.contains(class)) {
        return;
    }
    reporter.tell(CheckRule::CroissantReferenceClass, at, target.section, || {
        let expected = one_of(&names(target.classes));
        let found =
            if classes.is_empty() { "no part of the dataset".to_owned() } else { one_of(&names(&classes)) };
        let id = graph.iri(value).map(|iri| graph.short_id(iri));
        let which = id.map_or_else(String::new, |id| format!("`{}`, ", shortened(id)));
        let fault = FaultDescription::new(format!("{which}{found}, is used where {expected} is expected"));
        FaultDescription { term: id.map(str::to_owned), ..fault }
    });
}

/// Checks a reference, or the data source that replaces it.
pub(super) fn source(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    at: StatementPart,
    target: ExpectedNodes,
) {
    match at.value.filter(|value| data_source_rules::is_data_source(graph, *value)) {
        Some(source) => data_source_rules::data_source(graph, reporter, at, source),
        None => reference(graph, reporter, at, target),
    }
}

/// The node that a value is, if the document describes it.
fn described(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    at: StatementPart,
    target: ExpectedNodes,
) -> Option<TermId> {
    let value = at.value?;
    if !graph.is_node(value) {
        let text = graph.dictionary.lexical(value);
        reporter.tell(CheckRule::CroissantValue, at, "id-and-reference-mechanism", || {
            let text = shortened(text);
            let message = format!("`{text}` is a string, but a node is expected: write `{{\"@id\": …}}`");
            FaultDescription { term: Some(text), ..FaultDescription::new(message) }
        });
        return None;
    }
    let Some(id) = graph.iri(value).filter(|_| !graph.is_described(value)) else { return Some(value) };
    reporter.tell(CheckRule::CroissantReference, at, "id-and-reference-mechanism", || {
        let short = graph.short_id(id);
        let suggest = graph.nearest_id(short);
        let message = format!(
            "no node has the id `{}`, but {} is expected",
            shortened(short),
            one_of(&names(target.classes))
        );
        FaultDescription { term: Some(short.to_owned()), suggest, ..FaultDescription::new(message) }
    });
    None
}

/// The fault of a type that is not one of the expected ones.
pub(super) fn wrong_type(iri: &str, expected: &[&str]) -> FaultDescription {
    let local = iri.rsplit(['/', '#']).next().unwrap_or(iri);
    if let Some(same) = expected.iter().find(|expected| **expected == local) {
        let message = format!("`{}` is not Croissant's `{same}`: its namespace is `{IRI}`", shortened(iri));
        let suggest = Some(format!("{IRI}{same}"));
        return FaultDescription { term: Some(local.to_owned()), suggest, ..FaultDescription::new(message) };
    }
    let message = format!("`{}` is used where {} is expected", shortened(local), one_of(expected));
    let suggest = nearest(local, expected.iter().copied()).map(str::to_owned);
    FaultDescription { term: Some(local.to_owned()), suggest, ..FaultDescription::new(message) }
}

fn names(classes: &[CroissantClass]) -> Vec<&'static str> {
    classes.iter().map(|class| class.name()).collect()
}
