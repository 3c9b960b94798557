//! The rules about data types of fields and record sets, and the properties that fields are equivalent to.

use super::croissant_graph::CroissantGraph;
use super::croissant_iri::CroissantIri;
use super::croissant_terms::class_names;
use super::reporter::CroissantReporter;
use crate::code::CheckRule;
use crate::namespace::SchemaIri;
use crate::teller::{FaultDescription, StatementPart, shortened};
use crate::term_kind::VocabularyTermKind;
use crate::vocabulary_terms::SchemaOrgVocabulary;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_store::TermId;

/// Classes whose values programs read without another type.
const READABLE: [&str; 5] = ["AudioObject", "ImageObject", "VideoObject", "BoundingBox", "SegmentationMask"];

/// Checks that each data type exists in its vocabulary.
pub(super) fn known(
    graph: &CroissantGraph<'_>,
    vocabulary: &SchemaOrgVocabulary,
    reporter: &mut CroissantReporter<'_, '_>,
    node: TermId,
) {
    for at in graph.values(node, "dataType") {
        let Some(value) = at.value else { continue };
        match graph.iri(value) {
            Some(iri) => known_type(vocabulary, reporter, at, iri),
            None if graph.is_node(value) => {}
            None => text(reporter, at, graph.dictionary.lexical(value)),
        }
    }
    for at in graph.values(node, "equivalentProperty") {
        let iri = at.value.map(|value| graph.dictionary.lexical(value)).and_then(SchemaIri::from_iri);
        let Some(local) = iri.filter(SchemaIri::is_term).map(|iri| iri.local) else { continue };
        if vocabulary.property(local).is_none() {
            reporter.tell(CheckRule::CroissantDataType, at, "field", || {
                unknown(
                    local,
                    vocabulary.nearest(local, &[VocabularyTermKind::Property]),
                    "property of schema.org",
                )
            });
        }
    }
}

/// Reports a string where the IRI of a type is expected.
fn text(reporter: &mut CroissantReporter<'_, '_>, at: StatementPart, text: &str) {
    reporter.tell(CheckRule::CroissantFieldType, at, "datatype", || {
        let message = format!(
            "the data type is the string `{}`, not an IRI: the context has to map `dataType` with `\"@type\": \"@vocab\"`",
            shortened(text)
        );
        FaultDescription { term: Some(text.to_owned()), ..FaultDescription::new(message) }
    });
}

fn known_type(
    vocabulary: &SchemaOrgVocabulary,
    reporter: &mut CroissantReporter<'_, '_>,
    at: StatementPart,
    iri: &str,
) {
    if let Some(iri) = CroissantIri::from_iri(iri) {
        if class_names().any(|name| name == iri.local) {
            return;
        }
        return reporter.tell(CheckRule::CroissantDataType, at, "datatype", || {
            unknown(iri.local, nearest(iri.local, class_names()), "data type of Croissant")
        });
    }
    let Some(local) = SchemaIri::from_iri(iri).filter(SchemaIri::is_term).map(|iri| iri.local) else {
        return;
    };
    if VocabularyTermKind::ALL.into_iter().any(|kind| vocabulary.term(local, kind).is_some()) {
        return;
    }
    reporter.tell(CheckRule::CroissantDataType, at, "datatype", || {
        // The specification itself uses `sc:String` to mean text.
        let text = (local == "String").then_some("Text");
        let near = || vocabulary.nearest(local, &[VocabularyTermKind::Datatype]);
        let suggest = text.or_else(near).or_else(|| vocabulary.nearest(local, &[VocabularyTermKind::Class]));
        unknown(local, suggest, "data type of schema.org")
    });
}

fn unknown(local: &str, suggest: Option<&str>, what: &str) -> FaultDescription {
    let message = format!("`{}` is not a {what}", shortened(local));
    FaultDescription {
        term: Some(local.to_owned()),
        suggest: suggest.map(str::to_owned),
        ..FaultDescription::new(message)
    }
}

/// Checks that a field has a type that programs can read, or takes it from another field.
pub(super) fn of_field(
    graph: &CroissantGraph<'_>,
    vocabulary: &SchemaOrgVocabulary,
    reporter: &mut CroissantReporter<'_, '_>,
    field: TermId,
) {
    let types = graph.values(field, "dataType");
    let is_readable = |at: &StatementPart| {
        let iri = at.value.and_then(|value| graph.iri(value)).unwrap_or_default();
        match CroissantIri::from_iri(iri) {
            Some(iri) => {
                READABLE.contains(&iri.local)
                    || iri.local.starts_with(['I', 'U', 'F']) && iri.local.ends_with(char::is_numeric)
            }
            None => SchemaIri::from_iri(iri)
                .is_some_and(|iri| READABLE.contains(&iri.local) || vocabulary.datatype(iri.local).is_some()),
        }
    };
    let has_type = types.len() == 1 || types.iter().any(is_readable);
    if has_type || takes_type_of_another(graph, field) {
        return;
    }
    let at = types.first().copied().unwrap_or(StatementPart { node: field, predicate: None, value: None });
    reporter.tell(CheckRule::CroissantFieldType, at, "datatype", || {
        let message = match types.is_empty() {
            true => "the `Field` has no `dataType`",
            false => "none of the data types is an atomic one, such as `Text` or `Integer`",
        };
        FaultDescription { property: Some("dataType"), ..FaultDescription::new(message) }
    });
}

fn takes_type_of_another(graph: &CroissantGraph<'_>, field: TermId) -> bool {
    let sources = ["source", "references"].into_iter().flat_map(|name| graph.values(field, name));
    sources
        .filter_map(|at| at.value)
        .any(|source| graph.origin(source).is_some_and(|origin| graph.is_field(origin)))
}
