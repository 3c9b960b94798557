//! The rules about the fields of a record set: the source of their values, their type and their shape.

use std::collections::HashSet;

use super::croissant_graph::CroissantGraph;
use super::data_types;
use super::reporter::CroissantReporter;
use crate::code::CheckRule;
use crate::teller::{FaultDescription, StatementPart, shortened};
use crate::vocabulary_terms::SchemaOrgVocabulary;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_store::TermId;

/// A field of a record set, or a field within another one.
struct FieldWithin {
    field: TermId,
    /// `true` if it annotates other data, and therefore needs no values.
    is_annotation: bool,
}

/// Checks the fields of a record set, those within them, and those that annotate them.
pub(super) fn check(
    graph: &CroissantGraph<'_>,
    vocabulary: &SchemaOrgVocabulary,
    reporter: &mut CroissantReporter<'_, '_>,
    record_set: TermId,
) -> Result<(), Box<Diagnostic>> {
    let has_data = graph.has(record_set, "data");
    let within = |node: TermId, name: &'static str, is_annotation: bool| {
        let fields = graph.values(node, name).into_iter().filter_map(|at| at.value);
        fields.map(move |field| FieldWithin { field, is_annotation })
    };
    let mut open: Vec<FieldWithin> =
        within(record_set, "field", false).chain(within(record_set, "annotation", true)).collect();
    let mut seen: HashSet<TermId> = HashSet::new();
    while let Some(FieldWithin { field, is_annotation }) = open.pop() {
        reporter.go_on()?;
        if !seen.insert(field) || !graph.is_field(field) {
            continue;
        }
        let mut inner = within(field, "subField", is_annotation).peekable();
        if inner.peek().is_none() && !is_annotation {
            has_values(graph, reporter, field, has_data);
            data_types::of_field(graph, vocabulary, reporter, field);
        }
        array_shape(graph, reporter, field);
        open.extend(inner.chain(within(field, "annotation", true)));
    }
    Ok(())
}

/// Checks that a field has values: from a source, or one for all records. Fields of data in the document have them
/// there.
fn has_values(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    field: TermId,
    has_data: bool,
) {
    let at = StatementPart { node: field, predicate: None, value: None };
    let values = graph.values(field, "value");
    match (graph.has(field, "source"), values.first()) {
        (true, Some(value)) => reporter.tell(CheckRule::CroissantSource, *value, "field", || {
            FaultDescription::new(
                "the `Field` has a `source` and a constant `value`, but can have only one of them",
            )
        }),
        (false, None) if !has_data => reporter.tell(CheckRule::CroissantSource, at, "field", || {
            let message = "the `Field` has no `source`, no `value`, and its record set no `data`";
            FaultDescription { property: Some("source"), ..FaultDescription::new(message) }
        }),
        _ => {}
    }
}

/// Checks that the shape of an array is valid, and that it belongs to an array.
fn array_shape(graph: &CroissantGraph<'_>, reporter: &mut CroissantReporter<'_, '_>, field: TermId) {
    let Some(at) = graph.values(field, "arrayShape").first().copied() else { return };
    let Some(shape) = at.value.map(|value| graph.dictionary.lexical(value)) else { return };
    let is_true =
        |at: &StatementPart| at.value.is_some_and(|value| graph.dictionary.lexical(value) == "true");
    if !is_shape(shape) {
        reporter.tell(CheckRule::CroissantArrayShape, at, "field", || {
            let message =
                format!("`{}` is not a shape: numbers with commas, `-1` for any size", shortened(shape));
            FaultDescription { term: Some(shape.to_owned()), ..FaultDescription::new(message) }
        });
    } else if !graph.values(field, "isArray").iter().any(is_true) {
        reporter.tell(CheckRule::CroissantArrayShape, at, "field", || {
            FaultDescription::new("the `Field` has the shape of an array, but `isArray` is not `true`")
        });
    }
}

/// Returns whether a string is a list of sizes, with or without parentheses.
fn is_shape(text: &str) -> bool {
    let text = text.trim();
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
    let sizes = inner.strip_suffix(',').unwrap_or(inner).split(',').map(str::trim);
    sizes
        .into_iter()
        .all(|size| size == "-1" || !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit()))
}
