//! The rules about what stands where a node of the document is expected: parts in their owner, references to parts, sources.

use super::graph::Graph;
use super::reporter::Reporter;
use super::sources;
use super::terms::Class;
use super::version::IRI;
use crate::code::Code;
use crate::teller::{At, Fault, one_of, shortened};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_store::TermId;

/// The properties whose values are parts of the document.
pub(super) const OWNERS: [&str; 5] = ["distribution", "recordSet", "field", "subField", "annotation"];

/// Those whose values are fields.
const FIELD_OWNERS: [&str; 3] = ["field", "subField", "annotation"];

/// The nodes that are expected somewhere, and the section that says so.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExpectedNodes {
    pub(super) classes: &'static [Class],
    pub(super) section: &'static str,
    /// Whether the nodes need a type; a field within a field may leave it out.
    pub(super) needs_type: bool,
}

/// Checks a part of a node: it is described, and of a class that is expected.
pub(super) fn part(graph: &Graph<'_>, reporter: &mut Reporter<'_, '_>, at: At, target: ExpectedNodes) {
    let Some(value) = described(graph, reporter, at, target) else { return };
    let classes = graph.classes(value);
    if classes.iter().any(|class| target.classes.contains(class)) {
        return;
    }
    let types = graph.types(value);
    if types.is_empty() && !target.needs_type {
        return;
    }
    let at = types.first().copied().unwrap_or(At { node: value, predicate: None, value: None });
    reporter.tell(Code::CroissantType, at, target.section, || {
        let expected = one_of(&names(target.classes));
        match types.first().and_then(|at| graph.iri(at.value?)) {
            Some(wrong) => wrong_type(wrong, &names(target.classes)),
            None => {
                let message = format!("the node has no type, and {expected} is expected");
                Fault { property: Some("@type"), ..Fault::new(message) }
            }
        }
    });
}

/// Checks a reference to a part that is described elsewhere.
pub(super) fn reference(graph: &Graph<'_>, reporter: &mut Reporter<'_, '_>, at: At, target: ExpectedNodes) {
    let Some(value) = described(graph, reporter, at, target) else { return };
    let classes = graph.classes(value);
    // The type of a part is reported with its owner.
    let is_told = match classes.is_empty() {
        true => graph.owners(value, &OWNERS).next().is_some(),
        false => {
            target.classes.contains(&Class::Field) && graph.owners(value, &FIELD_OWNERS).next().is_some()
        }
    };
    if is_told || classes.iter().any(|class| target.classes.contains(class)) {
        return;
    }
    reporter.tell(Code::CroissantReferenceClass, at, target.section, || {
        let expected = one_of(&names(target.classes));
        let found =
            if classes.is_empty() { "no part of the dataset".to_owned() } else { one_of(&names(&classes)) };
        let id = graph.iri(value).map(|iri| graph.short_id(iri));
        let which = id.map_or_else(String::new, |id| format!("`{}`, ", shortened(id)));
        let fault = Fault::new(format!("{which}{found}, stands where {expected} is expected"));
        Fault { term: id.map(str::to_owned), ..fault }
    });
}

/// Checks a reference, or the data source in its place.
pub(super) fn source(graph: &Graph<'_>, reporter: &mut Reporter<'_, '_>, at: At, target: ExpectedNodes) {
    match at.value.filter(|value| sources::is_data_source(graph, *value)) {
        Some(source) => sources::data_source(graph, reporter, at, source),
        None => reference(graph, reporter, at, target),
    }
}

/// The node that a value is, if the document describes it.
fn described(
    graph: &Graph<'_>,
    reporter: &mut Reporter<'_, '_>,
    at: At,
    target: ExpectedNodes,
) -> Option<TermId> {
    let value = at.value?;
    if !graph.is_node(value) {
        let text = graph.dictionary.lexical(value);
        reporter.tell(Code::CroissantValue, at, "id-and-reference-mechanism", || {
            let text = shortened(text);
            let message = format!("`{text}` is a text, and a node is expected: write `{{\"@id\": …}}`");
            Fault { term: Some(text), ..Fault::new(message) }
        });
        return None;
    }
    let Some(id) = graph.iri(value).filter(|_| !graph.is_described(value)) else { return Some(value) };
    reporter.tell(Code::CroissantReference, at, "id-and-reference-mechanism", || {
        let short = graph.short_id(id);
        let suggest = graph.nearest_id(short);
        let message = format!(
            "no node has the id `{}`, and {} is expected",
            shortened(short),
            one_of(&names(target.classes))
        );
        Fault { term: Some(short.to_owned()), suggest, ..Fault::new(message) }
    });
    None
}

/// The fault of a type that is none of those that are expected.
pub(super) fn wrong_type(iri: &str, expected: &[&str]) -> Fault {
    let local = iri.rsplit(['/', '#']).next().unwrap_or(iri);
    if let Some(same) = expected.iter().find(|expected| **expected == local) {
        let message = format!("`{}` is not Croissant's `{same}`: its namespace is `{IRI}`", shortened(iri));
        let suggest = Some(format!("{IRI}{same}"));
        return Fault { term: Some(local.to_owned()), suggest, ..Fault::new(message) };
    }
    let message = format!("`{}` is used where {} is expected", shortened(local), one_of(expected));
    let suggest = nearest(local, expected.iter().copied()).map(str::to_owned);
    Fault { term: Some(local.to_owned()), suggest, ..Fault::new(message) }
}

fn names(classes: &[Class]) -> Vec<&'static str> {
    classes.iter().map(|class| class.name()).collect()
}
